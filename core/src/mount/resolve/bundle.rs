//! What a bundle is made of: the members that its winning manifest names, and where each comes from.

use std::collections::{HashMap, HashSet};

use super::{CopyKind, Stack};
use crate::formats::embb;
use crate::mount::bundles::{CONTAINER, MANIFEST, has_ending};
use crate::mount::index::{CopyRef, EntryId};
use crate::path::{self, to_text};

/// The whole answer about a bundle.
#[derive(Clone, Debug)]
pub struct BundleAnswer {
    /// The manifest that wins.
    pub manifest: Option<CopyRef>,
    /// The container that wins.
    pub container: Option<CopyRef>,
    /// The members: those that the manifest names in its order, then those that only the container holds.
    pub members: Vec<MemberAnswer>,
    /// What there is to say about manifest and container, a sentence each.
    pub notes: Vec<String>,
}

/// One member of a bundle.
#[derive(Clone, Debug)]
pub struct MemberAnswer {
    /// The path, as the bundle spells it.
    pub path: String,
    /// The bytes that the manifest states; `None` where only the container holds the member.
    pub declared: Option<u32>,
    /// The path in the stack.
    pub entry: Option<EntryId>,
    /// Where it comes from.
    pub source: MemberSource,
    /// Whether nothing is proven about that choice.
    pub is_unproven: bool,
    /// Every copy, with how it is shipped and its size.
    pub copies: Vec<(CopyRef, CopyKind, u64)>,
}

/// Where a member comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberSource {
    /// A file of the path.
    File(CopyRef),
    /// The bundle's own container.
    Container(CopyRef),
    /// The container of another bundle.
    Elsewhere(CopyRef),
    /// Nothing holds it.
    Missing,
}

impl MemberSource {
    /// The copy, where there is one.
    pub const fn copy(self) -> Option<CopyRef> {
        match self {
            Self::File(copy) | Self::Container(copy) | Self::Elsewhere(copy) => Some(copy),
            Self::Missing => None,
        }
    }

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::File(_) => "file",
            Self::Container(_) => "container",
            Self::Elsewhere(_) => "elsewhere",
            Self::Missing => "missing",
        }
    }
}

impl MemberAnswer {
    /// The size of what is used.
    pub fn size(&self) -> Option<u64> {
        let used = self.source.copy()?;
        self.copies.iter().find(|(copy, ..)| *copy == used).map(|(.., size)| *size)
    }

    /// Whether the size of what is used is the one that the manifest states; `None` where there is nothing
    /// to compare.
    pub fn fits(&self) -> Option<bool> {
        Some(self.size()? == u64::from(self.declared?))
    }
}

/// The two sides of a bundle, as they were read.
struct Sides {
    manifest: Option<CopyRef>,
    container: Option<CopyRef>,
    /// What the manifest names: paths and sizes.
    named: Vec<(Vec<u8>, u32)>,
    /// What the container holds.
    held: Vec<(Vec<u8>, CopyRef, u64)>,
}

impl Stack {
    /// Whether a path is a manifest or a container, and the members of bundles were read.
    pub fn is_bundle(&self, entry: EntryId) -> bool {
        let leaf = self.index.leaf(&self.layers, entry);
        self.has_members && (has_ending(&leaf, MANIFEST) || has_ending(&leaf, CONTAINER))
    }

    /// The whole answer about the bundle that a manifest or a container belongs to; `None` for other
    /// paths, and where the members of bundles were not read.
    pub fn bundle(&self, entry: EntryId) -> Option<BundleAnswer> {
        self.is_bundle(entry).then_some(())?;
        let path = self.index.path(&self.layers, entry);
        let stem = path.get(..path.len() - MANIFEST.len()).unwrap_or_default();
        let winner = |ending: &[u8]| {
            let entry = self.index.find_bytes(&self.layers, &[stem, ending].concat())?;
            self.index.copies(entry).first().copied().filter(|copy| !self.is_member(*copy))
        };
        let sides = self.sides(winner(MANIFEST), winner(CONTAINER));
        let own: HashMap<Vec<u8>, CopyRef> =
            sides.held.iter().map(|(path, copy, _)| (path.to_ascii_lowercase(), *copy)).collect();
        let named: HashSet<Vec<u8>> = sides.named.iter().map(|(path, _)| path.to_ascii_lowercase()).collect();
        let mut members: Vec<_> = sides
            .named
            .iter()
            .map(|(path, size)| self.member_answer(path, Some(*size), own.get(&path.to_ascii_lowercase())))
            .collect();
        let beyond = sides.held.iter().filter(|(path, ..)| !named.contains(&path.to_ascii_lowercase()));
        members.extend(beyond.map(|(path, copy, _)| self.member_answer(path, None, Some(copy))));
        let notes = self.bundle_notes(&sides, &members);
        let Sides { manifest, container, .. } = sides;
        Some(BundleAnswer { manifest, container, members, notes })
    }

    fn sides(&self, manifest: Option<CopyRef>, container: Option<CopyRef>) -> Sides {
        let bundles = |copy: CopyRef| self.layer(copy).and_then(|layer| layer.bundles());
        let named = manifest.and_then(|copy| {
            let bundles = bundles(copy)?;
            let rows = bundles.rows_of(bundles.manifest(copy.file)?);
            Some(rows.map(|(path, size)| (path.to_vec(), size)).collect())
        });
        let held =
            container.into_iter().flat_map(|container| self.members_of(container)).filter_map(|copy| {
                let layer = self.layer(copy)?;
                Some((layer.path_of(copy.file), copy, layer.stat(copy.file).size))
            });
        Sides { manifest, container, named: named.unwrap_or_default(), held: held.collect() }
    }

    fn member_answer(&self, path: &[u8], declared: Option<u32>, own: Option<&CopyRef>) -> MemberAnswer {
        let entry = self.index.find_bytes(&self.layers, path);
        let refs = entry.map_or(&[][..], |entry| self.index.copies(entry));
        let first = refs.first().copied();
        let source = match (first, own) {
            (Some(first), _) if !self.is_member(first) => MemberSource::File(first),
            (_, Some(own)) => MemberSource::Container(*own),
            (Some(first), None) if self.is_live(first) => MemberSource::Elsewhere(first),
            _ => MemberSource::Missing,
        };
        let copies = refs.iter().filter_map(|copy| {
            let layer = self.layer(*copy)?;
            Some((*copy, self.kind(*copy), layer.stat(copy.file).size))
        });
        // In this bundle, its own container is the only rival.
        let is_unproven =
            matches!((source, own), (MemberSource::File(file), Some(own)) if own.layer <= file.layer);
        MemberAnswer {
            path: to_text(path).into_owned(),
            declared,
            entry,
            source,
            is_unproven,
            copies: copies.collect(),
        }
    }

    fn bundle_notes(&self, sides: &Sides, members: &[MemberAnswer]) -> Vec<String> {
        let mut notes = Vec::new();
        let fault = |copy: CopyRef, is_manifest: bool| {
            let bundles = self.layer(copy)?.bundles()?;
            let listed = if is_manifest { bundles.manifest(copy.file) } else { bundles.container(copy.file) };
            listed?.fault.clone()
        };
        notes.extend(sides.manifest.and_then(|copy| fault(copy, true)));
        notes.extend(sides.container.and_then(|copy| fault(copy, false)));
        match (sides.manifest, sides.container) {
            (Some(_), None) => notes.push(
                "The bundle has no container: its members are files, or lie in containers of other bundles."
                    .to_owned(),
            ),
            (None, Some(_)) => {
                notes.push("The container has no manifest: no bundle of the game asks for it.".to_owned());
            }
            (Some(manifest), Some(container)) => {
                notes.extend(self.order_note(manifest, container));
                notes.push(self.mirror_note(sides, container));
            }
            (None, None) => {}
        }
        let count =
            |wanted: &dyn Fn(&MemberAnswer) -> bool| members.iter().filter(|member| wanted(member)).count();
        let missing = count(&|member| member.source == MemberSource::Missing);
        if missing > 0 {
            notes.push(format!("{missing} of {} members are nowhere in the stack.", members.len()));
        }
        let unproven = count(&|member| member.is_unproven);
        if unproven > 0 {
            notes.push(format!(
                "Of {unproven} of {} members a file lies below the container, or in its layer: which of the two the \
                 game takes is not proven.",
                members.len()
            ));
        }
        notes
    }

    /// What it means that the two ship in different layers.
    fn order_note(&self, manifest: CopyRef, container: CopyRef) -> Option<String> {
        let (above, below) = (self.layer_name(manifest), self.layer_name(container));
        match manifest.layer.cmp(&container.layer) {
            std::cmp::Ordering::Less => Some(format!(
                "The manifest ships above its container, {above} over {below}: the list of members is newer than \
                 the bytes."
            )),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => Some(format!(
                "The container ships above its manifest, {below} over {above}: the bytes are newer than the list \
                 of members."
            )),
        }
    }

    /// Whether manifest and container say the same, and the length that the manifest predicts.
    fn mirror_note(&self, sides: &Sides, container: CopyRef) -> String {
        let paths: u64 =
            sides.named.iter().map(|(path, _)| (path.len() as u64 + 1).next_multiple_of(4)).sum();
        let sizes: u64 = sides.named.iter().map(|(_, size)| embb::SIZE_WORD + u64::from(*size)).sum();
        let predicted = embb::HEADER as u64 + paths + 4 * sides.named.len() as u64 + sizes;
        let actual = self.layer(container).map_or(0, |layer| layer.stat(container.file).size);
        let mut pairs = sides.named.iter().zip(&sides.held);
        let is_same = sides.named.len() == sides.held.len()
            && pairs.all(|((a, size), (b, _, held))| path::eq_fold(a, b) && u64::from(*size) == *held);
        if is_same && predicted == actual {
            return format!(
                "Manifest and container mirror each other: the same {} paths in the same order, and a container of \
                 {actual} bytes, as the manifest predicts.",
                sides.named.len()
            );
        }
        let held: HashMap<_, _> =
            sides.held.iter().map(|(path, _, size)| (path.to_ascii_lowercase(), *size)).collect();
        let of = |path: &[u8]| held.get(&path.to_ascii_lowercase()).copied();
        let beyond = sides.named.iter().filter(|(path, _)| of(path).is_none()).count();
        let resized =
            sides.named.iter().filter(|(path, size)| of(path).is_some_and(|held| held != u64::from(*size)));
        let resized = resized.count();
        let named = sides.named.len() - beyond;
        format!(
            "Manifest and container differ: {beyond} of {} members are named beyond what the container holds, \
             {resized} have another size there, and {} are held without being named. The manifest predicts a \
             container of {predicted} bytes, it has {actual}.",
            sides.named.len(),
            sides.held.len().saturating_sub(named)
        )
    }
}
