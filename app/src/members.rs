//! Where it is kept what bundles hold.

use palimpsest_core::mount::BundleCache;

/// The cache in the user's folder for such files; `None` on systems that have none.
pub fn cache() -> Option<BundleCache> {
    dirs::cache_dir().map(|folder| BundleCache::new(folder.join("palimpsest").join("bundles")))
}
