//! The surfaces of the trunk with neck and tail, and of the legs.

use super::Detail;
use super::anatomy::{Anatomy, Leg};
use super::atlas::{self, Island};
use super::bones::Bones;
use super::field::Field;
use super::path::{Path, knot};
use super::surface::Surface;
use super::tube::{Skin, Tube};

/// How far from the trunk, from legs and from toes their tubes follow the skin, in centimetres.
const TRUNK_REACH: f32 = 5.0;
const LEG_REACH: f32 = 4.5;
const TOE_REACH: f32 = 0.8;

impl Anatomy {
    /// Trunk, neck and tail.
    pub(super) fn trunk(&self, detail: Detail, bones: &Bones) -> Surface {
        let tube = Tube {
            path: &self.trunk,
            seam: [0.0, -1.0, 0.0],
            rings: detail.of(58),
            segments: detail.around(26),
            caps: [1, 0],
            island: atlas::BODY,
        };
        let skin = Skin {
            all: &self.skin,
            own: &self.trunk_skin,
            reach: TRUNK_REACH,
            bulge: 6.0,
            others: &self.limbs_skin,
        };
        let flesh = bones.flesh();
        tube.on(&skin).hung_on(|at| bones.near(&flesh, at))
    }

    /// The right legs and their toes.
    pub(super) fn legs(&self, detail: Detail, bones: &Bones) -> Surface {
        let mut legs = self.leg(&self.front, 17, atlas::FRONT_LEG, detail);
        legs.append(&self.leg(&self.hind, 20, atlas::HIND_LEG, detail));
        let flesh = bones.flesh();
        legs.hung_on(|at| bones.near(&flesh, at))
    }

    fn leg(&self, leg: &Leg, rings: usize, island: Island, detail: Detail) -> Surface {
        let tube = Tube {
            path: &leg.path,
            seam: [-1.0, 0.0, 0.0],
            rings: detail.of(rings),
            segments: detail.around(14),
            caps: [0, detail.of(3)],
            island,
        };
        let skin =
            Skin { all: &self.skin, own: &leg.skin, reach: LEG_REACH, bulge: 0.0, others: &self.trunk_skin };
        let mut surface = tube.on(&skin);
        for path in &leg.toes {
            let mut own = Field::default();
            own.add_path(path, 0.0);
            let tube = Tube {
                path,
                seam: [0.0, -1.0, 0.0],
                rings: detail.of(4),
                segments: detail.around(8),
                caps: [0, detail.of(2)],
                island: atlas::TOE,
            };
            surface.append(&tube.on(&Skin { own: &own, reach: TOE_REACH, others: &leg.skin, ..skin }));
        }
        surface
    }

    /// The right claws.
    pub(super) fn claws(&self, detail: Detail, bones: &Bones) -> Surface {
        let mut claws = Surface::default();
        for (leg, bone) in [(&self.front, "R_Front_Foot"), (&self.hind, "R_Hind_Toes")] {
            for toe in &leg.toes {
                let [x, _, z] = toe.at(1.0).at;
                let path = Path::new(&[
                    knot([x, 2.8, z - 0.6], 1.6),
                    knot([x, 3.0, z + 2.0], 1.3),
                    knot([x, 2.1, z + 4.3], 0.75),
                    knot([x, 0.4, z + 6.3], 0.1),
                ]);
                let tube = Tube {
                    path: &path,
                    seam: [0.0, -1.0, 0.0],
                    rings: detail.of(4),
                    segments: detail.around(6),
                    caps: [0, 1],
                    island: atlas::SPIKE,
                };
                claws.append(&tube.round().hung_on(|_| bones.only(bone)));
            }
        }
        claws
    }
}
