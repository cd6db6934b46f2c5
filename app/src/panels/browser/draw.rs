//! What a row of the browser shows.

use std::sync::Arc;

use egui::Ui;
use palimpsest_core::export::{Conversion, Form};
use palimpsest_core::format::detect;
use palimpsest_core::mount::{ChangeKind, CopyRef, EntryId, FolderId};
use palimpsest_core::path;

use super::list::{Below, Cursor, Kind, List};
use crate::command::Command;
use crate::files::Files;
use crate::format::{number, size};
use crate::grid::GridCommand;
use crate::jobs::Load;
use crate::panels::what_if::sign;
use crate::panels::{ViewCtx, icon_of};
use crate::theme::{self, Theme};
use crate::widgets::menu;
use crate::widgets::row::Pen;

/// The forms that a file is exported in from its menu, where it has them.
const FORMS: [(&str, Form); 8] = [
    ("Export as PNG…", Form::Png),
    ("Export as DDS…", Form::Dds),
    ("Export as glTF binary…", Form::Glb),
    ("Export as glTF…", Form::Gltf),
    ("Export as OBJ…", Form::Obj),
    ("Export as CSV…", Form::Csv),
    ("Export as JSON…", Form::Json),
    ("Export as PO…", Form::Po),
];

/// Writes a row; returns its name for those who do not see it.
pub(super) fn row(
    pen: &mut Pen<'_>,
    cursor: Cursor,
    list: &List<'_>,
    is_open: bool,
    theme: &Theme,
) -> String {
    match cursor {
        Cursor::Layer(layer) => layer_row(pen, layer, list, is_open, theme),
        Cursor::Note(layer) => note_row(pen, layer, list, theme),
        Cursor::Folder(_, folder) => folder_row(pen, cursor, folder, list, is_open, theme),
        Cursor::Entry(_, entry) => entry_row(pen, cursor, entry, list, is_open, theme),
        Cursor::Member(..) => member_row(pen, cursor, list, theme),
        Cursor::GoneFolder(folder) => gone_folder_row(pen, folder, list, is_open, theme),
        Cursor::Gone(entry) => gone_row(pen, entry, list, theme),
    }
}

fn layer_row(pen: &mut Pen<'_>, layer: usize, list: &List<'_>, is_open: bool, theme: &Theme) -> String {
    let Some(of) = list.stack.layers().get(layer) else { return String::new() };
    pen.chevron(is_open);
    match &of.broken {
        Some(_) => pen.icon(theme::icon::ERROR, theme.error),
        None => pen.icon(theme::icon::LAYERS, theme.muted),
    }
    // Once its tree is listed, as many paths as its folders count: members of bundles are among them.
    let listed = match &list.kind {
        Kind::Layers(layers) => match layers.get(layer).map(|layer| &layer.below) {
            Some(Below::Tree(index, _)) => Some(index.entry_count()),
            _ => None,
        },
        Kind::Found(_) | Kind::Merged(_) => None,
    };
    pen.right(&number(listed.unwrap_or_else(|| of.file_count()).into()), theme.muted);
    // Digits and the space of their width, so that the names begin at one place.
    let digits = list.stack.layers().len().saturating_sub(1).to_string().len();
    let number = format!("{layer:>digits$}").replace(' ', "\u{2007}");
    pen.text(&format!("{number}  {}", of.name), theme.text);
    of.name.clone()
}

fn note_row(pen: &mut Pen<'_>, layer: usize, list: &List<'_>, theme: &Theme) -> String {
    let below = match &list.kind {
        Kind::Layers(layers) => layers.get(layer).map(|layer| &layer.below),
        Kind::Found(_) | Kind::Merged(_) => None,
    };
    let (text, colour) = match (below, list.broken(Cursor::Note(layer))) {
        (_, Some(error)) | (Some(Below::Note(Load::Failed(error))), None) => (error.to_string(), theme.error),
        _ => ("Listing…".to_owned(), theme.muted),
    };
    pen.skip(18.0);
    pen.text(&text, colour);
    text
}

fn folder_row(
    pen: &mut Pen<'_>,
    cursor: Cursor,
    folder: FolderId,
    list: &List<'_>,
    is_open: bool,
    theme: &Theme,
) -> String {
    let Some(index) = list.index(cursor) else { return String::new() };
    pen.chevron(is_open);
    pen.icon(if is_open { theme::icon::FOLDER_OPEN } else { theme::icon::FOLDER }, theme.muted);
    let name = path::to_text(path::split(index.folder_path(folder)).1).into_owned();
    let below = index.entries_below(folder);
    pen.right(&number(u64::from(below.end - below.start)), theme.muted);
    if let (Cursor::Folder(None, _), Some(what_if)) = (cursor, list.what_if) {
        for (kind, count) in what_if.below(folder).into_iter().rev().filter(|(_, count)| *count > 0) {
            let (sign, colour) = sign(kind, theme);
            pen.gap(4.0);
            pen.right(&format!("{sign} {}", number(count as u64)), colour);
        }
    }
    pen.text(&name, theme.text);
    name
}

/// A folder of which another order leaves nothing.
fn gone_folder_row(
    pen: &mut Pen<'_>,
    folder: FolderId,
    list: &List<'_>,
    is_open: bool,
    theme: &Theme,
) -> String {
    let Some(before) = list.before() else { return String::new() };
    pen.chevron(is_open);
    pen.icon(if is_open { theme::icon::FOLDER_OPEN } else { theme::icon::FOLDER }, theme.muted);
    let below = before.index().entries_below(folder);
    let (sign, colour) = sign(ChangeKind::Removed, theme);
    pen.right(&format!("{sign} {}", number(u64::from(below.end - below.start))), colour);
    let name = path::to_text(path::split(before.index().folder_path(folder)).1).into_owned();
    pen.struck(&name, theme.muted);
    name
}

/// A path that another order leaves out.
fn gone_row(pen: &mut Pen<'_>, entry: EntryId, list: &List<'_>, theme: &Theme) -> String {
    let Some(before) = list.before() else { return String::new() };
    let leaf = before.leaf(entry);
    pen.skip(18.0);
    pen.icon(icon_of(&leaf), theme.muted);
    let (sign, colour) = sign(ChangeKind::Removed, theme);
    pen.right(sign, colour);
    pen.struck(&leaf, theme.muted);
    leaf
}

/// A member below its container: its whole path, because members come from everywhere.
fn member_row(pen: &mut Pen<'_>, cursor: Cursor, list: &List<'_>, theme: &Theme) -> String {
    let Some(member) = list.member(cursor) else { return String::new() };
    let path = list.stack.path_of(member);
    pen.skip(18.0);
    pen.icon(icon_of(&path), theme.muted);
    let target = list.target(cursor);
    let wins = target.is_some_and(|(_, at)| at == 0);
    if let Some(stat) = list.stack.layer(member).map(|layer| layer.stat(member.file)) {
        pen.right(&size(stat.size), theme.muted);
    }
    marks(pen, target, list, theme);
    pen.path(&path, if wins { theme.text } else { theme.muted });
    path
}

/// The mark of a path about which something is not as it should be.
fn marks(pen: &mut Pen<'_>, target: Option<(EntryId, usize)>, list: &List<'_>, theme: &Theme) {
    let Some((entry, 0)) = target else { return };
    if !list.stack.engine_finds_winner(entry) {
        pen.right_icon(theme::icon::WARNING, theme.warning);
    } else if list.stack.is_unproven(entry) {
        pen.right_icon(theme::icon::UNPROVEN, theme.warning);
    }
}

/// The mark of a bundle in which something is wrong.
fn fault_mark(pen: &mut Pen<'_>, copy: Option<&CopyRef>, list: &List<'_>, theme: &Theme) {
    if copy.is_some_and(|copy| list.stack.bundle_fault(*copy).is_some()) {
        pen.right_icon(theme::icon::ERROR, theme.error);
    }
}

/// What another order of the layers makes of a path.
fn change_mark(pen: &mut Pen<'_>, target: Option<(EntryId, usize)>, list: &List<'_>, theme: &Theme) {
    let mark = target.zip(list.what_if).and_then(|((entry, _), what_if)| what_if.mark(entry));
    if let Some(kind) = mark {
        let (sign, colour) = sign(kind, theme);
        pen.right(sign, colour);
    }
}

fn entry_row(
    pen: &mut Pen<'_>,
    cursor: Cursor,
    entry: EntryId,
    list: &List<'_>,
    is_open: bool,
    theme: &Theme,
) -> String {
    let Some(index) = list.index(cursor) else { return String::new() };
    let leaf = path::to_text(&index.leaf(list.stack.layers(), entry)).into_owned();
    let is_found = matches!(list.kind, Kind::Found(_));
    let members = if is_found { 0 } else { list.member_count(cursor) };
    if members > 0 {
        pen.chevron(is_open);
    } else {
        pen.skip(if is_found { 0.0 } else { 18.0 });
    }
    pen.icon(icon_of(&leaf), theme.muted);
    let target = list.target(cursor);
    let copies = target.map_or(1, |(entry, _)| list.stack.index().copies(entry).len());
    let loses = target.is_some_and(|(_, at)| at > 0);
    if copies > 1 {
        // In a layer's own tree the mark says whether this copy is the one that wins.
        let wins_here = !loses && matches!(cursor, Cursor::Entry(Some(_), _));
        let colour = if wins_here { theme.accent } else { theme.muted };
        pen.right(&copies.to_string(), colour);
        pen.right_icon(if wins_here { theme::icon::WINNER } else { theme::icon::LAYERS }, colour);
    }
    if members > 0 {
        pen.right(&number(members as u64), theme.muted);
    }
    if index.copies(entry).first().is_some_and(|copy| list.stack.is_member(*copy)) {
        // Only containers hold it.
        pen.right_icon(theme::icon::ARCHIVE, theme.muted);
    }
    fault_mark(pen, index.copies(entry).first(), list, theme);
    marks(pen, target, list, theme);
    change_mark(pen, target, list, theme);
    pen.text(&leaf, if loses { theme.muted } else { theme.text });
    if is_found {
        pen.skip(8.0);
        pen.small(&path::to_text(index.folder_path(index.folder_of(entry))), theme.muted);
    }
    leaf
}

/// The menu of a row.
pub(super) fn menu(ui: &mut Ui, cursor: Cursor, list: &List<'_>, ctx: &ViewCtx<'_>) {
    let item = |ui: &mut Ui, name: &str, key: &str, command: Command| {
        if menu::item(ui, name, key, true) {
            ctx.send(command);
        }
    };
    if let Some((entry, copy)) = list.target(cursor) {
        item(ui, "Open in a tab of its own", "Enter", Command::Open { entry, copy, stays: true });
    }
    if let Some(path) = list.path(cursor) {
        let name = if matches!(cursor, Cursor::Layer(_)) { "Copy name" } else { "Copy path" };
        item(ui, name, "Ctrl+C", Command::CopyText(path));
    }
    if let (Cursor::Gone(_), Some(path)) = (cursor, list.path(cursor))
        && menu::item(ui, "Back to the real order, and open it", "", true)
    {
        ctx.send(Command::EndWhatIf);
        ctx.send(Command::OpenPath(path));
    }
    if let Some((entry, at)) = list.target(cursor)
        && let Some(copy) = list.stack.index().copies(entry).get(at)
    {
        item(ui, "Copy as a link", "Ctrl+Shift+C", Command::CopyText(list.stack.link(entry, *copy)));
    }
    if let (Cursor::Folder(None, _), Some(index)) = (cursor, list.index(cursor))
        && let Cursor::Folder(_, folder) = cursor
    {
        let path = index.folder_path(folder).to_vec();
        item(ui, "Textures as a grid", "T", Command::Grid(GridCommand::ShowFolder(path)));
    }
    if let Some(files) = list.files(cursor) {
        let name = match cursor {
            Cursor::Entry(..) | Cursor::Member(..) => "Extract…",
            Cursor::Layer(_) => "Extract the layer…",
            _ => "Extract all below…",
        };
        item(ui, name, "Ctrl+E", Command::PickExtractFolder(files));
    }
    let kind = list.path(cursor).and_then(|path| detect(&path, &[])).map(|format| format.kind);
    if let (Some(kind), Some(files @ Files::Copy(_))) = (kind, list.files(cursor)) {
        for (name, form) in FORMS.into_iter().filter(|(_, form)| form.is_of(kind)) {
            // Only textures have tiers.
            let conversion = Conversion { form, is_joined: true, ..Conversion::default() };
            item(ui, name, "", Command::PickExportFolder(files.clone(), conversion));
        }
    }
    if let Kind::Found(_) = list.kind
        && let Some(found) = &ctx.session.search.results
    {
        let name = format!("Extract all {} found…", number(found.len() as u64));
        item(ui, &name, "", Command::PickExtractFolder(Files::Found(Arc::clone(found))));
    }
}
