//! Writing skeletons as the shipped ones are written.

use std::collections::HashMap;

use super::{
    BONE_SIZE, BoneRow, Bounds, CLOSING_MARK, CLOTH_MARK, CLOTHS_MARK, END_MARK, FLAGS_MARK, HEADER_SIZE,
    Header, LodRow, MaskRow, NAMES_MARK, NUMBERS_MARK, PHYSICS_MARK, STRINGS_MARK, SocketRow, VERSION,
};
use crate::asset::{Bone, Cloth, Library, Mask, Part, PartLod, Skeleton, Socket, name_order};
use crate::error::{Error, Result};
use crate::hash::string_hash;
use crate::parse::{Hash, Offset, Writer};

/// The version of the physics.
const PHYSICS_VERSION: u32 = 1;

/// Texts that each stand once, the empty one first.
struct Strings {
    bytes: Vec<u8>,
    known: HashMap<String, u32>,
}

impl Strings {
    /// The texts of a skeleton: the bones by the order of names, then masks, sockets, libraries, parts and cloth.
    fn of(skeleton: &Skeleton) -> Result<Self> {
        let mut strings = Self { bytes: vec![0], known: HashMap::from([(String::new(), 0)]) };
        let bones = name_order(&skeleton.bones);
        let bones = bones.iter().filter_map(|bone| skeleton.bones.get(*bone as usize));
        let all = bones
            .map(|bone| &bone.name)
            .chain(skeleton.masks.iter().map(|mask| &mask.name))
            .chain(skeleton.sockets.iter().map(|socket| &socket.name))
            .chain(skeleton.animations.iter().map(|library| &library.path))
            .chain(skeleton.parts.iter().map(|part| &part.name))
            .chain(skeleton.cloths.iter().map(|cloth| &cloth.name));
        for text in all {
            if !strings.known.contains_key(text) {
                strings.known.insert(text.clone(), number(strings.bytes.len())?);
                strings.bytes.extend(text.bytes().chain([0]));
            }
        }
        Ok(strings)
    }

    fn offset(&self, text: &str) -> Offset<u32> {
        Offset(self.known.get(text).copied().unwrap_or(0))
    }
}

/// Writes a skeleton.
///
/// # Errors
/// `Limit` when a count or a size does not fit its field.
pub fn write(skeleton: &Skeleton) -> Result<Vec<u8>> {
    let strings = Strings::of(skeleton)?;
    let mut w = Writer::new();
    w.bytes(b"SKEL").record(&header(skeleton, &strings)?);
    let Skeleton { radius, lower, upper, .. } = *skeleton;
    w.record(&Bounds { radius, lower, upper });
    for part in &skeleton.parts {
        w.value(number(part.lods.len())?);
        for lod in &part.lods {
            w.record(&lod_row(lod));
        }
    }
    w.value(Hash(STRINGS_MARK)).bytes(&strings.bytes);
    for bone in &skeleton.bones {
        let Bone { ref name, deforms, position, rotation, children, .. } = *bone;
        let (name, deforms) = (strings.offset(name), u8::from(deforms));
        w.record(&BoneRow { name, deforms, position, rotation, child_count: children });
    }
    write_masks_and_sockets(&mut w, skeleton, &strings)?;
    w.value(Hash(NAMES_MARK));
    for library in &skeleton.animations {
        w.value(strings.offset(&library.path));
    }
    for part in &skeleton.parts {
        w.value(strings.offset(&part.name));
    }
    w.value(Hash(FLAGS_MARK));
    for library in &skeleton.animations {
        w.value(library.flag);
    }
    w.value(Hash(NUMBERS_MARK)).bytes(&skeleton.numbers);
    write_cloths(&mut w, skeleton, &strings)?;
    w.value(Hash(END_MARK)).value(0u32).value(Hash(CLOSING_MARK));
    w.value(Hash(PHYSICS_MARK)).bytes(b"SKPY").value(PHYSICS_VERSION).bytes(&skeleton.physics);
    Ok(w.finish())
}

fn header(skeleton: &Skeleton, strings: &Strings) -> Result<Header> {
    let bone_count = number(skeleton.bones.len())?;
    let (library_count, part_count) = (number(skeleton.animations.len())?, number(skeleton.parts.len())?);
    Ok(Header {
        version: VERSION,
        own_size: HEADER_SIZE,
        string_bytes: number(strings.bytes.len())?,
        name_count: library_count.saturating_add(part_count),
        bone_count,
        bone_bytes: bone_count.saturating_mul(BONE_SIZE),
        library_count,
        part_count,
        socket_count: number(skeleton.sockets.len())?,
        bone_count_again: bone_count,
        unknown_28: skeleton.unknown,
    })
}

fn lod_row(lod: &PartLod) -> LodRow {
    LodRow {
        casts_shadow: u8::from(lod.casts_shadow),
        is_visible: u8::from(lod.is_visible),
        distance: lod.distance,
        material: lod.material,
        cloth: lod.cloth.map_or(-1, u32::cast_signed),
    }
}

fn write_masks_and_sockets(w: &mut Writer, skeleton: &Skeleton, strings: &Strings) -> Result<()> {
    w.value(number(skeleton.masks.len())?);
    for mask in &skeleton.masks {
        let (name, bone_count) = (strings.offset(&mask.name), number(mask.bones.len())?);
        w.record(&MaskRow { name, bone_count, control_count: mask.controls }).bytes(&mask.bones);
    }
    w.value(number(skeleton.sockets.len())?);
    for socket in &skeleton.sockets {
        let Socket { bone, ref name, rotation, position, scale } = *socket;
        w.record(&SocketRow { bone, name: strings.offset(name), rotation, position, scale });
    }
    Ok(())
}

fn write_cloths(w: &mut Writer, skeleton: &Skeleton, strings: &Strings) -> Result<()> {
    w.value(Hash(CLOTHS_MARK)).value(number(skeleton.cloths.len())?);
    for cloth in &skeleton.cloths {
        w.value(strings.offset(&cloth.name));
    }
    for cloth in &skeleton.cloths {
        w.value(Hash(CLOTH_MARK)).value(number(cloth.data.len())?).bytes(&cloth.data);
    }
    w.value(Hash(CLOSING_MARK));
    Ok(())
}

fn number(count: usize) -> Result<u32> {
    let too_large = || Error::limit(format!("{count} does not fit a SKEL field"));
    u32::try_from(count).ok().ok_or_else(too_large)
}

/// A root with a bone and its tip, and one of everything else.
pub(super) fn sample() -> Skeleton {
    let bone = |name: &str, parent, children, y| Bone {
        hash: string_hash(name.as_bytes()),
        name: name.to_owned(),
        parent,
        children,
        position: [0.0, y, 0.0],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: 1.0,
        deforms: parent.is_some(),
    };
    let lod = |distance, material, cloth| PartLod {
        casts_shadow: true,
        is_visible: distance < 1000.0,
        distance,
        material,
        cloth,
    };
    Skeleton {
        bones: vec![
            bone("Root", None, 2, 0.0),
            bone("Arm", Some(0), 0, 10.0),
            bone("Leg", Some(0), 0, -10.0),
        ],
        masks: vec![Mask { name: "Root".to_owned(), controls: 0, bones: vec![1, 0, 6] }],
        sockets: vec![Socket {
            bone: 1,
            name: "Hand".to_owned(),
            rotation: [0.0, 0.0, 0.0, 1.0],
            position: [0.0, 12.0, 0.0],
            scale: 1.0,
        }],
        parts: vec![Part {
            name: "Body".to_owned(),
            lods: vec![lod(0.0, 1, Some(0)), lod(20_000.0, 0, None)],
        }],
        animations: vec![Library { path: "characters\\sample.anix".to_owned(), flag: 0 }],
        radius: 400.0,
        lower: [-40.0, -104.0, -40.0],
        upper: [40.0, 104.0, 40.0],
        cloths: vec![Cloth { name: "sample.cloth06".to_owned(), data: b"TAG0".as_slice().into() }],
        numbers: vec![0, 1, 2],
        physics: vec![0; 12].into(),
        unknown: [0, 0, 0, 0, u32::MAX, 0],
    }
}
