//! What holds for every format, by its row in the table alone.

use bytes::Bytes;
use palimpsest_core::format::{Format, detect, inspect, load};
use palimpsest_core::formats::FORMATS;
use palimpsest_core::parse::{Role, Ty};
use palimpsest_core::task::Task;

/// A path that the format claims.
fn path_of(format: &Format) -> String {
    match (format.file_names.first(), format.extensions.first()) {
        (Some(name), _) => format!("folder\\{name}"),
        (None, Some(extension)) => format!("folder\\sample.{extension}"),
        (None, None) => "folder\\sample".to_owned(),
    }
}

fn samples() -> impl Iterator<Item = (&'static Format, String, Bytes)> {
    FORMATS.iter().map(|format| (*format, path_of(format), Bytes::from((format.sample)())))
}

#[test]
fn a_sample_is_claimed_by_its_own_row() {
    for (format, path, bytes) in samples() {
        assert_eq!(detect(&path, &bytes).unwrap().id, format.id);
        if !format.magics.is_empty() {
            assert_eq!(detect("no\\hint", &bytes).unwrap().id, format.id, "by magic");
        }
    }
}

#[test]
fn ids_and_magics_are_unique() {
    for (at, format) in FORMATS.iter().enumerate() {
        for other in &FORMATS[at + 1..] {
            assert_ne!(format.id, other.id);
            assert!(!format.magics.iter().any(|magic| other.magics.contains(magic)));
            assert!(!format.extensions.iter().any(|extension| other.extensions.contains(extension)));
        }
    }
}

#[test]
fn a_sample_breaks_no_rule() {
    for (format, path, bytes) in samples() {
        let inspection = inspect(&bytes, &path, &Task::new());
        assert!(inspection.asset.is_ok(), "{}: {:?}", format.id, inspection.asset);
        assert_eq!(inspection.warnings.lines().collect::<Vec<_>>(), [""; 0], "{}", format.id);
        assert!(!inspection.facts.is_empty(), "{} states no fact", format.id);
    }
}

#[test]
fn loading_and_inspecting_give_the_same_values() {
    for (format, path, bytes) in samples() {
        let asset = inspect(&bytes, &path, &Task::new()).asset.unwrap();
        let loaded = load(&bytes, &path, &Task::new()).unwrap();
        assert_eq!(loaded.kind(), format.kind, "{}", format.id);
        assert_eq!(Some(loaded), asset, "{}", format.id);
    }
}

#[test]
fn the_structure_names_every_byte_once() {
    for (format, path, bytes) in samples() {
        let tree = inspect(&bytes, &path, &Task::new()).tree;
        assert_eq!(tree.gaps(bytes.len() as u64), [], "{}", format.id);
        let mut covered = 0;
        let mut leaves: Vec<_> =
            tree.nodes().iter().filter(|node| !matches!(node.ty, Ty::Group | Ty::List { .. })).collect();
        leaves.sort_by_key(|node| node.start);
        for node in leaves.into_iter().filter(|node| node.len > 0) {
            assert!(!matches!(node.ty, Ty::Gap), "{}: {:#X} is unexplained", format.id, node.start);
            assert_eq!(node.start, covered, "{}: {} overlaps", format.id, node.name);
            covered = node.start + node.len;
        }
    }
}

#[test]
fn every_byte_leads_to_a_place_that_holds_it() {
    for (format, path, bytes) in samples() {
        let tree = inspect(&bytes, &path, &Task::new()).tree;
        for offset in 0..bytes.len() as u64 {
            let place = tree.locate(offset).unwrap_or_else(|| panic!("{}: {offset:#X}", format.id));
            assert!(tree.range(place).contains(&offset), "{}: {offset:#X}", format.id);
            assert_ne!(tree.role(place), Role::Structure, "{}: {}", format.id, tree.path(place));
        }
    }
}
