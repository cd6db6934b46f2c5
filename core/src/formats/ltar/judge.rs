//! The documented rules of an archive, each breach a warning on the record that breaks it.

use std::cmp::Ordering;

use super::directory::Leaves;
use super::{Directory, FileRecord, FolderRecord, LEVEL, NONE, READER_CHUNKS};
use crate::error::{Error, Result};
use crate::parse::{Layout, Name, Reader, Record as _, Warning};
use crate::path::{self, SEPARATOR, cmp_fold, eq_fold, is_separator};

/// Records between two looks at the task.
const STEP: u32 = 4096;

/// Bytes that the paths of all folders may have together, each counted with those of the folders
/// around it. A shipped archive has less than a megabyte.
const MOST_FOLDER_BYTES: u64 = 256 << 20;

/// Judges every rule of a directory, and notes in it what is odd about leaf names. Entries can be
/// listed whatever the outcome.
///
/// # Errors
/// `Limit` when the folders nest so deep that their paths would fill the memory; `Cancelled`.
pub(super) fn judge(r: &mut Reader<'_>, directory: &mut Directory) -> Result<()> {
    let mut leaves = Leaves::default();
    let mut unnamed = Vec::new();
    for folder in 0..directory.listed_folders() {
        judge_files(r, directory, folder, &mut leaves, &mut unnamed)?;
    }
    judge_weight(directory, &leaves)?;
    for file in unnamed {
        directory.name_unnamed(file);
    }
    directory.set_leaves(leaves);
    judge_folders(r, directory)?;
    judge_links(r, directory);
    Ok(())
}

/// Judges the records of a folder in one pass, since a mount looks at every one of them.
fn judge_files(
    r: &mut Reader<'_>,
    directory: &Directory,
    folder: u32,
    leaves: &mut Leaves,
    unnamed: &mut Vec<u32>,
) -> Result<()> {
    let mut before: Option<&[u8]> = None;
    for file in directory.files_of(folder) {
        if file.is_multiple_of(STEP) {
            r.check()?;
        }
        let Some(record) = directory.file(file) else { continue };
        judge_record(r, directory, file, &record);
        let Some((leaf, is_odd)) = directory.name_and_oddity(record.name.0) else {
            warn_file(r, directory, file, "name", directory.no_name(record.name.0));
            unnamed.push(file);
            continue;
        };
        if is_odd {
            warn_file(r, directory, file, "name", "a leaf name with a separator in it".to_owned());
            leaves.odd.push(file);
        }
        let order = before.map_or(Ordering::Less, |before| cmp_fold(before, leaf));
        before = Some(leaf);
        if order != Ordering::Less {
            let text = match order {
                Ordering::Equal => "the same name as the file before",
                _ => "out of order: the engine's search may miss it",
            };
            warn_file(r, directory, file, "name", text.to_owned());
            if leaves.unsorted.last() != Some(&folder) {
                leaves.unsorted.push(folder);
            }
        }
    }
    // Stand-in names and parts of odd names have their own order.
    let files = directory.files_of(folder);
    let is_mixed = |file: Option<&u32>| file.is_some_and(|file| files.contains(file));
    if (is_mixed(unnamed.last()) || is_mixed(leaves.odd.last())) && leaves.unsorted.last() != Some(&folder) {
        leaves.unsorted.push(folder);
    }
    Ok(())
}

/// Adds up what the paths of the folders take that an index would make, those that odd leaf names
/// lie in included.
fn judge_weight(directory: &Directory, leaves: &Leaves) -> Result<()> {
    let mut bytes = 0;
    let mut weigh = |path: &[u8], place: u64, field: Vec<Name>| {
        let around = path.iter().filter(|byte| is_separator(**byte)).count();
        bytes += (path.len() * (around + 1)) as u64;
        if bytes <= MOST_FOLDER_BYTES {
            return Ok(());
        }
        let text = format!("paths of folders of more than {} MB", MOST_FOLDER_BYTES >> 20);
        Err(Error::limit(text).at(place).in_fields(field))
    };
    let field = |table, index: u32| vec![Name::Field(table), Name::Index(index.into()), Name::Field("name")];
    for folder in 0..directory.folder_count() {
        weigh(directory.folder_path(folder), directory.folder_offset(folder), field("folders", folder))?;
    }
    for file in &leaves.odd {
        weigh(directory.leaf(*file), directory.file_offset(*file), field("files", *file))?;
    }
    Ok(())
}

fn judge_record(r: &mut Reader<'_>, directory: &Directory, file: u32, record: &FileRecord) {
    let end = directory.data().len() as u64;
    let data_end = record.offset.0.checked_add(record.stored);
    if data_end.is_none_or(|data_end| data_end > end) {
        let text = format!(
            "{:#X} and {} stored bytes reach past the end of the archive at {end:#X}",
            record.offset.0, record.stored
        );
        warn_file(r, directory, file, "offset", text);
    }
    if record.level == 0 && record.stored != record.size {
        let text = format!("{}, yet the {} stored bytes are plain", record.size, record.stored);
        warn_file(r, directory, file, "size", text);
    }
    if (record.reader, record.level) != (READER_CHUNKS, LEVEL) {
        let (reader, level) = (record.reader, record.level);
        let text = format!("reader {reader} and level {level}, expected {READER_CHUNKS} and {LEVEL}");
        warn_file(r, directory, file, "reader", text);
    }
}

fn judge_folders(r: &mut Reader<'_>, directory: &Directory) -> Result<()> {
    let mut claimed = 0u64;
    for folder in 0..directory.folder_count() {
        if folder.is_multiple_of(STEP) {
            r.check()?;
        }
        let Some(record) = directory.folder_record(folder) else { continue };
        claimed += u64::from(record.file_count);
        let path = directory.folder_path(folder);
        let mut warn = |field, text: String| warn_folder(r, directory, folder, field, text);
        if directory.name(record.name.0).is_none() {
            warn("name", directory.no_name(record.name.0));
        } else if !path::is_canonical(path) {
            warn("name", "a path with / or an empty component".to_owned());
        }
        if claimed > u64::from(directory.file_count()) {
            let text = format!("claims files up to {claimed}, there are {}", directory.file_count());
            warn("file_count", text);
        }
        if folder == 0 && !path.is_empty() {
            warn("name", "the root folder has a name".to_owned());
        }
        if folder > 0 {
            let before = directory.folder_path(folder - 1);
            match cmp_with_separator(before, path) {
                Ordering::Less => {}
                Ordering::Equal => warn("name", "the same path as the folder before".to_owned()),
                Ordering::Greater => warn("name", "out of order".to_owned()),
            }
        }
    }
    if let Some(last) = directory.folder_count().checked_sub(1)
        && claimed < u64::from(directory.file_count())
    {
        let text = format!("all folders claim {claimed} files, there are {}", directory.file_count());
        warn_folder(r, directory, last, "file_count", text);
    }
    Ok(())
}

/// Follows the links from the root: each folder is reached once, from the folder it lies in.
fn judge_links(r: &mut Reader<'_>, directory: &Directory) {
    let count = directory.folder_count();
    let mut reached = vec![false; count as usize];
    if let Some(root) = reached.first_mut() {
        *root = true;
    }
    // Folders whose first child and next sibling are still to be followed, with their parents.
    let mut open = vec![(0, None)];
    while let Some((folder, parent)) = open.pop() {
        let Some(record) = directory.folder_record(folder) else { continue };
        let links = [
            ("first_child", record.first_child, Some(folder)),
            ("next_sibling", record.next_sibling, parent),
        ];
        for (field, link, link_parent) in links {
            if link == NONE {
                continue;
            }
            match reached.get_mut(link as usize) {
                None => {
                    warn_folder(r, directory, folder, field, format!("{link}, there are {count} folders"));
                }
                Some(true) => {
                    warn_folder(
                        r,
                        directory,
                        folder,
                        field,
                        format!("folder {link} has been linked already"),
                    );
                }
                Some(seen) => {
                    *seen = true;
                    if let Some(parent) = link_parent {
                        judge_parent(r, directory, link, parent);
                    } else {
                        warn_folder(r, directory, folder, field, "the root folder has a sibling".to_owned());
                    }
                    open.push((link, link_parent));
                }
            }
        }
    }
    for (folder, reached) in (0..).zip(reached) {
        if !reached {
            warn_folder(r, directory, folder, "name", "no link leads to this folder".to_owned());
        }
    }
}

/// A folder's path is its parent's and one component more.
fn judge_parent(r: &mut Reader<'_>, directory: &Directory, folder: u32, parent: u32) {
    let (path, above) = (directory.folder_path(folder), directory.folder_path(parent));
    let (expected, _) = path::split(path);
    if !eq_fold(expected, above) {
        let text = format!("linked below {:?}, whose path it does not extend", path::to_text(above));
        warn_folder(r, directory, folder, "name", text);
    }
}

/// Compares two paths as if each ended in a separator, the order of folders on disk.
pub(super) fn cmp_with_separator(a: &[u8], b: &[u8]) -> Ordering {
    let shared = a.len().min(b.len());
    let (a_head, a_tail) = a.split_at_checked(shared).unwrap_or((a, &[]));
    let (b_head, b_tail) = b.split_at_checked(shared).unwrap_or((b, &[]));
    let next = |tail: &[u8]| tail.first().map_or(SEPARATOR, u8::to_ascii_lowercase);
    cmp_fold(a_head, b_head).then_with(|| next(a_tail).cmp(&next(b_tail))).then_with(|| a.len().cmp(&b.len()))
}

fn warn_file(r: &mut Reader<'_>, directory: &Directory, file: u32, field: &str, text: String) {
    let place = ("files", file, directory.file_offset(file));
    warn(r, place, FileRecord::LAYOUT, field, text);
}

fn warn_folder(r: &mut Reader<'_>, directory: &Directory, folder: u32, field: &str, text: String) {
    let place = ("folders", folder, directory.folder_offset(folder));
    warn(r, place, FolderRecord::LAYOUT, field, text);
}

fn warn(r: &mut Reader<'_>, place: (&str, u32, u64), layout: &Layout, field: &str, text: String) {
    let (table, record, start) = place;
    r.warn_at(|| {
        let at = layout.range_of(field);
        let (offset, len) = (start + at.start, at.end - at.start);
        Warning { field: format!("{table}[{record}].{field}"), offset, len, text }
    });
}
