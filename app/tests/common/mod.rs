//! What tests that compare pictures have in common.

use std::path::Path;

use egui_kittest::{SnapshotOptions, image_snapshot_options};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ImageEncoder as _, RgbaImage};

/// Gives a context fonts with the letters of the demo's texts: those of the system are other ones everywhere.
pub(crate) fn add_fonts(ctx: &egui::Context) {
    use egui::epaint::text::{FontInsert, FontPriority, InsertFontFamily};
    let fonts: [(&str, &'static [u8]); 2] = [
        ("demo arabic", include_bytes!("../fonts/arabic.ttf")),
        ("demo japanese", include_bytes!("../fonts/japanese.ttf")),
    ];
    for (name, bytes) in fonts {
        let family = |family| InsertFontFamily { family, priority: FontPriority::Lowest };
        let families = vec![family(egui::FontFamily::Proportional), family(egui::FontFamily::Monospace)];
        ctx.add_font(FontInsert::new(name, egui::FontData::from_static(bytes), families));
    }
}

/// Compares a picture with the one that is kept in a folder; `UPDATE_SNAPSHOTS=1` writes it anew.
pub(crate) fn compare(mut picture: RgbaImage, folder: &str, name: &str) {
    // What lies behind the window is nobody's business.
    picture.pixels_mut().for_each(|pixel| pixel[3] = u8::MAX);
    // Text and pictures are drawn by the processor, alike but for a few edges on other versions.
    let options = SnapshotOptions::new().threshold(0.8).max_failed_pixels(200).output_path(folder);
    let file = Path::new(folder).join(format!("{name}.png"));
    let before = std::fs::read(&file).ok();
    image_snapshot_options(&picture, name, &options);
    let written = std::fs::read(&file).ok();
    if written.is_some() && written != before {
        squeeze(&file);
    }
}

/// Writes a picture anew, without alpha and as small as PNG goes.
fn squeeze(file: &Path) {
    let picture = image::open(file).unwrap().into_rgb8();
    let mut png = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Best, FilterType::NoFilter);
    encoder.write_image(&picture, picture.width(), picture.height(), image::ExtendedColorType::Rgb8).unwrap();
    std::fs::write(file, png).unwrap();
}
