//! What a person asks for. Panels send commands; only the app applies them.

use std::cell::RefCell;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use glam::Affine3A;
use palimpsest_core::export::Conversion;
use palimpsest_core::model::Ray;
use palimpsest_core::mount::{CopyRef, EntryId, Mounts};
use palimpsest_core::parse::Place;
use palimpsest_core::scene::{Beside, TextureRole};
use palimpsest_core::strings::{Order, StringQuery};

use crate::files::Files;
use crate::gpu;
use crate::gpu::texture::Mode;
use crate::grid::GridCommand;
use crate::jobs::Running;
use crate::oodle::OodleChoice;
use crate::panels::{ModelPage, Show};
use crate::pictures::{Viewer, Wanted};
use crate::scenario::Scenario;
use crate::session::{DocumentId, Drawing, PictureChoice, Wanted as Companion};
use crate::shadow::MapCommand;

/// One thing to do.
#[derive(Debug)]
pub enum Command {
    /// Mount something and show it instead of what is mounted.
    Mount(Mounts),
    /// Mount the demo install.
    MountDemo,
    /// Mount what is mounted once more.
    Remount,
    /// Read what the bundles of the stack hold, where that was stopped.
    ReadBundles,
    /// Show the stack in another order, as a simulation.
    Arrange(Scenario),
    /// Ask for an archive or a folder to put on top of the stack, as a simulation.
    PickOnTop {
        /// Whether a folder is asked for.
        is_folder: bool,
    },
    /// Put more on top of the stack, as a simulation.
    PutOnTop(Mounts),
    /// Go back to the order as it is.
    EndWhatIf,
    /// Ask for a file and write the paths into it that change.
    PickChangesFile,
    /// Write the paths that change into a file, or copy them.
    ExportChanges(Option<PathBuf>),
    /// Bring the panel of other orders to the front.
    ShowWhatIf,
    /// Ask for a folder to mount.
    PickFolder,
    /// Ask for a file to mount.
    PickFile,
    /// Find paths; an empty query ends the search.
    Search(String),
    /// Find paths for the palette, the nearest ones first.
    FindPath(String),
    /// Open a path in a tab: the copy at a position, in a tab that stays or in the passing one.
    Open {
        /// The path.
        entry: EntryId,
        /// Position of the copy, 0 for the winner.
        copy: usize,
        /// Whether the tab stays when another path is looked at.
        stays: bool,
    },
    /// Open a copy of a path in the passing tab, and select bytes in it.
    OpenAt {
        /// The path.
        entry: EntryId,
        /// Position of the copy.
        copy: usize,
        /// The bytes.
        range: Range<u64>,
    },
    /// Open a path by its text, where the stack holds it.
    OpenPath(String),
    /// Show another copy in a tab.
    ShowCopy(DocumentId, usize),
    /// Show the copy one layer below (1) or above (-1) in the active tab, or compare it.
    StepCopy(isize),
    /// Show the decoded bytes of a tab's copy, or those that its layer stores.
    ShowStored(DocumentId, bool),
    /// Read a tab's copy again.
    Reload(DocumentId),
    /// Make a tab the active one.
    Focus(DocumentId),
    /// Let a passing tab stay.
    Keep(DocumentId),
    /// Close a tab.
    Close(DocumentId),
    /// Compare two copies of a path in a tab of its own.
    Compare {
        /// The path.
        entry: EntryId,
        /// Positions of the left and the right copy.
        copies: [usize; 2],
    },
    /// Compare another copy: on the left side (0) or the right one (1), by its position.
    CompareOther(DocumentId, usize, usize),
    /// Put the left copy on the right side.
    SwapSides(DocumentId),
    /// Look at the active comparison in another way.
    ViewComparison(CompareView),
    /// Go to the next difference (1) or the one before (-1).
    StepDifference(isize),
    /// Select bytes in a tab.
    Select(DocumentId, Selection),
    /// Read more of a file that is too large to be read at once.
    NeedPages(DocumentId, Range<u64>),
    /// Build the tree of one layer.
    NeedLayerTree(usize),
    /// Compare the copies of a tab's path.
    NeedDigests(DocumentId),
    /// Do something with the picture of a tab.
    Picture(DocumentId, PictureCommand),
    /// Do something with the mesh or the skeleton of a tab.
    Model(DocumentId, ModelCommand),
    /// Do something with the texts of a tab.
    Strings(DocumentId, StringsCommand),
    /// Draw small pictures of what a viewer sees now.
    See(Viewer, Vec<Wanted>),
    /// The tab that was active before.
    Back,
    /// The tab that was active after.
    Forward,
    /// Ask for a folder and write copies into it.
    PickExtractFolder(Files),
    /// Ask for a folder and write copies into it in another form.
    PickExportFolder(Files, Conversion),
    /// Write copies into a folder.
    Extract(PathBuf, Files, Conversion),
    /// Ask for a path by typing, for something that is to be done with it.
    TypePath(PathFor),
    /// Stop a job.
    Cancel(Arc<Running>),
    /// Put text on the clipboard, and say so.
    CopyText(String),
    /// Switch between dark and light.
    ToggleTheme,
    /// Make everything larger (1), smaller (-1), or as it was (0).
    Zoom(i8),
    /// Put the panels back where they were at first.
    ResetLayout,
    /// Open or close a window of the program.
    Show(Overlay, bool),
    /// Type into the window of the program that is open.
    Type(String),
    /// Put the keyboard into the search field.
    FocusSearch,
    /// Show the merged tree, or a tree for every layer.
    ShowTree(Tree),
    /// Do something with the tab that has the shadow map.
    Map(MapCommand),
    /// Do something with the tab that has the grid of textures.
    Grid(GridCommand),
    /// Show a folder in the merged tree, by its path.
    ShowFolder(Vec<u8>),
    /// Look at the picture of the active tab in another way.
    Look(Look),
    /// Have somebody else decode Oodle's chunks.
    DecodeBy(OodleChoice),
    /// Do something with names of hashes.
    Names(NamesCommand),
    /// Find a text in all tables of the stack, with letter case and marks or without.
    FindTexts(String, bool),
    /// Open a table of texts at a key.
    OpenText(EntryId, u32),
    /// Forget the notices.
    ClearNotices,
    /// Close the window.
    Quit,
}

/// What can be done with the picture of a tab.
#[derive(Clone, Debug)]
pub enum PictureCommand {
    /// Show another part of the texture, or other files of it.
    Show(PictureChoice),
    /// Show all slices together.
    Sheet,
    /// Count the values of a level.
    CountValues(u32),
    /// Copy a level with some channels, values as stored.
    Copy(u32, [bool; 4]),
    /// Copy it as it is drawn.
    CopyDrawn(Drawing),
    /// Ask for a file and draw it into that.
    PickDrawnFile(Drawing),
    /// Draw it into a file.
    SaveDrawn(PathBuf, Drawing),
}

/// What can be done with the mesh or the skeleton of a tab.
#[derive(Clone, Debug)]
pub enum ModelCommand {
    /// Join it with a skeleton, or a mesh.
    Join(Companion),
    /// Look for what goes with it in the whole stack.
    LookEverywhere,
    /// Put a texture on a slot of the material, or none.
    Wear {
        /// The slot.
        slot: i32,
        /// What the texture is used for.
        role: TextureRole,
        /// The texture.
        texture: Option<CopyRef>,
    },
    /// Put the textures on it that the names say.
    WearBest,
    /// Use a path that was dropped on it: as a texture of a slot, by its name, or as what goes with it.
    Drop {
        /// The path.
        entry: EntryId,
        /// The slot.
        slot: i32,
    },
    /// Find the vertex that a line of sight meets.
    Pick {
        /// The line of sight.
        ray: Ray,
        /// The groups that are drawn.
        groups: Vec<usize>,
        /// What moves the vertices.
        skin: Arc<Vec<Affine3A>>,
    },
    /// Choose a vertex, by its group and its number there, or none.
    SelectVertex(Option<(usize, u32)>),
}

/// What can be done with names of hashes.
#[derive(Clone, Debug)]
pub enum NamesCommand {
    /// Ask for a word list, and take its names.
    PickList,
    /// Take the names of a word list.
    AddList(PathBuf),
    /// Take names.
    Keep(Vec<String>),
    /// Ask for a file and write a word list into it.
    PickFile(String),
    /// Write a word list into a file.
    Save(PathBuf, String),
}

/// What can be done with the texts of a tab.
#[derive(Clone, Debug)]
pub enum StringsCommand {
    /// Set other tables beside each other.
    Beside(Beside),
    /// Look for rows.
    Find(Box<StringQuery>),
    /// Order the rows, from the last to the first or not.
    Order(Order, bool),
    /// Guess names of keys by a pattern.
    Guess(String),
    /// Forget what was guessed, or stop.
    ForgetGuesses,
    /// Bring the text of a key in a column into view, and choose it.
    Show(u32, usize),
}

/// What the browser shows while nothing is searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tree {
    /// Every path once.
    #[default]
    Merged,
    /// Every layer with its own tree.
    Layers,
}

/// A way to look at a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Look {
    /// As large as the panel.
    Fit,
    /// As large as the panel; all of a model, whatever is chosen.
    All,
    /// One pixel of the screen for each pixel.
    Exact,
    /// The next larger level.
    LargerLevel,
    /// The next smaller level.
    SmallerLevel,
    /// Show or hide a channel, 0 to 3.
    Channel(usize),
    /// Show a channel alone, or all again.
    ChannelAlone(usize),
    /// Make colours of the values in another way.
    Shade(Shade),
    /// Export the level and slice with the channels that are shown, values as stored.
    Export,
    /// Copy the same.
    Copy,
    /// Save the picture with everything that the colours are made of.
    SaveDrawn,
    /// Copy the same.
    CopyDrawn,
    /// Look at a mesh or a skeleton in another way.
    Model(ModelLook),
}

/// A way to look at a mesh or a skeleton.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModelLook {
    /// Make its colours of something else.
    Mode(gpu::mesh::Mode),
    /// Show something, or not any more.
    Toggle(Show),
    /// See it from a side, what is far away as large as what is near.
    From(Side),
    /// Make what is far away smaller, or not.
    Orthographic,
    /// Draw the level of detail that belongs to the distance.
    LevelByDistance,
    /// See it from radians round and radians up.
    See([f32; 2]),
    /// Choose a bone, by its number in what is drawn, or none.
    Choose(Option<usize>),
    /// Turn a bone by degrees about its own axes.
    Turn(usize, [f32; 3]),
    /// Show a page of what can be chosen beside it.
    Page(ModelPage),
    /// Let all bones rest.
    Rest,
    /// Exchange left and right of the pose.
    Mirror,
    /// Take the last change of the pose back.
    Undo,
    /// Make it again.
    Redo,
    /// Show everything that can be chosen beside it, or not any more.
    Panel,
}

/// A side that a model is seen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// From +Z.
    Front,
    /// From -Z.
    Back,
    /// From -X, where the bones are whose names begin with `L_`.
    Left,
    /// From +X.
    Right,
    /// From +Y.
    Top,
    /// From -Y.
    Bottom,
}

impl Side {
    /// What looking from there is called.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Front => "From the front (+Z)",
            Self::Back => "From behind (-Z)",
            Self::Left => "From its left (-X)",
            Self::Right => "From its right (+X)",
            Self::Top => "From above (+Y)",
            Self::Bottom => "From below (-Y)",
        }
    }
}

/// Another way to make colours of the values of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shade {
    /// Values as stored, or as light.
    ColourSpace,
    /// More (1) or less (-1) light.
    Exposure(i8),
    /// Alpha over the ground, or ignored.
    Alpha,
    /// The channels, or normals.
    Mode(Mode),
    /// The picture beside itself, or alone.
    Tiles,
    /// The next way to make pixels larger and smaller.
    Sampling,
    /// Everything as it was at first.
    Reset,
}

/// A way to look at two copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareView {
    /// Textures, pixel by pixel.
    Picture(PictureMode),
    /// Texts, line by line.
    Text,
    /// Lists and archives, member by member.
    Members,
    /// Field by field.
    Structure,
    /// Byte by byte.
    Bytes,
}

/// A way to look at two pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureMode {
    /// The left one up to a line, the right one from there on.
    #[default]
    Swipe,
    /// One after the other.
    Blink,
    /// How far their pixels differ.
    Difference,
    /// Beside each other.
    Beside,
}

/// What a path is asked for.
#[derive(Clone, Debug, Default)]
pub enum PathFor {
    /// Something to mount.
    #[default]
    Mount,
    /// A folder to write files into, and what those are called.
    Extract(Files, String, Conversion),
    /// A file to write the paths into that change.
    Changes,
    /// Something to put on top of the stack.
    OnTop,
    /// A file to draw the picture of a tab into.
    Drawn(DocumentId, Drawing),
    /// A word list.
    WordList,
    /// A file to write a word list into.
    Names(String),
}

/// Windows over the panels; one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overlay {
    /// Go to a path.
    GoTo,
    /// Run a command.
    Commands,
    /// Keys and help.
    Help,
    /// Warnings and notices.
    Log,
    /// Why the active path's winner wins.
    Why,
    /// Go to an offset.
    Offset,
    /// Find a text in all tables.
    Texts,
    /// Type a path of the system, for what the session says.
    Path,
    /// Choose who decodes Oodle's chunks.
    Oodle,
}

impl Overlay {
    /// Whether it begins with a field that text is typed into.
    pub const fn has_field(self) -> bool {
        matches!(self, Self::GoTo | Self::Commands | Self::Offset | Self::Path | Self::Texts)
    }
}

/// Selected bytes, and who selected them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The bytes.
    pub range: Range<u64>,
    /// The panel that selected them; the others bring them into view.
    pub by: Selector,
}

/// Who selects bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selector {
    /// The bytes themselves.
    Hex,
    /// This field of the structure.
    Structure(Place),
    /// Anything else.
    Other,
}

/// Commands that were sent and are not applied yet.
#[derive(Debug, Default)]
pub struct Commands(RefCell<Vec<Command>>);

impl Commands {
    /// Sends a command.
    pub fn send(&self, command: Command) {
        self.0.borrow_mut().push(command);
    }

    /// Sends a command where there is one.
    pub fn send_some(&self, command: Option<Command>) {
        self.0.borrow_mut().extend(command);
    }

    /// Whether no command waits.
    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// Takes all commands in the order in which they were sent.
    pub fn take(&self) -> Vec<Command> {
        self.0.take()
    }
}
