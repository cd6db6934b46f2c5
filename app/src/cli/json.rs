//! Core's values as JSON, with the keys of the command-line contract.

use palimpsest_core::hash::NameBook;
use palimpsest_core::mount::{CopyRef, EntryId, Stack};
use palimpsest_core::parse::{Fact, Facts, Place, Tree, Ty};
use serde_json::{Map, Value, json};

/// How many records of a table the tree unfolds; the rest is one item, as for lists.
pub(super) const MAX_RECORDS: u64 = 1000;

/// One copy of a path, as `ls` lists it under a spelling of the path.
pub(super) fn copy(stack: &Stack, path: &str, entry: EntryId, copy: CopyRef) -> Value {
    let layer = stack.layer(copy);
    let stat = layer.map(|layer| layer.stat(copy.file)).unwrap_or_default();
    json!({
        "path": path,
        "layer": layer.map(|layer| &layer.name),
        "layer_index": copy.layer,
        "kind": stack.kind(copy).name(),
        "container": stack.container_of(copy).map(|container| stack.path_of(container)),
        "size": stat.size,
        "stored": stat.stored,
        "copies": stack.index().copies(entry).len(),
    })
}

/// The facts of a file under their keys.
pub(super) fn facts(facts: &Facts) -> Value {
    facts.iter().map(|(key, value)| ((*key).to_owned(), fact(value))).collect::<Map<_, _>>().into()
}

fn fact(value: &Fact) -> Value {
    match value {
        Fact::Bool(value) => json!(value),
        Fact::Integer(value) => json!(value),
        Fact::Signed(value) => json!(value),
        Fact::Float(value) => json!(value),
        Fact::Text(value) => json!(value),
        Fact::List(values) => values.iter().map(fact).collect(),
        Fact::Map(values) => facts(values),
    }
}

/// The structure of a file; `names` are shown beside hashes.
pub(super) fn tree(tree: &Tree, bytes: &[u8], names: &NameBook) -> Value {
    let writer = Nodes { tree, bytes, names };
    tree.roots().map(|node| writer.node(node)).collect()
}

struct Nodes<'a> {
    tree: &'a Tree,
    bytes: &'a [u8],
    names: &'a NameBook,
}

impl Nodes<'_> {
    fn node(&self, node: u32) -> Value {
        let mut children: Vec<Value> = self.tree.children(node).map(|child| self.node(child)).collect();
        if let Some(layout) = self.tree.layout(node) {
            let records = self.tree.records(node);
            for record in 0..records.min(MAX_RECORDS) {
                let place = |field| Place { node, record: Some(record), field };
                let fields = (0..layout.fields.len()).map(|field| self.item(place(Some(field)), json!([])));
                children.push(self.item(place(None), fields.collect()));
            }
            if records > MAX_RECORDS {
                children.push(self.rest(node, layout.size as u64, records - MAX_RECORDS));
            }
        }
        self.item(Place::node(node), children.into())
    }

    fn item(&self, place: Place, children: Value) -> Value {
        let range = self.tree.range(place);
        let mut item = json!({
            "name": self.tree.name(place),
            "type": self.tree.type_name(place),
            "offset": range.start,
            "size": range.end - range.start,
            "value": self.value(place),
        });
        if let Some(item) = item.as_object_mut() {
            item.insert("children".to_owned(), children);
        }
        if let (Some(hash), Some(item)) = (self.tree.hash(place, self.bytes), item.as_object_mut()) {
            let names: Vec<_> = self.names.names(hash).collect();
            if !names.is_empty() {
                item.insert("names".to_owned(), json!(names));
            }
        }
        if let (None, Some(note), Some(item)) = (place.field, self.tree.note(place), item.as_object_mut()) {
            item.insert("note".to_owned(), json!(note));
        }
        item
    }

    /// The value: a number where it is one, text otherwise, nothing for structure.
    fn value(&self, place: Place) -> Value {
        let text = self.tree.value(place, self.bytes);
        let is_number = matches!(
            self.tree.get(place.node).map(|node| node.ty),
            Some(Ty::Value { .. } | Ty::Table { .. })
        );
        match text.parse::<serde_json::Number>() {
            Ok(number) if is_number => Value::Number(number),
            _ if text.is_empty() => Value::Null,
            _ => Value::String(text),
        }
    }

    fn rest(&self, node: u32, record_size: u64, count: u64) -> Value {
        let range = self.tree.range(Place::node(node));
        json!({
            "name": "rest",
            "type": format!("{count} more"),
            "offset": range.end - count * record_size,
            "size": count * record_size,
            "value": null,
            "children": [],
        })
    }
}
