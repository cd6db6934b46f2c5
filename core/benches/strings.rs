//! Tables of 100,000 texts in fourteen languages: opened, set side by side, searched, ordered.
//!
//! The references are to copy the bytes of one table, to copy those of all, and to hash whole names.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and fails loudly")]

mod support;

use std::collections::HashSet;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use bytes::Bytes;
use palimpsest_core::asset::{Asset, StringRow, StringTable};
use palimpsest_core::format::{inspect, load};
use palimpsest_core::formats::skdb;
use palimpsest_core::hash::{NameBook, string_hash};
use palimpsest_core::strings::{self, Against, Column, Only, Order, Pattern, Sheet, StringQuery};
use palimpsest_core::task::Task;
use support::{Contender, compare};

const ROWS: u32 = 100_000;
/// Units of a text, about.
const UNITS: usize = 40;
const ROUNDS: usize = 15;

/// Words of each language.
const LANGUAGES: [(&str, &str); 14] = [
    ("english", "the sword of orc captain Uruk has fallen strength increases Power Mordor and Ring"),
    ("arabic", "السيف من القبطان قَدْ سقط القوة تزداد في موردور و الخاتم الأورك"),
    ("french", "l'épée du capitaine Uruk est tombée la force augmente Pouvoir Mordor et Anneau"),
    ("german", "das Schwert des Ork Hauptmanns Uruk ist gefallen Stärke wächst Macht Mordor und Über"),
    ("italian", "la spada del capitano Uruk è caduta forza aumenta Potere Mordor e Anello più"),
    ("japanese", "剣 の オーク 隊長 ウルク が 倒れた 力 が 増す モルドール と 指輪"),
    ("korean", "검 의 오크 대장 우르크 가 쓰러졌다 힘 이 증가 모르도르 와 반지"),
    ("mexican", "la espada del capitán Uruk ha caído fuerza aumenta Poder Mordor y Anillo"),
    ("polish", "miecz orka kapitan Uruk poległ siła rośnie Moc Mordor i Pierścień źródło"),
    ("portuguese", "a espada do capitão Uruk caiu força aumenta Poder Mordor e Anel não"),
    ("russian", "меч орка капитан Урук пал сила растёт Власть Мордор и Кольцо"),
    ("schinese", "剑 的 兽人 队长 乌鲁克 已 倒下 力量 增加 魔多 与 戒指"),
    ("spanish", "la espada del capitán Uruk ha caído la fuerza aumenta Poder Mordor y Anillo"),
    ("tchinese", "劍 的 獸人 隊長 烏魯克 已 倒下 力量 增加 魔多 與 戒指"),
];

fn main() {
    let tables: Vec<_> = (0u32..).zip(LANGUAGES).map(|(at, (_, words))| table(at, words)).collect();
    open(&tables[0]);
    search(&tables);
    guess();
}

/// Opens the table of one language.
fn open(table: &StringTable) {
    let file = Bytes::from(skdb::write(table).unwrap());
    let mut copy = vec![0u8; file.len()];
    println!("{} bytes, {} rows", file.len(), table.len());
    let contenders = vec![
        Contender::new("copy the file", || {
            copy.copy_from_slice(black_box(&file));
            black_box(&mut copy);
        }),
        Contender::new("open it", || load(&file, "a.strdb", &Task::new()).unwrap()),
        Contender::new("open it with its structure, and check it", || {
            inspect(&file, "a.strdb", &Task::new())
        }),
        Contender::new("make a column of it", || {
            Column::new(String::new(), String::new(), Arc::new(table.clone()))
        }),
    ];
    compare(ROUNDS, contenders.into_iter().map(|contender| contender.bytes(file.len() as u64)).collect());
}

fn columns(tables: &[StringTable]) -> Vec<Column> {
    let files = tables.iter().map(|table| skdb::write(table).unwrap());
    let column = |(file, (name, _)): (Vec<u8>, (&str, &str))| {
        let Asset::Strings(table) = load(&file.into(), "a.strdb", &Task::new()).unwrap() else { panic!() };
        Column::new(name.to_owned(), String::new(), Arc::new(table))
    };
    files.zip(LANGUAGES).map(column).collect()
}

/// Sets all languages side by side, and searches and orders them.
fn search(tables: &[StringTable]) {
    let sheet = Sheet::of_tables(columns(tables), Against::Column(0));
    let bytes: u64 = tables.iter().map(|table| table.units.len() as u64 + 8 * table.len() as u64).sum();
    let files: Vec<_> = tables.iter().map(|table| skdb::write(table).unwrap()).collect();
    let mut copies: Vec<_> = files.iter().map(|file| vec![0u8; file.len()]).collect();
    let names = NameBook::new();
    let task = Task::new();
    let find = |query: StringQuery| {
        let (sheet, names, task) = (&sheet, &names, &task);
        move || sheet.find_rows(&query, names, task).unwrap()
    };
    let text = |text: &str| StringQuery { text: text.to_owned(), ..StringQuery::default() };
    let regex = |words: &str| StringQuery { is_regex: true, ..text(words) };
    let only = |only| StringQuery { only, ..StringQuery::default() };
    let order = |order| {
        let (sheet, names, task) = (&sheet, &names, &task);
        move || {
            let mut rows: Vec<u32> = (0..).zip(0..sheet.len()).map(|(row, _)| row).collect();
            sheet.order(&mut rows, order, false, names, task).unwrap();
            rows
        }
    };
    println!("{bytes} bytes in {} tables, {} rows", tables.len(), sheet.len());
    // What is made once is measured with new columns each time.
    let fresh = |run: fn(&Sheet)| {
        move || {
            let sheet = Sheet::of_tables(columns(tables), Against::Column(0));
            let started = Instant::now();
            run(&sheet);
            started.elapsed()
        }
    };
    let mut contenders = vec![
        Contender::new("copy all files", || {
            for (copy, file) in copies.iter_mut().zip(&files) {
                copy.copy_from_slice(black_box(file));
            }
            black_box(&mut copies);
        }),
        Contender::timed("set the tables side by side", move || {
            let columns = columns(tables);
            let started = Instant::now();
            black_box(Sheet::of_tables(columns, Against::Column(0)));
            started.elapsed()
        }),
        Contender::timed(
            "the first search, which folds all texts",
            fresh(|sheet| {
                let query = StringQuery { text: "sword".to_owned(), ..StringQuery::default() };
                black_box(sheet.find_rows(&query, &NameBook::new(), &Task::new()).unwrap());
            }),
        ),
        Contender::new("all rows", find(text(""))),
    ];
    for typed in ["s", "sw", "swo", "swor", "sword", "sword of", "力", "nothing at all"] {
        contenders.push(Contender::new(typed, find(text(typed))));
    }
    contenders.extend([
        Contender::new("sword, as written", find(StringQuery { is_exact: true, ..text("Sword") })),
        Contender::new("Uruk, as written", find(StringQuery { is_exact: true, ..text("Uruk") })),
        Contender::new("sword, in one language", find(StringQuery { column: Some(0), ..text("sword") })),
        Contender::new("/sw[aeo]rd of/", find(regex("sw[aeo]rd of"))),
        Contender::new("/^the .*ring$/", find(regex("^the .*ring$"))),
        Contender::new("/sw[aeo]rd of/, in one language", {
            find(StringQuery { column: Some(0), ..regex("sw[aeo]rd of") })
        }),
        Contender::new("changed", find(only(Only { changed: true, ..Only::default() }))),
        Contender::new("same", find(only(Only { same: true, ..Only::default() }))),
        Contender::new("missing", find(only(Only { missing: true, ..Only::default() }))),
        Contender::new("faulty", find(only(Only { faulty: true, ..Only::default() }))),
        Contender::new("shared", find(only(Only { shared: true, ..Only::default() }))),
        Contender::new("key dcdb", find(StringQuery { key: "dcdb".to_owned(), ..StringQuery::default() })),
        Contender::new("order by English", order(Order::Text(0))),
        Contender::new("order by Japanese", order(Order::Text(5))),
        Contender::new("order by length", order(Order::Units(0))),
        Contender::new("order by key", order(Order::Key)),
    ]);
    compare(ROUNDS, contenders);
}

/// Guesses names of keys.
fn guess() {
    const PLAIN: u32 = 1_000_000;
    let keys: Vec<u32> = (0..ROWS).map(|at| string_hash(name(at).as_bytes())).collect();
    let set: HashSet<u32> = keys.iter().copied().collect();
    let words: Vec<String> = (0..2_000).map(|at| format!("Word{at}")).collect();
    let plain = || (0..PLAIN).filter(|at| set.contains(&string_hash(name(*at).as_bytes()))).count();
    let guess = |pattern: &str| {
        let pattern = Pattern::parse(pattern).unwrap();
        let (keys, words) = (&keys, &words);
        move || {
            let hits = AtomicUsize::new(0);
            let sink = |_| {
                hits.fetch_add(1, Relaxed);
            };
            let tried = strings::guess(&pattern, words, keys, &Task::new(), &sink).unwrap();
            assert!(!tried.is_full);
            hits.into_inner()
        }
    };
    let contenders = vec![
        Contender::new("make, hash and look up whole names", plain).per(PLAIN.into(), "a name"),
        Contender::new("UI_{0-999999}Shield_{N,D}", guess("UI_{0-999999}Shield_{N,D}"))
            .per(2_000_000, "a name"),
        Contender::new("UI_{0-999999}Sword_Starting_N", guess("UI_{0-999999}Sword_Starting_N"))
            .per(1_000_000, "a name"),
        Contender::new("UI_{*}_{*}_{01-25}", guess("UI_{*}_{*}_{01-25}")).per(100_000_000, "a name"),
    ];
    compare(ROUNDS, contenders);
}

/// The name of a key.
fn name(at: u32) -> String {
    format!("UI_{}Sword_Starting_{}", at / 2, if at.is_multiple_of(2) { "N" } else { "D" })
}

/// A table of a language: some texts are missing, some are empty, some are shared, some are not translated.
fn table(language: u32, words: &str) -> StringTable {
    let words: Vec<&str> = words.split(' ').collect();
    let english: Vec<&str> = LANGUAGES[0].1.split(' ').collect();
    let mut units: Vec<u8> = Vec::new();
    let mut rows: Vec<StringRow> = Vec::new();
    let mut before = 0;
    for at in 0..ROWS {
        // The same numbers for every language.
        let mut random = Random(at.wrapping_mul(2_654_435_769) | 1);
        let kind = random.below(100);
        if language > 0 && random.below(50) == language as usize {
            continue;
        }
        let key = string_hash(name(at).as_bytes());
        if kind < 3 && at > 0 {
            rows.push(StringRow { key, start: before });
            continue;
        }
        let words = if (3..10).contains(&kind) { &english } else { &words };
        let mut text = String::new();
        let wanted = if kind == 10 { 0 } else { UNITS / 2 + random.below(UNITS) };
        while text.chars().count() < wanted {
            text.push_str(words[random.below(words.len())]);
            text.push(if random.below(6) == 0 { '.' } else { ' ' });
        }
        before = u32::try_from(units.len() / 2).unwrap();
        rows.push(StringRow { key, start: before });
        units.extend(text.trim_end().encode_utf16().chain([0]).flat_map(u16::to_le_bytes));
    }
    rows.sort_by_key(|row| row.key);
    StringTable::new(rows, units.into(), [0, 0])
}

/// Numbers that seem to be drawn by chance.
struct Random(u32);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as usize % count
    }
}
