//! Links to a copy: text that names its layer and its path.

use super::Stack;
use super::index::{CopyRef, EntryId};

/// What a link begins with.
const SCHEME: &str = "palimpsest:";

impl Stack {
    /// The link to a copy of a path: `palimpsest:Patch_11.arch06:weapons\sword.tex`.
    pub fn link(&self, entry: EntryId, copy: CopyRef) -> String {
        let layer = self.layer(copy).map_or("", |layer| &layer.name);
        format!("{SCHEME}{layer}:{}", self.path(entry))
    }

    /// The path that a link leads to, and the position of the copy among its copies: that of the layer
    /// which the link names, the winner where that layer holds none. `None` for text that is no
    /// link, and for paths that no layer holds.
    pub fn follow(&self, link: &str) -> Option<(EntryId, usize)> {
        // A layer's name may have colons in it on some systems; a path of a layer has none.
        let (layer, path) = link.trim().strip_prefix(SCHEME)?.rsplit_once(':')?;
        let entry = self.find(path)?;
        let named = |copy: &CopyRef| self.layer(*copy).is_some_and(|of| of.name.eq_ignore_ascii_case(layer));
        Some((entry, self.index().copies(entry).iter().position(named).unwrap_or(0)))
    }
}
