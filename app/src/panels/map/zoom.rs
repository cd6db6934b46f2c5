//! Which place of the stack the map shows, by names, so that it stays where the stack is replaced.

use palimpsest_core::mount::{FolderId, Part, ShadowMap, Stack, Tally};
use palimpsest_core::path::{split, to_text};

/// What the map divides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum By {
    /// All stored bytes: layers, and folders in them.
    #[default]
    Layer,
    /// The bytes that win: folders of the merged tree.
    Folder,
}

/// What a person looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Zoom {
    pub(super) by: By,
    /// The layer's number and name.
    layer: Option<(usize, String)>,
    folder: Vec<u8>,
}

/// The same place in one stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// All layers beside each other.
    Layers,
    /// A folder, in a layer or merged.
    Folder(Option<usize>, FolderId),
}

impl Zoom {
    /// The whole stack.
    pub(super) fn all(by: By) -> Self {
        Self { by, ..Self::default() }
    }

    /// The place in a stack: the nearest one that it has.
    pub(super) fn place(&self, stack: &Stack, map: &ShadowMap) -> Place {
        let layer = match (&self.layer, self.by) {
            (_, By::Folder) => None,
            (None, By::Layer) => return Place::Layers,
            (Some((number, name)), By::Layer) => {
                let is_it = stack.layers().get(*number).is_some_and(|layer| layer.name == *name);
                match if is_it { Some(*number) } else { stack.find_layer(name) } {
                    Some(layer) => Some(layer),
                    None => return Place::Layers,
                }
            }
        };
        let mut path = &self.folder[..];
        loop {
            let folder = stack.index().find_folder(path);
            let has_files = |folder: &FolderId| map.below(stack.index(), layer, *folder).files > 0;
            if let Some(folder) = folder.filter(has_files) {
                return Place::Folder(layer, folder);
            }
            if path.is_empty() {
                return Place::Folder(layer, FolderId::ROOT);
            }
            path = split(path).0;
        }
    }
}

impl Place {
    /// What a person looks at, at this place.
    pub(super) fn zoom(self, by: By, stack: &Stack) -> Zoom {
        match self {
            Self::Layers => Zoom::all(by),
            Self::Folder(layer, folder) => Zoom {
                by,
                layer: layer.and_then(|at| Some((at, stack.layers().get(at)?.name.clone()))),
                folder: stack.index().folder_path(folder).to_vec(),
            },
        }
    }

    /// The place that a part of this one is; a file is none.
    pub(super) fn into(self, part: Part) -> Option<Self> {
        match (part, self) {
            (Part::Layer(layer), _) => Some(Self::Folder(Some(layer), FolderId::ROOT)),
            (Part::Folder(folder), Self::Folder(layer, _)) => Some(Self::Folder(layer, folder)),
            (Part::Folder(folder), Self::Layers) => Some(Self::Folder(None, folder)),
            (Part::File(..), _) => None,
        }
    }

    /// The place around this one; the whole has none.
    pub(super) fn around(self, stack: &Stack) -> Option<Self> {
        match self {
            Self::Layers | Self::Folder(None, FolderId::ROOT) => None,
            Self::Folder(Some(_), FolderId::ROOT) => Some(Self::Layers),
            Self::Folder(layer, folder) => {
                stack.index().parent(folder).map(|folder| Self::Folder(layer, folder))
            }
        }
    }

    /// The name of the place, without those around it.
    pub(super) fn name(self, stack: &Stack) -> String {
        match self {
            Self::Layers => "All layers".to_owned(),
            Self::Folder(None, FolderId::ROOT) => "All folders".to_owned(),
            Self::Folder(Some(layer), FolderId::ROOT) => {
                stack.layers().get(layer).map(|layer| layer.name.clone()).unwrap_or_default()
            }
            Self::Folder(_, folder) => to_text(split(stack.index().folder_path(folder)).1).into_owned(),
        }
    }

    /// The layer that is looked into.
    pub(super) fn layer(self) -> Option<usize> {
        match self {
            Self::Layers => None,
            Self::Folder(layer, _) => layer,
        }
    }

    /// The parts of the place with the bytes of each.
    pub(super) fn parts(self, stack: &Stack, map: &ShadowMap) -> Vec<(Part, Tally)> {
        match self {
            Self::Layers => map.layers(stack.index()),
            Self::Folder(layer, folder) => map.parts(stack, layer, folder),
        }
    }
}

/// The name of a part.
pub(super) fn part_name(part: Part, stack: &Stack) -> String {
    match part {
        Part::Layer(layer) => Place::Folder(Some(layer), FolderId::ROOT).name(stack),
        Part::Folder(folder) => Place::Folder(None, folder).name(stack),
        Part::File(entry, _) => stack.leaf(entry),
    }
}
