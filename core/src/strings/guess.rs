//! Guesses the names of keys: all names of a pattern are hashed, and those that hit a key are told.
//!
//! A hash has 32 bits, so that among billions of names some hit by chance. [`by_chance`] says how many.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::pattern::Pattern;
use super::words::same;
use crate::error::{Error, Result};
use crate::hash::{NameBook, string_hash, string_hash_from};
use crate::path::cmp_fold;
use crate::task::Task;

/// Names that are tried at most.
pub const MOST_TRIED: u64 = 10_000_000_000;

/// Hits that are told at most.
pub const MOST_GUESSES: u64 = 100_000;

/// Texts that one part of a pattern may stand for.
const MOST_TEXTS: u64 = 1 << 22;

/// Names that are tried between two looks at the task.
const STEP: usize = 1 << 17;

/// Texts of the last parts that are put together before names are tried, so that each costs little more than a
/// multiplication.
const TOGETHER: usize = 1 << 16;

/// Fewer texts than that are put together with those before, however many these are.
const FEW: usize = 64;

/// A name that hits a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The key.
    pub key: u32,
    /// The name.
    pub name: String,
}

/// How far guessing came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Names that were tried.
    pub names: u64,
    /// Whether it ended early, with [`MOST_GUESSES`].
    pub is_full: bool,
}

/// All that is known and guessed of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuessedKey {
    /// The key.
    pub key: u32,
    /// The guesses, sorted, each once whatever its letter case.
    pub names: Vec<String>,
    /// The names that were known before, guessed or not.
    pub known: Vec<String>,
}

/// What there is to think of the guesses of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// There is one, and no other name is known.
    Alone,
    /// It is the name that is known.
    Known,
    /// There are several, or another name is known: all but one are hits by chance, if not all.
    Disputed,
}

impl GuessedKey {
    /// What there is to think of the guesses.
    pub fn standing(&self) -> Standing {
        let all_are = |other: &String| self.names.iter().all(|name| same(name, other));
        match self.names.len() {
            1 if self.known.is_empty() => Standing::Alone,
            1 if self.known.iter().all(all_are) => Standing::Known,
            _ => Standing::Disputed,
        }
    }
}

/// Guesses by their keys, ascending, beside what was known of these keys.
pub fn by_key(mut guesses: Vec<Guess>, known: &NameBook) -> Vec<GuessedKey> {
    let cmp =
        |a: &Guess, b: &Guess| a.key.cmp(&b.key).then_with(|| cmp_fold(a.name.as_bytes(), b.name.as_bytes()));
    guesses.sort_by(|a, b| cmp(a, b).then_with(|| a.name.cmp(&b.name)));
    guesses.dedup_by(|later, first| later.key == first.key && same(&later.name, &first.name));
    let of_key = |guesses: &[Guess]| {
        let key = guesses.first()?.key;
        let names = guesses.iter().map(|guess| guess.name.clone()).collect();
        Some(GuessedKey { key, names, known: known.names(key).map(str::to_owned).collect() })
    };
    guesses.chunk_by(|a, b| a.key == b.key).filter_map(of_key).collect()
}

/// How many of so many keys are hit by chance when so many names are tried, about.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub fn by_chance(names: u64, keys: usize) -> f64 {
    const HASHES: f64 = (1u64 << 32) as f64;
    names as f64 * keys as f64 / HASHES
}

/// Tries all names of a pattern, and gives those that hit a key to `sink`, in any order from any thread.
///
/// A name that is made in several ways is given as often. Steps of the task are names.
///
/// # Errors
/// `Limit` when there are more names than [`MOST_TRIED`]; `Usage` when words are asked for and there are none;
/// `Cancelled`, what was given until then is good.
pub fn guess(
    pattern: &Pattern,
    words: &[String],
    keys: &[u32],
    task: &Task,
    sink: &(dyn Fn(Guess) + Sync),
) -> Result<Tried> {
    if pattern.has_words() && words.is_empty() {
        return Err(Error::usage("the pattern asks for words, and there are none"));
    }
    let count = pattern.count(words.len());
    if count > MOST_TRIED {
        return Err(Error::limit(format!("{count} names, no more than {MOST_TRIED} are tried")));
    }
    task.set_total(count);
    let keys = Keys::new(keys);
    let levels = Levels::new(pattern, words, task)?;
    let (tried, left) = (AtomicU64::new(0), AtomicU64::new(MOST_GUESSES));
    // How many beginnings are as much work as a step.
    let block = (STEP / levels.last.len().max(1)).max(1) as u64;
    let try_block = |start: u64| -> Result<()> {
        for beginning in start..(start + block).min(levels.beginnings) {
            let hash = levels.hash(beginning);
            for (part, texts) in levels.last.chunks(STEP).enumerate() {
                if left.load(Relaxed) == 0 {
                    return Ok(());
                }
                for (at, text) in texts.iter().enumerate() {
                    let key = text.after(hash);
                    if keys.may_hold(key) && keys.holds(key) {
                        if left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err() {
                            return Ok(());
                        }
                        let number = beginning * levels.last.len() as u64 + (part * STEP + at) as u64;
                        sink(Guess { key, name: pattern.name(number, words) });
                    }
                }
                tried.fetch_add(texts.len() as u64, Relaxed);
                task.check()?;
            }
        }
        Ok(())
    };
    (0..levels.beginnings.div_ceil(block)).into_par_iter().try_for_each(|at| {
        try_block(at * block)?;
        task.step((block.min(levels.beginnings - at * block)) * levels.last.len() as u64)
    })?;
    let tried = tried.into_inner();
    Ok(Tried { names: tried, is_full: tried < count })
}

/// What a text does to the hash of the name before it.
#[derive(Clone, Copy, Debug)]
struct Text {
    factor: u32,
    hash: u32,
}

impl Text {
    fn of(text: &[u8]) -> Self {
        let hash = string_hash(text);
        Self { factor: string_hash_from(1, text).wrapping_sub(hash), hash }
    }

    const fn after(self, hash: u32) -> u32 {
        hash.wrapping_mul(self.factor).wrapping_add(self.hash)
    }

    /// Both texts, this one first.
    const fn and(self, behind: Self) -> Self {
        Self { factor: self.factor.wrapping_mul(behind.factor), hash: behind.after(self.hash) }
    }
}

/// The parts of a pattern as what they do to hashes.
struct Levels {
    /// The hash of what stands before all parts.
    start: u32,
    /// The parts of the beginnings.
    first: Vec<Vec<Text>>,
    /// How many beginnings there are.
    beginnings: u64,
    /// The last parts put together.
    last: Vec<Text>,
}

impl Levels {
    fn new(pattern: &Pattern, words: &[String], task: &Task) -> Result<Self> {
        let mut first = Vec::new();
        for (count, (choices, behind)) in pattern.counts(words.len()).into_iter().zip(&pattern.parts) {
            if count > MOST_TEXTS {
                let text = format!("{count} texts in one pair of braces, expected no more than {MOST_TEXTS}");
                return Err(Error::limit(text));
            }
            let (mut level, mut text) = (Vec::new(), String::new());
            for choice in choices {
                for at in 0..choice.count(words.len()) {
                    if level.len().is_multiple_of(STEP) {
                        task.check()?;
                    }
                    text.clear();
                    choice.push(at, words, &mut text);
                    text.push_str(behind);
                    level.push(Text::of(text.as_bytes()));
                }
            }
            first.push(level);
        }
        let mut last = vec![Text::of(&[])];
        while let Some(level) = first.pop() {
            let is_cheap = level.len().saturating_mul(last.len()) <= TOGETHER || last.len() < FEW;
            if !is_cheap {
                first.push(level);
                break;
            }
            task.check()?;
            last = level.iter().flat_map(|text| last.iter().map(|behind| text.and(*behind))).collect();
        }
        let beginnings = first.iter().map(|level| level.len() as u64).product();
        Ok(Self { start: string_hash(pattern.start.as_bytes()), first, beginnings, last })
    }

    /// The hash of a beginning.
    fn hash(&self, mut number: u64) -> u32 {
        let text = self.first.iter().rev().fold(Text::of(&[]), |behind, level| {
            let count = level.len() as u64;
            let at = usize::try_from(number.checked_rem(count).unwrap_or(0)).unwrap_or(0);
            number = number.checked_div(count).unwrap_or(0);
            level.get(at).map_or(behind, |text| text.and(behind))
        });
        text.after(self.start)
    }
}

/// Keys, and for each value of their low bits whether any key has it, which rules out nearly every name.
struct Keys {
    sorted: Vec<u32>,
    bits: Vec<u64>,
    mask: u32,
}

impl Keys {
    /// Values for each key, and how many there are at most: as much memory as a processor's cache has.
    const SPARSE: usize = 64;
    const MOST_BITS: usize = 1 << 23;

    fn new(keys: &[u32]) -> Self {
        let mut sorted = keys.to_vec();
        sorted.par_sort_unstable();
        sorted.dedup();
        let count =
            (sorted.len().saturating_mul(Self::SPARSE)).clamp(64, Self::MOST_BITS).next_power_of_two();
        let mut bits = vec![0; count / 64];
        let mask = u32::try_from(count - 1).unwrap_or(u32::MAX);
        for key in &sorted {
            let at = key & mask;
            if let Some(word) = bits.get_mut(at as usize / 64) {
                *word |= 1u64 << (at % 64);
            }
        }
        Self { sorted, bits, mask }
    }

    fn may_hold(&self, key: u32) -> bool {
        let at = key & self.mask;
        self.bits.get(at as usize / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    fn holds(&self, key: u32) -> bool {
        self.sorted.binary_search(&key).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    fn tried(pattern: &str, words: &[&str], keys: &[u32]) -> Result<(Tried, Vec<Guess>)> {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        let hits = Mutex::new(Vec::new());
        let sink = |guess| hits.lock().unwrap().push(guess);
        let tried = guess(&Pattern::parse(pattern)?, &words, keys, &Task::new(), &sink)?;
        Ok((tried, hits.into_inner().unwrap()))
    }

    fn names(pattern: &str, words: &[&str], keys: &[&str]) -> Vec<String> {
        let keys: Vec<_> = keys.iter().map(|key| string_hash(key.as_bytes())).collect();
        let mut names: Vec<_> =
            tried(pattern, words, &keys).unwrap().1.into_iter().map(|hit| hit.name).collect();
        names.sort();
        names
    }

    #[test]
    fn the_name_of_a_key_is_guessed() {
        let (tried, hits) = tried("UI_{1-3}Sword_Starting_{N,D}", &[], &[7, 0xDCDB_4713]).unwrap();
        assert_eq!(tried, Tried { names: 6, is_full: false });
        assert_eq!(hits, [Guess { key: 0xDCDB_4713, name: "UI_1Sword_Starting_N".to_owned() }]);
    }

    #[test]
    fn every_name_is_tried_wherever_parts_are_put_together() {
        let found = ["a0000x0000b_N", "a0999x0500b_D", "a0999x0999b_N"];
        assert_eq!(names("a{0000-0999}x{0000-0999}b_{N,D}", &[], &found), found);
        assert_eq!(names("a{0-9}{0-9}{0-9}{0-9}{x}{0-9}{0-9}{0-9}{0-9}b_{N,D}", &[], &found), found);
        assert_eq!(names("{a}{0-999999}", &[], &["a0", "a999999", "b1"]), ["a0", "a999999"]);
        assert_eq!(names("{0-3000}{0-3000}", &[], &["30003000"]), ["30003000"]);
    }

    #[test]
    fn digits_words_and_empty_alternatives_are_tried() {
        assert_eq!(names("Item_{01-99}", &[], &["Item_7", "Item_07"]), ["Item_07"]);
        assert_eq!(names("UI_{*,}", &["Menu", "Orc"], &["ui_orc", "UI_"]), ["UI_", "UI_Orc"]);
        assert_eq!(names("Root", &[], &["root"]), ["Root"]);
        assert_eq!(names("", &[], &[""]), [""]);
        assert_eq!(names("{a,b}", &[], &[]), [""; 0]);
    }

    #[test]
    fn what_would_take_too_long_or_asks_for_nothing_is_refused() {
        let text = |pattern: &str, words: &[&str]| tried(pattern, words, &[1]).unwrap_err().to_string();
        assert_eq!(
            text("{0-999999}{0-99999}", &[]),
            "over a limit: 100000000000 names, no more than 10000000000 are tried"
        );
        assert_eq!(
            text("{1-5000000}", &[]),
            "over a limit: 5000000 texts in one pair of braces, expected no more than 4194304"
        );
        assert_eq!(text("UI_{*}", &[]), "the pattern asks for words, and there are none");
    }

    #[test]
    fn guessing_ends_when_it_is_cancelled_or_has_found_enough() {
        let task = Task::new();
        let pattern = Pattern::parse("{0-99999}{0-99999}").unwrap();
        let sink = |_| task.cancel();
        let keys = [string_hash(b"00")];
        let error = guess(&pattern, &[], &keys, &task, &sink).unwrap_err();
        assert!(error.is_cancelled());
        let (done, total) = task.progress();
        assert!(total == 10_000_000_000 && done < total / 10, "{done}");

        let count = AtomicU64::new(0);
        let sink = |_| {
            count.fetch_add(1, Relaxed);
        };
        let same = Pattern::parse("a{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}").unwrap();
        let tried = guess(&same, &[], &[string_hash(b"a")], &Task::new(), &sink).unwrap();
        assert!(tried.is_full);
        assert_eq!(count.into_inner(), MOST_GUESSES);
    }

    #[test]
    fn guesses_that_collide_are_told() {
        // Bytes beyond the table of the hash count as 0.
        let guess = |name: &str| Guess { key: string_hash(name.as_bytes()), name: name.to_owned() };
        let mut known = NameBook::new();
        known.extend(["Root", "\u{e9}y"]);
        let guesses = ["Orc", "root", "ORC", "\u{e9}x", "\u{e8}x", "\u{e8}y"].map(guess).to_vec();
        let mut keys = by_key(guesses, &known);
        keys.sort_by(|a, b| a.names.cmp(&b.names));
        let told: Vec<_> =
            keys.iter().map(|key| (key.names.join(" "), key.known.join(" "), key.standing())).collect();
        let expected = [
            ("ORC", "", Standing::Alone),
            ("root", "Root", Standing::Known),
            ("\u{e8}x \u{e9}x", "", Standing::Disputed),
            ("\u{e8}y", "\u{e9}y", Standing::Disputed),
        ];
        assert_eq!(
            told,
            expected.map(|(names, known, standing)| (names.to_owned(), known.to_owned(), standing))
        );
    }

    #[test]
    fn hits_by_chance_are_estimated() {
        assert!((by_chance(1 << 32, 10) - 10.0).abs() < 1e-9);
        assert!((by_chance(0, 10)).abs() < 1e-9);
    }
}
