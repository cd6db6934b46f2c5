//! The way back: numbers, records, padding and words that are known only later.

use super::record::Record;
use super::scalar::{Endian, Value};

/// Builds a file in memory.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
    endian: Endian,
}

impl Writer {
    /// An empty little-endian file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Bytes so far.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether nothing was written yet.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Appends a number, or an array of numbers.
    pub fn value<T: Value>(&mut self, value: T) -> &mut Self {
        value.write(&mut self.bytes, self.endian);
        self
    }

    /// Appends a record.
    pub fn record<T: Record>(&mut self, record: &T) -> &mut Self {
        record.write(&mut self.bytes, self.endian);
        self
    }

    /// Appends bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    /// Appends text and a NUL.
    pub fn cstr(&mut self, text: &[u8]) -> &mut Self {
        self.bytes(text).value(0u8)
    }

    /// Appends `count` times the byte `fill`.
    pub fn fill(&mut self, count: usize, fill: u8) -> &mut Self {
        self.bytes.resize(self.bytes.len() + count, fill);
        self
    }

    /// Appends `fill` until the length is a multiple of `alignment`.
    pub fn align(&mut self, alignment: usize, fill: u8) -> &mut Self {
        self.bytes.resize(self.bytes.len().next_multiple_of(alignment), fill);
        self
    }

    /// The finished file.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_writer_pads_to_multiples() {
        let mut writer = Writer::new();
        writer.value(0x0102u16).cstr(b"ab").align(4, b'X').fill(1, 7);
        assert_eq!(writer.finish(), [2, 1, b'a', b'b', 0, b'X', b'X', b'X', 7]);
    }
}
