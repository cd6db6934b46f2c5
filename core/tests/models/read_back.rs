//! What a reader of glTF finds in a file is what the model has.

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use gltf::{Document, Primitive};
use palimpsest_core::asset::Semantic;
use palimpsest_core::export::Form;
use palimpsest_core::model::{Geometry, Model, Pose, bone_from_socket};

use crate::{ARMOUR, BONES, SWORD, exported, materials, model, models, picture, shipped};

/// How far apart two places may be, in metres: transforms of bones are multiplied down to the last one.
const CLOSE: f32 = 2e-5;

/// A place of the game in metres, in the axes of the files.
fn right_handed(place: Vec3) -> Vec3 {
    Vec3::new(-place.x, place.y, place.z) * 0.01
}

/// A turn in the axes of the files: what it does to the image of a direction is the image of what it does.
fn mirrored(turn: Quat) -> Quat {
    let (axis, angle) = turn.to_axis_angle();
    Quat::from_axis_angle(Vec3::new(-axis.x, axis.y, axis.z), -angle)
}

fn read(bytes: &[u8]) -> (Document, Vec<u8>) {
    let file = gltf::Gltf::from_slice(bytes).unwrap();
    (file.document, file.blob.unwrap())
}

fn primitives(file: &Document) -> Vec<Primitive<'_>> {
    file.meshes().flat_map(|mesh| mesh.primitives()).collect()
}

/// The nodes in the space of the model, each turned about itself first.
fn globals(file: &Document, turn: &dyn Fn(usize) -> Quat) -> Vec<Mat4> {
    fn add(node: &gltf::Node<'_>, above: Mat4, turn: &dyn Fn(usize) -> Quat, all: &mut [Mat4]) {
        let own = Mat4::from_cols_array_2d(&node.transform().matrix());
        all[node.index()] = above * own * Mat4::from_quat(turn(node.index()));
        node.children().for_each(|child| add(&child, all[node.index()], turn, all));
    }
    let mut all = vec![Mat4::IDENTITY; file.nodes().len()];
    for node in file.default_scene().unwrap().nodes() {
        add(&node, Mat4::IDENTITY, turn, &mut all);
    }
    all
}

/// The colours of a primitive, which have a name of their own.
fn colours(primitive: &Primitive<'_>, blob: &[u8]) -> Option<Vec<[u8; 4]>> {
    let accessor = primitive.get(&gltf::Semantic::Extras("COLOR_0".to_owned()))?;
    let view = accessor.view().unwrap();
    Some(blob[view.offset()..view.offset() + view.length()].as_chunks::<4>().0.to_vec())
}

fn inverses(file: &Document, blob: &[u8]) -> Vec<Mat4> {
    let skin = file.skins().next().unwrap();
    let reader = skin.reader(|_| Some(blob));
    reader.read_inverse_bind_matrices().unwrap().map(|matrix| Mat4::from_cols_array_2d(&matrix)).collect()
}

/// Where the vertices of a primitive are when its bones are turned.
fn skinned(primitive: &Primitive<'_>, blob: &[u8], skin: &[Mat4]) -> Vec<Vec3> {
    let reader = primitive.reader(|_| Some(blob));
    let joints = reader.read_joints(0).unwrap().into_u16();
    let weights = reader.read_weights(0).unwrap().into_f32();
    let places = reader.read_positions().unwrap();
    let moved = places.zip(joints.zip(weights)).map(|(at, (joints, weights))| {
        let share = |(joint, weight): (u16, f32)| skin[usize::from(joint)] * weight;
        let matrix = joints.into_iter().zip(weights).map(share).fold(Mat4::ZERO, |sum, own| sum + own);
        matrix.transform_point3(at.into())
    });
    moved.collect()
}

fn shipped_models() -> Vec<Model> {
    let wanted = [&[SWORD][..], &[ARMOUR], &[ARMOUR, BONES]];
    let files = |names: &[&'static str]| {
        names.iter().map(|name| Some((*name, shipped(name)?))).collect::<Option<Vec<_>>>()
    };
    wanted.into_iter().filter_map(files).map(|files| model(&files)).collect()
}

#[test]
fn everything_that_is_drawn_is_there_in_metres() {
    for model in shipped_models() {
        let (file, blob) = read(&exported(&model, &[], Form::Glb).0);
        let (mut vertices, mut triangles) = (0, 0);
        let mut corners = [Vec3::INFINITY, Vec3::NEG_INFINITY];
        let groups = model.geometry.groups.iter();
        for (primitive, span) in primitives(&file).iter().zip(groups) {
            let reader = primitive.reader(|_| Some(&blob));
            let own = &model.geometry.vertices[span.vertices()];
            assert_eq!(reader.read_positions().unwrap().len(), own.len());
            vertices += own.len();
            triangles += reader.read_indices().unwrap().into_u32().count() / 3;
            for set in 0..span.uv_sets {
                let uvs = reader.read_tex_coords(u32::try_from(set).unwrap()).unwrap().into_f32();
                assert!(uvs.eq(own.iter().map(|vertex| vertex.uvs[set])));
            }
            let wanted = span.has(Semantic::Colour).then(|| own.iter().map(|vertex| vertex.colour).collect());
            assert_eq!(colours(primitive, &blob), wanted);
            assert!(primitive.get(&gltf::Semantic::Colors(0)).is_none(), "they are no tint");
            let bounds = primitive.bounding_box();
            corners = [corners[0].min(bounds.min.into()), corners[1].max(bounds.max.into())];
        }
        assert_eq!(vertices, model.geometry.vertices.len());
        assert_eq!(triangles, model.geometry.indices.len() / 3);
        let [one, other] = model.geometry.bounds.unwrap().map(right_handed);
        let wanted = [one.min(other), one.max(other)];
        assert!(corners.into_iter().zip(wanted).all(|(own, wanted)| own.distance(wanted) < CLOSE));
    }
}

#[test]
fn bones_are_where_their_files_say_and_bind_nothing_away() {
    for (name, model) in models().into_iter().filter(|(name, _)| *name != "a mesh in a bad state") {
        let (file, blob) = read(&exported(&model, &[], Form::Glb).0);
        let globals = globals(&file, &|_| Quat::IDENTITY);
        let joints: Vec<_> = file.skins().next().unwrap().joints().collect();
        assert_eq!(joints.len(), model.rig.joints.len(), "{name}");
        for ((joint, own), inverse) in joints.iter().zip(&model.rig.joints).zip(inverses(&file, &blob)) {
            let global = globals[joint.index()];
            let apart = global.transform_point3(Vec3::ZERO).distance(right_handed(own.position()));
            assert!(apart < CLOSE, "{name}: {:?} is {apart} m away", joint.name());
            assert!((global * inverse).abs_diff_eq(Mat4::IDENTITY, 1e-4), "{name}: {:?}", joint.name());
            let named =
                if own.name.is_empty() { format!("bone_{:#010x}", own.hash) } else { own.name.clone() };
            assert_eq!(joint.name(), Some(&*named));
            let children: Vec<_> = joint.children().map(|child| child.index()).collect();
            assert!(children.starts_with(&own.children));
            let sockets = &children[own.children.len()..];
            assert!(sockets.iter().all(|node| file.nodes().nth(*node).unwrap().skin().is_none()));
        }
        for socket in model.skeleton.iter().flat_map(|skeleton| &skeleton.sockets) {
            let bone = &model.rig.joints[socket.bone as usize];
            let place = (bone.model_from_bone * bone_from_socket(socket).unwrap()).translation;
            let node = file.nodes().find(|node| node.name() == Some(&*socket.name)).unwrap();
            let apart =
                globals[node.index()].transform_point3(Vec3::ZERO).distance(right_handed(place.into()));
            assert!(apart < CLOSE, "{name}: {} is {apart} m away", socket.name);
        }
    }
}

#[test]
fn a_pose_moves_every_vertex_as_it_does_in_the_model() {
    for model in shipped_models() {
        let (file, blob) = read(&exported(&model, &[], Form::Glb).0);
        let mut pose = Pose::default();
        for bone in 0..model.rig.joints.len() {
            let angle = f32::from(u8::try_from(bone % 7).unwrap()) * 0.1 - 0.3;
            pose.set(bone, Quat::from_euler(glam::EulerRot::XYZ, angle, 0.5 * angle, -angle));
        }
        let globals = globals(&file, &|node| mirrored(pose.turn(node)));
        let skin: Vec<_> =
            globals.iter().zip(inverses(&file, &blob)).map(|(global, inverse)| *global * inverse).collect();
        let own = model.skin(&pose);
        for (primitive, span) in primitives(&file).iter().zip(&model.geometry.groups) {
            let moved = skinned(primitive, &blob, &skin);
            let wanted = model.geometry.vertices[span.vertices()].iter();
            let wanted = wanted.map(|vertex| right_handed(Geometry::skinned(vertex, &own)[0]));
            let apart =
                moved.iter().zip(wanted).map(|(own, wanted)| own.distance(wanted)).fold(0.0, f32::max);
            assert!(apart < 1e-4, "{apart} m");
        }
    }
}

#[test]
fn tangents_follow_the_textures_and_bitangents_point_up_in_them() {
    for model in shipped_models() {
        let (file, blob) = read(&exported(&model, &[], Form::Glb).0);
        let [mut right, mut up, mut outside, mut all] = [0u32; 4];
        for primitive in primitives(&file) {
            let reader = primitive.reader(|_| Some(&blob));
            let places: Vec<_> = reader.read_positions().unwrap().map(Vec3::from).collect();
            let normals: Vec<_> = reader.read_normals().unwrap().map(Vec3::from).collect();
            let tangents: Vec<_> = reader.read_tangents().unwrap().map(Vec4::from).collect();
            let uvs: Vec<_> = reader.read_tex_coords(0).unwrap().into_f32().map(Vec2::from).collect();
            let indices: Vec<_> = reader.read_indices().unwrap().into_u32().map(|at| at as usize).collect();
            assert!(
                tangents
                    .iter()
                    .all(|tangent| [1.0f32, -1.0].map(f32::to_bits).contains(&tangent.w.to_bits()))
            );
            for [a, b, c] in indices.as_chunks::<3>().0.iter().copied() {
                let (first, second) = (places[b] - places[a], places[c] - places[a]);
                let (uv, other) = (uvs[b] - uvs[a], uvs[c] - uvs[a]);
                let turn = uv.perp_dot(other);
                if turn == 0.0 {
                    continue;
                }
                let along_u = (first * other.y - second * uv.y) / turn;
                let along_v = (second * uv.x - first * other.x) / turn;
                let bitangent = normals[a].cross(tangents[a].truncate()) * tangents[a].w;
                all += 1;
                right += u32::from(tangents[a].truncate().dot(along_u) > 0.0);
                up += u32::from(bitangent.dot(along_v) < 0.0);
                outside += u32::from(first.cross(second).dot(normals[a]) > 0.0);
            }
        }
        let most = |count: u32| f64::from(count) > 0.9 * f64::from(all);
        assert!(most(right) && most(up) && most(outside), "{right} {up} {outside} of {all}");
    }
}

#[test]
fn tangents_are_made_where_normals_need_them() {
    let (_, model) = models().swap_remove(0);
    let (colours, normals) = (picture([[1, 2, 3, 4]; 4]), picture([[0, 128, 0, 128]; 4]));
    let (bare, _) = read(&exported(&model, &[], Form::Glb).0);
    assert!(primitives(&bare).iter().all(|primitive| primitive.get(&gltf::Semantic::Tangents).is_none()));
    let (file, blob) = read(&exported(&model, &materials(&model, &colours, &normals), Form::Glb).0);
    assert_eq!((file.materials().len(), file.images().len()), (1, 2));
    // Its coordinates are its places: the first one grows along X, the second one along Y.
    for primitive in primitives(&file) {
        let reader = primitive.reader(|_| Some(&blob));
        assert!(
            reader
                .read_tangents()
                .unwrap()
                .all(|tangent| Vec4::from(tangent).distance(Vec4::W - Vec4::X) < 1e-6)
        );
    }
}

#[test]
fn both_forms_say_the_same() {
    for (name, model) in models() {
        let (glb, gltf) = (exported(&model, &[], Form::Glb).0, exported(&model, &[], Form::Gltf).0);
        let (file, text) = (gltf::Gltf::from_slice(&glb).unwrap(), gltf::Gltf::from_slice(&gltf).unwrap());
        let mut json = text.document.into_json();
        let uri = json.buffers[0].uri.take().unwrap();
        let length = uri.strip_prefix("data:application/octet-stream;base64,").unwrap().len();
        assert_eq!(length, file.blob.unwrap().len().div_ceil(3) * 4, "{name}");
        assert_eq!(json.to_string().unwrap(), file.document.into_json().to_string().unwrap(), "{name}");
    }
}
