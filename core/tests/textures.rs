//! Textures as files of other forms, and tiers that are joined.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail loudly")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use image::{DynamicImage, ImageFormat};
use palimpsest_core::asset::{Asset, PixelFormat, Texture, Torn};
use palimpsest_core::codec::chunks::push_chunk;
use palimpsest_core::codec::pixels::{decode_rgba8, decode_rgba32f};
use palimpsest_core::error::Result;
use palimpsest_core::export::{
    Channels, Conversion, Exported, Form, Wanted, Which, export, export_joined, png,
};
use palimpsest_core::extract::{Extraction, Picked};
use palimpsest_core::format::load;
use palimpsest_core::formats::dds::{self, NewSurface};
use palimpsest_core::formats::ltar::{Builder, Packing};
use palimpsest_core::formats::texr::{self, NewTexture};
use palimpsest_core::mount::{Mounts, Stack};
use palimpsest_core::preview::salvage;
use palimpsest_core::scene::Tiers;
use palimpsest_core::task::Task;

/// Bytes that differ from place to place.
fn noise(len: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    let mut next = || {
        state = state.wrapping_mul(0x0019_660D).wrapping_add(0x3C6E_F35F);
        state.to_be_bytes()[0]
    };
    (0..len).map(|_| next()).collect()
}

fn size(format: PixelFormat, width: u32, height: u32, depth: u32) -> usize {
    usize::try_from(format.level_size(width, height, depth)).unwrap()
}

fn texture(path: &str, bytes: &Bytes) -> Texture {
    match load(bytes, path, &Task::new()).unwrap() {
        Asset::Texture(texture) => texture,
        other => panic!("{other:?}"),
    }
}

fn exported(path: &str, bytes: &Bytes, form: Form, wanted: Wanted) -> Vec<Exported> {
    try_export(path, bytes, form, wanted).unwrap().0
}

/// The files, and what is missing from them.
fn try_export(path: &str, bytes: &Bytes, form: Form, wanted: Wanted) -> Result<(Vec<Exported>, Vec<String>)> {
    let mut made = Vec::new();
    let asset = load(bytes, path, &Task::new()).unwrap();
    let told = export(&asset, bytes, form, &wanted, &Task::new(), &mut |file| {
        made.push(file);
        Ok(())
    })?;
    Ok((made, told.missing))
}

/// A TEXR with levels of noise.
fn texr(
    format: PixelFormat,
    (width, height): (u32, u32),
    first_level: u32,
    levels: u32,
    seed: u32,
) -> Vec<u8> {
    let level = |at: u32| {
        let (width, height) = ((width >> at).max(1), (height >> at).max(1));
        noise(size(format, width, height, 1), seed + width)
    };
    let levels: Vec<_> = (0..levels).map(level).collect();
    texr::write(&NewTexture { name: "", format, width, height, first_level, levels: &levels }).unwrap()
}

fn picture(file: &Exported, format: ImageFormat) -> DynamicImage {
    image::load_from_memory_with_format(&file.bytes, format).unwrap()
}

#[test]
fn a_png_has_the_stored_pixels_bit_for_bit() {
    for format in PixelFormat::ALL {
        let bytes = Bytes::from(texr(*format, (20, 10), 0, 5, 1));
        let made = exported("a.tex", &bytes, Form::Png, Wanted { level: Which::All, ..Wanted::default() });
        let endings: Vec<_> = made.iter().map(|file| &*file.ending).collect();
        assert_eq!(endings, [0, 1, 2, 3, 4].map(|level| format!(".level{level}.png")));
        for (file, image) in made.iter().zip(&texture("a.tex", &bytes).images) {
            let read = picture(file, ImageFormat::Png);
            assert_eq!((read.width(), read.height()), (image.width, image.height));
            let of_8 = decode_rgba8(*format, image.width, image.height, &image.data).unwrap();
            let grey = || of_8.iter().step_by(4).copied().collect::<Vec<_>>();
            let name = format.name();
            match (format.is_single_channel(), format.is_float() || *format == PixelFormat::Rgb10a2Unorm) {
                (true, false) => assert_eq!(read.as_luma8().unwrap().as_raw(), &grey(), "{name}"),
                (false, false) => assert_eq!(read.as_rgba8().unwrap().as_raw(), &of_8, "{name}"),
                (true, true) => assert_eq!(read.as_luma16().unwrap().as_raw().len(), grey().len(), "{name}"),
                (false, true) => {
                    let floats = decode_rgba32f(*format, image.width, image.height, &image.data).unwrap();
                    let deep = read.as_rgba16().unwrap().as_raw();
                    for (value, float) in deep.iter().zip(floats) {
                        let expected = float.clamp(0.0, 1.0) * 65535.0;
                        let expected = if expected.is_nan() { 0.0 } else { expected };
                        assert!((f32::from(*value) - expected).abs() <= 0.51, "{name}: {value} {float}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_exr_has_the_floats_and_is_made_of_nothing_else() {
    for format in PixelFormat::ALL {
        let bytes = Bytes::from(texr(*format, (8, 4), 0, 1, 3));
        let made = try_export("a.tex", &bytes, Form::Exr, Wanted::default());
        // A picture of 16 bits says what it cannot hold.
        let png = exported("a.tex", &bytes, Form::Png, Wanted::default());
        let own = &texture("a.tex", &bytes).images[0];
        let values = decode_rgba32f(*format, 8, 4, &own.data).unwrap();
        let exceeds = values.iter().any(|value| !(0.0..=1.0).contains(value));
        assert_eq!(png[0].is_cut, exceeds && format.is_float(), "{}", format.name());
        if !format.is_float() {
            assert!(made.unwrap_err().to_string().contains("exr files are made of floats"));
            continue;
        }
        let (made, _) = made.unwrap();
        let image = &texture("a.tex", &bytes).images[0];
        let floats = decode_rgba32f(*format, 8, 4, &image.data).unwrap();
        let read = picture(&made[0], ImageFormat::OpenExr).to_rgba32f();
        for (found, expected) in read.pixels().zip(floats.chunks(4)) {
            // One channel is grey, and has no alpha.
            let channels = if format.is_single_channel() { 1 } else { 4 };
            for (found, expected) in found.0.iter().zip(expected).take(channels) {
                assert!(found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan());
            }
        }
    }
}

#[test]
fn a_dds_is_the_file_without_what_stands_before_it() {
    let bytes = Bytes::from(texr(PixelFormat::Bc7Unorm, (16, 16), 1, 3, 5));
    let made = exported("a.tex", &bytes, Form::Dds, Wanted::default());
    assert_eq!(made[0].ending, ".dds");
    assert!(bytes.ends_with(&made[0].bytes) && made[0].bytes.starts_with(b"DDS "));
    let again = texture("a.dds", &made[0].bytes.clone().into());
    assert_eq!((again.levels, again.format), (3, PixelFormat::Bc7Unorm));
}

#[test]
fn slices_faces_and_layers_are_told_apart() {
    let format = PixelFormat::Rgba8Unorm;
    for (depth, slices, is_cube) in [(1, 3, false), (1, 6, true), (4, 1, false)] {
        let new = NewSurface { depth, levels: 2, slices, is_cube, ..NewSurface::flat(format, 4, 4) };
        let slice = |at: u32| noise(size(format, 4, 4, depth) + size(format, 2, 2, (depth / 2).max(1)), at);
        let data: Vec<_> = (0..slices).map(slice).collect();
        let data: Vec<_> = data.iter().map(Vec::as_slice).collect();
        let bytes = Bytes::from(dds::write(&new, &data).unwrap());
        let made = exported("a.dds", &bytes, Form::Png, Wanted::default());
        let count = slices.max(depth);
        let endings: Vec<_> = made.iter().map(|file| file.ending.clone()).collect();
        assert_eq!(endings, (0..count).map(|at| format!(".slice{at}.png")).collect::<Vec<_>>());
        let one = Wanted { slice: Which::One(2), ..Wanted::default() };
        assert_eq!(exported("a.dds", &bytes, Form::Png, one), made[2..3]);
        let pixels = picture(&made[2], ImageFormat::Png).into_rgba8().into_raw();
        let expected = if depth > 1 { data[0][2 * 64..3 * 64].to_vec() } else { data[2][..64].to_vec() };
        assert_eq!(pixels, expected);
        let none = Wanted { slice: Which::One(9), ..Wanted::default() };
        assert!(try_export("a.dds", &bytes, Form::Png, none).is_err());
        // What is cut is said, and what is whole is made.
        let cut = bytes.slice(..bytes.len() - 1);
        for form in [Form::Png, Form::Dds] {
            let (made, missing) = try_export("a.dds", &cut, form, Wanted::default()).unwrap();
            assert!(!made.is_empty() && missing[0].contains("are whole, it ends inside level 1"));
        }
    }
}

#[test]
fn channels_are_as_shown_where_that_is_asked_for() {
    let new = NewSurface::flat(PixelFormat::Rgba8Unorm, 1, 1);
    let bytes = Bytes::from(dds::write(&new, &[&[10, 20, 30, 40]]).unwrap());
    for (shown, expected) in [
        ([true, true, true, true], vec![10, 20, 30, 40]),
        ([true, false, true, false], vec![10, 0, 30, 255]),
        ([false, false, false, true], vec![40]),
        ([false, true, false, false], vec![20]),
        ([false; 4], vec![0, 0, 0, 255]),
    ] {
        let wanted = Wanted { channels: Channels::Shown(shown), ..Wanted::default() };
        let made = exported("a.dds", &bytes, Form::Png, wanted);
        assert_eq!(picture(&made[0], ImageFormat::Png).into_bytes(), expected, "{shown:?}");
    }
}

/// A stack of archives, the last one on top.
fn stack(root: &Path, layers: &[&[(&str, Vec<u8>)]]) -> Stack {
    let mut paths = Vec::new();
    for (at, files) in layers.iter().enumerate() {
        let mut builder = Builder::new();
        for (path, bytes) in *files {
            builder.add(path, bytes);
        }
        let path = root.join(format!("{at}.arch06"));
        fs::write(&path, builder.finish()).unwrap();
        paths.push(path);
    }
    Stack::mount(&Mounts { paths, ..Mounts::default() }, &Task::new()).unwrap()
}

fn tiers(stack: &Stack, path: &str) -> Tiers {
    let copy = stack.index().copies(stack.find(path).unwrap())[0];
    stack.tiers(copy, &Task::new()).unwrap().unwrap()
}

const BC1: PixelFormat = PixelFormat::Bc1Unorm;

#[test]
fn three_tiers_of_different_layers_are_one_chain() {
    let root = tempfile::tempdir().unwrap();
    let base = texr(BC1, (32, 16), 3, 6, 1);
    let higher = texr(BC1, (128, 64), 1, 2, 2);
    let highest = texr(BC1, (256, 128), 0, 1, 3);
    let patch = texr(BC1, (128, 64), 1, 2, 4);
    let stack = stack(
        root.path(),
        &[
            &[("x\\a_d.tex", base.clone()), ("x\\a_d.tex0", higher)],
            &[("x\\a_d.texuhd", highest)],
            &[("x\\A_D.TEX0", patch)],
        ],
    );
    for path in ["x\\a_d.tex", "x\\a_d.tex0", "x\\a_d.texuhd"] {
        let tiers = tiers(&stack, path);
        assert_eq!(tiers.notes, [""; 0]);
        let firsts: Vec<_> = tiers.files.iter().map(|file| file.first_level).collect();
        assert_eq!(firsts, [Some(3), Some(1), Some(0)]);
        let sizes: Vec<_> = tiers.levels.iter().map(|level| (level.width, level.height)).collect();
        assert_eq!(sizes[..4], [(256, 128), (128, 64), (64, 32), (32, 16)]);
        let used: Vec<_> = tiers.levels.iter().map(|level| level.files.clone()).collect();
        assert_eq!(used, [2, 1, 1, 0, 0, 0, 0, 0, 0].map(|file| vec![file]));
        let joined = tiers.joined.unwrap();
        assert_eq!((joined.width, joined.levels, joined.first_level, joined.images.len()), (256, 9, 0, 9));
    }
    // The chain as a DDS of its own.
    let out = root.path().join("out");
    let conversion = Conversion { form: Form::Dds, is_joined: true, ..Conversion::default() };
    let extraction = Extraction { out: out.clone(), is_flat: true, conversion, names: Arc::default() };
    let picked = Picked::of(stack.index(), stack.find("x\\a_d.tex"), None);
    let report = extraction.run(&stack, &picked, &Task::new()).unwrap();
    assert_eq!((report.written, report.failed.len()), (1, 0), "{:?}", report.failed);
    let dds = Bytes::from(fs::read(out.join("a_d.tex.dds")).unwrap());
    let whole = texture("a_d.dds", &dds);
    assert_eq!((whole.width, whole.levels, whole.images.len(), whole.cut), (256, 9, 9, None));
    // However many of its tiers are picked, it is written once.
    let picked = Picked::of(stack.index(), stack.index().entries(), None);
    let report = extraction.run(&stack, &picked, &Task::new()).unwrap();
    assert_eq!((picked.copies.len(), report.written, report.failed.len()), (3, 1, 0));
    let own = texture("a_d.tex", &base.into());
    assert_eq!(whole.images[3].data, own.images[0].data);
}

#[test]
fn gaps_overlaps_and_what_does_not_fit_are_named() {
    let root = tempfile::tempdir().unwrap();
    let stack = stack(
        root.path(),
        &[&[
            // The full size is 64 × 64, and nobody has its first level.
            ("missing.tex", texr(BC1, (16, 16), 2, 5, 1)),
            ("missing.tex0", texr(BC1, (32, 32), 1, 1, 1)),
            ("gap.tex", texr(BC1, (8, 8), 2, 4, 1)),
            ("gap.tex0", texr(BC1, (32, 32), 0, 1, 1)),
            ("twice.tex", texr(BC1, (16, 16), 1, 5, 1)),
            ("twice.tex0", texr(BC1, (32, 32), 0, 2, 1)),
            ("left.tex", texr(BC1, (8, 8), 2, 4, 1)),
            ("left.tex0", texr(BC1, (32, 32), 0, 1, 1)),
            ("short.tex", texr(BC1, (16, 16), 1, 5, 1)),
            ("short.tex0", texr(BC1, (32, 32), 0, 1, 1).split_last().unwrap().1.to_vec()),
            ("format.tex", texr(BC1, (16, 16), 1, 5, 1)),
            ("format.tex0", texr(PixelFormat::Bc3Unorm, (32, 32), 0, 1, 1)),
            ("broken.tex", texr(BC1, (16, 16), 1, 5, 1)),
            ("broken.tex0", b"TEXR".to_vec()),
            ("sizes.tex", texr(BC1, (16, 16), 0, 5, 1)),
            ("sizes.tex0", texr(BC1, (32, 32), 0, 1, 1)),
            ("odd.tex", texr(BC1, (12, 16), 1, 5, 1)),
            ("odd.tex0", texr(BC1, (32, 32), 0, 1, 1)),
        ]],
    );
    for (path, note, levels) in [
        ("missing.tex", "The largest level, from 64 × 64 on, missing: no layer holds missing.texuhd.", 6),
        ("gap.tex", "Level 1, 16 × 16, is in no file.", 4),
        ("left.tex", "Level 0, 32 × 32, of left.tex0 is left out: the levels beside it are missing.", 4),
        ("short.tex", "short.tex0 ends inside its level 0 of slice 0 at 0x", 5),
        ("short.tex", "The largest level, from 32 × 32 on, missing: short.tex0 ends early.", 5),
        ("format.tex", "format.tex is not joined: it is BC1_UNORM, the largest tier BC3_UNORM", 1),
        ("broken.tex", "broken.tex0: ", 5),
        ("sizes.tex", "The files state different full sizes: sizes.tex0 32 × 32, sizes.tex 16 × 16.", 6),
        ("odd.tex", "odd.tex is not joined: no level of 32 × 32 has its 12 × 16", 1),
    ] {
        let tiers = tiers(&stack, path);
        assert!(tiers.notes.iter().any(|line| line.starts_with(note)), "{path}: {:?}", tiers.notes);
        assert_eq!(tiers.joined.unwrap().levels, levels, "{path}");
    }
    let twice = tiers(&stack, "twice.tex");
    assert_eq!((twice.notes.as_slice(), twice.joined.unwrap().levels), (&[][..], 6), "nothing is wrong");
}

#[test]
fn joined_tiers_keep_what_the_format_says_of_colours() {
    let root = tempfile::tempdir().unwrap();
    let tier = |side: u32, levels: u32| {
        let new = NewSurface { levels, is_srgb: true, ..NewSurface::flat(BC1, side, side) };
        let size = |level| usize::try_from(BC1.level_size(side >> level, side >> level, 1)).unwrap();
        dds::write(&new, &[&vec![7; (0..levels).map(size).sum()]]).unwrap()
    };
    let stack = stack(root.path(), &[&[("c.tex", tier(8, 4)), ("c.tex0", tier(16, 1))]]);
    let joined = tiers(&stack, "c.tex").joined.unwrap();
    let mut made = Vec::new();
    let mut sink = |file: Exported| -> Result<()> {
        made.push(file);
        Ok(())
    };
    export_joined(&joined, Form::Dds, &Wanted::default(), &Task::new(), &mut sink).unwrap();
    let whole = texture("c.dds", &made.remove(0).bytes.into());
    assert_eq!((whole.levels, whole.is_stored_srgb), (5, true));
}

/// A texture of two levels in packed chunks, the second of which is bad: level 0 takes four of them.
fn torn(folder: &Path) -> Stack {
    let format = PixelFormat::Rgba8Unorm;
    let new = NewSurface { levels: 2, ..NewSurface::flat(format, 256, 256) };
    let levels =
        [256, 128].map(|side| (0..side * side).flat_map(|at: u32| at.to_le_bytes()).collect::<Vec<_>>());
    let file = dds::write(&new, &levels.each_ref().map(Vec::as_slice)).unwrap();
    damaged(folder, &[("a.dds", file, &[1])])
}

#[test]
fn around_a_bad_chunk_everything_else_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let stack = torn(folder.path());
    let copy = stack.index().copies(stack.find("a.dds").unwrap())[0];
    let texture = salvage(&stack.content(copy).unwrap(), "a.dds", &Task::new()).unwrap();
    assert_eq!(texture.images.iter().map(|image| image.level).collect::<Vec<_>>(), [1]);
    let [Torn { image, missing }] = texture.torn.as_slice() else { panic!() };
    assert_eq!((image.level, *missing, image.data.len()), (0, 1 << 16, 4 << 16));
    let pixels = (0..).zip(image.data.as_chunks().0.iter().copied().map(u32::from_le_bytes));
    // The header of the file takes the place of its first pixels in each chunk.
    let head = u32::try_from(image.offset).unwrap() / 4;
    let bad = (1 << 14) - head..(2 << 14) - head;
    let is_right = |(at, pixel): (u32, u32)| pixel == if bad.contains(&at) { 0 } else { at };
    assert!(pixels.into_iter().all(is_right));
}

/// A file in chunks of a length, some of which are no stream of any codec.
fn chunks(file: &[u8], len: usize, bad: &[usize]) -> Vec<u8> {
    let mut chain = Vec::new();
    for (at, part) in file.chunks(len).enumerate() {
        let broken = [&[0x8C, 0x06][..], &[0xFF; 64]].concat();
        push_chunk(&mut chain, part.len(), if bad.contains(&at) { &broken } else { part });
        chain.resize(chain.len().next_multiple_of(4), b'X');
    }
    chain
}

/// Tiers in one archive, some of whose chunks are bad.
fn damaged(folder: &Path, files: &[(&str, Vec<u8>, &[usize])]) -> Stack {
    let mut builder = Builder::new();
    for (path, file, bad) in files {
        builder.add_packed(path, Packing::Chunks, chunks(file, 1 << 16, bad), file.len() as u64);
    }
    std::fs::write(folder.join("a.arch06"), builder.finish()).unwrap();
    Stack::mount(&Mounts::of(folder.join("a.arch06")), &Task::new()).unwrap()
}

#[test]
fn a_torn_level_stands_in_its_place_among_whole_ones_of_other_tiers() {
    let folder = tempfile::tempdir().unwrap();
    let rgba = PixelFormat::Rgba8Unorm;
    // The largest level of the small tier takes four chunks and a bit, the second of which is bad.
    let small = texr(rgba, (256, 256), 1, 9, 1);
    let large = texr(rgba, (512, 512), 0, 1, 2);
    let stack = damaged(folder.path(), &[("a.tex", small, &[1]), ("a.tex0", large, &[])]);
    let tiers = tiers(&stack, "a.tex");
    let torn: Vec<_> = tiers.levels.iter().map(|level| level.is_torn).collect();
    assert_eq!(torn[..3], [false, true, false]);
    let joined = tiers.joined.as_ref().unwrap();
    assert_eq!((joined.width, joined.levels, joined.images.len(), joined.torn.len()), (512, 10, 9, 1));
    let notes = tiers.notes.join("\n");
    assert!(notes.contains("Level 1, 256 × 256, of a.tex is damaged."), "{notes}");
    assert!(!notes.contains("is in no file"), "{notes}");
    let picked = Picked::one(stack.index().copies(stack.find("a.tex").unwrap())[0]);
    let out = folder.path().join("out");
    let conversion = Conversion { form: Form::Png, is_joined: true, ..Conversion::default() };
    Extraction { out: out.clone(), is_flat: false, conversion, names: Arc::default() }
        .run(&stack, &picked, &Task::new())
        .unwrap();
    assert_eq!(image::image_dimensions(out.join("a.tex.png")).unwrap(), (512, 512));
    // As a DDS the longest run of whole levels is written, which ends before the torn one.
    let conversion = Conversion { form: Form::Dds, is_joined: true, ..Conversion::default() };
    Extraction { out: out.clone(), is_flat: false, conversion, names: Arc::default() }
        .run(&stack, &picked, &Task::new())
        .unwrap();
    let dds = texture("a.dds", &Bytes::from(fs::read(out.join("a.tex.dds")).unwrap()));
    assert_eq!((dds.width, dds.levels), (128, 8));
}

#[test]
fn a_bad_chunk_in_the_head_behind_the_headers_harms_only_its_level() {
    let folder = tempfile::tempdir().unwrap();
    let file = texr(BC1, (256, 256), 0, 9, 1);
    // Chunks much shorter than those of shipped files.
    let chain = chunks(&file, 4096, &[3]);
    let mut builder = Builder::new();
    builder.add_packed("a.tex", Packing::Chunks, chain, file.len() as u64);
    std::fs::write(folder.path().join("a.arch06"), builder.finish()).unwrap();
    let stack = Stack::mount(&Mounts::of(folder.path().join("a.arch06")), &Task::new()).unwrap();
    let copy = stack.index().copies(stack.find("a.tex").unwrap())[0];
    let texture = salvage(&stack.content(copy).unwrap(), "a.tex", &Task::new()).unwrap();
    assert_eq!((texture.images.len(), texture.torn.len()), (8, 1));
    assert_eq!(stack.preview(copy, 64, &Task::new()).unwrap().images[0].width, 64);
}

#[test]
fn of_a_damaged_texture_the_levels_that_are_whole_are_exported() {
    let folder = tempfile::tempdir().unwrap();
    let stack = torn(folder.path());
    let picked = Picked::one(stack.index().copies(stack.find("a.dds").unwrap())[0]);
    let run = |form, level| {
        let wanted = Wanted { level, ..Wanted::default() };
        let conversion = Conversion { form, wanted, is_joined: false, ..Conversion::default() };
        let out = folder.path().join("out");
        Extraction { out, is_flat: false, conversion, names: Arc::default() }
            .run(&stack, &picked, &Task::new())
            .unwrap()
    };
    // The largest that is whole, where none is named.
    let report = run(Form::Png, Which::First);
    assert_eq!(report.written, 1);
    assert_eq!(image::image_dimensions(folder.path().join("out/a.dds.png")).unwrap(), (128, 128));
    let report = run(Form::Png, Which::All);
    assert_eq!(report.written, 1);
    let said = "1 of 2 images of the texture are whole, level 0 of slice 0 lacks 65536 of its 262144 bytes";
    assert!(report.incomplete[0].1.contains(said), "{:?}", report.incomplete);
    for (form, level) in [(Form::Png, Which::One(0)), (Form::Dds, Which::All)] {
        let report = run(form, level);
        assert_eq!((report.written, report.failed.len()), (0, 1));
    }
}

#[test]
fn pictures_that_would_fill_the_memory_are_refused() {
    let new = NewSurface::flat(BC1, 8196, 8196);
    let size = usize::try_from(BC1.level_size(8196, 8196, 1)).unwrap();
    let large = texture("a.dds", &dds::write(&new, &[&vec![0; size]]).unwrap().into());
    let error = png(&large, &large.images[0], 0, Channels::Untouched).unwrap_err().to_string();
    assert!(error.contains("level 0 of 8196 × 8196 pixels takes 268697664 bytes"), "{error}");
}
