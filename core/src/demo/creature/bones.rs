//! The bones, and how much each of them moves a place.

use super::vector::{Vector, add, cross, dot, length, mirrored, scale, square_to, sub, unit};

/// A bone as it is listed: its name, the bone that it hangs on, where it is and where it ends.
struct Row(&'static str, &'static str, Vector, Vector);

/// Bones that stand once, or on either side; listed is the right one.
enum Limb {
    Middle(&'static [Row]),
    Pair(&'static [Row]),
}

use Limb::{Middle, Pair};

/// All bones, parents first; as in the game, left is where X is less than nothing.
const LIMBS: &[Limb] = &[
    Middle(&[
        Row("Root", "", [0.0, 0.0, 0.0], [0.0, 0.0, 12.0]),
        Row("Hips", "Root", [0.0, 59.0, -24.0], [0.0, 59.5, -6.0]),
        Row("Spine", "Hips", [0.0, 59.5, -6.0], [0.0, 60.0, 12.0]),
        Row("Chest", "Spine", [0.0, 60.0, 12.0], [0.0, 69.0, 36.0]),
        Row("Neck_1", "Chest", [0.0, 69.0, 36.0], [0.0, 83.0, 45.0]),
        Row("Neck_2", "Neck_1", [0.0, 83.0, 45.0], [0.0, 97.0, 50.0]),
        Row("Neck_3", "Neck_2", [0.0, 97.0, 50.0], [0.0, 110.0, 57.0]),
        Row("Head", "Neck_3", [0.0, 110.0, 57.0], [0.0, 105.0, 90.0]),
        Row("Jaw", "Head", [0.0, 106.5, 62.0], [0.0, 96.0, 86.0]),
    ]),
    Pair(&[Row("Eye", "Head", [5.0, 112.5, 68.0], [9.0, 113.5, 70.0])]),
    Pair(&[
        Row("Wing_Arm", "Chest", [9.0, 70.0, 21.0], [34.0, 99.0, 4.0]),
        Row("Wing_Fore", "Wing_Arm", [34.0, 99.0, 4.0], [52.0, 126.0, 22.0]),
        Row("Wing_Finger_1", "Wing_Fore", [52.0, 126.0, 22.0], [108.0, 119.0, -14.0]),
        Row("Wing_Finger_2", "Wing_Fore", [52.0, 126.0, 22.0], [91.0, 89.0, -52.0]),
        Row("Wing_Finger_3", "Wing_Fore", [52.0, 126.0, 22.0], [56.0, 70.0, -66.0]),
    ]),
    Pair(&[
        Row("Front_Upper", "Chest", [12.0, 60.0, 26.0], [18.0, 35.0, 17.0]),
        Row("Front_Lower", "Front_Upper", [18.0, 35.0, 17.0], [17.5, 11.0, 25.0]),
        Row("Front_Foot", "Front_Lower", [17.5, 11.0, 25.0], [17.5, 2.5, 35.0]),
    ]),
    Pair(&[
        Row("Hind_Upper", "Hips", [11.0, 58.0, -26.0], [19.0, 37.5, -16.5]),
        Row("Hind_Lower", "Hind_Upper", [19.0, 37.5, -16.5], [18.0, 18.5, -32.5]),
        Row("Hind_Foot", "Hind_Lower", [18.0, 18.5, -32.5], [18.0, 4.0, -29.0]),
        Row("Hind_Toes", "Hind_Foot", [18.0, 4.0, -29.0], [18.0, 2.0, -17.0]),
    ]),
    Middle(&[
        Row("Tail_1", "Hips", [0.0, 55.0, -38.0], [0.0, 47.0, -55.0]),
        Row("Tail_2", "Tail_1", [0.0, 47.0, -55.0], [0.0, 39.0, -71.0]),
        Row("Tail_3", "Tail_2", [0.0, 39.0, -71.0], [0.0, 36.0, -86.0]),
        Row("Tail_4", "Tail_3", [0.0, 36.0, -86.0], [0.0, 40.0, -100.0]),
        Row("Tail_5", "Tail_4", [0.0, 40.0, -100.0], [0.0, 50.0, -113.0]),
    ]),
];

/// A bone at rest.
#[derive(Clone, Debug)]
pub(super) struct Bone {
    pub(super) name: String,
    pub(super) parent: Option<usize>,
    pub(super) at: Vector,
    pub(super) end: Vector,
    /// How it is turned: x, y, z, w of a unit quaternion. As in the game, −X runs along the bone, and +X on the
    /// right side, which is the mirror image of the left one.
    pub(super) rotation: [f32; 4],
    /// The same bone on the other side.
    pub(super) twin: usize,
}

/// All bones, in the order of their records.
#[derive(Clone, Debug)]
pub(super) struct Bones(pub(super) Vec<Bone>);

impl Bones {
    pub(super) fn new() -> Self {
        let mut bones = Self(Vec::new());
        for limb in LIMBS {
            match limb {
                Middle(rows) => rows.iter().for_each(|row| bones.push(row, "", false)),
                Pair(rows) => {
                    rows.iter().for_each(|row| bones.push(row, "L_", true));
                    rows.iter().for_each(|row| bones.push(row, "R_", false));
                }
            }
        }
        let twin = |bone: &Bone| match bone.name.split_at_checked(2) {
            Some(("L_", rest)) => bones.find(&format!("R_{rest}")),
            Some(("R_", rest)) => bones.find(&format!("L_{rest}")),
            _ => bones.find(&bone.name),
        };
        let twins: Vec<_> = bones.0.iter().map(|bone| twin(bone).unwrap_or(0)).collect();
        bones.0.iter_mut().zip(twins).for_each(|(bone, twin)| bone.twin = twin);
        bones
    }

    fn push(&mut self, Row(name, parent, at, end): &Row, side: &str, is_left: bool) {
        let parent = self.find(&format!("{side}{parent}")).or_else(|| self.find(parent));
        let along = unit(sub(*end, *at));
        // A bone on the right is turned as the mirror image of the one on the left.
        let [x, y, z, w] =
            rotation(if side.is_empty() { scale(along, -1.0) } else { scale(mirrored(along), -1.0) });
        let is_right = !side.is_empty() && !is_left;
        self.0.push(Bone {
            name: format!("{side}{name}"),
            parent,
            at: if is_left { mirrored(*at) } else { *at },
            end: if is_left { mirrored(*end) } else { *end },
            rotation: if is_right { [x, -y, -z, w] } else { [x, y, z, w] },
            twin: 0,
        });
    }

    /// The bone with a name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|bone| bone.name == name)
    }

    /// The bones with these names.
    pub(super) fn named(&self, names: &[&str]) -> Vec<usize> {
        names.iter().filter_map(|name| self.find(name)).collect()
    }

    /// The bones of trunk, neck, tail and legs. All that meets there hangs on the same ones.
    pub(super) fn flesh(&self) -> Vec<usize> {
        const OTHERS: [&str; 4] = ["Root", "Jaw", "Eye", "Wing"];
        let is_flesh = |bone: &Bone| !OTHERS.iter().any(|other| bone.name.contains(other));
        self.0.iter().enumerate().filter(|(_, bone)| is_flesh(bone)).map(|(at, _)| at).collect()
    }

    /// All of one bone.
    pub(super) fn only(&self, name: &str) -> Influences {
        Influences([(self.find(name).unwrap_or(0), 1.0), (0, 0.0), (0, 0.0), (0, 0.0)])
    }

    /// How much each of some bones moves a place: the nearer, the more.
    pub(super) fn near(&self, some: &[usize], at: Vector) -> Influences {
        let mut weights: Vec<(usize, f32)> = some
            .iter()
            .filter_map(|&bone| {
                let own = self.0.get(bone)?;
                let distance = length(sub(at, nearest(own.at, own.end, at))).max(0.5);
                let square = distance * distance / 100.0;
                Some((bone, 1.0 / (square * square * square)))
            })
            .collect();
        weights.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut four = [(0, 0.0); 4];
        four.iter_mut().zip(weights).for_each(|(slot, weight)| *slot = weight);
        let all: f32 = four.iter().map(|(_, weight)| weight).sum();
        Influences(four.map(|(bone, weight)| (bone, weight / all.max(1e-20))))
    }
}

/// The bones that move a vertex, and how much; the most first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Influences(pub(super) [(usize, f32); 4]);

impl Influences {
    pub(super) fn mirrored(self, bones: &Bones) -> Self {
        Self(self.0.map(|(bone, weight)| (bones.0.get(bone).map_or(bone, |bone| bone.twin), weight)))
    }

    /// The weights in parts of 255, which they add up to.
    pub(super) fn bytes(self) -> [(usize, u8); 4] {
        let mut bytes = self.0.map(|(bone, weight)| (bone, byte(weight)));
        let rest: u8 = bytes.iter().skip(1).map(|(_, weight)| *weight).fold(0, u8::saturating_add);
        bytes[0].1 = 255 - rest;
        bytes
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255.5 by its callers")]
fn byte(weight: f32) -> u8 {
    (weight.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

fn nearest(from: Vector, to: Vector, at: Vector) -> Vector {
    let along = sub(to, from);
    let part = (dot(sub(at, from), along) / dot(along, along).max(1e-6)).clamp(0.0, 1.0);
    add(from, scale(along, part))
}

/// The rotation that turns X into a direction and keeps Z as level as it can.
fn rotation(x: Vector) -> [f32; 4] {
    let side = if x[0].abs() > 0.9 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
    let z = square_to(side, x);
    let y = cross(z, x);
    // The largest part first, so that nothing small is divided by.
    let trace = x[0] + y[1] + z[2];
    let parts = [
        [1.0 + x[0] - y[1] - z[2], x[1] + y[0], x[2] + z[0], y[2] - z[1]],
        [x[1] + y[0], 1.0 - x[0] + y[1] - z[2], y[2] + z[1], z[0] - x[2]],
        [x[2] + z[0], y[2] + z[1], 1.0 - x[0] - y[1] + z[2], x[1] - y[0]],
        [y[2] - z[1], z[0] - x[2], x[1] - y[0], 1.0 + trace],
    ];
    let square = |part: &[f32; 4]| part.iter().map(|value| value * value).sum::<f32>();
    let longest =
        parts.into_iter().max_by(|a, b| square(a).total_cmp(&square(b))).unwrap_or([0.0, 0.0, 0.0, 1.0]);
    longest.map(|value| value / square(&longest).sqrt())
}
