//! How a model looks: what colours are made of, and what is drawn beside it.

use palimpsest_core::asset::Mesh;

use crate::command::{ModelLook, Side};
use crate::gpu::mesh::Mode;

/// Something that is drawn, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// The edges of triangles.
    Edges,
    /// Lines along normals.
    Normals,
    /// Lines along tangents, and across them.
    Tangents,
    /// What is seen from inside.
    BackFaces,
    /// The bones.
    Bones,
    /// The names of all bones.
    Names,
    /// The sockets of the skeleton.
    Sockets,
    /// The box around what is drawn, and the sphere that the file states.
    Bounds,
    /// A grid on the ground.
    Grid,
    /// What casts shadows, instead of what is seen.
    Shadows,
    /// Turns all the time.
    Turntable,
    /// The coordinates on the texture, instead of the model.
    Unwrapped,
}

impl Show {
    /// Everything, in the order of menus.
    pub const ALL: [Self; 12] = [
        Self::Edges,
        Self::Normals,
        Self::Tangents,
        Self::BackFaces,
        Self::Bones,
        Self::Names,
        Self::Sockets,
        Self::Bounds,
        Self::Grid,
        Self::Shadows,
        Self::Turntable,
        Self::Unwrapped,
    ];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Edges => "edges",
            Self::Normals => "normals",
            Self::Tangents => "tangents",
            Self::BackFaces => "back faces",
            Self::Bones => "bones",
            Self::Names => "bone names",
            Self::Sockets => "sockets",
            Self::Bounds => "bounds",
            Self::Grid => "grid",
            Self::Shadows => "shadow levels",
            Self::Turntable => "turntable",
            Self::Unwrapped => "UV layout",
        }
    }

    /// What it shows, in a sentence.
    pub const fn hint(self) -> &'static str {
        match self {
            Self::Edges => "The edges of all triangles, over the surface (Z)",
            Self::Normals => "A line along the normal of every vertex, blue",
            Self::Tangents => "Lines along the tangent, red, and the binormal, green, of every vertex",
            Self::BackFaces => "Triangles that are seen from inside; without it they are left out",
            Self::Bones => "The bones over the model (B)",
            Self::Names => "The names of all bones",
            Self::Sockets => "Places of the skeleton that things are fixed to",
            Self::Bounds => "The box around all vertices, and the sphere that the file states",
            Self::Grid => "A grid on the ground, in real units",
            Self::Shadows => "The levels of detail that cast shadows, instead of those that are seen",
            Self::Turntable => "Goes round the model (R)",
            Self::Unwrapped => "Where the triangles lie on the texture (U)",
        }
    }
}

/// The level of detail that is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// By how far away the camera is, as the file says.
    ByDistance,
    /// This one, 0 for the nearest.
    Fixed(usize),
}

/// How a model looks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Style {
    /// Textured where there are textures, or else clay, where none is chosen.
    pub(super) mode: Option<Mode>,
    shown: [bool; Show::ALL.len()],
    /// The set of coordinates.
    pub(super) uv_set: usize,
    /// Squares of the checkerboard along a side.
    pub(super) squares: f32,
    pub(super) level: Level,
}

impl Default for Style {
    fn default() -> Self {
        let first = [Show::BackFaces, Show::Grid];
        Self {
            mode: None,
            shown: Show::ALL.map(|show| first.contains(&show)),
            uv_set: 0,
            squares: 16.0,
            level: Level::Fixed(0),
        }
    }
}

impl Style {
    pub(super) fn has(&self, show: Show) -> bool {
        self.shown.get(show as usize).copied().unwrap_or(false)
    }

    pub(super) fn set(&mut self, show: Show, is_shown: bool) {
        if let Some(slot) = self.shown.get_mut(show as usize) {
            *slot = is_shown;
        }
    }

    pub(super) fn toggle(&mut self, show: Show) {
        self.set(show, !self.has(show));
    }

    /// What colours are made of.
    pub(super) fn mode(&self, has_textures: bool) -> Mode {
        self.mode.unwrap_or(if has_textures { Mode::Textured } else { Mode::Clay })
    }

    /// The level that is drawn at a distance, see [`Mesh::level_at`].
    pub(super) fn level(&self, mesh: &Mesh, distance: f32) -> Option<usize> {
        let is_shadow = self.has(Show::Shadows);
        match self.level {
            Level::ByDistance => mesh.level_at(distance, is_shadow),
            Level::Fixed(level) => Some(level.min(mesh.levels(is_shadow).len().saturating_sub(1))),
        }
    }

    /// Goes to a finer or a coarser level than the one that is drawn.
    pub(super) fn step_level(&mut self, mesh: &Mesh, distance: f32, by: isize) {
        let last = mesh.levels(self.has(Show::Shadows)).len().saturating_sub(1);
        let shown = self.level(mesh, distance).unwrap_or(last);
        self.level = Level::Fixed(shown.saturating_add_signed(by).min(last));
    }

    /// Changes what is asked for; whether it was about the style.
    pub(super) fn look(&mut self, look: ModelLook) -> bool {
        match look {
            ModelLook::Mode(mode) => self.mode = Some(mode),
            ModelLook::Toggle(show) => self.toggle(show),
            ModelLook::LevelByDistance => self.level = Level::ByDistance,
            _ => return false,
        }
        true
    }
}

/// How far round and how high a camera on a side stands, in radians.
pub(super) fn angles(side: Side) -> [f32; 2] {
    use std::f32::consts::{FRAC_PI_2, PI};
    match side {
        Side::Front => [0.0, 0.0],
        Side::Back => [PI, 0.0],
        Side::Left => [FRAC_PI_2, 0.0],
        Side::Right => [-FRAC_PI_2, 0.0],
        Side::Top => [0.0, FRAC_PI_2],
        Side::Bottom => [0.0, -FRAC_PI_2],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_shown_has_its_own_place() {
        let mut style = Style::default();
        for show in Show::ALL {
            let was = style.clone();
            style.toggle(show);
            let changed = Show::ALL.into_iter().filter(|other| was.has(*other) != style.has(*other));
            assert_eq!(changed.collect::<Vec<_>>(), [show]);
        }
    }
}
