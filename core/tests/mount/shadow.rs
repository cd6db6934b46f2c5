//! What becomes of the stored bytes: sums by layer and folder against those that are added up one by one.

use std::collections::BTreeSet;
use std::sync::Arc;

use palimpsest_core::formats::path_index;
use palimpsest_core::mount::{CopyKind, FolderId, Mounts, Part, ShadowMap, Stack, Tally, Twins};
use palimpsest_core::task::Task;

use crate::{archive, mount, mounted, write};

const INDEX: &str = "archivepatchloosefiles.txt";

/// Numbers that look random, the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 33) % end
    }
}

/// Layers that hold some of the same paths, some with the same bytes, some with a path index.
fn random_stack(seed: u64) -> (tempfile::TempDir, Stack, BTreeSet<String>) {
    const FOLDERS: [&str; 5] = ["", "a", "a\\b", "a\\b\\c", "z"];
    let root = tempfile::tempdir().unwrap();
    let (mut random, mut listed, mut paths) = (Random(seed), BTreeSet::new(), Vec::new());
    for layer in 0..4 {
        let mut files = Vec::new();
        for name in 0..12 {
            if random.below(2) == 0 {
                continue;
            }
            let folder = FOLDERS[usize::try_from(random.below(5)).unwrap()];
            let path =
                if folder.is_empty() { format!("{name}.txt") } else { format!("{folder}\\{name}.txt") };
            files.push((path, "x".repeat(usize::try_from(1 + random.below(3)).unwrap() * 40)));
        }
        let mut builder = palimpsest_core::formats::ltar::Builder::new();
        for (path, text) in &files {
            builder.add(path, text.as_bytes());
        }
        if random.below(3) > 0 {
            let named: Vec<_> =
                files.iter().map(|(path, _)| path.as_str()).filter(|_| random.below(2) > 0).collect();
            listed.extend(named.iter().map(|path| (*path).to_owned()));
            builder.add(INDEX, &path_index::write(&named));
        }
        write(root.path(), &format!("{layer}.arch06"), builder.finish());
        paths.push(root.path().join(format!("{layer}.arch06")));
    }
    let stack = mount(&Mounts { paths, ..Mounts::default() }).unwrap();
    (root, stack, listed)
}

/// The sum over all copies that fit, one by one.
fn naive(stack: &Stack, listed: &BTreeSet<String>, fits: impl Fn(usize, usize, &str) -> bool) -> Tally {
    let index_of = stack.find(INDEX).map(|entry| stack.index().copies(entry)).unwrap_or_default();
    let mut sum = Tally::default();
    for entry in stack.index().entries() {
        let path = stack.path(entry);
        let copies = stack.index().copies(entry);
        for (at, copy) in copies.iter().enumerate().filter(|(at, copy)| fits(*at, copy.layer.into(), &path)) {
            let stored = stack.stored(*copy).unwrap();
            let bytes = stored.len() as u64;
            sum.files += 1;
            match at {
                0 => sum.wins += bytes,
                _ if stored == stack.stored(copies[0]).unwrap() => sum.identical += bytes,
                _ => sum.shadowed += bytes,
            }
            let has_index = index_of.iter().any(|index| index.layer == copy.layer);
            if has_index && path != INDEX && !listed.contains(&path) {
                sum.unlisted += bytes;
            }
        }
    }
    sum
}

fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('\\'))
}

#[test]
fn sums_equal_those_of_single_copies_on_random_stacks() {
    for seed in 0..40 {
        let (_root, stack, listed) = random_stack(seed);
        let (index, task) = (stack.index(), Task::new());
        let twins = Arc::new(Twins::find(&stack, &task).unwrap());
        let map = ShadowMap::new(&stack, Some(twins), &task).unwrap();
        assert_eq!(map.total(), naive(&stack, &listed, |_, _, _| true), "{seed}");
        for folder in (0..index.folder_count()).map(FolderId) {
            let name = String::from_utf8(index.folder_path(folder).to_vec()).unwrap();
            for layer in [None, Some(0), Some(1), Some(2), Some(3)] {
                let fits = |at: usize, of: usize, path: &str| {
                    layer.map_or(at == 0, |layer| layer == of) && is_below(path, &name)
                };
                let below = map.below(index, layer, folder);
                assert_eq!(below, naive(&stack, &listed, fits), "{seed} {layer:?} {name}");
                let parts = map.parts(&stack, layer, folder);
                let sum = parts.iter().fold(Tally::default(), |sum, (_, tally)| sum.plus(*tally));
                assert_eq!(sum, below, "{seed} {layer:?} {name}");
                let Some(layer) = layer else { continue };
                let cast: u64 = map.casters(index, layer, folder).iter().map(|(_, bytes)| bytes).sum();
                assert_eq!(cast, below.shadowed + below.identical, "{seed} {layer} {name}");
            }
        }
    }
}

#[test]
fn the_layer_that_wins_is_named_as_the_one_that_shadows() {
    let root = tempfile::tempdir().unwrap();
    for (name, files) in [
        ("base", &[("a\\1.txt", "one"), ("a\\2.txt", "two"), ("b\\3.txt", "three")][..]),
        ("patch", &[("a\\1.txt", "new")]),
        ("top", &[("a\\2.txt", "two"), ("b\\3.txt", "other")]),
    ] {
        write(root.path(), &format!("{name}.arch06"), archive(files));
    }
    let paths = ["base", "patch", "top"].map(|name| root.path().join(format!("{name}.arch06"))).to_vec();
    let stack = mount(&Mounts { paths, ..Mounts::default() }).unwrap();
    let map = ShadowMap::new(&stack, None, &Task::new()).unwrap();
    let base = stack.find_layer("base.arch06").unwrap();
    let names: Vec<_> = map
        .casters(stack.index(), base, FolderId::ROOT)
        .into_iter()
        .map(|(layer, _)| stack.layers()[layer].name.as_str())
        .collect();
    assert_eq!(names, ["top.arch06", "patch.arch06"]);
    assert!(!map.has_index() && map.total().unlisted == 0 && map.total().identical == 0);
    // Equal in both sizes, and in the bytes of one path only.
    assert!(map.comparable() > 0);
    let twins = Arc::new(Twins::find(&stack, &Task::new()).unwrap());
    let known = ShadowMap::new(&stack, Some(twins), &Task::new()).unwrap();
    let stored = |path: &str| {
        let copies = stack.index().copies(stack.find(path).unwrap());
        stack.stored(*copies.last().unwrap()).unwrap().len() as u64
    };
    assert_eq!(known.total().identical, stored("a\\2.txt"));
    assert_eq!(known.total().stored(), map.total().stored());
}

#[test]
fn members_of_containers_are_not_counted_again() {
    let root = tempfile::tempdir().unwrap();
    palimpsest_core::demo::write(root.path(), &Task::new()).unwrap();
    let stack = mounted(root.path());
    let task = Task::new();
    let with_members = stack.with_members(None, &task).unwrap();
    assert!(with_members.index().copy_count() > stack.index().copy_count());
    let [before, after] = [&stack, &with_members].map(|stack| ShadowMap::new(stack, None, &task).unwrap());
    assert_eq!(after.total(), before.total());
    assert!(after.has_index() && after.total().unlisted > 0);
    // A path that only containers hold is in no part.
    let index = with_members.index();
    for folder in (0..index.folder_count()).map(FolderId) {
        for (part, _) in after.parts(&with_members, None, folder) {
            if let Part::File(entry, at) = part {
                assert_ne!(with_members.kind(index.copies(entry)[at]), CopyKind::Member);
            }
        }
    }
}

#[test]
fn the_map_and_the_comparison_stop_when_they_are_cancelled() {
    let (_root, stack, _) = random_stack(1);
    let task = Task::new();
    task.cancel();
    assert!(ShadowMap::new(&stack, None, &task).unwrap_err().is_cancelled());
    assert!(Twins::find(&stack, &task).unwrap_err().is_cancelled());
}
