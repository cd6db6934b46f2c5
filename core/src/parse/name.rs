//! Names of fields, as errors and the structure tree show them.

use std::fmt;
use std::sync::Arc;

/// The name of one step of a field path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Name {
    /// A field that the program knows.
    Field(&'static str),
    /// An element of a list, from 0.
    Index(u64),
    /// A name that the file itself gives.
    Given(Arc<str>),
}

impl Name {
    /// Joins names to a path such as `header.files[2].size`.
    pub fn join(path: &[Self]) -> String {
        let mut text = String::new();
        for name in path {
            if !text.is_empty() && !matches!(name, Self::Index(_)) {
                text.push('.');
            }
            text.push_str(&name.to_string());
        }
        text
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => f.write_str(name),
            Self::Index(index) => write!(f, "[{index}]"),
            Self::Given(name) => f.write_str(name),
        }
    }
}

impl From<&'static str> for Name {
    fn from(name: &'static str) -> Self {
        Self::Field(name)
    }
}

impl From<u64> for Name {
    fn from(index: u64) -> Self {
        Self::Index(index)
    }
}
