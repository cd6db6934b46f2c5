//! Tables of texts of the demo: in all languages, in all layers, and searched all at once.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail loudly")]

use std::sync::Mutex;

use palimpsest_core::hash::{NameBook, string_hash};
use palimpsest_core::mount::{CopyRef, Mounts, Stack};
use palimpsest_core::scene::{Beside, SheetOf, TextCache};
use palimpsest_core::strings::{Mark, Sheet, StringQuery};
use palimpsest_core::task::Task;

const ENGLISH: &str = "database\\string\\english\\game.strdb";

fn demo() -> (tempfile::TempDir, Stack) {
    let folder = tempfile::tempdir().unwrap();
    palimpsest_core::demo::write(folder.path(), &Task::new()).unwrap();
    let stack = Stack::mount(&Mounts::of(folder.path().to_path_buf()), &Task::new()).unwrap();
    (folder, stack)
}

fn copies<'a>(stack: &'a Stack, path: &str) -> &'a [CopyRef] {
    stack.index().copies(stack.find(path).unwrap())
}

fn titles(sheet: &Sheet) -> Vec<&str> {
    sheet.columns.iter().map(|column| &*column.title).collect()
}

/// The row of a key.
fn row(sheet: &Sheet, name: &str) -> usize {
    sheet.find(string_hash(name.as_bytes())).unwrap()
}

#[test]
fn a_table_stands_beside_those_of_other_languages() {
    let (_folder, stack) = demo();
    let SheetOf { sheet, unread } =
        stack.sheet(copies(&stack, ENGLISH)[0], Beside::Languages, &Task::new()).unwrap();
    assert_eq!(unread, [""; 0]);
    assert_eq!(titles(&sheet), ["english", "arabic", "german", "japanese"]);
    let quest = row(&sheet, "Quest_Keep_03");
    let marks: Vec<_> = (0..4).map(|column| sheet.mark(quest, column)).collect();
    assert_eq!(marks, [Mark::Plain, Mark::Missing, Mark::Changed, Mark::Missing]);
    assert_eq!(sheet.mark(row(&sheet, "Stat_Gold"), 2), Mark::Same);
    let sword = row(&sheet, "Item_1Sword_01_N");
    let text = |column| sheet.text(sword, column).unwrap().to_string();
    assert_eq!([text(0), text(1), text(3)], ["Emberfang the Elder", "ناب الجمر", "残り火の牙"]);
    assert!(sheet.columns.iter().all(|column| column.is_winner));
    // Another copy stands for itself beside the winners of the others.
    let shipped = stack.sheet(copies(&stack, ENGLISH)[1], Beside::Languages, &Task::new()).unwrap().sheet;
    assert_eq!(shipped.text(row(&shipped, "Item_1Sword_01_N"), 0).unwrap().to_string(), "Emberfang");
    assert_eq!(
        shipped.columns.iter().map(|column| column.is_winner).collect::<Vec<_>>(),
        [false, true, true, true]
    );
}

#[test]
fn a_table_stands_above_those_of_lower_layers() {
    let (_folder, stack) = demo();
    let sheet = stack.sheet(copies(&stack, ENGLISH)[0], Beside::Layers, &Task::new()).unwrap().sheet;
    assert_eq!(titles(&sheet), ["World.arch06", "Patch_02.arch06"]);
    let mark = |name| sheet.mark(row(&sheet, name), 1);
    assert_eq!(mark("Item_1Sword_01_N"), Mark::Changed);
    assert_eq!(mark("Item_1Sword_02_N"), Mark::Missing);
    assert_eq!(mark("Npc_Drake_Greeting_02"), Mark::Added);
    assert_eq!(mark("UI_Back"), Mark::Same);
}

#[test]
fn a_table_alone_has_its_rows_and_their_faults() {
    let (_folder, stack) = demo();
    let sheet = stack.sheet(copies(&stack, ENGLISH)[1], Beside::Alone, &Task::new()).unwrap().sheet;
    let broken = row(&sheet, "Debug_Broken");
    let column = &sheet.columns[0];
    assert_eq!(column.table.faults(broken).len(), 1);
    assert_eq!(sheet.text(broken, 0).unwrap().to_string(), "An unfinished \u{FFFD}");
    assert_eq!(column.shared(sheet.cell(row(&sheet, "UI_Cancel"), 0).unwrap()), 2);
    assert!(stack.sheet(copies(&stack, "readme.txt")[0], Beside::Alone, &Task::new()).is_err());
}

#[test]
fn texts_are_found_in_all_tables() {
    let (_folder, stack) = demo();
    let cache = TextCache::default();
    let find = |text: &str, most| {
        let query = StringQuery { text: text.to_owned(), ..StringQuery::default() };
        let found = Mutex::new(Vec::new());
        let task = Task::new();
        stack
            .find_texts(&query, &NameBook::new(), (&cache, most), &task, &|hits| {
                found.lock().unwrap().extend(hits.hits);
            })
            .unwrap();
        assert_eq!(task.progress(), (4, 4));
        let mut found = found.into_inner().unwrap();
        found.sort_by(|a, b| a.path.cmp(&b.path).then(a.row.cmp(&b.row)));
        found
    };
    let hits = find("ember", usize::MAX);
    assert!(hits.iter().all(|hit| hit.path == ENGLISH), "{hits:?}");
    assert_eq!(hits.iter().map(|hit| &*hit.text).collect::<Vec<_>>().len(), 2);
    let paths: Vec<_> = find("gold", usize::MAX).into_iter().map(|hit| hit.path).collect();
    assert_eq!(paths, [ENGLISH, "database\\string\\german\\game.strdb"]);
    assert_eq!(find("e", 5).len(), 5);
}
