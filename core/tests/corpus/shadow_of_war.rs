//! Files of Middle-earth: Shadow of War.

use bytes::Bytes;
use palimpsest_core::asset::{Asset, PixelFormat, Texture};
use palimpsest_core::codec::pixels::decode_rgba8;
use palimpsest_core::export::{Form, Wanted, export};
use palimpsest_core::format::{Inspection, inspect};
use palimpsest_core::hash::hex;
use palimpsest_core::parse::Fact;
use palimpsest_core::task::Task;
use sha2::{Digest as _, Sha256};

use super::corpus;

fn fellbeast() -> Option<(serde_json::Value, Inspection, Texture)> {
    let name = "fellbeast_body_d.tex";
    let expected = std::fs::read(corpus("shadow-of-war/expected.json")?).unwrap();
    let expected: serde_json::Value = serde_json::from_slice(&expected).unwrap();
    let bytes = Bytes::from(std::fs::read(corpus(&format!("shadow-of-war/{name}"))?).unwrap());
    let inspection = inspect(&bytes, name, &Task::new());
    let Ok(Some(Asset::Texture(texture))) = &inspection.asset else { panic!("{:?}", inspection.asset) };
    assert_eq!(inspection.tree.gaps(bytes.len() as u64), []);
    assert_eq!(inspection.warnings.lines().collect::<Vec<_>>(), [""; 0]);
    let texture = texture.clone();
    Some((expected[name].clone(), inspection, texture))
}

#[test]
fn a_shipped_texture_is_described_as_expected() {
    let Some((expected, inspection, texture)) = fellbeast() else { return };
    assert_eq!(texture.name, expected["name"]);
    assert_eq!(texture.format, PixelFormat::Bc3Unorm);
    assert_eq!((texture.width, texture.height, texture.levels), (2048, 1024, 12));
    assert_eq!((texture.full_width, texture.full_height, texture.full_levels), (4096, 2048, 13));
    assert_eq!((texture.first_level, texture.images.len(), texture.is_srgb), (1, 12, true));
    assert!(inspection.facts.contains(&("format", Fact::Text("BC3_UNORM".to_owned()))));
}

#[test]
fn the_dds_of_a_shipped_texture_is_the_file_without_its_first_bytes() {
    let Some((expected, _, texture)) = fellbeast() else { return };
    let bytes = Bytes::from(std::fs::read(corpus("shadow-of-war/fellbeast_body_d.tex").unwrap()).unwrap());
    assert_eq!(texture.dds_offset, expected["dds_offset"].as_u64().unwrap());
    let mut made = Vec::new();
    let asset = Asset::Texture(texture);
    export(&asset, &bytes, Form::Dds, &Wanted::default(), &Task::new(), &mut |file| {
        made.push(file);
        Ok(())
    })
    .unwrap();
    assert_eq!(made[0].bytes, bytes[104..]);
    assert_eq!(hex(&Sha256::digest(&made[0].bytes)), expected["dds_sha256"].as_str().unwrap());
}

#[test]
fn a_shipped_texture_decodes_to_the_pixels_of_another_decoder() {
    let Some((expected, _, texture)) = fellbeast() else { return };
    let image = texture.image(0, 0).unwrap();
    let pixels = decode_rgba8(texture.format, image.width, image.height, &image.data).unwrap();
    let samples = expected["sample_pixels"].as_object().unwrap();
    assert_eq!(samples.len(), 4);
    for (place, expected) in samples {
        let (x, y) = place.split_once(',').unwrap();
        let at = 4 * (y.parse::<usize>().unwrap() * 2048 + x.parse::<usize>().unwrap());
        for channel in 0..4 {
            let (found, expected) = (i64::from(pixels[at + channel]), expected[channel].as_i64().unwrap());
            assert!((found - expected).abs() <= 1, "{place}: channel {channel} is {found}, not {expected}");
        }
    }
}
