//! Lists of names, and the words that names are made of.

use crate::path::{cmp_fold, eq_fold};

/// The words of names: what stands between their `_`, sorted, each once whatever its letter case.
pub fn words_of<T: AsRef<str>>(names: impl IntoIterator<Item = T>) -> Vec<String> {
    let mut words = Vec::new();
    for name in names {
        words.extend(name.as_ref().split('_').filter(|word| !word.is_empty()).map(str::to_owned));
    }
    sort_names(&mut words);
    words
}

/// Names as a list that word lists are read from: one a line, sorted, each once whatever its letter case, with
/// `line_end` behind each.
pub fn word_list<T: AsRef<str>>(names: impl IntoIterator<Item = T>, line_end: &str) -> String {
    let mut names: Vec<_> = names.into_iter().map(|name| name.as_ref().trim().to_owned()).collect();
    // What has lines of its own would be read as several.
    names.retain(|name| !name.is_empty() && !name.contains(['\r', '\n']));
    sort_names(&mut names);
    names.into_iter().flat_map(|name| [name, line_end.to_owned()]).collect()
}

fn sort_names(names: &mut Vec<String>) {
    names.sort_by(|a, b| cmp_fold(a.as_bytes(), b.as_bytes()).then_with(|| a.cmp(b)));
    names.dedup_by(|later, first| same(later, first));
}

/// Whether two names are one to the engine.
pub(super) fn same(a: &str, b: &str) -> bool {
    eq_fold(a.as_bytes(), b.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::{NameBook, string_hash};

    #[test]
    fn names_are_split_into_words_and_listed() {
        assert_eq!(words_of(["UI_1Sword__N", "ui_Orc"]), ["1Sword", "N", "Orc", "UI"]);
        assert_eq!(word_list(["b", " A", "a", "B", "", "x\ny"], "\r\n"), "A\r\nB\r\n");
        let mut book = NameBook::new();
        book.add_words(&word_list(["Root"], "\n"));
        assert_eq!(book.names(string_hash(b"root")).collect::<Vec<_>>(), ["Root"]);
    }
}
