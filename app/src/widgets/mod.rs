//! Pieces of panels that know nothing of the session.

pub mod card;
pub mod combo;
pub mod field;
pub mod keys;
pub mod menu;
pub mod row;
pub mod rows;
pub mod split;
pub mod text;
pub mod treemap;
