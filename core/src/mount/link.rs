//! Links to a copy: text that names its layer and its path.

use super::Stack;
use super::index::{CopyRef, EntryId};

/// What a link begins with.
const SCHEME: &str = "palimpsest:";

impl Stack {
    /// The link to a copy of a path: `palimpsest:Patch_11.arch06:weapons\sword.tex`.
    pub fn link(&self, entry: EntryId, copy: CopyRef) -> String {
        let layer = self.layer_name(copy);
        let container = self.container_of(copy).map(|container| format!(":{}", self.path_of(container)));
        format!("{SCHEME}{layer}{}:{}", container.unwrap_or_default(), self.path(entry))
    }

    /// The path that a link leads to, and the position of the copy among its copies: that of the layer
    /// which the link names, the winner where that layer holds none. `None` for text that is no
    /// link, and for paths that no layer holds.
    pub fn follow(&self, link: &str) -> Option<(EntryId, usize)> {
        self.lead(link).map(|(entry, copy)| (entry, copy.unwrap_or(0)))
    }

    /// The same where the copy itself is there; `None` where only others of the path are.
    pub fn follow_exactly(&self, link: &str) -> Option<(EntryId, usize)> {
        self.lead(link).and_then(|(entry, copy)| Some((entry, copy?)))
    }

    fn lead(&self, link: &str) -> Option<(EntryId, Option<usize>)> {
        // A layer's name may have colons in it on some systems; a path of a layer has none.
        let (layer, path) = link.trim().strip_prefix(SCHEME)?.rsplit_once(':')?;
        let entry = self.find(path)?;
        let is_in = |copy: CopyRef, name: &str| {
            self.layer(copy).is_some_and(|layer| layer.name.eq_ignore_ascii_case(name))
        };
        let is_file = |copy: &CopyRef| !self.is_member(*copy) && is_in(*copy, layer);
        let copies = self.index().copies(entry);
        let of_member = || {
            let (layer, container) = layer.rsplit_once(':')?;
            let is_named = |copy: &CopyRef| {
                let held_by = self.container_of(*copy).map(|container| self.path_of(container));
                is_in(*copy, layer) && held_by.is_some_and(|path| path.eq_ignore_ascii_case(container))
            };
            copies.iter().position(is_named)
        };
        Some((entry, copies.iter().position(is_file).or_else(of_member)))
    }
}
