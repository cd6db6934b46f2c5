//! Bones as nodes, and the skin that binds vertices to them.

use glam::{Affine3A, Mat4, Quat, Vec3};
use gltf::json;
use gltf::json::accessor::{ComponentType, Type};
use gltf::json::scene::UnitQuaternion;

use super::document::{Document, List};
use crate::export::model::{METRES, right_handed};
use crate::export::surface::Repairs;
use crate::model::{Joint, Model, Rig, bone_from_socket};

/// How far from one a scale may be and still be none: transforms of bones are multiplied in single precision.
const CLOSE: f32 = 1e-4;

/// The nodes of bones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bones {
    pub(super) skin: json::Index<json::Skin>,
    /// What all of them hang on, near or far.
    pub(super) root: json::Index<json::Node>,
    pub(super) count: usize,
}

/// Adds a node for each socket of the skeleton, on its bone; how many have no bone, or no place.
pub(super) fn add_sockets(out: &mut Document, model: &Model) -> u64 {
    let sockets = model.skeleton.iter().flat_map(|skeleton| &skeleton.sockets);
    let mut left_out = 0;
    for socket in sockets {
        let bone = socket.bone as usize;
        let place = bone_from_socket(socket).filter(|_| bone < model.rig.joints.len());
        let (Some(place), true) = (place, bone < out.root.nodes.len()) else {
            left_out += 1;
            continue;
        };
        let node = json::Node { name: Some(socket.name.clone()), ..at(place) };
        let node = out.root.push(node);
        if let Some(bone) = out.root.nodes.get_mut(bone) {
            bone.children.get_or_insert_default().push(node);
        }
    }
    left_out
}

/// Adds the bones in the order of their records: the first nodes of the document, so that a bone has the same
/// number as its node and in the skin.
pub(super) fn add(out: &mut Document, rig: &Rig, repairs: &mut Repairs) -> Option<Bones> {
    let nodes = rig.joints.iter().map(|joint| node(rig, joint, repairs));
    let nodes: Vec<_> = nodes.collect();
    let joints: Vec<_> = nodes.into_iter().map(|node| out.root.push(node)).collect();
    let roots = rig.joints.iter().zip(&joints).filter(|(joint, _)| joint.parent.is_none());
    let roots: Vec<_> = roots.map(|(_, index)| *index).collect();
    let root = match roots.as_slice() {
        [] => return None,
        [root] => *root,
        // The bones of a skin hang on one node.
        roots => out.root.push(json::Node {
            name: Some("bones".to_owned()),
            children: Some(roots.to_vec()),
            ..json::Node::default()
        }),
    };
    let list = List { component: ComponentType::F32, shape: Type::Mat4, is_normalized: false, target: None };
    let inverses: Vec<_> = rig.joints.iter().map(|joint| in_metres(joint.bone_from_model)).collect();
    let inverses = out.list(&inverses, list);
    let count = joints.len();
    let skin = out.root.push(json::Skin {
        extensions: None,
        extras: None,
        inverse_bind_matrices: Some(inverses),
        joints,
        name: None,
        skeleton: None,
    });
    Some(Bones { skin, root, count })
}

/// A transform of places in centimetres as one of places in metres and right-handed axes, column by column;
/// what is no transform moves nothing.
fn in_metres(transform: Affine3A) -> [f32; 16] {
    let transform = if transform.is_finite() { transform } else { Affine3A::IDENTITY };
    let mirror = Affine3A::from_scale(Vec3::from(right_handed([1.0; 3])));
    let mut scaled = mirror * transform * mirror;
    scaled.translation *= METRES;
    Mat4::from(scaled).to_cols_array()
}

/// A bone with its transform relative to the one that it hangs on. Files state it in the space of the model.
fn node(rig: &Rig, joint: &Joint, repairs: &mut Repairs) -> json::Node {
    let above = joint.parent.and_then(|parent| rig.joints.get(parent));
    let above = above.map_or(Affine3A::IDENTITY, |above| above.bone_from_model);
    let node = at(above * joint.model_from_bone);
    repairs.bones += u64::from(node.translation.is_none());
    let named = (!joint.name.is_empty()).then(|| joint.name.clone());
    let children: Vec<_> = joint.children.iter().filter_map(|child| u32::try_from(*child).ok()).collect();
    json::Node {
        name: Some(named.unwrap_or_else(|| format!("bone_{:#010x}", joint.hash))),
        children: (!children.is_empty()).then(|| children.into_iter().map(json::Index::new).collect()),
        ..node
    }
}

/// A node at a transform relative to what it hangs on; without one where it is none.
fn at(transform: Affine3A) -> json::Node {
    let (scale, rotation, at) = transform.to_scale_rotation_translation();
    let is_there = scale.is_finite() && rotation.is_finite() && rotation.is_normalized() && at.is_finite();
    let has_scale = is_there && (scale - Vec3::ONE).abs().max_element() > CLOSE;
    json::Node {
        translation: is_there.then(|| right_handed((at * METRES).to_array())),
        rotation: is_there.then(|| UnitQuaternion(mirrored(rotation).normalize().to_array())),
        scale: has_scale.then(|| scale.to_array()),
        ..json::Node::default()
    }
}

/// A turn in right-handed axes: in a mirror an axis keeps its part along the mirror's normal, and the sense is
/// the other one.
fn mirrored(turn: Quat) -> Quat {
    Quat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w)
}
