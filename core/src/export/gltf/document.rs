//! A document while it is made, and its data.

use bytemuck::Pod;
use gltf::json;
use gltf::json::accessor::{ComponentType, GenericComponentType, Type};
use gltf::json::buffer::{Target, View};
use gltf::json::validation::Checked;

/// The structure and the bytes that it speaks of.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) root: json::Root,
    /// Everything begins at a multiple of four.
    pub(super) bytes: Vec<u8>,
}

/// What the numbers of a list are.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    pub(super) component: ComponentType,
    pub(super) shape: Type,
    /// Whether whole numbers stand for parts of one.
    pub(super) is_normalized: bool,
    /// What it is for, where that is to be said.
    pub(super) target: Option<Target>,
}

impl List {
    /// Numbers of every vertex.
    pub(super) const fn of_vertices(component: ComponentType, shape: Type) -> Self {
        Self { component, shape, is_normalized: false, target: Some(Target::ArrayBuffer) }
    }

    /// The same as parts of one.
    pub(super) const fn normalized(self) -> Self {
        Self { is_normalized: true, ..self }
    }
}

impl Document {
    /// Adds bytes.
    pub(super) fn view(&mut self, bytes: &[u8], target: Option<Target>) -> json::Index<View> {
        let offset = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.root.push(View {
            buffer: json::Index::new(0),
            byte_length: bytes.len().into(),
            byte_offset: Some(offset.into()),
            byte_stride: None,
            name: None,
            target: target.map(Checked::Valid),
            extensions: None,
            extras: None,
        })
    }

    /// Adds a list of numbers, one value after another.
    pub(super) fn list<T: Pod>(&mut self, values: &[T], list: List) -> json::Index<json::Accessor> {
        let view = self.view(bytemuck::cast_slice(values), list.target);
        self.root.push(json::Accessor {
            buffer_view: Some(view),
            byte_offset: None,
            count: values.len().into(),
            component_type: Checked::Valid(GenericComponentType(list.component)),
            extensions: None,
            extras: None,
            type_: Checked::Valid(list.shape),
            min: None,
            max: None,
            name: None,
            normalized: list.is_normalized,
            sparse: None,
        })
    }

    /// Adds places, with the corners of the box around them.
    pub(super) fn places(&mut self, places: &[[f32; 3]]) -> json::Index<json::Accessor> {
        let index = self.list(places, List::of_vertices(ComponentType::F32, Type::Vec3));
        let corner = |pick: fn(f32, f32) -> f32| {
            let [x, y, z] = places.iter().copied().reduce(|[x, y, z], at| {
                let [other_x, other_y, other_z] = at;
                [pick(x, other_x), pick(y, other_y), pick(z, other_z)]
            })?;
            Some(json::Value::from(vec![x, y, z]))
        };
        if let Some(accessor) = self.root.accessors.last_mut() {
            (accessor.min, accessor.max) = (corner(f32::min), corner(f32::max));
        }
        index
    }

    /// Adds numbers of vertices, each below their count, in as few bytes as hold them.
    pub(super) fn indices(&mut self, indices: &[u32], vertices: usize) -> json::Index<json::Accessor> {
        let list = |component| List {
            component,
            shape: Type::Scalar,
            is_normalized: false,
            target: Some(Target::ElementArrayBuffer),
        };
        // The largest number of a kind is kept for other things.
        if vertices > usize::from(u16::MAX) {
            return self.list(indices, list(ComponentType::U32));
        }
        let small = |index: &u32| u16::try_from(*index).expect("below a count of vertices that fits");
        let small: Vec<_> = indices.iter().map(small).collect();
        self.list(&small, list(ComponentType::U16))
    }
}
