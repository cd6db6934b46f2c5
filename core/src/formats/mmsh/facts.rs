//! What is said of a mesh in a few words.

use std::collections::HashMap;

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
    // Of several at one distance the first is meant.
    let first = |is_shadow: bool| -> HashMap<u32, &Lod> {
        let mut first = HashMap::new();
        for lod in of(is_shadow) {
            first.entry(lod.distance.to_bits()).or_insert(lod);
        }
        first
    };
    let [seen, shadows] = [first(false), first(true)];
    let records = |of: &HashMap<u32, &Lod>, distance: f32| -> Vec<Fact> {
        let lod = of.get(&distance.to_bits());
        lod.map_or(&[][..], |lod| &lod.records).iter().map(|record| Fact::from(*record)).collect()
    };
    let alone = of(true).filter(|shadow| !seen.contains_key(&shadow.distance.to_bits()));
    let fact = |lod: &Lod| {
        let facts: Facts = vec![
            ("distance", lod.distance.into()),
            ("records", records(&seen, lod.distance).into()),
            ("shadow_records", records(&shadows, lod.distance).into()),
        ];
        Fact::from(facts)
    };
    of(false).chain(alone).map(fact).collect()
}
