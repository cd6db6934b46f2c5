//! Memory that arrays are decoded to.

use super::array::{Array, Arrays};
use super::copy::SLACK;
use crate::error::Result;

/// A buffer that only grows, with some room behind what is in use.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    len: usize,
}

impl Buffer {
    /// Makes room for `len` bytes, whatever was in it.
    pub(super) fn room(&mut self, len: usize) -> &mut [u8] {
        if self.bytes.len() < len + SLACK {
            self.bytes.resize(len + SLACK, 0);
        }
        self.len = len;
        self.bytes.get_mut(..len).unwrap_or_default()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// What is in use, and [`SLACK`] bytes behind it.
    pub(super) fn with_slack(&self) -> &[u8] {
        self.bytes.get(..self.len + SLACK).unwrap_or_default()
    }

    /// Takes an array of at most `limit` bytes.
    pub(super) fn take(&mut self, arrays: &mut Arrays, input: &mut &[u8], limit: usize) -> Result<()> {
        let array = Array::take(input, limit)?;
        arrays.decode(&array, self.room(array.size))
    }
}
