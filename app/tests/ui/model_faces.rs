//! The faces of the panel of meshes and skeletons: on its way, content, failed, without a graphics card.

use std::sync::Arc;

use palimpsest::command::{Look, ModelLook};
use palimpsest::gpu::Caps;
use palimpsest::gpu::mesh::Drawable;
use palimpsest::jobs::Load;
use palimpsest::panels::ModelPage;
use palimpsest::session::{ModelState, Mounted, Session};
use palimpsest_core::error::Error;
use palimpsest_core::model::{Model, Quality};
use palimpsest_core::mount::Mounts;
use palimpsest_core::task::Task;

use crate::demo;
use crate::faces::{compare, compare_after, jobs, mounted, session, stuck};
use crate::models::{DRAKE, FLAWED, SKELETON};

/// A session with a model of the demo, as far as `state` says.
fn of_demo(mounted: &Arc<Mounted>, path: &str, caps: Caps, state: ModelState) -> Session {
    let mut session = session(Arc::clone(mounted), path, None, caps);
    session.open[0].model = state;
    session
}

/// What a path of the demo holds, ready to be drawn and looked through.
fn ready(mounted: &Mounted, path: &str) -> ModelState {
    let stack = &mounted.stack;
    let copy = stack.index().copies(stack.find(path).unwrap())[0];
    let model = match stack.asset(copy, &Task::new()).unwrap() {
        palimpsest_core::asset::Asset::Mesh(mesh) => Model::new(Some(Arc::new(mesh)), None, &Task::new()),
        palimpsest_core::asset::Asset::Skeleton(skeleton) => {
            Model::new(None, Some(Arc::new(skeleton)), &Task::new())
        }
        other => panic!("{other:?}"),
    };
    let drawable = Arc::new(Drawable::new(Arc::new(model.unwrap())));
    let quality = drawable.model.mesh.as_ref().map(|mesh| Quality::of(mesh, &Task::new()).unwrap());
    ModelState {
        quality: quality.map(|quality| (drawable.id, Load::Ready(Arc::new(quality)))),
        drawable: Some(Load::Ready(drawable)),
        ..ModelState::default()
    }
}

#[test]
fn a_model_is_on_its_way_or_cannot_be_had() {
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    let jobs = jobs();
    compare("model_loading", None, None, |caps| {
        let drawable = Some(Load::Pending(stuck(&jobs, "Decoding drake.mesh")));
        of_demo(&mounted, DRAKE, caps, ModelState { drawable, ..ModelState::default() })
    });
    compare("model_failed", None, None, |caps| {
        let error = Error::limit("9000000 vertices and 17 triangles, at most 8388608 of each are drawn");
        let drawable = Some(Load::Failed(error));
        of_demo(&mounted, DRAKE, caps, ModelState { drawable, ..ModelState::default() })
    });
    compare("model_without_card", None, None, |caps| Session {
        caps: None,
        ..of_demo(&mounted, DRAKE, caps, ModelState::default())
    });
}

#[test]
fn a_mesh_a_skeleton_and_what_is_wrong_are_shown() {
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    for (name, path, page) in [
        ("model", DRAKE, ModelPage::View),
        ("skeleton", SKELETON, ModelPage::Bones),
        ("model_flaws", FLAWED, ModelPage::Data),
    ] {
        let make = |caps| of_demo(&mounted, path, caps, ready(&mounted, path));
        compare_after(name, make, |panels, session, frame| {
            if frame == 2 {
                let ctx = egui::Context::default();
                panels.look(&ctx, session, Look::Model(ModelLook::Page(page)));
            }
        });
    }
}
