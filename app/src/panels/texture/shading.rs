//! How values of a picture become colours, chosen by hand.

use egui::{Color32, Rect, RichText, Ui, WidgetInfo, vec2};
use palimpsest_core::asset::{Image, Texture};
use palimpsest_core::export::{Channels, Conversion, Form, Wanted, Which};

use super::histogram;
use crate::command::{Command, Look, PictureCommand, Shade};
use crate::files::Files;
use crate::gpu::pixels::{Decoding, Part, Pixels};
use crate::gpu::texture::{Mode, Shading, TILES};
use crate::panels::{ViewCtx, choice};
use crate::session::{OpenDocument, PictureChoice, Tier};
use crate::theme::{self, Theme};
use crate::thumbnail::has_data_in_alpha;

/// Exposures that can be chosen, in powers of two.
const STOPS: f32 = 10.0;

/// Points of width of everything that can be chosen.
const PANEL: f32 = 340.0;

/// How pixels are made larger and smaller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sampling {
    /// Sharp where they are larger than those of the screen, smooth where they are smaller.
    #[default]
    Auto,
    Nearest,
    Smooth,
}

/// What lies behind alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Ground {
    #[default]
    Checker,
    /// A plain colour.
    Plain(Color32),
    /// Alpha is ignored.
    Nothing,
}

/// What was chosen.
#[derive(Debug, PartialEq)]
pub(super) struct ShadingChoice {
    /// Whether values are linear, where the texture is not to say it.
    is_linear: Option<bool>,
    /// The values that become black and white before exposure.
    range: [f32; 2],
    /// Powers of two.
    exposure: f32,
    /// Where the name of the texture is not to say it.
    ground: Option<Ground>,
    mode: Mode,
    is_tiled: bool,
    pub(super) sampling: Sampling,
    /// Whether everything that can be chosen is shown beside the picture.
    is_open: bool,
}

impl Default for ShadingChoice {
    fn default() -> Self {
        Self {
            is_linear: None,
            range: [0.0, 1.0],
            exposure: 0.0,
            ground: None,
            mode: Mode::Colours,
            is_tiled: false,
            sampling: Sampling::Auto,
            is_open: false,
        }
    }
}

impl ShadingChoice {
    /// How often the picture stands beside itself, in each direction.
    pub(super) const fn tiles(&self) -> u32 {
        if self.is_tiled { TILES } else { 1 }
    }

    pub(super) fn is_ball(&self) -> bool {
        self.mode == Mode::Sphere
    }

    /// The two colours behind alpha.
    pub(super) fn ground(&self, theme: &Theme) -> [Color32; 2] {
        match self.ground {
            Some(Ground::Plain(colour)) => [colour, colour],
            Some(Ground::Checker | Ground::Nothing) | None => theme.checker(),
        }
    }

    /// What lies behind alpha of a texture.
    fn ground_of(&self, leaf: &str) -> Ground {
        self.ground.unwrap_or_else(|| if has_data_in_alpha(leaf) { Ground::Nothing } else { Ground::Checker })
    }

    /// How values of a texture become colours.
    pub(super) fn shading(&self, leaf: &str, texture: &Texture) -> Shading {
        let [low, high] = self.range;
        Shading {
            is_linear: self.is_linear.unwrap_or_else(|| is_linear(texture)),
            range: [low, low + (high - low) / self.exposure.exp2()],
            is_opaque: self.ground_of(leaf) == Ground::Nothing,
            mode: self.mode,
            tiles: self.tiles(),
        }
    }

    /// The same for one picture among many.
    pub(super) fn flat(&self, leaf: &str, texture: &Texture) -> Shading {
        Shading { tiles: 1, ..self.shading(leaf, texture) }
    }

    /// Makes colours of the values in another way.
    pub(super) fn shade(&mut self, shade: Shade, leaf: &str, texture: &Texture) {
        match shade {
            Shade::ColourSpace => {
                let own = is_linear(texture);
                let wanted = !self.is_linear.unwrap_or(own);
                self.is_linear = (wanted != own).then_some(wanted);
            }
            Shade::Exposure(by) => self.exposure = (self.exposure + f32::from(by)).clamp(-STOPS, STOPS),
            Shade::Alpha => {
                let is_ignored = self.ground_of(leaf) == Ground::Nothing;
                self.ground = Some(if is_ignored { Ground::Checker } else { Ground::Nothing });
            }
            Shade::Mode(mode) => self.mode = mode,
            Shade::Tiles => self.is_tiled = !self.is_tiled,
            Shade::Sampling => {
                self.sampling = match self.sampling {
                    Sampling::Auto => Sampling::Nearest,
                    Sampling::Nearest => Sampling::Smooth,
                    Sampling::Smooth => Sampling::Auto,
                }
            }
            Shade::Reset => *self = Self { is_open: self.is_open, ..Self::default() },
        }
    }

    /// Whether anything is not as it is at first.
    fn is_changed(&self) -> bool {
        *self != Self { is_open: self.is_open, ..Self::default() }
    }

    /// The button that opens everything that can be chosen beside the picture.
    pub(super) fn button_ui(&mut self, ui: &mut Ui) {
        let mark = if self.is_changed() { "view *" } else { "view" };
        let text = RichText::new(mark).font(theme::mono(theme::CAPTION));
        let button = ui.add(egui::Button::selectable(self.is_open, text));
        button.widget_info(|| WidgetInfo::selected(egui::accesskit::Role::Button, true, self.is_open, mark));
        let hint = "Colour space, exposure, alpha, normals, tiling, sampling, decoder, files of the picture";
        if button.on_hover_text(hint).clicked() {
            self.is_open = !self.is_open;
        }
    }

    /// The room of the picture, and that of everything that can be chosen where it is open.
    pub(super) fn divide(&self, area: Rect) -> (Rect, Option<Rect>) {
        let width = PANEL.min(area.width() * 0.6);
        if !self.is_open {
            return (area, None);
        }
        let (picture, panel) = area.split_left_right_at_x(area.right() - width);
        (picture, Some(panel))
    }

    /// Everything that can be chosen.
    pub(super) fn panel_ui(
        &mut self,
        ui: &mut Ui,
        open: &OpenDocument,
        texture: &Texture,
        pixels: &Pixels,
        (level, channels): (u32, [bool; 4]),
        ctx: &ViewCtx<'_>,
    ) {
        let rect = ui.max_rect();
        ui.painter().rect_filled(rect, 0.0, ctx.theme.panel);
        ui.painter().vline(rect.left(), rect.y_range(), ctx.theme.line());
        let inside = egui::UiBuilder::new().max_rect(rect.shrink2(vec2(10.0, 4.0)));
        ui.scope_builder(inside, |ui| {
            egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
                // Rails and boxes are seen on every ground.
                ui.visuals_mut().widgets.inactive.bg_fill = ctx.theme.hairline;
                let level = level + pixels.skipped;
                self.colours_ui(ui, texture, ctx);
                self.range_ui(ui, open, (level, channels), ctx);
                self.ground_ui(ui, open.leaf(), ctx);
                self.mode_ui(ui, ctx);
                decoding_ui(ui, open, pixels, ctx);
                ui.separator();
                self.files_ui(ui, ctx);
            });
        });
    }

    /// What can be done with the picture.
    fn files_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        let stored = "This level and slice with the channels that are shown, values as stored";
        let drawn = "This level and slice as it looks: exposure, range, normals, tiles, over the ground";
        for (name, hint, files) in [
            ("Values as stored", stored, [("Export as PNG…", Look::Export), ("Copy", Look::Copy)]),
            ("As drawn", drawn, [("Save as PNG…", Look::SaveDrawn), ("Copy as drawn", Look::CopyDrawn)]),
        ] {
            caption(ui, name, ctx.theme);
            ui.horizontal(|ui| {
                for (name, look) in files {
                    if ui.button(RichText::new(name).size(theme::DENSE)).on_hover_text(hint).clicked() {
                        ctx.send(Command::Look(look));
                    }
                }
            });
        }
        ui.add_space(4.0);
        if ui.add_enabled(self.is_changed(), egui::Button::new("Reset")).clicked() {
            *self = Self { is_open: true, ..Self::default() };
        }
    }

    fn colours_ui(&mut self, ui: &mut Ui, texture: &Texture, ctx: &ViewCtx<'_>) {
        caption(ui, "Values", ctx.theme);
        let own = is_linear(texture);
        let shown = self.is_linear.unwrap_or(own);
        ui.horizontal(|ui| {
            for (is_linear, name, hint) in [
                (false, "as stored", "Shown as they are: colours in sRGB, and data"),
                (true, "linear", "Light values, encoded for the screen"),
            ] {
                let hint =
                    if is_linear == own { format!("{hint}. {}", reason(texture)) } else { hint.to_owned() };
                if choice(ui, shown == is_linear, name).on_hover_text(hint).clicked() {
                    self.is_linear = (is_linear != own).then_some(is_linear);
                }
            }
        });
        let by_itself = if shown == own { "" } else { "Chosen by hand. By itself: " };
        let reason = RichText::new(format!("{by_itself}{}", reason(texture)))
            .size(theme::CAPTION)
            .color(ctx.theme.muted);
        ui.add(egui::Label::new(reason).wrap());
    }

    fn range_ui(&mut self, ui: &mut Ui, open: &OpenDocument, shown: (u32, [bool; 4]), ctx: &ViewCtx<'_>) {
        caption(ui, "Exposure and range", ctx.theme);
        histogram::ui(ui, open, shown, (&mut self.range, self.exposure), ctx);
        ui.spacing_mut().slider_width = 180.0;
        let slider = egui::Slider::new(&mut self.exposure, -STOPS..=STOPS)
            .step_by(0.1)
            .suffix(" stops")
            .trailing_fill(false);
        ui.add(slider).on_hover_text("Each step doubles the light");
        ui.horizontal(|ui| {
            ui.visuals_mut().widgets.inactive.weak_bg_fill = ctx.theme.hovered;
            let [low, high] = &mut self.range;
            ui.label(RichText::new("black").size(theme::DENSE));
            ui.add(egui::DragValue::new(low).speed(0.01));
            ui.label(RichText::new("white").size(theme::DENSE));
            ui.add(egui::DragValue::new(high).speed(0.01));
        });
    }

    fn ground_ui(&mut self, ui: &mut Ui, leaf: &str, ctx: &ViewCtx<'_>) {
        let by_name = if has_data_in_alpha(leaf) { " (in a _n it is a direction)" } else { "" };
        caption(ui, &format!("Alpha{by_name}"), ctx.theme);
        let shown = self.ground_of(leaf);
        ui.horizontal(|ui| {
            for (ground, name) in [(Ground::Checker, "checker"), (Ground::Nothing, "ignored")] {
                if choice(ui, shown == ground, name).clicked() {
                    self.ground = Some(ground);
                }
            }
            let mut colour = match shown {
                Ground::Plain(colour) => colour,
                Ground::Checker | Ground::Nothing => Color32::from_gray(128),
            };
            let is_plain = matches!(shown, Ground::Plain(_));
            if choice(ui, is_plain, "colour").clicked() {
                self.ground = Some(Ground::Plain(colour));
            }
            if is_plain && ui.color_edit_button_srgba(&mut colour).changed() {
                self.ground = Some(Ground::Plain(colour));
            }
        });
    }

    fn mode_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        caption(ui, "Normals (X in green, Y in alpha, Z rebuilt)", ctx.theme);
        ui.horizontal(|ui| {
            for (mode, name) in [
                (Mode::Colours, "off"),
                (Mode::Normals, "colours"),
                (Mode::Lit, "lit"),
                (Mode::Sphere, "on a ball"),
            ] {
                if choice(ui, self.mode == mode, name).clicked() {
                    self.mode = mode;
                }
            }
        });
        caption(ui, "Pixels", ctx.theme);
        ui.horizontal(|ui| {
            for (sampling, name) in
                [(Sampling::Auto, "auto"), (Sampling::Nearest, "nearest"), (Sampling::Smooth, "smooth")]
            {
                if choice(ui, self.sampling == sampling, name).clicked() {
                    self.sampling = sampling;
                }
            }
        });
        ui.add_space(2.0);
        // A box without a tick is seen by its edge.
        ui.visuals_mut().widgets.inactive.bg_stroke = egui::Stroke::new(1.0, ctx.theme.muted);
        ui.checkbox(&mut self.is_tiled, RichText::new("tiled 3 × 3").size(theme::DENSE));
    }
}

/// The command that exports what is shown.
pub(super) fn export(open: &OpenDocument, level: u32, channels: [bool; 4]) -> Option<Command> {
    let PictureChoice { tier, part } = open.picture.choice;
    let texture = open.shown_texture()?;
    let layer = |image: &Image| image.nearest_layer(part.layer);
    let slice =
        if texture.is_volume() { texture.image(0, level).map_or(part.layer, layer) } else { part.slice };
    let slice = Which::One(slice);
    let wanted = Wanted { level: Which::One(level), slice, channels: Channels::Shown(channels) };
    let tiers = open.picture.tiers();
    // Of a tier that is pinned its own file is written.
    let copy = match (tier, tiers) {
        (Tier::File(at), Some(tiers)) => tiers.files.get(at)?.copy?,
        _ => open.copy_ref()?,
    };
    let is_joined = tier == Tier::Joined && tiers.is_some();
    let conversion = Conversion { form: Form::Png, wanted, is_joined, ..Conversion::default() };
    Some(Command::PickExportFolder(Files::Copy(copy), conversion))
}

/// Who decodes the picture.
fn decoding_ui(ui: &mut Ui, open: &OpenDocument, pixels: &Pixels, ctx: &ViewCtx<'_>) {
    caption(ui, "Decoded by", ctx.theme);
    let shown = open.picture.choice;
    ui.horizontal(|ui| {
        for (decoding, name) in
            [(Decoding::Card, "the graphics card"), (Decoding::Processor, "the processor")]
        {
            if choice(ui, shown.part.decoding == decoding, name).clicked() {
                let part = Part { decoding, ..shown.part };
                ctx.send(Command::Picture(open.id, PictureCommand::Show(PictureChoice { part, ..shown })));
            }
        }
    });
    let words = match (shown.part.decoding, pixels.is_decoded) {
        (Decoding::Card, true) => {
            "The card does not take this format as it is stored: the processor decodes it."
        }
        (Decoding::Card, false) => "The levels are uploaded as they are stored.",
        (Decoding::Processor, _) => "The levels are decoded before they are uploaded, as for exports.",
    };
    let words = RichText::new(words).size(theme::CAPTION).color(ctx.theme.muted);
    ui.add(egui::Label::new(words).wrap());
}

/// Whether values are light, to be encoded for the screen.
const fn is_linear(texture: &Texture) -> bool {
    texture.format.is_float()
}

/// Why values are shown as they are at first.
fn reason(texture: &Texture) -> String {
    match (is_linear(texture), texture.is_srgb) {
        (true, _) => "Linear: the values are floats.".to_owned(),
        (false, true) => format!("Colours in sRGB ({}).", texture.srgb_reason),
        (false, false) => format!("Data, shown as stored ({}).", texture.srgb_reason),
    }
}

/// What the channels of a surface map stand for, by the suffix of its name.
pub(super) fn labels(leaf: &str) -> Option<[&'static str; 3]> {
    let stem = leaf.split('.').next().unwrap_or_default().to_ascii_lowercase();
    stem.ends_with("_s").then_some(["reflectance (assumed)", "mask (assumed)", "roughness (assumed)"])
}

fn caption(ui: &mut Ui, text: &str, theme: &Theme) {
    ui.add_space(2.0);
    ui.label(RichText::new(text).size(theme::CAPTION).color(theme.muted));
}
