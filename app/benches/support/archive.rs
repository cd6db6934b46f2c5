//! Textures that are made for benchmarks of the window.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "colours are made of waves")]

use palimpsest_core::asset::PixelFormat;
use palimpsest_core::codec::chunks::pack;
use palimpsest_core::formats::dds::{self, NewSurface};
use palimpsest_core::formats::ltar::{Builder, Packing};

/// An archive of `count` textures of BC7 with all levels, at paths that `path` gives, each packed in Kraken;
/// and the bytes of one when decoded.
pub(crate) fn archive(side: u32, count: usize, path: impl Fn(usize) -> String) -> (Vec<u8>, usize) {
    let levels = side.ilog2() + 1;
    let new = NewSurface { levels, ..NewSurface::flat(PixelFormat::Bc7Unorm, side, side) };
    let data: Vec<_> = (0..levels).map(|level| blocks(side >> level)).collect();
    let file = dds::write(&new, &data.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap();
    let packed = pack(&file);
    println!("{} bytes, packed to {:.0} %", file.len(), 100.0 * packed.len() as f64 / file.len() as f64);
    let mut builder = Builder::new();
    for at in 0..count {
        builder.add_packed(&path(at), Packing::Chunks, packed.clone(), file.len() as u64);
    }
    (builder.finish(), file.len())
}

/// A level of soft waves with a little grain, in mode 6 of BC7: two ends of 7 bits a channel, and 16 steps
/// between them.
fn blocks(side: u32) -> Vec<u8> {
    let across = side.div_ceil(4);
    let mut random = 1u32;
    let mut out = Vec::with_capacity(16 * (across * across) as usize);
    for y in 0..across {
        for x in 0..across {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (u, v) = (x as f32 / across as f32 * 40.0, y as f32 / across as f32 * 40.0);
            let shade = |phase: f32| (((u + phase).sin() * (v - phase).cos()) * 50.0 + 60.0) as u128;
            let mut block = 1u128 << 6;
            let mut at = 7;
            for end in [shade(0.0), shade(0.7), shade(1.3), 127] {
                block |= end << at | (end + 6).min(127) << (at + 7);
                at += 14;
            }
            // Steps of a few kinds of grain.
            let grain = (u128::from(random >> 28) * 0x0123_4567_89AB_CDEF) & 0x7FFF_FFFF_FFFF_FFFF;
            block |= 3 << 63 | grain << 65;
            out.extend(block.to_le_bytes());
        }
    }
    out
}
