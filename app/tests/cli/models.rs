//! Meshes as files of other programs.

use std::fs;

use crate::run;

#[test]
fn a_mesh_is_written_as_gltf_and_obj() {
    let root = tempfile::tempdir().unwrap();
    let (game, out) = (root.path().join("game"), root.path().join("out"));
    fs::create_dir(&game).unwrap();
    fs::write(game.join("a.mesh"), (palimpsest_core::formats::mmsh::FORMAT.sample)()).unwrap();
    fs::write(game.join("b.txt"), "text").unwrap();
    let (mount, folder) = (game.to_str().unwrap(), out.to_str().unwrap());
    let words = |form| ["extract", "a.mesh", "--out", folder, "--as", form, "-m", mount];
    let report = run(words("glb").into_iter().chain(["--json"])).json();
    assert_eq!(report["written"], 1);
    assert_eq!(report["notes"][0]["path"], "a.mesh");
    assert_eq!(&fs::read(out.join("a.mesh.glb")).unwrap()[..4], b"glTF");
    // What could have been more is told, and is no failure.
    let told = run(words("gltf"));
    assert!(told.status == 0 && told.err.contains("a.mesh: without a skeleton"), "{}", told.err);
    assert!(fs::read_to_string(out.join("a.mesh.gltf")).unwrap().contains("\"generator\": \"Palimpsest\""));
    run(words("obj")).succeeds();
    assert!(fs::read_to_string(out.join("a.mesh.obj")).unwrap().contains("\nf 1/1/1 3/3/3 2/2/2\n"));
    let wrong = run(["extract", "b.txt", "--out", folder, "--as", "obj", "-m", mount]).fails(1);
    assert!(wrong.contains("obj files are made of meshes, and this is text"), "{wrong}");
    let choice = run(words("glb").into_iter().chain(["--level", "0"])).fails(2);
    assert!(choice.contains("a glb is no picture"), "{choice}");
}
