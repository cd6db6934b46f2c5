//! The window, or a picture of it where there is no display.

use std::path::{Path, PathBuf};

use eframe::{NativeOptions, Renderer};
use egui::{IconData, ViewportBuilder, vec2};
use palimpsest_core::error::{Error, Result};

use crate::app::{App, Start};
use crate::gpu;
use crate::headless;
use crate::settings::{KEY, Settings};

/// The name under which the system knows the program.
const APP_ID: &str = "palimpsest";

/// Pixels of the window at first.
const SIZE: (f32, f32) = (1440.0, 900.0);

/// How the window ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    /// A person closed it.
    Closed,
    /// There was no display, so it was drawn into this file.
    Drawn(String),
}

/// Opens the window and returns when it is closed. Without a display the window is drawn into
/// `picture` instead, or into a file of a name like it where that one is there already.
///
/// # Errors
/// When no window can be opened although there is a display, or no graphics adapter is found; the
/// text says what to do.
pub fn open(start: Start, picture: &Path) -> Result<Ended> {
    if !has_display() {
        let look = headless::Look { size: (1440, 900), is_light: false };
        let picture = free(picture);
        headless::screenshot(start, look, &picture)?;
        return Ok(Ended::Drawn(picture.display().to_string()));
    }
    let options = NativeOptions {
        viewport: ViewportBuilder::default()
            .with_title("Palimpsest")
            .with_app_id(APP_ID)
            .with_inner_size(vec2(SIZE.0, SIZE.1))
            .with_min_inner_size(vec2(760.0, 480.0))
            .with_drag_and_drop(true)
            .with_icon(icon()),
        renderer: Renderer::Wgpu,
        wgpu_options: gpu::configuration(gpu::WANTED),
        ..NativeOptions::default()
    };
    let create = move |creation: &eframe::CreationContext<'_>| {
        let stored = creation.storage.and_then(|storage| storage.get_string(KEY));
        let settings: Settings = stored.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let app = App::new(&creation.egui_ctx, creation.wgpu_render_state.as_ref(), &settings, start)?;
        Ok(Box::new(app) as Box<dyn eframe::App>)
    };
    eframe::run_native(APP_ID, options, Box::new(create)).map_err(|error| {
        Error::unsupported(format!(
            "no window could be opened: {error}. A driver for Vulkan, DirectX 12, Metal or OpenGL is needed; \
             Mesa's software driver will do. The command line works without: palimpsest --help"
        ))
    })?;
    Ok(Ended::Closed)
}

/// The path itself, or `name-2.png` and so on where something is there already.
fn free(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let numbered = (2u32..).map(|number| path.with_file_name(format!("{stem}-{number}.{extension}")));
    let is_free = |path: &PathBuf| path.symlink_metadata().is_err();
    std::iter::once(path.to_path_buf()).chain(numbered).find(is_free).unwrap_or_else(|| path.to_path_buf())
}

/// Whether there is a display to open a window on.
fn has_display() -> bool {
    if cfg!(any(windows, target_os = "macos")) {
        return true;
    }
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// The program's icon.
fn icon() -> IconData {
    let decoded = image::load_from_memory(include_bytes!("../../assets/icon.png"));
    let Ok(picture) = decoded else { return IconData::default() };
    let picture = picture.into_rgba8();
    IconData { width: picture.width(), height: picture.height(), rgba: picture.into_raw() }
}
