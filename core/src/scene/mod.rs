//! Files that belong together: the tiers of a texture, a mesh with its skeleton and its textures.

mod dress;
mod mesh;
mod tiers;

pub use dress::{Dress, TextureFile, TextureRole};
pub use mesh::{Companion, Companions, Joined, Pair, Reach};
pub use tiers::{TierFile, TierLevel, TierName, Tiers};
