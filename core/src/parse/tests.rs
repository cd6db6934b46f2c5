//! The reader and the tree together.

use bytes::Bytes;

use super::*;
use crate::error::{ErrorKind, Result};
use crate::task::Task;

crate::record! {
    /// A pair.
    struct Pair {
        /// The first.
        first: u16,
        /// The second.
        second: u16,
    }
}

fn read<T>(bytes: &[u8], parse: impl FnOnce(&mut Reader<'_>) -> Result<T>) -> (Result<T>, Tree) {
    let (data, task) = (Bytes::copy_from_slice(bytes), Task::new());
    let mut reader = Reader::recording(&data, "test", &task);
    let result = parse(&mut reader);
    (result, reader.finish().0)
}

#[test]
fn the_tree_holds_what_was_read_and_names_the_rest() {
    let (result, tree) = read(&[1, 0, 2, 0, 3, 0, 4, 0, 9, 9], |r| {
        r.group("header", |r| r.u16("version"))?;
        r.group("body", |r| r.table::<Pair>("pairs", 1, None).map(|table| table.get(0)))
    });
    assert_eq!(result.unwrap(), Some(Pair { first: 2, second: 3 }));
    let names: Vec<_> = tree.roots().map(|at| tree.name(Place::node(at))).collect();
    assert_eq!(names, ["header", "body", "unexplained"]);
    assert_eq!(tree.gaps(10), []);
    let place = tree.locate(5).unwrap();
    assert_eq!(tree.path(place), "body.pairs[0].second");
    assert_eq!(tree.range(place), 4..6);
    assert_eq!(tree.value(place, &[1, 0, 2, 0, 3, 0, 4, 0, 9, 9]), "3");
    assert_eq!(tree.role(tree.locate(9).unwrap()), Role::Gap);
}

#[test]
fn errors_name_the_field_and_its_offset() {
    let (result, _) = read(&[1, 0, 2], |r| r.list("items", 2, 1, |r, at| r.group(at, |r| r.u16("size"))));
    assert_eq!(result.unwrap_err().to_string(), "items[1].size at 0x2: needs 2 bytes, 1 are left");
    let (result, _) = read(b"nope", |r| r.magic("magic", &[b"LTAR", b"RATL"]));
    assert_eq!(result.unwrap_err().to_string(), "magic at 0x0: found \"nope\", expected LTAR or RATL");
}

#[test]
fn a_count_that_cannot_fit_is_refused_before_anything_is_read() {
    let (result, _) = read(&[0; 8], |r| r.list("items", u64::MAX, 4, |r, _| r.u32("item")));
    assert!(matches!(result.unwrap_err().kind(), ErrorKind::Eof { left: 8, .. }));
    let (result, _) = read(&[0; 8], |r| r.table::<Pair>("pairs", u64::MAX, None).map(|_| ()));
    assert!(matches!(result.unwrap_err().kind(), ErrorKind::Eof { left: 8, .. }));
}

#[test]
fn a_long_list_is_recorded_in_part_and_read_whole() {
    let bytes = vec![7; 5000];
    let (result, tree) = read(&bytes, |r| r.list("items", 5000, 1, |r, _| r.u8("item")));
    assert_eq!(result.unwrap().len(), 5000);
    assert_eq!(tree.nodes().len(), 1002);
    assert_eq!(tree.gaps(5000), []);
    assert_eq!(tree.type_name(tree.locate(4999).unwrap()), "4000 more");
}

#[test]
fn a_jump_comes_back_and_stays_inside() {
    let (result, _) = read(&[1, 2, 3], |r| {
        r.u8("place")?;
        let far = r.at(2, |r| r.u8("far"))?;
        Ok((far, r.u8("near")?, r.seek(4).unwrap_err().to_string()))
    });
    let error = "near at 0x1: points to 0x4, past the end at 0x3".to_owned();
    assert_eq!(result.unwrap(), (3, 2, error));
}

#[test]
fn nesting_has_a_limit() {
    fn dig(r: &mut Reader<'_>) -> Result<()> {
        r.group("deeper", dig)
    }
    let (result, _) = read(&[], dig);
    assert!(matches!(result.unwrap_err().kind(), ErrorKind::Limit(_)));
}

#[test]
fn an_unfinished_text_is_an_error() {
    let (result, _) = read(b"ab", |r| r.cstr("name").map(<[u8]>::to_vec));
    assert!(matches!(result.unwrap_err().kind(), ErrorKind::Malformed(_)));
    assert_eq!(read(b"ab\0c", |r| r.cstr("name").map(<[u8]>::to_vec)).0.unwrap(), b"ab");
}

#[test]
fn a_tree_stops_where_the_parser_did() {
    let (result, tree) = read(&[1, 2, 3], |r| {
        r.group("head", |r| {
            r.u8("kind")?;
            r.u32("size")
        })
    });
    assert!(result.is_err());
    let paths: Vec<_> = (0..3).map(|at| tree.path(Place::node(at))).collect();
    assert_eq!(paths, ["head", "head.kind", "unexplained"]);
}

#[test]
fn a_text_is_one_line_without_its_line_breaks() {
    let value = |bytes: &[u8]| {
        let (_, tree) = read(bytes, |r| r.text("text", r.left()).map(|_| ()));
        tree.value(Place::node(0), bytes)
    };
    assert_eq!(value(b"[keys]\r\n\ta\\b=\x1B1\0"), "[keys]\\r\\n\\ta\\b=\\u{1b}1");
    assert_eq!(value(&[b'\n'; 201]), "\\n".repeat(200) + "…");
}
