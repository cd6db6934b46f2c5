//! Data of the kinds that games have, made by code.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "channels and coordinates are made of fractions"
)]

use std::f32::consts::TAU;
use std::fs;
use std::path::{Path, PathBuf};

/// Bytes of each kind.
pub(crate) const SIZE: usize = 4 << 20;

/// The sources of this crate, again and again.
pub(crate) fn sources() -> Vec<u8> {
    let mut files: Vec<PathBuf> = walkdir::WalkDir::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
        .into_iter()
        .map(|file| file.unwrap().into_path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    let text: Vec<u8> = files.iter().flat_map(|path| fs::read(path).unwrap()).collect();
    text.into_iter().cycle().take(SIZE).collect()
}

/// The program's own code.
pub(crate) fn machine_code() -> Vec<u8> {
    let program = fs::read(std::env::current_exe().unwrap()).unwrap();
    let code = program.get(program.len() / 8..).unwrap();
    code.iter().copied().cycle().take(SIZE).collect()
}

/// A picture of soft shapes with a little grain.
pub(crate) fn pixels(width: usize, height: usize) -> Vec<u8> {
    let mut random = 1u32;
    let mut grain = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        random >> 30
    };
    let mut out = Vec::with_capacity(4 * width * height);
    for y in 0..height {
        for x in 0..width {
            let (u, v) = (x as f32 / 97.0, y as f32 / 61.0);
            let shade = |phase: f32| ((u + phase).sin() * (v - phase).cos() * 100.0 + 128.0) as u32;
            let alpha = if (x / 64 + y / 64) % 3 == 0 { 255 } else { shade(2.0) };
            out.extend(
                [shade(0.0) + grain(), shade(0.7) + grain(), shade(1.3), alpha]
                    .map(|channel| channel.min(255) as u8),
            );
        }
    }
    out
}

pub(crate) fn blocks(format: texpresso::Format) -> Vec<u8> {
    let (width, height) = (2048, 2 * SIZE / 2048 / if format == texpresso::Format::Bc1 { 1 } else { 2 });
    let mut out = vec![0; format.compressed_size(width, height)];
    let params = texpresso::Params { algorithm: texpresso::Algorithm::RangeFit, ..Default::default() };
    format.compress(&pixels(width, height), width, height, params, &mut out);
    out
}

/// Positions, packed normals, coordinates of textures, weights.
pub(crate) fn vertices() -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0u32;
    while out.len() < SIZE {
        let (u, v) = ((at % 256) as f32 / 256.0, (at / 256) as f32 / 256.0);
        for value in [(u * TAU).cos() * (1.0 + v), v * 2.0, (u * TAU).sin() * (1.0 + v)] {
            out.extend(value.to_le_bytes());
        }
        out.extend([(u * 127.0) as u8, (v * 127.0) as u8, 128, 0]);
        for value in [u, v] {
            out.extend(((value * 4096.0) as u16).to_le_bytes());
        }
        out.extend([(at / 64) as u8 % 40, (at / 64 + 1) as u8 % 40, 0, 0, 200, 55, 0, 0]);
        at += 1;
    }
    out.truncate(SIZE);
    out
}
