//! tANS arrays: five states that take turns, fed by a stream from each end.
//!
//! The table gives each symbol a weight; the weights add up to the number of states, 2^8 to 2^11.
//! Source: `formats/oodle.md` 4.3.

use super::bits::{Backward, Bits, Forward};
use super::symbols::{Unaries, zigzag};
use crate::error::{Error, Result};

const MAX_LOG: u32 = 11;
const TABLE: usize = 1 << MAX_LOG;
const MASK: usize = TABLE - 1;
const STATES: usize = 5;

/// What a state gives, and where it leads.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    base: u16,
    bits: u8,
    symbol: u8,
}

/// Decodes tables and what they code; it keeps their memory.
#[derive(Debug)]
pub(super) struct Tans {
    table: Box<[Step; TABLE]>,
}

impl Default for Tans {
    fn default() -> Self {
        Self { table: Box::new([Step::default(); TABLE]) }
    }
}

impl Tans {
    /// Decodes an array, whose payload is `input`, to all of `out`.
    pub(super) fn decode(&mut self, input: &[u8], out: &mut [u8]) -> Result<()> {
        if input.len() < 8 || out.len() < STATES {
            return Err(Error::malformed("a tANS array is too short"));
        }
        let mut bits = Forward::new(input);
        if bits.flag() {
            return Err(Error::malformed("a tANS table of an unknown form"));
        }
        let log = 8 + bits.take(2) as u32;
        let weights = if bits.flag() {
            Weights::read_dense(&mut bits, log)
        } else {
            Weights::read_sparse(&mut bits, log)
        }?;
        weights.fill(log, &mut self.table);
        let streams =
            input.get(bits.bytes_used()..).ok_or_else(|| Error::malformed("a tANS table is cut"))?;
        self.run(log, streams, out)
    }

    fn run(&self, log: u32, streams: &[u8], out: &mut [u8]) -> Result<()> {
        let (mut front, mut back) = (Forward::new(streams), Backward::new(streams));
        let mut states = [0usize; STATES];
        for (at, state) in states.iter_mut().enumerate() {
            *state = if at % 2 == 0 { low_bits(&mut front, log) } else { low_bits(&mut back, log) };
        }
        let (steps, last) = out.split_at_mut(out.len() - STATES);
        let mut turns = steps.chunks_exact_mut(2 * STATES);
        for turn in &mut turns {
            let (from_front, from_back) = turn.split_at_mut(STATES);
            self.turn(&mut states, &mut front, from_front);
            self.turn(&mut states, &mut back, from_back);
        }
        let rest = turns.into_remainder();
        let (from_front, from_back) = rest.split_at_mut(rest.len().min(STATES));
        self.turn(&mut states, &mut front, from_front);
        self.turn(&mut states, &mut back, from_back);
        for (slot, state) in last.iter_mut().zip(states) {
            *slot = u8::try_from(state)
                .ok()
                .ok_or_else(|| Error::malformed("the last state of a tANS array is no byte"))?;
        }
        if front.bytes_used() + back.bytes_used() != streams.len() {
            return Err(Error::malformed("the streams of a tANS array do not end where they should"));
        }
        Ok(())
    }

    #[inline(always)]
    #[expect(clippy::indexing_slicing, reason = "the mask keeps the index inside")]
    fn step(&self, state: usize) -> Step {
        self.table[state & MASK]
    }

    /// Steps up to five states, each once, for which one window is enough.
    #[inline(always)]
    fn turn<const IS_BACKWARD: bool>(
        &self,
        states: &mut [usize; STATES],
        bits: &mut Bits<'_, IS_BACKWARD>,
        out: &mut [u8],
    ) {
        let mut window = bits.lsb();
        let mut used = 0;
        for (slot, state) in out.iter_mut().zip(states) {
            let step = self.step(*state);
            let width = u32::from(step.bits) & 63;
            *slot = step.symbol;
            *state = usize::from(step.base) + (window & ((1 << width) - 1)) as usize;
            window >>= width;
            used += width;
        }
        bits.skip(used);
    }
}

fn low_bits<const IS_BACKWARD: bool>(bits: &mut Bits<'_, IS_BACKWARD>, width: u32) -> usize {
    let value = bits.lsb() & ((1 << width) - 1);
    bits.skip(width);
    value as usize
}

/// How many states each symbol has, in ascending order of symbols.
struct Weights([u16; 256]);

impl Weights {
    /// Weights of all symbols in use, against a running average.
    fn read_dense(bits: &mut Forward<'_>, log: u32) -> Result<Self> {
        let rice = bits.take(3) as u32;
        let used = bits.number(8) + 1;
        if used < 2 {
            return Err(wrong());
        }
        let unaries = Unaries::read(bits, used)?;
        let symbols = unaries.ranges(bits)?;
        let mut weights = Self([0; 256]);
        let (mut average, mut sum) = (6i32, 0);
        for (symbol, high) in symbols.iter().zip(unaries.of_symbols()) {
            let width = rice + u32::from(high);
            if width > 15 {
                return Err(wrong());
            }
            let mut value = bits.number(width) as i32 + (1 << width) - (1 << rice);
            let quarter = average >> 2;
            let limit = 2 * quarter;
            if value <= limit {
                value = quarter + zigzag(usize::try_from(value).unwrap_or(0));
            }
            average += value.min(limit) - quarter;
            sum += value + 1;
            let weight = u16::try_from(value + 1).ok().filter(|weight| (1..1 << log).contains(weight));
            weights.set(*symbol, weight.ok_or_else(wrong)?);
        }
        if sum == 1 << log { Ok(weights) } else { Err(wrong()) }
    }

    /// A few symbols, their weights ascending.
    fn read_sparse(bits: &mut Forward<'_>, log: u32) -> Result<Self> {
        let count = bits.take(3) + 1;
        let width = bits.take(4) as u32;
        if !(1..=log).contains(&width) {
            return Err(wrong());
        }
        let mut weights = Self([0; 256]);
        let mut weight = 0;
        let mut left = 1usize << log;
        for _ in 0..count {
            let symbol = bits.number(8) as u8;
            weight += bits.number(width);
            if weight == 0 || weight >= left || weights.of(symbol) != 0 {
                return Err(wrong());
            }
            left -= weight;
            weights.set(symbol, weight as u16);
        }
        let symbol = bits.number(8) as u8;
        if left < weight || left <= 1 || weights.of(symbol) != 0 {
            return Err(wrong());
        }
        weights.set(symbol, left as u16);
        Ok(weights)
    }

    fn of(&self, symbol: u8) -> u16 {
        self.0.get(usize::from(symbol)).copied().unwrap_or(0)
    }

    fn set(&mut self, symbol: u8, weight: u16) {
        if let Some(slot) = self.0.get_mut(usize::from(symbol)) {
            *slot = weight;
        }
    }

    /// Spreads the symbols over the states: those of weight 1 at the end, the others in four parts
    /// that each of them fills in turn.
    fn fill(&self, log: u32, table: &mut [Step; TABLE]) {
        let states = 1usize << log;
        let all = || (0u8..=255).zip(self.0);
        let single = all().filter(|(_, weight)| *weight == 1).count();
        let spread = states - single;
        for (slot, (symbol, _)) in table.iter_mut().skip(spread).zip(all().filter(|(_, weight)| *weight == 1))
        {
            *slot = Step { base: 0, bits: log as u8, symbol };
        }
        let mut next = [0usize; 4];
        let mut start = 0;
        for (part, at) in next.iter_mut().enumerate() {
            *at = start;
            start += (spread >> 2) + usize::from(spread & 3 > part);
        }
        let mut sum = 0usize;
        for (symbol, weight) in all().filter(|(_, weight)| *weight >= 2) {
            let weight = usize::from(weight);
            let mut number = weight;
            for (part, at) in (0usize..).zip(&mut next) {
                let count = (weight + (sum.wrapping_sub(part + 1) & 3)) >> 2;
                for slot in table.iter_mut().skip(*at).take(count) {
                    let bits = log - number.ilog2();
                    *slot = Step { base: ((number << bits) - states) as u16, bits: bits as u8, symbol };
                    number += 1;
                }
                *at += count;
            }
            sum += weight;
        }
    }
}

fn wrong() -> Error {
    Error::malformed("the weights of a tANS table do not add up")
}

#[cfg(test)]
mod tests {
    use super::super::encode::bits::{Lsb, Msb};
    use super::*;

    const LOG: u32 = 8;
    /// Symbols with their weights, ascending, which add up to 256.
    const WEIGHTS: [(u8, u16); 4] = [(b'z', 1), (b'a', 15), (b'q', 40), (b'm', 200)];

    /// The sparse form of the weights, and the table that they make.
    fn table() -> (Vec<u8>, Box<[Step; TABLE]>) {
        let mut bits = Msb::default();
        bits.put(0, 1);
        bits.put(LOG as usize - 8, 2);
        bits.put(0, 1);
        bits.put(WEIGHTS.len() - 2, 3);
        bits.put(8, 4);
        let mut before = 0;
        for (symbol, weight) in &WEIGHTS[..3] {
            bits.put(usize::from(*symbol), 8);
            bits.put(usize::from(weight - before), 8);
            before = *weight;
        }
        bits.put(usize::from(WEIGHTS[3].0), 8);
        let mut weights = Weights([0; 256]);
        for (symbol, weight) in WEIGHTS {
            weights.set(symbol, weight);
        }
        let mut table = Box::new([Step::default(); TABLE]);
        weights.fill(LOG, &mut table);
        (bits.finish(), table)
    }

    /// Codes data from its end: each step is chosen so that it leads to the state behind it.
    fn encode(data: &[u8]) -> Vec<u8> {
        let (mut out, table) = table();
        let (steps, last) = data.split_at(data.len() - STATES);
        let mut states: Vec<usize> = last.iter().map(|byte| usize::from(*byte)).collect();
        let mut written = Vec::new();
        for (at, byte) in steps.iter().enumerate().rev() {
            let next = states[at % STATES];
            let leads = |step: &Step| {
                let base = usize::from(step.base);
                step.symbol == *byte && (base..base + (1 << step.bits)).contains(&next)
            };
            let state = table[..1 << LOG].iter().position(leads).unwrap();
            let step = table[state];
            written.push((at, next - usize::from(step.base), u32::from(step.bits)));
            states[at % STATES] = state;
        }
        let (mut front, mut back) = (Lsb::default(), Lsb::default());
        for (at, state) in states.iter().enumerate() {
            let side = if at % 2 == 0 { &mut front } else { &mut back };
            side.put(u32::try_from(*state).unwrap(), LOG);
        }
        for (at, value, bits) in written.into_iter().rev() {
            let side = if at % (2 * STATES) < STATES { &mut front } else { &mut back };
            side.put(u32::try_from(value).unwrap(), bits);
        }
        out.extend(front.finish());
        out.extend(back.finish().iter().rev());
        out
    }

    #[test]
    fn what_is_coded_comes_back() {
        let pick = |at: usize| WEIGHTS[[3, 3, 2, 3, 1, 3, 3, 0, 2, 3, 3][at * at % 11]].0;
        for len in [12, 13, 17, 20, 21, 100, 1001] {
            let data: Vec<u8> = (0..len).map(pick).collect();
            let coded = encode(&data);
            let mut out = vec![0; len];
            Tans::default().decode(&coded, &mut out).unwrap();
            assert_eq!(out, data);
            let cut = Tans::default().decode(&coded[..coded.len() - 1], &mut out);
            assert!(cut.is_err() || out != data);
        }
    }

    #[test]
    fn weights_that_do_not_add_up_are_errors() {
        let mut out = [0; 20];
        for input in [&[0x80u8; 12][..], &[0x00; 12], &[0x1F; 12], &[0xFF; 12], &[0x10; 7]] {
            assert!(Tans::default().decode(input, &mut out).is_err());
        }
    }
}
