//! The values a field can hold, with one reader for the parser and the panels alike.

use std::fmt;

use half::f16;

/// The byte order of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Endian {
    /// Lowest byte first.
    #[default]
    Little,
    /// Highest byte first.
    Big,
}

/// The kind of one number in a file; what it means decides its tint and how it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// Unsigned, 1 byte.
    U8,
    /// Unsigned, 2 bytes.
    U16,
    /// Unsigned, 4 bytes.
    U32,
    /// Unsigned, 8 bytes.
    U64,
    /// Signed, 2 bytes.
    I16,
    /// Signed, 4 bytes.
    I32,
    /// IEEE 754, 2 bytes.
    F16,
    /// IEEE 754, 4 bytes.
    F32,
    /// A word of single bits, 4 bytes.
    Bits32,
    /// A hash of a name, 4 bytes.
    Hash32,
    /// A place in the file or in a part of it, 4 bytes.
    Offset32,
    /// A place in the file, 8 bytes.
    Offset64,
}

/// A number read from bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Without sign.
    Unsigned(u64),
    /// With sign.
    Signed(i64),
    /// Real.
    Float(f32),
    /// Single bits, shown in hexadecimal.
    Bits(u32),
    /// A hash, shown in hexadecimal.
    Hash(u32),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsigned(value) => write!(f, "{value}"),
            Self::Signed(value) => write!(f, "{value}"),
            // Short for the very large and the very small, and never without a point or exponent.
            Self::Float(value) => write!(f, "{value:?}"),
            Self::Bits(value) | Self::Hash(value) => write!(f, "0x{value:08X}"),
        }
    }
}

impl Scalar {
    /// Bytes of one value.
    pub const fn size(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 | Self::I16 | Self::F16 => 2,
            Self::U32 | Self::I32 | Self::F32 | Self::Bits32 | Self::Hash32 | Self::Offset32 => 4,
            Self::U64 | Self::Offset64 => 8,
        }
    }

    /// The name of the type as the structure panel shows it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::I16 => "i16",
            Self::I32 => "i32",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::Bits32 => "bits32",
            Self::Hash32 => "hash32",
            Self::Offset32 => "offset32",
            Self::Offset64 => "offset64",
        }
    }

    /// Reads one value from the start of `bytes`; `None` when they are too few.
    pub fn read(self, bytes: &[u8], endian: Endian) -> Option<Number> {
        let bytes = bytes.get(..self.size())?;
        Some(match self {
            Self::U8 => Number::Unsigned(u8::read(bytes, endian).into()),
            Self::U16 => Number::Unsigned(u16::read(bytes, endian).into()),
            Self::U32 | Self::Offset32 => Number::Unsigned(u32::read(bytes, endian).into()),
            Self::U64 | Self::Offset64 => Number::Unsigned(u64::read(bytes, endian)),
            Self::I16 => Number::Signed(i16::read(bytes, endian).into()),
            Self::I32 => Number::Signed(i32::read(bytes, endian).into()),
            Self::F16 => Number::Float(f16::read(bytes, endian).to_f32()),
            Self::F32 => Number::Float(f32::read(bytes, endian)),
            Self::Bits32 => Number::Bits(u32::read(bytes, endian)),
            Self::Hash32 => Number::Hash(u32::read(bytes, endian)),
        })
    }
}

/// A type that stands in files: its kind, its size, and both directions.
pub trait Value: Copy {
    /// The kind of its numbers.
    const SCALAR: Scalar;
    /// How many of them; 1 but for arrays.
    const COUNT: usize = 1;
    /// Bytes of the whole value.
    const SIZE: usize = Self::SCALAR.size() * Self::COUNT;

    /// Reads the value; bytes that are missing count as zero, so callers check the length first.
    fn read(bytes: &[u8], endian: Endian) -> Self;

    /// Appends the value.
    fn write(&self, out: &mut Vec<u8>, endian: Endian);
}

/// The first `N` bytes, zero where there are fewer.
fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk().copied().unwrap_or([0; N])
}

macro_rules! values {
    ($($ty:ty => $scalar:ident),+ $(,)?) => {$(
        impl Value for $ty {
            const SCALAR: Scalar = Scalar::$scalar;

            #[inline]
            fn read(bytes: &[u8], endian: Endian) -> Self {
                match endian {
                    Endian::Little => Self::from_le_bytes(first(bytes)),
                    Endian::Big => Self::from_be_bytes(first(bytes)),
                }
            }

            fn write(&self, out: &mut Vec<u8>, endian: Endian) {
                match endian {
                    Endian::Little => out.extend(self.to_le_bytes()),
                    Endian::Big => out.extend(self.to_be_bytes()),
                }
            }
        }
    )+};
}

values!(
    u8 => U8, u16 => U16, u32 => U32, u64 => U64, i16 => I16, i32 => I32, f16 => F16, f32 => F32,
);

/// A word of single bits: flags, or the mask of a part of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bits(pub u32);

/// A hash of a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hash(pub u32);

/// A place in the file, or in the part that the field's documentation names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Offset<T>(pub T);

macro_rules! wrapped_values {
    ($($ty:ty as $inner:ty => $scalar:ident),+ $(,)?) => {$(
        impl Value for $ty {
            const SCALAR: Scalar = Scalar::$scalar;

            #[inline]
            fn read(bytes: &[u8], endian: Endian) -> Self {
                Self(<$inner>::read(bytes, endian))
            }

            fn write(&self, out: &mut Vec<u8>, endian: Endian) {
                self.0.write(out, endian);
            }
        }
    )+};
}

wrapped_values!(
    Bits as u32 => Bits32, Hash as u32 => Hash32,
    Offset<u32> as u32 => Offset32, Offset<u64> as u64 => Offset64,
);

impl<T: Value, const N: usize> Value for [T; N] {
    const SCALAR: Scalar = T::SCALAR;
    const COUNT: usize = T::COUNT * N;

    fn read(bytes: &[u8], endian: Endian) -> Self {
        std::array::from_fn(|i| T::read(bytes.get(i * T::SIZE..).unwrap_or_default(), endian))
    }

    fn write(&self, out: &mut Vec<u8>, endian: Endian) {
        for value in self {
            value.write(out, endian);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_and_parsers_read_the_same_number() {
        let bytes = [0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0];
        assert_eq!(Scalar::U16.read(&bytes, Endian::Big), Some(Number::Unsigned(0x1234)));
        assert_eq!(u16::read(&bytes, Endian::Little), 0x3412);
        assert_eq!(Scalar::Offset64.read(&bytes, Endian::Little), Some(Number::Unsigned(0xF0DEBC9A78563412)));
        assert_eq!(Scalar::Bits32.read(&bytes, Endian::Little).unwrap().to_string(), "0x78563412");
        assert_eq!(Scalar::Hash32.read(&bytes, Endian::Big).unwrap().to_string(), "0x12345678");
        assert_eq!(Scalar::U32.read(&bytes[..3], Endian::Little), None);
        assert_eq!(<[u16; 2]>::read(&bytes, Endian::Big), [0x1234, 0x5678]);
    }
}
