//! How the graphics card draws models.

use palimpsest_core::model::Vertex;
use wgpu::{VertexBufferLayout, VertexStepMode};

use super::Mark;

/// The format of pictures that are drawn apart: colours as the screen shows them.
pub(super) const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// The format of depths, 1 for what is near.
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;
/// Samples of a pixel; every card has as many.
pub(super) const SAMPLES: u32 = 4;

/// Everything that is the same for all models.
pub(super) struct Pipelines {
    pub(super) solid: wgpu::RenderPipeline,
    pub(super) wire: wgpu::RenderPipeline,
    pub(super) unwrap: wgpu::RenderPipeline,
    pub(super) spikes: wgpu::RenderPipeline,
    pub(super) marks: wgpu::RenderPipeline,
    pub(super) pane: wgpu::RenderPipeline,
    pub(super) scene_layout: wgpu::BindGroupLayout,
    pub(super) part_layout: wgpu::BindGroupLayout,
    pub(super) pane_layout: wgpu::BindGroupLayout,
    /// Repeats textures.
    pub(super) repeating: wgpu::Sampler,
    pub(super) plain: wgpu::Sampler,
    /// Stands for textures that are not there.
    pub(super) white: wgpu::TextureView,
}

/// How the vertices of a model lie.
const ATTRIBUTES: [wgpu::VertexAttribute; 10] = wgpu::vertex_attr_array![
    0 => Float32x3, 1 => Float32x3, 2 => Float32x4,
    3 => Float32x2, 4 => Float32x2, 5 => Float32x2, 6 => Float32x2,
    7 => Unorm8x4, 8 => Unorm8x4, 9 => Uint16x4,
];

/// How the corners of lines lie.
const MARK: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Float32x3, 1 => Unorm8x4];

/// What a pipeline takes its vertices from.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// The vertices of the model, one by one.
    Vertices,
    /// One of them for each instance.
    Instances,
    /// The corners of lines.
    Marks,
}

impl Source {
    pub(super) const fn layout(self) -> VertexBufferLayout<'static> {
        let (size, step_mode, attributes): (_, _, &[wgpu::VertexAttribute]) = match self {
            Self::Vertices => (size_of::<Vertex>(), VertexStepMode::Vertex, &ATTRIBUTES),
            Self::Instances => (size_of::<Vertex>(), VertexStepMode::Instance, &ATTRIBUTES),
            Self::Marks => (size_of::<Mark>(), VertexStepMode::Vertex, &MARK),
        };
        VertexBufferLayout { array_stride: size as u64, step_mode, attributes }
    }
}

/// What tells one pipeline from another.
#[derive(Clone, Copy)]
struct Kind<'a> {
    label: &'a str,
    entries: [&'a str; 2],
    source: Source,
    topology: wgpu::PrimitiveTopology,
    /// Whether depths are compared, and whether they are kept.
    depth: [bool; 2],
    blend: Option<wgpu::BlendState>,
}

impl Pipelines {
    pub(super) fn new(device: &wgpu::Device, queue: &wgpu::Queue, target: wgpu::TextureFormat) -> Self {
        let scene_layout = layout(device, "mesh view", &[UNIFORM, UNIFORM]);
        let part_layout = layout(device, "mesh part", &[UNIFORM, TEXTURE, TEXTURE, TEXTURE, SAMPLER]);
        let pane_layout = layout(device, "mesh pane", &[TEXTURE, SAMPLER]);
        let shader = device.create_shader_module(wgpu::include_wgsl!("../shaders/mesh.wgsl"));
        let own = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("mesh"),
            bind_group_layouts: &[Some(&scene_layout), Some(&part_layout)],
            immediate_size: 0,
        });
        let lines = wgpu::PrimitiveTopology::LineList;
        let plain = Kind {
            label: "mesh",
            entries: ["corner", "pixel"],
            source: Source::Vertices,
            topology: wgpu::PrimitiveTopology::TriangleList,
            depth: [true, true],
            blend: None,
        };
        let blend = Some(wgpu::BlendState::ALPHA_BLENDING);
        let wire = Kind { label: "mesh edges", entries: ["wire", "wired"], topology: lines, blend, ..plain };
        let make = |kind: &Kind<'_>| pipeline(device, &shader, &own, kind);
        Self {
            solid: make(&plain),
            wire: make(&Kind { depth: [true, false], ..wire }),
            unwrap: make(&Kind { entries: ["unwrap", "wired"], depth: [false, false], ..wire }),
            spikes: make(&Kind { entries: ["spike", "painted"], source: Source::Instances, ..wire }),
            marks: make(&Kind {
                label: "mesh marks",
                entries: ["mark", "painted"],
                source: Source::Marks,
                depth: [true, false],
                ..wire
            }),
            pane: pane(device, &pane_layout, target),
            scene_layout,
            part_layout,
            pane_layout,
            repeating: sampler(device, wgpu::AddressMode::Repeat),
            plain: sampler(device, wgpu::AddressMode::ClampToEdge),
            white: white(device, queue),
        }
    }
}

const UNIFORM: wgpu::BindingType = wgpu::BindingType::Buffer {
    ty: wgpu::BufferBindingType::Uniform,
    has_dynamic_offset: false,
    min_binding_size: None,
};
const TEXTURE: wgpu::BindingType = wgpu::BindingType::Texture {
    sample_type: wgpu::TextureSampleType::Float { filterable: true },
    view_dimension: wgpu::TextureViewDimension::D2,
    multisampled: false,
};
const SAMPLER: wgpu::BindingType = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);

fn layout(device: &wgpu::Device, label: &str, types: &[wgpu::BindingType]) -> wgpu::BindGroupLayout {
    let entries: Vec<_> = (0..).zip(types).map(|(binding, ty)| crate::gpu::entry(binding, *ty)).collect();
    device
        .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
}

fn pipeline(
    device: &wgpu::Device,
    shader: &wgpu::ShaderModule,
    layout: &wgpu::PipelineLayout,
    kind: &Kind<'_>,
) -> wgpu::RenderPipeline {
    let [vertex, fragment] = kind.entries;
    let [is_compared, is_kept] = kind.depth;
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(kind.label),
        layout: Some(layout),
        vertex: wgpu::VertexState {
            module: shader,
            entry_point: Some(vertex),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[Some(kind.source.layout())],
        },
        // Numbers that say counter-clockwise run clockwise where +X is to the left of the front.
        primitive: wgpu::PrimitiveState {
            topology: kind.topology,
            front_face: wgpu::FrontFace::Cw,
            ..wgpu::PrimitiveState::default()
        },
        depth_stencil: Some(wgpu::DepthStencilState {
            format: DEPTH,
            depth_write_enabled: Some(is_kept),
            depth_compare: Some(if is_compared {
                wgpu::CompareFunction::GreaterEqual
            } else {
                wgpu::CompareFunction::Always
            }),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState { count: SAMPLES, ..wgpu::MultisampleState::default() },
        fragment: Some(wgpu::FragmentState {
            module: shader,
            entry_point: Some(fragment),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(wgpu::ColorTargetState {
                format: COLOUR,
                blend: kind.blend,
                write_mask: wgpu::ColorWrites::ALL,
            })],
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// What puts a picture into a panel.
fn pane(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    target: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    let shader = device.create_shader_module(wgpu::include_wgsl!("../shaders/pane.wgsl"));
    let target = wgpu::ColorTargetState {
        format: target,
        blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
        write_mask: wgpu::ColorWrites::ALL,
    };
    crate::gpu::rectangle(device, "mesh pane", &shader, layout, target)
}

fn sampler(device: &wgpu::Device, address: wgpu::AddressMode) -> wgpu::Sampler {
    device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("mesh"),
        address_mode_u: address,
        address_mode_v: address,
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        ..wgpu::SamplerDescriptor::default()
    })
}

fn white(device: &wgpu::Device, queue: &wgpu::Queue) -> wgpu::TextureView {
    let size = wgpu::Extent3d { width: 1, height: 1, depth_or_array_layers: 1 };
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("white"),
        size,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: COLOUR,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4), rows_per_image: None };
    queue.write_texture(texture.as_image_copy(), &[255; 4], layout, size);
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}
