//! A camera that goes round a model.
//!
//! The game's numbers are left-handed, see [`palimpsest_core::model`]: from the front, where +Z is, +X is to the
//! left.

use std::f32::consts::{FRAC_PI_2, TAU};

use glam::camera::lh::{proj::directx, view};
use glam::{Mat4, Vec2, Vec3};
use palimpsest_core::model::Ray;

/// The angle that is seen from top to bottom, in radians: that of a lens of 50 mm.
const FIELD: f32 = 0.471;
/// How near and how far the camera may come, in centimetres.
pub const DISTANCES: std::ops::RangeInclusive<f32> = 1e-3..=1e7;

/// Where the camera is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// What it looks at, in the space of the model.
    pub target: Vec3,
    /// How far it went round, in radians: 0 in front, on the side of +Z, and counter-clockwise from above.
    pub yaw: f32,
    /// How high it stands, in radians.
    pub pitch: f32,
    /// How far away it is, in centimetres.
    pub distance: f32,
    /// Whether what is far away is not smaller.
    pub is_orthographic: bool,
}

impl Default for Orbit {
    fn default() -> Self {
        Self { target: Vec3::ZERO, yaw: 0.6, pitch: 0.25, distance: 300.0, is_orthographic: false }
    }
}

impl Orbit {
    /// Looks at places from the side that it looks from now, as near as all of them are seen on a screen of a
    /// width in heights.
    pub fn frame(&mut self, places: impl Iterator<Item = Vec3> + Clone, aspect: f32) {
        const MARGIN: f32 = 1.12;
        let axes = self.axes();
        let seen =
            places.map(|place| Vec3::from(axes.map(|axis| axis.dot(place)))).filter(|at| at.is_finite());
        let around = |bounds: Option<[Vec3; 2]>, at: Vec3| {
            Some(bounds.map_or([at, at], |[low, high]| [low.min(at), high.max(at)]))
        };
        let Some([low, high]) = seen.clone().fold(None, around) else { return };
        let middle = (low + high) * 0.5;
        let [right, up, back] = axes;
        self.target = right * middle.x + up * middle.y + back * middle.z;
        let slope = (FIELD / 2.0).tan() / MARGIN;
        let reach = |at: Vec3| {
            let away = at - middle;
            let half = (away.x.abs() / aspect.max(0.1)).max(away.y.abs()) / slope;
            if self.is_orthographic { half } else { half + away.z }
        };
        let least = (high - low).length().max(1e-2);
        self.distance = clamped(seen.map(reach).fold(least * 0.05, f32::max));
    }

    /// Goes round by radians.
    pub fn turn(&mut self, yaw: f32, pitch: f32) {
        self.yaw = (self.yaw + yaw).rem_euclid(TAU);
        self.pitch = (self.pitch + pitch).clamp(-FRAC_PI_2, FRAC_PI_2);
    }

    /// Moves along the screen, by parts of its height.
    pub fn pan(&mut self, by: Vec2) {
        let [right, up, _] = self.axes();
        let height = self.height();
        self.target += (up * by.y - right * by.x) * height;
    }

    /// Comes nearer, or goes away, by a factor.
    pub fn zoom(&mut self, factor: f32) {
        self.distance = clamped(self.distance / factor);
    }

    /// Where the camera is.
    pub fn eye(&self) -> Vec3 {
        let [_, _, back] = self.axes();
        self.target + back * self.distance
    }

    /// To the right, upwards, and towards the camera, in the space of the model.
    pub fn axes(&self) -> [Vec3; 3] {
        let (sin, cos) = self.yaw.sin_cos();
        let (rise, reach) = self.pitch.sin_cos();
        let back = Vec3::new(-sin * reach, rise, cos * reach);
        let right = Vec3::new(-cos, 0.0, -sin);
        [right, right.cross(back), back]
    }

    /// Centimetres from the bottom to the top of the screen, at the target.
    pub fn height(&self) -> f32 {
        2.0 * self.distance * (FIELD / 2.0).tan()
    }

    /// Brings places of the model onto the screen: -1 to 1 to the right and upwards, and 0 for what is far
    /// away to 1 for what is near. `aspect` is the width of the screen in heights; `radius` reaches from the
    /// target to everything that is drawn.
    pub fn clip_from_model(&self, aspect: f32, radius: f32) -> Mat4 {
        let [_, up, back] = self.axes();
        let view = view::look_to_mat4(self.eye(), -back, up);
        let projection = if self.is_orthographic {
            let (half, reach) = (self.height() / 2.0, self.distance + 2.0 * radius);
            // The ends are exchanged: near is 1.
            directx::orthographic(-half * aspect, half * aspect, -half, half, reach, -reach)
        } else {
            directx::perspective_infinite_reverse(FIELD, aspect, self.distance * 1e-3)
        };
        projection * view
    }

    /// The line of sight through a place of the screen, see [`clip_from_model`](Self::clip_from_model).
    pub fn ray(&self, at: Vec2, aspect: f32) -> Ray {
        let [right, up, back] = self.axes();
        let across = (right * (at.x * aspect) + up * at.y) * (self.height() / 2.0);
        if self.is_orthographic {
            Ray { start: self.target + across + back * (self.distance * 10.0), way: -back }
        } else {
            Ray { start: self.eye(), way: across - back * self.distance }
        }
    }

    /// How many centimetres of the model a point of the screen stands for, at a place.
    pub fn scale_at(&self, place: Vec3, height_px: f32) -> f32 {
        let [_, _, back] = self.axes();
        let depth = if self.is_orthographic { self.distance } else { (self.eye() - place).dot(back) };
        2.0 * depth.max(self.distance * 1e-3) * (FIELD / 2.0).tan() / height_px.max(1.0)
    }
}

/// The corners of a box.
pub fn corners([low, high]: [Vec3; 2]) -> impl Iterator<Item = Vec3> + Clone {
    (0..8).map(move |corner| {
        let pick = |bit: u32, low: f32, high: f32| if corner & bit == 0 { low } else { high };
        Vec3::new(pick(1, low.x, high.x), pick(2, low.y, high.y), pick(4, low.z, high.z))
    })
}

/// Where a place of the model is on the screen: -1 to 1 to the right and upwards; `None` behind the camera.
pub fn project(clip_from_model: &Mat4, place: Vec3) -> Option<Vec2> {
    let [x, y, _, w] = (*clip_from_model * place.extend(1.0)).to_array();
    (w > 0.0).then(|| Vec2::new(x, y) / w)
}

fn clamped(distance: f32) -> f32 {
    distance.clamp(*DISTANCES.start(), *DISTANCES.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cameras() -> [Orbit; 2] {
        let own = Orbit { target: Vec3::new(3.0, 40.0, -2.0), yaw: 2.1, pitch: -0.4, ..Orbit::default() };
        [own, Orbit { is_orthographic: true, ..own }]
    }

    #[test]
    fn what_is_looked_at_is_in_the_middle_and_what_is_nearer_is_nearer() {
        for camera in cameras() {
            let clip = camera.clip_from_model(1.5, 100.0);
            assert!(project(&clip, camera.target).unwrap().length() < 1e-4);
            let [_, _, back] = camera.axes();
            let depth = |at: Vec3| clip.project_point3(at).z;
            let (near, far) = (depth(camera.target + back * 10.0), depth(camera.target - back * 10.0));
            assert!(0.0 < far && far < near && near < 1.0, "{far} {near}");
        }
    }

    #[test]
    fn from_the_front_the_left_hand_is_on_the_right_and_whoever_goes_there_sees_it() {
        // A left hand is at -X, as `L_Hand` of the shipped skeletons is.
        for camera in cameras() {
            let front = Orbit { target: Vec3::ZERO, yaw: 0.0, pitch: 0.0, ..camera };
            let seen = |camera: Orbit, place| project(&camera.clip_from_model(1.0, 100.0), place).unwrap();
            assert!(seen(front, Vec3::new(-20.0, 0.0, 0.0)).x > 0.0);
            assert!(seen(front, Vec3::new(0.0, 20.0, 0.0)).y > 0.0);
            let left = Orbit { yaw: FRAC_PI_2, ..front };
            assert!(left.eye().x < 0.0 && left.axes()[2].distance(Vec3::NEG_X) < 1e-6);
        }
    }

    #[test]
    fn a_line_of_sight_goes_through_what_is_seen_there() {
        for camera in cameras() {
            let clip = camera.clip_from_model(1.5, 100.0);
            for place in [Vec3::new(10.0, 30.0, 20.0), Vec3::new(-15.0, 55.0, -12.0)] {
                let ray = camera.ray(project(&clip, place).unwrap(), 1.5);
                let along = (place - ray.start).dot(ray.way) / ray.way.length_squared();
                let apart = (ray.start + ray.way * along).distance(place);
                assert!(along > 0.0 && apart < 1e-2, "{along} {apart}");
            }
        }
    }

    #[test]
    fn a_box_that_is_framed_is_seen_from_everywhere() {
        let [low, high] = [Vec3::new(-50.0, 0.0, -120.0), Vec3::new(50.0, 90.0, 80.0)];
        for camera in cameras() {
            for step in 0..12 {
                let mut camera = Orbit { yaw: step as f32, pitch: step as f32 / 12.0, ..camera };
                camera.frame(corners([low, high]), 1.5);
                let clip = camera.clip_from_model(1.5, 200.0);
                let seen = corners([low, high]).map(|at| project(&clip, at).unwrap().abs().max_element());
                let farthest = seen.fold(0.0, f32::max);
                assert!((0.6..1.0).contains(&farthest), "{farthest}");
            }
        }
    }

    #[test]
    fn moving_along_the_screen_takes_the_model_with_the_pointer() {
        for mut camera in cameras() {
            let place = camera.target;
            camera.pan(Vec2::new(0.25, 0.1));
            let seen = project(&camera.clip_from_model(1.0, 100.0), place).unwrap();
            assert!(seen.distance(Vec2::new(0.5, -0.2)) < 1e-3, "{seen}");
        }
    }
}
