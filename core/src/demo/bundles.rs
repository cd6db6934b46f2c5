//! The bundles of the demo install: each case that a real install has, and a damaged one.

use super::content::Data;
use crate::error::Result;
use crate::formats::{bndl, embb};

/// A member of a bundle.
pub(super) struct Part {
    pub(super) path: &'static str,
    pub(super) data: Data,
}

const fn part(path: &'static str, data: Data) -> Part {
    Part { path, data }
}

const PRESENTATION: &str = "Bundles/Types/Presentation";
const WORLD_QUEST: &str = "Bundles/Types/WorldQuest";

/// What a manifest says: its type and its members.
pub(super) struct Listing {
    kind: &'static str,
    parts: &'static [Part],
    /// Members that it names beyond those, with the sizes that it states.
    beyond: &'static [(&'static str, u32)],
}

/// A bundle of materials and scripts whose two sides mirror each other.
pub(super) const CAMP: &[Part] = &[
    part("prefabs\\camp\\tent.mat", Data::Text("shader=cloth\r\ndiffuse=tent_d\r\n")),
    part("prefabs\\camp\\campfire.mat", Data::Text("shader=fire\r\n")),
    part("prefabs\\camp\\camp.objres", Data::Unknown(b"OBJR", 5000)),
];
pub(super) const CAMP_LIST: Listing = Listing { kind: PRESENTATION, parts: CAMP, beyond: &[] };

/// A bundle that a patch updates: the newer manifest names more, and one member ships as a file.
pub(super) const KEEP: &[Part] = &[
    part("worlds\\retail\\keep\\keep.objres", Data::Unknown(b"OBJR", 9000)),
    part("worlds\\retail\\keep\\gate.mat", Data::Text("shader=wood\r\n")),
    part("worlds\\retail\\keep\\gate.anix", Data::Unknown(b"ANIX", 1200)),
];
pub(super) const KEEP_LIST: Listing = Listing { kind: WORLD_QUEST, parts: KEEP, beyond: &[] };
/// The file that a patch ships beside the newer manifest.
pub(super) const NEW_GATE: Data = Data::Text("shader=wood\r\nwet=1\r\n");
pub(super) const KEEP_NEWER: Listing = Listing {
    kind: WORLD_QUEST,
    parts: &[
        part("worlds\\retail\\keep\\keep.objres", Data::Unknown(b"OBJR", 9000)),
        part("worlds\\retail\\keep\\gate.mat", NEW_GATE),
        part("worlds\\retail\\keep\\gate.anix", Data::Unknown(b"ANIX", 1200)),
    ],
    beyond: &[("characters\\guard\\guard_01.mat", 38), ("worlds\\retail\\keep\\bridge.cres", 700)],
};

/// A bundle whose member ships as a file below its container as well.
pub(super) const RIDER: &[Part] = &[
    part("characters\\rider\\rider.mat", Data::Text("shader=skin\r\nscars=3\r\n")),
    part("characters\\rider\\rider_walk.anix", Data::Unknown(b"ANIX", 2000)),
];
pub(super) const RIDER_LIST: Listing = Listing { kind: PRESENTATION, parts: RIDER, beyond: &[] };

/// A bundle without a container: its member is a file.
pub(super) const DATABASE_LIST: Listing = Listing {
    kind: "Bundles/Types/GlobalDatabase",
    parts: &[],
    beyond: &[("database\\game\\game.gamedb", 600_000)],
};

pub(super) const EMPTY_LIST: Listing = Listing { kind: "", parts: &[], beyond: &[] };

impl Listing {
    /// The bytes of the manifest.
    pub(super) fn manifest(&self) -> Result<Vec<u8>> {
        let word = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
        let mut members = Vec::new();
        for Part { path, data } in self.parts {
            members.push((*path, word(data.bytes(path)?.len())));
        }
        members.extend_from_slice(self.beyond);
        Ok(bndl::write(self.kind, &members))
    }
}

/// The bytes of a container.
pub(super) fn container(parts: &[Part]) -> Result<Vec<u8>> {
    let data: Vec<_> = parts.iter().map(|part| part.data.bytes(part.path)).collect::<Result<_>>()?;
    let members: Vec<_> = parts.iter().zip(&data).map(|(part, data)| (part.path, data.as_slice())).collect();
    Ok(embb::write(&members))
}

/// The bytes of a container whose last size word asks for more than there is.
pub(super) fn overrunning(parts: &[Part]) -> Result<Vec<u8>> {
    let mut bytes = container(parts)?;
    if let Some(last) = parts.last() {
        let data = last.data.bytes(last.path)?;
        let at = bytes.len() - data.len() - size_of::<u32>();
        if let Some(word) = bytes.get_mut(at + 1) {
            *word = 0x7F;
        }
    }
    Ok(bytes)
}
