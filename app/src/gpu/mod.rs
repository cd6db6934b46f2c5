//! The graphics card: how it is asked for, what it can do, and what is drawn on it.
//!
//! Knows assets and pixels; never a path.

pub mod mesh;
pub mod offscreen;
pub mod orbit;
pub mod pixels;
pub mod texture;

use std::sync::Arc;

use egui_wgpu::{RenderState, WgpuConfiguration, WgpuSetup, WgpuSetupCreateNew};

/// What the graphics card can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caps {
    /// Whether block-compressed textures can be uploaded as they are.
    pub has_bc: bool,
    /// Pixels along a side of the largest texture.
    pub max_side: u32,
    /// The name of the adapter and its interface.
    pub adapter: String,
}

impl Caps {
    /// What the graphics card behind a render state can do.
    pub fn of(state: &RenderState) -> Self {
        let info = state.adapter.get_info();
        Self {
            has_bc: state.device.features().contains(wgpu::Features::TEXTURE_COMPRESSION_BC),
            max_side: state.device.limits().max_texture_dimension_2d,
            adapter: format!("{} ({})", info.name, info.backend),
        }
    }
}

/// Makes the renderer ready to draw textures and models.
pub fn install(state: &RenderState) {
    texture::install(state);
    mesh::install(state);
}

/// What of the graphics card is asked for where it has it: textures as they are stored.
pub const WANTED: wgpu::Features = wgpu::Features::TEXTURE_COMPRESSION_BC;

/// How a graphics card is asked for: with those of the `wanted` features and the largest textures that the
/// adapter offers, but content with less.
pub fn configuration(wanted: wgpu::Features) -> WgpuConfiguration {
    let mut setup = WgpuSetupCreateNew::without_display_handle();
    let base = Arc::clone(&setup.device_descriptor);
    setup.device_descriptor = Arc::new(move |adapter| {
        let mut descriptor = base(adapter);
        descriptor.label = Some("palimpsest");
        descriptor.required_features |= adapter.features() & wanted;
        descriptor.required_limits.max_texture_dimension_2d = adapter.limits().max_texture_dimension_2d;
        descriptor.required_limits.max_buffer_size = adapter.limits().max_buffer_size;
        descriptor
    });
    WgpuConfiguration { wgpu_setup: WgpuSetup::CreateNew(setup), ..WgpuConfiguration::default() }
}

const fn entry(binding: u32, ty: wgpu::BindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility: wgpu::ShaderStages::VERTEX_FRAGMENT, ty, count: None }
}

/// Runs calls of the graphics interface; an error, which would end the program, is returned instead.
fn attempt<T>(device: &wgpu::Device, calls: impl FnOnce() -> T) -> Result<T, String> {
    let filters =
        [wgpu::ErrorFilter::Internal, wgpu::ErrorFilter::OutOfMemory, wgpu::ErrorFilter::Validation];
    let scopes = filters.map(|filter| device.push_error_scope(filter));
    let value = calls();
    // Scopes end in the reverse order of their starts.
    let errors = scopes.into_iter().rev().filter_map(|scope| pollster::block_on(scope.pop()));
    let errors: Vec<_> = errors.map(|error| error.to_string()).collect();
    if errors.is_empty() { Ok(value) } else { Err(errors.join("\n")) }
}

/// What has to go so that no more than `most` bytes stay, that which was not used for longest first, and never
/// what was used after the frame `last`. Each is told by the frame that used it, its key, and its bytes.
fn unused(mut uploaded: Vec<(u64, u64, u64)>, most: u64, last: u64) -> Vec<u64> {
    let mut bytes: u64 = uploaded.iter().map(|(.., size)| size).sum();
    uploaded.sort_unstable();
    let old = uploaded.into_iter().take_while(|(used, _, size)| {
        let goes = bytes > most && *used <= last;
        bytes -= if goes { *size } else { 0 };
        goes
    });
    old.map(|(_, key, _)| key).collect()
}

/// A pipeline that draws a rectangle of four corners, which the shader makes of their numbers.
fn rectangle(
    device: &wgpu::Device,
    label: &str,
    shader: &wgpu::ShaderModule,
    layout: &wgpu::BindGroupLayout,
    target: wgpu::ColorTargetState,
) -> wgpu::RenderPipeline {
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(label),
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(label),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: shader,
            entry_point: Some("corner"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..wgpu::PrimitiveState::default()
        },
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: shader,
            entry_point: Some("pixel"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(target)],
        }),
        multiview_mask: None,
        cache: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_longest_goes_first_and_never_what_is_drawn() {
        let uploaded = vec![(9, 1, 50), (3, 2, 40), (5, 3, 30), (4, 4, 20)];
        assert_eq!(unused(uploaded.clone(), 200, 8), [0; 0]);
        assert_eq!(unused(uploaded.clone(), 100, 8), [2]);
        assert_eq!(unused(uploaded.clone(), 0, 8), [2, 4, 3]);
        assert_eq!(unused(uploaded, 0, 4), [2, 4]);
    }
}
