//! The levels of two textures against each other, pixel by pixel.

use crate::asset::{Image, Texture};
use crate::codec::pixels::decode_rgba8;
use crate::error::Result;
use crate::task::Task;

/// Pixels of the largest level that is compared: 4,096 × 4,096.
pub const MAX_PIXELS: u64 = 1 << 24;

/// How the levels of two textures differ that have the same size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PixelDiff {
    /// The shared levels, largest first; each has half the side of the one before.
    pub levels: Vec<LevelDiff>,
    /// How many shared levels are larger than can be compared.
    pub skipped: u32,
}

/// One shared level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelDiff {
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// The absolute difference of each channel, `width × height × 4` bytes, row by row from the top.
    pub pixels: Vec<u8>,
    /// How many pixels differ in any channel.
    pub differing: u64,
    /// The largest difference of a channel.
    pub most: u8,
}

/// Compares the first slice of each level that both textures have in the same size.
///
/// Values are compared as they are stored, decoded to 8 bits a channel: no colour space is applied,
/// floats are clamped to 0..1.
///
/// # Errors
/// `Malformed` when a level cannot be decoded, `Cancelled`.
pub fn pixels(left: &Texture, right: &Texture, task: &Task) -> Result<PixelDiff> {
    let mut diff = PixelDiff::default();
    for image in slice(left) {
        let partner = slice(right).find(|other| (other.width, other.height) == (image.width, image.height));
        let Some(partner) = partner else { continue };
        if u64::from(image.width) * u64::from(image.height) > MAX_PIXELS {
            diff.skipped += 1;
            continue;
        }
        let half = |side: u32| (side / 2).max(1);
        // A volume goes on halving its depth where the sides are one pixel each.
        let follows = |last: &LevelDiff| {
            (half(last.width), half(last.height)) == (image.width, image.height)
                && last.width.max(last.height) > 1
        };
        if !diff.levels.last().is_none_or(follows) {
            break;
        }
        task.check()?;
        let before = decoded(left, image)?;
        task.check()?;
        diff.levels.push(level(image, &before, &decoded(right, partner)?));
    }
    Ok(diff)
}

/// The levels of a texture's first slice, largest first.
fn slice(texture: &Texture) -> impl Iterator<Item = &Image> {
    texture.images.iter().filter(|image| image.slice == 0)
}

/// The pixels of an image, of a volume those of its first slice.
fn decoded(texture: &Texture, image: &Image) -> Result<Vec<u8>> {
    let size = texture.format.level_size(image.width, image.height, 1);
    let data = usize::try_from(size).ok().and_then(|size| image.data.get(..size)).unwrap_or(&image.data);
    decode_rgba8(texture.format, image.width, image.height, data)
}

fn level(image: &Image, left: &[u8], right: &[u8]) -> LevelDiff {
    let (mut differing, mut most) = (0, 0);
    let pairs = left.as_chunks::<4>().0.iter().zip(right.as_chunks::<4>().0);
    let pixels = pairs.flat_map(|([a, b, c, d], [e, f, g, h])| {
        let pixel = [a.abs_diff(*e), b.abs_diff(*f), c.abs_diff(*g), d.abs_diff(*h)];
        differing += u64::from(pixel != [0; 4]);
        most = pixel.into_iter().fold(most, u8::max);
        pixel
    });
    let pixels = pixels.collect();
    LevelDiff { width: image.width, height: image.height, pixels, differing, most }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::PixelFormat;

    fn texture(format: PixelFormat, levels: &[(u32, Vec<u8>)]) -> Texture {
        let side = levels.first().map_or(0, |(side, _)| *side);
        let image = |(level, (side, data)): (u32, &(u32, Vec<u8>))| Image {
            slice: 0,
            level,
            width: *side,
            height: *side,
            depth: 1,
            offset: 0,
            data: data.clone().into(),
        };
        Texture {
            name: String::new(),
            format,
            width: side,
            height: side,
            depth: 1,
            full_width: side,
            full_height: side,
            full_levels: 1,
            first_level: 0,
            levels: 1,
            slices: 1,
            is_cube: false,
            slice_paths: Vec::new(),
            dds_offset: 0,
            is_srgb: false,
            srgb_reason: "",
            is_stored_srgb: false,
            images: (0..).zip(levels).map(image).collect(),
            cut: None,
            torn: Vec::new(),
        }
    }

    #[test]
    fn levels_of_one_size_are_compared_whatever_their_number_and_format() {
        let large = (2, [10, 20, 30, 40].repeat(4));
        let left = texture(PixelFormat::Rgba8Unorm, &[large, (1, vec![10, 20, 30, 40])]);
        let right = texture(PixelFormat::Bgra8Unorm, &[(1, vec![33, 20, 5, 40])]);
        let diff = pixels(&left, &right, &Task::new()).unwrap();
        let level = LevelDiff { width: 1, height: 1, pixels: vec![5, 0, 3, 0], differing: 1, most: 5 };
        assert_eq!(diff, PixelDiff { levels: vec![level], skipped: 0 });
    }

    #[test]
    fn textures_without_a_shared_size_have_nothing_to_compare() {
        let left = texture(PixelFormat::R8Unorm, &[(2, vec![0; 4])]);
        let right = texture(PixelFormat::R8Unorm, &[(1, vec![0])]);
        assert_eq!(pixels(&left, &right, &Task::new()).unwrap(), PixelDiff::default());
    }

    #[test]
    fn a_level_that_is_the_same_differs_nowhere() {
        let same = texture(PixelFormat::R8Unorm, &[(2, vec![1, 2, 3, 4])]);
        let diff = pixels(&same, &same, &Task::new()).unwrap();
        assert_eq!((diff.levels[0].differing, diff.levels[0].most), (0, 0));
    }
}
