use glam::{Quat, Vec3};

use super::*;
use crate::asset::Bone;

fn bone(name: &str, parent: Option<u32>, position: [f32; 3], rotation: Quat) -> Bone {
    Bone {
        hash: crate::hash::string_hash(name.as_bytes()),
        name: name.to_owned(),
        parent,
        children: 0,
        position,
        rotation: rotation.to_array(),
        scale: 1.0,
        deforms: true,
    }
}

/// A body with two arms that rest in mirror images of each other, each with a hand.
fn body() -> Vec<Bone> {
    let (left, right) = (Quat::from_rotation_z(-0.7), Quat::from_rotation_z(0.7));
    vec![
        bone("Body", None, [0.0, 10.0, 0.0], Quat::from_rotation_x(0.4)),
        bone("L_Arm", Some(0), [3.0, 12.0, 1.0], left),
        bone("L_Hand", Some(1), [8.0, 12.0, 1.0], left),
        bone("R_Arm", Some(0), [-3.0, 12.0, 1.0], right),
        bone("R_Hand", Some(3), [-8.0, 12.0, 1.0], right),
    ]
}

fn close(one: Vec3, other: Vec3) -> bool {
    one.distance(other) < 1e-4
}

#[test]
fn at_rest_nothing_moves_at_all() {
    let rig = Rig::of(&body());
    assert!(rig.moves(&Pose::default()).iter().all(|own| *own == Affine3A::IDENTITY));
    let posed = rig.posed(&Pose::default());
    assert!(posed.iter().zip(&rig.joints).all(|(posed, joint)| *posed == joint.model_from_bone));
}

#[test]
fn what_hangs_on_a_bone_turns_with_it_about_its_joint() {
    let rig = Rig::of(&body());
    let mut pose = Pose::default();
    // The arm's own Z axis is that of the model.
    pose.set_angles_deg(1, [0.0, 0.0, 90.0]);
    let posed = rig.posed(&pose);
    assert!(close(posed[1].translation.into(), Vec3::new(3.0, 12.0, 1.0)), "the joint stays");
    assert!(close(posed[2].translation.into(), Vec3::new(3.0, 17.0, 1.0)), "the hand swings up");
    assert_eq!(posed[4], rig.joints[4].model_from_bone, "the other side rests");
}

#[test]
fn angles_come_back_as_they_were_set() {
    let mut pose = Pose::default();
    pose.set_angles_deg(0, [20.0, -35.0, 110.0]);
    let back = pose.angles_deg(0);
    assert!(back.iter().zip([20.0, -35.0, 110.0]).all(|(own, set)| (own - set).abs() < 1e-3), "{back:?}");
    pose.set_angles_deg(0, [0.0; 3]);
    assert!(pose.is_rest());
    pose.set(3, Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0));
    assert!(pose.is_rest());
}

#[test]
fn a_mirrored_pose_puts_every_bone_at_the_image_of_its_pair() {
    let rig = Rig::of(&body());
    assert_eq!(rig.mirrored(), [Some(0), Some(3), Some(4), Some(1), Some(2)]);
    let nameless: Vec<_> = body().into_iter().map(|bone| Bone { name: String::new(), ..bone }).collect();
    assert_eq!(Rig::of(&nameless).mirrored(), rig.mirrored(), "names are not needed");
    let mut pose = Pose::default();
    pose.set_angles_deg(0, [10.0, 25.0, -15.0]);
    pose.set_angles_deg(1, [40.0, 5.0, 60.0]);
    pose.set_angles_deg(2, [-10.0, 80.0, 0.0]);
    let (posed, image) = (rig.posed(&pose), rig.posed(&rig.mirrored_pose(&pose)));
    for (bone, other) in rig.mirrored().into_iter().enumerate() {
        let at = Vec3::from(posed[bone].translation);
        let wanted = Vec3::new(-at.x, at.y, at.z);
        let found = Vec3::from(image[other.unwrap()].translation);
        assert!(close(wanted, found), "{bone}: {wanted} {found}");
    }
    let twice = rig.mirrored_pose(&rig.mirrored_pose(&pose));
    assert!(twice.turns().zip(pose.turns()).all(|(a, b)| a.1.dot(b.1).abs() > 0.9999));
}

#[test]
fn bones_of_a_skeleton_are_found_by_their_hashes_and_differences_are_told() {
    let mut other = body();
    other.swap(1, 3);
    other[2].parent = Some(3);
    other[4].parent = Some(1);
    // The hand of the left arm is gone, and the body rests elsewhere.
    other.remove(2);
    other[0].position = [0.0, 11.0, 0.0];
    other[3].parent = Some(1);
    let joined = Rig::of(&other).join(&body());
    assert_eq!(joined.bones, [Some(0), Some(2), None, Some(1), Some(3)]);
    assert_eq!(joined.notes.len(), 2, "{:?}", joined.notes);
    assert!(joined.notes[0].starts_with("Body rests 1 cm apart"), "{:?}", joined.notes);
}

#[test]
fn a_skeleton_whose_bones_come_in_another_order_moves_the_same_vertices() {
    let mesh = crate::formats::mmsh::FORMAT.sample;
    let bytes = bytes::Bytes::from(mesh());
    let Ok(crate::asset::Asset::Mesh(mesh)) = crate::format::load(&bytes, "a.mesh", &Task::new()) else {
        panic!("a mesh")
    };
    let mesh = Arc::new(mesh);
    let alone = Model::new(Some(Arc::clone(&mesh)), None, &Task::new()).unwrap();
    assert_eq!(alone.geometry.vertices.len(), 6);
    assert_eq!(alone.bone_of(1), Some(1));
    assert_eq!(alone.place_of(1), Some(1));
    let mut pose = Pose::default();
    pose.set_angles_deg(1, [0.0, 0.0, 90.0]);
    let skin = alone.skin(&pose);
    assert_eq!(skin.len(), PLACES);
    // The second group hangs on the second bone, whose joint is at (0, 10, 0).
    let first = alone.geometry.groups[1].first_vertex as usize;
    let [at, _] = Geometry::skinned(&alone.geometry.vertices[first], &skin);
    assert!(close(at, Vec3::new(10.0, 10.0, 0.0)), "{at}");
    let ray = Ray { start: Vec3::new(5.0, 10.2, 50.0), way: Vec3::NEG_Z };
    let hit = alone.pick(ray, &[0, 1], &skin, &Task::new()).unwrap();
    assert_eq!(hit.map(|hit| hit.group), Some(1));
    assert_eq!(alone.pick(ray, &[0], &skin, &Task::new()).unwrap(), None);
}

#[test]
fn a_vertex_that_hangs_on_no_bone_moves_with_none_however_many_there_are() {
    let bytes = bytes::Bytes::from((crate::formats::mmsh::FORMAT.sample)());
    let Ok(crate::asset::Asset::Mesh(mut mesh)) = crate::format::load(&bytes, "a.mesh", &Task::new()) else {
        panic!("a mesh")
    };
    let chain = (0..300u32).map(|at| bone(&at.to_string(), at.checked_sub(1), [0.0; 3], Quat::IDENTITY));
    mesh.bones = chain.collect();
    let model = Model::new(Some(Arc::new(mesh)), None, &Task::new()).unwrap();
    let mut pose = Pose::default();
    pose.set_angles_deg(0, [0.0, 90.0, 0.0]);
    let skin = model.skin(&pose);
    assert_eq!((model.bone_of(255), model.bone_of(NOWHERE)), (Some(255), None));
    assert_eq!(model.place_of(256), None);
    assert_ne!(skin[255], Affine3A::IDENTITY);
    assert_eq!((skin.len(), skin[256]), (PLACES, Affine3A::IDENTITY));
}
