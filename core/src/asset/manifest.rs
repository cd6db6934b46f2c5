//! Lists of paths that lie elsewhere.

/// A list of paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The paths in file order.
    pub members: Vec<Member>,
}

/// One path of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The path, as stored.
    pub path: String,
    /// The path's hash, where the file states one.
    pub hash: Option<u32>,
}
