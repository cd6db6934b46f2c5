//! Lists of paths that lie elsewhere.

use std::sync::Arc;

/// A list of paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The paths in file order.
    pub members: Vec<Member>,
    /// The type of the bundle that it lists, as stored; `None` for lists of another kind.
    pub kind: Option<Arc<str>>,
}

/// One path of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The path, as stored; members that share a name in the file share its text.
    pub path: Arc<str>,
    /// The path's hash, where the file states one.
    pub hash: Option<u32>,
    /// The bytes that the file says it has.
    pub size: Option<u64>,
}
