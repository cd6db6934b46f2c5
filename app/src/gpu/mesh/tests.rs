use glam::{Quat, Vec3};
use palimpsest_core::asset::{
    Arena, Attribute, AttributeLayout, Bone, Group, Mesh, ObjectRecord, Semantic, Stream, VertexFormat,
};
use palimpsest_core::model::{Geometry, Pose};
use palimpsest_core::task::Task;

use super::*;
use crate::gpu::offscreen::{read_texture, render_state};

/// Numbers that look random and are the same each time.
struct Random(u32);

impl Random {
    /// From 0 to 1.
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 24) as f32
    }

    fn vector(&mut self, size: f32) -> Vec3 {
        (Vec3::new(self.next(), self.next(), self.next()) - 0.5) * (2.0 * size)
    }

    fn turn(&mut self) -> Quat {
        Quat::from_axis_angle(self.vector(1.0).normalize_or(Vec3::X), 6.0 * self.next() - 3.0)
    }

    fn byte(&mut self) -> u8 {
        (self.next() * 255.0) as u8
    }
}

/// What vertices are told in.
const TOLD: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;

const BONES: u32 = 60;
const VERTICES: u32 = 4000;
/// Centimetres from the middle to the farthest corner of what is made here.
const SIZE: f32 = 100.0;

/// A cloud of vertices, each on four of sixty bones that hang on each other in a tree.
fn cloud() -> Mesh {
    let mut random = Random(7);
    let bone = |at: u32, random: &mut Random| Bone {
        hash: at + 1,
        name: String::new(),
        parent: at.checked_sub(1).map(|above| above / 2),
        children: 0,
        position: random.vector(SIZE).into(),
        rotation: random.turn().to_array(),
        scale: 1.0,
        deforms: true,
    };
    let mut data = Vec::new();
    for _ in 0..VERTICES {
        data.extend(random.vector(SIZE).to_array().into_iter().flat_map(f32::to_le_bytes));
        let parts = [random.byte() / 3, random.byte() / 3, random.byte() / 3];
        data.extend([parts[0], parts[1], parts[2], 255 - parts.iter().sum::<u8>()]);
        data.extend([0; 4].map(|_: u8| random.byte() % 60));
    }
    let attribute = |offset, layout, semantic| Attribute {
        stream: 0,
        offset: Some(offset),
        layout,
        semantic,
        channel: 0,
    };
    let attributes = vec![
        attribute(0, AttributeLayout::F32x3, Semantic::Position),
        attribute(12, AttributeLayout::U8x4, Semantic::Weights),
        attribute(16, AttributeLayout::U8x4, Semantic::BoneIndices),
    ];
    Mesh {
        objects: vec![1],
        records: vec![ObjectRecord { object: 0, arena: Some(0), material: 0, flags: 3 }],
        lods: Vec::new(),
        arenas: vec![Arena { groups: 0..1, triangles: [0; 16] }],
        groups: vec![Group {
            arena: 0,
            format: 0,
            vertex_count: VERTICES,
            streams: vec![Stream { offset: 0, stride: 20, data: data.into() }],
            index_offset: 0,
            indices: bytes::Bytes::new(),
            palette_offset: 0,
            // Another order than that of the places.
            palette: (0..BONES as u8).rev().collect(),
            unknown: [0.5; 2],
        }],
        formats: vec![VertexFormat { attributes, strides: vec![Some(20)] }],
        bones: (0..BONES).map(|at| bone(at, &mut random)).collect(),
        cull_distance: 1000.0,
        centre: [0.0; 3],
        radius: SIZE,
    }
}

/// A pipeline that writes where vertices are and where they face, one pixel for each.
fn probe(device: &wgpu::Device, pipelines: &Pipelines) -> wgpu::RenderPipeline {
    const PROBE: &str = "
        struct Probe { @builtin(position) position: vec4<f32>, @location(0) a: vec3<f32>, @location(1) b: vec3<f32> }
        struct Out { @location(0) a: vec4<f32>, @location(1) b: vec4<f32> }
        @vertex fn probe(in: Vertex, @builtin(vertex_index) index: u32) -> Probe {
            let own = moved(in);
            let at = (f32(index) + 0.5) / 4000.0 * 2.0 - 1.0;
            return Probe(vec4<f32>(at, 0.0, 0.5, 1.0), own.position, own.normal);
        }
        @fragment fn tell(in: Probe) -> Out { return Out(vec4<f32>(in.a, 1.0), vec4<f32>(in.b, 1.0)); }";
    let source = format!("{}{PROBE}", include_str!("../shaders/mesh.wgsl"));
    let shader = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("probe"),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some("probe"),
        bind_group_layouts: &[Some(&pipelines.scene_layout)],
        immediate_size: 0,
    });
    let told = Some(wgpu::ColorTargetState { format: TOLD, blend: None, write_mask: wgpu::ColorWrites::ALL });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("probe"),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &shader,
            entry_point: Some("probe"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[Some(pipelines::Source::Vertices.layout())],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::PointList,
            ..wgpu::PrimitiveState::default()
        },
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &shader,
            entry_point: Some("tell"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[told.clone(), told],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// What the graphics card makes of where vertices are and of where they face.
fn on_card(state: &RenderState, model: &Model, skin: &[Affine3A]) -> Vec<[Vec3; 2]> {
    let RenderState { device, queue, .. } = state;
    let pipelines = Pipelines::new(device, queue, state.target_format);
    let pipeline = probe(device, &pipelines);
    let targets = [0, 1].map(|_| {
        device.create_texture(&wgpu::TextureDescriptor {
            label: Some("probe"),
            size: wgpu::Extent3d { width: VERTICES, height: 1, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: TOLD,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        })
    });
    let views = targets.each_ref().map(|target| target.create_view(&wgpu::TextureViewDescriptor::default()));
    let slot = Slot::new(device, &pipelines, [16, 16]);
    let mut uploaded = Uploaded::new(device, &model.geometry);
    assert!(uploaded.write_some(queue, &model.geometry));
    slot.write_skin(queue, skin);
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let attachment = |view| {
        Some(wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations::default(),
        })
    };
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[attachment(&views[0]), attachment(&views[1])],
        ..wgpu::RenderPassDescriptor::default()
    });
    pass.set_pipeline(&pipeline);
    slot.bind_scene(&mut pass);
    pass.set_vertex_buffer(0, uploaded.vertices.slice(..));
    pass.draw(0..VERTICES, 0..1);
    drop(pass);
    queue.submit([encoder.finish()]);
    let [places, facings] = targets.each_ref().map(|target| {
        let bytes = read_texture(state, target, 16).unwrap();
        let number = |bytes: &[u8; 4]| f32::from_le_bytes(*bytes);
        let texels = bytes.as_chunks::<16>().0.iter();
        texels
            .map(|texel| Vec3::from_slice(&texel.as_chunks::<4>().0.iter().map(number).collect::<Vec<_>>()))
            .collect::<Vec<_>>()
    });
    places.into_iter().zip(facings).map(|(place, facing)| [place, facing]).collect()
}

#[test]
fn the_graphics_card_moves_vertices_as_the_processor_does() {
    let state = render_state().unwrap();
    let model = Model::new(Some(Arc::new(cloud())), None, &Task::new()).unwrap();
    let mut random = Random(99);
    let mut farthest = 0.0f32;
    for round in 0..6 {
        let mut pose = Pose::default();
        for bone in 0..BONES as usize {
            // At rest first, then everything turned, then a part of it.
            if round > 0 && (round < 3 || random.next() < 0.3) {
                pose.set(bone, random.turn());
            }
        }
        let skin = model.skin(&pose);
        let moved = on_card(&state, &model, &skin);
        assert_eq!(moved.len(), VERTICES as usize);
        for (vertex, [place, facing]) in model.geometry.vertices.iter().zip(moved) {
            let [wanted, faces] = Geometry::skinned(vertex, &skin);
            farthest = farthest.max(place.distance(wanted));
            assert!(facing.normalize_or(faces).distance(faces) < 1e-3, "{facing} {faces}");
        }
    }
    assert!(farthest < 1e-3 * SIZE, "{farthest} cm apart");
}
