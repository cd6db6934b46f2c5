//! d
/// How many bytes of a file are read and parsed at once.
pub const READ_LIMIT: u64 = 256 << 20;
