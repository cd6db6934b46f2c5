use bytes::Bytes;

use super::*;
use crate::format::{Inspection, inspect};
use crate::parse::Place;
use crate::task::Task;

fn inspected(bytes: &[u8]) -> Inspection {
    inspect(&Bytes::copy_from_slice(bytes), "database\\string\\en\\a.strdb", &Task::new())
}

fn table(inspection: &Inspection) -> &StringTable {
    match &inspection.asset {
        Ok(Some(Asset::Strings(table))) => table,
        other => panic!("{other:?}"),
    }
}

fn told(inspection: &Inspection) -> Vec<String> {
    inspection.warnings.lines().collect()
}

/// A table of rows and units, whatever is in them.
fn file(rows: &[(u32, u32)], units: &[u16]) -> Vec<u8> {
    let rows = rows.iter().map(|(key, start)| StringRow { key: *key, start: *start }).collect();
    let units: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    write(&StringTable::new(rows, units.into(), [0, 0])).unwrap()
}

#[test]
fn what_is_written_is_read_and_every_byte_is_named() {
    let bytes = sample();
    let inspection = inspected(&bytes);
    let table = table(&inspection);
    assert_eq!(told(&inspection), [""; 0]);
    assert_eq!(write(table).unwrap(), bytes);
    assert_eq!([table.row_offset, table.unit_offset], [28, 28 + 5 * 8]);
    let keys: Vec<_> = table.rows.iter().map(|row| row.key).collect();
    assert_eq!(keys, [1, 2, 7, 9, 0xDCDB_4713]);
    let texts: Vec<_> = (0..5).map(|row| table.text(row).unwrap().to_string()).collect();
    assert_eq!(texts, ["Urfael", "", "Азкар", "アズカル 🗡", "Urfael"]);
    let tree = &inspection.tree;
    assert_eq!(tree.gaps(bytes.len() as u64), []);
    let place = tree.locate(table.row_offset + 4 * 8).unwrap();
    assert_eq!(tree.path(place), "rows[4].key");
    assert_eq!(tree.value(Place { field: None, ..place }, &bytes), "Urfael");
    let place = tree.locate(table.text_range(3).unwrap().start).unwrap();
    assert_eq!(
        (tree.path(place), tree.value(place, &bytes)),
        ("text[3]".to_owned(), "アズカル 🗡".to_owned())
    );
}

#[test]
fn tables_of_no_and_of_one_key_are_read() {
    let none = inspected(&file(&[], &[]));
    assert!(table(&none).is_empty() && told(&none).is_empty());
    let one = inspected(&file(&[(5, 0)], &[0]));
    assert_eq!(table(&one).text(0).unwrap().to_string(), "");
    assert_eq!(told(&one), [""; 0]);
}

#[test]
fn what_is_wrong_is_told_at_its_field_and_nothing_is_lost() {
    let mut bytes = file(&[(4, 0), (4, 1), (2, 3), (7, 5), (9, 700)], &[0x41, 0x42, 0, 0xD83D, 0, 0x43]);
    bytes.push(1);
    let inspection = inspected(&bytes);
    assert_eq!(
        told(&inspection),
        [
            "trailing at 0x50: a byte more than whole units",
            "rows[1].offset at 0x28: begins inside another text",
            "rows[1].key at 0x24: the key is that of the row before",
            "rows[2].key at 0x2C: the key is smaller than the one before",
            "rows[3].offset at 0x38: no NUL ends the text",
            "rows[4].offset at 0x40: begins past the end of the texts",
            "text[1] at 0x4A: half of a surrogate pair alone",
        ]
    );
    let table = table(&inspection);
    assert_eq!(table.len(), 5);
    assert_eq!(table.text(3).unwrap().to_string(), "C");
    assert_eq!(inspection.tree.gaps(bytes.len() as u64), []);
}

#[test]
fn a_table_that_is_cut_has_the_rows_that_are_left() {
    let whole = sample();
    let cut = inspected(&whole[..28 + 8 * 3 + 2]);
    assert_eq!(table(&cut).len(), 3);
    assert!(table(&cut).text(0).is_none_or(|text| !text.has_end));
    let told = told(&cut);
    assert!(told[0].starts_with("header.unknown_18 at 0x18: 5 rows are stated before 0x1C"), "{told:?}");
    assert!(told.iter().any(|line| line.starts_with("header.text_units at 0x14:")), "{told:?}");
}

#[test]
fn another_version_and_a_header_too_small_are_refused() {
    let with = |at: usize, value: u8| {
        let mut bytes = sample();
        bytes[at] = value;
        inspected(&bytes).asset.unwrap_err().to_string()
    };
    assert_eq!(with(4, 8), "header.version at 0x4: not supported: version 8, expected 9");
    assert_eq!(with(8, 27), "header.header_size at 0x8: 27 bytes, expected 28");
}
