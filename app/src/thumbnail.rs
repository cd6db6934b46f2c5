//! Small pictures of textures: made of one of their smaller levels, and kept on disk where that takes long.

use std::sync::Arc;

use egui::ColorImage;
use image::imageops;
use palimpsest_core::asset::{Image, Kind, Texture};
use palimpsest_core::codec::pixels::decode_rgba8;
use palimpsest_core::error::{Error, Result};
use palimpsest_core::format::detect;
use palimpsest_core::mount::{CopyRef, Stack};
use palimpsest_core::task::Task;

pub use self::kept::Kept;

mod kept;

/// Bytes of a stored level from which on its picture is kept on disk: smaller ones are decoded faster than
/// a file is opened.
const WORTH_KEEPING: usize = 256 << 10;

/// A small picture, and what is told beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thumbnail {
    /// At most as many pixels along a side as were asked for; alpha is straight in the file and
    /// multiplied here.
    pub picture: Arc<ColorImage>,
    /// Pixels of the full-size texture.
    pub size: [u32; 2],
    /// How pixels are stored.
    pub format: &'static str,
    /// Array slices, or layers of a volume.
    pub slices: u32,
    /// Whether six of them make a cube.
    pub is_cube: bool,
}

/// Whether files of a name are textures.
pub fn is_texture(path: &str) -> bool {
    detect(path, &[]).is_some_and(|format| format.kind == Kind::Texture)
}

/// Whether alpha of a texture is data, by its name: in normal maps of the first game it is a direction.
pub fn has_data_in_alpha(path: &str) -> bool {
    let leaf = path.rsplit(['\\', '/']).next().unwrap_or_default();
    leaf.split('.').next().is_some_and(|stem| stem.to_ascii_lowercase().ends_with("_n"))
}

/// The small picture of a copy, with up to `side` pixels along a side.
///
/// # Errors
/// Those of [`Stack::preview`]; `Unsupported` for formats that are not decoded.
pub fn of_copy(
    stack: &Stack,
    copy: CopyRef,
    side: u32,
    kept: Option<&Kept>,
    task: &Task,
) -> Result<Thumbnail> {
    let texture = stack.preview(copy, side, task)?;
    let image = texture.images.first().ok_or_else(|| Error::not_found("no level of the texture is whole"))?;
    let is_opaque = has_data_in_alpha(&stack.path_of(copy));
    let kept = kept.filter(|_| image.data.len() >= WORTH_KEEPING);
    let key = kept.map(|kept| (kept, kept::key(&texture, image, side, is_opaque)));
    let known = key.as_ref().and_then(|(kept, key)| kept.load(key, small_size(image, side)));
    let picture = if let Some(picture) = known {
        picture
    } else {
        let picture = picture_of(&texture, image, side, is_opaque)?;
        if let Some((kept, key)) = key {
            kept.store(&key, &picture);
        }
        picture
    };
    let size = [picture.width() as usize, picture.height() as usize];
    Ok(Thumbnail {
        picture: Arc::new(ColorImage::from_rgba_unmultiplied(size, picture.as_raw())),
        size: [texture.full_width.max(texture.width), texture.full_height.max(texture.height)],
        format: texture.format.name(),
        slices: texture.slice_count(),
        is_cube: texture.is_cube,
    })
}

/// An image of a texture as colours for the screen, made smaller where it is larger than `side`.
fn picture_of(texture: &Texture, image: &Image, side: u32, is_opaque: bool) -> Result<image::RgbaImage> {
    let Image { width, height, .. } = *image;
    let mut pixels = decode_rgba8(texture.format, width, height, &image.data)?;
    for pixel in pixels.as_chunks_mut::<4>().0 {
        let [r, g, b, a] = *pixel;
        let alpha = if is_opaque { u8::MAX } else { a };
        let [r, g, b] = match (texture.format.is_float(), texture.format.is_single_channel()) {
            // Light, encoded for the screen as the large picture is.
            (true, is_single) => {
                let [r, g, b] = if is_single { [r; 3] } else { [r, g, b] };
                [r, g, b].map(|value| egui::ecolor::gamma_u8_from_linear_f32(f32::from(value) / 255.0))
            }
            (false, true) => [r; 3],
            (false, false) => [r, g, b],
        };
        *pixel = [r, g, b, alpha];
    }
    let missing = || Error::malformed("a level has other pixels than its size says");
    let picture = image::RgbaImage::from_raw(width, height, pixels).ok_or_else(missing)?;
    let size = small_size(image, side);
    Ok(if size == (width, height) { picture } else { imageops::thumbnail(&picture, size.0, size.1) })
}

/// Pixels of the small picture of an image.
fn small_size(image: &Image, side: u32) -> (u32, u32) {
    let longer = image.width.max(image.height);
    if longer <= side {
        return (image.width, image.height);
    }
    let shorter = |own: u32| (u64::from(own) * u64::from(side) / u64::from(longer)).max(1) as u32;
    (shorter(image.width), shorter(image.height))
}

#[cfg(test)]
mod tests {
    use palimpsest_core::asset::PixelFormat;
    use palimpsest_core::codec::chunks::{Chain, pack};
    use palimpsest_core::formats::dds::{self, NewSurface};
    use palimpsest_core::formats::ltar::{Builder, Packing};
    use palimpsest_core::mount::Mounts;

    use super::*;

    const FORMAT: PixelFormat = PixelFormat::Rgba8Unorm;

    /// A texture of `levels` levels, each of one colour.
    fn file(side: u32, levels: u32) -> Vec<u8> {
        let data: Vec<_> = (0..levels)
            .map(|level| [40 * level as u8, 0, 0, 255].repeat(((side >> level).pow(2)) as usize))
            .collect();
        let new = NewSurface { levels, ..NewSurface::flat(FORMAT, side, side) };
        dds::write(&new, &data.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap()
    }

    /// A stack of one archive, and the copy of the only file in it.
    fn stack(folder: &std::path::Path, name: &str, packed: Vec<u8>, size: usize) -> (Stack, CopyRef) {
        let mut builder = Builder::new();
        builder.add_packed(name, Packing::Chunks, packed, size as u64);
        let path = folder.join("a.arch06");
        std::fs::write(&path, builder.finish()).unwrap();
        let stack = Stack::mount(&Mounts::of(&path), &Task::new()).unwrap();
        let copy = stack.index().copies(stack.find(name).unwrap())[0];
        (stack, copy)
    }

    #[test]
    fn a_small_picture_is_made_of_the_level_that_fits_it_and_tells_the_full_size() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(256, 5);
        let (stack, copy) = stack(folder.path(), "a.dds", pack(&file), file.len());
        let made = of_copy(&stack, copy, 64, None, &Task::new()).unwrap();
        assert_eq!((made.picture.size, made.size), ([64, 64], [256, 256]));
        assert_eq!(made.picture.pixels[0].r(), 80, "the third level");
        let made = of_copy(&stack, copy, 100, None, &Task::new()).unwrap();
        assert_eq!((made.picture.size, made.picture.pixels[0].r()), ([100, 100], 40));
        assert!(is_texture("x\\A.TEX0") && !is_texture("a.txt"));
    }

    #[test]
    fn a_bad_chunk_before_the_level_does_no_harm_and_one_in_it_leads_to_the_next_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(256, 5);
        let made = |bad: usize, side| {
            let mut packed = pack(&file);
            let chain = Chain::new(packed.clone().into(), file.len() as u64);
            let chunk = chain.chunks().nth(bad).unwrap().unwrap();
            packed[chunk.data()].fill(0xFF);
            let (stack, copy) = stack(folder.path(), "a.dds", packed, file.len());
            of_copy(&stack, copy, side, None, &Task::new()).map(|made| made.picture.pixels[0].r())
        };
        // Level 0 takes the first four chunks, level 1 the fifth, and what follows the last.
        assert_eq!(made(2, 128).unwrap(), 40);
        assert_eq!((made(2, 256).unwrap(), made(4, 128).unwrap()), (40, 80));
        let error = made(0, 128).unwrap_err().to_string();
        assert!(error.contains("chunks[0]"), "nothing is known without the head: {error}");
    }

    #[test]
    fn directions_in_alpha_are_no_transparency() {
        assert!(has_data_in_alpha("a\\Wall_N.tex") && !has_data_in_alpha("a_n\\wall.tex"));
        let folder = tempfile::tempdir().unwrap();
        let clear = dds::write(&NewSurface::flat(FORMAT, 1, 1), &[&[9, 9, 9, 0]]).unwrap();
        let (stack, copy) = stack(folder.path(), "a_n.dds", pack(&clear), clear.len());
        let made = of_copy(&stack, copy, 64, None, &Task::new()).unwrap();
        assert_eq!(made.picture.pixels[0].to_array(), [9, 9, 9, 255]);
    }

    #[test]
    fn what_is_kept_on_disk_is_shown_again_and_what_is_no_picture_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let kept = Kept::new(folder.path().join("kept"));
        let file = file(512, 1);
        let (stack, copy) = stack(folder.path(), "a.dds", pack(&file), file.len());
        let made = || of_copy(&stack, copy, 64, Some(&kept), &Task::new()).unwrap();
        let first = made();
        let files: Vec<_> =
            std::fs::read_dir(folder.path().join("kept")).unwrap().map(|file| file.unwrap().path()).collect();
        assert_eq!(files.len(), 1);
        // Another picture in its place shows that it is the one on disk that is shown.
        image::RgbaImage::from_pixel(64, 64, image::Rgba([1, 2, 3, 255])).save(&files[0]).unwrap();
        assert_eq!(made().picture.pixels[0].to_array(), [1, 2, 3, 255]);
        image::RgbaImage::new(1, 1).save(&files[0]).unwrap();
        assert_eq!(made(), first, "one of another size is none of ours");
        for broken in [&b"no picture"[..], &[]] {
            std::fs::write(&files[0], broken).unwrap();
            assert_eq!(made(), first);
        }
    }
}
