//! What of a model is drawn, and how.

use std::sync::Arc;

use egui::Color32;

use super::ModelView;
use super::style::Show;
use crate::gpu::mesh::{Drawable, Look, Marks, Mode, Part, Spikes};
use crate::headless::ModelStill;
use crate::session::OpenDocument;
use crate::shown::{ShownGroup, colour_of, groups_at, radius};
use crate::theme::Theme;

impl ModelView {
    /// Everything that the picture depends on, and what the step of the grid is called.
    pub(super) fn compose(
        &mut self,
        open: &OpenDocument,
        drawable: &Arc<Drawable>,
        radius: f32,
        theme: &Theme,
    ) -> (Look, String) {
        let model = &drawable.model;
        let mut marks = Marks::default();
        let grid = if self.style.has(Show::Grid) {
            marks.grid(model.bounds(), theme.muted.gamma_multiply(0.5))
        } else {
            String::new()
        };
        if self.style.has(Show::Bounds) {
            marks.bounds(model, [theme.added, theme.removed]);
        }
        let spikes = Spikes::of(model, [Show::Normals, Show::Tangents].map(|show| self.style.has(show)));
        let look = Look {
            skin: self.pose.skin(drawable),
            parts: self.parts(open, drawable),
            mode: self.mode(open),
            set: self.style.uv_set,
            squares: self.style.squares,
            place: self.bone.and_then(|bone| model.place_of(bone)),
            is_culled: !self.style.has(Show::BackFaces),
            has_wires: self.style.has(Show::Edges),
            spikes,
            marks: Arc::new(marks.0),
            line: Color32::from_black_alpha(if theme.is_dark { 150 } else { 110 }),
            ground: theme.canvas,
            ramp: theme.weights(),
            ..Look::new(self.camera, radius)
        };
        (look, grid)
    }

    /// The model as it is looked at, as a picture of twice the size of the panel.
    pub(super) fn still(
        &mut self,
        open: &OpenDocument,
        drawable: &Arc<Drawable>,
        theme: &Theme,
    ) -> ModelStill {
        /// Pixels along a side of the largest picture.
        const LARGEST: u32 = 8192;
        let radius = radius(&drawable.model, &self.camera);
        let (look, _) = self.compose(open, drawable, radius, theme);
        let [width, height] = self.size_px.map(|side| (2 * side).clamp(64, LARGEST));
        ModelStill {
            drawable: Arc::clone(drawable),
            look,
            size: (width, height),
            pose: self.pose.pose().clone(),
            bone: self.bone,
            shown: Show::ALL.into_iter().filter(|show| self.style.has(*show)).collect(),
            is_light: !theme.is_dark,
        }
    }

    /// What is drawn of the mesh.
    pub(super) fn parts(&self, open: &OpenDocument, drawable: &Drawable) -> Vec<Part> {
        let Some(mesh) = &drawable.model.mesh else { return Vec::new() };
        let Some(level) = self.level(mesh) else { return Vec::new() };
        let is_textured = self.mode(open) == Mode::Textured;
        let groups = groups_at(mesh, level, self.style.has(Show::Shadows)).into_iter();
        let part = |shown: ShownGroup| Part {
            group: shown.group,
            colour: colour_of(shown.object),
            mark: if self.marked == Some(shown.group) { 0.35 } else { 0.0 },
            textures: if is_textured { open.model.pixels(shown.slot) } else { [None, None, None] },
        };
        groups.filter(|shown| self.is_shown(shown)).map(part).collect()
    }
}
