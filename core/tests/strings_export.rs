//! Tables of texts as files of other programs, read back here, by other parsers, and held against the tables.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail loudly")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use palimpsest_core::asset::{StringRow, StringTable};
use palimpsest_core::error::Result;
use palimpsest_core::export::{Conversion, Form, Texts};
use palimpsest_core::extract::{Extraction, Picked, Report};
use palimpsest_core::hash::{NameBook, string_hash};
use palimpsest_core::mount::{Mounts, Query, Stack};
use palimpsest_core::scene::Beside;
use palimpsest_core::strings::{
    Against, Column, Difference, DifferenceKind, Imported, Sheet, SheetExport, check, export_sheet, read_csv,
    read_json, read_po, read_tsv, write_sheet,
};
use palimpsest_core::task::Task;

const FORMS: [Form; 4] = [Form::Csv, Form::Tsv, Form::Json, Form::Po];

/// Texts that forms trip over; one that is not there is missing.
const TEXTS: [(&str, [Option<&str>; 3]); 12] = [
    ("UI_Plain", [Some("Sword"), Some("Schwert"), Some("سيف")]),
    ("UI_Quotes", [Some("\"Hold\" it, \"\""), Some("„Halt“, 'so'"), Some("«اثبتوا»")]),
    ("UI_Breaks", [Some("one\ntwo\r\nthree\rfour\n"), Some("\n\n"), Some("\r\n")]),
    ("UI_Tabs", [Some("Gold\t{0}\\t\\n\\"), Some("\\N"), Some("\t")]),
    ("UI_Formula", [Some("=1+1"), Some("+49"), Some("-@x")]),
    ("UI_Emoji", [Some("A dagger 🗡"), Some("👨‍👩‍👧"), Some("短剣🗡をどうぞ")]),
    ("UI_Arabic", [Some("\u{202B}نصلٌ لم يبرد\u{202C}"), Some("ä\u{308}"), Some("\u{FEFF}x")]),
    ("UI_Empty", [Some(""), Some(""), None]),
    ("UI_Missing", [Some("only here"), None, None]),
    ("UI_Added", [None, Some("nur hier"), Some("")]),
    ("UI_Spaces", [Some("  "), Some(" a "), Some("a;b,c|d")]),
    ("UI_Controls", [Some("\u{1}7\u{7F}\u{85}\u{2028}"), Some("#. no comment"), Some("msgid \"x\"")]),
];

fn column(title: &str, rows: &[(u32, Vec<u16>)]) -> Column {
    let table = StringTable::of(rows.iter().map(|(key, text)| (*key, &**text)));
    Column::new(title.to_owned(), format!("database\\string\\{title}\\a.strdb"), Arc::new(table))
}

/// The texts in some columns.
fn sheet(columns: &[usize]) -> Sheet {
    let of = |at: &usize| {
        let rows: Vec<_> = TEXTS
            .iter()
            .filter_map(|(name, texts)| {
                Some((string_hash(name.as_bytes()), texts[*at]?.encode_utf16().collect()))
            })
            .collect();
        column(["english", "german", "arabic"][*at], &rows)
    };
    match columns {
        [one] => Sheet::of_table(of(one)),
        several => Sheet::of_tables(several.iter().map(of).collect(), Against::Column(0)),
    }
}

fn names() -> NameBook {
    let mut names = NameBook::new();
    // Some keys stay without a name.
    names.extend(TEXTS.iter().map(|(name, _)| *name).filter(|name| !name.ends_with('s')));
    names
}

fn all<'a>(sheet: &'a Sheet, names: &'a NameBook) -> SheetExport<'a> {
    SheetExport { sheet, names, rows: None, column: None, has_bom: false }
}

fn written(export: &SheetExport<'_>, form: Form) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_sheet(export, form, &Task::new(), &mut bytes).unwrap();
    bytes
}

fn read(form: Form, bytes: &[u8]) -> Result<Imported> {
    match form {
        Form::Csv => read_csv(bytes),
        Form::Tsv => read_tsv(bytes),
        Form::Json => read_json(bytes),
        _ => read_po(bytes),
    }
}

fn differences(sheet: &Sheet, imported: &Imported) -> Vec<Difference> {
    check(sheet, imported, &Task::new()).unwrap()
}

/// The text that a row of the texts has in a sheet.
fn expected(sheet: &Sheet, row: usize, column: usize) -> Option<String> {
    sheet.text(row, column).map(|text| text.to_string())
}

#[test]
fn every_form_comes_back_as_it_was() {
    let names = names();
    for columns in [&[0][..], &[1], &[2], &[0, 1], &[0, 1, 2]] {
        let sheet = sheet(columns);
        for form in FORMS {
            let targets = if form == Form::Po { columns.len().max(2) - 1 } else { 1 };
            let mut files = Vec::new();
            let told = export_sheet(&all(&sheet, &names), form, &Task::new(), &mut |file| {
                files.push(file);
                Ok(())
            });
            assert_eq!(told.unwrap().notes, [""; 0]);
            assert_eq!(files.len(), targets);
            for file in files {
                let imported = read(form, &file.bytes).unwrap();
                assert_eq!(imported.rows.len(), sheet.len(), "{form}");
                assert_eq!(differences(&sheet, &imported), [], "{form}");
                if form == Form::Po {
                    continue;
                }
                // What is empty and what is missing stays apart.
                for (row, own) in imported.rows.iter().enumerate() {
                    for (column, text) in own.texts.iter().enumerate() {
                        let text = text.as_ref().map(|units| String::from_utf16(units).unwrap());
                        assert_eq!(text, expected(&sheet, row, column), "{form}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_list_of_rows_and_one_column_are_written_alone() {
    let (sheet, names) = (sheet(&[0, 1]), names());
    let rows = [3, 1, 700];
    let export = SheetExport { rows: Some(&rows), column: Some(1), ..all(&sheet, &names) };
    for form in FORMS {
        let imported = read(form, &written(&export, form)).unwrap();
        assert_eq!(imported.rows.iter().map(|row| row.key).collect::<Vec<_>>(), [sheet.key(3), sheet.key(1)]);
        assert_eq!(imported.titles.last().unwrap(), "german");
        let found = differences(&sheet, &imported);
        assert!(found.iter().all(|one| matches!(one.kind, DifferenceKind::Missing { .. })), "{form}");
        assert_eq!(found.len(), sheet.len() - 2);
    }
    let export = SheetExport { column: Some(2), ..export };
    assert!(write_sheet(&export, Form::Csv, &Task::new(), &mut Vec::new()).is_err());
    assert!(write_sheet(&all(&sheet, &names), Form::Png, &Task::new(), &mut Vec::new()).is_err());
}

#[test]
fn what_was_changed_in_a_file_is_found() {
    let (sheet, names) = (sheet(&[0, 1]), names());
    let csv = String::from_utf8(written(&all(&sheet, &names), Form::Csv)).unwrap();
    let line = |name: &str| format!("0x{:08X},{name},", string_hash(name.as_bytes()));
    let gone = csv.lines().find(|csv| csv.starts_with(&line("UI_Formula"))).unwrap();
    let edited = csv.replace(gone, "").replace("\"Schwert\"", "Säbel") + "0xFFFFFFFE,,\"new\"\r\n";
    let imported = read_csv(edited.as_bytes()).unwrap();
    let mut found: Vec<_> = differences(&sheet, &imported)
        .into_iter()
        .map(|one| match one.kind {
            DifferenceKind::Changed { row, column, imported: at, imported_column } => {
                let text = String::from_utf16(imported.rows[at].texts[imported_column].as_ref().unwrap());
                assert_eq!((column, expected(&sheet, row as usize, 1).unwrap().as_str()), (1, "Schwert"));
                format!("changed {}", text.unwrap())
            }
            DifferenceKind::Missing { row } => {
                format!("missing {}", expected(&sheet, row as usize, 0).unwrap())
            }
            DifferenceKind::Unknown { imported } => format!("unknown {imported}"),
        })
        .collect();
    found.sort();
    assert_eq!(found, ["changed Säbel", "missing =1+1", "unknown 11"]);
    // Columns can be left out and moved; what no table is called is an error.
    let one = read_csv("german;key\r\nSchwert;0x00000001\r\n".as_bytes()).unwrap();
    assert_eq!((one.titles.as_slice(), one.rows[0].key), (&["german".to_owned()][..], 1));
    let foreign = read_csv(b"key,klingon\n").unwrap();
    assert!(check(&sheet, &foreign, &Task::new()).unwrap_err().to_string().contains("klingon"));
}

/// A table with every fault: two rows share a key, one is out of order, texts have halves of pairs, no end, no place.
fn faulty() -> Sheet {
    let units = [0x41, 0x42, 0, 0xD83D, 0x22, 0xDC00, 0xD83D, 0, 0x43];
    let rows = [(4, 0), (4, 1), (2, 3), (7, 8), (9, 700)];
    let rows = rows.map(|(key, start)| StringRow { key, start }).to_vec();
    let units: Vec<u8> = units.into_iter().flat_map(u16::to_le_bytes).collect();
    let table = StringTable::new(rows, units.into(), [0, 0]);
    Sheet::of_table(Column::new("a".to_owned(), "a.strdb".to_owned(), Arc::new(table)))
}

#[test]
fn faults_are_told_and_json_keeps_halves_of_pairs() {
    let (sheet, names) = (faulty(), NameBook::new());
    for form in FORMS {
        let mut bytes = Vec::new();
        let told = write_sheet(&all(&sheet, &names), form, &Task::new(), &mut bytes).unwrap();
        let became = if form == Form::Json { "written as an escape" } else { "written as U+FFFD" };
        assert_eq!(
            told.missing,
            ["1 row, of key 0x00000009: begins past the end of the texts; there is no text to write"]
        );
        assert_eq!(
            told.notes,
            [
                "1 row, of key 0x00000007: no NUL ends the text".to_owned(),
                "1 row, of key 0x00000004: begins inside another text".to_owned(),
                format!("1 row, of key 0x00000002: half of a surrogate pair alone; {became}"),
                "1 row, of key 0x00000002: the key is smaller than the one before".to_owned(),
                "1 row, of key 0x00000004: the key is that of the row before".to_owned(),
            ]
        );
        let imported = read(form, &bytes).unwrap();
        assert_eq!(differences(&sheet, &imported), [], "{form}");
        if form == Form::Json {
            assert_eq!(imported.rows[2].texts[0].as_deref(), Some(&[0xD83D, 0x22, 0xDC00, 0xD83D][..]));
            assert!(String::from_utf8(bytes).unwrap().contains(r#""text":"\ud83d\"\udc00\ud83d""#));
        }
    }
}

#[test]
fn a_po_has_what_gettext_asks_for() {
    let (sheet, names) = (sheet(&[0, 1]), names());
    let bytes = written(&SheetExport { column: Some(1), ..all(&sheet, &names) }, Form::Po);
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.starts_with("msgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: database"), "{text}");
    assert!(text.contains("\"Content-Type: text/plain; charset=UTF-8\\n\"\n"));
    assert!(text.contains("\"Language: de\\n\"\n"));
    assert!(text.contains("msgctxt \"UI_Formula\"\nmsgid \"=1+1\"\nmsgstr \"+49\"\n"));
    assert!(text.contains("#. german: no text\nmsgctxt \"UI_Missing\"\n"));
    assert!(text.contains("msgid \"\"\n\"one\\n\"\n\"two\\r\\n\"\n\"three\\rfour\\n\"\n"));
    // The other parser knows fewer escapes than gettext: none of control characters.
    let controls = string_hash(b"UI_Controls");
    let rows: Vec<_> =
        (0u32..).take(sheet.len()).filter(|row| sheet.key(*row as usize) != controls).collect();
    let export = SheetExport { rows: Some(&rows), column: Some(1), ..all(&sheet, &names) };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.po");
    fs::write(&file, written(&export, Form::Po)).unwrap();
    let catalog = polib::po_file::parse(&file).unwrap();
    assert_eq!(catalog.metadata.language, "de");
    for (name, [english, german, _]) in TEXTS {
        if name.ends_with('s') || german.is_none_or(str::is_empty) {
            continue;
        }
        let english = english.unwrap_or_default();
        let found = catalog.find_message(Some(name), english, None).unwrap();
        assert_eq!(found.msgstr().unwrap(), german.unwrap(), "{name}");
    }
    // A table alone is a template; a key that comes again has a context of its own.
    let twice = String::from_utf8(written(&all(&faulty(), &names), Form::Po)).unwrap();
    assert!(twice.contains("msgctxt \"0x00000004\"\nmsgid \"AB\"\nmsgstr \"\"\n"), "{twice}");
    assert!(twice.contains("msgctxt \"0x00000004#2\"\nmsgid \"B\"\n"), "{twice}");
}

#[test]
fn another_parser_of_csv_reads_the_same_texts() {
    let (sheet, names) = (sheet(&[0, 1, 2]), names());
    let export = SheetExport { has_bom: true, ..all(&sheet, &names) };
    let bytes = written(&export, Form::Csv);
    assert!(bytes.starts_with(b"\xEF\xBB\xBFkey,name,english,german,arabic\r\n"));
    assert_eq!(differences(&sheet, &read_csv(&bytes).unwrap()), []);
    let mut reader = csv::Reader::from_reader(&bytes[3..]);
    let records: Vec<_> = reader.records().collect::<std::result::Result<_, _>>().unwrap();
    assert_eq!(records.len(), sheet.len());
    for (row, record) in records.iter().enumerate() {
        assert_eq!(record[0], format!("0x{:08X}", sheet.key(row)));
        assert_eq!(record[1], *names.names(sheet.key(row)).next().unwrap_or_default());
        for column in 0..3 {
            assert_eq!(record[2 + column], expected(&sheet, row, column).unwrap_or_default());
        }
    }
}

/// Writes what Python reads from a file as JSON that this program reads.
const PYTHON: &str = r#"
import csv, json, sys
form, source, target = sys.argv[1:]
with open(source, encoding="utf-8", newline="") as file:
    if form == "csv":
        rows = list(csv.DictReader(file))
        rows = [{"key": row.pop("key"), "name": row.pop("name"), "texts": row} for row in rows]
    else:
        rows = json.load(file)
with open(target, "w", encoding="utf-8") as file:
    json.dump(rows, file)
"#;

#[test]
fn python_reads_the_same_texts() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: python3 is not there");
        return;
    }
    let (folder, names) = (tempfile::tempdir().unwrap(), names());
    let python = |form: Form, bytes: &[u8]| {
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::write(&from, bytes).unwrap();
        let words = ["-c", PYTHON, form.name()];
        let ran = Command::new("python3").args(words).arg(&from).arg(&to).output().unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        read_json(&fs::read(&to).unwrap()).unwrap()
    };
    let sheet = sheet(&[0, 1, 2]);
    let of_json = python(Form::Json, &written(&all(&sheet, &names), Form::Json));
    assert_eq!(differences(&sheet, &of_json), []);
    let mut of_csv = python(Form::Csv, &written(&all(&sheet, &names), Form::Csv));
    // Python's parser does not tell what is empty from what is missing.
    of_csv.holds.missing = false;
    assert_eq!(differences(&sheet, &of_csv), []);
    let faulty = faulty();
    assert_eq!(differences(&faulty, &python(Form::Json, &written(&all(&faulty, &names), Form::Json))), []);
}

#[test]
fn what_is_no_such_file_is_refused_with_its_line() {
    let refused = |form, text: &str| read(form, text.as_bytes()).unwrap_err().to_string();
    for (form, text, words) in [
        (Form::Csv, "", "line 1: no column is called key"),
        (Form::Csv, "key,text\n\"0x1\n", "line 2: a quote is left open"),
        (Form::Csv, "key,text\n0x1,\"a\"b\n", "line 2: letters behind a quote"),
        (Form::Csv, "key,text\r\n0x1,\"a\nb\"\r\nzz,c\r\n", "line 4: no key such as"),
        (Form::Tsv, "key\ttext\n0x1\ta\\x\n", "line 2: a backslash"),
        (Form::Tsv, "key\ttext\n\n0x123456789\ta\n", "line 3: no key"),
        (Form::Json, "[{\"key\":\"0x1\",\"text\":5}]", "a text"),
        (Form::Json, "[{\"key\":\"sword\"}]", "\"sword\" is no key"),
        (Form::Po, "msgid \"a\"\nmsgstr \"b\"\n", "line 1: an entry without msgctxt"),
        (Form::Po, "msgctxt \"a\"\nmsgid \"a\nmsgstr \"b\"\n", "line 2: a string without quotes"),
        (Form::Po, "msgctxt \"a\"\nmsgid_plural \"a\"\n", "line 2: \"msgid_plural\""),
        (Form::Po, "\"a\"\n", "line 1: a string that belongs to nothing"),
    ] {
        let error = refused(form, text);
        assert!(error.contains(words), "{text:?}: {error}");
    }
    assert!(read_csv(b"key,text\n0x1,\xFF\n").is_err());
    let utf16: Vec<u8> = "\u{FEFF}key\ttext\n0x1\tä".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read_tsv(&utf16).unwrap().rows[0].texts[0].as_deref(), Some(&[0xE4][..]));
}

fn extract(out: &Path, form: Form, texts: Texts) -> Report {
    let folder = tempfile::tempdir().unwrap();
    palimpsest_core::demo::write(folder.path(), &Task::new()).unwrap();
    let stack = Stack::mount(&Mounts::of(folder.path().to_path_buf()), &Task::new()).unwrap();
    let found = stack.search(&Query::parse("ext:strdb").unwrap(), &Task::new()).unwrap();
    let picked = Picked::of(stack.index(), found, None);
    let names = Arc::new(stack.names(&Task::new()).unwrap());
    let conversion = Conversion { form, texts, ..Conversion::default() };
    let extraction = Extraction { out: out.to_path_buf(), is_flat: false, conversion, names };
    extraction.run(&stack, &picked, &Task::new()).unwrap()
}

#[test]
fn tables_of_a_stack_are_written_alone_and_side_by_side() {
    let root = tempfile::tempdir().unwrap();
    let file = |name: &str| fs::read_to_string(root.path().join("database/string").join(name)).unwrap();
    let report = extract(root.path(), Form::Csv, Texts::default());
    assert_eq!((report.written, report.failed.len()), (4, 0));
    let told = report.notes.iter().find(|(path, _)| path.contains("english")).unwrap();
    assert!(told.1.contains("half of a surrogate pair alone"), "{}", told.1);
    assert!(file("english/game.strdb.csv").starts_with("key,name,text\r\n0x"));
    let report = extract(root.path(), Form::Json, Texts { beside: Beside::Languages, has_bom: false });
    assert_eq!(report.written, 1, "all languages make one file");
    let imported = read_json(file("arabic/game.strdb.json").as_bytes()).unwrap();
    assert_eq!(imported.titles, ["english", "arabic", "german", "japanese"]);
    let report = extract(root.path(), Form::Po, Texts { beside: Beside::Languages, has_bom: false });
    assert_eq!(report.written, 3, "one for each but English");
    assert!(file("arabic/game.strdb.german.po").contains("msgid \"Continue\"\nmsgstr \"Fortsetzen\"\n"));
    extract(root.path(), Form::Po, Texts { beside: Beside::Layers, has_bom: false });
    assert!(file("english/game.strdb.Patch_02.arch06.po").contains("msgid \"Emberfang\"\n"));
    let report = extract(root.path(), Form::Tsv, Texts { beside: Beside::Layers, has_bom: true });
    assert_eq!(report.written, 4);
    assert!(file("english/game.strdb.tsv").starts_with("\u{FEFF}key\tname\tWorld.arch06\tPatch_02.arch06\n"));
}
