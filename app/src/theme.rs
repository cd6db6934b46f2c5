//! Colours, spacing, fonts and icons: the only place that has them.

use std::sync::Arc;

use egui::epaint::text::FontData;
use egui::{
    Color32, Context, CornerRadius, FontDefinitions, FontFamily, FontId, Margin, Shadow, Stroke, Style,
    TextStyle, Visuals, vec2,
};
use palimpsest_core::diff::Change;
use palimpsest_core::parse::Role;

/// Points of the grid that everything stands on.
pub const GRID: f32 = 4.0;
/// Height of a row in lists and trees.
pub const ROW: f32 = 22.0;
/// Height of a row of bytes.
pub const HEX_ROW: f32 = 18.0;

/// Text of panels.
pub const BODY: f32 = 13.0;
/// Text of dense rows.
pub const DENSE: f32 = 12.0;
/// Captions.
pub const CAPTION: f32 = 11.0;

const SEMIBOLD: &str = "semibold";

/// Icons, of one family.
pub mod icon {
    pub use egui_material_icons::icons::{
        ICON_ARROW_BACK as BACK, ICON_ARROW_FORWARD as FORWARD, ICON_ARROW_UPWARD as UP,
        ICON_CANCEL as CANCEL, ICON_CHECK_BOX as CHECKED, ICON_CHECK_BOX_OUTLINE_BLANK as UNCHECKED,
        ICON_CHEVRON_RIGHT as CLOSED, ICON_CLOSE as CLOSE, ICON_COMPARE as COMPARE,
        ICON_CONTENT_COPY as COPY, ICON_CONTRAST as THEME, ICON_CROWN as WINNER,
        ICON_DATA_OBJECT as STRUCTURE, ICON_DEPLOYED_CODE as MESH, ICON_DESCRIPTION as FILE,
        ICON_ERROR as ERROR, ICON_FILE_EXPORT as EXPORT, ICON_FIT_SCREEN as FIT, ICON_FOLDER as FOLDER,
        ICON_FOLDER_OPEN as FOLDER_OPEN, ICON_GRID_VIEW as GRID, ICON_HELP as UNPROVEN,
        ICON_IMAGE as TEXTURE, ICON_INVENTORY_2 as ARCHIVE, ICON_KEYBOARD_ARROW_DOWN as OPEN,
        ICON_KEYBOARD_ARROW_UP as PREVIOUS, ICON_LAYERS as LAYERS, ICON_LIST as LIST, ICON_REFRESH as RETRY,
        ICON_SEARCH as SEARCH, ICON_SKELETON as SKELETON, ICON_SUBJECT as TEXT, ICON_SWAP_HORIZ as SWAP,
        ICON_TRANSLATE as STRINGS, ICON_WARNING as WARNING,
    };
}

/// What outlines a selection on a picture, whatever its colours.
pub const SELECTED: Color32 = Color32::from_rgb(0x4C, 0x9B, 0xE8);

/// The colours of one theme.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    /// Whether the ground is dark.
    pub is_dark: bool,
    /// The lowest surface: behind pictures and bytes.
    pub canvas: Color32,
    /// The surface of panels.
    pub panel: Color32,
    /// What lies on a panel: fields, menus, cards.
    pub raised: Color32,
    /// What lies under the pointer.
    pub hovered: Color32,
    /// Text.
    pub text: Color32,
    /// Text that is less important: shadowed copies, captions.
    pub muted: Color32,
    /// Lines of one pixel.
    pub hairline: Color32,
    /// "This copy wins", and focus; nothing else.
    pub accent: Color32,
    /// Added, or one of two sides.
    pub added: Color32,
    /// Removed or changed, or the other side.
    pub removed: Color32,
    /// The ground of bytes and words that the right one of two sides has.
    pub added_ground: Color32,
    /// The ground of bytes and words that the left one of two sides has.
    pub removed_ground: Color32,
    /// Errors only.
    pub error: Color32,
    /// Warnings.
    pub warning: Color32,
    /// What is selected, where it is not the winner that is meant.
    pub selection: Color32,
    /// Selected bytes, which stand among tinted ones.
    pub selected_bytes: Color32,
}

/// How much pixels differ, from not at all to most; told apart by how light they are as well.
pub const HEAT: [Color32; 5] = [
    Color32::from_rgb(0x08, 0x06, 0x14),
    Color32::from_rgb(0x4B, 0x14, 0x6B),
    Color32::from_rgb(0xB5, 0x36, 0x5A),
    Color32::from_rgb(0xF6, 0x8B, 0x1F),
    Color32::from_rgb(0xFB, 0xF9, 0xA0),
];

/// How much a bone moves a vertex, from not at all to alone: as [`HEAT`], but what is not moved is seen on every
/// ground.
pub const WEIGHTS: [Color32; 5] = [
    Color32::from_rgb(0x5A, 0x62, 0x70),
    Color32::from_rgb(0x6B, 0x3E, 0x8E),
    Color32::from_rgb(0xB5, 0x36, 0x5A),
    Color32::from_rgb(0xF6, 0x8B, 0x1F),
    Color32::from_rgb(0xFB, 0xF9, 0xA0),
];

const DARK: Theme = Theme {
    is_dark: true,
    canvas: Color32::from_rgb(0x13, 0x15, 0x19),
    panel: Color32::from_rgb(0x1A, 0x1D, 0x22),
    raised: Color32::from_rgb(0x24, 0x28, 0x2F),
    hovered: Color32::from_rgb(0x2C, 0x31, 0x39),
    text: Color32::from_rgb(0xD9, 0xDD, 0xE3),
    muted: Color32::from_rgb(0x93, 0x9B, 0xA7),
    hairline: Color32::from_rgb(0x30, 0x34, 0x3B),
    accent: Color32::from_rgb(0xE5, 0xA9, 0x4B),
    added: Color32::from_rgb(0x4C, 0x9B, 0xE8),
    removed: Color32::from_rgb(0xE0, 0x65, 0x3A),
    added_ground: Color32::from_rgb(0x1D, 0x40, 0x66),
    removed_ground: Color32::from_rgb(0x66, 0x2F, 0x1C),
    error: Color32::from_rgb(0xF2, 0x6D, 0x6D),
    warning: Color32::from_rgb(0xD3, 0xC0, 0x6A),
    selection: Color32::from_rgb(0x2F, 0x3E, 0x52),
    selected_bytes: Color32::from_rgb(0x3C, 0x5F, 0x8C),
};

const LIGHT: Theme = Theme {
    is_dark: false,
    canvas: Color32::from_rgb(0xE9, 0xEC, 0xF0),
    panel: Color32::from_rgb(0xF5, 0xF7, 0xF9),
    raised: Color32::from_rgb(0xFF, 0xFF, 0xFF),
    hovered: Color32::from_rgb(0xE6, 0xEA, 0xEF),
    text: Color32::from_rgb(0x1D, 0x22, 0x2A),
    muted: Color32::from_rgb(0x59, 0x62, 0x6E),
    hairline: Color32::from_rgb(0xD5, 0xDA, 0xE0),
    accent: Color32::from_rgb(0x9A, 0x5B, 0x00),
    added: Color32::from_rgb(0x1B, 0x6C, 0xB8),
    removed: Color32::from_rgb(0xB8, 0x42, 0x1B),
    added_ground: Color32::from_rgb(0xBA, 0xD9, 0xF8),
    removed_ground: Color32::from_rgb(0xF8, 0xC9, 0xB8),
    error: Color32::from_rgb(0xB3, 0x26, 0x2B),
    warning: Color32::from_rgb(0x7A, 0x66, 0x00),
    selection: Color32::from_rgb(0xCF, 0xE0, 0xF3),
    selected_bytes: Color32::from_rgb(0x9F, 0xC5, 0xF2),
};

impl Theme {
    /// The theme that is shown.
    pub fn of(ctx: &Context) -> &'static Self {
        match ctx.theme() {
            egui::Theme::Dark => &DARK,
            egui::Theme::Light => &LIGHT,
        }
    }

    /// A colour that lies over the canvas with a part of its strength, for large areas.
    pub fn quiet(&self, colour: Color32, strength: f32) -> Color32 {
        self.canvas.lerp_to_gamma(colour, strength)
    }

    /// The ground of bytes by what they mean; none for bytes that no field explains.
    pub fn tint(&self, role: Role) -> Option<Color32> {
        let (dark, light) = match role {
            Role::Structure | Role::Gap | Role::Data => return None,
            Role::Number => ((0x1F, 0x2B, 0x3A), (0xD9, 0xE6, 0xF5)),
            Role::Offset => ((0x2C, 0x24, 0x3C), (0xE5, 0xDC, 0xF3)),
            Role::Text => ((0x1E, 0x30, 0x28), (0xD8, 0xEB, 0xDF)),
            Role::Hash => ((0x35, 0x23, 0x2E), (0xF2, 0xDB, 0xE5)),
            Role::Float => ((0x1C, 0x30, 0x33), (0xD5, 0xEC, 0xEE)),
            Role::Padding => ((0x22, 0x23, 0x26), (0xE0, 0xE2, 0xE5)),
        };
        let (r, g, b) = if self.is_dark { dark } else { light };
        Some(Color32::from_rgb(r, g, b))
    }

    /// The mark of a row by what its bytes mean: the tint of the bytes, strong enough for a thin bar.
    pub fn mark(&self, role: Role) -> Option<Color32> {
        let (dark, light) = match role {
            Role::Structure | Role::Gap | Role::Data => return None,
            Role::Number => ((0x4F, 0x7F, 0xB8), (0x6F, 0x9F, 0xD6)),
            Role::Offset => ((0x8A, 0x6C, 0xC4), (0x9F, 0x80, 0xD6)),
            Role::Text => ((0x4E, 0x9A, 0x72), (0x5F, 0xB0, 0x86)),
            Role::Hash => ((0xB0, 0x5C, 0x86), (0xCB, 0x77, 0xA1)),
            Role::Float => ((0x45, 0x99, 0xA3), (0x55, 0xAE, 0xB8)),
            Role::Padding => ((0x5A, 0x5F, 0x67), (0xA2, 0xA8, 0xB0)),
        };
        let (r, g, b) = if self.is_dark { dark } else { light };
        Some(Color32::from_rgb(r, g, b))
    }

    /// The colour of the sign of how one side relates to the other.
    pub fn change(&self, change: Change) -> Color32 {
        match change {
            Change::Same => self.muted,
            Change::Changed | Change::Removed => self.removed,
            Change::Added => self.added,
        }
    }

    /// The two colours of the checkerboard behind transparent pixels.
    pub fn checker(&self) -> [Color32; 2] {
        let [dark, light] = if self.is_dark { [0x38, 0x48] } else { [0xC4, 0xD8] };
        [Color32::from_gray(dark), Color32::from_gray(light)]
    }

    /// The colours of weights, from none to all.
    pub fn weights(&self) -> [Color32; 5] {
        let mut weights = WEIGHTS;
        if !self.is_dark {
            weights[0] = Color32::from_rgb(0xB4, 0xBB, 0xC6);
        }
        weights
    }

    /// A line of one pixel.
    pub fn line(&self) -> Stroke {
        Stroke::new(1.0, self.hairline)
    }
}

/// Text in the face for bytes, numbers, hashes and paths.
pub fn mono(size: f32) -> FontId {
    FontId::new(size, FontFamily::Monospace)
}

/// Text in the face for everything else.
pub fn sans(size: f32) -> FontId {
    FontId::new(size, FontFamily::Proportional)
}

/// The same, heavier.
pub fn semibold(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(SEMIBOLD.into()))
}

/// Gives a context its fonts and both themes.
pub fn install(ctx: &Context) {
    ctx.set_fonts(fonts());
    egui_material_icons::initialize(ctx);
    ctx.set_style_of(egui::Theme::Dark, style(&DARK));
    ctx.set_style_of(egui::Theme::Light, style(&LIGHT));
}

fn fonts() -> FontDefinitions {
    // egui's own fonts stay behind ours, for symbols that ours lack. egui shapes text with every
    // default feature of a font, so the files of ours have none that joins or swaps letters.
    let mut fonts = FontDefinitions::default();
    let faces: [(&str, &'static [u8]); 3] = [
        ("Inter", include_bytes!("../../assets/fonts/Inter-Regular.otf")),
        ("Inter SemiBold", include_bytes!("../../assets/fonts/Inter-SemiBold.otf")),
        ("JetBrains Mono", include_bytes!("../../assets/fonts/JetBrainsMono-Regular.ttf")),
    ];
    for (name, bytes) in faces {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    let behind = fonts.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    let mut first = |family: FontFamily, name: &str| {
        let faces = fonts.families.entry(family).or_insert_with(|| behind.clone());
        faces.insert(0, name.to_owned());
    };
    first(FontFamily::Proportional, "Inter");
    first(FontFamily::Monospace, "JetBrains Mono");
    first(FontFamily::Name(SEMIBOLD.into()), "Inter SemiBold");
    fonts
}

fn style(theme: &Theme) -> Style {
    let mut style = Style { visuals: visuals(theme), animation_time: 0.1, ..Style::default() };
    style.text_styles = [
        (TextStyle::Small, sans(CAPTION)),
        (TextStyle::Body, sans(BODY)),
        (TextStyle::Button, sans(BODY)),
        (TextStyle::Heading, semibold(20.0)),
        (TextStyle::Monospace, mono(DENSE)),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(2.0 * GRID, GRID);
    spacing.button_padding = vec2(2.0 * GRID, 3.0);
    spacing.interact_size = vec2(24.0, 24.0);
    spacing.menu_margin = Margin::same(6);
    spacing.window_margin = Margin::same(12);
    spacing.scroll.floating = true;
    style.interaction.selectable_labels = true;
    style.interaction.tooltip_delay = 0.4;
    style
}

fn visuals(theme: &Theme) -> Visuals {
    let mut visuals = if theme.is_dark { Visuals::dark() } else { Visuals::light() };
    let radius = CornerRadius::same(4);
    visuals.override_text_color = None;
    visuals.weak_text_color = Some(theme.muted);
    visuals.panel_fill = theme.panel;
    visuals.window_fill = theme.raised;
    visuals.window_stroke = theme.line();
    visuals.window_corner_radius = radius;
    visuals.menu_corner_radius = radius;
    visuals.window_shadow = Shadow::NONE;
    visuals.popup_shadow =
        Shadow { offset: [0, 4], blur: 12, spread: 0, color: Color32::from_black_alpha(60) };
    visuals.extreme_bg_color = theme.canvas;
    visuals.text_edit_bg_color = Some(if theme.is_dark { theme.canvas } else { theme.raised });
    visuals.faint_bg_color = theme.raised;
    visuals.code_bg_color = theme.raised;
    visuals.hyperlink_color = theme.added;
    visuals.warn_fg_color = theme.warning;
    visuals.error_fg_color = theme.error;
    visuals.selection.bg_fill = theme.selection;
    visuals.selection.stroke = Stroke::new(1.0, theme.text);
    visuals.striped = false;
    visuals.slider_trailing_fill = true;
    let widgets = &mut visuals.widgets;
    for (widget, fill, line, text) in [
        (&mut widgets.noninteractive, theme.panel, theme.hairline, theme.text),
        (&mut widgets.inactive, theme.raised, theme.hairline, theme.text),
        (&mut widgets.hovered, theme.hovered, theme.hairline, theme.text),
        (&mut widgets.active, theme.hovered, theme.accent, theme.text),
        (&mut widgets.open, theme.hovered, theme.hairline, theme.text),
    ] {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = Stroke::new(1.0, line);
        widget.fg_stroke = Stroke::new(1.0, text);
        widget.corner_radius = radius;
        widget.expansion = 0.0;
    }
    visuals
}

#[cfg(test)]
mod tests {
    use egui::epaint::text::{Fonts, TextOptions};

    use super::*;

    /// Contrast of two colours after WCAG 2.
    fn contrast(a: Color32, b: Color32) -> f32 {
        let luminance = |colour: Color32| {
            let [r, g, b, _] = egui::Rgba::from(colour).to_array();
            0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
        };
        let (a, b) = (luminance(a), luminance(b));
        a.max(b) / a.min(b)
    }

    #[test]
    fn letters_stay_as_they_are_typed() {
        let mut fonts = fonts();
        for data in fonts.font_data.values_mut() {
            // Otherwise a letter looks a little different between two pixels.
            Arc::make_mut(data).tweak.subpixel_binning = Some(false);
        }
        let mut fonts = Fonts::new(TextOptions::default(), fonts);
        let mut view = fonts.with_pixels_per_point(1.0);
        let mut pictures = |text: &str, font: &FontId| {
            let galley = view.layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE);
            let glyphs = galley.rows.iter().flat_map(|row| &row.glyphs);
            glyphs.map(|glyph| (glyph.uv_rect.min, glyph.uv_rect.max)).collect::<Vec<_>>()
        };
        for font in [mono(DENSE), sans(DENSE), semibold(DENSE)] {
            for text in ["Ctrl++", "sword_?.tex", "size:>1m", "0x10008", "4x4", "-> => != <= ## www fi"] {
                let alone: Vec<_> = text.chars().flat_map(|c| pictures(&c.to_string(), &font)).collect();
                assert_eq!(pictures(text, &font), alone, "{text:?} in {font:?}");
            }
        }
    }

    #[test]
    fn text_can_be_read_on_every_surface() {
        for theme in [&DARK, &LIGHT] {
            let tints = [Role::Number, Role::Offset, Role::Text, Role::Hash, Role::Float, Role::Padding];
            let tints = tints.into_iter().filter_map(|role| theme.tint(role));
            let plain = [theme.canvas, theme.panel, theme.raised, theme.selection, theme.selected_bytes];
            let sides = [theme.added_ground, theme.removed_ground];
            let grounds = plain.into_iter().chain(sides).chain(tints);
            for ground in grounds {
                assert!(contrast(theme.text, ground) >= 4.5, "{:?} on {ground:?}", theme.text);
            }
            // The bytes of the difference that is gone to stand on the strong colours.
            for ground in [theme.added, theme.removed] {
                assert!(contrast(theme.canvas, ground) >= 4.5, "{:?} on {ground:?}", theme.canvas);
            }
            for ground in [theme.canvas, theme.panel, theme.raised] {
                for text in [theme.muted, theme.accent, theme.error, theme.warning] {
                    assert!(
                        contrast(text, ground) >= 4.5,
                        "{text:?} on {ground:?}: {}",
                        contrast(text, ground)
                    );
                }
            }
        }
    }
}
