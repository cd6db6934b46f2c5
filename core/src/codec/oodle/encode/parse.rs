//! Choosing literals and matches of a Kraken chunk.
//!
//! A lazy way through the chunk shows what literals, commands and distances cost; then the cheapest
//! way by these prices is looked for, position by position. A command has a price of its own besides
//! its bits, because what decoding takes is mostly the number of commands.

use super::lz::{FIRST, Parts};
use super::matches::{Finder, Match};

/// Parts of a bit that prices are counted in.
const SCALE: u32 = 16;
/// What a command costs besides its bits.
const COMMAND: u32 = 10 * SCALE;
/// What a symbol costs at most: no code is longer than 11 bits.
const MOST: u32 = 12 * SCALE;
/// Matches from this length on are taken at once, and whole.
const NICE: usize = 128;

/// A match and where it starts; what lies between matches is literals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) at: usize,
    pub(super) found: Match,
}

/// Takes what saves most at each position, or one byte later.
pub(super) fn lazy(data: &[u8]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut finder = Finder::new(data, FIRST);
    let mut recent = Recent::default();
    let mut at = FIRST;
    while at < data.len() {
        let found = best(&mut finder, at, data.len(), &recent);
        // A better match one byte later is worth a literal.
        if found.len == 0
            || recent.gain(&best(&mut finder, at + 1, data.len(), &recent)) > recent.gain(&found) + 1
        {
            at += 1;
            continue;
        }
        steps.push(Step { at, found });
        recent.take(found.distance);
        at += found.len;
    }
    steps
}

/// The match at `at` that saves most.
fn best(finder: &mut Finder<'_>, at: usize, end: usize, recent: &Recent) -> Match {
    if at >= end {
        return Match::default();
    }
    let known = recent.matches(finder, at, end).max_by_key(|known| known.len).unwrap_or_default();
    let found = finder.longest(at, end);
    if recent.gain(&found) > recent.gain(&known) { found } else { known }
}

/// The distances of the last three matches that differ, the last one first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recent([u32; 3]);

impl Default for Recent {
    fn default() -> Self {
        Self([FIRST as u32; 3])
    }
}

impl Recent {
    pub(super) fn last(self) -> usize {
        self.0[0] as usize
    }

    /// Which of them a distance is; 3 for none.
    pub(super) fn place(self, distance: usize) -> usize {
        self.0.iter().position(|known| *known as usize == distance).unwrap_or(3)
    }

    /// Puts a distance first; gives which of them it was.
    pub(super) fn take(&mut self, distance: usize) -> usize {
        let place = self.place(distance);
        self.0.copy_within(..place.min(2), 1);
        self.0[0] = distance as u32;
        place
    }

    /// The matches at `at` with these distances.
    fn matches(self, finder: &Finder<'_>, at: usize, end: usize) -> impl Iterator<Item = Match> {
        self.0
            .into_iter()
            .map(|distance| distance as usize)
            .filter(move |distance| *distance <= at)
            .filter_map(move |distance| {
                let len = finder.common(at - distance, at, end);
                (len >= 2).then_some(Match { distance, len })
            })
    }

    /// About how many bytes a match saves: a new distance costs two and a bit.
    fn gain(self, found: &Match) -> usize {
        found.len.saturating_sub(if self.place(found.distance) < 3 { 1 } else { 3 })
    }
}

/// What the symbols of the four arrays cost.
#[derive(Debug)]
pub(super) struct Prices {
    has_deltas: bool,
    literals: [u32; 256],
    commands: [u32; 256],
    offsets: [u32; 256],
    lengths: [u32; 256],
}

impl Prices {
    pub(super) fn of(parts: &Parts) -> Self {
        Self {
            has_deltas: parts.has_deltas,
            literals: prices(parts.literals().iter().copied()),
            commands: prices(parts.commands.iter().copied()),
            offsets: prices(parts.offset_codes()),
            lengths: prices(parts.length_codes()),
        }
    }

    fn literal(&self, data: &[u8], at: usize, recent: Recent) -> u32 {
        let byte = |at: usize| data.get(at).copied().unwrap_or(0);
        let before = if self.has_deltas { byte(at - recent.last()) } else { 0 };
        of(&self.literals, byte(at).wrapping_sub(before))
    }

    /// The length of a run of literals, where a command cannot hold it.
    fn run(&self, run: usize) -> u32 {
        run.checked_sub(3).map_or(0, |length| self.length(length))
    }

    fn length(&self, length: usize) -> u32 {
        let long = length.checked_sub(255).map_or(0, |long| (long + 64).ilog2() * 2 - 5);
        of(&self.lengths, length.min(255) as u8) + long * SCALE
    }

    /// What a new distance costs.
    fn offset(&self, distance: usize) -> u32 {
        let (code, _, bits) = Parts::offset_code(distance);
        of(&self.offsets, code) + bits * SCALE
    }

    /// A match behind a run, whose distance costs `offset` and has the place `place`.
    fn command(&self, run: usize, place: usize, offset: u32, len: usize) -> u32 {
        let length = len.checked_sub(17).map_or(0, |length| self.length(length));
        COMMAND + offset + length + of(&self.commands, Parts::command(run, len, place))
    }
}

fn of(prices: &[u32; 256], symbol: u8) -> u32 {
    prices.get(usize::from(symbol)).copied().unwrap_or(0)
}

/// What each symbol costs in an array of such data.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "prices are small and positive")]
fn prices(data: impl Iterator<Item = u8>) -> [u32; 256] {
    let counts = super::array::count(data);
    let total = counts.iter().sum::<u32>().max(1) as f32;
    // A symbol that was not in use may come into use.
    counts
        .map(|count| ((total / (count as f32).max(0.5)).log2() * SCALE as f32) as u32)
        .map(|price| price.clamp(1, MOST))
}

/// The cheapest way to a position that was found yet.
#[derive(Clone, Copy)]
struct Way {
    cost: u32,
    /// Literals since the last match.
    run: u32,
    recent: Recent,
    /// What the way ends with: a match, or a literal where its length is 0.
    last: Match,
}

/// Finds the cheapest way through a chunk.
pub(super) fn cheapest(data: &[u8], prices: &Prices) -> Vec<Step> {
    let none = Way { cost: u32::MAX, run: 0, recent: Recent::default(), last: Match::default() };
    let mut ways = Ways(vec![none; data.len() + 1]);
    ways.offer(FIRST, Way { cost: 0, ..none });
    let mut finder = Finder::new(data, FIRST);
    let (mut at, mut found) = (FIRST, Vec::new());
    while let Some(way) = ways.0.get(at).filter(|_| at < data.len()).copied() {
        if way.cost == u32::MAX {
            at += 1;
            continue;
        }
        let run = way.run as usize;
        // The run is a literal longer: it was paid for with the way so far.
        let cost = way.cost - prices.run(run) + prices.run(run + 1) + prices.literal(data, at, way.recent);
        ways.offer(at + 1, Way { cost, run: way.run + 1, last: Match::default(), ..way });
        finder.all(at, data.len(), &mut found);
        let known = way.recent.matches(&finder, at, data.len());
        let (mut longest, mut shorter) = (0, 1);
        let known = known.map(|known| (known, 2));
        let new = found.iter().map(|new| (*new, std::mem::replace(&mut shorter, new.len) + 1));
        for (candidate, from) in known.chain(new) {
            longest = longest.max(candidate.len);
            let place = way.recent.place(candidate.distance);
            let offset = if place == 3 { prices.offset(candidate.distance) } else { 0 };
            let mut recent = way.recent;
            recent.take(candidate.distance);
            let from = if candidate.len >= NICE { candidate.len } else { from };
            for len in from..=candidate.len {
                let cost = way.cost + prices.command(run, place, offset, len);
                let last = Match { len, ..candidate };
                ways.offer(at + len, Way { cost, run: 0, recent, last });
            }
        }
        at += if longest >= NICE { longest } else { 1 };
    }
    ways.steps()
}

struct Ways(Vec<Way>);

impl Ways {
    fn offer(&mut self, at: usize, way: Way) {
        if let Some(known) = self.0.get_mut(at).filter(|known| way.cost < known.cost) {
            *known = way;
        }
    }

    /// The matches of the way to the end.
    fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut at = self.0.len() - 1;
        while let Some(way) = self.0.get(at).filter(|_| at > FIRST) {
            at -= way.last.len.max(1);
            if way.last.len > 0 {
                steps.push(Step { at, found: way.last });
            }
        }
        steps.reverse();
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of a few kinds with numbers between them.
    fn text() -> Vec<u8> {
        let words = ["sword", "shield", "orc_", "ranger", "\\", "_d.tex", "characters"];
        let word = |at: usize| format!("{}{}", words[at * at % 11 % words.len()], at * 7919 % 1000);
        (0..4000).flat_map(|at| word(at).into_bytes()).collect()
    }

    fn cost(data: &[u8], steps: &[Step], prices: &Prices) -> u32 {
        let (mut recent, mut start, mut sum) = (Recent::default(), FIRST, 0);
        let literals = |range: std::ops::Range<usize>, recent| {
            prices.run(range.len()) + range.map(|at| prices.literal(data, at, recent)).sum::<u32>()
        };
        for Step { at, found } in steps {
            sum += literals(start..*at, recent);
            let place = recent.take(found.distance);
            let offset = if place == 3 { prices.offset(found.distance) } else { 0 };
            sum += prices.command(at - start, place, offset, found.len);
            start = at + found.len;
        }
        sum + literals(start..data.len(), recent)
    }

    #[test]
    fn the_cheapest_way_costs_less_and_has_fewer_commands() {
        let data = text();
        let lazy = lazy(&data);
        let prices = Prices::of(&Parts::of(&data, &lazy));
        let cheapest = cheapest(&data, &prices);
        assert!(cost(&data, &cheapest, &prices) < cost(&data, &lazy, &prices));
        assert!(cheapest.len() < lazy.len());
    }
}
