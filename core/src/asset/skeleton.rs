//! Skeletons: bones, and what hangs on them.

use bytes::Bytes;

/// How far away a place may be, in centimetres: 100 km. What is farther is taken for no place, as is what is no
/// number: the transforms of a card add up to nothing there.
pub(crate) const FARTHEST: f32 = 1e7;

/// A skeleton as one file carries it.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    /// The bones, parents first, in the space of the model.
    pub bones: Vec<Bone>,
    /// Sets of bones.
    pub masks: Vec<Mask>,
    /// Places that things are fixed to.
    pub sockets: Vec<Socket>,
    /// The parts of its mesh, each with its levels of detail.
    pub parts: Vec<Part>,
    /// Libraries of animations.
    pub animations: Vec<Library>,
    /// The radius around everything, and the corners of a box, as the file states them.
    pub radius: f32,
    /// See `radius`.
    pub lower: [f32; 3],
    /// See `radius`.
    pub upper: [f32; 3],
    /// Pieces of cloth.
    pub cloths: Vec<Cloth>,
    /// A byte for each bone, its own number in all files that were seen.
    pub numbers: Vec<u8>,
    /// What follows the mark of the physics.
    pub physics: Bytes,
    /// Six words of the header that nobody has explained.
    pub unknown: [u32; 6],
}

/// A library of animations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// The path of its file.
    pub path: String,
    /// 0 for a character, 1 for what is seen in a film.
    pub flag: u32,
}

/// A piece of cloth, whose data is that of a library nobody here reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cloth {
    /// Its name, the path of the file that it was made from.
    pub name: String,
    /// The data.
    pub data: Bytes,
}

/// A bone at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// The hash of its name.
    pub hash: u32,
    /// Its name, where the file has names.
    pub name: String,
    /// The bone that it hangs on, by its number.
    pub parent: Option<u32>,
    /// How many bones hang on it.
    pub children: u32,
    /// Where it is, in the space of the model.
    pub position: [f32; 3],
    /// How it is turned there: x, y, z, w of a unit quaternion.
    pub rotation: [f32; 4],
    /// How much larger everything on it is.
    pub scale: f32,
    /// Whether it moves vertices; true where the file does not say.
    pub deforms: bool,
}

impl Bone {
    /// What of its transform is none: a place that is nowhere, a rotation or a scale of nothing.
    pub fn faults(&self) -> impl Iterator<Item = &'static str> {
        let square: f32 = self.rotation.iter().map(|value| value * value).sum();
        let is_there = self.position.iter().all(|value| value.abs() <= FARTHEST);
        [(!is_there, "position"), (!square.is_normal(), "rotation"), (!self.scale.is_normal(), "scale")]
            .into_iter()
            .filter_map(|(is_none, field)| is_none.then_some(field))
    }
}

/// A set of bones, with a weight for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    /// Its name.
    pub name: String,
    /// How many controls it has, whatever those are.
    pub controls: u32,
    /// A number for each bone.
    pub bones: Vec<u8>,
}

/// A place that things are fixed to.
#[derive(Clone, Debug, PartialEq)]
pub struct Socket {
    /// The bone, by its number.
    pub bone: u32,
    /// Its name.
    pub name: String,
    /// How it is turned: x, y, z, w of a unit quaternion.
    pub rotation: [f32; 4],
    /// Where it is.
    pub position: [f32; 3],
    /// How much larger everything there is.
    pub scale: f32,
}

/// A part of the mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its levels of detail, finest first.
    pub lods: Vec<PartLod>,
}

/// A level of detail of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartLod {
    /// Whether it casts a shadow.
    pub casts_shadow: bool,
    /// Whether it is seen.
    pub is_visible: bool,
    /// The distance from which on it is used.
    pub distance: f32,
    /// The slot of its material.
    pub material: u32,
    /// The piece of cloth that it is.
    pub cloth: Option<u32>,
}

/// The bones in the order of their names, by their numbers: the roots, then, for a bone, all that hang on it
/// in their order, then the same for each of those.
///
/// Palettes of meshes count in this order. Source: the notes on three shipped skeletons, whose names lie so.
pub fn name_order(bones: &[Bone]) -> Vec<u32> {
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); bones.len()];
    let mut roots = Vec::new();
    for (at, bone) in (0u32..).zip(bones) {
        // A bone that hangs on a later one, or on none that is there, is a root.
        let parent = bone.parent.filter(|parent| *parent < at);
        match parent.and_then(|parent| children.get_mut(parent as usize)) {
            Some(own) => own.push(at),
            None => roots.push(at),
        }
    }
    let mut order = roots.clone();
    // The next one is the last one; what hangs on a bone is done before its neighbours.
    let mut left: Vec<u32> = roots.into_iter().rev().collect();
    while let Some(bone) = left.pop() {
        let own = children.get(bone as usize).map(Vec::as_slice).unwrap_or_default();
        order.extend(own);
        left.extend(own.iter().rev());
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bone(parent: Option<u32>) -> Bone {
        Bone {
            hash: 0,
            name: String::new(),
            parent,
            children: 0,
            position: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            scale: 1.0,
            deforms: true,
        }
    }

    #[test]
    fn children_follow_each_other_in_the_order_of_names() {
        // 0 ┬ 1 ┬ 2 ─ 3
        //   │   └ 4
        //   └ 5 ─ 6
        let parents = [None, Some(0), Some(1), Some(2), Some(1), Some(0), Some(5)];
        assert_eq!(name_order(&parents.map(bone)), [0, 1, 5, 2, 4, 3, 6]);
    }

    #[test]
    fn bones_that_hang_on_nothing_are_roots() {
        let parents = [None, Some(9), Some(2), Some(3), None];
        assert_eq!(name_order(&parents.map(bone)), [0, 1, 2, 3, 4]);
        assert!(name_order(&[]).is_empty());
    }
}
