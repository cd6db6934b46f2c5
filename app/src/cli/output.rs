//! Standard output and standard error, written in one place.

use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind as IoErrorKind, Stdout, Write as _};

use palimpsest_core::error::{Error, ErrorKind, Result};
use serde_json::Value;

use super::Outcome;

/// Letters that a column is widened for.
const WIDEST: usize = 400;

/// What a command prints, and whether anything failed on the way.
pub(super) struct Output {
    out: BufWriter<Stdout>,
    some_failed: bool,
}

impl Output {
    pub(super) fn new() -> Self {
        Self { out: BufWriter::new(io::stdout()), some_failed: false }
    }

    /// Prints a line.
    ///
    /// # Errors
    /// When standard output is closed, which ends the command.
    pub(super) fn line(&mut self, line: impl Display) -> Result<()> {
        writeln!(self.out, "{line}").map_err(of_output)
    }

    /// Prints a JSON value on one line.
    ///
    /// # Errors
    /// See [`line`](Self::line).
    pub(super) fn json(&mut self, value: &Value) -> Result<()> {
        self.line(value)
    }

    /// Prints bytes as they are.
    ///
    /// # Errors
    /// See [`line`](Self::line).
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes).map_err(of_output)
    }

    /// Prints rows in columns: text to the left, what `right` names to the right.
    ///
    /// # Errors
    /// See [`line`](Self::line).
    pub(super) fn table<const N: usize>(&mut self, right: [bool; N], rows: &[[String; N]]) -> Result<()> {
        let mut widths = [0; N];
        for row in rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                // Other lines are not made as long as a very long one.
                *width = (*width).max(cell.chars().count().min(WIDEST));
            }
        }
        for row in rows {
            let mut line = String::new();
            // A column in which nothing stands takes no room.
            for ((cell, width), right) in
                row.iter().zip(widths).zip(right).filter(|((_, width), _)| *width > 0)
            {
                let gap = " ".repeat(width.saturating_sub(cell.chars().count()));
                let (before, behind) = if right { (gap.as_str(), "") } else { ("", gap.as_str()) };
                line.extend([before, cell, behind, "  "]);
            }
            self.line(line.trim_end())?;
        }
        Ok(())
    }

    /// Names a failure on standard error; the command goes on.
    pub(super) fn failed(&mut self, error: impl Display) {
        self.fail();
        self.complain(error);
    }

    /// Ends the command as one that failed in part, for what was named already.
    pub(super) fn fail(&mut self) {
        self.some_failed = true;
    }

    /// Names something on standard error that is wrong, and harms nothing of what was asked for.
    pub(super) fn complain(&mut self, error: impl Display) {
        // What was printed so far comes first where both streams go to one place.
        let _ = self.out.flush();
        complain("error", error);
    }

    /// Says something on standard error that is no failure.
    pub(super) fn warn(&mut self, warning: impl Display) {
        let _ = self.out.flush();
        complain("warning", warning);
    }

    /// The outcome of a command that ended with `result`.
    pub(super) fn finish(mut self, result: Result<()>) -> Outcome {
        let result = result.and_then(|()| self.out.flush().map_err(of_output));
        match result {
            Ok(()) if self.some_failed => Outcome::SomeFailed,
            Ok(()) => Outcome::Done,
            Err(error) => match error.kind() {
                // Whoever reads the output has seen enough.
                ErrorKind::Io(io) if io.kind() == IoErrorKind::BrokenPipe => Outcome::Done,
                ErrorKind::Usage(_) => {
                    self.failed(error);
                    Outcome::Usage
                }
                _ => {
                    self.failed(error);
                    Outcome::SomeFailed
                }
            },
        }
    }
}

fn of_output(error: std::io::Error) -> Error {
    Error::from(error).of("standard output")
}

/// A line on standard error; names from files cannot break it.
#[expect(clippy::print_stderr, reason = "the command line speaks to people here, and nowhere else")]
fn complain(kind: &str, text: impl Display) {
    eprintln!("{kind}: {}", printable(&text.to_string()));
}

/// The text with control characters as `\u{…}`, so that a name cannot act on a terminal, nor show
/// itself in another order than it is stored in.
pub(super) fn printable(text: &str) -> String {
    let turns = |c| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        if c.is_control() || turns(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_cannot_act_on_a_terminal() {
        assert_eq!(printable("a\\b\u{1b}[2J\n"), "a\\b\\u{1b}[2J\\u{a}");
        assert_eq!(printable("Málë"), "Málë");
    }

    #[test]
    fn names_cannot_turn_their_letters_around() {
        assert_eq!(printable("a\u{202e}xet.exe"), "a\\u{202e}xet.exe");
        for c in ['\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{2066}', '\u{2069}'] {
            assert_eq!(printable(&c.to_string()), format!("\\u{{{:x}}}", u32::from(c)));
        }
        assert_eq!(printable("שלום"), "שלום");
    }
}
