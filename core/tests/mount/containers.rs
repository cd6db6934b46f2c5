//! Damaged containers, of which the index has the members that the parser has and says what it says; and
//! containers that change.

use std::io::Write as _;
use std::path::Path;

use bytes::Bytes;
use palimpsest_core::asset::Asset;
use palimpsest_core::codec::chunks::store;
use palimpsest_core::format::inspect;
use palimpsest_core::formats::embb;
use palimpsest_core::formats::ltar::{Builder, Packing};
use palimpsest_core::mount::{BundleCache, Stack};
use palimpsest_core::task::Task;

use crate::{mounted, write};

/// A member's path, where it starts in its container, and its bytes.
type Members = Vec<(String, u64, u64)>;

/// What the parser finds, and its one warning in the words of the index: `size at …: section 1: …` is
/// `sections[1].size at …: …` there.
fn parsed(bytes: &[u8]) -> (Members, Option<String>) {
    let inspection = inspect(&Bytes::copy_from_slice(bytes), "a.embb", &Task::new());
    let members = match inspection.asset {
        Ok(Some(Asset::Archive(archive))) => archive.entries,
        other => panic!("{other:?}"),
    };
    let lines: Vec<_> = inspection.warnings.lines().collect();
    assert!(lines.len() < 2, "{lines:?}");
    let line = lines.first().map(|line| match line.split_once(": section ") {
        Some((place, rest)) => {
            let (section, text) = rest.split_once(": ").unwrap();
            format!("sections[{section}].{place}: {text}")
        }
        None => line.clone(),
    });
    (members.into_iter().map(|member| (member.path, member.offset, member.size)).collect(), line)
}

/// What the index knows of a container.
fn indexed(stack: &Stack, path: &str) -> (Members, Option<String>) {
    let container = stack.index().copies(stack.find(path).unwrap())[0];
    let members = stack.members_of(container).map(|copy| {
        let stat = stack.layer(copy).unwrap().stat(copy.file);
        (stack.path_of(copy), stat.offset.unwrap(), stat.size)
    });
    let bundles = stack.layers()[0].bundles().unwrap();
    let fault = bundles.container(container.file).unwrap().fault.clone();
    let start = format!("0.arch06: {path}: ");
    (members.collect(), fault.map(|fault| fault.strip_prefix(&start).unwrap().to_owned()))
}

/// A container with every bit of every size word flipped, cut at every length behind its head, and with
/// bytes behind its end.
fn damaged(members: &[(&str, &[u8])]) -> Vec<Vec<u8>> {
    let whole = embb::write(members);
    let sections: Vec<_> =
        parsed(&whole).0.iter().map(|(_, at, _)| usize::try_from(*at).unwrap() - 4).collect();
    let mut all = vec![whole.clone()];
    for at in &sections {
        all.extend((0..32).map(|bit| {
            let mut bytes = whole.clone();
            bytes[at + bit / 8] ^= 1 << (bit % 8);
            bytes
        }));
    }
    all.extend((sections[0]..whole.len()).step_by(whole.len() / 300 + 1).map(|end| whole[..end].to_vec()));
    all.extend([&b"x"[..], b"xyz", &whole].map(|more| [&whole, more].concat()));
    all
}

#[test]
fn index_and_parser_agree_on_damaged_containers() {
    let noise: Vec<u8> = (0..90_000u32).map(|at| at.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
    let text = "the wall of the keep ".repeat(9_000);
    let small: [(&str, &[u8]); 4] =
        [("m\\a", &[0; 40]), ("m\\b", b"some words"), ("m\\c", &noise[..77]), ("m\\d", b"1")];
    let large: [(&str, &[u8]); 3] = [("m\\a", &noise), ("m\\b", &[0; 300]), ("m\\c", text.as_bytes())];
    let root = tempfile::tempdir().unwrap();
    for (members, packing) in
        [(&small[..], Packing::Plain), (&small, Packing::Chunks), (&large, Packing::Chunks)]
    {
        let containers = damaged(members);
        let mut builder = Builder::new();
        for (at, bytes) in containers.iter().enumerate() {
            match packing {
                Packing::Chunks => builder.add(&format!("{at}.embb"), bytes),
                Packing::Plain => {
                    builder.add_packed(&format!("{at}.embb"), packing, bytes.clone(), bytes.len() as u64)
                }
            };
        }
        write(root.path(), "0.arch06", builder.finish());
        let stack = mounted(&root.path().join("0.arch06")).with_members(None, &Task::new()).unwrap();
        for (at, bytes) in containers.iter().enumerate() {
            let found = indexed(&stack, &format!("{at}.embb"));
            assert_eq!(found, parsed(bytes), "container {at}");
            assert_eq!(found.1.is_some(), at > 0, "container {at}: {:?}", found.1);
        }
    }
}

/// Writes an archive over one that is there, with its time kept.
fn replace(path: &Path, bytes: &[u8]) {
    let time = std::fs::metadata(path).unwrap().modified().unwrap();
    let mut file = std::fs::OpenOptions::new().write(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
    file.set_modified(time).unwrap();
}

#[test]
fn an_archive_of_the_same_size_and_time_is_read_anew() {
    let root = tempfile::tempdir().unwrap();
    let cache = BundleCache::new(root.path().join("cache"));
    let path = root.path().join("0.arch06");
    let archive = |name: &str, member: &str| {
        let mut builder = Builder::new();
        builder.add(name, &embb::write(&[(member, b"1")]));
        builder.finish()
    };
    write(root.path(), "0.arch06", archive("x.embb", "m\\a.mat"));
    let members = || {
        let stack = mounted(&path).with_members(Some(&cache), &Task::new()).unwrap();
        stack.index().entries().map(|entry| stack.path(entry)).collect::<Vec<_>>()
    };
    assert_eq!(members(), ["x.embb", "m\\a.mat"]);
    replace(&path, &archive("y.embb", "m\\b.mat"));
    assert_eq!(members(), ["y.embb", "m\\b.mat"]);
}

#[test]
fn a_member_of_a_container_that_changed_in_place_is_an_error_and_no_wrong_bytes() {
    let noise: Vec<u8> = (0..90_000u32).map(|at| at.wrapping_mul(2_654_435_761).to_be_bytes()[0]).collect();
    let container = embb::write(&[("m\\a.mat", &noise), ("m\\b.mat", b"words of b")]);
    let root = tempfile::tempdir().unwrap();
    let cache = BundleCache::new(root.path().join("cache"));
    let path = root.path().join("0.arch06");
    for packing in [Packing::Plain, Packing::Chunks] {
        let data = if packing == Packing::Plain { container.clone() } else { store(&container) };
        let mut builder = Builder::new();
        builder.add_packed("x.embb", packing, data, container.len() as u64);
        let mut bytes = builder.finish();
        write(root.path(), "0.arch06", &bytes);
        let stack = mounted(&path).with_members(Some(&cache), &Task::new()).unwrap();
        let read = |stack: &Stack, member: &str| {
            let copy = stack.index().copies(stack.find(member).unwrap())[0];
            let read = stack.content(copy).and_then(|content| content.read(0..100, &Task::new()));
            read.map_err(|error| stack.blame(copy, error).to_string())
        };
        assert_eq!(read(&stack, "m\\b.mat").unwrap(), &b"words of b"[..]);
        // The last ten bytes of the container are those of the second member.
        let word = memchr::memmem::find(&bytes, b"words of b").unwrap() - 4;
        bytes[word] = 5;
        replace(&path, &bytes);
        let offset = container.len() - 14;
        let error = read(&stack, "m\\b.mat").unwrap_err();
        let text =
            format!("0.arch06: m\\b.mat: at {offset:#X}: 5 bytes are stated for the member, 10 were when");
        assert!(error.starts_with(&text), "{error}");
        assert_eq!(read(&stack, "m\\a.mat").unwrap(), noise[..100]);
    }
}
