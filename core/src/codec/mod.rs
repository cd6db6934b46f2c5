//! Decoders: a slice in, a buffer out. They know no files and no formats.

pub mod chunks;
pub mod pixels;

use crate::error::{Error, Result};

/// Decodes one packed chunk and appends exactly `length` bytes to `out`.
///
/// # Errors
/// `Unsupported` for every codec so far; the text names the codec and the header bytes.
pub fn decode_packed(packed: &[u8], _length: usize, _out: &mut Vec<u8>) -> Result<()> {
    let header: Vec<_> = packed.iter().take(4).map(|byte| format!("{byte:02X}")).collect();
    let (name, header) = (codec_name(packed), header.join(" "));
    Err(Error::unsupported(format!("the codec {name} (the chunk begins with {header})")))
}

/// The name of the codec that packed a chunk, from the chunk's first two bytes.
///
/// Oodle streams begin with a nibble 0xC and name their decoder in the second byte.
pub fn codec_name(packed: &[u8]) -> &'static str {
    match packed {
        [0x78, ..] => "zlib",
        [first, second, ..] if first & 0x3F == 0x0C => match second & 0x7F {
            2 => "Oodle LZB16",
            5 => "Oodle LZNA",
            6 => "Oodle Kraken",
            10 => "Oodle Mermaid or Selkie",
            11 => "Oodle BitKnit",
            12 => "Oodle Leviathan",
            _ => "Oodle of an unknown kind",
        },
        _ => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_chunk_names_its_codec_and_header() {
        let error = decode_packed(&[0x8C, 0x06, 0x00, 0x0A, 9], 100, &mut Vec::new()).unwrap_err();
        let text = "not supported: the codec Oodle Kraken (the chunk begins with 8C 06 00 0A)";
        assert_eq!(error.to_string(), text);
        assert_eq!(codec_name(&[0x8C, 0x02]), "Oodle LZB16");
        assert_eq!(codec_name(&[0xCC, 0x06]), "Oodle Kraken");
        assert_eq!(codec_name(&[]), "unknown");
    }
}
