//! The program without a window: frames are drawn until nothing is on its way, then read back.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{Color32, Context, Event, Key, LayerId, Modifiers, Pos2, RawInput, Rect, ViewportId, pos2, vec2};
use egui_wgpu::RenderState;
use image::ImageEncoder as _;
use image::codecs::png::PngEncoder;
use palimpsest_core::error::{Error, ErrorKind, Result};
use palimpsest_core::model::Pose;
use palimpsest_core::mount::Plan;
use palimpsest_core::task::Task;

use crate::app::{App, Start};
use crate::gpu::mesh::{self, Drawable};
use crate::gpu::offscreen::{Target, render_state};
use crate::gpu::pixels::Pixels;
use crate::gpu::texture::{self, Draw, Shading};
use crate::gpu::{self, Caps};
use crate::panels::Show;
use crate::settings::Settings;

/// How long work may go on before the picture is taken as it is.
const PATIENCE: Duration = Duration::from_mins(1);

/// Frames that are drawn after the last work, so that everything has its final place.
const SETTLE: usize = 8;

/// How the picture looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Pixels.
    pub size: (u32, u32),
    /// Whether the theme is the light one.
    pub is_light: bool,
}

/// What was drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Pixels.
    pub size: (u32, u32),
    /// The graphics adapter.
    pub adapter: String,
}

/// Draws the window with what `start` shows into a PNG.
///
/// # Errors
/// When there is no graphics adapter, what is to be mounted names nothing, the path to open is in
/// no layer, or the file cannot be written.
pub fn screenshot(start: Start, look: Look, picture: &Path) -> Result<Drawn> {
    let opens = start.open.clone();
    let mut stage = Stage::new(start, look)?;
    // As in the window, the system has the letters that the program's fonts lack.
    stage.ctx.add_font_provider(Arc::new(egui_system_font_provider::SystemFontProvider::new()));
    stage.settle()?;
    stage.check(opens.as_deref())?;
    stage.save(picture)
}

/// A texture to draw alone.
#[derive(Debug)]
pub(crate) struct Still {
    /// What.
    pub(crate) pixels: Arc<Pixels>,
    /// The level among those of the pixels.
    pub(crate) level: u32,
    /// Red, green, blue, alpha.
    pub(crate) channels: [bool; 4],
    /// How values become colours.
    pub(crate) shading: Shading,
    /// The two colours behind alpha.
    pub(crate) checker: [Color32; 2],
    /// Pixels of the picture.
    pub(crate) size: (u32, u32),
}

/// Draws a texture over the whole of a picture: RGBA, 4 bytes a pixel, row by row from the top.
///
/// # Errors
/// `Unsupported` when the graphics card refuses the texture or does not answer.
pub(crate) fn draw_texture(state: RenderState, still: &Still) -> Result<Vec<u8>> {
    texture::install(&state);
    let (width, height) = still.size;
    let target = Target::new(state, width, height);
    let rect = Rect::from_min_size(Pos2::ZERO, vec2(width as f32, height as f32));
    let ctx = Context::default();
    let own = still.pixels.levels.get(still.level as usize).map_or(1, |level| level.width);
    // A frame uploads one level at least.
    for _ in 0..still.pixels.levels.len() + 2 {
        let mut input = RawInput { screen_rect: Some(rect), ..RawInput::default() };
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(1.0);
        let draw = Draw {
            pixels: Arc::clone(&still.pixels),
            slot: 0,
            part: Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)),
            level: still.level,
            channels: still.channels,
            is_sharp: width >= own,
            checker: still.checker,
            square: 8.0,
            shading: still.shading,
            heat: None,
            wake: ctx.clone(),
        };
        let output = ctx.run_ui(input, move |ui| {
            ui.ctx().layer_painter(LayerId::background()).add(draw.clone().shape(rect));
        });
        target.draw(&ctx, output);
    }
    match still.pixels.refusal.get() {
        Some(refusal) => Err(Error::unsupported(refusal.clone())),
        None => target.read(),
    }
}

/// A model to draw alone.
#[derive(Debug)]
pub struct ModelStill {
    /// What.
    pub drawable: Arc<Drawable>,
    /// How.
    pub look: mesh::Look,
    /// Pixels of the picture.
    pub size: (u32, u32),
    /// How its bones are turned.
    pub pose: Pose,
    /// The bone that is marked.
    pub bone: Option<usize>,
    /// What is drawn over it.
    pub shown: Vec<Show>,
    /// Whether the theme is the light one.
    pub is_light: bool,
}

/// Draws a model over the whole of a picture: RGBA, 4 bytes a pixel, row by row from the top.
///
/// # Errors
/// `Unsupported` when the graphics card refuses the model or a texture, or does not answer.
pub(crate) fn draw_model(state: RenderState, still: &ModelStill) -> Result<Vec<u8>> {
    /// Frames that uploading the largest mesh and its textures takes.
    const MOST: usize = 1000;
    gpu::install(&state);
    let (width, height) = still.size;
    let target = Target::new(state, width, height);
    let rect = Rect::from_min_size(Pos2::ZERO, vec2(width as f32, height as f32));
    let ctx = Context::default();
    crate::theme::install(&ctx);
    ctx.set_theme(if still.is_light { egui::Theme::Light } else { egui::Theme::Dark });
    for frame in 0..MOST {
        let mut input = RawInput { screen_rect: Some(rect), ..RawInput::default() };
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(1.0);
        let draw = mesh::Draw {
            drawable: Arc::clone(&still.drawable),
            slot: 0,
            size_px: [width, height],
            look: still.look.clone(),
            wake: ctx.clone(),
        };
        let output = ctx.run_ui(input, |ui| {
            let painter = ui.ctx().layer_painter(LayerId::background());
            painter.add(draw.clone().shape(rect));
            crate::panels::still_overlay(&painter, rect, still, crate::theme::Theme::of(ui.ctx()));
        });
        target.draw(&ctx, output);
        // What is on its way asks for another frame.
        if frame > 1 && !ctx.has_requested_repaint() {
            break;
        }
    }
    let parts = still.look.parts.iter().flat_map(|part| part.textures.iter().flatten());
    let refusals = parts.filter_map(|pixels| pixels.refusal.get());
    match still.drawable.refusal.get().or_else(|| refusals.into_iter().next()) {
        Some(refusal) => Err(Error::unsupported(refusal.clone())),
        None => target.read(),
    }
}

/// A picture as PNG.
///
/// # Errors
/// When there are other pixels than the size says.
pub(crate) fn encode(pixels: &[u8], (width, height): (u32, u32)) -> Result<Vec<u8>> {
    let mut png = Vec::new();
    PngEncoder::new(&mut png)
        .write_image(pixels, width, height, image::ExtendedColorType::Rgba8)
        .map_err(|error| Error::malformed(error.to_string()))?;
    Ok(png)
}

/// Writes a picture as PNG.
///
/// # Errors
/// When the file cannot be written.
fn save(pixels: &[u8], size: (u32, u32), picture: &Path) -> Result<()> {
    let png = encode(pixels, size)?;
    std::fs::write(picture, png).map_err(|error| Error::from(error).of(picture.display().to_string()))
}

/// A path that a person gave and that names nothing makes the call wrong.
pub(crate) fn as_usage(error: Error) -> Error {
    match error.kind() {
        ErrorKind::NotFound(_) => Error::usage(error.to_string()),
        _ => error,
    }
}

/// The program and the target that it is drawn into.
#[derive(Debug)]
pub struct Stage {
    ctx: Context,
    app: App,
    target: Target,
    look: Look,
    adapter: String,
    time: f64,
    /// What a person did since the last frame.
    events: Vec<Event>,
}

impl Stage {
    /// The program on a target.
    ///
    /// # Errors
    /// `Usage` when what is to be mounted names nothing; when there is no graphics adapter.
    pub fn new(start: Start, look: Look) -> Result<Self> {
        // Looked at first: to open the graphics card takes longer than anything else.
        if let Some(mounts) = &start.mounts {
            Plan::new(mounts, &Task::new()).map_err(as_usage)?;
        }
        Self::on(render_state()?, start, look)
    }

    /// The program on a target of a graphics card that was asked for already.
    ///
    /// # Errors
    /// When the operating system gives no thread.
    pub fn on(state: RenderState, start: Start, look: Look) -> Result<Self> {
        let adapter = Caps::of(&state).adapter;
        let ctx = Context::default();
        ctx.set_theme(if look.is_light { egui::Theme::Light } else { egui::Theme::Dark });
        let app = App::new(&ctx, Some(&state), &Settings::default(), start)?;
        let target = Target::new(state, look.size.0, look.size.1);
        Ok(Self { ctx, app, target, look, adapter, time: 0.0, events: Vec::new() })
    }

    /// Where the program is drawn, to be given fonts of one's own.
    pub const fn ctx(&self) -> &Context {
        &self.ctx
    }

    /// The program, to be driven by commands.
    pub fn app(&mut self) -> &mut App {
        &mut self.app
    }

    /// Draws frames until nothing is on its way.
    ///
    /// # Errors
    /// `Limit` when work goes on for too long.
    pub fn settle(&mut self) -> Result<()> {
        let started = Instant::now();
        let mut still = 0;
        while still < SETTLE {
            self.frame();
            still = if self.app.is_idle() { still + 1 } else { 0 };
            if still == 0 {
                std::thread::sleep(Duration::from_millis(4));
            }
            if started.elapsed() > PATIENCE {
                return Err(Error::limit("the window did not come to rest within a minute"));
            }
        }
        Ok(())
    }

    /// Whether what was asked for is there: the stack, and in it the path to open.
    ///
    /// # Errors
    /// `Usage` when the mount names nothing, `NotFound` when no layer holds the path.
    pub fn check(&self, opens: Option<&str>) -> Result<()> {
        let session = self.app.session();
        if let Some((_, error)) = &session.mount_error {
            return Err(Error::usage(error.to_string()));
        }
        let is_there = |path: &str| session.stack().is_some_and(|stack| stack.find(path).is_some());
        match opens.filter(|path| !is_there(path)) {
            Some(path) => Err(Error::not_found("no layer holds this path").of(path)),
            None => Ok(()),
        }
    }

    /// Whether something has changed since the last frame, or goes on changing.
    pub fn is_awake(&self) -> bool {
        self.ctx.has_requested_repaint()
    }

    /// Presses a key and lets it go again, at the next frame.
    pub fn press(&mut self, key: Key) {
        self.events.extend([true, false].map(|pressed| Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        }));
    }

    /// Draws one frame.
    pub fn frame(&mut self) {
        let size = vec2(self.look.size.0 as f32, self.look.size.1 as f32);
        self.time += 1.0 / 60.0;
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
            time: Some(self.time),
            focused: true,
            events: std::mem::take(&mut self.events),
            ..RawInput::default()
        };
        input.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point = Some(1.0);
        let app = &mut self.app;
        let output = self.ctx.run_ui(input, |ui| {
            let ctx = ui.ctx().clone();
            app.logic(&ctx);
            app.ui(ui);
        });
        self.target.draw(&self.ctx, output);
    }

    /// The last frame as RGBA, 4 bytes a pixel, row by row from the top.
    ///
    /// # Errors
    /// When the graphics card does not answer.
    pub fn pixels(&self) -> Result<Vec<u8>> {
        self.target.read()
    }

    /// Writes the last frame as PNG.
    ///
    /// # Errors
    /// When the graphics card does not answer or the file cannot be written.
    pub fn save(&self, picture: &Path) -> Result<Drawn> {
        save(&self.pixels()?, self.look.size, picture)?;
        Ok(Drawn { size: self.look.size, adapter: self.adapter.clone() })
    }
}
