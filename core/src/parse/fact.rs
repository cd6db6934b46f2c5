//! What a parser says about a file in a few words: the facts strip and `info --json`.

/// Facts in the order in which the parser stated them, with the keys of the command-line contract.
pub type Facts = Vec<(&'static str, Fact)>;

/// One fact.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// Yes or no.
    Bool(bool),
    /// A number without sign.
    Integer(u64),
    /// A number with sign.
    Signed(i64),
    /// A real number.
    Float(f64),
    /// Words.
    Text(String),
    /// Several of a kind.
    List(Vec<Self>),
    /// Named parts.
    Map(Facts),
}

impl From<f32> for Fact {
    /// The number as it is written in short: a wider float would show digits that the file does not have.
    fn from(value: f32) -> Self {
        Self::Float(value.to_string().parse().unwrap_or_else(|_| value.into()))
    }
}

macro_rules! fact_from {
    ($($from:ty => $variant:ident),+ $(,)?) => {$(
        impl From<$from> for Fact {
            fn from(value: $from) -> Self {
                Self::$variant(value.into())
            }
        }
    )+};
}

fact_from!(
    bool => Bool, u8 => Integer, u16 => Integer, u32 => Integer, u64 => Integer,
    i32 => Signed, i64 => Signed,
    f64 => Float, &str => Text, String => Text, Vec<Fact> => List, Facts => Map,
);
