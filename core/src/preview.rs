//! Textures of which only a part is read: as much as a small picture takes, or as much as can be read at all.
//!
//! The start of a file says where its levels lie, and a range of it costs only the chunks that hold it.

use bytes::Bytes;

use crate::asset::{Asset, Image, Texture, Torn};
use crate::codec::chunks::MAX_CHUNK;
use crate::error::{Error, Result};
use crate::format::load;
use crate::mount::{Content, CopyRef, Stack};
use crate::task::Task;

/// Bytes at the start of a file that say where its levels lie, in all files that were seen: a chunk.
const HEAD: u64 = MAX_CHUNK as u64;

/// As many as any format looks through for what says it.
const LONGEST_HEAD: u64 = 2 << 20;

/// The largest file that is looked into.
const LARGEST: u64 = 512 << 20;

impl Stack {
    /// The texture of a copy with a single image: of its first slice the smallest level that has `side`
    /// pixels along its longer side, or else the largest, and where that one cannot be read, the next smaller
    /// one that can, the next larger one, or what there is of it. Of a volume it is the first layer.
    ///
    /// # Errors
    /// `Unsupported` when the file is no texture, `Limit` when it is larger than 512 MB, `NotFound` when it
    /// carries no whole level; what its parser or the first bad chunk says; `Cancelled`.
    pub fn preview(&self, copy: CopyRef, side: u32, task: &Task) -> Result<Texture> {
        self.read_preview(copy, side, task).map_err(|error| self.blame(copy, error))
    }

    fn read_preview(&self, copy: CopyRef, side: u32, task: &Task) -> Result<Texture> {
        let content = self.content(copy)?;
        let size = content.len();
        if size > LARGEST {
            return Err(Error::limit(format!("{size} bytes, of at most {LARGEST} a small picture is made")));
        }
        let path = self.path_of(copy);
        let mut texture = outline(&content, &path, task)?;
        let wanted: Vec<Image> = texture.images.iter().filter(|image| image.slice == 0).cloned().collect();
        let has_enough = |image: &Image| image.width.max(image.height) >= side;
        let (larger, smaller) = wanted.split_at(wanted.iter().rposition(has_enough).unwrap_or(0));
        let mut fault = None;
        let mut found = None;
        for image in smaller.iter().chain(larger.iter().rev()) {
            match read_layer(&content, image, &texture, task) {
                Ok(image) => {
                    found = Some(image);
                    break;
                }
                Err(error) if error.is_cancelled() => return Err(error),
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        if let (None, Some(image)) = (&found, smaller.first()) {
            found = read_torn(&content, image, &texture, task)?;
        }
        let missing = || fault.unwrap_or_else(|| Error::not_found("no level of the texture is whole"));
        texture.images = vec![found.ok_or_else(missing)?];
        texture.cut = None;
        Ok(texture)
    }
}

/// A texture with everything that can be read of it: the images that are whole, and those that chunks are
/// missing from which cannot be decoded.
///
/// # Errors
/// `Limit` when it is larger than 512 MB; when its head cannot be read, or is that of no texture; `Cancelled`.
pub fn salvage(content: &Content, path: &str, task: &Task) -> Result<Texture> {
    if content.len() > LARGEST {
        return Err(Error::limit(format!("{} bytes, at most {LARGEST} are looked through", content.len())));
    }
    let mut texture = outline(content, path, task)?;
    for mut image in std::mem::take(&mut texture.images) {
        let (data, missing) = read_around_faults(content, &image, task)?;
        image.data = data;
        if missing == 0 {
            texture.images.push(image);
        } else {
            texture.torn.push(Torn { image, missing });
        }
    }
    if let Some(cut) = &mut texture.cut {
        // Of what the file ends inside, the rows up to a fault.
        cut.data = content.read_up_to(cut.offset..cut.offset + cut.data.len() as u64, task).0;
    }
    task.check()?;
    Ok(texture)
}

/// The bytes of an image with zeros in the place of those that cannot be read, and how many those are.
fn read_around_faults(content: &Content, image: &Image, task: &Task) -> Result<(Bytes, u64)> {
    let end = image.offset + image.data.len() as u64;
    let (bytes, fault) = content.read_up_to(image.offset..end, task);
    task.check()?;
    if fault.is_none() {
        return Ok((bytes, 0));
    }
    let mut data = bytes.to_vec();
    let mut missing = 0;
    let mut at = image.offset + data.len() as u64;
    while at < end {
        // Chunks are as long as that in all files that were seen; others are found in the next step.
        let next = ((at / HEAD + 1) * HEAD).min(end);
        let (bytes, fault) = content.read_up_to(at..next, task);
        task.check()?;
        data.extend_from_slice(&bytes);
        if fault.is_some() {
            let lost = next - at - bytes.len() as u64;
            missing += lost;
            data.resize(data.len() + usize::try_from(lost).unwrap_or(0), 0);
        }
        at = next;
    }
    Ok((data.into(), missing))
}

/// A texture of which only the head was read. Its levels lie where they do, and are not filled in.
fn outline(content: &Content, path: &str, task: &Task) -> Result<Texture> {
    let read = |len: u64| {
        let (head, fault) = content.read_up_to(0..len, task);
        task.check()?;
        match (read_outline(content, &head, path, task), fault) {
            // What is behind a fault may be what is missing.
            (Err(_), Some(fault)) => Err(fault),
            (read, _) => read,
        }
    };
    // What stands before the levels may be longer than in all files that were seen.
    read(HEAD).or_else(|error| if content.len() > HEAD { read(LONGEST_HEAD) } else { Err(error) })
}

fn read_outline(content: &Content, head: &[u8], path: &str, task: &Task) -> Result<Texture> {
    let size = usize::try_from(content.len()).unwrap_or(usize::MAX);
    // Memory that nobody looks at takes no room.
    let mut bytes = vec![0; size];
    if let Some(start) = bytes.get_mut(..head.len()) {
        start.copy_from_slice(head);
    }
    match load(&bytes.into(), path, task)? {
        Asset::Texture(texture) => Ok(texture),
        other => Err(Error::unsupported(format!("no texture but {}", other.kind().name()))),
    }
}

/// An image of which only a part can be read, zeros in the place of the rest; `None` where nothing can.
fn read_torn(content: &Content, image: &Image, texture: &Texture, task: &Task) -> Result<Option<Image>> {
    let size = texture.format.level_size(image.width, image.height, 1);
    let data = image.data.slice(..usize::try_from(size).unwrap_or(usize::MAX).min(image.data.len()));
    let layer = Image { depth: 1, data, ..image.clone() };
    let (data, missing) = read_around_faults(content, &layer, task)?;
    Ok((missing < size).then_some(Image { data, ..layer }))
}

/// An image with its stored pixels, of a volume those of the first layer.
fn read_layer(content: &Content, image: &Image, texture: &Texture, task: &Task) -> Result<Image> {
    let size = texture.format.level_size(image.width, image.height, 1);
    let data: Bytes = content.read(image.offset..image.offset.saturating_add(size), task)?;
    Ok(Image { depth: 1, data, ..image.clone() })
}
