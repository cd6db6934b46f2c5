//! Drawing a texture into a panel: upload with a budget per frame, then one rectangle.

use std::collections::HashMap;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use egui::{Color32, Rect};
use egui_wgpu::{Callback, CallbackResources, CallbackTrait, RenderState, ScreenDescriptor};

use super::pixels::Pixels;

/// Bytes that are uploaded in one frame before the next one is waited for.
const UPLOAD: usize = 16 << 20;

/// Bytes of uploaded textures that stay while they are not shown.
const KEPT: u64 = 256 << 20;

/// How many textures one frame draws at most, on meshes and beside each other, each with a number of its own.
const DRAWN: u64 = 64;

/// How often a picture stands beside itself where that is looked at, in each direction.
pub const TILES: u32 = 3;

/// How a texture is drawn.
#[derive(Clone, Debug)]
pub struct Draw {
    /// What.
    pub pixels: Arc<Pixels>,
    /// Which place it is drawn in: one texture can be shown in several at once.
    pub slot: u64,
    /// The shown part, 0 to 1 from the top left corner.
    pub part: Rect,
    /// The level.
    pub level: u32,
    /// Red, green, blue, alpha.
    pub channels: [bool; 4],
    /// Whether pixels stay sharp when they are larger than those of the screen.
    pub is_sharp: bool,
    /// The two colours behind alpha, alike for a plain ground.
    pub checker: [Color32; 2],
    /// Pixels of the screen along a square of the checkerboard.
    pub square: f32,
    /// How values become colours.
    pub shading: Shading,
    /// Shows how large values are instead of the values.
    pub heat: Option<Heat>,
    /// What is told to draw again while levels are on their way, or once the picture is refused.
    pub wake: egui::Context,
}

/// How values of a texture become colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shading {
    /// Whether values are linear, to be encoded for the screen; otherwise they are shown as stored.
    pub is_linear: bool,
    /// The value that becomes black, and the one that becomes white.
    pub range: [f32; 2],
    /// Whether alpha is ignored.
    pub is_opaque: bool,
    /// What colours are made of.
    pub mode: Mode,
    /// How often the picture stands beside itself, in each direction.
    pub tiles: u32,
}

impl Default for Shading {
    /// As stored, alpha over the ground.
    fn default() -> Self {
        Self { is_linear: false, range: [0.0, 1.0], is_opaque: false, mode: Mode::Colours, tiles: 1 }
    }
}

/// What colours are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Mode {
    /// The channels.
    #[default]
    Colours,
    /// The normals of a normal map of the first game: X in green, Y in alpha, Z rebuilt.
    Normals,
    /// Light from the upper left on those normals.
    Lit,
    /// The same on a ball.
    Sphere,
    /// A face of a cube on a ball that is seen from outside. Each of the six is drawn on the whole ball, and
    /// leaves out what is not its own.
    Face {
        /// In the order +X, −X, +Y, −Y, +Z, −Z.
        face: u32,
        /// How the cube is turned, in radians: about the vertical axis, then about the horizontal one.
        turn: [f32; 2],
    },
}

/// How differences become colours.
#[derive(Clone, Copy, Debug)]
pub struct Heat {
    /// From 0 to the largest value.
    pub colours: [Color32; 5],
    /// What values are multiplied by; 1 is the largest value then.
    pub times: f32,
}

impl Draw {
    /// The shape to add to a painter.
    pub fn shape(self, rect: Rect) -> egui::Shape {
        egui::Shape::Callback(Callback::new_paint_callback(rect, self))
    }

    /// Whether one channel alone is shown, as grey.
    fn is_solo(&self) -> bool {
        self.channels.iter().filter(|shown| **shown).count() == 1
    }
}

/// The uniform of the shader, field for field.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct View {
    part: [f32; 4],
    channels: [f32; 4],
    dark: [f32; 4],
    light: [f32; 4],
    level: f32,
    square: f32,
    solo: f32,
    grey: f32,
    ramp: [[f32; 4]; 5],
    heat: f32,
    low: f32,
    gain: f32,
    linear: f32,
    opaque: f32,
    mode: f32,
    tiles: f32,
    face: f32,
    inside: [f32; 4],
    turn: [f32; 4],
}

/// Everything that is uploaded; lives in egui's renderer.
pub(super) struct Textures {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    sharp: wgpu::Sampler,
    smooth: wgpu::Sampler,
    uploaded: HashMap<u64, Uploaded>,
    frame: u64,
}

struct Uploaded {
    texture: wgpu::Texture,
    bytes: u64,
    /// The largest level that is there; smaller ones come first.
    ready: usize,
    used: u64,
    image: wgpu::TextureView,
    slots: HashMap<u64, Slot>,
}

/// What one place needs to draw a texture: its view, with sharp and with smooth sampling.
struct Slot {
    view: wgpu::Buffer,
    sharp: wgpu::BindGroup,
    smooth: wgpu::BindGroup,
}

/// Makes the renderer ready to draw textures.
pub fn install(state: &RenderState) {
    let device = &state.device;
    let shader = device.create_shader_module(wgpu::include_wgsl!("shaders/texture.wgsl"));
    let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("texture"),
        entries: &[
            super::entry(
                0,
                wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
            ),
            super::entry(
                1,
                wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: true },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
            ),
            super::entry(2, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)),
        ],
    });
    let pipeline = super::rectangle(device, "texture", &shader, &layout, state.target_format.into());
    let sampler = |filter| {
        device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("texture"),
            mag_filter: filter,
            min_filter: filter,
            ..wgpu::SamplerDescriptor::default()
        })
    };
    let textures = Textures {
        pipeline,
        layout,
        sharp: sampler(wgpu::FilterMode::Nearest),
        smooth: sampler(wgpu::FilterMode::Linear),
        uploaded: HashMap::new(),
        frame: 0,
    };
    state.renderer.write().callback_resources.insert(textures);
}

impl CallbackTrait for Draw {
    fn prepare(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        _screen: &ScreenDescriptor,
        _encoder: &mut wgpu::CommandEncoder,
        resources: &mut CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        if let Some(textures) = resources.get_mut::<Textures>() {
            textures.frame += 1;
            if !textures.upload(device, queue, &self.pixels) {
                self.wake.request_repaint();
            }
            textures.evict();
            textures.look(device, queue, self);
        }
        Vec::new()
    }

    fn paint(
        &self,
        _info: egui::PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        resources: &CallbackResources,
    ) {
        let Some(textures) = resources.get::<Textures>() else { return };
        let uploaded = textures.uploaded.get(&self.pixels.id);
        let Some(slot) = uploaded.and_then(|uploaded| uploaded.slots.get(&self.slot)) else { return };
        pass.set_pipeline(&textures.pipeline);
        pass.set_bind_group(0, if self.is_sharp { &slot.sharp } else { &slot.smooth }, &[]);
        pass.draw(0..4, 0..1);
    }
}

impl Draw {
    fn view(&self, ready: usize) -> View {
        let colour = |colour: Color32| colour.to_normalized_gamma_f32();
        // A level that is still on its way is stood in for by the next smaller one.
        let level = u32::try_from(ready).unwrap_or(u32::MAX).max(self.level);
        let flag = |is_on: bool| if is_on { 1.0 } else { 0.0 };
        let Shading { is_linear, range: [low, high], is_opaque, mode, tiles } = self.shading;
        let (face, turn) = match mode {
            Mode::Face { face, turn } => (face as f32, turn),
            _ => (0.0, [0.0; 2]),
        };
        View {
            part: [self.part.min.x, self.part.min.y, self.part.max.x, self.part.max.y],
            channels: self.channels.map(flag),
            dark: colour(self.checker[0]),
            light: colour(self.checker[1]),
            level: level as f32,
            square: self.square,
            solo: flag(self.is_solo()),
            grey: flag(self.pixels.is_grey),
            ramp: self.heat.map_or([[0.0; 4]; 5], |heat| heat.colours.map(colour)),
            heat: self.heat.map_or(0.0, |heat| heat.times),
            low,
            gain: 1.0 / (high - low).max(f32::MIN_POSITIVE),
            linear: flag(is_linear),
            opaque: flag(is_opaque),
            mode: match mode {
                Mode::Colours => 0.0,
                Mode::Normals => 1.0,
                Mode::Lit => 2.0,
                Mode::Sphere => 3.0,
                Mode::Face { .. } => 4.0,
            },
            tiles: tiles.max(1) as f32,
            face,
            inside: self.pixels.inside(level),
            turn: [turn[0], turn[1], 0.0, 0.0],
        }
    }
}

impl Textures {
    /// A picture for other drawings, once all of it is there.
    pub(super) fn whole(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        pixels: &Pixels,
    ) -> Option<wgpu::TextureView> {
        self.frame += 1;
        let is_whole = self.upload(device, queue, pixels) && pixels.refusal.get().is_none();
        self.evict();
        self.uploaded.get(&pixels.id).filter(|_| is_whole).map(|uploaded| uploaded.image.clone())
    }

    /// Uploads levels from the smallest up, as many as one frame takes; whether all are there.
    ///
    /// What the graphics card has against a picture is kept with it: no file may end the program.
    fn upload(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, pixels: &Pixels) -> bool {
        if pixels.refusal.get().is_some() {
            return true;
        }
        let uploaded = self.uploaded.remove(&pixels.id);
        if uploaded.as_ref().is_some_and(|uploaded| uploaded.ready == 0) {
            self.uploaded
                .extend(uploaded.map(|uploaded| (pixels.id, Uploaded { used: self.frame, ..uploaded })));
            return true;
        }
        let uploaded = super::attempt(device, || {
            let mut uploaded = uploaded.unwrap_or_else(|| Uploaded::new(device, pixels));
            uploaded.write_some(queue, pixels);
            uploaded
        });
        match uploaded {
            Ok(uploaded) => {
                let is_whole = uploaded.ready == 0;
                self.uploaded.insert(pixels.id, Uploaded { used: self.frame, ..uploaded });
                is_whole
            }
            Err(refusal) => {
                pixels.refusal.get_or_init(|| refusal);
                false
            }
        }
    }

    /// Tells one place how to look at its texture.
    fn look(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, draw: &Draw) {
        let Some(uploaded) = self.uploaded.get_mut(&draw.pixels.id) else { return };
        let view = draw.view(uploaded.ready);
        let image = &uploaded.image;
        let (layout, sharp, smooth) = (&self.layout, &self.sharp, &self.smooth);
        let slot = uploaded.slots.entry(draw.slot).or_insert_with(|| {
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("texture view"),
                size: size_of::<View>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            let group = |sampler| {
                device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: Some("texture"),
                    layout,
                    entries: &[
                        wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() },
                        wgpu::BindGroupEntry {
                            binding: 1,
                            resource: wgpu::BindingResource::TextureView(image),
                        },
                        wgpu::BindGroupEntry {
                            binding: 2,
                            resource: wgpu::BindingResource::Sampler(sampler),
                        },
                    ],
                })
            };
            Slot { sharp: group(sharp), smooth: group(smooth), view: buffer }
        });
        queue.write_buffer(&slot.view, 0, bytemuck::bytes_of(&view));
    }

    /// Forgets what was not used for longest, down to what may stay; never what this frame shows.
    fn evict(&mut self) {
        let uploaded = self.uploaded.iter().map(|(id, uploaded)| (uploaded.used, *id, uploaded.bytes));
        for id in super::unused(uploaded.collect(), KEPT, self.frame.saturating_sub(DRAWN)) {
            self.uploaded.remove(&id);
        }
    }
}

impl Uploaded {
    fn new(device: &wgpu::Device, pixels: &Pixels) -> Self {
        let (width, height) = pixels.padded();
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("texture"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: u32::try_from(pixels.levels.len()).unwrap_or(1),
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: pixels.format,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let image = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let (bytes, ready) = (pixels.bytes(), pixels.levels.len());
        Self { texture, bytes, ready, used: 0, image, slots: HashMap::new() }
    }

    /// Writes the next larger levels, as many as one frame takes.
    fn write_some(&mut self, queue: &wgpu::Queue, pixels: &Pixels) {
        let mut left = UPLOAD;
        while let Some(next) = self.ready.checked_sub(1) {
            let Some(level) = pixels.levels.get(next) else { return };
            // One level a frame is uploaded whatever its size.
            if left < UPLOAD && level.data.len() > left {
                return;
            }
            left = left.saturating_sub(level.data.len());
            self.write(queue, next, pixels);
            self.ready = next;
        }
    }

    fn write(&self, queue: &wgpu::Queue, at: usize, pixels: &Pixels) {
        let Some(level) = pixels.levels.get(at) else { return };
        let (block, _) = pixels.format.block_dimensions();
        let block_size = pixels.format.block_copy_size(None).unwrap_or(4);
        let (across, down) = (level.width.div_ceil(block), level.height.div_ceil(block));
        queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                texture: &self.texture,
                mip_level: u32::try_from(at).unwrap_or(0),
                origin: wgpu::Origin3d::ZERO,
                aspect: wgpu::TextureAspect::All,
            },
            &level.data,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(across * block_size),
                rows_per_image: Some(down),
            },
            wgpu::Extent3d { width: across * block, height: down * block, depth_or_array_layers: 1 },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::offscreen::render_state;
    use crate::gpu::pixels::Level;

    /// Pixels of 4 × 4 and some levels, whether that makes sense or not.
    fn pixels(levels: usize, bytes: usize) -> Pixels {
        let level = Level { width: 4, height: 4, data: vec![0; bytes].into() };
        Pixels { id: (levels * 1000 + bytes) as u64, ..Pixels::of_levels(vec![level; levels]) }
    }

    #[test]
    fn a_picture_that_the_graphics_card_refuses_is_an_error_and_others_go_on() {
        let state = render_state().unwrap();
        install(&state);
        let mut renderer = state.renderer.write();
        let textures: &mut Textures = renderer.callback_resources.get_mut().unwrap();
        let mut is_refused = |pixels: &Pixels| {
            textures.upload(&state.device, &state.queue, pixels);
            assert_eq!(textures.uploaded.contains_key(&pixels.id), pixels.refusal.get().is_none());
            pixels.refusal.get().is_some()
        };
        assert!(is_refused(&pixels(32, 64)), "more levels than the size allows");
        assert!(is_refused(&pixels(1, 63)), "too few bytes");
        assert!(!is_refused(&pixels(1, 64)));
    }
}
