//! Small pictures of textures.

use egui::ColorImage;
use palimpsest_core::asset::{Asset, Kind, Texture};
use palimpsest_core::codec::pixels::decode_rgba8;
use palimpsest_core::error::Result;
use palimpsest_core::format::{detect, load};
use palimpsest_core::mount::{CopyRef, Stack};
use palimpsest_core::task::Task;

/// Pixels along the longer side, at most twice as many as are shown.
const SIDE: u32 = 64;

/// The largest file that is read for a small picture.
const LARGEST: u64 = 64 << 20;

/// Whether files of a name are textures.
pub fn is_texture(path: &str) -> bool {
    detect(path, &[]).is_some_and(|format| format.kind == Kind::Texture)
}

/// The small pictures of copies of a path; `None` for those that have none.
///
/// # Errors
/// `Cancelled`.
pub fn of_copies(
    stack: &Stack,
    path: &str,
    copies: &[CopyRef],
    task: &Task,
) -> Result<Vec<Option<ColorImage>>> {
    task.set_total(copies.len() as u64);
    let one = |copy: &CopyRef| {
        // A copy that cannot be read says so where it is opened.
        let picture = of_copy(stack, path, *copy, task);
        task.step(1).map(|()| picture)
    };
    copies.iter().map(one).collect()
}

fn of_copy(stack: &Stack, path: &str, copy: CopyRef, task: &Task) -> Option<ColorImage> {
    let content = stack.content(copy).ok().filter(|content| content.len() <= LARGEST)?;
    let (bytes, _) = content.read_up_to(0..u64::MAX, task);
    match load(&bytes, path, task) {
        Ok(Asset::Texture(texture)) => of_texture(&texture),
        _ => None,
    }
}

/// The smallest level that has enough pixels, made smaller by whole steps.
fn of_texture(texture: &Texture) -> Option<ColorImage> {
    let first = || texture.images.iter().filter(|image| image.slice == 0 && image.depth >= 1);
    let has_enough = |image: &&palimpsest_core::asset::Image| image.width.max(image.height) >= SIDE / 2;
    let image = first().rev().find(has_enough).or_else(|| first().next())?;
    let mut pixels = decode_rgba8(texture.format, image.width, image.height, &image.data).ok()?;
    if texture.format.is_float() {
        // Light, encoded for the screen as the large picture is.
        for pixel in pixels.as_chunks_mut::<4>().0 {
            let [r, g, b, _] = *pixel;
            let [r, g, b] =
                [r, g, b].map(|value| egui::ecolor::gamma_u8_from_linear_f32(f32::from(value) / 255.0));
            *pixel = [r, g, b, pixel[3]];
        }
    }
    let step = image.width.max(image.height).div_ceil(SIDE).max(1) as usize;
    let (width, height) = (image.width as usize, image.height as usize);
    let row = |y: usize| pixels.get(4 * width * y..4 * width * (y + 1)).unwrap_or_default();
    let small: Vec<u8> = (0..height)
        .step_by(step)
        .flat_map(|y| row(y).chunks_exact(4).step_by(step).flatten().copied())
        .collect();
    let size = [width.div_ceil(step), height.div_ceil(step)];
    (small.len() == 4 * size[0] * size[1]).then(|| ColorImage::from_rgba_unmultiplied(size, &small))
}

#[cfg(test)]
mod tests {
    use palimpsest_core::formats::texr;

    use super::*;

    #[test]
    fn the_picture_of_a_texture_is_small() {
        let bytes = (texr::FORMAT.sample)();
        let Ok(Asset::Texture(texture)) = load(&bytes.into(), "a.tex", &Task::new()) else { panic!() };
        let picture = of_texture(&texture).unwrap();
        assert!(picture.size.iter().all(|side| (1..=SIDE as usize).contains(side)), "{:?}", picture.size);
        assert_eq!(picture.pixels.len(), picture.size[0] * picture.size[1]);
        assert!(is_texture("x\\A.TEX0") && !is_texture("a.txt"));
    }
}
