//! Where a file goes: in blocks, up to a limit.

use std::io::Write;

use crate::error::{Error, Result};
use crate::task::Task;

/// Bytes between two looks at the limit and the task.
const BLOCK: usize = 1 << 16;

/// A writer that stops at a limit, and where the task is cancelled.
pub(super) struct Out<'a> {
    writer: &'a mut dyn Write,
    held: Vec<u8>,
    written: u64,
    most: u64,
    task: &'a Task,
}

impl<'a> Out<'a> {
    pub(super) fn new(writer: &'a mut dyn Write, most: u64, task: &'a Task) -> Self {
        Self { writer, held: Vec::new(), written: 0, most, task }
    }

    pub(super) fn put(&mut self, text: &str) -> Result<()> {
        self.held.extend_from_slice(text.as_bytes());
        if self.held.len() < BLOCK { Ok(()) } else { self.flush() }
    }

    pub(super) fn put_char(&mut self, letter: char) -> Result<()> {
        self.put(letter.encode_utf8(&mut [0; 4]))
    }

    /// Writes what is held back.
    pub(super) fn finish(&mut self) -> Result<()> {
        self.flush()?;
        Ok(self.writer.flush()?)
    }

    fn flush(&mut self) -> Result<()> {
        self.task.check()?;
        self.written += self.held.len() as u64;
        if self.written > self.most {
            return Err(Error::limit(format!("a file of more than {} bytes", self.most)));
        }
        self.writer.write_all(&self.held)?;
        self.held.clear();
        Ok(())
    }
}
