//! Globs over names as bytes: `*` stands for anything, `?` for one byte.

/// A pattern that has to cover a whole name, letter case folded by the caller.
#[derive(Clone, Debug)]
pub(super) struct Glob {
    pattern: Vec<u8>,
    /// Bytes behind the last star.
    end: usize,
    has_folder: bool,
}

impl Glob {
    /// A glob, whose letters fold to lower case.
    pub(super) fn new(pattern: &str) -> Self {
        let pattern = pattern.to_ascii_lowercase().into_bytes();
        let end = pattern.iter().rev().take_while(|byte| **byte != b'*').count();
        Self { end, has_folder: pattern.contains(&b'\\'), pattern }
    }

    /// Whether the pattern can be meant for a leaf name: it names no folder.
    pub(super) const fn is_for_leaf(&self) -> bool {
        !self.has_folder
    }

    /// Whether the pattern can cover more of a path than its leaf name: it names a folder, or a star
    /// in it can stand for one.
    pub(super) fn is_for_path(&self) -> bool {
        self.has_folder || self.end < self.pattern.len()
    }

    /// Whether the pattern covers a lower-case name.
    pub(super) fn covers(&self, name: &[u8]) -> bool {
        // Nearly every name fails at its end, which costs nothing to look at.
        let fits = |(pattern, byte): (&u8, &u8)| *pattern == b'?' || pattern == byte;
        if name.len() < self.end || !self.pattern.iter().rev().zip(name.iter().rev()).take(self.end).all(fits)
        {
            return false;
        }
        let (mut at, mut in_name) = (0, 0);
        // The newest star, and how much of the name it covers at most so far.
        let mut star: Option<(usize, usize)> = None;
        while in_name < name.len() {
            match self.pattern.get(at) {
                Some(b'*') => {
                    star = Some((at, in_name));
                    at += 1;
                }
                Some(byte) if *byte == b'?' || name.get(in_name) == Some(byte) => {
                    at += 1;
                    in_name += 1;
                }
                _ => match &mut star {
                    Some((behind, covered)) => {
                        *covered += 1;
                        at = *behind + 1;
                        in_name = *covered;
                    }
                    None => return false,
                },
            }
        }
        self.pattern.iter().skip(at).all(|byte| *byte == b'*')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_cover_anything_and_question_marks_one_byte() {
        let covered = [
            ("*", ""),
            ("**", "a"),
            ("", ""),
            ("a", "a"),
            ("?", "a"),
            ("*.tex", "a.tex"),
            ("a*b*c", "aXbXbXc"),
            ("*ab", "aab"),
            ("A*", "abc"),
            ("*a?", "xaab"),
            ("a\\*", "a\\b\\c"),
        ];
        for (glob, name) in covered {
            assert!(Glob::new(glob).covers(name.as_bytes()), "{glob} {name}");
        }
        let not = [
            ("", "a"),
            ("?", ""),
            ("*.tex", "a.tex0"),
            ("a*b", "abc"),
            ("ab", "a"),
            ("a", "ab"),
            ("*a*b", "b"),
        ];
        for (glob, name) in not {
            assert!(!Glob::new(glob).covers(name.as_bytes()), "{glob} {name}");
        }
    }

    #[test]
    fn many_stars_do_not_take_forever() {
        let glob = Glob::new(&"a*".repeat(40));
        assert!(!glob.covers(&b"a".repeat(39)));
        assert!(Glob::new(&format!("{}b", "*a".repeat(20))).covers(&[&b"a".repeat(5000)[..], b"b"].concat()));
    }
}
