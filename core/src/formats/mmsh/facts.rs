//! What is said of a mesh in a few words.

use super::VERSION;
use crate::asset::{Lod, Mesh};
use crate::parse::{Fact, Facts, Reader};

pub(super) fn state(r: &mut Reader<'_>, mesh: &Mesh) {
    r.fact("version", || VERSION);
    for (key, count) in [
        ("objects", mesh.objects.len()),
        ("records", mesh.records.len()),
        ("arenas", mesh.arenas.len()),
        ("groups", mesh.groups.len()),
        ("formats", mesh.formats.len()),
    ] {
        r.fact(key, || count as u64);
    }
    r.fact("vertices", || mesh.vertex_count());
    r.fact("triangles", || mesh.triangle_count());
    r.fact("bones", || mesh.bones.len() as u64);
    r.fact("cull_distance", || mesh.cull_distance);
    r.fact("sphere", || {
        let [x, y, z] = mesh.centre;
        [x, y, z, mesh.radius].map(Fact::from).to_vec()
    });
    r.fact("lods", || lods(mesh));
}

/// What is drawn from each distance on, of what is seen and of what casts a shadow.
fn lods(mesh: &Mesh) -> Vec<Fact> {
    let of = |is_shadow: bool| mesh.lods.iter().filter(move |lod| lod.is_shadow == is_shadow);
    let same = |own: &Lod, other: &Lod| own.distance.to_bits() == other.distance.to_bits();
    let records = |lod: Option<&Lod>| -> Vec<Fact> {
        lod.map_or(&[][..], |lod| &lod.records).iter().map(|record| Fact::from(*record)).collect()
    };
    let alone = of(true).filter(|shadow| !of(false).any(|lod| same(lod, shadow)));
    let fact = |lod: &Lod| {
        let facts: Facts = vec![
            ("distance", lod.distance.into()),
            ("records", records(of(false).find(|other| same(other, lod))).into()),
            ("shadow_records", records(of(true).find(|other| same(other, lod))).into()),
        ];
        Fact::from(facts)
    };
    of(false).chain(alone).map(fact).collect()
}
