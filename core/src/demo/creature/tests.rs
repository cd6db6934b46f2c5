use std::collections::BTreeSet;

use bytes::Bytes;

use super::vector::{Vector, cross, dot, length, mirrored, sub};
use super::*;
use crate::asset::{Asset, Group, Mesh, Semantic, Skeleton, VertexFormat, Weights};
use crate::format::inspect;
use crate::formats::{mmsh, skel};
use crate::hash::string_hash;
use crate::task::Task;

fn read(bytes: &[u8], name: &str) -> (Asset, Vec<String>) {
    let bytes = Bytes::copy_from_slice(bytes);
    let inspection = inspect(&bytes, name, &Task::new());
    assert_eq!(inspection.tree.gaps(bytes.len() as u64), []);
    (inspection.asset.unwrap().unwrap(), inspection.warnings.lines().collect())
}

fn read_mesh(bytes: &[u8]) -> (Mesh, Vec<String>) {
    let (Asset::Mesh(mesh), warnings) = read(bytes, "a.mesh") else { panic!() };
    (mesh, warnings)
}

/// Whether numbers are the same but for their last digits.
fn same(own: &[f32], other: &[f32]) -> bool {
    own.iter().zip(other).all(|(own, other)| (own - other).abs() < 1e-6)
}

fn creature() -> Mesh {
    read_mesh(&mesh(PATCHED).unwrap()).0
}

fn skeleton_of_creature() -> Skeleton {
    let (Asset::Skeleton(skeleton), warnings) = read(&skeleton().unwrap(), "a.skel") else { panic!() };
    assert_eq!(warnings, [""; 0]);
    skeleton
}

/// The values of an attribute of all vertices.
fn values(group: &Group, format: &VertexFormat, semantic: Semantic) -> Vec<Vector> {
    let values = group.values(format, semantic, 0);
    let value = |vertex| values.and_then(|values| values.get(vertex)).map(|[x, y, z, _]| [x, y, z]);
    (0..group.vertex_count).map_while(value).collect()
}

fn groups(mesh: &Mesh) -> impl Iterator<Item = (&Group, &VertexFormat)> {
    mesh.groups.iter().map(|group| (group, &mesh.formats[group.format as usize]))
}

/// The triangles that are drawn from a distance on.
fn triangles_from(mesh: &Mesh, distance: f32) -> usize {
    let lod =
        mesh.lods.iter().find(|lod| lod.distance.to_bits() == distance.to_bits() && !lod.is_shadow).unwrap();
    let arenas = lod.records.iter().filter_map(|record| mesh.records[*record as usize].arena);
    arenas.flat_map(|arena| mesh.groups_of(arena as usize)).map(|group| group.index_count() / 3).sum()
}

#[test]
fn what_is_written_is_read_without_a_warning_and_written_alike() {
    for release in [SHIPPED, PATCHED] {
        let bytes = mesh(release).unwrap();
        let (read, warnings) = read_mesh(&bytes);
        assert_eq!(warnings, [""; 0]);
        assert!(mmsh::write(&read).unwrap() == bytes);
    }
    assert!(skel::write(&skeleton_of_creature()).unwrap() == skeleton().unwrap());
}

#[test]
fn it_has_levels_of_detail_formats_and_groups_of_every_kind() {
    let mesh = creature();
    let [fine, middle, coarse] = [0.0, 1500.0, 3500.0].map(|distance| triangles_from(&mesh, distance));
    assert!((8_000..16_000).contains(&fine), "{fine}");
    assert!((fine / 4..fine / 2).contains(&middle), "{fine} {middle}");
    assert!((fine / 15..fine / 7).contains(&coarse), "{fine} {coarse}");
    assert_eq!(triangles_from(&mesh, 7000.0), 0);
    assert_eq!(mesh.lods.last().unwrap().distance.to_bits(), 0);
    let used: BTreeSet<_> = mesh.groups.iter().map(|group| group.format).collect();
    assert_eq!(used.len(), mesh.formats.len());
    assert!(mesh.arenas.iter().any(|arena| arena.groups.len() == 2));
    let drawn = |is_shadow| {
        let of = |lod: &&crate::asset::Lod| lod.distance.to_bits() == 0 && lod.is_shadow == is_shadow;
        mesh.lods.iter().find(of).unwrap().records.len()
    };
    assert_eq!((drawn(false), drawn(true)), (6, 5));
}

#[test]
fn its_weights_add_up_and_the_blade_hangs_on_one_bone() {
    let mesh = creature();
    for (group, format) in groups(&mesh) {
        let weights = group.values(format, Semantic::Weights, 0).unwrap();
        for vertex in 0..group.vertex_count {
            assert_eq!(Weights(weights.bytes(vertex).unwrap().try_into().unwrap()).sum(), 255);
        }
    }
    let blade = mesh.groups_of(mesh.records[mesh.records.len() - 4].arena.unwrap() as usize);
    assert_eq!(blade[0].palette.len(), 1);
    let bone = crate::asset::name_order(&mesh.bones)[usize::from(blade[0].palette[0])];
    assert_eq!(mesh.bones[bone as usize].hash, string_hash(b"Tail_5"));
    let weights = blade[0].values(&mesh.formats[blade[0].format as usize], Semantic::Weights, 0).unwrap();
    assert_eq!(weights.bytes(0), Some(&[0, 0, 255, 0][..]));
}

#[test]
fn its_triangles_are_seen_counter_clockwise_from_where_the_normals_point() {
    for release in [SHIPPED, PATCHED] {
        let mesh = read_mesh(&mesh(release).unwrap()).0;
        for (group, format) in groups(&mesh) {
            let (places, normals) =
                (values(group, format, Semantic::Position), values(group, format, Semantic::Normal));
            assert!(normals.iter().all(|normal| (length(*normal) - 1.0).abs() < 1e-4));
            let is_outward = |corners: &[u16; 3]| {
                let [a, b, c] = corners.map(|corner| places[usize::from(corner)]);
                dot(cross(sub(b, a), sub(c, a)), normals[usize::from(corners[0])]) > 0.0
            };
            let outward = group.triangles().filter(is_outward).count();
            assert!(
                outward * 100 >= group.triangles().len() * 99,
                "{outward} of {}",
                group.triangles().len()
            );
        }
    }
}

#[test]
fn its_tangents_run_where_the_coordinates_of_the_pictures_grow() {
    let mesh = creature();
    for (group, format) in groups(&mesh) {
        let [places, uvs, tangents, binormals] =
            [Semantic::Position, Semantic::Uv, Semantic::Tangent, Semantic::Binormal]
                .map(|semantic| values(group, format, semantic));
        assert!(uvs.iter().flatten().all(|part| (0.0..=1.0).contains(part)));
        if tangents.is_empty() {
            continue;
        }
        let along = |corners: &[u16; 3]| {
            let [a, b, c] = corners.map(usize::from);
            let [ab, ac] = [sub(places[b], places[a]), sub(places[c], places[a])];
            let [[du1, dv1, _], [du2, dv2, _]] = [sub(uvs[b], uvs[a]), sub(uvs[c], uvs[a])];
            let sign = (du1 * dv2 - du2 * dv1).signum();
            let of = |x: f32, y: f32| sub(vector::scale(ab, x * sign), vector::scale(ac, y * sign));
            dot(of(dv2, dv1), tangents[a]) > 0.0 && dot(of(-du2, -du1), binormals[a]) > 0.0
        };
        let right = group.triangles().filter(along).count();
        assert!(right * 100 >= group.triangles().len() * 97, "{right} of {}", group.triangles().len());
    }
}

#[test]
fn its_bones_parts_and_levels_are_those_of_the_skeleton() {
    let (mesh, skeleton) = (creature(), skeleton_of_creature());
    assert!((20..=45).contains(&skeleton.bones.len()));
    assert_eq!(mesh.bones.len(), skeleton.bones.len());
    for (own, other) in mesh.bones.iter().zip(&skeleton.bones) {
        assert_eq!((own.hash, own.parent, own.children), (other.hash, other.parent, other.children));
        assert!(same(&own.position, &other.position) && same(&own.rotation, &other.rotation));
    }
    let parts = skeleton.parts.iter().map(|part| string_hash(part.name.as_bytes()));
    assert_eq!(parts.collect::<Vec<_>>(), mesh.objects);
    let levels = skeleton.parts.iter().flat_map(|part| &part.lods);
    assert_eq!(levels.clone().count(), mesh.records.len());
    for (level, record) in levels.clone().zip(&mesh.records) {
        assert_eq!((level.is_visible, level.casts_shadow), (record.is_visible(), record.casts_shadow()));
        assert_eq!(i64::from(level.material), i64::from(record.material));
    }
    let mut distances: Vec<_> = levels.map(|level| level.distance).collect();
    distances.sort_by(|a, b| b.total_cmp(a));
    distances.dedup();
    let own = mesh.lods.iter().filter(|lod| !lod.is_shadow).map(|lod| lod.distance);
    assert_eq!(own.collect::<Vec<_>>(), distances);
}

#[test]
fn its_left_bones_are_mirror_images_of_the_right_ones() {
    let skeleton = skeleton_of_creature();
    let mut pairs = 0;
    for left in &skeleton.bones {
        let Some(rest) = left.name.strip_prefix("L_") else { continue };
        let right = skeleton.bones.iter().find(|bone| bone.name.strip_prefix("R_") == Some(rest)).unwrap();
        assert!(left.position[0] < 0.0);
        assert!(same(&left.position, &mirrored(right.position)));
        let [x, y, z, w] = left.rotation;
        assert!(same(&right.rotation, &[x, -y, -z, w]));
        pairs += 1;
    }
    assert!(pairs > 10);
}

#[test]
fn all_of_it_lies_in_its_sphere() {
    let mesh = creature();
    let far = groups(&mesh)
        .flat_map(|(group, format)| values(group, format, Semantic::Position))
        .map(|at| length(sub(at, mesh.centre)))
        .fold(0.0, f32::max);
    assert!(far <= mesh.radius + 0.1 && far > 0.95 * mesh.radius, "{far} {}", mesh.radius);
}

#[test]
fn the_flawed_one_has_its_faults_and_no_others() {
    let (mesh, warnings) = read_mesh(&flawed().unwrap());
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("weights"), "{warnings:?}");
    let [group] = mesh.groups.as_slice() else { panic!() };
    let places = values(group, &mesh.formats[group.format as usize], Semantic::Position);
    assert_eq!(places.iter().flatten().filter(|part| !part.is_finite()).count(), 1);
    let flat = group.triangles().filter(|[a, b, c]| a == b || b == c || a == c).count();
    assert_eq!(flat, 1);
    let used: BTreeSet<_> = group.triangles().flatten().collect();
    assert_eq!(used.len() + 1, group.vertex_count as usize);
}
