//! The one error type: what went wrong, in which file, in which field, at which byte.

use std::borrow::Cow;
use std::fmt;
use std::io;

use crate::parse::Name;

/// The result of everything that can fail in this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error with its place: the file and the path inside it, the field, and the byte offset.
///
/// One word wide, so that results stay cheap. The text names the archive or the file on disk, the
/// path inside it, the field, the offset and the reason, each once:
/// `Patch_11.arch06: weapons\sword.tex: header.width at 0x14: …`.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    offset: Option<u64>,
    fields: Vec<Name>,
    file: Option<String>,
    path: Option<String>,
}

/// What went wrong, sorted by who is to blame.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system refused.
    Io(io::Error),
    /// The data ends before the value does.
    Eof {
        /// Bytes the value needs.
        wanted: u64,
        /// Bytes that are left.
        left: u64,
    },
    /// The data breaks a rule of its format.
    Malformed(Cow<'static, str>),
    /// The data is valid, as far as known, but this program cannot read it.
    Unsupported(Cow<'static, str>),
    /// The data asks for more than a limit that protects this program.
    Limit(Cow<'static, str>),
    /// Nothing has that name.
    NotFound(Cow<'static, str>),
    /// The caller's words make no sense.
    Usage(Cow<'static, str>),
    /// The task was cancelled.
    Cancelled,
}

impl Error {
    /// An error without a place yet.
    pub fn new(kind: ErrorKind) -> Self {
        Self(Box::new(Inner { kind, offset: None, fields: Vec::new(), file: None, path: None }))
    }

    /// The data breaks a rule of its format.
    pub fn malformed(what: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Malformed(what.into()))
    }

    /// The data cannot be read by this program.
    pub fn unsupported(what: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Unsupported(what.into()))
    }

    /// The data asks for more than a limit.
    pub fn limit(what: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Limit(what.into()))
    }

    /// Nothing has that name.
    pub fn not_found(what: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::NotFound(what.into()))
    }

    /// The caller's words make no sense.
    pub fn usage(what: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ErrorKind::Usage(what.into()))
    }

    /// Sets the byte offset, unless a deeper place set it already.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.0.offset.get_or_insert(offset);
        self
    }

    /// Sets the field path, outermost first, unless a deeper place set it already.
    #[must_use]
    pub fn in_fields(mut self, fields: Vec<Name>) -> Self {
        if self.0.fields.is_empty() {
            self.0.fields = fields;
        }
        self
    }

    /// Names the archive or the file on disk, unless a deeper place named one already.
    #[must_use]
    pub fn of(mut self, file: impl Into<String>) -> Self {
        self.0.file.get_or_insert_with(|| file.into());
        self
    }

    /// Names an archive or another layer and a path in it, unless a deeper place named a file
    /// already.
    #[must_use]
    pub fn of_path(mut self, file: &str, path: &str) -> Self {
        if self.0.file.is_none() {
            self.0.file = Some(file.to_owned());
            self.0.path = Some(path.to_owned());
        }
        self
    }

    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The byte offset in the archive or file, where bytes are at fault.
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// The field path as text, such as `files[2].size`; empty where no field is at fault.
    pub fn field_path(&self) -> String {
        Name::join(&self.0.fields)
    }

    /// Whether the task was cancelled, which is no fault.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Cancelled)
    }

    /// Whether the call itself was wrong, not the data.
    pub fn is_usage(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Usage(_))
    }

    /// What went wrong without the place, such as `needs 8 bytes, 3 are left`.
    pub fn reason(&self) -> String {
        self.0.kind.to_string()
    }

    /// The text without the files: the field, the offset and the reason.
    pub fn in_place(&self) -> String {
        let fields = self.field_path();
        let place = match (fields.is_empty(), self.0.offset) {
            (true, None) => return self.reason(),
            (true, Some(offset)) => format!("at {offset:#X}"),
            (false, None) => fields,
            (false, Some(offset)) => format!("{fields} at {offset:#X}"),
        };
        format!("{place}: {}", self.0.kind)
    }

    /// The text with a file and a path in it, whatever is known of them; a file that is mounted on
    /// its own has both names alike, and is named once.
    pub fn text_of(&self, file: &str, path: &str) -> String {
        match (file, path) {
            ("", path) => format!("{path}: {}", self.in_place()),
            (file, path) if path.is_empty() || path == file => format!("{file}: {}", self.in_place()),
            (file, path) => format!("{file}: {path}: {}", self.in_place()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.file {
            Some(file) => f.write_str(&self.text_of(file, self.0.path.as_deref().unwrap_or_default())),
            None => f.write_str(&self.in_place()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({self})")
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Eof { wanted, left } => write!(f, "needs {wanted} bytes, {left} are left"),
            Self::Malformed(what) | Self::Usage(what) | Self::NotFound(what) => f.write_str(what),
            Self::Unsupported(what) => write!(f, "not supported: {what}"),
            Self::Limit(what) => write!(f, "over a limit: {what}"),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::new(ErrorKind::Io(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_names_file_path_field_and_offset() {
        let error = Error::new(ErrorKind::Eof { wanted: 8, left: 3 })
            .at(0x44)
            .in_fields(vec![Name::Field("files"), Name::Index(2), Name::Field("size")])
            .of_path("Patch_11.arch06", "a\\b.tex");
        let text = "Patch_11.arch06: a\\b.tex: files[2].size at 0x44: needs 8 bytes, 3 are left";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn the_deepest_place_stays() {
        let error = Error::malformed("bad").at(1).at(2).in_fields(vec![Name::Field("a")]);
        assert_eq!(error.in_fields(vec![Name::Field("b")]).to_string(), "a at 0x1: bad");
    }

    #[test]
    fn every_name_is_told_once() {
        let bad = || Error::malformed("bad");
        assert_eq!(bad().of("a.arch06").of("/games/a.arch06").to_string(), "a.arch06: bad");
        assert_eq!(bad().of("out/x.tex").of_path("a.arch06", "x.tex").to_string(), "out/x.tex: bad");
        assert_eq!(bad().of_path("big.bin", "big.bin").to_string(), "big.bin: bad");
        assert_eq!(bad().of("elsewhere").text_of("a.arch06", "x.tex"), "a.arch06: x.tex: bad");
        assert_eq!(bad().text_of("", "x.tex"), "x.tex: bad");
    }

    #[test]
    fn an_error_is_one_word() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
    }
}
