//! Decoders: a slice in, a buffer out. They know no files and no formats.

pub mod chunks;
pub mod oodle;
pub mod pixels;

use std::fmt;

use crate::error::{Error, ErrorKind, Result};
use oodle::Oodle;

/// Decodes one packed chunk to all of `out`; `oodle` says who decodes Oodle's streams. After an error the bytes of `out` mean nothing.
///
/// # Errors
/// What is wrong with the chunk, at its byte; `Unsupported` for other codecs, with the name of the
/// codec and the first bytes.
pub fn decode_packed(packed: &[u8], out: &mut [u8], oodle: &Oodle) -> Result<()> {
    if packed.is_empty() {
        return Err(Error::malformed("a packed chunk without bytes"));
    }
    let codec = Codec::of(packed);
    if let Codec::Oodle(oodle::KRAKEN | oodle::LZB16) = codec {
        return oodle.decode(packed, out).map_err(|error| match error.kind() {
            ErrorKind::Unsupported(what) => Error::unsupported(format!("{codec}: {what}")),
            _ => Error::malformed(format!("{codec}: {}", error.reason())),
        });
    }
    let header: Vec<_> = packed.iter().take(4).map(|byte| format!("{byte:02X}")).collect();
    let header = header.join(" ");
    Err(Error::unsupported(format!("the codec {codec} (the chunk begins with {header})")))
}

/// What packed a chunk, from its first two bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// Oodle, with the kind of decoder that the stream names.
    Oodle(u8),
    /// zlib, as the archives of older games have it.
    Zlib,
    /// None that is known.
    Unknown,
}

impl Codec {
    /// The codec of a packed chunk. Oodle streams begin with a nibble 0xC and name their decoder in
    /// the second byte.
    pub const fn of(packed: &[u8]) -> Self {
        match packed {
            [0x78, ..] => Self::Zlib,
            [first, second, ..] if *first & 0x3F == 0x0C => Self::Oodle(*second & 0x7F),
            _ => Self::Unknown,
        }
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Oodle(kind) => write!(f, "Oodle {}", oodle::kind_name(*kind)),
            Self::Zlib => f.write_str("zlib"),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(packed: &[u8]) -> String {
        decode_packed(packed, &mut [0; 100], &Oodle::BuiltIn).unwrap_err().to_string()
    }

    #[test]
    fn a_packed_chunk_names_its_codec() {
        let text = "not supported: the codec zlib (the chunk begins with 78 DA 00 0A)";
        assert_eq!(error(&[0x78, 0xDA, 0x00, 0x0A, 9]), text);
        assert!(
            error(&[0x8C, 0x0C, 1, 2]).starts_with("not supported: the codec Oodle Leviathan (the chunk")
        );
        assert_eq!(error(&[]), "a packed chunk without bytes");
        assert_eq!(error(&[0x8C, 0x06, 0, 0]), "Oodle Kraken: needs 3 bytes, 2 are left");
        assert_eq!(Codec::of(&[0x8C, 0x02]).to_string(), "Oodle LZB16");
        assert_eq!(Codec::of(&[0xCC, 0x06]).to_string(), "Oodle Kraken");
    }
}
