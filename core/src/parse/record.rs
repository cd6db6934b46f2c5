//! Records of fixed size, declared once for reader, writer and structure tree.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use super::scalar::{Endian, Number, Scalar};

/// What a number stands for; empty where nothing is known about it.
pub type Meaning = fn(u32) -> String;

/// One field of a record as the structure panel shows it.
#[derive(Clone, Copy, Debug)]
pub struct FieldLayout {
    /// The field's name.
    pub name: &'static str,
    /// What the field means, from its documentation.
    pub doc: &'static str,
    /// Bytes from the start of the record.
    pub offset: usize,
    /// The kind of its numbers.
    pub scalar: Scalar,
    /// How many of them.
    pub count: usize,
    /// What its number stands for, where numbers have names.
    pub meaning: Option<Meaning>,
}

impl FieldLayout {
    /// Bytes of the field.
    pub const fn size(&self) -> usize {
        self.scalar.size() * self.count
    }

    /// What the field's number stands for, from the field's bytes; `None` where nothing is known.
    pub fn meaning(&self, bytes: &[u8], endian: Endian) -> Option<String> {
        let number = match self.scalar.read(bytes, endian)? {
            Number::Unsigned(number) => u32::try_from(number).ok()?,
            Number::Bits(bits) => bits,
            Number::Signed(_) | Number::Float(_) | Number::Hash(_) => return None,
        };
        Some(self.meaning?(number)).filter(|meaning| !meaning.is_empty())
    }
}

/// The layout of a record: its name, its size and its fields, in order and without holes.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The record's type name.
    pub name: &'static str,
    /// Bytes of one record.
    pub size: usize,
    /// The fields in file order.
    pub fields: Cow<'static, [FieldLayout]>,
}

impl Layout {
    /// Bytes of the field with this name, from the start of the record; the whole record where there
    /// is none.
    pub fn range_of(&self, name: &str) -> Range<u64> {
        let field = self.fields.iter().find(|field| field.name == name);
        let (start, size) = field.map_or((0, self.size), |field| (field.offset, field.size()));
        start as u64..(start + size) as u64
    }
}

/// A record of fixed size, made by [`record!`](crate::record).
pub trait Record: Sized {
    /// The record's layout.
    const LAYOUT: &'static Layout;

    /// Reads the record; missing bytes count as zero, so callers check the length first.
    fn read(bytes: &[u8], endian: Endian) -> Self;

    /// Appends the record.
    fn write(&self, out: &mut Vec<u8>, endian: Endian);
}

/// Declares a record of fixed size: the struct, its reader, its writer and its layout.
///
/// Fields are numbers, [`Bits`](crate::parse::Bits), [`Hash`](crate::parse::Hash),
/// [`Offset`](crate::parse::Offset) and arrays of them, in file order without padding. A field may
/// end in `=> meaning`, a [`Meaning`] that names its numbers.
#[macro_export]
macro_rules! record {
    (@meaning) => { None };
    (@meaning $meaning:path) => { Some($meaning) };
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $name:ident {
            $($(#[doc = $field_doc:literal])+ $field:ident: $ty:ty $(=> $meaning:path)?),+ $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        $vis struct $name {
            $($(#[doc = $field_doc])+ pub $field: $ty,)+
        }

        impl $crate::parse::Record for $name {
            const LAYOUT: &'static $crate::parse::Layout = &{
                use $crate::parse::{FieldLayout, Layout, Value};
                const FIELDS: &[FieldLayout] = &{
                    let mut end = 0;
                    [$({
                        let offset = end;
                        end += <$ty as Value>::SIZE;
                        let _ = end;
                        FieldLayout {
                            name: stringify!($field),
                            doc: concat!($($field_doc),+),
                            offset,
                            scalar: <$ty as Value>::SCALAR,
                            count: <$ty as Value>::COUNT,
                            meaning: $crate::record!(@meaning $($meaning)?),
                        }
                    }),+]
                };
                Layout {
                    name: stringify!($name),
                    size: 0 $(+ <$ty as Value>::SIZE)+,
                    fields: std::borrow::Cow::Borrowed(FIELDS),
                }
            };

            #[inline]
            fn read(bytes: &[u8], endian: $crate::parse::Endian) -> Self {
                let mut at = 0;
                $(
                    let $field = <$ty as $crate::parse::Value>::read(
                        bytes.get(at..).unwrap_or_default(),
                        endian,
                    );
                    at += <$ty as $crate::parse::Value>::SIZE;
                )+
                let _ = at;
                Self { $($field),+ }
            }

            fn write(&self, out: &mut Vec<u8>, endian: $crate::parse::Endian) {
                $($crate::parse::Value::write(&self.$field, out, endian);)+
            }
        }
    };
}

/// Records one after another in a file, decoded when asked for.
pub struct Table<'a, T> {
    bytes: &'a [u8],
    start: u64,
    endian: Endian,
    of: PhantomData<T>,
}

impl<'a, T: Record> Table<'a, T> {
    /// A table over `bytes`, which stand at `start` in their file; a partial record at the end does
    /// not count.
    pub fn new(bytes: &'a [u8], start: u64, endian: Endian) -> Self {
        Self { bytes, start, endian, of: PhantomData }
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.bytes.len() / T::LAYOUT.size
    }

    /// Whether there is no record.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record at `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<T> {
        let at = index.checked_mul(T::LAYOUT.size)?;
        let bytes = self.bytes.get(at..at.checked_add(T::LAYOUT.size)?)?;
        Some(T::read(bytes, self.endian))
    }

    /// All records in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = T> + 'a {
        let endian = self.endian;
        self.bytes.chunks_exact(T::LAYOUT.size).map(move |bytes| T::read(bytes, endian))
    }

    /// Where the record at `index` starts in the file.
    pub fn offset_of(&self, index: usize) -> u64 {
        self.start + (index * T::LAYOUT.size) as u64
    }
}

impl<T> Clone for Table<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Table<'_, T> {}

impl<T: Record> fmt::Debug for Table<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table<{}>({} at {:#X})", T::LAYOUT.name, self.len(), self.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{Hash, Offset};

    fn parity(number: u32) -> String {
        if number % 2 == 1 { "odd".to_owned() } else { String::new() }
    }

    record! {
        /// A record with every kind of field.
        struct Sample {
            /// A number.
            number: u16 => parity,
            /// A place.
            place: Offset<u64>,
            /// A hash.
            hash: Hash,
            /// Three reals.
            reals: [f32; 3],
        }
    }

    #[test]
    fn a_record_writes_what_it_reads_and_knows_its_layout() {
        let sample = Sample { number: 1, place: Offset(2), hash: Hash(3), reals: [0.5, -1.0, 2.0] };
        let mut bytes = Vec::new();
        sample.write(&mut bytes, Endian::Little);
        assert_eq!(bytes.len(), Sample::LAYOUT.size);
        assert_eq!(Sample::read(&bytes, Endian::Little), sample);
        let places: Vec<_> = Sample::LAYOUT.fields.iter().map(|f| (f.name, f.offset, f.size())).collect();
        assert_eq!(places, [("number", 0, 2), ("place", 2, 8), ("hash", 10, 4), ("reals", 14, 12)]);
        assert_eq!(Sample::LAYOUT.fields[1].doc, " A place.");
        let meaning = |field: usize, bytes| Sample::LAYOUT.fields[field].meaning(bytes, Endian::Little);
        assert_eq!(meaning(0, &[3, 0]).unwrap(), "odd");
        assert_eq!([meaning(0, &[2, 0]), meaning(0, &[3]), meaning(1, &[3; 8])], [None, None, None]);
        assert_eq!((Sample::LAYOUT.range_of("hash"), Sample::LAYOUT.range_of("nothing")), (10..14, 0..26));
    }

    #[test]
    fn a_table_ignores_a_partial_record() {
        let table = Table::<Sample>::new(&[0; 60], 8, Endian::Little);
        assert_eq!(table.len(), 2);
        assert!(table.get(2).is_none());
        assert_eq!(table.offset_of(1), 34);
        assert_eq!(table.iter().len(), 2);
    }
}
