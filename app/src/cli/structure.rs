//! The structure of a file as an indented list.

use palimpsest_core::error::Result;
use palimpsest_core::hash::NameBook;
use palimpsest_core::parse::{Place, Tree};

use super::json::MAX_RECORDS;
use super::output::{Output, printable};
use crate::format::{count, number};

/// Prints the structure; `names` are shown beside hashes.
pub(super) fn print(tree: &Tree, bytes: &[u8], names: &NameBook, out: &mut Output) -> Result<()> {
    let mut list = List { tree, bytes, names, out };
    for (at, node) in (0..).zip(tree.nodes()) {
        list.line(Place::node(at), node.depth.into())?;
        list.records(at, node.depth.into())?;
    }
    Ok(())
}

struct List<'a> {
    tree: &'a Tree,
    bytes: &'a [u8],
    names: &'a NameBook,
    out: &'a mut Output,
}

impl List<'_> {
    /// The records of a table with their fields, as many as JSON has.
    fn records(&mut self, node: u32, depth: usize) -> Result<()> {
        let Some(layout) = self.tree.layout(node) else { return Ok(()) };
        let records = self.tree.records(node);
        for record in 0..records.min(MAX_RECORDS) {
            let place = |field| Place { node, record: Some(record), field };
            self.line(place(None), depth + 1)?;
            for field in 0..layout.fields.len() {
                self.line(place(Some(field)), depth + 2)?;
            }
        }
        match records.saturating_sub(MAX_RECORDS) {
            0 => Ok(()),
            more => self.out.line(format!(
                "{:>20}  {}and {}",
                "",
                "  ".repeat(depth + 1),
                count(more, "more record")
            )),
        }
    }

    fn line(&mut self, place: Place, depth: usize) -> Result<()> {
        let (tree, bytes) = (self.tree, self.bytes);
        let name = format!("{}{}", "  ".repeat(depth), tree.name(place));
        let hash = tree.hash(place, bytes);
        let known = hash.map(|hash| self.names.names(hash).collect::<Vec<_>>().join(", "));
        let meaning = tree.meaning(place, bytes).map(|meaning| meaning.into_owned());
        let meaning = [Some(tree.value(place, bytes)), known, meaning];
        let meaning: Vec<_> = meaning.into_iter().flatten().filter(|text| !text.is_empty()).collect();
        let range = tree.range(place);
        let line = format!(
            "{:08X} {:>11}  {name:<32} {:<20} {}",
            range.start,
            number(range.end - range.start),
            tree.type_name(place),
            meaning.join("  ")
        );
        self.out.line(printable(line.trim_end()))
    }
}
