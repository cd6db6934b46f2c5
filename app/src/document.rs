//! One copy of a file, read and parsed; never changed afterwards.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use palimpsest_core::asset::Asset;
use palimpsest_core::codec::chunks::Summary;
use palimpsest_core::error::{Error, Result};
use palimpsest_core::format::{Inspection, inspect};
use palimpsest_core::mount::{Content, CopyRef, EntryId, Stack, Stat};
use palimpsest_core::preview::salvage;
use palimpsest_core::task::Task;

use crate::gpu::Caps;
use crate::gpu::pixels::{Part, Pixels};

/// How many bytes of a packed file are decoded and parsed at once.
const READ_LIMIT: u64 = 256 << 20;

/// How many bytes of a content are decoded and parsed at once. Plain files are mapped, so they have
/// no limit.
pub const fn read_limit(content: &Content) -> u64 {
    match content {
        Content::Plain(_) => u64::MAX,
        Content::Chunks(_) => READ_LIMIT,
    }
}

/// One copy of a file.
pub struct Document {
    /// The path, as the winning copy spells it.
    pub path: String,
    /// The copy.
    pub copy: CopyRef,
    /// The layer's name.
    pub layer: String,
    /// Place and sizes in the layer.
    pub stat: Stat,
    /// How the chunks of what was read are packed; `None` when the copy is plain.
    pub packing: Option<Summary>,
    /// The decoded bytes, to be read by range.
    pub content: Content,
    /// The start of the decoded bytes: all of them, or as many as could be read.
    pub bytes: Bytes,
    /// Why `bytes` end early.
    pub fault: Option<Error>,
    /// What `bytes` are.
    pub inspection: Inspection,
    /// Where the lines of a text start, in bytes of the text.
    pub lines: Vec<usize>,
    /// The picture, for textures; or why there is none.
    pub picture: Option<Result<Arc<Pixels>>>,
}

impl fmt::Debug for Document {
    /// Without the bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Document({} of {}, {} bytes)", self.path, self.layer, self.len())
    }
}

impl Document {
    /// Reads and parses a copy. A fault in its data is kept beside what could be read.
    ///
    /// # Errors
    /// When no byte can be reached: the data lies outside the archive, the loose file is gone.
    /// `Cancelled`.
    pub fn read(
        stack: &Stack,
        entry: EntryId,
        copy: CopyRef,
        caps: Option<&Caps>,
        task: &Task,
    ) -> Result<Self> {
        Self::of(stack.content(copy)?, stack, entry, copy, caps, task)
    }

    /// Reads the bytes of a copy as its layer stores them, headers of chunks included.
    ///
    /// # Errors
    /// See [`read`](Self::read).
    pub fn read_stored(stack: &Stack, entry: EntryId, copy: CopyRef, task: &Task) -> Result<Self> {
        Self::of(Content::Plain(stack.stored(copy)?), stack, entry, copy, None, task)
    }

    fn of(
        content: Content,
        stack: &Stack,
        entry: EntryId,
        copy: CopyRef,
        caps: Option<&Caps>,
        task: &Task,
    ) -> Result<Self> {
        let path = stack.path(entry);
        let (bytes, fault) = content.read_up_to(0..read_limit(&content), task);
        task.check()?;
        let mut inspection = inspect(&bytes, &path, task);
        task.check()?;
        if fault.is_some()
            && matches!(inspection.asset, Ok(Some(Asset::Texture(_))))
            && let Ok(texture) = salvage(&content, &path, task)
        {
            // More than the parser could see, which was given the bytes up to the fault.
            inspection.asset = Ok(Some(Asset::Texture(texture)));
        }
        task.check()?;
        let picture = match (&inspection.asset, caps) {
            (Ok(Some(Asset::Texture(texture))), Some(caps)) => {
                Some(Pixels::new(texture, Part::default(), caps, task).map(Arc::new))
            }
            _ => None,
        };
        let lines = match &inspection.asset {
            Ok(Some(Asset::Text(text))) => {
                let behind_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
                // The last line may end in a break, which begins no other line.
                std::iter::once(0).chain(behind_breaks).filter(|at| *at < text.len()).collect()
            }
            _ => Vec::new(),
        };
        let packing = match &content {
            Content::Plain(_) => None,
            Content::Chunks(chain) => Some(chain.summary(READ_LIMIT)),
        };
        let layer = stack.layer(copy);
        Ok(Self {
            path,
            copy,
            layer: layer.map_or_else(String::new, |layer| layer.name.clone()),
            stat: layer.map(|layer| layer.stat(copy.file)).unwrap_or_default(),
            packing,
            content,
            bytes,
            fault,
            inspection,
            lines,
            picture,
        })
    }

    /// Bytes of the whole file when decoded, read or not.
    pub fn len(&self) -> u64 {
        self.content.len()
    }

    /// Whether the file has no byte.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether `bytes` are all of the file.
    pub fn is_whole(&self) -> bool {
        self.bytes.len() as u64 == self.len()
    }

    /// A line of a text with its break; empty for what is no text.
    pub fn line(&self, at: usize) -> &str {
        let Ok(Some(Asset::Text(text))) = &self.inspection.asset else { return "" };
        let start = self.lines.get(at).copied().unwrap_or(text.len());
        let end = self.lines.get(at + 1).copied().unwrap_or(text.len());
        text.get(start..end).unwrap_or_default()
    }

    /// All lines of a text.
    pub fn all_lines(&self) -> Vec<&str> {
        (0..self.lines.len()).map(|at| self.line(at)).collect()
    }

    /// Bytes of memory that the document holds, maps not counted.
    pub fn weight(&self) -> u64 {
        let decoded = match self.content {
            Content::Plain(_) => 0,
            Content::Chunks(_) => self.bytes.len() as u64,
        };
        let picture = match &self.picture {
            Some(Ok(pixels)) if pixels.is_decoded => pixels.bytes(),
            _ => 0,
        };
        let salvaged = match &self.inspection.asset {
            Ok(Some(Asset::Texture(texture))) if self.fault.is_some() => {
                let images = texture.images.iter().chain(texture.torn.iter().map(|torn| &torn.image));
                images.map(|image| image.data.len() as u64).sum()
            }
            _ => 0,
        };
        decoded + picture + salvaged + 4096
    }
}
