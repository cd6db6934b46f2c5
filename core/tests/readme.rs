//! The README says what is true of the code.

use palimpsest_core::formats::FORMATS;

fn readme() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).unwrap_or_default()
}

#[test]
fn its_format_table_is_the_table_of_formats() {
    let readme = readme();
    let rows: Vec<_> = readme.lines().filter(|line| line.starts_with("| `")).collect();
    let rows: Vec<_> = rows.into_iter().take_while(|line| line.split('|').count() == 6).collect();
    let mut expected: Vec<_> = FORMATS
        .iter()
        .map(|format| {
            let names = format.extensions.iter().chain(format.file_names);
            let names: Vec<_> = names.map(|name| format!("`{name}`")).collect();
            format!("| `{}` | {} | {} | {} |", format.id, format.title, format.game, names.join(", "))
        })
        .collect();
    expected.sort();
    assert_eq!(rows, expected);
}

#[test]
fn its_pictures_exist() {
    let readme = readme();
    let pictures: Vec<_> =
        readme.split("](screenshots/").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(pictures.len() >= 3);
    for picture in pictures {
        let path = format!("{}/../screenshots/{picture}", env!("CARGO_MANIFEST_DIR"));
        assert!(std::path::Path::new(&path).exists(), "{picture}");
    }
}
