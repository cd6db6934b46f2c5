//! The faces of the panel of texts: on its way, content, failed, empty, huge.

use std::sync::Arc;

use palimpsest::gpu::Caps;
use palimpsest::jobs::Load;
use palimpsest::session::{Mounted, Session, StringsState, Target};
use palimpsest_core::asset::StringTable;
use palimpsest_core::error::Error;
use palimpsest_core::hash::string_hash;
use palimpsest_core::mount::Mounts;
use palimpsest_core::scene::{Beside, SheetOf};
use palimpsest_core::strings::{Against, Column, Sheet};
use palimpsest_core::task::Task;

use crate::demo;
use crate::faces::{compare, jobs, mounted, session, stuck};

const TEXTS: &str = "database\\string\\english\\game.strdb";

/// A session with the texts of the demo, as far as `state` says.
fn of_demo(mounted: &Arc<Mounted>, caps: Caps, state: StringsState) -> Session {
    let mut session = session(Arc::clone(mounted), TEXTS, None, caps);
    session.open[0].strings = state;
    session
}

/// A sheet with all of its rows, of which one is chosen.
fn ready(sheet: SheetOf, beside: Beside, key: u32) -> StringsState {
    let count = u32::try_from(sheet.sheet.len()).unwrap();
    StringsState {
        beside,
        found: Arc::new((0..count).collect()),
        sheet: Some(Load::Ready(Arc::new(sheet))),
        target: Some(Target { number: 1, key, column: 1 }),
        ..StringsState::default()
    }
}

#[test]
fn texts_are_on_their_way_or_cannot_be_had() {
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    let jobs = jobs();
    compare("texts_loading", None, None, |caps| {
        let sheet = Some(Load::Pending(stuck(&jobs, "Reading game.strdb in all languages")));
        of_demo(&mounted, caps, StringsState { sheet, beside: Beside::Languages, ..StringsState::default() })
    });
    compare("texts_failed", None, None, |caps| {
        let error = Error::limit("90000000 bytes, at most 67108864 are read beside another file");
        let sheet = Some(Load::Failed(error));
        of_demo(&mounted, caps, StringsState { sheet, beside: Beside::Layers, ..StringsState::default() })
    });
    compare("texts_empty", None, None, |caps| {
        let sheet = Sheet::of_table(Column::new(String::new(), String::new(), Arc::default()));
        of_demo(&mounted, caps, ready(SheetOf { sheet, unread: Vec::new() }, Beside::Alone, 0))
    });
}

#[test]
fn texts_are_set_side_by_side() {
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    let copy = mounted.stack.index().copies(mounted.stack.find(TEXTS).unwrap())[0];
    let key = string_hash(b"Quest_Keep_01");
    for (name, beside) in [("texts_languages", Beside::Languages), ("texts_layers", Beside::Layers)] {
        compare(name, None, None, |caps| {
            let mut sheet = mounted.stack.sheet(copy, beside, &Task::new()).unwrap();
            sheet.unread.push("Patch_09.arch06: database\\string\\french\\game.strdb: damaged".to_owned());
            of_demo(&mounted, caps, ready(sheet, beside, key))
        });
    }
}

#[test]
fn a_hundred_thousand_keys_are_listed() {
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    compare("texts_huge", None, None, |caps| {
        let text = |language: &str, at: u32| -> Vec<u16> {
            if at.is_multiple_of(5) {
                Vec::new()
            } else {
                format!("{language} text number {at}").encode_utf16().collect()
            }
        };
        let column = |language: &str| {
            let rows: Vec<_> = (0..100_000).map(|at| (at * 40_000, text(language, at))).collect();
            let table = StringTable::of(rows.iter().map(|(key, text)| (*key, &**text)));
            Column::new(language.to_owned(), format!("{language}\\game.strdb"), Arc::new(table))
        };
        let columns = ["english", "german", "french", "polish", "russian", "korean"].map(column);
        let sheet = Sheet::of_tables(columns.into_iter().collect(), Against::Column(0));
        of_demo(
            &mounted,
            caps,
            ready(SheetOf { sheet, unread: Vec::new() }, Beside::Languages, 50_003 * 40_000),
        )
    });
}
