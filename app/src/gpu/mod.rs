//! The graphics card: how it is asked for, what it can do, and what is drawn on it.
//!
//! Knows assets and pixels; never a path.

pub mod offscreen;
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
        descriptor
    });
    WgpuConfiguration { wgpu_setup: WgpuSetup::CreateNew(setup), ..WgpuConfiguration::default() }
}
