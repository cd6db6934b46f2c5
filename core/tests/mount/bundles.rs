//! Bundles: members in the index, which copy is used, and what is said about it.

use std::collections::BTreeMap;
use std::path::Path;

use palimpsest_core::formats::ltar::Builder;
use palimpsest_core::formats::{bndl, embb};
use palimpsest_core::mount::{Answer, BundleAnswer, BundleCache, CopyKind, MemberSource, Mounts, Stack};
use palimpsest_core::task::Task;

use crate::{mount, write};

/// What an archive holds: files with their bytes.
type Files = Vec<(String, Vec<u8>)>;

fn file(path: &str, text: &str) -> (String, Vec<u8>) {
    (path.to_owned(), text.as_bytes().to_vec())
}

fn container(stem: &str, members: &[(&str, &str)]) -> (String, Vec<u8>) {
    let members: Vec<_> = members.iter().map(|(path, text)| (*path, text.as_bytes())).collect();
    (format!("{stem}.embb"), embb::write(&members))
}

fn manifest(stem: &str, members: &[(&str, &str)]) -> (String, Vec<u8>) {
    let members: Vec<_> =
        members.iter().map(|(path, text)| (*path, u32::try_from(text.len()).unwrap())).collect();
    (format!("{stem}.bndl"), bndl::write("Bundles/Types/Presentation", &members))
}

/// Archives `0.arch06`, `1.arch06`, … of which the first is searched first.
fn write_layers(root: &Path, layers: &[Files]) -> Mounts {
    let mut mounts = Mounts::default();
    for (at, files) in layers.iter().enumerate().rev() {
        let mut builder = Builder::new();
        for (path, bytes) in files {
            builder.add(path, bytes);
        }
        write(root, &format!("{at}.arch06"), builder.finish());
        mounts.paths.push(root.join(format!("{at}.arch06")));
    }
    mounts
}

fn stack(layers: &[Files]) -> Stack {
    let root = tempfile::tempdir().unwrap();
    let stack = mount(&write_layers(root.path(), layers)).unwrap();
    stack.with_members(None, &Task::new()).unwrap()
}

fn answer(stack: &Stack, path: &str) -> Answer {
    stack.resolve(stack.find(path).unwrap_or_else(|| panic!("no {path}")))
}

fn bundle(stack: &Stack, path: &str) -> BundleAnswer {
    stack.bundle(stack.find(path).unwrap(), &Task::new()).unwrap().unwrap()
}

fn text(stack: &Stack, answer: &Answer, copy: usize) -> String {
    let bytes = stack.content(answer.copies[copy].copy).unwrap().read(0..u64::MAX, &Task::new()).unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Kind, layer and text of each copy.
fn copies(stack: &Stack, path: &str) -> Vec<(CopyKind, u16, String)> {
    let answer = answer(stack, path);
    let copy = |(at, copy): (usize, &palimpsest_core::mount::CopyAnswer)| {
        (copy.kind, copy.copy.layer, text(stack, &answer, at))
    };
    answer.copies.iter().enumerate().map(copy).collect()
}

const PAIR: [(&str, &str); 2] = [("m\\a.mat", "aaaa"), ("m\\b.mat", "bb")];

fn pair(stem: &str) -> Files {
    vec![manifest(stem, &PAIR), container(stem, &PAIR)]
}

#[test]
fn members_are_copies_behind_all_files() {
    let stack = stack(&[pair("x"), vec![file("M\\A.mat", "loose")], vec![file("m\\a.mat", "lowest")]]);
    let expected = [
        (CopyKind::Entry, 1, "loose".to_owned()),
        (CopyKind::Entry, 2, "lowest".to_owned()),
        (CopyKind::Member, 0, "aaaa".to_owned()),
    ];
    assert_eq!(copies(&stack, "m\\a.mat"), expected);
    let answer = answer(&stack, "m\\a.mat");
    assert_eq!(answer.winner, Some(0));
    assert_eq!(answer.copies[2].container.as_deref(), Some("x.embb"));
    assert!(
        answer.copies[2]
            .why
            .contains("in the container x.embb; whether it or the file is used is not proven")
    );
    assert_eq!(copies(&stack, "m\\b.mat"), [(CopyKind::Member, 0, "bb".to_owned())]);
    assert!(self::answer(&stack, "m\\b.mat").rule.contains("it comes with the bundle x.embb of 0.arch06"));
}

#[test]
fn a_file_above_its_container_is_proven_and_one_below_is_not() {
    let is_unproven = |layers: &[Files]| {
        let stack = stack(layers);
        let entry = stack.find("m\\a.mat").unwrap();
        let answer = stack.resolve(entry);
        assert_eq!(answer.unproven.is_some(), stack.is_unproven(entry));
        let source = bundle(&stack, "x.bndl").members[0].clone();
        assert!(matches!(source.source, MemberSource::File(_)));
        assert_eq!(source.is_unproven, answer.unproven.is_some());
        answer.unproven
    };
    let loose = || vec![file("m\\a.mat", "loose")];
    assert_eq!(is_unproven(&[loose(), pair("x")]), None);
    let below = is_unproven(&[pair("x"), loose()]).unwrap();
    assert!(below.starts_with("The file lies in 1.arch06, below its container in 0.arch06"), "{below}");
    let beside = is_unproven(&[[pair("x"), loose()].concat()]).unwrap();
    assert!(beside.starts_with("The file and the container lie in one layer, 0.arch06"), "{beside}");
    // With one above as well the file above is used.
    assert_eq!(is_unproven(&[loose(), pair("x"), loose()]), None);
}

#[test]
fn members_of_a_container_that_is_replaced_lose() {
    let newer = vec![container("x", &[("m\\b.mat", "newer")])];
    let stack = stack(&[newer, pair("x"), vec![container("y", &[("m\\b.mat", "other")])]]);
    let kinds: Vec<_> =
        copies(&stack, "m\\b.mat").into_iter().map(|(_, layer, text)| (layer, text)).collect();
    assert_eq!(kinds, [(0, "newer".to_owned()), (2, "other".to_owned()), (1, "bb".to_owned())]);
    let b = answer(&stack, "m\\b.mat");
    assert!(b.rule.contains("2 containers do"), "{}", b.rule);
    assert!(b.copies[2].why.contains("replaced by the one in 0.arch06"), "{}", b.copies[2].why);
    let a = answer(&stack, "m\\a.mat");
    assert_eq!((a.winner, a.copies.len()), (None, 1));
    assert!(a.rule.contains("no bundle brings it in"), "{}", a.rule);
    let missing = &bundle(&stack, "x.embb").members[0];
    assert_eq!((missing.path.as_str(), missing.source), ("m\\a.mat", MemberSource::Missing));
}

#[test]
fn a_bundle_says_how_its_two_sides_relate() {
    let notes = |layers: &[Files], path: &str| bundle(&stack(layers), path).notes.join("\n");
    let mirrored = notes(&[pair("x")], "x.bndl");
    assert!(mirrored.contains("mirror each other: the same 2 members"), "{mirrored}");
    let size = container("x", &PAIR).1.len();
    assert!(
        mirrored.contains(&format!("a container of {size} bytes, as the manifest predicts")),
        "{mirrored}"
    );
    let above = [vec![manifest("x", &[PAIR[0], ("m\\c.cres", "ccc")])], pair("x")];
    let above = notes(&above, "x.embb");
    assert!(above.contains("The manifest ships above its container, 0.arch06 over 1.arch06"), "{above}");
    assert!(
        above.contains(
            "differ, of 2 members: 1 named beyond what the container holds, 1 held without being named"
        ),
        "{above}"
    );
    assert!(above.contains("1 of 3 members nowhere in the stack"), "{above}");
    let below = notes(&[vec![container("x", &PAIR)], pair("x")], "x.bndl");
    assert!(below.contains("The container ships above its manifest"), "{below}");
    let alone = notes(&[vec![manifest("x", &PAIR), file("m\\a.mat", "1234")]], "x.bndl");
    assert!(alone.contains("has no container"), "{alone}");
    let empty = notes(&[vec![manifest("x", &[]), container("x", &[])]], "x.bndl");
    assert!(empty.contains("mirror each other: the same 0 members"), "{empty}");
    let orphan = notes(&[vec![container("x", &PAIR)]], "x.embb");
    assert!(orphan.contains("has no manifest"), "{orphan}");
}

#[test]
fn members_come_from_files_then_the_own_container_then_others() {
    let listed = [("m\\a.mat", "1234"), ("m\\b.mat", "bb"), ("m\\c.mat", "1"), ("m\\d.mat", "1")];
    let stack = stack(&[
        vec![manifest("x", &listed), container("x", &[("m\\b.mat", "bb"), ("m\\e.mat", "eee")])],
        vec![file("m\\a.mat", "12"), container("y", &[("m\\c.mat", "c"), ("m\\b.mat", "other")])],
    ]);
    let members: Vec<_> = bundle(&stack, "x.bndl")
        .members
        .into_iter()
        .map(|member| (member.path.clone(), member.source.name(), member.declared, member.fits()))
        .collect();
    let expected = [
        ("m\\a.mat", "file", Some(4), Some(false)),
        ("m\\b.mat", "container", Some(2), Some(true)),
        ("m\\c.mat", "elsewhere", Some(1), Some(true)),
        ("m\\d.mat", "missing", Some(1), None),
        ("m\\e.mat", "container", None, None),
    ];
    assert_eq!(members, expected.map(|(path, source, size, fits)| (path.to_owned(), source, size, fits)));
    let fits: Vec<_> = answer(&stack, "m\\b.mat").copies.iter().map(|copy| copy.fits).collect();
    assert_eq!(fits, [Some(true), Some(false)]);
    assert_eq!(answer(&stack, "m\\e.mat").copies[0].fits, None);
}

#[test]
fn a_damaged_container_keeps_what_came_before_and_harms_no_other() {
    let whole = container("y", &PAIR).1;
    // The second size word.
    let at = whole.len() - PAIR[1].1.len() - 4;
    for bit in 0..32 {
        let mut bytes = whole.clone();
        bytes[at + bit / 8] ^= 1 << (bit % 8);
        let stack = stack(&[vec![("y.embb".to_owned(), bytes)], pair("x")]);
        let faults: Vec<_> = stack.bundle_faults().collect();
        let held = stack.members_of(stack.index().copies(stack.find("y.embb").unwrap())[0]).count();
        assert_eq!(stack.members_of(stack.index().copies(stack.find("x.embb").unwrap())[0]).count(), 2);
        let expected = format!("0.arch06: y.embb: sections[1].size at {at:#X}: ");
        assert!(matches!(faults[..], [fault] if fault.starts_with(&expected)), "{faults:?}");
        assert_eq!(held, 1);
    }
}

#[test]
fn what_is_odd_in_a_bundle_is_said_and_harms_nothing_else() {
    // A count that is too small: the paths count.
    let mut bytes = container("x", &PAIR).1;
    bytes[0x0C] = 1;
    let count = stack(&[vec![manifest("x", &PAIR), ("x.embb".to_owned(), bytes)]]);
    assert_eq!(copies(&count, "m\\b.mat").len(), 1);
    let faults: Vec<_> = count.bundle_faults().collect();
    assert!(
        matches!(faults[..], [fault] if fault.contains("member_count at 0xC: 1 members, and 2 paths")),
        "{faults:?}"
    );
    assert!(bundle(&count, "x.bndl").notes.iter().any(|note| note.contains("mirror each other")));
    // The same path several times.
    let twice = [("m\\a.mat", "11111"), ("m\\a.mat", "22")];
    let repeated = stack(&[vec![manifest("x", &twice), container("x", &twice)]]);
    let members = bundle(&repeated, "x.bndl").members;
    assert_eq!(
        members.iter().map(|member| (member.size, member.fits())).collect::<Vec<_>>(),
        [(Some(5), Some(true)), (Some(2), Some(true))]
    );
    let answer = answer(&repeated, "m\\a.mat");
    assert!(answer.rule.contains("it comes with the bundle x.embb"), "{}", answer.rule);
    assert_eq!(answer.copies[1].why, "a second member of the same path in the same container");
    // Paths that do not count, and one that is spelled in another way.
    let odd = [("", "1"), ("/m//b.mat", "bb"), ("m\\c.mat", "c")];
    let odd = stack(&[vec![manifest("x", &odd), container("x", &odd)]]);
    let notes = bundle(&odd, "x.bndl").notes.join("\n");
    assert!(notes.contains("1 member of the manifest cannot be asked for"), "{notes}");
    assert!(notes.contains("mirror each other: the same 2 members"), "{notes}");
    // What lies behind a fault is not said to be missing from the container.
    let mut bytes = container("x", &PAIR).1;
    bytes.truncate(bytes.len() - 3);
    let cut = stack(&[vec![manifest("x", &PAIR), ("x.embb".to_owned(), bytes)]]);
    let notes = bundle(&cut, "x.bndl").notes.join("\n");
    assert!(
        notes.contains("Of the container 1 of 2 members could be read") && !notes.contains("differ"),
        "{notes}"
    );
}

#[test]
fn every_container_spells_its_members_in_its_own_way() {
    let members = |path| [("M\\b.mat", "bb"), (path, "text")];
    let stack = stack(&[vec![
        container("x", &members("m\\A.mat")),
        container("y", &members("M\\a.MAT")),
        manifest("z", &members("m\\a.mat")),
    ]]);
    assert_eq!(stack.index().entry_count(), 5);
    let copies = answer(&stack, "m\\a.mat").copies;
    let paths: Vec<_> =
        copies.iter().map(|copy| (copy.container.as_deref().unwrap(), copy.path.as_str())).collect();
    assert_eq!(paths, [("x.embb", "m\\A.mat"), ("y.embb", "M\\a.MAT")]);
    let held = |path: &str| {
        let container = stack.index().copies(stack.find(path).unwrap())[0];
        stack.members_of(container).map(|copy| stack.path_of(copy)).collect::<Vec<_>>()
    };
    assert_eq!(held("y.embb"), ["M\\b.mat", "M\\a.MAT"]);
    let named: Vec<_> = bundle(&stack, "z.bndl").members.into_iter().map(|member| member.path).collect();
    assert_eq!(named, ["M\\b.mat", "m\\a.mat"]);
}

#[test]
fn files_of_one_archive_that_share_a_container_take_bounded_memory() {
    // Names of 8 MB in each: as many as may be kept, and then no more are read.
    let long = "x".repeat(1000);
    let paths: Vec<_> = (0..8_000).map(|at| format!("{at}{long}")).collect();
    let members: Vec<_> = paths.iter().map(|path| (path.as_str(), "1")).collect();
    let (_, bytes) = container("x", &members);
    let mut files = Files::new();
    for at in 0..60 {
        files.push((format!("{at:03}.embb"), bytes.clone()));
    }
    let stack = stack(&[files]);
    assert_eq!(stack.index().entry_count(), 8_060);
    assert_eq!(stack.bundle_faults().count(), 0);
}

#[test]
fn loose_containers_and_packed_ones_are_read_alike() {
    let root = tempfile::tempdir().unwrap();
    let long = "x".repeat(200_000);
    let members = [("m\\long.txt", long.as_str()), ("m\\short.txt", "short")];
    let (name, bytes) = container("big", &members);
    write(root.path(), &format!("loose/{name}"), &bytes);
    let mounts = write_layers(root.path(), &[vec![(name, bytes)]]);
    for mounts in [mounts, Mounts::of(root.path().join("loose"))] {
        let stack = mount(&mounts).unwrap().with_members(None, &Task::new()).unwrap();
        assert_eq!(copies(&stack, "m/SHORT.txt"), [(CopyKind::Member, 0, "short".to_owned())]);
        assert_eq!(copies(&stack, "m\\long.txt")[0].2, long);
    }
}

#[test]
fn links_lead_to_members() {
    let stack = stack(&[[pair("x"), pair("y"), vec![file("m\\a.mat", "loose")]].concat()]);
    let entry = stack.find("m\\a.mat").unwrap();
    for (at, copy) in stack.index().copies(entry).iter().enumerate() {
        assert_eq!(stack.follow(&stack.link(entry, *copy)), Some((entry, at)));
    }
}

#[test]
fn the_cache_gives_what_was_read_and_is_never_trusted() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("cache");
    let cache = BundleCache::new(folder.clone());
    let mounts = write_layers(root.path(), &[pair("x"), [pair("y"), pair("z")].concat()]);
    let base = mount(&mounts).unwrap();
    let listing = |cache: Option<&BundleCache>| {
        let stack = mount(&mounts).unwrap().with_members(cache, &Task::new()).unwrap();
        stack.index().entries().map(|entry| format!("{:?}", stack.resolve(entry))).collect::<Vec<_>>()
    };
    let fresh = listing(None);
    assert_eq!(fresh, listing(Some(&cache)));
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 2);
    assert_eq!(fresh, listing(Some(&cache)), "from the cache");
    for file in &files {
        let whole = std::fs::read(file).unwrap();
        for at in (0..whole.len()).step_by(7) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            std::fs::write(file, bytes).unwrap();
            base.with_members(Some(&cache), &Task::new()).unwrap();
            assert_eq!(std::fs::read(file).unwrap(), whole, "made anew");
        }
        std::fs::write(file, &whole[..whole.len() / 2]).unwrap();
    }
    assert_eq!(fresh, listing(Some(&cache)));
    // Another archive in the same place.
    write_layers(root.path(), &[vec![container("x", &[("other.mat", "1")])]]);
    let changed = mount(&mounts).unwrap().with_members(Some(&cache), &Task::new()).unwrap();
    assert!(changed.find("other.mat").is_some());
    assert_eq!(changed.resolve(changed.find("m\\a.mat").unwrap()).copies.len(), 2);
}

/// A generator of small numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % end).unwrap()
    }
}

/// A file or a container of a random layer: its path, and its members; a file is its own, without a path.
type Made = (String, Vec<(String, String)>);

/// The rules again, in their plainest form: for each path the texts of its copies in order, and whether
/// the first one is used.
fn model(layers: &[Vec<Made>]) -> BTreeMap<String, (Vec<String>, bool)> {
    let mut paths: BTreeMap<String, [Vec<String>; 3]> = BTreeMap::new();
    for (at, layer) in layers.iter().enumerate() {
        for (path, members) in layer {
            if path.starts_with('p') {
                paths.entry(path.clone()).or_default()[0].push(members[0].1.clone());
                continue;
            }
            let holds = |layer: &Vec<Made>| layer.iter().any(|(other, _)| other == path);
            let rank = if layers[..at].iter().any(holds) { 2 } else { 1 };
            for (member, text) in members {
                paths.entry(member.clone()).or_default()[rank].push(text.clone());
            }
        }
    }
    let order = |ranks: [Vec<String>; 3]| (ranks.concat(), !ranks[0].is_empty() || !ranks[1].is_empty());
    paths.into_iter().map(|(path, ranks)| (path, order(ranks))).collect()
}

#[test]
fn the_index_is_the_plain_rule_on_random_stacks() {
    let mut random = Random(7);
    for round in 0..60 {
        let mut number = 0;
        let mut text = || {
            number += 1;
            format!("text {number}")
        };
        let layers: Vec<Vec<Made>> = (0..=random.below(5))
            .map(|_| {
                let mut files = BTreeMap::new();
                for _ in 0..random.below(4) {
                    let path = format!("p{}\\f{}", random.below(2), random.below(4));
                    files.insert(path, vec![(String::new(), text())]);
                }
                for _ in 0..random.below(3) {
                    let mut members = BTreeMap::new();
                    for _ in 0..random.below(4) {
                        members.insert(format!("p{}\\f{}", random.below(2), random.below(4)), text());
                    }
                    files.insert(format!("c{}.embb", random.below(2)), members.into_iter().collect());
                }
                files.into_iter().collect()
            })
            .collect();
        let written: Vec<Files> = layers
            .iter()
            .map(|layer| {
                let bytes = |(path, members): &Made| match path.strip_suffix(".embb") {
                    Some(stem) => {
                        let members: Vec<_> =
                            members.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
                        container(stem, &members)
                    }
                    None => file(path, &members[0].1),
                };
                layer.iter().map(bytes).collect()
            })
            .collect();
        let stack = stack(&written);
        let expected = model(&layers);
        let own = |path: &str| path.starts_with('p');
        let found = stack.index().entries().map(|entry| stack.path(entry)).filter(|path| own(path));
        assert_eq!(found.collect::<Vec<_>>(), expected.keys().cloned().collect::<Vec<_>>(), "round {round}");
        for (path, (texts, is_used)) in expected {
            let answer = answer(&stack, &path);
            let read: Vec<_> = (0..answer.copies.len()).map(|at| self::text(&stack, &answer, at)).collect();
            assert_eq!((read, answer.winner.is_some()), (texts, is_used), "round {round}, {path}");
        }
    }
}
