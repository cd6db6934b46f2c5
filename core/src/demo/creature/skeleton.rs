//! The skeleton that goes with the mesh.

use super::bones::Bones;
use super::objects::{OBJECTS, Object};
use super::vector::{Vector, add, cross, scale, sub};
use crate::asset::{self, Library, Mask, Part, PartLod, Skeleton, Socket};
use crate::error::Result;
use crate::formats::skel;
use crate::hash::string_hash;

/// The bones of the face, and how much of each belongs to it.
const FACE: [(&str, u8); 5] = [("Neck_3", 64), ("Head", 255), ("Jaw", 255), ("L_Eye", 255), ("R_Eye", 255)];

/// Bones that move no vertices.
const STILL: [&str; 1] = ["Root"];

/// The bones as records.
pub(super) fn records(bones: &Bones) -> Vec<asset::Bone> {
    let word = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let record = |(at, bone): (usize, &super::bones::Bone)| asset::Bone {
        hash: string_hash(bone.name.as_bytes()),
        name: bone.name.clone(),
        parent: bone.parent.map(word),
        children: word(bones.0.iter().filter(|other| other.parent == Some(at)).count()),
        position: bone.at,
        rotation: bone.rotation,
        scale: 1.0,
        deforms: !STILL.contains(&bone.name.as_str()),
    };
    bones.0.iter().enumerate().map(record).collect()
}

/// The bytes of the skeleton.
pub(in crate::demo) fn skeleton() -> Result<Vec<u8>> {
    let bones = Bones::new();
    let part = |object: &Object| {
        let lod = |(distance, level): &(f32, Option<usize>)| PartLod {
            casts_shadow: object.casts_shadow,
            is_visible: true,
            distance: *distance,
            material: if level.is_some() { object.material.cast_unsigned() } else { 0 },
            cloth: None,
        };
        Part { name: object.name.to_owned(), lods: object.levels.iter().map(lod).collect() }
    };
    let count = u8::try_from(bones.0.len()).unwrap_or(u8::MAX);
    skel::write(&Skeleton {
        masks: masks(&bones),
        sockets: sockets(&bones),
        parts: OBJECTS.iter().map(part).collect(),
        animations: vec![Library { path: "animation\\drake\\drake_idle.anix".to_owned(), flag: 0 }],
        bones: records(&bones),
        radius: 400.0,
        lower: [-40.0, -104.0, -40.0],
        upper: [40.0, 104.0, 40.0],
        cloths: Vec::new(),
        numbers: (0..count).collect(),
        physics: vec![0; 12].into(),
        unknown: [0, 0, 0, 0, u32::MAX, 0],
    })
}

fn masks(bones: &Bones) -> Vec<Mask> {
    let mask = |name: &str, number: &dyn Fn(&str) -> u8| Mask {
        name: name.to_owned(),
        controls: 0,
        bones: bones.0.iter().map(|bone| number(&bone.name)).collect(),
    };
    let of_face = |name: &str| FACE.iter().find(|(own, _)| *own == name).map_or(0, |(_, part)| *part);
    let of_wings = |name: &str| if name.contains("Wing") { 255 } else { 0 };
    vec![mask("Null", &|_| 6), mask("Facial", &of_face), mask("Wings", &of_wings)]
}

fn sockets(bones: &Bones) -> Vec<Socket> {
    let socket = |name: &str, bone: &str, offset: Vector| {
        let at = bones.find(bone).unwrap_or(0);
        let (half, rotation) = bones.0.get(at).map_or_else(
            || ([0.0; 3], [0.0, 0.0, 0.0, 1.0]),
            |bone| (scale(sub(bone.end, bone.at), 0.5), bone.rotation),
        );
        Socket {
            bone: u32::try_from(at).unwrap_or(0),
            name: name.to_owned(),
            // As the bone is turned, and in its space.
            rotation: [0.0, 0.0, 0.0, 1.0],
            position: into_bone(rotation, add(half, offset)),
            scale: 1.0,
        }
    };
    vec![socket("Mouth", "Jaw", [0.0, 3.0, 8.0]), socket("Saddle", "Spine", [0.0, 14.0, 0.0])]
}

/// A direction of the model in the space of a bone that is turned so.
fn into_bone([x, y, z, w]: [f32; 4], v: Vector) -> Vector {
    let axis = [-x, -y, -z];
    let across = scale(cross(axis, v), 2.0);
    add(v, add(scale(across, w), cross(axis, across)))
}
