//! The user's own Oodle library: small ones are built here, which answer rightly, lie, or are none.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail loudly")]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use palimpsest_core::codec::chunks::{Chain, MAX_CHUNK, pack};
use palimpsest_core::codec::oodle::{Decoder, Library, Oodle, encode, find_beside};
use palimpsest_core::task::Task;

/// Streams that a library knows, with what it says that they decode to.
type Answers<'a> = &'a [(&'a [u8], &'a [u8])];

/// Builds a library that exports `symbol` and answers to streams that it knows; `made` is what it
/// returns, `length` being the right number.
fn build(folder: &Path, name: &str, symbol: &str, made: &str, answers: Answers<'_>) -> PathBuf {
    let mut table = String::new();
    for (stream, decoded) in answers {
        writeln!(table, "(&{stream:?}, &{decoded:?}),").unwrap();
    }
    let source = format!(
        "static ANSWERS: &[(&[u8], &[u8])] = &[{table}];
        #[unsafe(no_mangle)]
        pub unsafe extern \"system\" fn {symbol}(stream: *const u8, size: isize, out: *mut u8, length: isize,
            _: i32, _: i32, _: i32, _: *mut u8, _: isize, _: *mut u8, _: *mut u8, _: *mut u8, _: isize, phase: i32)
            -> isize {{
            assert_eq!(phase, 3);
            let stream = unsafe {{ std::slice::from_raw_parts(stream, size as usize) }};
            let out = unsafe {{ std::slice::from_raw_parts_mut(out, length as usize) }};
            match ANSWERS.iter().find(|(known, decoded)| *known == stream && decoded.len() == out.len()) {{
                Some((_, decoded)) => {{ out.copy_from_slice(decoded); {made} }}
                None => 0,
            }}
        }}"
    );
    let file = folder.join(format!("{name}.rs"));
    fs::write(&file, source).unwrap();
    let library = folder.join(file_name(name));
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let run = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=cdylib", "-Cpanic=abort", "-Awarnings", "-o"])
        .args([&library, &file])
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    library
}

fn file_name(name: &str) -> String {
    format!("{}{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

/// The stream that a library is asked for before it is trusted, and what it decodes to.
fn known() -> (Vec<u8>, Vec<u8>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/oodle/lorem_10033.krk");
    let stream = fs::read(file).unwrap();
    let mut decoded = vec![0; 10_033];
    Decoder::default().decode(&stream, &mut decoded).unwrap();
    (stream, decoded)
}

/// A chunk of text and one that is too short for Kraken, packed.
fn chunks() -> [(Vec<u8>, Vec<u8>); 2] {
    let text = b"a wall of the keep, a gate of the keep; ".repeat(200);
    [&text[..3000], &text[..700]].map(|data| (encode(data).unwrap(), data.to_vec()))
}

#[test]
fn a_library_that_answers_rightly_decodes_and_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let (stream, decoded) = known();
    let [kraken, lzb16] = chunks();
    let answers: Answers<'_> = &[(&stream, &decoded), (&kraken.0, &kraken.1)];
    let path = build(folder.path(), "good", "OodleLZ_Decompress", "length", answers);
    let library = Oodle::Library(Library::open(&path).unwrap());
    let compare = Oodle::Compare(Library::open(&path).unwrap());
    // LZB16 is refused, as by some versions, and the decoder here takes it.
    for (stream, decoded) in [&kraken, &lzb16] {
        for oodle in [&library, &compare, &Oodle::BuiltIn] {
            let mut out = vec![0; decoded.len()];
            oodle.decode(stream, &mut out).unwrap();
            assert!(out == *decoded, "{oodle:?}");
        }
    }
    assert_eq!(library.library().unwrap().path(), path);
}

#[test]
fn a_library_that_lies_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let (stream, decoded) = known();
    let [(chunk, text), _] = chunks();
    let mut lie = text.clone();
    lie[17] ^= 1;
    let answers: Answers<'_> = &[(&stream, &decoded), (&chunk, &lie)];
    let path = build(folder.path(), "liar", "OodleLZ_Decompress", "length", answers);
    let mut out = vec![0; text.len()];
    let error = Oodle::Compare(Library::open(&path).unwrap()).decode(&chunk, &mut out).unwrap_err();
    let expected = "the Oodle library and the built-in decoder differ from byte 0x11 of the chunk on";
    assert_eq!(error.to_string(), expected);
    // One that says that it made another number of bytes is not believed: the decoder here decodes.
    let answers: Answers<'_> = &[(&stream, &decoded), (&chunk, &lie)];
    let made = "if length == 10033 { length } else { length - 1 }";
    let path = build(folder.path(), "short", "OodleLZ_Decompress", made, answers);
    Oodle::Library(Library::open(&path).unwrap()).decode(&chunk, &mut out).unwrap();
    assert!(out == text);
    let error = Oodle::Compare(Library::open(&path).unwrap()).decode(&chunk, &mut out).unwrap_err();
    assert!(error.to_string().contains("the Oodle library made 2999 of 3000 bytes"), "{error}");
}

#[test]
fn what_is_no_oodle_library_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (stream, mut decoded) = known();
    decoded[0] ^= 1;
    let reason = |path: &Path| Library::open(path).unwrap_err().reason();
    let wrong = build(folder.path(), "wrong", "OodleLZ_Decompress", "length", &[(&stream, &decoded)]);
    assert_eq!(reason(&wrong), "not supported: it decodes a known stream to other bytes");
    let other = build(folder.path(), "other", "SomethingElse", "length", &[]);
    assert!(reason(&other).starts_with("not supported: no Oodle library"), "{}", reason(&other));
    let refuses = build(folder.path(), "refuses", "OodleLZ_Decompress", "length", &[]);
    assert_eq!(reason(&refuses), "the Oodle library made 0 of 10033 bytes");
    let text = folder.path().join("text.so");
    fs::write(&text, "no library at all").unwrap();
    assert!(reason(&text).starts_with("not supported: not a library for this system"), "{}", reason(&text));
    assert_eq!(reason(&folder.path().join("nothing")), "no such file");
    assert_eq!(reason(folder.path()), "not supported: a folder, not a library");
}

#[test]
fn a_difference_names_its_chunk() {
    let folder = tempfile::tempdir().unwrap();
    let (stream, decoded) = known();
    let data = b"a wall of the keep, a gate of the keep; ".repeat(2 * MAX_CHUNK / 40 + 1);
    let data = &data[..2 * MAX_CHUNK];
    let packed = pack(data);
    let chain = Chain::new(packed.clone().into(), data.len() as u64).starting_at(0x1000);
    let chunks: Vec<_> = chain.chunks().flatten().collect();
    let (first, second) = (&packed[chunks[0].data()], &packed[chunks[1].data()]);
    let lie = vec![9; MAX_CHUNK];
    let answers: Answers<'_> = &[(&stream, &decoded), (first, &data[..MAX_CHUNK]), (second, &lie)];
    let path = build(folder.path(), "chain", "OodleLZ_Decompress", "length", answers);
    let oodle = Oodle::Compare(Library::open(&path).unwrap());
    let (bytes, error) = chain.decoded_by(Some(oodle.into())).read_up_to(0..u64::MAX, &Task::new());
    assert!(bytes == data[..MAX_CHUNK]);
    let error = error.unwrap();
    assert_eq!(error.field_path(), "chunks[1]");
    assert_eq!(error.offset(), Some(0x1000 + chunks[1].offset as u64));
    assert!(error.reason().contains("differ from byte 0x0"), "{error}");
}

#[test]
fn a_library_is_found_beside_an_install() {
    let install = tempfile::tempdir().unwrap();
    assert_eq!(find_beside(install.path()), None);
    fs::create_dir(install.path().join("x64")).unwrap();
    let name = if cfg!(windows) {
        "oo2core_5_win64.dll"
    } else if cfg!(target_os = "macos") {
        "liboo2coremac64.2.5.dylib"
    } else if cfg!(target_arch = "aarch64") {
        "liboo2corelinuxarm64.so.9"
    } else {
        "liboo2corelinux64.so.5"
    };
    let library = install.path().join("x64").join(name);
    fs::write(&library, "").unwrap();
    assert_eq!(find_beside(install.path()), Some(library));
}
