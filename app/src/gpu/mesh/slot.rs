//! A place that models are drawn in.

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use glam::Affine3A;
use palimpsest_core::model::PLACES;

use super::pipelines::{COLOUR, DEPTH, Pipelines, SAMPLES};
use super::upload::{Uploaded, buffer};
use super::{Draw, Look, Part, View, colour};

/// Targets and uniforms of a place.
pub(super) struct Slot {
    pub(super) size_px: [u32; 2],
    pub(super) used: u64,
    /// What was drawn last: the model, how many textures were there, and how.
    pub(super) drawn: Option<(u64, usize, Look)>,
    /// The picture, for the panel.
    pub(super) pane: wgpu::BindGroup,
    samples: wgpu::TextureView,
    depths: wgpu::TextureView,
    picture: wgpu::TextureView,
    view: wgpu::Buffer,
    skin: wgpu::Buffer,
    scene: wgpu::BindGroup,
    parts: Vec<PartSlot>,
    /// Stands for a part where nothing of a mesh is drawn.
    blank: wgpu::BindGroup,
    marks: wgpu::Buffer,
}

/// The uniform and the textures of a part.
struct PartSlot {
    uniform: wgpu::Buffer,
    group: wgpu::BindGroup,
    textures: [Option<u64>; 3],
}

/// The uniform of a part, field for field.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct PartUniform {
    colour: [f32; 4],
    has: [f32; 4],
}

impl Slot {
    pub(super) fn new(device: &wgpu::Device, pipelines: &Pipelines, size_px: [u32; 2]) -> Self {
        let uniform = |label, bytes| buffer(device, label, bytes, wgpu::BufferUsages::UNIFORM);
        let (view, skin) =
            (uniform("mesh view", size_of::<View>()), uniform("mesh skin", PLACES * size_of::<[f32; 12]>()));
        let attached = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let shown = attached | wgpu::TextureUsages::TEXTURE_BINDING;
        let picture = target(device, size_px, COLOUR, 1, shown);
        let group =
            |label, layout, entries: &[wgpu::BindingResource<'_>]| bind(device, label, layout, entries);
        Self {
            size_px,
            used: 0,
            drawn: None,
            pane: group(
                "mesh pane",
                &pipelines.pane_layout,
                &[
                    wgpu::BindingResource::TextureView(&picture),
                    wgpu::BindingResource::Sampler(&pipelines.plain),
                ],
            ),
            samples: target(device, size_px, COLOUR, SAMPLES, attached),
            depths: target(device, size_px, DEPTH, SAMPLES, attached),
            scene: group(
                "mesh view",
                &pipelines.scene_layout,
                &[view.as_entire_binding(), skin.as_entire_binding()],
            ),
            picture,
            view,
            skin,
            parts: Vec::new(),
            blank: part_group(
                device,
                pipelines,
                &uniform("mesh part", size_of::<PartUniform>()),
                [None; 3],
                &HashMap::new(),
            ),
            marks: buffer(device, "mesh marks", 0, wgpu::BufferUsages::VERTEX),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "what is drawn, how, and with what")]
    pub(super) fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        pipelines: &Pipelines,
        uploaded: &Uploaded,
        draw: &Draw,
        textures: &HashMap<u64, wgpu::TextureView>,
    ) {
        let Draw { look, .. } = draw;
        queue.write_buffer(&self.view, 0, bytemuck::bytes_of(&look.view(self.size_px)));
        self.write_skin(queue, &look.skin);
        for (at, part) in look.parts.iter().enumerate() {
            self.need_part(device, queue, pipelines, (at, part), textures);
        }
        let marks: &[u8] = bytemuck::cast_slice(&look.marks);
        if self.marks.size() < marks.len() as u64 {
            self.marks = buffer(device, "mesh marks", marks.len(), wgpu::BufferUsages::VERTEX);
        }
        queue.write_buffer(&self.marks, 0, marks);
        let [r, g, b, a] = colour(look.ground).map(f64::from);
        let ground = wgpu::Color { r: r * a, g: g * a, b: b * a, a };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("mesh"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.samples,
                depth_slice: None,
                resolve_target: Some(&self.picture),
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(ground), store: wgpu::StoreOp::Discard },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &self.depths,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        });
        self.record(&mut pass, pipelines, uploaded, draw);
    }

    /// Tells the shader what moves vertices.
    pub(super) fn write_skin(&self, queue: &wgpu::Queue, skin: &[Affine3A]) {
        queue.write_buffer(&self.skin, 0, bytemuck::cast_slice(&rows(skin)));
    }

    /// Lets a pass see the view and what moves vertices.
    pub(super) fn bind_scene(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_bind_group(0, &self.scene, &[]);
    }

    fn record(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipelines: &Pipelines,
        uploaded: &Uploaded,
        draw: &Draw,
    ) {
        let (look, spans) = (&draw.look, &draw.drawable.model.geometry.groups);
        let spans = |part: &Part| spans.get(part.group).filter(|span| span.index_count > 0);
        self.bind_scene(pass);
        pass.set_vertex_buffer(0, uploaded.vertices.slice(..));
        let parts =
            || self.parts.iter().zip(&look.parts).filter_map(|(slot, part)| Some((slot, spans(part)?)));
        if look.unwrap.is_none() {
            pass.set_pipeline(&pipelines.solid);
            pass.set_index_buffer(uploaded.indices.slice(..), wgpu::IndexFormat::Uint32);
            for (slot, span) in parts() {
                pass.set_bind_group(1, &slot.group, &[]);
                pass.draw_indexed(span.first_index..span.first_index + span.index_count, 0, 0..1);
            }
        }
        pass.set_bind_group(1, &self.blank, &[]);
        if let Some(wires) = uploaded.wires.as_ref().filter(|_| look.has_wires || look.unwrap.is_some()) {
            pass.set_pipeline(if look.unwrap.is_some() { &pipelines.unwrap } else { &pipelines.wire });
            pass.set_index_buffer(wires.slice(..), wgpu::IndexFormat::Uint32);
            for (_, span) in parts() {
                let first = 2 * span.first_index;
                pass.draw_indexed(first..first + 2 * span.index_count, 0, 0..1);
            }
        }
        if look.unwrap.is_some() {
            return;
        }
        let kinds = [(look.spikes.normals, 0..2), (look.spikes.tangents, 2..6)];
        pass.set_pipeline(&pipelines.spikes);
        for (_, lines) in kinds.into_iter().filter(|(is_shown, _)| *is_shown) {
            for (_, span) in parts() {
                pass.draw(lines.clone(), span.first_vertex..span.first_vertex + span.vertex_count);
            }
        }
        self.record_marks(pass, pipelines, look);
    }

    fn record_marks(&self, pass: &mut wgpu::RenderPass<'_>, pipelines: &Pipelines, look: &Look) {
        let count = u32::try_from(look.marks.len()).unwrap_or(0);
        if count == 0 {
            return;
        }
        pass.set_pipeline(&pipelines.marks);
        pass.set_vertex_buffer(0, self.marks.slice(..));
        pass.draw(0..count, 0..1);
    }

    /// Has the uniform and the textures of a part ready.
    fn need_part(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pipelines: &Pipelines,
        (at, part): (usize, &Part),
        textures: &HashMap<u64, wgpu::TextureView>,
    ) {
        let there = part.textures().map(|id| id.filter(|id| textures.contains_key(id)));
        if self.parts.get(at).is_none_or(|slot| slot.textures != there) {
            let size = size_of::<PartUniform>();
            let uniform = buffer(device, "mesh part", size, wgpu::BufferUsages::UNIFORM);
            let group = part_group(device, pipelines, &uniform, there, textures);
            let slot = PartSlot { uniform, group, textures: there };
            match self.parts.get_mut(at) {
                Some(own) => *own = slot,
                None => self.parts.push(slot),
            }
        }
        let Some(slot) = self.parts.get(at) else { return };
        let flag = |id: Option<u64>| if id.is_some() { 1.0 } else { 0.0 };
        let [r, g, b, _] = colour(part.colour);
        let [diffuse, normals, surface] = there.map(flag);
        let uniform = PartUniform { colour: [r, g, b, part.mark], has: [diffuse, normals, surface, 0.0] };
        queue.write_buffer(&slot.uniform, 0, bytemuck::bytes_of(&uniform));
    }
}

/// The uniform and the textures of a part, those that are there.
fn part_group(
    device: &wgpu::Device,
    pipelines: &Pipelines,
    uniform: &wgpu::Buffer,
    there: [Option<u64>; 3],
    textures: &HashMap<u64, wgpu::TextureView>,
) -> wgpu::BindGroup {
    let view = |id: Option<u64>| id.and_then(|id| textures.get(&id)).unwrap_or(&pipelines.white);
    let [diffuse, normals, surface] = there.map(view);
    let resources = [
        uniform.as_entire_binding(),
        wgpu::BindingResource::TextureView(diffuse),
        wgpu::BindingResource::TextureView(normals),
        wgpu::BindingResource::TextureView(surface),
        wgpu::BindingResource::Sampler(&pipelines.repeating),
    ];
    bind(device, "mesh part", &pipelines.part_layout, &resources)
}

/// The first three rows of each matrix.
fn rows(skin: &[Affine3A]) -> Vec<[[f32; 4]; 3]> {
    let row = |of: &Affine3A| {
        let rows = glam::Mat4::from(*of).transpose().to_cols_array_2d();
        [rows[0], rows[1], rows[2]]
    };
    (0..PLACES).map(|place| row(skin.get(place).unwrap_or(&Affine3A::IDENTITY))).collect()
}

fn target(
    device: &wgpu::Device,
    [width, height]: [u32; 2],
    format: wgpu::TextureFormat,
    sample_count: u32,
    usage: wgpu::TextureUsages,
) -> wgpu::TextureView {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some("mesh picture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn bind(
    device: &wgpu::Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    resources: &[wgpu::BindingResource<'_>],
) -> wgpu::BindGroup {
    let entries = (0..).zip(resources);
    let entries =
        entries.map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() });
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(label),
        layout,
        entries: &entries.collect::<Vec<_>>(),
    })
}
