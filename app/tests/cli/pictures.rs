//! Pictures of the window.

use std::fs;
use std::path::{Path, PathBuf};

use image::GenericImageView as _;
use serde_json::json;

use crate::{Ran, demo, on_demo, program, run};

/// The real texture beside the checkout, or `None` and a line where it is not.
#[expect(clippy::print_stdout, reason = "what is skipped is said")]
fn real_texture() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/shadow-of-war");
    if folder.join("fellbeast_body_d.tex").exists() {
        return Some(folder);
    }
    println!("skipped: {} is not there", folder.display());
    None
}

#[test]
fn a_screenshot_shows_the_window_on_the_path() {
    let root = tempfile::tempdir().unwrap();
    let picture = root.path().join("w.png");
    let shot = |open: &str| {
        let (demo, out) = (demo().to_str().unwrap(), picture.to_str().unwrap());
        let words = ["screenshot", "--out", out, "--size", "900x600", "--json", "-m", demo, "--open", open];
        run(words)
    };
    let drawn = shot("characters\\ranger\\ranger_sword_d.tex");
    assert_eq!(drawn.status, 0, "{}", drawn.err);
    let drawn = &drawn.lines()[0];
    assert_eq!((&drawn["width"], &drawn["height"]), (&json!(900), &json!(600)));
    assert!(!drawn["adapter"].as_str().unwrap().is_empty());
    let sword = image::open(&picture).unwrap();
    assert_eq!(sword.dimensions(), (900, 600));
    shot("worlds\\retail\\grove\\textures\\fern_d.tex");
    assert_ne!(image::open(&picture).unwrap().as_bytes(), sword.as_bytes());
    fs::remove_file(&picture).unwrap();
    let gone = shot("no\\such.tex");
    assert_eq!((gone.status, gone.err.matches("no\\such.tex").count()), (1, 1), "{}", gone.err);
    assert!(gone.out.is_empty() && !picture.exists());
    let unmounted = run(["screenshot", "--open", "a.tex", "--out", picture.to_str().unwrap()]);
    assert_eq!(unmounted.status, 1);
    assert!(unmounted.err.contains("a.tex: no layer holds this path"), "{}", unmounted.err);
    assert!(!picture.exists());
}

#[test]
fn a_screenshot_of_a_mount_that_is_not_there_opens_no_graphics_card() {
    let root = tempfile::tempdir().unwrap();
    let (picture, nothing) = (root.path().join("w.png"), root.path().join("nothing"));
    let mut program = program();
    program.args(["screenshot", "--out"]).arg(&picture).arg("-m").arg(&nothing);
    // Where there is no driver, that would be what is complained about.
    program.envs([("VK_ICD_FILENAMES", ""), ("VK_DRIVER_FILES", ""), ("WGPU_BACKEND", "noop")]);
    let complaint = Ran::of(program.output().unwrap()).fails(2);
    assert!(complaint.contains("nothing: no such file or folder"), "{complaint}");
    assert!(!picture.exists());
}

#[cfg(not(any(windows, target_os = "macos")))]
#[test]
fn a_window_without_a_display_overwrites_no_picture() {
    let root = tempfile::tempdir().unwrap();
    let names = ["palimpsest.png", "palimpsest-2.png", "palimpsest-3.png"];
    fs::write(root.path().join(names[0]), "precious").unwrap();
    std::os::unix::fs::symlink("nowhere", root.path().join(names[1])).unwrap();
    let mut program = program();
    program.current_dir(root.path()).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
    let ran = Ran::of(program.output().unwrap());
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(String::from_utf8(ran.out).unwrap().contains(names[2]));
    assert_eq!(fs::read(root.path().join(names[0])).unwrap(), b"precious");
    assert!(!root.path().join("nowhere").exists());
    assert!(image::open(root.path().join(names[2])).is_ok());
}

#[test]
fn a_real_texture_is_told_and_drawn() {
    let Some(folder) = real_texture() else { return };
    let folder = folder.to_str().unwrap();
    let info = run(["info", "fellbeast_body_d.tex", "--json", "-m", folder]).json();
    assert_eq!(info["format"], "texr");
    for (key, value) in [
        ("width", json!(2048)),
        ("height", json!(1024)),
        ("full_width", json!(4096)),
        ("full_height", json!(2048)),
        ("mips", json!(12)),
        ("full_mips", json!(13)),
        ("format", json!("BC3_UNORM")),
    ] {
        assert_eq!(info["facts"][key], value, "{key}");
    }
    let root = tempfile::tempdir().unwrap();
    let picture = root.path().join("t.png");
    let words =
        ["screenshot", "-m", folder, "--open", "fellbeast_body_d.tex", "--out", picture.to_str().unwrap()];
    assert_eq!(run(words).status, 0);
    // The middle of the window is a picture: many colours, none of the theme's greys alone.
    let middle = image::open(&picture).unwrap().view(500, 200, 400, 200).to_image();
    let colours: std::collections::BTreeSet<_> = middle.pixels().map(|pixel| pixel.0).collect();
    assert!(colours.len() > 500, "{}", colours.len());
}

#[test]
fn textures_are_written_in_other_forms_and_what_is_missing_is_named() {
    let out = tempfile::tempdir().unwrap();
    let folder = out.path().to_str().unwrap();
    let sword = "characters\\ranger\\ranger_sword_d.tex";
    let report = on_demo(["extract", sword, "--out", folder, "--as", "png", "--json"]).json();
    assert_eq!(report["written"], 1);
    let png = image::open(out.path().join("characters/ranger/ranger_sword_d.tex.png")).unwrap();
    assert_eq!((png.width(), png.height()), (256, 256));
    let report = on_demo(["extract", sword, "--out", folder, "--as", "dds", "--joined", "--json"]);
    assert_eq!(report.lines()[0]["written"], 1);
    // What a picture cannot hold is told, and is no failure.
    let sky = on_demo(["extract", "sky_light.tex", "--out", folder, "--as", "png"]);
    assert!(
        sky.status == 0 && sky.err.contains("values below 0 or above 1 are cut; exr keeps them"),
        "{}",
        sky.err
    );
    // A damaged one is a failure, text has no picture.
    let ran = on_demo(["extract", "ruin_wall_d.tex | readme.txt", "--out", folder, "--as", "png"]);
    let complaint = ran.fails(1);
    assert!(complaint.contains("png files are made of textures, and this is text"), "{complaint}");
    for words in [["--as", "bmp"], ["--level", "all"]] {
        on_demo(["extract", sword, "--out", folder].into_iter().chain(words)).fails(2);
    }
    let wrong = on_demo(["extract", sword, "--out", folder, "--as", "dds", "--slice", "1"]).fails(2);
    assert!(wrong.contains("a dds has every level"), "{wrong}");
}

#[test]
fn a_texture_is_drawn_as_the_window_shows_it() {
    let out = tempfile::tempdir().unwrap();
    let file = out.path().join("drawn.png");
    let file = file.to_str().unwrap();
    // All tiers joined, or the file alone.
    for (alone, side) in [(None, 1024), (Some("--alone"), 256)] {
        let words = ["render", "characters\\ranger\\ranger_sword_d.tex", "--out", file, "--json"];
        let drawn = on_demo(words.into_iter().chain(alone));
        assert_eq!(drawn.lines()[0]["width"], side);
        assert_eq!(image::open(file).unwrap().dimensions(), (side, side));
    }
    let sky = ["render", "worlds\\retail\\grove\\textures\\sky.dds", "--out", file];
    let face = |slice: &str| {
        let drawn = on_demo(sky.into_iter().chain(["--slice", slice, "--size", "64x64", "--json"]));
        assert_eq!(drawn.status, 0, "{}", drawn.err);
        fs::read(file).unwrap()
    };
    assert_ne!(face("0"), face("3"));
    let shown = |words: &[&'static str]| {
        on_demo(sky.into_iter().chain(["--level", "2"]).chain(words.iter().copied())).succeeds();
        image::open(file).unwrap().into_rgba8()
    };
    let plain = shown(&[]);
    assert_ne!(shown(&["--values", "linear"]), plain);
    assert_ne!(shown(&["--range", "0,0.5"]), plain);
    assert_eq!(
        shown(&["--range", "0,0.5"]),
        shown(&["--exposure", "1"]),
        "half of the range is twice the light"
    );
    let tiled = shown(&["--tiled"]);
    assert_eq!(tiled.dimensions(), (3 * plain.width(), 3 * plain.height()));
    assert_eq!(tiled.get_pixel(plain.width(), plain.height()), plain.get_pixel(0, 0));
    for wrong in [["--range", "1,0"], ["--exposure", "nan"]] {
        on_demo(sky.into_iter().chain(wrong)).fails(2);
    }
    let missing = on_demo(sky.into_iter().chain(["--slice", "6"])).fails(1);
    assert!(missing.contains("levels 0 to 6 and slices 0 to 5 are there"), "{missing}");
    let jpg = ["render", "worlds\\retail\\grove\\textures\\sky.dds", "--out", "sky.jpg"];
    assert!(on_demo(jpg).fails(2).contains("its name ends in .png"));
    assert!(
        on_demo(["render", "readme.txt", "--out", file])
            .fails(1)
            .contains("is no texture, but of the kind text")
    );
}

/// Draws a mesh or a skeleton of the demo.
fn drawn(words: &[&str], picture: &Path) -> Ran {
    run(["render", "-m", demo().to_str().unwrap(), "--size", "320x240", "--out", picture.to_str().unwrap()]
        .into_iter()
        .chain(words.iter().copied()))
}

#[test]
fn models_are_drawn_as_they_are_asked_for() {
    const MESH: &str = "characters\\drake\\drake.mesh";
    const SKELETON: &str = "characters\\drake\\drake.skel";
    let root = tempfile::tempdir().unwrap();
    let picture = root.path().join("m.png");
    let mut seen: Vec<Vec<u8>> = Vec::new();
    for words in [
        vec![MESH],
        vec![MESH, "--mode", "clay"],
        vec![MESH, "--mode", "weights", "--bone", "Jaw"],
        vec![MESH, "--lod", "2"],
        vec![MESH, "--camera", "-80,20"],
        vec![MESH, "--camera", "-80,20", "--ortho"],
        vec![MESH, "--pose", "Jaw=0,0,30", "--pose", "neck_1=0,20,0"],
        vec![MESH, "--show", "edges,bounds,grid"],
        vec![SKELETON, "--alone", "--show", "bones,names"],
        vec![SKELETON, "--with", MESH, "--show", "bones,names,sockets"],
        vec![MESH, "--layer", "Characters"],
    ] {
        let ran = drawn(&words, &picture);
        assert_eq!(ran.status, 0, "{words:?}: {}", ran.err);
        let image = image::open(&picture).unwrap();
        assert_eq!(image.dimensions(), (320, 240));
        assert!(!seen.iter().any(|other| other == image.as_bytes()), "{words:?} looks like another one");
        seen.push(image.as_bytes().to_vec());
    }
    fs::remove_file(&picture).unwrap();
    for (words, status, part) in [
        (vec![MESH, "--lod", "9"], 1, "no level of detail 9: there are 4"),
        (vec![MESH, "--bone", "Knee"], 1, "no bone \"Knee\" among 40"),
        (vec![MESH, "--mode", "sphere"], 2, "a mesh has clay, textured"),
        (vec![MESH, "--pose", "Jaw=1,2"], 2, "three angles"),
        (vec![MESH, "--pose", "Jaw=1,2,3", "--pose", "jaw=0,0,0"], 2, "turned twice"),
        (
            vec![MESH, "--with", "readme.txt"],
            1,
            "readme.txt: not supported: a mesh hangs on a skeleton, and this is text",
        ),
        (vec![MESH, "--mode", "weights"], 2, "of which bone"),
        (vec![SKELETON, "--alone", "--mode", "clay"], 2, "there is none"),
        (vec![MESH, "--camera", "0,100"], 2, "100° up: expected -90 to 90"),
        (vec!["characters\\drake\\drake_d.tex", "--lod", "1"], 2, "--lod is for meshes and skeletons"),
    ] {
        let ran = drawn(&words, &picture);
        assert_eq!(ran.status, status, "{words:?}: {}", ran.err);
        assert!(ran.err.contains(part), "{words:?}: {}", ran.err);
        assert!(!picture.exists());
    }
}
