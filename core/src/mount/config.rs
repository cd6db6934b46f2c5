//! The archive list (`default.archcfg`): one path a line, `;` starts a comment, the bottom line is
//! searched first.

use encoding_rs::{Encoding, UTF_8};

use crate::path;

/// A line of a list that names something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1.
    pub number: u32,
    /// The path as written, without comment and surrounding spaces.
    pub text: String,
}

/// The lines of a list that name something, from the top down.
///
/// UTF-16 with a byte order mark, UTF-8 and Windows-1252 are read; line ends are those of any system.
pub(super) fn lines(list: &[u8]) -> Vec<Line> {
    let text = match Encoding::for_bom(list) {
        Some((encoding, _)) if encoding != UTF_8 => encoding.decode(list).0,
        Some((_, mark)) => path::to_text(list.get(mark..).unwrap_or_default()),
        None => path::to_text(list),
    };
    let lines = text.replace("\r\n", "\n").replace('\r', "\n");
    (1..)
        .zip(lines.lines())
        .map(|(number, line)| {
            let text = line.split(';').next().unwrap_or_default();
            Line { number, text: text.trim().trim_matches('"').trim().to_owned() }
        })
        .filter(|line| !line.text.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_empty_lines_name_nothing() {
        let list = b"; a comment\r\n..\\Game\r\n\r\n  ..\\Base.arch06 ; the base\r\n\t\r\n\"..\\a b.arch06\"";
        let lines: Vec<_> = lines(list).into_iter().map(|line| (line.number, line.text)).collect();
        let expected = [(2, "..\\Game"), (4, "..\\Base.arch06"), (6, "..\\a b.arch06")];
        assert_eq!(lines, expected.map(|(number, text)| (number, text.to_owned())));
    }

    #[test]
    fn lists_are_read_in_every_encoding() {
        let texts = |list: &[u8]| lines(list).into_iter().map(|line| line.text).collect::<Vec<_>>();
        let utf16: Vec<u8> = "\u{FEFF}a\r\né".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(texts(&utf16), ["a", "é"]);
        assert_eq!(texts("\u{FEFF}a\né".as_bytes()), ["a", "é"]);
        assert_eq!(texts(b"a\r\xE9"), ["a", "é"]);
        assert_eq!(texts(b""), [""; 0]);
    }
}
