//! The window without a window: egui drawn into a texture and read back.

use egui_wgpu::{RenderState, RendererOptions, ScreenDescriptor};
use palimpsest_core::error::{Error, Result};

use super::{WANTED, configuration};

/// Bytes of a pixel of the target.
const PIXEL: u32 = 4;

/// Asks for a graphics card without a display, as the window does.
///
/// # Errors
/// `Unsupported` that says what the system answered, when there is none.
pub fn render_state() -> Result<RenderState> {
    render_state_with(WANTED)
}

/// Asks for a graphics card without a display, with those of the `wanted` features that it has.
///
/// # Errors
/// `Unsupported` that says what the system answered, when there is none.
pub fn render_state_with(wanted: wgpu::Features) -> Result<RenderState> {
    // OpenGL talks to a display even where there is none, and complains: it is asked last.
    let found = create(wanted, wgpu::Backends::PRIMARY).or_else(|_| create(wanted, wgpu::Backends::all()));
    found.map_err(|error| {
        Error::unsupported(format!(
            "no graphics adapter: {error}; a driver for Vulkan, DirectX 12, Metal or OpenGL is needed, \
             Mesa's software driver will do"
        ))
    })
}

fn create(
    wanted: wgpu::Features,
    backends: wgpu::Backends,
) -> std::result::Result<RenderState, egui_wgpu::WgpuError> {
    let mut configuration = configuration(wanted);
    if let egui_wgpu::WgpuSetup::CreateNew(setup) = &mut configuration.wgpu_setup {
        setup.instance_descriptor.backends &= backends;
    }
    let instance = pollster::block_on(configuration.wgpu_setup.new_instance());
    let state = RenderState::create(&configuration, &instance, None, RendererOptions::PREDICTABLE);
    pollster::block_on(state)
}

/// A target of a size in pixels, drawn into again and again.
pub struct Target {
    state: RenderState,
    texture: wgpu::Texture,
}

impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Target({:?})", self.texture.size())
    }
}

impl Target {
    /// A target of `width × height` pixels.
    pub fn new(state: RenderState, width: u32, height: u32) -> Self {
        let texture = state.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("offscreen target"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: state.target_format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        Self { state, texture }
    }

    /// Draws what egui put out.
    pub fn draw(&self, ctx: &egui::Context, output: egui::FullOutput) {
        let RenderState { device, queue, renderer, .. } = &self.state;
        let mut renderer = renderer.write();
        let mut textures = output.textures_delta;
        let mut set: Vec<_> = textures.set.drain().collect();
        set.sort_by_key(|(id, _)| *id);
        for (id, images) in set {
            for image in images {
                renderer.update_texture(device, queue, id, &image);
            }
        }
        let screen = ScreenDescriptor {
            size_in_pixels: [self.texture.width(), self.texture.height()],
            pixels_per_point: output.pixels_per_point,
        };
        let jobs = ctx.tessellate(output.shapes, output.pixels_per_point);
        let mut encoder =
            device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("offscreen") });
        let buffers = renderer.update_buffers(device, queue, &mut encoder, &jobs, &screen);
        let view = self.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let attachment = wgpu::RenderPassColorAttachment {
            view: &view,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                store: wgpu::StoreOp::Store,
            },
            depth_slice: None,
        };
        let pass = wgpu::RenderPassDescriptor {
            label: Some("offscreen"),
            color_attachments: &[Some(attachment)],
            ..wgpu::RenderPassDescriptor::default()
        };
        renderer.render(&mut encoder.begin_render_pass(&pass).forget_lifetime(), &jobs, &screen);
        queue.submit(buffers.into_iter().chain([encoder.finish()]));
        let mut free: Vec<_> = textures.free.drain().collect();
        free.sort();
        for id in free {
            renderer.free_texture(&id);
        }
    }

    /// The picture as RGBA, 4 bytes a pixel, row by row from the top.
    ///
    /// # Errors
    /// When the graphics card does not answer.
    pub fn read(&self) -> Result<Vec<u8>> {
        read_texture(&self.state, &self.texture, PIXEL)
    }
}

/// The texels of a texture, `texel` bytes each, row by row from the top.
///
/// # Errors
/// When the graphics card does not answer.
pub fn read_texture(state: &RenderState, texture: &wgpu::Texture, texel: u32) -> Result<Vec<u8>> {
    let RenderState { device, queue, .. } = state;
    let row = texel * texture.width();
    let padded = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("offscreen pixels"),
        size: u64::from(padded) * u64::from(texture.height()),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder =
        device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("read back") });
    let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(padded), rows_per_image: None };
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
        texture.size(),
    );
    queue.submit([encoder.finish()]);
    let lost = |what: &dyn std::fmt::Display| {
        Error::unsupported(format!("the graphics card gave no picture: {what}"))
    };
    let (sender, receiver) = crossbeam_channel::bounded(1);
    buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| {
        // The receiver waits below.
        let _ = sender.send(result);
    });
    device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| lost(&error))?;
    receiver.recv().map_err(|error| lost(&error))?.map_err(|error| lost(&error))?;
    let bytes = buffer.slice(..).get_mapped_range().map_err(|error| lost(&error))?;
    Ok(bytes
        .chunks_exact(padded as usize)
        .filter_map(|padded| padded.get(..row as usize))
        .flatten()
        .copied()
        .collect())
}
