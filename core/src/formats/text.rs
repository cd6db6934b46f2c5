//! Plain text: UTF-8 or UTF-16 with a byte order mark, otherwise UTF-8 or Windows-1252.

use encoding_rs::Encoding;

use crate::asset::{Asset, Kind};
use crate::error::{Error, Result};
use crate::format::Format;
use crate::parse::Reader;
use crate::path;

/// The row of the format table.
pub static FORMAT: Format = Format {
    id: "text",
    title: "Text",
    game: "any",
    kind: Kind::Text,
    extensions: &["archcfg", "cfg", "cred", "csv", "ini", "json", "lua", "md", "txt", "xml"],
    file_names: &[],
    magics: &[b"\xEF\xBB\xBF", b"\xFF\xFE", b"\xFE\xFF"],
    parse,
    sample,
};

/// Bytes of the largest text that is shown as one; larger files open as bytes.
const LARGEST: u64 = 32 << 20;

fn parse(r: &mut Reader<'_>) -> Result<Asset> {
    let (encoding, mark) = match Encoding::for_bom(r.peek(3)) {
        Some((encoding, len)) => (Some(encoding), len as u64),
        None => (None, 0),
    };
    if mark > 0 {
        r.text("byte_order_mark", mark)?;
    }
    let left = r.left();
    let bytes = match encoding {
        Some(encoding) if encoding == encoding_rs::UTF_16LE => r.utf16("text", left)?,
        _ => r.text("text", left)?,
    };
    if left > LARGEST {
        let text = format!("a text of {left} bytes, at most {LARGEST} are shown as text");
        return Err(r.blame(Error::limit(text)));
    }
    let text = match encoding {
        Some(encoding) => {
            let (text, _, has_errors) = encoding.decode(bytes);
            if has_errors {
                r.warn(format!("bytes that are not {}", encoding.name()));
            }
            text
        }
        None => match memchr::memchr(0, bytes) {
            Some(at) => return Err(r.malformed(format!("not text: a NUL at {at:#X}"))),
            None => path::to_text(bytes),
        },
    };
    r.fact("encoding", || encoding.map_or("UTF-8 or Windows-1252", Encoding::name));
    r.fact("lines", || text.lines().count() as u64);
    Ok(Asset::Text(text.into_owned()))
}

/// UTF-16, as the game's credits are stored.
fn sample() -> Vec<u8> {
    "\u{FEFF}Unlocked\r\nMálë\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::format::load;
    use crate::task::Task;

    fn text(bytes: &[u8]) -> Result<Asset> {
        load(&Bytes::copy_from_slice(bytes), "a.txt", &Task::new())
    }

    #[test]
    fn text_is_read_in_every_encoding() {
        let expected = |text: &str| Asset::Text(text.to_owned());
        assert_eq!(text(&sample()).unwrap(), expected("Unlocked\r\nMálë\r\n"));
        assert_eq!(text("\u{FEFF}Málë".as_bytes()).unwrap(), expected("Málë"));
        assert_eq!(text("Málë".as_bytes()).unwrap(), expected("Málë"));
        assert_eq!(text(b"M\xE1l\xEB").unwrap(), expected("Málë"));
        assert_eq!(text(b"\xFE\xFF\0A").unwrap(), expected("A"));
        assert_eq!(text(b"").unwrap(), expected(""));
    }

    #[test]
    fn a_text_that_is_too_large_is_refused() {
        let bytes = vec![b'\n'; usize::try_from(LARGEST).unwrap() + 1];
        let expected =
            "text at 0x0: over a limit: a text of 33554433 bytes, at most 33554432 are shown as text";
        assert_eq!(text(&bytes).unwrap_err().to_string(), expected);
        assert!(text(&bytes[1..]).is_ok());
    }

    #[test]
    fn bytes_with_a_nul_are_not_text() {
        assert_eq!(text(b"ab\0").unwrap_err().to_string(), "text at 0x0: not text: a NUL at 0x2");
    }
}
