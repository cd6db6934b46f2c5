//! Archives of known bytes, the directory of a shipped archive, and every broken rule.

use bytes::Bytes;

use super::*;
use crate::format::{Inspection, inspect};
use crate::parse::Place;
use crate::task::Task;

fn opened(bytes: &[u8]) -> Inspection {
    inspect(&Bytes::copy_from_slice(bytes), "a.arch06", &Task::new())
}

fn warnings(bytes: &[u8]) -> Vec<String> {
    let inspection = opened(bytes);
    assert!(inspection.asset.is_ok(), "{:?}", inspection.asset);
    inspection.warnings.lines().collect()
}

fn paths(bytes: &[u8]) -> Vec<String> {
    match opened(bytes).asset {
        Ok(Some(Asset::Archive(archive))) => archive.entries.into_iter().map(|entry| entry.path).collect(),
        other => panic!("{other:?}"),
    }
}

fn directory(bytes: &[u8]) -> Directory {
    let data = Bytes::copy_from_slice(bytes);
    let task = Task::new();
    Directory::read(&mut Reader::new(&data, "a.arch06", &task)).unwrap()
}

#[test]
fn the_empty_archive_has_65_bytes() {
    let bytes = Builder::new().finish();
    assert_eq!(bytes.len(), 65);
    assert_eq!(paths(&bytes), [""; 0]);
    assert_eq!(warnings(&bytes), [""; 0]);
}

#[test]
fn the_archive_of_one_file_has_147_bytes() {
    let mut builder = Builder::new();
    builder.add("dlc\\blade.txt", b"Unlocked");
    let bytes = builder.finish();
    assert_eq!(bytes.len(), 147);
    assert_eq!(paths(&bytes), ["dlc\\blade.txt"]);
    assert_eq!(&bytes[147 - 16..], b"\x08\0\0\0\x08\0\0\0Unlocked");
}

/// `Patch_13_LC.arch06` as it ships: path, name offset, data offset, stored bytes, size, in record
/// order.
const PATCH_13_LC: [(&str, u32, u64, u64, u64); 12] = [
    ("archivepatchloosefiles.txt", 1, 1448, 1252, 3749),
    ("interface\\bundles\\ingame_tex.bndl", 112, 2700, 4680, 25032),
    ("interface\\bundles\\credits\\credits_1.cred", 28, 7380, 5304, 28404),
    ("interface\\bundles\\credits\\credits_2.cred", 97, 12684, 38876, 246538),
    ("worlds\\retail\\island\\sectionsandlayers\\fortassault\\fagameplay.bndl", 128, 51560, 3880, 15412),
    (
        "worlds\\retail\\island\\sectionsandlayers\\fortassault\\fagameplay.scripts",
        276,
        55440,
        140260,
        819379,
    ),
    ("worlds\\retail\\mtnpass\\sectionsandlayers\\fortassault\\fagameplay.bndl", 128, 195700, 3860, 15168),
    (
        "worlds\\retail\\mtnpass\\sectionsandlayers\\fortassault\\fagameplay.scripts",
        276,
        199560,
        128056,
        759671,
    ),
    (
        "worlds\\retail\\snowmtn\\sectionsandlayers\\fortassault\\fortassault_00.bndl",
        409,
        327616,
        3896,
        15412,
    ),
    (
        "worlds\\retail\\snowmtn\\sectionsandlayers\\fortassault\\fortassault_00.scripts",
        543,
        331512,
        128268,
        761498,
    ),
    ("worlds\\retail\\volcano\\sectionsandlayers\\fortassault\\fagameplay.bndl", 128, 459780, 4188, 16784),
    (
        "worlds\\retail\\volcano\\sectionsandlayers\\fortassault\\fagameplay.scripts",
        276,
        463968,
        128188,
        760979,
    ),
];

/// Its folders: name offset, first child, next sibling, files.
const PATCH_13_LC_FOLDERS: [(u32, u32, u32, u32); 18] = [
    (0, 1, NONE, 1),
    (43, 2, 4, 0),
    (53, 3, NONE, 1),
    (71, NONE, NONE, 2),
    (144, 5, NONE, 0),
    (151, 6, NONE, 0),
    (165, 7, 9, 0),
    (186, 8, NONE, 0),
    (225, NONE, NONE, 2),
    (295, 10, 12, 0),
    (317, 11, NONE, 0),
    (357, NONE, NONE, 2),
    (429, 13, 15, 0),
    (451, 14, NONE, 0),
    (491, NONE, NONE, 2),
    (566, 16, NONE, 0),
    (588, 17, NONE, 0),
    (628, NONE, NONE, 2),
];

#[test]
fn a_shipped_directory_is_written_and_read_record_for_record() {
    let mut builder = Builder::new();
    for (path, _, _, stored, size) in PATCH_13_LC {
        builder.add_packed(path, Packing::Chunks, vec![0x58; usize::try_from(stored).unwrap()], size);
    }
    let bytes = builder.finish();
    assert_eq!(bytes.len(), 592_156);
    assert_eq!(bytes[8..0x20], [680, 18, 12, 1, 0, 0u32].map(u32::to_le_bytes).concat());
    let directory = directory(&bytes);
    for (file, (path, name, offset, stored, size)) in (0..).zip(PATCH_13_LC) {
        let record = directory.file(file).unwrap();
        let expected = FileRecord {
            name: Offset(name),
            offset: Offset(offset),
            stored,
            size,
            reader: READER_CHUNKS,
            level: LEVEL,
        };
        assert_eq!(record, expected, "{path}");
    }
    for (folder, (name, first_child, next_sibling, file_count)) in (0..).zip(PATCH_13_LC_FOLDERS) {
        let expected = FolderRecord { name: Offset(name), first_child, next_sibling, file_count };
        assert_eq!(directory.folder_record(folder).unwrap(), expected, "folder {folder}");
    }
    assert_eq!(paths(&bytes), PATCH_13_LC.map(|(path, ..)| path));
    assert_eq!(warnings(&bytes), [""; 0]);
}

#[test]
fn folders_stand_in_the_order_of_their_paths_with_a_separator() {
    let mut builder = Builder::new();
    for path in ["bundles\\dlc\\a", "bundles\\dlc4\\a", "bundles\\dlc_x\\a", "bundles\\dlca\\a"] {
        builder.add(path, b"");
    }
    let bytes = builder.finish();
    let directory = directory(&bytes);
    let folders: Vec<_> = directory.folders().map(|folder| path::to_text(folder.path)).collect();
    assert_eq!(folders, ["", "bundles", "bundles\\dlc4", "bundles\\dlc", "bundles\\dlc_x", "bundles\\dlca"]);
    assert_eq!(warnings(&bytes), [""; 0]);
}

#[test]
fn a_path_added_twice_is_kept_once() {
    let mut builder = Builder::new();
    builder.add("A\\b.txt", b"first").add("a\\B.TXT", b"second");
    let bytes = builder.finish();
    assert_eq!(paths(&bytes), ["a\\B.TXT"]);
    assert!(bytes.ends_with(b"secondXX"));
}

#[test]
fn other_archives_are_refused_by_name() {
    let refusal = |patch: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = Builder::new().finish();
        patch(&mut bytes);
        opened(&bytes).asset.unwrap_err().to_string()
    };
    let text = refusal(&|bytes| bytes[0] = b'X');
    assert_eq!(text, "header.magic at 0x0: found \"XTAR\", expected LTAR or RATL");
    assert!(refusal(&|bytes| bytes[4] = 3).contains("Shadow of Mordor"));
    assert!(refusal(&|bytes| bytes[4] = 9).contains("version 9"));
    assert!(refusal(&|bytes| bytes[..4].copy_from_slice(b"RATL")).contains("big-endian"));
    for count in [8, 0xC, 0x10] {
        let text = refusal(&|bytes| bytes[count..count + 4].fill(0xFF));
        assert!(text.contains("needs"), "{text}");
    }
}

/// Offsets in the sample: its first file record, its first folder record.
fn tables() -> (Vec<u8>, usize, usize) {
    let bytes = sample();
    let names = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    let files = NAMES_START + names;
    (bytes, files, files + 4 * 30)
}

#[test]
fn every_broken_rule_is_a_warning_on_its_record() {
    let (_, files, folders) = tables();
    let file = |file: usize, at: usize| files + file * 30 + at;
    let folder = |folder: usize, at: usize| folders + folder * 16 + at;
    // Where a word is overwritten, with what, and the field that is blamed for it.
    let cases: &[(usize, &[u8], &str, &str)] = &[
        (0x14, &[0], "header.is_retail", "0, expected 1"),
        (0x20, &[1], "header.guid", "zero in every shipped archive"),
        (file(1, 0), &[0xFF, 0xFF], "files[1].name", "outside the name pool"),
        (file(1, 4), &[0xFF; 8], "files[1].offset", "past the end of the archive"),
        (file(1, 12), &[0xFF; 8], "files[1].offset", "past the end of the archive"),
        (file(1, 28), &[0], "files[1].reader", "reader 0 and level 9"),
        (folder(1, 0), &[0xFF, 0xFF], "folders[1].name", "outside the name pool"),
        (folder(1, 0), &[0], "folders[1].name", "the same path as the folder before"),
        (folder(0, 0), &[1], "folders[0].name", "the root folder has a name"),
        (folder(0, 12), &[0], "folders[4].file_count", "all folders claim 3 files, there are 4"),
        (folder(0, 12), &[2], "folders[4].file_count", "claims files up to 5, there are 4"),
        (folder(0, 4), &[9], "folders[0].first_child", "9, there are 5 folders"),
        (folder(0, 4), &[0xFF; 4], "folders[1].name", "no link leads to this folder"),
        (folder(1, 8), &[1], "folders[1].next_sibling", "folder 1 has been linked already"),
        (folder(1, 4), &[3, 0, 0, 0], "folders[3].name", "whose path it does not extend"),
        (folder(4, 16), &[1], "gap", "0 zero bytes, expected 6 per file"),
    ];
    for (at, patch, field, text) in cases {
        let mut bytes = sample();
        bytes[*at..at + patch.len()].copy_from_slice(patch);
        let warnings = warnings(&bytes);
        let found =
            warnings.iter().any(|line| line.starts_with(&format!("{field} at")) && line.contains(text));
        assert!(found, "{at:#X} {field}: {text}: {warnings:#?}");
    }
}

#[test]
fn plain_bytes_are_as_long_as_they_are_stored() {
    let archive = |size| {
        let mut builder = Builder::new();
        builder.add_packed("a", Packing::Plain, b"plain".to_vec(), size);
        warnings(&builder.finish())
    };
    assert!(archive(5)[0].contains("reader 1 and level 0, expected 1 and 9"));
    assert!(archive(6)[0].contains("6, yet the 5 stored bytes are plain"));
}

#[test]
fn names_out_of_order_twice_or_with_separators_are_warnings() {
    let archive = |first: &str, second: &str| {
        let mut builder = Builder::new();
        builder.add("m0", b"").add("m1", b"");
        let mut bytes = builder.finish();
        bytes[NAMES_START + 1..NAMES_START + 3].copy_from_slice(first.as_bytes());
        bytes[NAMES_START + 4..NAMES_START + 6].copy_from_slice(second.as_bytes());
        warnings(&bytes)
    };
    assert_eq!(archive("m0", "M1"), [""; 0]);
    assert!(archive("m1", "m0")[0].contains("files[1].name at"));
    assert!(archive("m1", "m0")[0].contains("out of order"));
    assert!(archive("m1", "M1")[0].contains("the same name as the file before"));
    assert!(archive("m\\", "n0")[0].contains("a separator in it"));
}

#[test]
fn files_that_no_folder_claims_are_listed_in_the_root() {
    let (mut bytes, _, folders) = tables();
    for folder in 0..5 {
        bytes[folders + folder * 16 + 12] = 0;
    }
    assert_eq!(paths(&bytes), ["readme.txt", "blade.txt", "blade.txt", "SWORD_D.tex"]);
}

#[test]
fn an_archive_without_the_gap_is_read() {
    let mut builder = Builder::new();
    builder.add("a", b"data");
    let mut bytes = builder.finish();
    let data = bytes.len() - 12;
    bytes.drain(data - 6..data);
    let record = NAMES_START + 3 + 4;
    bytes[record..record + 8].copy_from_slice(&((data - 6) as u64).to_le_bytes());
    assert_eq!(paths(&bytes), ["a"]);
    assert_eq!(warnings(&bytes).len(), 1);
}

#[test]
fn the_structure_panel_names_records_and_payloads() {
    let bytes = sample();
    let inspection = opened(&bytes);
    let tree = &inspection.tree;
    let record = tree.locate(tables().1 as u64 + 30).unwrap();
    assert_eq!(tree.path(record), "files[1].name");
    let meaning = |field| tree.meaning(Place { field: Some(field), ..record }, &bytes);
    assert_eq!([meaning(3), meaning(4)].map(Option::unwrap_or_default), ["", "chunk chain"]);
    let record = Place { field: None, ..record };
    assert_eq!(tree.value(record, &bytes), "blade.txt");
    let payload = tree.locate(bytes.len() as u64 - 1).unwrap();
    assert_eq!((tree.path(payload).as_str(), tree.note(payload)), ("data[2]", Some("SWORD_D.tex")));
}

/// An archive whose files have names that start in one long text, a byte apart.
fn overlapping(name: &[u8], count: u32) -> Vec<u8> {
    let mut builder = Builder::new();
    builder.add_packed("a", Packing::Chunks, Vec::new(), 0);
    let mut bytes = builder.finish();
    let (names, rest) = (NAMES_START + 1..NAMES_START + 2, bytes.split_off(NAMES_START + 3));
    bytes.splice(names.clone(), name.iter().copied());
    let (record, folder) = rest.split_at(FileRecord::LAYOUT.size);
    for file in 0..count {
        bytes.extend((1 + file).to_le_bytes());
        bytes.extend(&record[4..]);
    }
    bytes.extend(&folder[..FolderRecord::LAYOUT.size]);
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&count.to_le_bytes());
    bytes.resize(end + 6 * count as usize, 0);
    bytes[8..12].copy_from_slice(&u32::try_from(name.len() + 2).unwrap().to_le_bytes());
    bytes[0x10..0x14].copy_from_slice(&count.to_le_bytes());
    bytes
}

#[test]
fn a_name_that_is_too_long_is_a_warning_and_has_a_stand_in() {
    let bytes = overlapping(&vec![b'x'; path::LONGEST + 2], 3);
    let paths = paths(&bytes);
    assert_eq!(paths[..2], ["unnamed_000000", "unnamed_000001"]);
    assert_eq!(paths[2], "x".repeat(path::LONGEST));
    let warnings = warnings(&bytes);
    let text = "files[1].name at 0x452: a name of more than 1024 bytes, which does not count";
    assert!(warnings.iter().any(|warning| warning == text), "{warnings:#?}");
}

#[test]
fn names_that_share_one_long_text_fill_no_memory() {
    let bytes = overlapping(&vec![b'x'; 1_000_000], 20_000);
    let listed: usize = paths(&bytes).iter().map(String::len).sum();
    assert!(listed < bytes.len(), "{listed}");
}

#[test]
fn a_listing_ends_before_it_fills_the_memory() {
    let bytes = overlapping(&vec![b'x'; 1000], 1000);
    assert_eq!(paths(&bytes).len(), 1000);
    let name = [vec![b'x'; path::LONGEST], vec![0; 1]].concat().repeat(160);
    let bytes = overlapping(&name, 160_000);
    let listed = paths(&bytes);
    assert!(listed.len() > 120_000 && listed.len() < 160_000, "{}", listed.len());
    let inspection = opened(&bytes);
    assert!(inspection.warnings.count() > 0);
}

#[test]
fn folders_that_nest_too_deep_are_refused() {
    let deep = "a\\".repeat(path::LONGEST / 2 - 1);
    let mut builder = Builder::new();
    for folder in 0..1_000u32 {
        // Only the outermost folders differ: the writer would need as much memory as a reader.
        builder.add_packed(&format!("{folder:05}\\a"), Packing::Chunks, Vec::new(), 0);
    }
    let mut bytes = builder.finish();
    let names_size = u32::from_le_bytes(bytes[8..12].try_into().unwrap());
    let names_end = NAMES_START + names_size as usize;
    bytes.splice(names_end..names_end, [deep.as_bytes(), b"a\0"].concat());
    bytes[8..12].copy_from_slice(&(names_size + u32::try_from(deep.len()).unwrap() + 2).to_le_bytes());
    let folders = names_end + deep.len() + 2 + 1_000 * FileRecord::LAYOUT.size;
    for folder in 1..=1_000 {
        let at = folders + folder * FolderRecord::LAYOUT.size;
        bytes[at..at + 4].copy_from_slice(&names_size.to_le_bytes());
    }
    let error = opened(&bytes).asset.unwrap_err();
    assert!(error.to_string().ends_with("over a limit: paths of folders of more than 256 MB"), "{error}");
    assert!(error.field_path().starts_with("folders["), "{error}");
}
