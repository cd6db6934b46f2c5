//! Every face of the shadow map as a picture.

use std::sync::Arc;

use palimpsest::jobs::Load;
use palimpsest::session::{Front, Mounted, Session};
use palimpsest::shadow::{MapTab, Mapped};
use palimpsest_core::error::{Error, ErrorKind};
use palimpsest_core::mount::{Mounts, ShadowMap, Twins};
use palimpsest_core::task::Task;

use crate::demo;
use crate::faces::{compare, jobs, mounted, stuck};

/// A session with the map of a stack.
fn session(mounted: &Arc<Mounted>, tab: MapTab) -> Session {
    let of = Some(Arc::clone(mounted));
    Session {
        mounted: Some(Arc::clone(mounted)),
        map: Some(MapTab { of, ..tab }),
        front: Front::Map,
        ..Session::default()
    }
}

/// A map that is done.
fn mapped(mounted: &Arc<Mounted>, has_twins: bool) -> Mapped {
    let task = Task::new();
    let twins = has_twins.then(|| Arc::new(Twins::find(&mounted.stack, &task).unwrap()));
    let map = ShadowMap::new(&mounted.stack, twins, &task).unwrap();
    Mapped { mounted: Arc::clone(mounted), map: Arc::new(map) }
}

#[test]
fn the_map_of_nothing() {
    compare("map_nothing", None, None, |_| Session {
        map: Some(MapTab::default()),
        front: Front::Map,
        ..Session::default()
    });
}

#[test]
fn a_map_is_on_its_way() {
    let jobs = jobs();
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    compare("map_loading", None, None, |_| {
        let load = Some(Load::Pending(stuck(&jobs, "Mapping the stack")));
        session(&mounted, MapTab { load, ..MapTab::default() })
    });
}

#[test]
fn a_map_was_stopped() {
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    compare("map_failed", None, None, |_| {
        let load = Some(Load::Failed(Error::new(ErrorKind::Cancelled)));
        session(&mounted, MapTab { load, ..MapTab::default() })
    });
}

#[test]
fn the_layers_of_a_stack_and_what_becomes_of_their_bytes() {
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    compare("map", None, None, |_| {
        session(&mounted, MapTab { shown: Some(mapped(&mounted, true)), ..MapTab::default() })
    });
}

#[test]
fn copies_are_being_compared() {
    let jobs = jobs();
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    compare("map_comparing", None, None, |_| {
        let twins = Some(Load::Pending(stuck(&jobs, "Comparing shadowed copies")));
        session(&mounted, MapTab { shown: Some(mapped(&mounted, false)), twins, ..MapTab::default() })
    });
}

#[test]
fn a_layer_of_many_files_shows_those_that_can_be_seen() {
    let root = tempfile::tempdir().unwrap();
    // Files with holes: they have a size, and take no room.
    for folder in 0..40u64 {
        let path = root.path().join("base").join(format!("folder_{folder:02}"));
        std::fs::create_dir_all(&path).unwrap();
        for file in 0..100u64 {
            let file_in = std::fs::File::create(path.join(format!("{file}.bin"))).unwrap();
            file_in.set_len((folder * folder + file) * 4096 + 1).unwrap();
        }
    }
    let mounted = mounted(Mounts::of(root.path().join("base")));
    compare("map_huge", None, None, |_| {
        session(&mounted, MapTab { shown: Some(mapped(&mounted, false)), ..MapTab::default() })
    });
}
