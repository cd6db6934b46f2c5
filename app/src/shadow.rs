//! The tab with the shadow map: the stack that it is about, the map, and the comparison of copies.

use std::sync::Arc;

use palimpsest_core::mount::{ShadowMap, Twins};

use crate::jobs::Load;
use crate::session::Mounted;

/// The tab; there is one at most.
#[derive(Debug, Default)]
pub struct MapTab {
    /// The stack that was last asked about.
    pub of: Option<Arc<Mounted>>,
    /// The map of it, until it is shown.
    pub load: Option<Load<ShadowMap>>,
    /// The map that is shown, which stays while another one of the same mount is on its way.
    pub shown: Option<Mapped>,
    /// Which shadowed copies are the same bytes as the winner, once somebody asked.
    pub twins: Option<Load<Arc<Twins>>>,
}

/// A map and its stack.
#[derive(Clone, Debug)]
pub struct Mapped {
    /// The stack.
    pub mounted: Arc<Mounted>,
    /// The map.
    pub map: Arc<ShadowMap>,
}

/// What can be done with the tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapCommand {
    /// Open it, or bring it to the front.
    Show,
    /// Close it.
    Close,
    /// Make the map again.
    Retry,
    /// Find the shadowed copies that are the same bytes as the winner.
    Compare,
}
