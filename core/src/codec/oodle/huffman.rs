//! Huffman arrays: canonical codes of at most 11 bits, in one or two groups of three streams.
//!
//! | bytes | meaning |
//! |---|---|
//! | | the table of code lengths in one of three forms, most significant bit first |
//! | u24 | only with two groups: bytes of the first group |
//! | u16 | of each group: bytes of its first stream |
//! | | the first stream, forward; the third, forward, and the second, backward, which meet |
//!
//! Symbols are taken from the three streams in turns. Codes are read least significant bit first.
//! Source: `formats/oodle.md` 4.2.

use super::bits::{Backward, Bits, Forward};
use super::symbols::{Unaries, zigzag};
use crate::error::{Error, Result};

/// The most bits of a code.
const MAX_LEN: u32 = 11;
const TABLE: usize = 1 << MAX_LEN;
const MASK: usize = TABLE - 1;

/// Symbols of one stream that a window is enough for.
const PER_WINDOW: usize = 5;
/// Symbols of the three streams together.
const ROUND: usize = 3 * PER_WINDOW;

/// For each next 11 bits: the length of the code, and above it the symbol.
type Table = [u16; TABLE];

/// Decodes tables and what they code; it keeps their memory.
#[derive(Debug)]
pub(super) struct Huffman {
    table: Box<Table>,
}

impl Default for Huffman {
    fn default() -> Self {
        Self { table: Box::new([0; TABLE]) }
    }
}

impl Huffman {
    /// Decodes an array of one or two groups, whose payload is `input`, to all of `out`.
    pub(super) fn decode(&mut self, input: &[u8], groups: usize, out: &mut [u8]) -> Result<()> {
        let mut bits = Forward::new(input);
        let codes = Codes::read(&mut bits)?;
        let streams =
            input.get(bits.bytes_used()..).ok_or_else(|| Error::malformed("a code table is cut"))?;
        if let Some(symbol) = codes.only_symbol() {
            out.fill(symbol);
            return if streams.is_empty() {
                Ok(())
            } else {
                Err(Error::malformed("bytes behind a single symbol"))
            };
        }
        codes.fill(&mut self.table)?;
        if groups == 1 {
            return Group::new(streams)?.decode(&self.table, out);
        }
        let short = || Error::malformed("the groups of a Huffman array are cut");
        let (size, streams) = streams.split_first_chunk::<3>().ok_or_else(short)?;
        let [low, middle, high] = *size;
        let size = usize::from(low) | usize::from(middle) << 8 | usize::from(high) << 16;
        let (first, second) = streams.split_at_checked(size).ok_or_else(short)?;
        decode_pair([Group::new(first)?, Group::new(second)?], &self.table, out)
    }
}

/// The code lengths of the symbols in use, in the order of the table.
struct Codes {
    symbols: [u8; 256],
    lengths: [u8; 256],
    count: usize,
}

impl Codes {
    const EMPTY: Self = Self { symbols: [0; 256], lengths: [0; 256], count: 0 };

    fn read(bits: &mut Forward<'_>) -> Result<Self> {
        match (bits.flag(), bits.flag()) {
            (false, true) => Self::read_dense(bits),
            (false, false) => Self::read_sparse(bits),
            (true, false) => Self::read_ranged(bits),
            (true, true) => Err(Error::malformed("a code table of an unknown form")),
        }
    }

    fn push(&mut self, symbol: usize, length: i32) -> Result<()> {
        let length = u8::try_from(length).ok().filter(|length| (1..=MAX_LEN).contains(&u32::from(*length)));
        let length = length.ok_or_else(|| Error::malformed("a code length outside 1..=11"))?;
        let symbol = u8::try_from(symbol)
            .ok()
            .zip(self.symbols.get_mut(self.count))
            .zip(self.lengths.get_mut(self.count));
        let ((value, symbol), slot) = symbol.ok_or_else(|| Error::malformed("more than 256 codes"))?;
        (*symbol, *slot) = (value, length);
        self.count += 1;
        Ok(())
    }

    /// Runs of symbols in use and not in use, lengths against a running average.
    fn read_dense(bits: &mut Forward<'_>) -> Result<Self> {
        let mut codes = Self::EMPTY;
        let rice = bits.take(2) as u32;
        let mut skips_gap = bits.flag();
        let (mut symbol, mut average) = (0, 32i32);
        while symbol < 256 {
            if !std::mem::take(&mut skips_gap) {
                symbol += gamma(bits)?;
                if symbol >= 256 {
                    break;
                }
            }
            let end = symbol + gamma(bits)?;
            if end > 256 {
                break;
            }
            for symbol in symbol..end {
                let high = bits.unary(20 >> rice)?;
                let value = (high << rice) as usize + bits.number(rice);
                let length = zigzag(value) + ((average + 2) >> 2);
                codes.push(symbol, length)?;
                average = length + ((3 * average + 2) >> 2);
            }
            symbol = end;
        }
        if symbol != 256 || codes.count < 2 {
            return Err(Error::malformed("the runs of a code table do not end at symbol 256"));
        }
        Ok(codes)
    }

    /// A few symbols, each with its length.
    fn read_sparse(bits: &mut Forward<'_>) -> Result<Self> {
        let mut codes = Self::EMPTY;
        let count = bits.number(8);
        if count == 0 {
            return Err(Error::malformed("a code table without symbols"));
        }
        if count == 1 {
            codes.push(bits.number(8), 1)?;
            return Ok(codes);
        }
        let width = bits.take(3) as u32;
        if width > 4 {
            return Err(Error::malformed("code lengths of more than 4 bits"));
        }
        for _ in 0..count {
            let symbol = bits.number(8);
            codes.push(symbol, bits.take(width) as i32 + 1)?;
        }
        Ok(codes)
    }

    /// Lengths against a running average, then the ranges of symbols that they belong to.
    fn read_ranged(bits: &mut Forward<'_>) -> Result<Self> {
        let rice = bits.take(2) as u32;
        let used = bits.number(8) + 1;
        let unaries = Unaries::read(bits, used)?;
        let mut sum = 30i32;
        let mut lengths = [0i32; 256];
        for (length, high) in lengths.iter_mut().zip(unaries.of_symbols()) {
            let delta = zigzag((usize::from(high) << rice) + bits.number(rice));
            *length = delta + (sum >> 2) + 1;
            sum += delta;
        }
        let symbols = unaries.ranges(bits)?;
        let mut codes = Self::EMPTY;
        for (symbol, length) in symbols.iter().zip(lengths).take(used) {
            codes.push(usize::from(*symbol), length)?;
        }
        Ok(codes)
    }

    fn only_symbol(&self) -> Option<u8> {
        self.symbols.first().copied().filter(|_| self.count == 1)
    }

    fn each(&self) -> impl Iterator<Item = (u8, u8)> {
        self.symbols.iter().copied().zip(self.lengths).take(self.count)
    }

    /// Fills a table by doubling: for codes of one bit it has two entries, and every further bit
    /// repeats it once before that bit's codes are written over it.
    fn fill(&self, table: &mut Table) -> Result<()> {
        let mut by_length = [0u8; 256];
        let mut ends = [0usize; MAX_LEN as usize + 2];
        for (_, length) in self.each() {
            if let Some(count) = ends.get_mut(usize::from(length) + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        let starts = ends;
        for (symbol, length) in self.each() {
            if let Some(end) = ends.get_mut(usize::from(length)) {
                if let Some(slot) = by_length.get_mut(*end) {
                    *slot = symbol;
                }
                *end += 1;
            }
        }
        let too_many = || Error::malformed("the codes of a table do not fill it exactly");
        // The next code, counted in codes of the length at hand.
        let mut code = 0u32;
        for length in 1..=MAX_LEN {
            let (half, len) = (1 << (length - 1), length as usize);
            table.copy_within(..half, half);
            code <<= 1;
            let symbols =
                starts.get(len).zip(ends.get(len)).and_then(|(start, end)| by_length.get(*start..*end));
            for symbol in symbols.unwrap_or_default() {
                if code >> length != 0 {
                    return Err(too_many());
                }
                let reversed = (code.reverse_bits() >> (32 - length)) as usize;
                if let Some(slot) = table.get_mut(reversed) {
                    *slot = u16::from(*symbol) << 8 | length as u16;
                }
                code += 1;
            }
        }
        if code == 1 << MAX_LEN { Ok(()) } else { Err(too_many()) }
    }
}

/// A number that its leading zero bits give twice as many bits, the zeros among them.
fn gamma(bits: &mut Forward<'_>) -> Result<usize> {
    let zeros = bits.zeros(7)?;
    Ok(bits.number(zeros + 2) - 1)
}

/// Three streams that give their symbols in turns. Each may look ahead into the others.
struct Group<'a> {
    first: Forward<'a>,
    second: Backward<'a>,
    third: Forward<'a>,
    first_len: usize,
    rest_len: usize,
}

impl<'a> Group<'a> {
    fn new(input: &'a [u8]) -> Result<Self> {
        let short = || Error::malformed("a group of Huffman streams is cut");
        let (first_len, streams) = input.split_first_chunk::<2>().ok_or_else(short)?;
        let first_len = usize::from(u16::from_le_bytes(*first_len));
        let rest = streams.get(first_len..).ok_or_else(short)?;
        Ok(Self {
            first: Forward::new(streams),
            second: Backward::new(streams),
            third: Forward::new(rest),
            first_len,
            rest_len: rest.len(),
        })
    }

    fn decode(mut self, table: &Table, out: &mut [u8]) -> Result<()> {
        let (rounds, rest) = out.as_chunks_mut::<ROUND>();
        for round in rounds {
            self.round(table, round);
        }
        for (at, slot) in rest.iter_mut().enumerate() {
            *slot = match at % 3 {
                0 => symbol(table, &mut self.first),
                1 => symbol(table, &mut self.second),
                _ => symbol(table, &mut self.third),
            };
        }
        self.check()
    }

    /// Whether each stream used exactly its bytes.
    fn check(&self) -> Result<()> {
        let rest = self.second.bytes_used() + self.third.bytes_used();
        if self.first.bytes_used() == self.first_len && rest == self.rest_len {
            return Ok(());
        }
        Err(Error::malformed("the streams of a Huffman array do not end where they should"))
    }

    /// Decodes the symbols that three windows are enough for.
    #[inline(always)]
    fn round(&mut self, table: &Table, out: &mut [u8; ROUND]) {
        let [mut first, mut second, mut third] = [self.first.lsb(), self.second.lsb(), self.third.lsb()];
        // Entries are added as they are: their symbols stand above the sum of their lengths.
        let [mut first_used, mut second_used, mut third_used] = [0; 3];
        for turn in out.as_chunks_mut::<3>().0 {
            turn[0] = take(table, &mut first, &mut first_used);
            turn[1] = take(table, &mut second, &mut second_used);
            turn[2] = take(table, &mut third, &mut third_used);
        }
        self.first.skip(first_used & 0xFF);
        self.second.skip(second_used & 0xFF);
        self.third.skip(third_used & 0xFF);
    }
}

/// Decodes two groups side by side: six streams keep the processor busier than three.
fn decode_pair(groups: [Group<'_>; 2], table: &Table, out: &mut [u8]) -> Result<()> {
    let [mut first, mut second] = groups;
    let (out_first, out_second) = out.split_at_mut(out.len().div_ceil(2));
    // The second half is as long, or one byte shorter.
    let rounds = out_second.len() / ROUND * ROUND;
    let (rounds_first, rest_first) = out_first.split_at_mut(rounds);
    let (rounds_second, rest_second) = out_second.split_at_mut(rounds);
    let rounds_first = rounds_first.as_chunks_mut::<ROUND>().0;
    let rounds_second = rounds_second.as_chunks_mut::<ROUND>().0;
    for (round_first, round_second) in rounds_first.iter_mut().zip(rounds_second) {
        first.round(table, round_first);
        second.round(table, round_second);
    }
    first.decode(table, rest_first)?;
    second.decode(table, rest_second)
}

/// Takes the next symbol of a window, and adds its entry to those before.
#[inline(always)]
fn take(table: &Table, window: &mut u64, used: &mut u32) -> u8 {
    let entry = entry(table, *window);
    *window >>= entry & 63;
    *used += u32::from(entry);
    (entry >> 8) as u8
}

/// The entry for the bits ahead.
#[inline(always)]
#[expect(clippy::indexing_slicing, reason = "the mask keeps the index inside")]
const fn entry(table: &Table, window: u64) -> u16 {
    table[window as usize & MASK]
}

/// Decodes one symbol.
#[inline]
fn symbol<const IS_BACKWARD: bool>(table: &Table, bits: &mut Bits<'_, IS_BACKWARD>) -> u8 {
    let entry = entry(table, bits.lsb());
    bits.skip(u32::from(entry & 63));
    (entry >> 8) as u8
}
