//! What stands on the skin: the crest along the back, and the blade on the tail.

use super::Detail;
use super::anatomy::Anatomy;
use super::atlas;
use super::bones::Bones;
use super::path::{Knot, Path, knot};
use super::surface::Surface;
use super::tube::Tube;
use super::vector::{Vector, add, cross, scale};

/// Spikes of the crest.
const SPIKES: u8 = 21;

/// Up and back from the end of the tail.
const BLADE: [(Vector, f32, f32); 6] = [
    ([0.0, 49.0, -112.0], 2.0, 1.1),
    ([0.0, 55.0, -117.0], 4.4, 0.8),
    ([0.0, 64.0, -121.5], 5.2, 0.62),
    ([0.0, 75.0, -122.0], 4.2, 0.5),
    ([0.0, 84.0, -118.0], 2.4, 0.34),
    ([0.0, 90.0, -112.0], 0.2, 0.05),
];

impl Anatomy {
    /// The crest from the neck to the tail.
    pub(super) fn crest(&self, detail: Detail, bones: &Bones) -> Surface {
        let flesh = bones.flesh();
        let mut crest = Surface::default();
        for number in 0..SPIKES {
            let part = 0.07 + 0.84 * f32::from(number) / f32::from(SPIKES - 1);
            let (sample, along) = (self.trunk.at(part), self.trunk.tangent(part));
            let up = cross(along, [1.0, 0.0, 0.0]);
            let height = 2.6 + 0.42 * sample.radius;
            let at = |out: f32, back: f32| {
                add(
                    sample.at,
                    add(scale(up, sample.radius - 0.8 + height * out), scale(along, -height * back)),
                )
            };
            let wide = [0.34, 1.0, 1.0];
            let thick = |at, radius| Knot { at, radius, wide };
            let path = Path::new(&[
                thick(at(0.0, 0.0), 0.44 * height),
                thick(at(0.5, 0.25), 0.31 * height),
                thick(at(1.05, 0.75), 0.03 * height),
            ]);
            let tube = Tube {
                path: &path,
                seam: [0.0, -0.3, 1.0],
                rings: detail.of(3).max(2),
                segments: detail.around(6),
                caps: [0, 1],
                island: atlas::CREST,
            };
            let influences = bones.near(&flesh, sample.at);
            crest.append(&tube.round().hung_on(|_| influences));
        }
        crest
    }
}

/// The blade that is bound to the tail.
pub(super) fn blade(detail: Detail, bones: &Bones) -> Surface {
    let knots = BLADE.map(|(at, radius, thin)| Knot { at, radius, wide: [thin / radius, 1.0, 1.0] });
    let path = Path::new(&knots);
    let tube = Tube {
        path: &path,
        seam: [0.0, 0.4, -1.0],
        rings: detail.of(16),
        segments: detail.around(10),
        caps: [1, 1],
        island: atlas::BLADE,
    };
    let mut blade = tube.round();
    let path = Path::new(&[
        knot([0.0, 42.5, -104.5], 2.5),
        knot([0.0, 43.5, -105.8], 3.0),
        knot([0.0, 47.0, -109.6], 2.8),
        knot([0.0, 50.5, -113.2], 3.2),
        knot([0.0, 51.6, -114.2], 2.4),
    ]);
    let tube =
        Tube { path: &path, rings: detail.of(8), segments: detail.around(10), island: atlas::COLLAR, ..tube };
    blade.append(&tube.round());
    blade.hung_on(|_| bones.only("Tail_5"))
}
