//! What is said of a skeleton in a few words.

use super::VERSION;
use crate::asset::{Bone, Mask, Part, PartLod, Skeleton, Socket, name_order};
use crate::parse::{Fact, Facts, Reader};

pub(super) fn state(r: &mut Reader<'_>, skeleton: &Skeleton) {
    r.fact("version", || VERSION);
    r.fact("bones", || skeleton.bones.iter().map(bone).collect::<Vec<_>>());
    r.fact("name_order", || name_order(&skeleton.bones).into_iter().map(Fact::from).collect::<Vec<_>>());
    r.fact("masks", || skeleton.masks.iter().map(mask).collect::<Vec<_>>());
    r.fact("sockets", || skeleton.sockets.iter().map(socket).collect::<Vec<_>>());
    r.fact("parts", || skeleton.parts.iter().map(part).collect::<Vec<_>>());
    r.fact("libraries", || {
        skeleton.animations.iter().map(|library| Fact::from(library.path.as_str())).collect::<Vec<_>>()
    });
}

fn reals(values: &[f32]) -> Fact {
    values.iter().map(|value| Fact::from(*value)).collect::<Vec<_>>().into()
}

fn bone(bone: &Bone) -> Fact {
    let facts: Facts = vec![
        ("name", bone.name.as_str().into()),
        ("hash", format!("0x{:08X}", bone.hash).into()),
        ("parent", bone.parent.map_or(-1, i64::from).into()),
        ("position", reals(&bone.position)),
        ("rotation", reals(&bone.rotation)),
    ];
    facts.into()
}

fn mask(mask: &Mask) -> Fact {
    let facts: Facts = vec![
        ("name", mask.name.as_str().into()),
        ("bones", (mask.bones.len() as u64).into()),
        ("controls", mask.controls.into()),
    ];
    facts.into()
}

fn socket(socket: &Socket) -> Fact {
    let facts: Facts = vec![
        ("name", socket.name.as_str().into()),
        ("bone", socket.bone.into()),
        ("position", reals(&socket.position)),
        ("rotation", reals(&socket.rotation)),
    ];
    facts.into()
}

fn part(part: &Part) -> Fact {
    let lod = |lod: &PartLod| {
        let facts: Facts = vec![
            ("distance", lod.distance.into()),
            ("material", lod.material.into()),
            ("visible", lod.is_visible.into()),
            ("shadow", lod.casts_shadow.into()),
        ];
        Fact::from(facts)
    };
    let lods: Vec<Fact> = part.lods.iter().map(lod).collect();
    let facts: Facts = vec![("name", part.name.as_str().into()), ("lods", lods.into())];
    facts.into()
}
