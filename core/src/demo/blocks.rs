//! Blocks of BC7 and BC6H, one mode of each: two ends for all channels, and a step between them for each
//! pixel.
//!
//! Good enough for pictures drawn by code; no crate in pure Rust compresses these formats. Source:
//! Microsoft's pages on both formats.

use super::art::Picture;

/// Pixels along a side of a block, and in all.
const SIDE: usize = 4;
const PIXELS: usize = SIDE * SIDE;

/// How far each step is from the first end to the second, in parts of 64.
const WEIGHTS: [u32; 16] = [0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64];

/// Bits of a block, from the lowest up.
#[derive(Default)]
struct Bits {
    block: u128,
    len: u32,
}

impl Bits {
    fn put(&mut self, value: u32, len: u32) {
        self.block |= u128::from(value & ((1 << len) - 1)) << self.len;
        self.len += len;
    }
}

/// A level as blocks of BC7, mode 6.
pub(super) fn bc7(picture: &Picture) -> Vec<u8> {
    let pixels = picture.pixels.as_chunks::<4>().0;
    let block = |block: [[u8; 4]; PIXELS]| {
        let values = block.map(|pixel| pixel.map(u32::from));
        let [low, high] = ends(&values);
        // Ends of seven bits, and one more that all channels of an end share.
        let stored = [low, high].map(|end| end.map(|value| value >> 1));
        let steps = steps(&values, stored.map(|end| end.map(|value| value << 1 | 1)));
        let (stored, steps) = turned(stored, steps);
        let mut bits = Bits::default();
        bits.put(1 << 6, 7);
        for channel in 0..4 {
            for end in &stored {
                bits.put(end.get(channel).copied().unwrap_or_default(), 7);
            }
        }
        bits.put(3, 2);
        put_steps(&mut bits, &steps);
        bits.block
    };
    blocks(picture.side, pixels).map(block).flat_map(u128::to_le_bytes).collect()
}

/// A level of half floats, as their bits, as blocks of BC6H without signs, mode 11. Values are at most
/// 65,504 and not negative.
pub(super) fn bc6h(side: u32, pixels: &[[u16; 3]]) -> Vec<u8> {
    let block = |block: [[u16; 3]; PIXELS]| {
        // Ten bits, of which the decoder makes 31 64ths.
        let values = block.map(|pixel| pixel.map(|half| (u32::from(half) * 64 / 31) >> 6));
        let stored = ends(&values);
        let (stored, steps) = turned(stored, steps(&values, stored));
        let mut bits = Bits::default();
        bits.put(3, 5);
        for end in &stored {
            for value in end {
                bits.put(*value, 10);
            }
        }
        put_steps(&mut bits, &steps);
        bits.block
    };
    blocks(side, pixels).map(block).flat_map(u128::to_le_bytes).collect()
}

/// The pixels of each block; those outside a small level repeat its last ones.
fn blocks<T: Copy + Default>(side: u32, pixels: &[T]) -> impl Iterator<Item = [T; PIXELS]> {
    let side = side as usize;
    let across = side.div_ceil(SIDE);
    (0..across * across).map(move |at| {
        let (left, top) = (at % across * SIDE, at / across * SIDE);
        std::array::from_fn(|inside| {
            let (x, y) = (left + inside % SIDE, top + inside / SIDE);
            pixels.get(y.min(side - 1) * side + x.min(side - 1)).copied().unwrap_or_default()
        })
    })
}

/// The smallest and the largest value of each channel.
fn ends<const N: usize>(values: &[[u32; N]; PIXELS]) -> [[u32; N]; 2] {
    let (mut low, mut high) = ([u32::MAX; N], [0; N]);
    for value in values {
        for ((low, high), value) in low.iter_mut().zip(&mut high).zip(value) {
            (*low, *high) = ((*low).min(*value), (*high).max(*value));
        }
    }
    [low, high]
}

/// The nearest step of each pixel.
fn steps<const N: usize>(values: &[[u32; N]; PIXELS], [low, high]: [[u32; N]; 2]) -> [u32; PIXELS] {
    values.map(|value| {
        let far = |weight: u32| -> u64 {
            let ends = low.iter().zip(&high).zip(&value);
            let off = |((low, high), value): ((&u32, &u32), &u32)| {
                let made = (low * (64 - weight) + high * weight + 32) >> 6;
                u64::from(made.abs_diff(*value)).pow(2)
            };
            ends.map(off).sum()
        };
        (0..).zip(WEIGHTS).min_by_key(|(_, weight)| far(*weight)).map_or(0, |(step, _)| step)
    })
}

/// The ends so that the first pixel is nearer to the first one: its highest bit is not stored.
fn turned<const N: usize>(
    [low, high]: [[u32; N]; 2],
    steps: [u32; PIXELS],
) -> ([[u32; N]; 2], [u32; PIXELS]) {
    if steps[0] < 8 { ([low, high], steps) } else { ([high, low], steps.map(|step| 15 - step)) }
}

fn put_steps(bits: &mut Bits, steps: &[u32; PIXELS]) {
    for (at, step) in steps.iter().enumerate() {
        bits.put(*step, if at == 0 { 3 } else { 4 });
    }
}

#[cfg(test)]
mod tests {
    use half::f16;

    use super::*;
    use crate::asset::PixelFormat;
    use crate::codec::pixels::{decode_rgba8, decode_rgba32f};
    use crate::demo::art::{BASE, leaves};

    #[test]
    fn pictures_come_back_nearly_as_they_were() {
        for side in [1, 2, 64] {
            let picture = Picture::draw(side, leaves(BASE));
            let decoded = decode_rgba8(PixelFormat::Bc7Unorm, side, side, &bc7(&picture)).unwrap();
            let far: usize =
                decoded.iter().zip(&picture.pixels).map(|(a, b)| usize::from(a.abs_diff(*b))).sum();
            assert!(far <= 4 * decoded.len(), "{side}: {far}");
        }
    }

    #[test]
    fn light_comes_back_within_a_few_parts_of_a_hundred() {
        let value = |at: u16| 0.5 + f32::from(at) / 10.0;
        let pixels: Vec<_> =
            (0..64).map(|at| [0, 1, 2].map(|c| f16::from_f32(value(at + c)).to_bits())).collect();
        let decoded = decode_rgba32f(PixelFormat::Bc6hUf16, 8, 8, &bc6h(8, &pixels)).unwrap();
        for (pixel, stored) in decoded.chunks(4).zip(&pixels) {
            for (found, stored) in pixel.iter().zip(stored) {
                let wanted = f16::from_bits(*stored).to_f32();
                assert!((found - wanted).abs() <= 0.1 * wanted + 0.05, "{found} {wanted}");
            }
        }
    }
}
