//! Files that belong together: the tiers of a texture, a mesh with its skeleton and its textures,
//! tables of texts in several languages and layers.

mod dress;
mod mesh;
mod strings;
mod tiers;

pub use dress::{Dress, TextureFile, TextureRole};
pub use mesh::{Companion, Companions, Joined, Pair, Reach};
pub(crate) use strings::languages_of;
pub use strings::{Beside, SheetOf, TextCache, TextHit, TextHits};
pub use tiers::{TierFile, TierLevel, TierName, Tiers};
