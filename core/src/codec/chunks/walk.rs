//! Reading a chain here and there, from front to back: each chunk is decoded once, and those in which
//! nothing is read not at all.

use std::ops::Range;

use super::{Chain, Chunk, Chunks, within};
use crate::codec::decode_packed;
use crate::codec::oodle::Oodle;
use crate::error::{Error, ErrorKind, Result};

/// Reads ranges of a chain that ascend.
#[derive(Debug)]
pub struct Walk<'a> {
    chain: &'a Chain,
    chunks: Chunks<'a>,
    /// The chunk that was reached.
    current: Option<Chunk>,
    /// What that holds, where it is packed and was decoded.
    decoded: Vec<u8>,
    is_decoded: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn new(chain: &'a Chain) -> Self {
        Self { chain, chunks: chain.chunks(), current: None, decoded: Vec::new(), is_decoded: false }
    }

    /// Reads as many bytes as `out` has from `at` on, which is at least where the read before began.
    ///
    /// # Errors
    /// `Eof` past the end; what is wrong with the chunk.
    pub fn read(&mut self, at: u64, out: &mut [u8]) -> Result<()> {
        let wanted = out.len() as u64;
        let left = self.chain.size().saturating_sub(at);
        if left < wanted {
            return Err(Error::new(ErrorKind::Eof { wanted, left }));
        }
        let Range { start, end } = self.chain.of_whole(&(at..at + wanted));
        let mut from = start;
        let mut rest = out;
        while from < end {
            let bytes = self.bytes(from, end)?;
            let (own, behind) = rest.split_at_mut(bytes.len().min(rest.len()));
            own.copy_from_slice(bytes.get(..own.len()).unwrap_or_default());
            from += own.len() as u64;
            rest = behind;
        }
        Ok(())
    }

    /// Bytes from `from` on, up to `end` or the end of their chunk.
    fn bytes(&mut self, from: u64, end: u64) -> Result<&[u8]> {
        let chunk = self.reach(from)?;
        let data = self.chain.data.get(chunk.data()).unwrap_or_default();
        if !chunk.is_stored() && !self.is_decoded {
            self.decoded.resize(chunk.length, 0);
            let oodle = self.chain.oodle.as_deref().unwrap_or(&Oodle::BuiltIn);
            decode_packed(data, &mut self.decoded, oodle).map_err(|error| self.chain.blame(&chunk, error))?;
            self.is_decoded = true;
        }
        let bytes = if chunk.is_stored() { data } else { &self.decoded };
        let (from, end) = (within(from - chunk.at, chunk.length), within(end - chunk.at, chunk.length));
        Ok(bytes.get(from..end).unwrap_or_default())
    }

    /// The chunk that holds a byte.
    fn reach(&mut self, at: u64) -> Result<Chunk> {
        loop {
            if let Some(chunk) = self.current.filter(|chunk| at < chunk.end()) {
                return Ok(chunk);
            }
            let next = self.chunks.next().unwrap_or_else(|| Err(Error::malformed("a chunk is missing")));
            self.current = Some(next?);
            self.is_decoded = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MAX_CHUNK, pack};
    use super::*;

    fn data() -> Vec<u8> {
        (0..5 * MAX_CHUNK + 300).map(|at| u8::try_from((at / 7 * 13 + at / 999) % 256).unwrap()).collect()
    }

    #[test]
    fn ranges_that_ascend_are_read_as_they_are() {
        let data = data();
        let chain = Chain::new(pack(&data).into(), data.len() as u64);
        for part in [0..data.len(), 100_000..200_001] {
            let (own, chain) = (&data[part.clone()], chain.clone().part(part.start as u64..part.end as u64));
            let mut walk = chain.walk();
            let mut at = 0;
            for step in (1..).map(|step| step * step * 37) {
                let mut out = vec![0; 1 + step % 999];
                if at + out.len() > own.len() {
                    assert!(walk.read(at as u64, &mut out).is_err());
                    break;
                }
                walk.read(at as u64, &mut out).unwrap();
                assert_eq!(out, own[at..at + out.len()]);
                at += step;
            }
        }
    }

    #[test]
    fn a_chunk_in_which_nothing_is_read_may_be_damaged() {
        let data = data();
        let mut packed = pack(&data);
        let chain = Chain::new(packed.clone().into(), data.len() as u64);
        let second = chain.chunks().nth(1).unwrap().unwrap();
        packed[second.data()].fill(0xFF);
        let chain = Chain::new(packed.into(), data.len() as u64);
        let mut walk = chain.walk();
        let mut out = [0; 4];
        for at in [10, 2 * MAX_CHUNK + 5] {
            walk.read(at as u64, &mut out).unwrap();
            assert_eq!(out, data[at..at + 4]);
        }
        let error = chain.walk().read(MAX_CHUNK as u64 - 2, &mut out).unwrap_err();
        assert!(error.to_string().contains("chunks[1]"), "{error}");
    }
}
