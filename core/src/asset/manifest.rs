//! Lists of paths that lie elsewhere.

use std::sync::Arc;

/// A list of paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The paths in file order.
    pub members: Vec<Member>,
}

/// One path of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The path, as stored; members that share a name in the file share its text.
    pub path: Arc<str>,
    /// The path's hash, where the file states one.
    pub hash: Option<u32>,
}
