//! Files that belong together: the tiers of a texture, a mesh with its skeleton and its textures.

mod mesh;
mod tiers;

pub use mesh::{Dress, Joined, MeshFile, Offered, Reach, SkeletonFile, TextureFile, TextureRole};
pub use tiers::{TierFile, TierLevel, TierName, Tiers};
