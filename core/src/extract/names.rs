//! File names for paths: such as every file system holds, inside the folder, and each once.

use std::collections::HashMap;
use std::path::PathBuf;

use unicode_normalization::UnicodeNormalization as _;

use crate::hash::string_hash;
use crate::path::is_separator;

/// The longest name of a file or folder, in bytes; file systems hold 255.
const LONGEST: usize = 240;

/// The names that Windows keeps for devices; it takes the raised digits for the others.
const DEVICES: [&str; 30] = [
    "con", "conin$", "conout$", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7",
    "com8", "com9", "com¹", "com²", "com³", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8",
    "lpt9", "lpt¹", "lpt²", "lpt³",
];

/// Gives each path a file name, and remembers which are taken.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: HashMap<String, Taken>,
    /// The number to try next for a name that is taken.
    next: HashMap<String, u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taken {
    File,
    Folder,
}

/// A file name, relative to the folder.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) file: PathBuf,
    /// Whether it says something else than the path.
    pub(super) is_changed: bool,
}

impl Names {
    /// The file name for a path. Names that differ only in letter case, or in how their accents are
    /// put together, count as the same: some file systems take one for the other.
    pub(super) fn name(&mut self, path: &str, is_flat: bool) -> Name {
        let parts = path.split(|c| u8::try_from(c).is_ok_and(is_separator)).filter(|part| !part.is_empty());
        let mut parts: Vec<_> = parts.map(str::to_owned).collect();
        let original = parts.clone();
        if is_flat {
            parts.drain(..parts.len().saturating_sub(1));
        }
        if parts.is_empty() {
            parts.push(String::new());
        }
        let mut safe: Vec<String> = parts.iter().map(|part| safe(part)).collect();
        let mut folder = String::new();
        for (at, part) in (1..).zip(&mut safe) {
            *part = self.free(&folder, part, if at == parts.len() { Taken::File } else { Taken::Folder });
            folder = key(&folder, part);
        }
        let is_changed = if is_flat { safe.last() != original.last() } else { safe != original };
        Name { file: safe.iter().collect(), is_changed }
    }
}

impl Names {
    /// The name, or one with a number where something else has it. A folder may be entered again.
    fn free(&mut self, folder: &str, name: &str, kind: Taken) -> String {
        let next = self.next.entry(key(folder, name)).or_insert(1);
        let fits = |taken: Option<&Taken>| taken.is_none_or(|taken| kind == Taken::Folder && *taken == kind);
        loop {
            let tried = numbered(name, *next);
            let key = key(folder, &tried);
            if fits(self.taken.get(&key)) {
                self.taken.insert(key, kind);
                return tried;
            }
            *next += 1;
        }
    }
}

/// What all spellings of a name in a folder have in common.
fn key(folder: &str, name: &str) -> String {
    if name.is_ascii() {
        return format!("{folder}/{}", name.to_ascii_lowercase());
    }
    // Decomposed before and after: lower case may put letters together, or take them apart.
    let lower = name.nfd().collect::<String>().to_lowercase();
    format!("{folder}/{}", lower.nfd())
}

/// The name itself, or `name~2.ext` and so on.
fn numbered(name: &str, n: u32) -> String {
    match (n, name.rsplit_once('.')) {
        (1, _) => name.to_owned(),
        (n, Some((stem, extension))) if !stem.is_empty() => format!("{stem}~{n}.{extension}"),
        (n, _) => format!("{name}~{n}"),
    }
}

/// A name that every file system holds and that leads nowhere.
fn safe(part: &str) -> String {
    let is_bad =
        |c: char| c.is_control() || matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*' | '/' | '\\');
    let mut name: String = part.chars().map(|c| if is_bad(c) { '_' } else { c }).collect();
    let kept = name.trim_end_matches(['.', ' ']).len();
    name.truncate(kept);
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    if name.is_empty() || DEVICES.contains(&stem.as_str()) {
        name.insert(0, '_');
    }
    if name.len() > LONGEST {
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let extension = if extension.len() < 16 { format!(".{extension}") } else { String::new() };
        let end = format!("~{:08X}{extension}", string_hash(part.as_bytes()));
        let mut at = LONGEST - end.len();
        while !name.is_char_boundary(at) {
            at -= 1;
        }
        name.truncate(at);
        name.push_str(&end);
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(paths: &[&str], is_flat: bool) -> Vec<String> {
        let mut names = Names::default();
        paths.iter().map(|path| names.name(path, is_flat).file.to_string_lossy().replace('\\', "/")).collect()
    }

    #[test]
    fn ordinary_paths_keep_their_names() {
        let mut names = Names::default();
        let name = names.name("characters\\Orc\\sword_d.tex", false);
        assert_eq!(
            name,
            Name { file: ["characters", "Orc", "sword_d.tex"].iter().collect(), is_changed: false }
        );
        assert!(!Names::default().name("a\\b.tex", true).is_changed);
    }

    #[test]
    fn no_path_leads_outside() {
        let paths = [
            "../x",
            "..\\..\\x",
            "/etc/x",
            "C:\\x",
            "a\\..\\..\\b",
            "\\\\server\\share\\x",
            ".",
            "",
            "a\\. .\\b",
        ];
        let expected = ["_/x", "_/_/x", "etc/x", "C_/x", "a/_/_/b", "server/share/x", "_~2", "_~3", "a/_/b"];
        assert_eq!(names(&paths, false), expected);
    }

    #[test]
    fn names_that_a_file_system_cannot_hold_are_changed() {
        let paths = ["a?b*.tex", "nul", "CON.txt", "com1.tar.gz", "end. .", "a\u{1}b", "lpt10"];
        assert_eq!(
            names(&paths, false),
            ["a_b_.tex", "_nul", "_CON.txt", "_com1.tar.gz", "end", "a_b", "lpt10"]
        );
        let paths = ["CONIN$", "conout$.txt", "COM¹", "com².log", "LPT³ .a", "com⁴", "conin"];
        assert_eq!(
            names(&paths, false),
            ["_CONIN$", "_conout$.txt", "_COM¹", "_com².log", "_LPT³ .a", "com⁴", "conin"]
        );
        let long = "é".repeat(300) + ".tex";
        let name = &names(&[&long], false)[0];
        assert!(name.len() <= LONGEST, "{name}");
        assert_eq!(name.rsplit_once('.').unwrap().1, "tex");
    }

    #[test]
    fn names_that_would_meet_are_numbered() {
        assert_eq!(names(&["a?.tex", "a*.tex", "A_.TEX"], false), ["a_.tex", "a_~2.tex", "A_~3.TEX"]);
        assert_eq!(names(&["a", "a\\b", "c\\d", "c"], false), ["a", "a~2/b", "c/d", "c~2"]);
        assert_eq!(
            names(&["x\\a.tex", "y\\A.tex", "z\\.hidden", ".hidden"], true),
            ["a.tex", "A~2.tex", ".hidden", ".hidden~2"]
        );
        let (composed, apart) = ("M\u{c1}l", "ma\u{301}l");
        assert_eq!(names(&[composed, apart], false), [composed.to_owned(), format!("{apart}~2")]);
        let folders = names(&[&format!("{composed}\\a"), &format!("{apart}\\a")], false);
        assert_eq!(folders, [format!("{composed}/a"), format!("{apart}/a~2")]);
    }
}
