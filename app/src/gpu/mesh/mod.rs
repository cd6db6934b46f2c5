//! Drawing a model into a panel: apart, with depth and several samples a pixel, then over a rectangle.

mod marks;
mod pipelines;
mod slot;
mod upload;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use bytemuck::{Pod, Zeroable};
use egui::{Color32, Rect};
use egui_wgpu::{Callback, CallbackResources, CallbackTrait, RenderState, ScreenDescriptor};
use glam::{Affine3A, Mat4, Vec2};
use palimpsest_core::model::Model;

pub use self::marks::Marks;
use self::pipelines::Pipelines;
use self::slot::Slot;
use self::upload::Uploaded;
use super::orbit::Orbit;
use super::pixels::Pixels;
use super::texture::Textures;
use crate::theme::WEIGHTS;

/// Bytes of uploaded meshes that stay while they are not shown.
const KEPT: u64 = 256 << 20;

/// How many models one frame draws at most, each with a number of its own.
const DRAWN: u64 = 8;

/// How many frames a place that nothing is drawn in keeps its picture.
const PATIENCE: u64 = 120;

/// A model that can be drawn.
#[derive(Debug)]
pub struct Drawable {
    /// Tells it from all others that have other vertices; the key of what is uploaded.
    pub id: u64,
    /// The model.
    pub model: Arc<Model>,
    /// Why the graphics card refused it, once it did.
    pub refusal: OnceLock<String>,
}

impl Drawable {
    /// Makes a model ready to be drawn.
    pub fn new(model: Arc<Model>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed), model, refusal: OnceLock::new() }
    }

    /// Makes the same vertices with another skeleton ready.
    #[must_use]
    pub fn with(&self, model: Arc<Model>) -> Self {
        Self { id: self.id, model, refusal: self.refusal.clone() }
    }
}

/// What is made of the colours of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Lit, all of one material.
    #[default]
    Clay,
    /// Lit, with its textures.
    Textured,
    /// The colours of the vertices.
    Colours,
    /// A checkerboard on the coordinates.
    Checker,
    /// The normals as colours.
    Normals,
    /// How much the chosen bone moves each vertex.
    Weights,
    /// What is seen from outside and what from inside.
    Sides,
    /// A colour for each object.
    Parts,
}

impl Mode {
    /// Every mode, in the order of menus.
    pub const ALL: [Self; 8] = [
        Self::Clay,
        Self::Textured,
        Self::Colours,
        Self::Checker,
        Self::Normals,
        Self::Weights,
        Self::Sides,
        Self::Parts,
    ];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Clay => "clay",
            Self::Textured => "textured",
            Self::Colours => "colours",
            Self::Checker => "checker",
            Self::Normals => "normals",
            Self::Weights => "weights",
            Self::Sides => "sides",
            Self::Parts => "parts",
        }
    }
}

/// A group that is drawn.
#[derive(Clone, Debug)]
pub struct Part {
    /// The number of the group in the mesh.
    pub group: usize,
    /// The colour that tells it from others.
    pub colour: Color32,
    /// How strongly it is marked, 0 to 1.
    pub mark: f32,
    /// Colours, normals and surface, where it has them.
    pub textures: [Option<Arc<Pixels>>; 3],
}

impl Part {
    fn textures(&self) -> [Option<u64>; 3] {
        self.textures.each_ref().map(|pixels| pixels.as_ref().map(|pixels| pixels.id))
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        let own = |part: &Self| (part.group, part.colour, part.mark.to_bits(), part.textures());
        own(self) == own(other)
    }
}

/// A corner of a line that is drawn beside the mesh; two make one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Mark {
    /// Where it is, in the space of the model.
    pub position: [f32; 3],
    /// Its colour, alpha straight.
    pub colour: [u8; 4],
}

/// Which lines stand on vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spikes {
    /// Normals.
    pub normals: bool,
    /// Tangents, and what is across them and normals.
    pub tangents: bool,
    /// How long they are, in centimetres.
    pub reach: f32,
}

impl Spikes {
    /// Lines as long as suits the size of a model.
    pub fn of(model: &Model, [normals, tangents]: [bool; 2]) -> Self {
        let [low, high] = model.bounds();
        Self { normals, tangents, reach: (high - low).length() * 0.012 }
    }
}

/// Everything that a picture of a model depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Where it is seen from.
    pub camera: Orbit,
    /// How far everything that is drawn reaches from where the camera looks, in centimetres.
    pub radius: f32,
    /// What moves its vertices, see [`Model::skin`].
    pub skin: Arc<Vec<Affine3A>>,
    /// What is drawn of it.
    pub parts: Vec<Part>,
    /// What is made of its colours.
    pub mode: Mode,
    /// The set of coordinates.
    pub set: usize,
    /// Squares of the checkerboard along a side of the texture.
    pub squares: f32,
    /// The place in the order of names whose weights are shown.
    pub place: Option<u16>,
    /// Whether what is seen from behind is left out.
    pub is_culled: bool,
    /// Whether the edges of triangles are drawn.
    pub has_wires: bool,
    /// Lines on vertices.
    pub spikes: Spikes,
    /// Other lines.
    pub marks: Arc<Vec<Mark>>,
    /// The colour of the edges of triangles, and of what is marked.
    pub line: Color32,
    /// What lies behind; transparent where something else is drawn there.
    pub ground: Color32,
    /// The colours of weights, from none to all.
    pub ramp: [Color32; 5],
    /// Draws the coordinates instead: what is in the middle of the panel, and how large a whole texture is in
    /// halves of the panel.
    pub unwrap: Option<[Vec2; 2]>,
}

/// How a model is drawn.
#[derive(Clone, Debug)]
pub struct Draw {
    /// What.
    pub drawable: Arc<Drawable>,
    /// Which place it is drawn in: one model can be shown in several at once.
    pub slot: u64,
    /// Pixels of the place.
    pub size_px: [u32; 2],
    /// How.
    pub look: Look,
    /// What is told to draw again while vertices and textures are on their way, or once the mesh is refused.
    pub wake: egui::Context,
}

impl Draw {
    /// The shape to add to a painter.
    pub fn shape(self, rect: Rect) -> egui::Shape {
        egui::Shape::Callback(Callback::new_paint_callback(rect, self))
    }
}

/// The uniform of the shader, field for field.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct View {
    clip_from_model: Mat4,
    right: [f32; 4],
    up: [f32; 4],
    back: [f32; 4],
    eye: [f32; 4],
    line: [f32; 4],
    mode: f32,
    set: f32,
    reach: f32,
    place: f32,
    cull: f32,
    squares: f32,
    unused: [f32; 2],
    unwrap: [f32; 4],
    ramp: [[f32; 4]; 5],
}

impl Look {
    /// A model at rest, lit, of which nothing is drawn yet.
    pub fn new(camera: Orbit, radius: f32) -> Self {
        Self {
            camera,
            radius,
            skin: Arc::default(),
            parts: Vec::new(),
            mode: Mode::Clay,
            set: 0,
            squares: 16.0,
            place: None,
            is_culled: false,
            has_wires: false,
            spikes: Spikes::default(),
            marks: Arc::default(),
            line: Color32::from_black_alpha(150),
            ground: Color32::TRANSPARENT,
            ramp: WEIGHTS,
            unwrap: None,
        }
    }

    fn view(&self, [width, height]: [u32; 2]) -> View {
        let aspect = width as f32 / height.max(1) as f32;
        let [right, up, back] = self.camera.axes().map(|axis| axis.extend(0.0).to_array());
        let flag = |is_on: bool| if is_on { 1.0 } else { 0.0 };
        let [middle, size] = self.unwrap.unwrap_or_default();
        View {
            clip_from_model: self.camera.clip_from_model(aspect, self.radius),
            right,
            up,
            back,
            eye: self.camera.eye().extend(flag(self.camera.is_orthographic)).to_array(),
            line: colour(self.line),
            mode: Mode::ALL.iter().position(|mode| *mode == self.mode).unwrap_or(0) as f32,
            set: self.set as f32,
            reach: self.spikes.reach,
            // A place that no vertex hangs on.
            place: self.place.map_or(1000.0, f32::from),
            cull: flag(self.is_culled),
            squares: self.squares,
            unused: [0.0; 2],
            unwrap: [middle.x, middle.y, size.x, size.y],
            ramp: self.ramp.map(colour),
        }
    }
}

/// A colour as shaders take it, alpha straight.
fn colour(colour: Color32) -> [f32; 4] {
    colour.to_srgba_unmultiplied().map(|value| f32::from(value) / 255.0)
}

/// Everything that is uploaded; lives in egui's renderer.
struct Meshes {
    pipelines: Pipelines,
    uploaded: HashMap<u64, Uploaded>,
    slots: HashMap<u64, Slot>,
    frame: u64,
}

/// Makes the renderer ready to draw models.
pub fn install(state: &RenderState) {
    let meshes = Meshes {
        pipelines: Pipelines::new(&state.device, &state.queue, state.target_format),
        uploaded: HashMap::new(),
        slots: HashMap::new(),
        frame: 0,
    };
    state.renderer.write().callback_resources.insert(meshes);
}

impl CallbackTrait for Draw {
    fn prepare(
        &self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        _screen: &ScreenDescriptor,
        encoder: &mut wgpu::CommandEncoder,
        resources: &mut CallbackResources,
    ) -> Vec<wgpu::CommandBuffer> {
        if self.drawable.refusal.get().is_some() || self.size_px.contains(&0) {
            return Vec::new();
        }
        let mut views = HashMap::new();
        if let Some(textures) = resources.get_mut::<Textures>() {
            for pixels in self.look.parts.iter().flat_map(|part| part.textures.iter().flatten()) {
                match textures.whole(device, queue, pixels) {
                    Some(view) => drop(views.insert(pixels.id, view)),
                    None if pixels.refusal.get().is_none() => self.wake.request_repaint(),
                    None => {}
                }
            }
        }
        if let Some(meshes) = resources.get_mut::<Meshes>() {
            meshes.draw(device, queue, encoder, self, &views);
        }
        Vec::new()
    }

    fn paint(
        &self,
        _info: egui::PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        resources: &CallbackResources,
    ) {
        let Some(meshes) = resources.get::<Meshes>() else { return };
        if let Some(slot) = meshes.slots.get(&self.slot) {
            pass.set_pipeline(&meshes.pipelines.pane);
            pass.set_bind_group(0, &slot.pane, &[]);
            pass.draw(0..4, 0..1);
        }
    }
}

impl Meshes {
    fn draw(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        draw: &Draw,
        textures: &HashMap<u64, wgpu::TextureView>,
    ) {
        self.frame += 1;
        let Self { pipelines, uploaded, slots, frame } = self;
        let Draw { drawable, look, .. } = draw;
        // What the graphics card has against a mesh is kept with it: no file may end the program.
        let attempt = super::attempt(device, || {
            let own = uploaded
                .entry(drawable.id)
                .or_insert_with(|| Uploaded::new(device, &drawable.model.geometry));
            own.used = *frame;
            let is_whole = own.write_some(queue, &drawable.model.geometry);
            if look.has_wires || look.unwrap.is_some() {
                own.need_wires(device, queue, &drawable.model.geometry);
            }
            if !is_whole {
                return false;
            }
            let slot = slots.entry(draw.slot).or_insert_with(|| Slot::new(device, pipelines, draw.size_px));
            if slot.size_px != draw.size_px {
                *slot = Slot::new(device, pipelines, draw.size_px);
            }
            slot.used = *frame;
            // A picture that is there is not drawn again.
            let drawn = (drawable.id, textures.len(), look.clone());
            if slot.drawn.as_ref() != Some(&drawn) {
                slot.draw(device, queue, encoder, pipelines, own, draw, textures);
                slot.drawn = Some(drawn);
            }
            true
        });
        match attempt {
            Ok(true) => {}
            Ok(false) => draw.wake.request_repaint(),
            Err(refusal) => {
                drawable.refusal.get_or_init(|| refusal);
                uploaded.remove(&drawable.id);
                draw.wake.request_repaint();
            }
        }
        self.evict();
    }

    /// Forgets what was not used for longest, down to what may stay; never what this frame shows.
    fn evict(&mut self) {
        let frame = self.frame;
        self.slots.retain(|_, slot| slot.used + PATIENCE > frame);
        let uploaded = self.uploaded.iter().map(|(id, uploaded)| (uploaded.used, *id, uploaded.bytes));
        for id in super::unused(uploaded.collect(), KEPT, frame.saturating_sub(DRAWN)) {
            self.uploaded.remove(&id);
        }
    }
}

#[cfg(test)]
mod tests;
