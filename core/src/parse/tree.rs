//! The structure of one buffer as the parser read it.
//!
//! A node holds no value: panels read it from the bytes with the same [`Scalar`] that the parser
//! used. Tables of records are one node and unfold when asked for, see [`Place`](super::Place).

use std::ops::Range;

use super::name::Name;
use super::record::Layout;
use super::scalar::{Endian, Scalar};

/// What a node of the tree is.
#[derive(Clone, Copy, Debug)]
pub enum Ty {
    /// Named parts.
    Group,
    /// Elements of one kind.
    List {
        /// How many there are, recorded or not.
        count: u64,
    },
    /// Numbers.
    Value {
        /// Their kind.
        scalar: Scalar,
        /// Their byte order.
        endian: Endian,
        /// How many of them.
        count: usize,
    },
    /// Records of fixed size, one after another.
    Table {
        /// Their layout.
        layout: &'static Layout,
        /// Their byte order.
        endian: Endian,
        /// What a record stands for, from its bytes and the whole buffer.
        note: Option<RecordNote>,
    },
    /// Records of fixed size whose layout the file itself declares.
    Records {
        /// The number of the layout among those of the tree.
        layout: u32,
        /// Their byte order.
        endian: Endian,
    },
    /// Bytes that the parser does not look into.
    Bytes,
    /// Text.
    Text(TextKind),
    /// Filler.
    Padding,
    /// The elements of a list beyond those that were recorded.
    Rest {
        /// How many.
        count: u64,
    },
    /// Bytes that no field explains.
    Gap,
}

/// What a record stands for, from its own bytes and the whole buffer.
pub type RecordNote = fn(&[u8], &[u8]) -> String;

/// How text is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// One byte a character, or UTF-8.
    Bytes,
    /// Two bytes a unit, lowest byte first.
    Utf16,
}

/// One node: a name, a type and a range of bytes.
#[derive(Clone, Debug)]
pub struct Node {
    /// The node's name below its parent.
    pub name: Name,
    /// What it is.
    pub ty: Ty,
    /// First byte.
    pub start: u64,
    /// Bytes.
    pub len: u64,
    /// Groups and lists around it.
    pub depth: u16,
    /// Index after its last descendant.
    end: u32,
    pub(super) note: Option<u32>,
}

/// The nodes in the order in which the parser met them, parents first.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Layouts that the file declares.
    pub(super) layouts: Vec<Layout>,
    pub(super) notes: Vec<String>,
    /// Leaves by their start, then by the order in which they were met.
    pub(super) leaves: Vec<u32>,
}

impl Tree {
    /// Adds a node below the open ones and returns its index.
    pub(super) fn push(&mut self, name: Name, ty: Ty, start: u64, len: u64, depth: u16) -> usize {
        let at = self.nodes.len();
        self.nodes.push(Node { name, ty, start, len, depth, end: index(at + 1), note: None });
        at
    }

    /// Closes a group: what came after it, so far, is inside it.
    pub(super) fn close(&mut self, node: usize, end_of_bytes: u64) {
        let end = index(self.nodes.len());
        if let Some(node) = self.nodes.get_mut(node) {
            node.end = end;
            node.len = end_of_bytes.saturating_sub(node.start);
        }
    }

    /// Attaches a note to the newest node.
    pub(super) fn add_note(&mut self, text: String) {
        if let Some(node) = self.nodes.last_mut() {
            node.note = Some(index(self.notes.len()));
            self.notes.push(text);
        }
    }

    /// Makes the tree ready for questions: names what no field explains and sorts the leaves.
    pub(super) fn finish(&mut self, len: u64) {
        self.sort_leaves();
        for gap in self.gaps(len) {
            self.push(Name::Field("unexplained"), Ty::Gap, gap.start, gap.end - gap.start, 0);
        }
        self.sort_leaves();
    }

    fn sort_leaves(&mut self) {
        let nodes = &self.nodes;
        let has_bytes = |node: &Node| node.len > 0 && !matches!(node.ty, Ty::Group | Ty::List { .. });
        self.leaves = (0..).zip(nodes).filter(|(_, node)| has_bytes(node)).map(|(at, _)| at).collect();
        self.leaves.sort_by_key(|&at| nodes.get(at as usize).map_or(0, |node| node.start));
    }

    /// All nodes, parents before their children.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node at an index.
    pub fn get(&self, node: u32) -> Option<&Node> {
        self.nodes.get(node as usize)
    }

    /// The nodes without a parent.
    pub fn roots(&self) -> impl Iterator<Item = u32> + '_ {
        self.siblings(0, index(self.nodes.len()))
    }

    /// The nodes right below a node.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.get(node).map_or(0, |node| node.end);
        self.siblings(node + 1, end)
    }

    fn siblings(&self, first: u32, end: u32) -> impl Iterator<Item = u32> + '_ {
        let next = |&at: &u32| self.get(at).map(|node| node.end);
        std::iter::successors(Some(first), next).take_while(move |&at| at < end)
    }

    /// The nodes above a node, outermost first, and the node itself.
    pub fn ancestry(&self, node: u32) -> Vec<u32> {
        let mut path = vec![node];
        let mut depth = self.get(node).map_or(0, |node| node.depth);
        for at in (0..node).rev() {
            if depth == 0 {
                break;
            }
            if self.get(at).is_some_and(|above| above.depth + 1 == depth) {
                path.push(at);
                depth -= 1;
            }
        }
        path.reverse();
        path
    }

    /// The ranges of a buffer of `len` bytes that no leaf covers.
    pub fn gaps(&self, len: u64) -> Vec<Range<u64>> {
        let mut gaps = Vec::new();
        let mut covered = 0;
        for node in self.leaves.iter().filter_map(|&at| self.get(at)) {
            if node.start > covered {
                gaps.push(covered..node.start.min(len));
            }
            covered = covered.max(node.start.saturating_add(node.len));
        }
        if covered < len {
            gaps.push(covered..len);
        }
        gaps
    }
}

fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
