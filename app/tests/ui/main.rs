//! The window as a person uses it: clicks by label, keys, and what the session holds afterwards.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail loudly")]

mod browse;
mod bundles;
#[path = "../common/mod.rs"]
mod common;
mod compare;
mod documents;
mod faces;
mod grid;
mod grid_faces;
mod map;
mod map_faces;
mod model_faces;
mod models;
mod overlays;
mod pictures;
mod shaders;
mod strings;
mod strings_faces;
mod textures;
mod what_if;

use std::path::Path;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Theme, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use palimpsest::app::{App, Start};
use palimpsest::gpu::offscreen::render_state;
use palimpsest::session::OpenDocument;
use palimpsest::settings::Settings;
use palimpsest_core::demo;
use palimpsest_core::mount::Mounts;
use palimpsest_core::task::Task;

/// How long work may take before a test gives up.
const PATIENCE: Duration = Duration::from_mins(1);

/// The demo install, written once for all tests.
fn demo() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        demo::write(folder.path(), &Task::new()).unwrap();
        folder
    });
    folder.path()
}

/// The program in a window of 1440 × 900.
struct Window {
    harness: Harness<'static, Option<App>>,
}

impl Window {
    /// A window on what `start` says, at rest.
    fn on(start: Start) -> Self {
        let state = render_state().unwrap();
        let renderer = egui_kittest::wgpu::WgpuTestRenderer::from_render_state(state.clone());
        let mut start = Some(start);
        let draw = move |ui: &mut egui::Ui, app: &mut Option<App>| {
            let ctx = ui.ctx().clone();
            if let Some(start) = start.take() {
                *app = Some(App::new(&ctx, Some(&state), &Settings::default(), start).unwrap());
                common::add_fonts(&ctx);
                return;
            }
            let app = app.as_mut().unwrap();
            app.logic(&ctx);
            app.ui(ui);
        };
        let harness = Harness::builder()
            .with_size(Vec2::new(1440.0, 900.0))
            .with_theme(Theme::Dark)
            .with_step_dt(1.0 / 60.0)
            // Fonts of the system are asked for in the window only.
            .allow_missing_glyphs()
            .renderer(renderer)
            .build_ui_state(draw, None);
        let mut window = Self { harness };
        window.settle();
        window
    }

    /// A window on the demo install.
    fn on_demo() -> Self {
        Self::on(Start { mounts: Some(Mounts::of(demo().to_path_buf())), ..Start::default() })
    }

    /// A window on the demo install with a path open.
    fn open(path: &str) -> Self {
        let mounts = Some(Mounts::of(demo().to_path_buf()));
        Self::on(Start { mounts, open: Some(path.to_owned()), ..Start::default() })
    }

    /// Draws frames until nothing is on its way.
    fn settle(&mut self) {
        let started = Instant::now();
        let mut still = 0;
        while still < 4 {
            self.harness.step();
            still = if self.app().is_idle() { still + 1 } else { 0 };
            assert!(started.elapsed() < PATIENCE, "the window does not come to rest");
        }
    }

    fn app(&self) -> &App {
        self.harness.state().as_ref().unwrap()
    }

    fn active(&self) -> &OpenDocument {
        self.app().session().active().unwrap()
    }

    /// The name of the layer whose copy is shown.
    fn shown_layer(&self) -> String {
        let open = self.active();
        open.mounted.stack.layer(open.copy_ref().unwrap()).unwrap().name.clone()
    }

    fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.settle();
    }

    fn click_role(&mut self, role: Role, label: &str) {
        self.harness.get_by_role_and_label(role, label).click();
        self.settle();
    }

    fn has(&self, label: &str) -> bool {
        self.harness.query_all_by_label(label).next().is_some()
    }

    fn has_text(&self, part: &str) -> bool {
        self.harness.query_all_by_label_contains(part).next().is_some()
    }

    fn press(&mut self, key: egui::Key) {
        self.press_with(egui::Modifiers::NONE, key);
    }

    fn press_with(&mut self, modifiers: egui::Modifiers, key: egui::Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.settle();
    }

    /// Types into the field with a label.
    fn type_into(&mut self, label: &str, text: &str) {
        let field = self.harness.get_by_role_and_label(Role::TextInput, label);
        field.focus();
        self.harness.step();
        self.harness.get_by_role_and_label(Role::TextInput, label).type_text(text);
        self.settle();
    }

    /// Types into whatever has the keyboard.
    fn type_text(&mut self, text: &str) {
        self.harness.event(egui::Event::Text(text.to_owned()));
        self.settle();
    }

    /// Whether the row with a label is chosen.
    fn is_chosen(&self, role: Role, label: &str) -> bool {
        let node = self.harness.get_by_role_and_label(role, label);
        node.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
            || node.accesskit_node().is_selected() == Some(true)
    }
}
