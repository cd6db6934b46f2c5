//! What a bundle is made of: the members that its winning manifest names, and where each comes from.

use std::collections::{HashMap, HashSet, VecDeque};

use super::{CopyKind, Stack};
use crate::error::Result;
use crate::mount::bundles::{CONTAINER, Listed, MANIFEST};
use crate::mount::index::{CopyRef, EntryId};
use crate::path::{self, has_ending, to_text};
use crate::task::Task;

/// How many copies of a member are listed.
const MOST_COPIES: usize = 32;

/// The whole answer about a bundle.
#[derive(Clone, Debug)]
pub struct BundleAnswer {
    /// The manifest that wins.
    pub manifest: Option<CopyRef>,
    /// The container that wins.
    pub container: Option<CopyRef>,
    /// The members: those that the manifest names in its order, then those that only the container holds.
    pub members: Vec<MemberAnswer>,
    /// What is wrong with manifest and container.
    pub faults: Vec<String>,
    /// What there is to say about them, a sentence each.
    pub notes: Vec<String>,
    /// What is not proven about its members.
    pub unproven: Option<String>,
}

impl BundleAnswer {
    /// Everything that there is to say: faults, notes, and what is not proven.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.faults.iter().chain(&self.notes).chain(&self.unproven).map(String::as_str)
    }
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
    /// The first copies, with how each is shipped and its size.
    pub copies: Vec<(CopyRef, CopyKind, u64)>,
    /// How many copies there are.
    pub copy_count: usize,
    /// Bytes of what is used.
    pub size: Option<u64>,
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
    /// Whether the size of what is used is the one that the manifest states; `None` where there is nothing
    /// to compare.
    pub fn fits(&self) -> Option<bool> {
        Some(self.size? == u64::from(self.declared?))
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
    ///
    /// # Errors
    /// `Cancelled`.
    pub fn bundle(&self, entry: EntryId, task: &Task) -> Result<Option<BundleAnswer>> {
        if !self.is_bundle(entry) {
            return Ok(None);
        }
        let path = self.index.path(&self.layers, entry);
        let stem = path.get(..path.len() - MANIFEST.len()).unwrap_or_default();
        let winner = |ending: &[u8]| {
            let entry = self.index.find_bytes(&self.layers, &[stem, ending].concat())?;
            self.index.copies(entry).first().copied().filter(|copy| !self.is_member(*copy))
        };
        let sides = self.sides(winner(MANIFEST), winner(CONTAINER));
        // Where a container holds a path several times, its members are told apart by their order.
        let mut own: HashMap<Vec<u8>, VecDeque<CopyRef>> = HashMap::new();
        for (path, copy, _) in &sides.held {
            own.entry(path.to_ascii_lowercase()).or_default().push_back(*copy);
        }
        task.set_total(sides.named.len() as u64);
        let named: HashSet<Vec<u8>> = sides.named.iter().map(|(path, _)| path.to_ascii_lowercase()).collect();
        let mut members = Vec::with_capacity(sides.named.len());
        for (path, size) in &sides.named {
            task.step(1)?;
            let held = own.get_mut(&path.to_ascii_lowercase());
            // The last one stands for all that are named behind it.
            let held =
                held.and_then(|held| if held.len() > 1 { held.pop_front() } else { held.front().copied() });
            members.push(self.member_answer(path, Some(*size), held.as_ref()));
        }
        let beyond = sides.held.iter().filter(|(path, ..)| !named.contains(&path.to_ascii_lowercase()));
        members.extend(beyond.map(|(path, copy, _)| self.member_answer(path, None, Some(copy))));
        let faults = [sides.manifest, sides.container].into_iter().flatten();
        let faults = faults.filter_map(|copy| self.bundle_fault(copy)).map(str::to_owned).collect();
        let notes = self.bundle_notes(&sides, &members);
        let unproven = members.iter().filter(|member| member.is_unproven).count();
        let unproven = (unproven > 0).then(|| {
            format!(
                "{unproven} of {}: a file lies below the container, or in its layer; which of the two the game \
                 takes is not proven.",
                members_of(members.len() as u64)
            )
        });
        let Sides { manifest, container, .. } = sides;
        Ok(Some(BundleAnswer { manifest, container, members, faults, notes, unproven }))
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
        let size = |copy: CopyRef| self.layer(copy).map(|layer| layer.stat(copy.file).size);
        let copies = refs.iter().take(MOST_COPIES).filter_map(|copy| {
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
            copy_count: refs.len(),
            size: source.copy().and_then(size),
        }
    }

    fn bundle_notes(&self, sides: &Sides, members: &[MemberAnswer]) -> Vec<String> {
        let mut notes = Vec::new();
        let [manifest, container] = [sides.manifest, sides.container].map(|copy| self.listed(copy));
        let lacks =
            |listed: Option<&Listed>| listed.map_or(0, |of| of.declared.saturating_sub(of.count().into()));
        match (sides.manifest, sides.container) {
            (Some(_), None) => notes.push(
                "The bundle has no container: its members are files, or lie in containers of other bundles."
                    .to_owned(),
            ),
            (None, Some(_)) => {
                notes.push("The container has no manifest: no bundle of the game asks for it.".to_owned());
            }
            (Some(above), Some(below)) => {
                notes.extend(self.order_note(above, below));
                let is_unread = |of: &Listed| !of.is_whole && of.count() == 0;
                let is_cut = container.is_some_and(|of| is_unread(of) || !of.is_whole && lacks(Some(of)) > 0);
                let all = container.map_or(0, |of| of.declared);
                if is_cut || manifest.is_some_and(is_unread) {
                    let read = container.map_or(0, Listed::count);
                    notes.push(format!(
                        "Of the container {read} of {all} members could be read: what lies behind the fault is not known."
                    ));
                } else {
                    notes.push(self.mirror_note(sides, below, manifest.map_or(0, |of| of.predicted)));
                }
            }
            (None, None) => {}
        }
        for (name, listed) in [("manifest", manifest), ("container", container)] {
            let lost = lacks(listed);
            if lost > 0 && listed.is_some_and(|of| of.is_whole) {
                notes.push(format!(
                    "{} of the {name} cannot be asked for: no path, or one that is too long.",
                    members_of(lost)
                ));
            }
        }
        let missing = members.iter().filter(|member| member.source == MemberSource::Missing).count();
        if missing > 0 {
            let behind = if container.is_some_and(|of| !of.is_whole) {
                ", unless they lie behind the fault of the container"
            } else {
                ""
            };
            notes.push(format!(
                "{missing} of {} nowhere in the stack{behind}.",
                members_of(members.len() as u64)
            ));
        }
        notes
    }

    /// What is wrong with a manifest or a container, once it was read.
    pub fn bundle_fault(&self, copy: CopyRef) -> Option<&str> {
        self.listed(Some(copy))?.fault.as_deref()
    }

    /// What was read of a manifest or a container.
    fn listed(&self, copy: Option<CopyRef>) -> Option<&Listed> {
        let copy = copy?;
        let bundles = self.layer(copy)?.bundles()?;
        bundles.manifest(copy.file).or_else(|| bundles.container(copy.file))
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
    fn mirror_note(&self, sides: &Sides, container: CopyRef, predicted: u64) -> String {
        let actual = self.layer(container).map_or(0, |layer| layer.stat(container.file).size);
        let mut pairs = sides.named.iter().zip(&sides.held);
        let is_same = sides.named.len() == sides.held.len()
            && pairs.all(|((a, size), (b, _, held))| path::eq_fold(a, b) && u64::from(*size) == *held);
        if is_same && predicted == actual {
            return format!(
                "Manifest and container mirror each other: the same {} in the same order, and a container of \
                 {actual} bytes, as the manifest predicts.",
                members_of(sides.named.len() as u64)
            );
        }
        let held: HashMap<_, _> =
            sides.held.iter().map(|(path, _, size)| (path.to_ascii_lowercase(), *size)).collect();
        let named: HashSet<_> = sides.named.iter().map(|(path, _)| path.to_ascii_lowercase()).collect();
        let of = |path: &[u8]| held.get(&path.to_ascii_lowercase()).copied();
        let beyond = sides.named.iter().filter(|(path, _)| of(path).is_none()).count();
        let resized =
            sides.named.iter().filter(|(path, size)| of(path).is_some_and(|held| held != u64::from(*size)));
        let unnamed = held.keys().filter(|path| !named.contains(*path)).count();
        let parts = [
            (beyond, "named beyond what the container holds"),
            (resized.count(), "of another size there"),
            (unnamed, "held without being named"),
        ];
        let parts: Vec<_> = parts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        let parts = if parts.is_empty() { "in another order".to_owned() } else { parts.join(", ") };
        format!(
            "Manifest and container differ, of {}: {parts}. The manifest predicts a container of {predicted} bytes, \
             it has {actual}.",
            members_of(sides.named.len() as u64)
        )
    }
}

fn members_of(count: u64) -> String {
    if count == 1 { "1 member".to_owned() } else { format!("{count} members") }
}
