//! Shipped meshes and a skeleton against what another reader found in them.

use std::sync::Arc;

use bytes::Bytes;
use glam::{Affine3A, Vec2, Vec3};
use palimpsest_core::asset::{
    Asset, Attribute, Bone, Group, Mesh, Semantic, Skeleton, VertexFormat, Weights, name_order,
};
use palimpsest_core::format::inspect;
use palimpsest_core::formats::{mmsh, skel};
use palimpsest_core::hash::string_hash;
use palimpsest_core::model::{Flaw, Geometry, Hit, Model, PLACES, Pose, Quality, Ray, Rig, Vertex};
use palimpsest_core::mount::{Mounts, Stack};
use palimpsest_core::scene::{Companions, Reach};
use palimpsest_core::task::Task;
use serde_json::Value;

use crate::corpus;

const FOLDER: &str = "shadow-of-war";
const MESHES: [&str; 2] = ["player_rangerswordt1.mesh", "grafteltariel_bladet2_armor.mesh"];
const SKELETON: &str = "grafteltariel_bladet2_armor.skel";

/// A file and what is expected of it.
fn file(name: &str) -> Option<(Bytes, Value)> {
    let bytes = std::fs::read(corpus(&format!("{FOLDER}/{name}"))?).unwrap();
    let expected = std::fs::read(corpus(&format!("{FOLDER}/expected.json"))?).unwrap();
    let expected: Value = serde_json::from_slice(&expected).unwrap();
    Some((bytes.into(), expected[name].clone()))
}

/// A parsed file in which every byte has a name and nothing is wrong.
fn asset(name: &str, bytes: &Bytes) -> Asset {
    let inspection = inspect(bytes, name, &Task::new());
    let warnings: Vec<_> = inspection.warnings.lines().collect();
    assert_eq!(warnings, [""; 0], "{name}");
    assert_eq!(inspection.tree.gaps(bytes.len() as u64), [], "{name}");
    inspection.asset.unwrap().unwrap()
}

fn mesh(name: &str) -> Option<(Mesh, Bytes, Value)> {
    let (bytes, expected) = file(name)?;
    let Asset::Mesh(mesh) = asset(name, &bytes) else { panic!("{name} is a mesh") };
    Some((mesh, bytes, expected))
}

fn skeleton() -> Option<(Skeleton, Bytes, Value)> {
    let (bytes, expected) = file(SKELETON)?;
    let Asset::Skeleton(skeleton) = asset(SKELETON, &bytes) else { panic!("it is a skeleton") };
    Some((skeleton, bytes, expected))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Whether numbers are those of a list, which has five digits behind the point.
fn assert_close(own: &[f32], expected: &Value, what: &str) {
    let expected = numbers(expected);
    assert_eq!(own.len(), expected.len(), "{what}");
    for (own, expected) in own.iter().zip(&expected) {
        assert!((f64::from(*own) - expected).abs() < 2e-5, "{what}: {own} {expected}");
    }
}

fn assert_bones(own: &[Bone], expected: &Value) {
    let expected = expected.as_array().unwrap();
    assert_eq!(own.len(), expected.len());
    for (bone, expected) in own.iter().zip(expected) {
        let hash = format!("0x{:08X}", bone.hash);
        assert_eq!(hash, expected["hash"]);
        assert_eq!(bone.parent.map_or(-1, i64::from), expected["parent"].as_i64().unwrap(), "{hash}");
        assert_eq!(u64::from(bone.children), expected["children"].as_u64().unwrap(), "{hash}");
        assert_close(&bone.position, &expected["position"], &hash);
        assert_close(&bone.rotation, &expected["rotation"], &hash);
        if let Some(name) = expected.get("name") {
            assert_eq!(bone.name, *name);
        }
    }
}

/// How many numbers an attribute has.
fn count(attribute: &Attribute) -> usize {
    match attribute.layout.size() {
        Some(4 | 8) if attribute.semantic == Semantic::Uv => 2,
        Some(12) => 3,
        _ => 4,
    }
}

fn assert_vertex(group: &Group, format: &VertexFormat, vertex: u32, expected: &Value) {
    let mut found = 0;
    for attribute in &format.attributes {
        let key = match attribute.semantic {
            Semantic::Uv => format!("uv{}", attribute.channel),
            Semantic::Weights => "weights_raw".to_owned(),
            Semantic::BoneIndices => "indices".to_owned(),
            other => other.name().to_owned(),
        };
        let values = group.values(format, attribute.semantic, attribute.channel).unwrap();
        let value = values.get(vertex).unwrap();
        assert_close(&value[..count(attribute)], &expected[&key], &format!("{key} of vertex {vertex}"));
        found += 1;
    }
    assert_eq!(found, expected.as_object().unwrap().len());
}

/// The mean distance of the vertices of a group to the bones that move them.
fn mean_distance(mesh: &Mesh, group: &Group, bone_of: &[u32]) -> f64 {
    let format = &mesh.formats[group.format as usize];
    let of = |semantic| group.values(format, semantic, 0).unwrap();
    let (positions, weights, indices) =
        (of(Semantic::Position), of(Semantic::Weights), of(Semantic::BoneIndices));
    let mut sum = 0.0;
    for vertex in 0..group.vertex_count {
        let at = positions.get(vertex).unwrap();
        let weights = Weights(weights.bytes(vertex).unwrap().try_into().unwrap()).of_slots();
        for (slot, weight) in indices.bytes(vertex).unwrap().iter().zip(weights) {
            let place = group.palette.get(usize::from(*slot)).copied().unwrap_or(0);
            let bone = &mesh.bones[bone_of[usize::from(place)] as usize];
            let square: f64 = (0..3).map(|axis| f64::from(at[axis] - bone.position[axis]).powi(2)).sum();
            sum += square.sqrt() * f64::from(weight) / 255.0;
        }
    }
    sum / f64::from(group.vertex_count)
}

fn assert_group(mesh: &Mesh, group: &Group, expected: &Value) {
    let whole = |key: &str| expected[key].as_u64().unwrap();
    assert_eq!(u64::from(group.arena), whole("arena"));
    assert_eq!(u64::from(group.vertex_count), whole("vertices"));
    assert_eq!(group.index_count() as u64, whole("indices"));
    assert_eq!(u64::from(group.format), whole("format"));
    assert_eq!(group.streams.iter().map(|stream| u64::from(stream.stride)).sum::<u64>(), whole("stride"));
    let palette: Vec<_> = group.palette.iter().map(|bone| f64::from(*bone)).collect();
    assert_eq!(palette, numbers(&expected["palette"]));
    let indices: Vec<u16> = group.triangles().flatten().collect();
    let ends = [indices.iter().min(), indices.iter().max()].map(|index| u64::from(*index.unwrap()));
    assert_eq!(ends, [whole("index_min"), whole("index_max")]);
    let first: Vec<_> = indices[..3].iter().map(|index| f64::from(*index)).collect();
    assert_eq!(first, numbers(&expected["first_triangle"]));
    let format = &mesh.formats[group.format as usize];
    assert_vertex(group, format, 0, &expected["first_vertex"]);
    assert_vertex(group, format, group.vertex_count - 1, &expected["last_vertex"]);
    let positions = group.values(format, Semantic::Position, 0).unwrap();
    let all = || (0..group.vertex_count).map(|vertex| positions.get(vertex).unwrap());
    for (key, fold) in [("bounds_min", f32::min as fn(f32, f32) -> f32), ("bounds_max", f32::max)] {
        let corner = [0, 1, 2].map(|axis| all().map(|at| at[axis]).reduce(fold).unwrap());
        assert_close(&corner, &expected[key], key);
    }
    let weights = group.values(format, Semantic::Weights, 0).unwrap();
    let mut sums: Vec<_> = (0..group.vertex_count)
        .map(|vertex| f64::from(Weights(weights.bytes(vertex).unwrap().try_into().unwrap()).sum()))
        .collect();
    sums.dedup();
    assert_eq!(sums, numbers(&expected["weight_sums"]));
}

#[test]
fn meshes_hold_what_another_reader_found() {
    for name in MESHES {
        let Some((mesh, _, expected)) = mesh(name) else { return };
        assert_eq!(mesh.objects.len() as u64, expected["objects"].as_u64().unwrap());
        let ids: Vec<_> = mesh.objects.iter().map(|id| format!("0x{id:08X}")).collect();
        assert_eq!(serde_json::json!(ids), expected["object_ids"]);
        let records = mesh.records.iter().map(|record| {
            let arena = record.arena.map_or(-1, i64::from);
            serde_json::json!([record.object, arena, record.material, record.flags])
        });
        assert_eq!(Value::Array(records.collect()), expected["records"]);
        assert_eq!(mesh.arenas.len() as u64, expected["arenas"].as_u64().unwrap());
        assert_eq!(mesh.vertex_count(), expected["vertices"].as_u64().unwrap());
        assert_eq!(mesh.triangle_count(), expected["triangles"].as_u64().unwrap());
        assert_close(&[mesh.cull_distance], &serde_json::json!([expected["cull_distance"]]), "cull distance");
        let [x, y, z] = mesh.centre;
        assert_close(&[x, y, z, mesh.radius], &expected["sphere"], "sphere");
        for (arena, ladder) in mesh.arenas.iter().zip(expected["triangle_ladders"].as_array().unwrap()) {
            assert_eq!(serde_json::json!(arena.triangles), *ladder);
        }
        for (lod, expected) in mesh.lods.iter().zip(expected["lods"].as_array().unwrap()) {
            assert_eq!(lod.is_shadow, expected["shadow"].as_bool().unwrap());
            assert_close(&[lod.distance], &serde_json::json!([expected["distance"]]), "distance");
            assert_eq!(serde_json::json!(lod.records), expected["records"]);
        }
        assert_eq!(mesh.lods.len(), expected["lods"].as_array().unwrap().len());
        assert_bones(&mesh.bones, &expected["bones"]);
        assert_eq!(serde_json::json!(name_order(&mesh.bones)), expected["name_order"]);
        let groups = expected["groups"].as_array().unwrap();
        assert_eq!(mesh.groups.len(), groups.len());
        for (group, expected) in mesh.groups.iter().zip(groups) {
            assert_group(&mesh, group, expected);
            let wanted = expected["mean_weighted_bone_distance"].as_f64().unwrap();
            let own = mean_distance(&mesh, group, &name_order(&mesh.bones));
            // The other reader looked at a part of the vertices.
            assert!((own - wanted).abs() < 0.02 * wanted + 0.01, "{own} {wanted}");
        }
    }
}

#[test]
fn palettes_count_in_the_order_of_names_and_not_in_that_of_the_records() {
    let Some((mesh, _, _)) = mesh(MESHES[1]) else { return };
    let in_records: Vec<u32> = (0..).take(mesh.bones.len()).collect();
    for group in &mesh.groups {
        let [named, recorded] =
            [&name_order(&mesh.bones), &in_records].map(|order| mean_distance(&mesh, group, order));
        assert!(named < recorded, "{named} {recorded}");
    }
}

#[test]
fn shipped_meshes_are_written_byte_for_byte() {
    for name in MESHES {
        let Some((mesh, bytes, _)) = mesh(name) else { return };
        assert!(mmsh::write(&mesh).unwrap() == bytes, "{name}");
    }
}

#[test]
fn triangles_are_seen_counter_clockwise_from_outside() {
    let Some((mesh, _, _)) = mesh(MESHES[0]) else { return };
    let group = &mesh.groups[0];
    let format = &mesh.formats[0];
    let of = |semantic| group.values(format, semantic, 0).unwrap();
    let (positions, normals) = (of(Semantic::Position), of(Semantic::Normal));
    let is_outward = |corners: &[u16; 3]| {
        let [a, b, c] = corners.map(|corner| positions.get(corner.into()).unwrap());
        let edge = |to: [f32; 4]| [0, 1, 2].map(|axis: usize| to[axis] - a[axis]);
        let ([ux, uy, uz], [vx, vy, vz]) = (edge(b), edge(c));
        let cross = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
        let normal = normals.get(corners[0].into()).unwrap();
        (0..3).map(|axis| cross[axis] * normal[axis]).sum::<f32>() > 0.0
    };
    let outward = group.triangles().filter(is_outward).count();
    assert!(outward * 100 >= group.triangles().len() * 99, "{outward} of {}", group.triangles().len());
}

#[test]
fn from_the_front_left_is_at_the_right_of_the_numbers() {
    let Some((skeleton, _, _)) = skeleton() else { return };
    let at = |name: &str| skeleton.bones.iter().find(|bone| &*bone.name == name).unwrap().position;
    // A camera that films the face is in front of it, and toes are in front of feet.
    assert!(at("FaceCam")[2] > 150.0);
    for (side, sign) in [("L", -1.0), ("R", 1.0)] {
        let ([x, _, foot], [_, _, toe]) = (at(&format!("{side}_Foot")), at(&format!("{side}_Toe")));
        assert!(x * sign > 20.0 && toe > foot + 10.0, "{side}: {x} {foot} {toe}");
    }
}

#[test]
fn coordinates_are_laid_out_as_triangles_are_seen_in_left_handed_axes() {
    for (name, share) in [(MESHES[0], 50.0), (MESHES[1], 90.0)] {
        let Some((mesh, _, _)) = mesh(name) else { continue };
        let groups = mesh.groups.iter().map(|group| {
            let format = &mesh.formats[group.format as usize];
            let of = |semantic| group.values(format, semantic, 0).unwrap();
            let (places, uvs) = (of(Semantic::Position), of(Semantic::Uv));
            let mut areas = [0.0; 2];
            for triangle in group.triangles() {
                let corners = triangle.map(u32::from);
                let [a, b, c] = corners.map(|corner| Vec3::from_slice(&places.get(corner).unwrap()));
                let uv = |corner| Vec2::from_slice(&uvs.get(corner).unwrap());
                let [first, second, third] = corners.map(uv);
                // V grows downwards: what is positive is clockwise, as is a triangle in left-handed axes.
                let is_clockwise = (second - first).perp_dot(third - first) > 0.0;
                areas[usize::from(is_clockwise)] += (b - a).cross(c - a).length();
            }
            areas
        });
        let shares: Vec<f32> = groups.map(|[mirrored, seen]| 100.0 * seen / (seen + mirrored)).collect();
        // Much is mirrored on purpose, both sides in one place of the texture, but never more than half.
        assert!(shares.iter().all(|own| *own > 50.0), "{name}: {shares:?}");
        assert!(shares.iter().any(|own| *own > share), "{name}: {shares:?}");
    }
}

#[test]
fn a_skeleton_holds_what_another_reader_found_and_is_written_byte_for_byte() {
    let Some((skeleton, bytes, expected)) = skeleton() else { return };
    assert_bones(&skeleton.bones, &expected["bones"]);
    for (bone, expected) in skeleton.bones.iter().zip(expected["bones"].as_array().unwrap()) {
        assert_eq!(u64::from(bone.deforms), expected["deform"].as_u64().unwrap());
    }
    assert_eq!(serde_json::json!(name_order(&skeleton.bones)), expected["name_order"]);
    let masks = skeleton.masks.iter().map(
        |mask| serde_json::json!({ "name": mask.name, "bones": mask.bones.len(), "controls": mask.controls }),
    );
    assert_eq!(Value::Array(masks.collect()), expected["masks"]);
    assert_eq!(skeleton.sockets.len() as u64, expected["sockets"].as_u64().unwrap());
    let libraries: Vec<_> = skeleton.animations.iter().map(|library| &library.path).collect();
    assert_eq!(serde_json::json!(libraries), expected["libraries"]);
    for (part, expected) in skeleton.parts.iter().zip(expected["parts"].as_array().unwrap()) {
        assert_eq!(part.name, expected["name"]);
        let lods = part.lods.iter().map(|lod| {
            let cloth = lod.cloth.map_or(-1, i64::from);
            serde_json::json!([
                u8::from(lod.casts_shadow),
                u8::from(lod.is_visible),
                f64::from(lod.distance),
                lod.material,
                cloth
            ])
        });
        assert_eq!(Value::Array(lods.collect()), expected["lods"]);
    }
    assert_eq!(skeleton.parts.len(), expected["parts"].as_array().unwrap().len());
    assert!(skel::write(&skeleton).unwrap() == bytes);
}

#[test]
fn a_mesh_has_the_bones_of_its_skeleton() {
    let (Some((mesh, ..)), Some((skeleton, ..))) = (mesh(MESHES[1]), skeleton()) else { return };
    assert_eq!(mesh.bones.len(), skeleton.bones.len());
    for (own, other) in mesh.bones.iter().zip(&skeleton.bones) {
        assert_eq!((own.hash, own.parent, own.children), (other.hash, other.parent, other.children));
        assert_eq!(own.position.map(f32::to_bits), other.position.map(f32::to_bits));
        // A quaternion and its negative are the same rotation.
        let dot: f32 = own.rotation.iter().zip(other.rotation).map(|(own, other)| own * other).sum();
        assert!((dot.abs() - 1.0).abs() < 1e-4, "{:?} {:?}", own.rotation, other.rotation);
    }
}

/// What is abnormal about a mesh: the flaw, the group, how many have it and how many could.
fn flaws(mesh: &Mesh) -> Vec<(Flaw, usize, u64, u64)> {
    let quality = Quality::of(mesh, &Task::new()).unwrap();
    quality.findings.iter().map(|own| (own.flaw, own.group, own.count, own.of)).collect()
}

#[test]
fn shipped_meshes_have_hardly_a_flaw() {
    let Some((sword, ..)) = mesh(MESHES[0]) else { return };
    assert_eq!(flaws(&sword), []);
    let Some((armour, ..)) = mesh(MESHES[1]) else { return };
    // Where two corners of a triangle are the same in the texture, whoever made the file divided by 0.
    let expected = [(Flaw::Tangent, 3, 18, 14_033), (Flaw::BinormalAgainstUv, 3, 1, 14_033)];
    assert_eq!(flaws(&armour), expected);
    let tangents = &Quality::of(&armour, &Task::new()).unwrap().findings[0];
    let is_nan = |place| tangents.detail(&armour, place) == "tangent NaN, NaN, NaN of the length NaN";
    assert!(tangents.places.iter().all(is_nan));
}

/// The matrices of the bones at rest as any other pose has them: every bone carried by what it hangs on, and
/// what undoes where it rests.
fn composed(rig: &Rig) -> Vec<Affine3A> {
    let mut posed: Vec<Affine3A> = Vec::new();
    for joint in &rig.joints {
        let parent = joint.parent.map(|parent| (posed[parent], rig.joints[parent].bone_from_model));
        let own = match parent {
            Some((parent, parent_from_model)) => parent * (parent_from_model * joint.model_from_bone),
            None => joint.model_from_bone,
        };
        posed.push(own);
    }
    posed.into_iter().zip(&rig.joints).map(|(posed, joint)| posed * joint.bone_from_model).collect()
}

#[test]
fn what_is_moved_to_where_it_rests_stays_with_and_without_a_skeleton() {
    let (Some((mesh, ..)), Some((skeleton, ..))) = (mesh(MESHES[1]), skeleton()) else { return };
    let (mesh, skeleton) = (Arc::new(mesh), Arc::new(skeleton));
    for skeleton in [None, Some(skeleton)] {
        let model = Model::new(Some(Arc::clone(&mesh)), skeleton, &Task::new()).unwrap();
        assert_eq!(model.notes, [""; 0]);
        assert_eq!((model.rig.joints.len(), model.geometry.vertices.len()), (132, 22_541));
        let moves = composed(&model.rig);
        let places = 0..u16::try_from(PLACES).unwrap();
        let skin: Vec<_> =
            places.map(|place| model.bone_of(place).map_or(Affine3A::IDENTITY, |bone| moves[bone])).collect();
        let mut farthest = 0f32;
        for vertex in &model.geometry.vertices {
            let [at, facing] = Geometry::skinned(vertex, &skin);
            farthest =
                farthest.max(at.distance(vertex.position.into())).max(facing.distance(vertex.normal.into()));
        }
        assert!(farthest < 1e-4, "{farthest}");
        let hangs = |vertex: &Vertex| {
            let mut slots = vertex.places.iter().zip(vertex.weights);
            slots.all(|(place, weight)| weight == 0 || model.bone_of(*place).is_some())
        };
        assert!(model.geometry.vertices.iter().all(hangs));
    }
}

#[test]
fn bones_of_a_shipped_skeleton_rest_in_mirror_images() {
    let Some((skeleton, ..)) = skeleton() else { return };
    let rig = Rig::of(&skeleton.bones);
    let pairs = rig.mirrored();
    let mut sides = 0;
    let mut alone = Vec::new();
    for (joint, other) in rig.joints.iter().zip(pairs) {
        let Some(other) = other.map(|other| &rig.joints[other]) else {
            alone.push(joint.name.as_str());
            continue;
        };
        let image = Vec3::new(-other.position().x, other.position().y, other.position().z);
        let apart = joint.position().distance(image);
        // The feet, 135 cm from the middle, are the farthest from their images.
        assert!(apart < 0.03, "{} {} {apart}", joint.name, other.name);
        let wanted = match joint.name.split_once('_') {
            Some(("L", rest)) => format!("R_{rest}"),
            Some(("R", rest)) => format!("L_{rest}"),
            // Of these the other side is found by where they rest.
            Some(("Ls", rest)) => format!("Rs_{rest}"),
            Some(("Rs", rest)) => format!("Ls_{rest}"),
            _ => joint.name.clone(),
        };
        assert_eq!(other.name, wanted);
        sides += usize::from(wanted != joint.name);
    }
    assert_eq!(sides, 92);
    let things = ["Scabbard_Joined", "dagger_sheath_back", "Memento_0", "Dagger_Sheath", "Belt_1"];
    assert!(alone.len() == 13 && things.iter().all(|name| alone.contains(name)), "{alone:?}");
}

#[test]
fn a_pose_of_a_shipped_skeleton_has_a_mirror_image() {
    let Some((skeleton, ..)) = skeleton() else { return };
    let rig = Rig::of(&skeleton.bones);
    let mut pose = Pose::default();
    for (name, angles_deg) in
        [("L_Armu", [20.0, -40.0, 10.0]), ("L_Arml", [0.0, 50.0, 30.0]), ("R_Legu", [30.0, 0.0, 15.0])]
    {
        pose.set_angles_deg(rig.find(name).unwrap(), angles_deg);
    }
    let [posed, image] = [&pose, &rig.mirrored_pose(&pose)].map(|pose| rig.posed(pose));
    let mut moved = 0f32;
    for (at, other) in rig.mirrored().into_iter().enumerate() {
        let Some(other) = other else { continue };
        let (own, found) = (posed[at].translation, image[other].translation);
        let wanted = Vec3::new(-own.x, own.y, own.z);
        assert!(wanted.distance(found.into()) < 0.1, "{} {wanted} {found}", rig.joints[at].name);
        moved = moved.max(Vec3::from(own).distance(rig.joints[at].position()));
    }
    assert!(moved > 20.0, "{moved}");
}

#[test]
fn parts_of_a_skeleton_are_the_objects_of_its_mesh() {
    let (Some((mesh, ..)), Some((skeleton, ..))) = (mesh(MESHES[1]), skeleton()) else { return };
    let names: Vec<_> = skeleton.parts.iter().map(|part| string_hash(part.name.as_bytes())).collect();
    assert_eq!(names, mesh.objects);
}

#[test]
fn a_line_of_sight_meets_a_shipped_mesh() {
    let Some((mesh, ..)) = mesh(MESHES[0]) else { return };
    let model = Model::new(Some(Arc::new(mesh)), None, &Task::new()).unwrap();
    let skin = model.skin(&Pose::default());
    let pick = |x: f32, z: f32| {
        let ray = Ray { start: Vec3::new(x, 35.0, z), way: Vec3::new(-x.signum(), 0.0, 0.0) };
        model.pick(ray, &[0], &skin, &Task::new()).unwrap()
    };
    // The blade is 5 cm thick at most, and 29 cm wide with its guard.
    let near = |hit: Hit| (hit.distance - 100.0).abs() < 3.0 && hit.group == 0 && hit.vertex < 1537;
    assert!([100.0, -100.0].into_iter().all(|x| pick(x, 0.0).is_some_and(near)));
    assert_eq!(pick(100.0, 15.0), None);
}

#[test]
fn the_shipped_armour_finds_its_skeleton_through_the_stack_and_the_reverse() {
    let Some(file) = corpus(&format!("{FOLDER}/{SKELETON}")) else { return };
    let stack = Stack::mount(&Mounts::of(file.parent().unwrap()), &Task::new()).unwrap();
    let copy = |path: &str| stack.index().copies(stack.find(path).unwrap())[0];
    let joined = stack.joined(copy(MESHES[1]), None, &Task::new()).unwrap();
    assert_eq!(joined.companion.as_deref(), Some(SKELETON));
    assert_eq!(joined.model.notes, [""; 0]);
    let sword = stack.joined(copy(MESHES[0]), None, &Task::new()).unwrap();
    assert_eq!(sword.companion, None, "the skeleton is another one's");
    assert!(sword.model.skeleton.is_none());
    let skeleton = stack.asset(copy(SKELETON), &Task::new()).unwrap();
    let Companions { found, unread } =
        stack.companions(SKELETON, &skeleton, Reach::Stack, &Task::new()).unwrap();
    assert_eq!(unread, [""; 0]);
    assert_eq!(found.iter().map(|found| (&*found.path, found.shared)).collect::<Vec<_>>(), [(MESHES[1], 4)]);
    let other = stack.joined(copy(MESHES[0]), Some(copy(SKELETON)), &Task::new()).unwrap();
    assert!(!other.model.notes.is_empty(), "the sword's bones are not those of the armour");
    let error = stack.joined(copy(MESHES[0]), Some(copy(MESHES[1])), &Task::new()).unwrap_err();
    let words =
        "grafteltariel_bladet2_armor.mesh: not supported: a mesh hangs on a skeleton, and this is mesh";
    assert_eq!(error.to_string(), format!("{FOLDER}: {words}"));
}
