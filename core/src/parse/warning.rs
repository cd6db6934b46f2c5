//! Broken rules that do not stop a reader.

/// How many warnings a file keeps in full; the rest is counted.
pub const MAX_WARNINGS: usize = 200;

/// A rule of the format that the file breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The field at fault, such as `files[2].name`.
    pub field: String,
    /// Where it starts in the file.
    pub offset: u64,
    /// Bytes at fault.
    pub len: u64,
    /// What was found and what was expected.
    pub text: String,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {:#X}: {}", self.field, self.offset, self.text)
    }
}

/// The warnings about one file: the first ones whole, all of them counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings {
    kept: Vec<Warning>,
    count: u64,
}

impl Warnings {
    /// Adds a warning; the text is made only when it is kept.
    pub fn add(&mut self, warning: impl FnOnce() -> Warning) {
        self.count += 1;
        if self.kept.len() < MAX_WARNINGS {
            self.kept.push(warning());
        }
    }

    /// The warnings that were kept, in the order in which they were found.
    pub fn kept(&self) -> &[Warning] {
        &self.kept
    }

    /// How many there are in all.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether the file breaks no rule.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// One line each; a last line counts those that were not kept.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let left_out = self.count - self.kept.len() as u64;
        let last = (left_out > 0).then(|| format!("and {left_out} more warnings"));
        self.kept.iter().map(Warning::to_string).chain(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_bounded_and_counted() {
        let mut warnings = Warnings::default();
        for n in 0..MAX_WARNINGS as u64 + 5 {
            warnings.add(|| Warning { field: "a".into(), offset: n, len: 1, text: "odd".into() });
        }
        assert_eq!(warnings.kept().len(), MAX_WARNINGS);
        assert_eq!(warnings.lines().next().unwrap(), "a at 0x0: odd");
        assert_eq!(warnings.lines().last().unwrap(), "and 5 more warnings");
    }
}
