//! What all textures with a DDS in them have in common.

use super::Surface;
use crate::asset::Texture;
use crate::parse::Reader;
use crate::path;

/// A texture that is all that its DDS carries.
pub(in crate::formats) fn of_surface(r: &Reader<'_>, surface: Surface, name: &str) -> Texture {
    let (is_srgb, srgb_reason) = srgb(r, &surface, name);
    Texture {
        name: name.to_owned(),
        format: surface.format,
        width: surface.width,
        height: surface.height,
        depth: surface.depth,
        full_width: surface.width,
        full_height: surface.height,
        full_levels: surface.levels,
        first_level: 0,
        levels: surface.levels,
        slices: surface.slices,
        is_cube: surface.is_cube,
        slice_paths: Vec::new(),
        is_srgb,
        srgb_reason,
        is_stored_srgb: surface.is_srgb,
        dds_offset: surface.offset,
        images: surface.images,
        cut: surface.cut,
        torn: Vec::new(),
    }
}

/// Whether colours are sRGB, and how that is known.
fn srgb(r: &Reader<'_>, surface: &Surface, name: &str) -> (bool, &'static str) {
    if surface.is_srgb {
        return (true, "the stored format says sRGB");
    }
    if surface.format.is_float() {
        return (false, "values of floating point are linear");
    }
    for path in [r.file(), name] {
        let leaf = path::to_text(path::split(path.as_bytes()).1).to_ascii_lowercase();
        let stem = leaf.split('.').next().unwrap_or_default();
        match stem.rsplit_once('_').map(|(_, suffix)| suffix) {
            Some("d") => return (true, "assumed: the name ends in _d, a colour map"),
            Some("n") => return (false, "assumed: the name ends in _n, a normal map"),
            Some("s") => return (false, "assumed: the name ends in _s, a surface map"),
            Some("m") => return (false, "assumed: the name ends in _m, a mask"),
            _ => {}
        }
    }
    (false, "assumed: no suffix of the name says colour")
}

/// The facts about a texture; `version` is that of the file around the DDS.
pub(in crate::formats) fn state_facts(r: &mut Reader<'_>, version: Option<u32>, texture: &Texture) {
    if let Some(version) = version {
        r.fact("version", || version);
    }
    r.fact("name", || texture.name.as_str());
    r.fact("format", || texture.format.name());
    r.fact("width", || texture.width);
    r.fact("height", || texture.height);
    r.fact("mips", || texture.levels);
    r.fact("full_width", || texture.full_width);
    r.fact("full_height", || texture.full_height);
    r.fact("full_mips", || texture.full_levels);
    r.fact("srgb", || texture.is_srgb);
    if texture.depth > 1 {
        r.fact("depth", || texture.depth);
    }
    if texture.slices > 1 {
        r.fact("slice_count", || texture.slices);
        r.fact("cube", || texture.is_cube);
    }
}
