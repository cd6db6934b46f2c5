//! The menus, and what is in them.

use egui::{Key, Modifiers};
use palimpsest_core::export::Form;

use super::{
    Action, Item, Shortcut, all_slices, close, copy_path, export, export_found, export_model, export_texts,
    extract, extract_found, extract_layer, look, model, model_drawn, mounted, picture, read_bundles, shade,
    shown, step_copy, step_difference, step_slice, step_tier, toggle, view,
};
use crate::command::{
    Command, CompareView, Look, ModelLook, Overlay, PathFor, PictureMode, Shade, Side, Tree,
};
use crate::gpu::mesh::Mode as Colours;
use crate::gpu::texture::Mode;
use crate::grid::GridCommand;
use crate::panels::{Show, compare};
use crate::session::Session;
use crate::shadow::MapCommand;

const SHIFT: Modifiers = Modifiers::SHIFT;
const CONTROL: Modifiers = Modifiers::COMMAND;
const BOTH: Modifiers = Modifiers { shift: true, ..CONTROL };

/// The menus by their names.
pub(in crate::panels) static MENUS: [(&str, &[Item]); 5] = [
    ("File", &FILE),
    ("View", &VIEW),
    ("Stack", &STACK),
    ("Go", &GO),
    (
        "Help",
        &[with("Keys and queries", Modifiers::NONE, Key::F1, |_| Some(Command::Show(Overlay::Help, true)))],
    ),
];

static FILE: [Item; 16] = [
    with("Open folder…", CONTROL, Key::O, |_| Some(Command::PickFolder)),
    with("Open file…", BOTH, Key::O, |_| Some(Command::PickFile)),
    named("Open a path…", |_| Some(Command::TypePath(PathFor::Mount))),
    named("Open the demo", |_| Some(Command::MountDemo)),
    Item::Recent,
    Item::Line,
    with("Extract this file…", CONTROL, Key::E, extract),
    named("Extract its layer…", extract_layer),
    named("Extract all that was found…", extract_found),
    Item::Menu("Export", &EXPORT),
    Item::Line,
    with("Copy path", CONTROL, Key::C, copy_path),
    with("Copy as a link", BOTH, Key::C, |session| session.active()?.link().map(Command::CopyText)),
    Item::Line,
    with("Close tab", CONTROL, Key::W, close),
    with("Quit", CONTROL, Key::Q, |_| Some(Command::Quit)),
];

static EXPORT: [Item; 14] = [
    named("Export the texture as PNG…", |session| export(session, Form::Png, false)),
    named("Export the texture as OpenEXR…", |session| export(session, Form::Exr, false)),
    named("Export the texture as DDS…", |session| export(session, Form::Dds, false)),
    named("Export all its tiers as one DDS…", |session| export(session, Form::Dds, true)),
    named("Export the textures that were found as PNG…", export_found),
    Item::Line,
    named("Export the model as glTF binary…", |session| export_model(session, Form::Glb)),
    named("Export the model as glTF…", |session| export_model(session, Form::Gltf)),
    named("Export the mesh of the model as OBJ…", |session| export_model(session, Form::Obj)),
    Item::Line,
    named("Export the texts as CSV…", |session| export_texts(session, Form::Csv)),
    named("Export the texts as TSV…", |session| export_texts(session, Form::Tsv)),
    named("Export the texts as JSON…", |session| export_texts(session, Form::Json)),
    named("Export the texts as PO…", |session| export_texts(session, Form::Po)),
];

static VIEW: [Item; 14] = [
    named("Dark or light", |_| Some(Command::ToggleTheme)),
    or("Larger text", (CONTROL, Key::Plus), (CONTROL, Key::Equals), |_| Some(Command::Zoom(1))),
    with("Smaller text", CONTROL, Key::Minus, |_| Some(Command::Zoom(-1))),
    with("Normal text", CONTROL, Key::Num0, |_| Some(Command::Zoom(0))),
    Item::Line,
    named("Merged tree", |_| Some(Command::ShowTree(Tree::Merged))),
    named("Tree of each layer", |_| Some(Command::ShowTree(Tree::Layers))),
    with("Shadow map", Modifiers::NONE, Key::M, |_| Some(Command::Map(MapCommand::Show))),
    with("Textures as a grid", Modifiers::NONE, Key::T, |_| Some(Command::Grid(GridCommand::Show))),
    named("Put the panels back", |_| Some(Command::ResetLayout)),
    Item::Line,
    Item::Menu("Picture", &PICTURE),
    Item::Menu("Model", &MODEL),
    Item::Menu("Comparison", &COMPARISON),
];

/// What can be done with a picture.
pub(in crate::panels) static PICTURE: [Item; 24] = [
    key("Fit the picture, or look at what is chosen of a model", Key::F, |session| look(session, Look::Fit)),
    key("Fit the picture, or look at all of a model", Key::Home, |session| look(session, Look::All)),
    key("Exact pixels", Key::Num0, |session| look(session, Look::Exact)),
    key("Larger or finer level", Key::Comma, |session| look(session, Look::LargerLevel)),
    key("Smaller or coarser level", Key::Period, |session| look(session, Look::SmallerLevel)),
    with("Next slice or face", SHIFT, Key::Period, |session| step_slice(session, 1)),
    with("Previous slice or face", SHIFT, Key::Comma, |session| step_slice(session, -1)),
    named("All slices or faces", all_slices),
    key("Red on or off", Key::Num1, |session| look(session, Look::Channel(0))),
    key("Green on or off", Key::Num2, |session| look(session, Look::Channel(1))),
    key("Blue on or off", Key::Num3, |session| look(session, Look::Channel(2))),
    key("Alpha on or off", Key::Num4, |session| look(session, Look::Channel(3))),
    with("Red alone", SHIFT, Key::Num1, |session| look(session, Look::ChannelAlone(0))),
    with("Green alone", SHIFT, Key::Num2, |session| look(session, Look::ChannelAlone(1))),
    with("Blue alone", SHIFT, Key::Num3, |session| look(session, Look::ChannelAlone(2))),
    with("Alpha alone", SHIFT, Key::Num4, |session| look(session, Look::ChannelAlone(3))),
    Item::Line,
    Item::Menu("Values", &VALUES),
    named("Next tier of the texture alone, or all joined", step_tier),
    Item::Line,
    named("Export this level and slice as PNG…", |session| picture(session, Look::Export)),
    named("Copy the picture", |session| picture(session, Look::Copy)),
    named("Save the picture as drawn…", |session| picture(session, Look::SaveDrawn)),
    named("Copy the picture as drawn", |session| picture(session, Look::CopyDrawn)),
];

/// How values of a picture become colours.
static VALUES: [Item; 11] = [
    named("Values as stored, or as light", |session| shade(session, Shade::ColourSpace)),
    named("More exposure", |session| shade(session, Shade::Exposure(1))),
    named("Less exposure", |session| shade(session, Shade::Exposure(-1))),
    named("Alpha over a checker, or ignored", |session| shade(session, Shade::Alpha)),
    named("Channels as colours", |session| shade(session, Shade::Mode(Mode::Colours))),
    named("Normals as colours", |session| shade(session, Shade::Mode(Mode::Normals))),
    named("Normals lit", |session| shade(session, Shade::Mode(Mode::Lit))),
    named("Normals on a ball", |session| shade(session, Shade::Mode(Mode::Sphere))),
    named("Tiled, or alone", |session| shade(session, Shade::Tiles)),
    named("Pixels: auto, nearest, smooth", |session| shade(session, Shade::Sampling)),
    named("Values as at first", |session| shade(session, Shade::Reset)),
];

/// What can be done with a mesh or a skeleton.
pub(in crate::panels) static MODEL: [Item; 17] = [
    named("Look at what is chosen, or at everything", |session| {
        session.active()?.model.drawable().map(|_| Command::Look(Look::Fit))
    }),
    key("Orthographic or perspective", Key::O, |session| model(session, ModelLook::Orthographic)),
    Item::Menu("From a side", &SIDES),
    key("Turntable", Key::R, |session| toggle(session, Show::Turntable)),
    Item::Line,
    Item::Menu("Colours of a model", &COLOURS),
    key("Edges of triangles", Key::Z, |session| toggle(session, Show::Edges)),
    key("Bones", Key::B, |session| toggle(session, Show::Bones)),
    key("UV layout", Key::U, |session| toggle(session, Show::Unwrapped)),
    Item::Menu("Beside the model", &BESIDE),
    named("Level of detail by distance", |session| model(session, ModelLook::LevelByDistance)),
    Item::Line,
    with("Undo a turn of bones", CONTROL, Key::Z, |session| model(session, ModelLook::Undo)),
    or("Redo a turn of bones", (CONTROL, Key::Y), (BOTH, Key::Z), |session| model(session, ModelLook::Redo)),
    Item::Menu("Pose", &POSE),
    Item::Menu("The model as a picture", &STILL),
    key("Everything about the model", Key::P, |session| model(session, ModelLook::Panel)),
];

/// What can be done with what is drawn of a model.
static STILL: [Item; 2] = [
    named("Save the model as drawn…", |session| model_drawn(session, Look::SaveDrawn)),
    named("Copy the model as drawn", |session| model_drawn(session, Look::CopyDrawn)),
];

/// How all bones are turned.
static POSE: [Item; 2] = [
    named("Let all bones rest", |session| model(session, ModelLook::Rest)),
    named("Mirror the pose of all bones", |session| model(session, ModelLook::Mirror)),
];

/// Sides that a model is seen from.
static SIDES: [Item; 6] = [
    named("From the front, +Z", |session| model(session, ModelLook::From(Side::Front))),
    named("From behind, -Z", |session| model(session, ModelLook::From(Side::Back))),
    named("From its left, -X", |session| model(session, ModelLook::From(Side::Left))),
    named("From its right, +X", |session| model(session, ModelLook::From(Side::Right))),
    named("From above, +Y", |session| model(session, ModelLook::From(Side::Top))),
    named("From below, -Y", |session| model(session, ModelLook::From(Side::Bottom))),
];

/// What the colours of a model are made of.
static COLOURS: [Item; 8] = [
    named("Clay", |session| model(session, ModelLook::Mode(Colours::Clay))),
    named("Textures", |session| model(session, ModelLook::Mode(Colours::Textured))),
    named("Colours of vertices", |session| model(session, ModelLook::Mode(Colours::Colours))),
    named("Checker on the coordinates", |session| model(session, ModelLook::Mode(Colours::Checker))),
    named("Normals of the model as colours", |session| model(session, ModelLook::Mode(Colours::Normals))),
    named("Weights of the chosen bone", |session| model(session, ModelLook::Mode(Colours::Weights))),
    named("Front and back faces", |session| model(session, ModelLook::Mode(Colours::Sides))),
    named("A colour for each object", |session| model(session, ModelLook::Mode(Colours::Parts))),
];

/// What is drawn beside a model.
static BESIDE: [Item; 8] = [
    named("Normals as lines", |session| toggle(session, Show::Normals)),
    named("Tangents as lines", |session| toggle(session, Show::Tangents)),
    named("Back faces", |session| toggle(session, Show::BackFaces)),
    named("Names of bones", |session| toggle(session, Show::Names)),
    named("Sockets", |session| toggle(session, Show::Sockets)),
    named("Bounds of the model", |session| toggle(session, Show::Bounds)),
    named("Grid", |session| toggle(session, Show::Grid)),
    named("Levels that cast shadows", |session| toggle(session, Show::Shadows)),
];

static COMPARISON: [Item; 13] = [
    key("Compare with the winner", Key::C, compare::command),
    key("Next difference", Key::N, |session| step_difference(session, 1)),
    with("Previous difference", SHIFT, Key::N, |session| step_difference(session, -1)),
    key("Swap the sides", Key::X, |session| {
        session.active_comparison().map(|open| Command::SwapSides(open.id))
    }),
    Item::Line,
    named("Swipe the pictures", |session| view(session, CompareView::Picture(PictureMode::Swipe))),
    named("Blink the pictures", |session| view(session, CompareView::Picture(PictureMode::Blink))),
    named("Difference of the pictures", |session| {
        view(session, CompareView::Picture(PictureMode::Difference))
    }),
    named("Pictures side by side", |session| view(session, CompareView::Picture(PictureMode::Beside))),
    named("Compare line by line", |session| view(session, CompareView::Text)),
    named("Compare member by member", |session| view(session, CompareView::Members)),
    named("Compare field by field", |session| view(session, CompareView::Structure)),
    named("Compare byte by byte", |session| view(session, CompareView::Bytes)),
];

static STACK: [Item; 9] = [
    key("Mount again", Key::F5, |session| mounted(session, Command::Remount)),
    named("What if: other orders of the layers", |session| mounted(session, Command::ShowWhatIf)),
    named("What if: put an archive on top…", |session| {
        mounted(session, Command::PickOnTop { is_folder: false })
    }),
    named("What if: put a folder on top…", |session| {
        mounted(session, Command::PickOnTop { is_folder: true })
    }),
    named("Back to the real order", |session| session.what_if.as_ref().map(|_| Command::EndWhatIf)),
    named("Read the bundles", read_bundles),
    named("Warnings and skipped lines", |_| Some(Command::Show(Overlay::Log, true))),
    Item::Line,
    named("Decoding of Oodle…", |_| Some(Command::Show(Overlay::Oodle, true))),
];

static GO: [Item; 11] = [
    with("Go to a path…", CONTROL, Key::P, |_| Some(Command::Show(Overlay::GoTo, true))),
    with("Commands…", BOTH, Key::P, |_| Some(Command::Show(Overlay::Commands, true))),
    with("Find in the stack", CONTROL, Key::F, |_| Some(Command::FocusSearch)),
    with("Find a text in all tables…", BOTH, Key::F, |session| {
        mounted(session, Command::Show(Overlay::Texts, true))
    }),
    key("Go to an offset…", Key::G, |session| shown(session, Command::Show(Overlay::Offset, true))),
    Item::Line,
    with("Back", Modifiers::ALT, Key::ArrowLeft, |session| {
        session.trail.can_go(true).then_some(Command::Back)
    }),
    with("Forward", Modifiers::ALT, Key::ArrowRight, |session| {
        session.trail.can_go(false).then_some(Command::Forward)
    }),
    key("Copy one layer below", Key::OpenBracket, |session| step_copy(session, 1)),
    key("Copy one layer above", Key::CloseBracket, |session| step_copy(session, -1)),
    key("Why does this win?", Key::W, |session| shown(session, Command::Show(Overlay::Why, true))),
];

type Make = fn(&Session) -> Option<Command>;

/// An action without a key.
const fn named(name: &'static str, command: Make) -> Item {
    Item::Action(Action { name, keys: [None, None], command })
}

/// An action with a key.
const fn key(name: &'static str, key: Key, command: Make) -> Item {
    with(name, Modifiers::NONE, key, command)
}

/// An action with a key and what is held with it.
const fn with(name: &'static str, modifiers: Modifiers, key: Key, command: Make) -> Item {
    Item::Action(Action { name, keys: [Some(Shortcut::new(modifiers, key)), None], command })
}

/// An action with two keys.
const fn or(
    name: &'static str,
    (held, key): (Modifiers, Key),
    (other_held, other): (Modifiers, Key),
    command: Make,
) -> Item {
    let keys = [Some(Shortcut::new(held, key)), Some(Shortcut::new(other_held, other))];
    Item::Action(Action { name, keys, command })
}
