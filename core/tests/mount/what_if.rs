//! Other orders of the same layers, and what they change.

use std::collections::BTreeMap;
use std::path::Path;

use palimpsest_core::formats::embb;
use palimpsest_core::formats::ltar::Builder;
use palimpsest_core::mount::{ChangeKind, EntryId, GoneFolder, Mounts, Stack};
use palimpsest_core::task::Task;

use crate::{archive, demo, layer_names, mount, mounted, write};

/// The winning copy of each path: its layer's name and its text or size.
fn winners(stack: &Stack) -> BTreeMap<String, (String, u32)> {
    let winner = |entry| {
        let copy = stack.index().copies(entry)[0];
        (stack.path(entry).to_lowercase(), (stack.layer(copy).unwrap().name.clone(), copy.file))
    };
    stack.index().entries().map(winner).collect()
}

/// What becomes of each path, worked out path by path.
fn expected(before: &Stack, after: &Stack) -> Vec<(String, ChangeKind)> {
    let (before, after) = (winners(before), winners(after));
    let gone = before.keys().filter(|path| !after.contains_key(*path));
    let mut all: Vec<_> = gone.map(|path| (path.clone(), ChangeKind::Removed)).collect();
    for (path, own) in &after {
        match before.get(path) {
            None => all.push((path.clone(), ChangeKind::Added)),
            Some(old) if old != own => all.push((path.clone(), ChangeKind::Changed)),
            Some(_) => {}
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

fn found(before: &Stack, after: &Stack) -> Vec<(String, ChangeKind)> {
    let changes = before.changes(after, &Task::new()).unwrap();
    let path = |change: &palimpsest_core::mount::Change| match (change.before, change.after) {
        (_, Some(entry)) => after.path(entry),
        (Some(entry), None) => before.path(entry),
        (None, None) => panic!("nothing changes"),
    };
    let mut all: Vec<_> =
        changes.changes.iter().map(|change| (path(change).to_lowercase(), change.kind())).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

/// Asserts that what is gone would stand where the changes say.
fn places_are_right(before: &Stack, after: &Stack) {
    let changes = before.changes(after, &Task::new()).unwrap();
    let present: Vec<_> = changes.changes.iter().filter_map(|change| change.after).collect();
    assert!(present.is_sorted());
    let gone: Vec<_> = changes.changes.iter().filter(|change| change.after.is_none()).collect();
    assert!(gone.is_sorted_by_key(|change| change.before));
    let (old, new) = (before.index(), after.index());
    let leaf = |at: u32| after.leaf(EntryId(at)).to_lowercase();
    for change in gone {
        let entry = change.before.unwrap();
        let around = old.folder_path(old.folder_of(entry));
        let Some(folder) = new.find_folder(around) else {
            let is_inside = |gone: &GoneFolder| old.entries_below(gone.folder).contains(&entry.0);
            assert_eq!(changes.gone_folders.iter().filter(|gone| is_inside(gone)).count(), 1);
            continue;
        };
        let (entries, at, own) = (new.entries_in(folder), change.place.0, before.leaf(entry).to_lowercase());
        assert!(at == entries.start || leaf(at - 1) < own, "{own}");
        assert!(at == entries.end || own < leaf(at), "{own}");
    }
    assert!(changes.gone_folders.is_sorted_by_key(|gone| (gone.parent, gone.folder)));
    for gone in &changes.gone_folders {
        let [path, parent] = [gone.folder, gone.parent].map(|folder| old.folder_path(folder));
        assert_eq!(new.find_folder(path), None);
        let beside: Vec<_> = new.subfolders(new.find_folder(parent).unwrap()).collect();
        let next = beside
            .iter()
            .copied()
            .find(|own| path.to_ascii_lowercase() < new.folder_path(*own).to_ascii_lowercase());
        assert_eq!(gone.next, next);
    }
}

#[test]
fn an_arrangement_is_the_stack_that_is_mounted_so() {
    let root = tempfile::tempdir().unwrap();
    for (name, files) in [
        ("a", &[("x\\1.txt", "a"), ("x\\2.txt", "a"), ("y\\1.txt", "a")][..]),
        ("b", &[("X\\1.txt", "b"), ("z.txt", "b")]),
        ("c", &[("x\\2.txt", "c"), ("z.txt", "c"), ("w\\w\\w.txt", "c")]),
    ] {
        write(root.path(), &format!("{name}.arch06"), archive(files));
    }
    let stack_of = |names: &[&str]| {
        // The later is searched before the earlier.
        let paths = names.iter().rev().map(|name| root.path().join(format!("{name}.arch06"))).collect();
        mount(&Mounts { paths, ..Mounts::default() }).unwrap()
    };
    let real = stack_of(&["a", "b", "c"]);
    for order in [&[0, 1, 2][..], &[2, 1, 0], &[1, 2], &[2], &[], &[1, 0, 2]] {
        let names: Vec<_> = order.iter().map(|at| ["a", "b", "c"][*at]).collect();
        let (own, same) = (real.arranged(order, &Task::new()).unwrap(), stack_of(&names));
        assert_eq!(layer_names(&own), layer_names(&same));
        assert_eq!(winners(&own), winners(&same), "{order:?}");
        assert_eq!(found(&real, &own), expected(&real, &own), "{order:?}");
        places_are_right(&real, &own);
    }
    assert!(real.arranged(&[0, 0], &Task::new()).is_err() && real.arranged(&[3], &Task::new()).is_err());
    assert_eq!(found(&real, &real.arranged(&[0, 1, 2], &Task::new()).unwrap()), []);
}

#[test]
fn the_demo_as_of_each_layer_and_in_odd_orders() {
    let real = demo::stack().with_members(None, &Task::new()).unwrap();
    let count = real.layers().len();
    let mut orders: Vec<Vec<usize>> = (0..=count).map(|from| (from..count).collect()).collect();
    orders.push((0..count).rev().collect());
    orders.push((0..count).filter(|at| at % 3 != 1).collect());
    for order in orders {
        let own = real.arranged(&order, &Task::new()).unwrap();
        assert_eq!(found(&real, &own), expected(&real, &own), "{order:?}");
        places_are_right(&real, &own);
    }
}

#[test]
fn what_is_put_on_top_wins_with_its_bundles() {
    let root = tempfile::tempdir().unwrap();
    let base = demo::stack().with_members(None, &Task::new()).unwrap();
    write(root.path(), "mod/readme.txt", "mine");
    let mut builder = Builder::new();
    builder.add("own.embb", &embb::write(&[("own\\member.mat", b"1")]));
    write(root.path(), "own.arch06", builder.finish());
    let paths = vec![root.path().join("mod"), root.path().join("own.arch06")];
    let own = base.with_on_top(&Mounts { paths, ..Mounts::default() }, &Task::new()).unwrap();
    assert_eq!(layer_names(&own)[..2], ["own.arch06", "mod"]);
    let changes = found(&base, &own);
    let expected = [
        ("own.embb", ChangeKind::Added),
        ("own\\member.mat", ChangeKind::Added),
        ("readme.txt", ChangeKind::Changed),
    ];
    assert_eq!(changes, expected.map(|(path, kind)| (path.to_owned(), kind)));
    assert!(base.with_on_top(&Mounts::of(Path::new("no such")), &Task::new()).is_err());
    // Without bundles nothing is read of those on top either.
    let plain = mounted(demo::folder());
    let own = plain.with_on_top(&Mounts::of(root.path().join("own.arch06")), &Task::new()).unwrap();
    assert!(own.find("own.embb").is_some() && own.find("own\\member.mat").is_none());
}
