//! Reading skeletons.

use bytes::Bytes;

use super::{
    BONE_SIZE, BoneRow, Bounds, CLOSING_MARK, CLOTH_MARK, CLOTHS_MARK, END_MARK, FLAGS_MARK, FlagRow,
    HEADER_SIZE, Header, LodRow, MaskRow, NAMES_MARK, NUMBERS_MARK, NameRow, NumberRow, PHYSICS_MARK,
    STRINGS_MARK, SocketRow, VERSION,
};
use crate::asset::{Bone, Cloth, FARTHEST, Library, Mask, Part, PartLod, Skeleton, Socket};
use crate::error::Result;
use crate::hash::string_hash;
use crate::parse::{Offset, Reader, Record as _};
use crate::path::to_text;

/// How far the square of the length of a quaternion may be from one.
const CLOSE: f32 = 1e-3;

/// The texts that names are offsets into.
#[derive(Clone, Copy)]
struct Strings<'a>(&'a [u8]);

/// Bytes of the longest name; many bones may have the same one, and each has it for itself.
const LONGEST_NAME: usize = 1024;

impl Strings<'_> {
    /// The text at an offset.
    fn get(self, r: &Reader<'_>, offset: Offset<u32>) -> Result<String> {
        let start = usize::try_from(offset.0).unwrap_or(usize::MAX);
        let text = self.0.get(start..).filter(|text| !text.is_empty() || offset.0 == 0);
        let text = text.and_then(|text| text.split(|byte| *byte == 0).next());
        let outside = || format!("a name at {:#X} of {:#X} bytes of strings", offset.0, self.0.len());
        let text = text.ok_or_else(|| r.malformed(outside()))?;
        if text.len() > LONGEST_NAME {
            let text = format!("a name of {} bytes, at most {LONGEST_NAME} are read", text.len());
            return Err(r.malformed(text));
        }
        Ok(to_text(text).into_owned())
    }
}

pub(super) fn read(r: &mut Reader<'_>) -> Result<Skeleton> {
    r.magic("magic", &[b"SKEL"])?;
    let header_at = r.pos();
    let header = read_header(r)?;
    let Bounds { radius, lower, upper } = r.record("bounds")?;
    let lods = r.list("parts", header.part_count.into(), 4, |r, at| r.group(at, read_lods))?;
    r.mark("mark", STRINGS_MARK)?;
    let strings = Strings(r.cstrs("strings", header.string_bytes.into())?);
    let bones = read_bones(r, header.bone_count, strings)?;
    let masks = r.group("masks", |r| read_masks(r, strings))?;
    let sockets = r.group("sockets", |r| read_sockets(r, strings, bones.len()))?;
    let Header { socket_count, .. } = header;
    if sockets.len() as u64 != u64::from(socket_count) {
        let text = format!("{socket_count}, expected {}", sockets.len());
        r.warn_in::<Header>(("header", header_at), "socket_count", text);
    }
    r.mark("mark", NAMES_MARK)?;
    let libraries = names(r, "libraries", header.library_count, strings)?;
    let parts = names(r, "part_names", header.part_count, strings)?;
    r.mark("mark", FLAGS_MARK)?;
    let flags = r.table::<FlagRow>("library_flags", header.library_count.into(), None)?;
    r.mark("mark", NUMBERS_MARK)?;
    let numbers = r.table::<NumberRow>("bone_numbers", header.bone_count.into(), None)?;
    let cloths = r.group("cloths", |r| read_cloths(r, strings))?;
    let physics = r.group("tail", read_tail)?;
    Ok(Skeleton {
        bones,
        masks,
        sockets,
        parts: parts.into_iter().zip(lods).map(|(name, lods)| Part { name, lods }).collect(),
        animations: libraries
            .into_iter()
            .zip(flags.iter())
            .map(|(path, row)| Library { path, flag: row.flag })
            .collect(),
        radius,
        lower,
        upper,
        cloths,
        numbers: numbers.iter().map(|row| row.number).collect(),
        physics,
        unknown: header.unknown_28,
    })
}

fn read_header(r: &mut Reader<'_>) -> Result<Header> {
    let start = r.pos();
    let header: Header = r.record("header")?;
    if header.version != VERSION {
        return Err(r.unsupported(format!("version {}, expected {VERSION}", header.version)));
    }
    let Header { bone_count, library_count, part_count, .. } = header;
    for (field, stated, wanted) in [
        ("own_size", header.own_size, Some(HEADER_SIZE)),
        ("name_count", header.name_count, library_count.checked_add(part_count)),
        ("bone_bytes", header.bone_bytes, bone_count.checked_mul(BONE_SIZE)),
        ("bone_count_again", header.bone_count_again, Some(bone_count)),
    ] {
        if Some(stated) != wanted {
            let wanted = wanted.map_or_else(|| "more than a word".to_owned(), |wanted| wanted.to_string());
            let text = format!("{stated}, expected {wanted}");
            r.warn_in::<Header>(("header", start), field, text);
        }
    }
    Ok(header)
}

fn read_lods(r: &mut Reader<'_>) -> Result<Vec<PartLod>> {
    let count = r.u32("lod_count")?;
    let rows = r.table::<LodRow>("lods", count.into(), None)?;
    let lod = |row: LodRow| PartLod {
        casts_shadow: row.casts_shadow != 0,
        is_visible: row.is_visible != 0,
        distance: row.distance,
        material: row.material,
        cloth: u32::try_from(row.cloth).ok(),
    };
    Ok(rows.iter().map(lod).collect())
}

/// Reads the bones. Each says how many hang on it, and those follow it.
fn read_bones(r: &mut Reader<'_>, count: u32, strings: Strings<'_>) -> Result<Vec<Bone>> {
    let rows = r.table::<BoneRow>("bones", count.into(), None)?;
    let mut bones: Vec<Bone> = Vec::new();
    // Bones on which some are still to come, the innermost last.
    let mut open: Vec<(u32, u32)> = Vec::new();
    for (at, row) in (0u32..).zip(rows.iter()) {
        r.check()?;
        while open.last().is_some_and(|(_, left)| *left == 0) {
            open.pop();
        }
        let parent = open.last_mut().map(|(parent, left)| {
            *left -= 1;
            *parent
        });
        let BoneRow { name, deforms, position, rotation, child_count } = row;
        open.push((at, child_count));
        let square = rotation.iter().map(|value| value * value).sum::<f32>();
        if (square - 1.0).abs() > CLOSE || !square.is_finite() {
            let text = || format!("a rotation of the length {}", square.sqrt());
            r.warn_row(("bones", rows), at as usize, "rotation", text);
        }
        if !position.iter().all(|value| value.abs() <= FARTHEST) {
            r.warn_row(("bones", rows), at as usize, "position", || "no place".to_owned());
        }
        let name = strings.get(r, name)?;
        bones.push(Bone {
            hash: string_hash(name.as_bytes()),
            name,
            parent,
            children: child_count,
            position,
            rotation,
            scale: 1.0,
            deforms: deforms != 0,
        });
    }
    for (at, missing) in open.into_iter().filter(|(_, left)| *left > 0) {
        let text = || format!("{missing} of the bones that are to hang on it do not follow");
        r.warn_row(("bones", rows), at as usize, "child_count", text);
    }
    Ok(bones)
}

fn read_masks(r: &mut Reader<'_>, strings: Strings<'_>) -> Result<Vec<Mask>> {
    let count = r.u32("count")?;
    r.list("masks", count.into(), MaskRow::LAYOUT.size as u64, |r, at| {
        r.group(at, |r| {
            let MaskRow { name, bone_count, control_count } = r.record("mask")?;
            let name = strings.get(r, name)?;
            let bones = r.table::<NumberRow>("bones", bone_count.into(), None)?;
            Ok(Mask { name, controls: control_count, bones: bones.iter().map(|row| row.number).collect() })
        })
    })
}

fn read_sockets(r: &mut Reader<'_>, strings: Strings<'_>, bones: usize) -> Result<Vec<Socket>> {
    let count = r.u32("count")?;
    let rows = r.table::<SocketRow>("sockets", count.into(), None)?;
    for (at, row) in rows.iter().enumerate() {
        let square: f32 = row.rotation.iter().map(|value| value * value).sum();
        for (field, is_there) in [
            ("bone", (row.bone as usize) < bones),
            ("rotation", square.is_normal()),
            ("position", row.position.iter().all(|value| value.abs() <= FARTHEST)),
        ] {
            if !is_there {
                r.warn_row(("sockets", rows), at, field, || format!("no {field}"));
            }
        }
    }
    let socket = |row: SocketRow| {
        let SocketRow { bone, name, rotation, position, scale } = row;
        Ok(Socket { bone, name: strings.get(r, name)?, rotation, position, scale })
    };
    rows.iter().map(socket).collect()
}

fn names(r: &mut Reader<'_>, field: &'static str, count: u32, strings: Strings<'_>) -> Result<Vec<String>> {
    let rows = r.table::<NameRow>(field, count.into(), None)?;
    rows.iter().map(|row| strings.get(r, row.name)).collect()
}

fn read_cloths(r: &mut Reader<'_>, strings: Strings<'_>) -> Result<Vec<Cloth>> {
    r.mark("mark", CLOTHS_MARK)?;
    let count = r.u32("count")?;
    let names = names(r, "names", count, strings)?;
    let mut names = names.into_iter();
    let cloths = r.list("cloths", count.into(), 8, |r, at| {
        r.group(at, |r| {
            r.mark("mark", CLOTH_MARK)?;
            let size = r.u32("size")?;
            Ok(Cloth { name: names.next().unwrap_or_default(), data: r.bytes("data", size.into())? })
        })
    })?;
    r.mark("mark", CLOSING_MARK)?;
    Ok(cloths)
}

/// Reads what closes the file; the data of the physics.
fn read_tail(r: &mut Reader<'_>) -> Result<Bytes> {
    r.mark("mark", END_MARK)?;
    let count = r.u32("count")?;
    if count != 0 {
        return Err(r.unsupported(format!("{count} of something that no file has had")));
    }
    r.mark("mark", CLOSING_MARK)?;
    r.mark("mark", PHYSICS_MARK)?;
    r.magic("magic", &[b"SKPY"])?;
    r.u32("version")?;
    let left = r.left();
    r.bytes("physics", left)
}
