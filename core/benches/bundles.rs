//! Reading what bundles hold: one container of more than 1 GB with 11,178 members, and 20,000 small ones.
//!
//! The reference for the large one is to read the size words of its sections alone, where they are known
//! to stand; for the small ones, to decode the first chunk of each.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and fails loudly")]

#[path = "support/data.rs"]
#[expect(dead_code, reason = "each benchmark uses its part")]
mod data;
mod support;

use std::fs;
use std::path::Path;

use palimpsest_core::codec::chunks::{MAX_CHUNK, pack, push_chunk};
use palimpsest_core::codec::oodle::encode;
use palimpsest_core::formats::embb;
use palimpsest_core::formats::ltar::{Builder, Packing};
use palimpsest_core::mount::{BundleCache, Mounts, Stack};
use palimpsest_core::task::Task;
use support::{Contender, compare};

const MEMBERS: usize = 11_178;
const CONTAINERS: usize = 20_000;

fn main() {
    let folder = tempfile::tempdir().unwrap();
    large(folder.path());
    small(folder.path());
}

/// Each section takes two chunks, so that the same two packed chunks make up all of them.
fn large(folder: &Path) {
    const SIZE: usize = 2 * MAX_CHUNK - 4;
    let paths: Vec<_> =
        (0..MEMBERS).map(|at| format!("worlds\\retail\\desert\\part_{at:05}.objres")).collect();
    let bare = |paths: &[String]| {
        let members: Vec<_> = paths.iter().map(|path| (path.as_str(), &b""[..])).collect();
        let mut bytes = embb::write(&members);
        bytes.truncate(bytes.len() - 4 * MEMBERS);
        bytes
    };
    // The last path is as long as it takes for the sections to start with a chunk.
    let mut filled = paths.clone();
    let room = bare(&paths).len().next_multiple_of(MAX_CHUNK) - bare(&paths).len();
    for path in filled.iter_mut().take(room / 4) {
        path.push_str("xxxx");
    }
    let head = bare(&filled);
    assert_eq!(head.len() % MAX_CHUNK, 0);
    let body = data::vertices();
    let mut first = u32::try_from(SIZE).unwrap().to_le_bytes().to_vec();
    first.extend_from_slice(&body[..MAX_CHUNK - 4]);
    let [first, second] = [&first[..], &body[MAX_CHUNK..2 * MAX_CHUNK]].map(|chunk| encode(chunk).unwrap());
    let mut chain = pack(&head);
    for _ in 0..MEMBERS {
        push_chunk(&mut chain, MAX_CHUNK, &first);
        push_chunk(&mut chain, MAX_CHUNK, &second);
    }
    let size = (head.len() + MEMBERS * 2 * MAX_CHUNK) as u64;
    let path = folder.join("large.arch06");
    let mut builder = Builder::new();
    builder.add_packed("desert.embb", Packing::Chunks, chain, size);
    fs::write(&path, builder.finish()).unwrap();
    let stack = Stack::mount(&Mounts::of(&path), &Task::new()).unwrap();
    let content = stack.content(stack.index().copies(stack.find("desert.embb").unwrap())[0]).unwrap();
    let words = || {
        let mut walk = content.walk();
        let mut word = [0; 4];
        let mut sum = 0;
        for member in 0..MEMBERS {
            walk.read((head.len() + member * 2 * MAX_CHUNK) as u64, &mut word).unwrap();
            sum += u64::from(u32::from_le_bytes(word));
        }
        assert_eq!(sum, (MEMBERS * SIZE) as u64);
    };
    let walk = || {
        let stack = stack.with_members(None, &Task::new()).unwrap();
        assert_eq!(stack.index().entry_count() as usize, MEMBERS + 1);
    };
    println!("a container of {size} bytes with {MEMBERS} members");
    compare(9, vec![Contender::new("read its size words", words), Contender::new("walk and index it", walk)]);
}

/// Containers of a few members in an archive, many alike inside.
fn small(folder: &Path) {
    const KINDS: usize = 200;
    let body = data::machine_code();
    let mut builder = Builder::new();
    for kind in 0..KINDS {
        let part = |at: usize, len| &body[kind * 9_000 + at..][..len];
        let paths: Vec<_> = (0..3).map(|at| format!("characters\\set_{kind:03}\\part_{at}.tex")).collect();
        let members =
            [(&*paths[0], part(0, 5_000)), (&*paths[1], part(100, 900)), (&*paths[2], part(50, 8_000))];
        let bytes = embb::write(&members);
        let packed = pack(&bytes);
        for at in (kind..CONTAINERS).step_by(KINDS) {
            let path = format!("bundles\\set_{kind:03}\\bundle_{at:05}.embb");
            builder.add_packed(&path, Packing::Chunks, packed.clone(), bytes.len() as u64);
        }
    }
    let path = folder.join("small.arch06");
    fs::write(&path, builder.finish()).unwrap();
    let stack = Stack::mount(&Mounts::of(&path), &Task::new()).unwrap();
    let cache = BundleCache::new(folder.join("cache"));
    stack.with_members(Some(&cache), &Task::new()).unwrap();
    let decode = || {
        let contents =
            stack.index().entries().map(|entry| stack.content(stack.index().copies(entry)[0]).unwrap());
        contents.map(|content| content.read(0..16, &Task::new()).unwrap().len()).sum::<usize>()
    };
    let index = |cache| {
        let stack = stack.with_members(cache, &Task::new()).unwrap();
        assert_eq!(stack.index().copy_count() as usize, 4 * CONTAINERS);
    };
    println!("{CONTAINERS} containers of 3 members each");
    compare(
        9,
        vec![
            Contender::new("decode the first chunk of each, one thread", decode),
            Contender::new("index them", || index(None)),
            Contender::new("index them from the cache", || index(Some(&cache))),
        ],
    );
}
