//! What is wrong with the rows that were written, counted.

use std::collections::BTreeMap;

use crate::asset::StringFault;
use crate::export::{Form, Told};

/// Faults of rows by column and kind.
#[derive(Debug, Default)]
pub(super) struct Tally {
    found: BTreeMap<(usize, StringFault), Found>,
}

#[derive(Clone, Copy, Debug)]
struct Found {
    rows: u64,
    /// The key of the first row.
    key: u32,
}

impl Tally {
    /// Notes a fault of a row.
    pub(super) fn add(&mut self, column: usize, fault: StringFault, key: u32) {
        self.found.entry((column, fault)).or_insert(Found { rows: 0, key }).rows += 1;
    }

    /// A sentence for each kind of fault in each column.
    pub(super) fn told(&self, titles: &[String], form: Form) -> Told {
        let mut told = Told::default();
        for ((column, fault), Found { rows, key }) in &self.found {
            let title = titles.get(*column).filter(|_| titles.len() > 1);
            let of = title.map(|title| format!(" of {title}")).unwrap_or_default();
            let (rows, first) = match rows {
                1 => (format!("1 row{of}"), format!("of key 0x{key:08X}")),
                rows => (format!("{rows} rows{of}"), format!("the first of key 0x{key:08X}")),
            };
            let became = match fault {
                StringFault::PastEnd => "; there is no text to write",
                StringFault::LoneSurrogate if form == Form::Json => "; written as an escape",
                StringFault::LoneSurrogate => "; written as U+FFFD",
                _ => "",
            };
            let text = format!("{rows}, {first}: {}{became}", fault.words());
            // What the file promises and does not hold.
            if *fault == StringFault::PastEnd { told.missing.push(text) } else { told.notes.push(text) }
        }
        told
    }
}
