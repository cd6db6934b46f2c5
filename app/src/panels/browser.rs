//! The tree of the stack, merged or layer by layer, and the search above it.

use std::collections::HashMap;
use std::sync::Arc;

use egui::{
    Align2, EventFilter, Id, Key, Modifiers, Rect, Response, RichText, Sense, TextEdit, Ui, WidgetInfo, pos2,
};
use palimpsest_core::mount::{EntryId, FolderId, Index, Stack};
use palimpsest_core::path;

use super::tree::{OpenFolders, Row, TreeRows};
use super::{ViewCtx, icon_of};
use crate::command::Command;
use crate::format::number;
use crate::jobs::Load;
use crate::theme::{self, Theme};
use crate::widgets::card;
use crate::widgets::rows::Rows;

const INDENT: f32 = 14.0;

/// What the tree shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    /// Every path once.
    #[default]
    Merged,
    /// Every layer with its own tree.
    Layers,
}

/// A place in what is listed. Entries and folders of a layer's tree have the layer's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cursor {
    Layer(usize),
    Folder(Option<usize>, FolderId),
    Entry(Option<usize>, EntryId),
    /// A row that says that a layer's tree is on its way, or why it is not there.
    Note(usize),
}

/// The panel.
#[derive(Debug, Default)]
pub(super) struct BrowserPanel {
    text: String,
    mode: Mode,
    cursor: Option<Cursor>,
    rows: Rows,
    merged: OpenFolders,
    layers: HashMap<usize, OpenFolders>,
    takes_focus: bool,
}

/// The rows of the list: of the search, or of the trees.
enum List<'a> {
    Found(&'a [EntryId]),
    Merged(TreeRows),
    Layers(Vec<LayerRows<'a>>, u64),
}

struct LayerRows<'a> {
    layer: usize,
    start: u64,
    /// The rows below the layer's own, where it is open.
    tree: Option<Result<(&'a Index, TreeRows), &'a Load<Arc<Index>>>>,
}

impl LayerRows<'_> {
    fn len(&self) -> u64 {
        1 + match &self.tree {
            None => 0,
            Some(Ok((_, rows))) => rows.len(),
            Some(Err(_)) => 1,
        }
    }
}

/// One row, ready to be drawn.
struct Line {
    cursor: Cursor,
    depth: u16,
    row: Option<Row>,
}

impl List<'_> {
    fn len(&self) -> u64 {
        match self {
            Self::Found(found) => found.len() as u64,
            Self::Merged(rows) => rows.len(),
            Self::Layers(_, count) => *count,
        }
    }

    fn get(&self, at: u64) -> Option<Line> {
        let line = |layer: Option<usize>, row: Row| match row {
            Row::Folder { folder, depth } => {
                Line { cursor: Cursor::Folder(layer, folder), depth, row: Some(row) }
            }
            Row::Entry { entry, depth } => {
                Line { cursor: Cursor::Entry(layer, entry), depth, row: Some(row) }
            }
        };
        match self {
            Self::Found(found) => {
                let entry = *found.get(usize::try_from(at).ok()?)?;
                Some(line(None, Row::Entry { entry, depth: 0 }))
            }
            Self::Merged(rows) => rows.get(at).map(|row| line(None, row)),
            Self::Layers(layers, _) => {
                let of = layers.get(layers.partition_point(|layer| layer.start <= at).checked_sub(1)?)?;
                let Some(inside) = (at - of.start).checked_sub(1) else {
                    return Some(Line { cursor: Cursor::Layer(of.layer), depth: 0, row: None });
                };
                match &of.tree {
                    Some(Ok((_, rows))) => rows.get(inside).map(|row| {
                        let line = line(Some(of.layer), row);
                        Line { depth: line.depth + 1, ..line }
                    }),
                    _ => Some(Line { cursor: Cursor::Note(of.layer), depth: 1, row: None }),
                }
            }
        }
    }

    /// The number of the row at a cursor.
    fn of(&self, cursor: Cursor) -> Option<u64> {
        let in_tree = |rows: &TreeRows| match cursor {
            Cursor::Folder(_, folder) => rows.of_folder(folder),
            Cursor::Entry(_, entry) => rows.of_entry(entry),
            Cursor::Layer(_) | Cursor::Note(_) => None,
        };
        match (self, cursor) {
            (Self::Found(found), Cursor::Entry(None, entry)) => {
                found.binary_search(&entry).ok().map(|at| at as u64)
            }
            (Self::Merged(rows), Cursor::Folder(None, _) | Cursor::Entry(None, _)) => in_tree(rows),
            (
                Self::Layers(layers, _),
                Cursor::Layer(layer)
                | Cursor::Note(layer)
                | Cursor::Folder(Some(layer), _)
                | Cursor::Entry(Some(layer), _),
            ) => {
                let of = layers.get(layer)?;
                match (&of.tree, cursor) {
                    (_, Cursor::Layer(_)) => Some(of.start),
                    (Some(Ok((_, rows))), _) => in_tree(rows).map(|at| of.start + 1 + at),
                    (Some(Err(_)), Cursor::Note(_)) => Some(of.start + 1),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

impl BrowserPanel {
    pub(super) fn focus_search(&mut self) {
        self.takes_focus = true;
    }

    /// Forgets everything about the stack that was shown.
    pub(super) fn clear(&mut self) {
        let mode = self.mode;
        *self = Self { mode, ..Self::default() };
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        let Some(mounted) = &ctx.session.mounted else {
            match &ctx.session.mounting {
                Some((title, Load::Pending(job))) => {
                    if card::loading_ui(ui, &format!("Mounting {title}"), job.task()) {
                        job.task().cancel();
                    }
                }
                _ => card::empty_ui(
                    ui,
                    theme::icon::LAYERS,
                    "Nothing is mounted",
                    "Open a folder, or drop one here.",
                ),
            }
            return;
        };
        let stack = &mounted.stack;
        egui::Frame::new().inner_margin(egui::Margin { left: 8, right: 8, top: 6, bottom: 4 }).show(
            ui,
            |ui| {
                self.search_ui(ui, ctx, stack);
            },
        );
        self.list_ui(ui, ctx, stack);
    }

    fn search_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>, stack: &Stack) {
        let theme = ctx.theme;
        let list = list_id();
        let hint = RichText::new("Find: sword ext:tex copies:>1").color(theme.muted);
        let field = TextEdit::singleline(&mut self.text)
            .hint_text(hint)
            .desired_width(f32::INFINITY)
            .margin(egui::Margin { left: 26, right: 8, top: 4, bottom: 4 });
        let response = ui.add(field);
        response.widget_info(|| WidgetInfo::text_edit(true, "", &self.text, "Search"));
        let icon = pos2(response.rect.left() + 14.0, response.rect.center().y);
        icon_at(ui, icon, theme::icon::SEARCH, 15.0, theme.muted);
        if std::mem::take(&mut self.takes_focus) {
            response.request_focus();
        }
        if response.changed() {
            ctx.send(Command::Search(self.text.clone()));
        }
        let is_typing = response.has_focus();
        if is_typing
            && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
            && !self.text.is_empty()
        {
            self.text.clear();
            ctx.send(Command::Search(String::new()));
        }
        let goes_down = is_typing && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::ArrowDown));
        let opens = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if goes_down || opens {
            ui.memory_mut(|memory| memory.request_focus(list));
            let list = self.list(ctx, stack);
            let first = list.get(0).map(|line| line.cursor);
            self.cursor = first;
            self.rows.reveal(0);
            if let Some(cursor) = first {
                open(cursor, opens, ctx, stack);
            }
        }
        ui.horizontal(|ui| {
            let all = number(stack.index().entry_count().into());
            let search = &ctx.session.search;
            let (text, colour) = match (&search.error, &search.results) {
                (Some(error), _) => (error.clone(), theme.error),
                (None, Some(found)) => (format!("{} of {all}", number(found.len() as u64)), theme.muted),
                (None, None) => (format!("{all} paths"), theme.muted),
            };
            let width = ui.available_width() - 118.0;
            let label = egui::Label::new(RichText::new(text).size(theme::CAPTION).color(colour)).truncate();
            ui.add_sized([width.max(20.0), 20.0], label);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                for (mode, name, hint) in [
                    (Mode::Layers, "Layers", "Each layer with its own tree"),
                    (Mode::Merged, "Merged", "Every path once, as the engine sees the stack"),
                ] {
                    let text = RichText::new(name).size(theme::CAPTION);
                    if ui.selectable_label(self.mode == mode, text).on_hover_text(hint).clicked() {
                        self.mode = mode;
                        self.rows = Rows::default();
                    }
                }
            });
        });
    }

    /// What is listed at the moment.
    fn list<'a>(&self, ctx: &ViewCtx<'a>, stack: &'a Stack) -> List<'a> {
        if let Some(found) = &ctx.session.search.results {
            return List::Found(found);
        }
        if self.mode == Mode::Merged {
            return List::Merged(TreeRows::new(stack.index(), &self.merged));
        }
        let mut start = 0;
        let layers = (0..stack.layers().len()).map(|layer| {
            let tree = self.layers.get(&layer).and_then(|open| {
                let load = ctx.session.layer_trees.get(&layer)?;
                Some(match load {
                    Load::Ready(index) => Ok((&**index, TreeRows::new(index, open))),
                    _ => Err(load),
                })
            });
            let rows = LayerRows { layer, start, tree };
            start += rows.len();
            rows
        });
        let layers = layers.collect();
        List::Layers(layers, start)
    }

    fn list_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>, stack: &Stack) {
        let list = self.list(ctx, stack);
        if list.len() == 0 {
            let (title, hint) = match &ctx.session.search.results {
                Some(_) => ("Nothing found", "Fewer words find more. F1 explains the fields."),
                None => ("The stack is empty", "No mounted layer holds a file."),
            };
            card::empty_ui(ui, theme::icon::SEARCH, title, hint);
            return;
        }
        let id = list_id();
        let focus = ui.interact(ui.available_rect_before_wrap(), id, Sense::click());
        focus.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Tree, true, "Paths"));
        let mut clicked = None;
        let mut rows = std::mem::take(&mut self.rows);
        rows.ui(ui, id.with("rows"), theme::ROW, list.len(), |ui, at, rect| {
            if let Some(line) = list.get(at) {
                let response = self.row_ui(ui, ctx, stack, &list, &line, rect, focus.has_focus());
                if response.clicked() || response.double_clicked() {
                    clicked = Some((line.cursor, response.double_clicked()));
                }
                if let Cursor::Entry(..) = line.cursor {
                    response.context_menu(|ui| entry_menu(ui, line.cursor, ctx, stack));
                }
            }
        });
        self.rows = rows;
        if let Some((cursor, is_double)) = clicked {
            ui.memory_mut(|memory| memory.request_focus(id));
            self.cursor = Some(cursor);
            if !is_double {
                self.toggle(cursor, ctx);
            }
            open(cursor, is_double, ctx, stack);
        }
        if focus.has_focus() {
            let filter =
                EventFilter { vertical_arrows: true, horizontal_arrows: true, ..EventFilter::default() };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
            let list = self.list(ctx, stack);
            self.list_keys(ui, ctx, stack, &list);
        }
    }

    /// Opens or closes a folder or layer.
    fn toggle(&mut self, cursor: Cursor, ctx: &ViewCtx<'_>) {
        let is_open = self.is_open(cursor);
        self.set_open(cursor, !is_open, ctx);
    }

    fn is_open(&self, cursor: Cursor) -> bool {
        match cursor {
            Cursor::Layer(layer) => self.layers.contains_key(&layer),
            Cursor::Folder(None, folder) => self.merged.is_open(folder),
            Cursor::Folder(Some(layer), folder) => {
                self.layers.get(&layer).is_some_and(|open| open.is_open(folder))
            }
            Cursor::Entry(..) | Cursor::Note(_) => false,
        }
    }

    fn set_open(&mut self, cursor: Cursor, is_open: bool, ctx: &ViewCtx<'_>) {
        match cursor {
            Cursor::Layer(layer) if is_open => {
                self.layers.entry(layer).or_default();
                ctx.send(Command::NeedLayerTree(layer));
            }
            Cursor::Layer(layer) => {
                self.layers.remove(&layer);
            }
            Cursor::Folder(None, folder) => self.merged.set(folder, is_open),
            Cursor::Folder(Some(layer), folder) => self.layers.entry(layer).or_default().set(folder, is_open),
            Cursor::Entry(..) | Cursor::Note(_) => {}
        }
    }

    fn list_keys(&mut self, ui: &Ui, ctx: &ViewCtx<'_>, stack: &Stack, list: &List<'_>) {
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let at = self.cursor.and_then(|cursor| list.of(cursor));
        let page = self.rows.page();
        let last = list.len() - 1;
        let mut go = None;
        if pressed(Key::ArrowDown) {
            go = Some(at.map_or(0, |at| (at + 1).min(last)));
        }
        if pressed(Key::ArrowUp) {
            go = Some(at.map_or(0, |at| at.saturating_sub(1)));
        }
        if pressed(Key::PageDown) {
            go = Some(at.map_or(0, |at| (at + page).min(last)));
        }
        if pressed(Key::PageUp) {
            go = Some(at.map_or(0, |at| at.saturating_sub(page)));
        }
        if pressed(Key::Home) {
            go = Some(0);
        }
        if pressed(Key::End) {
            go = Some(last);
        }
        if let Some(cursor) = self.cursor {
            if pressed(Key::ArrowRight) {
                if self.is_open(cursor) {
                    go = at.map(|at| (at + 1).min(last));
                } else {
                    self.set_open(cursor, true, ctx);
                }
            }
            if pressed(Key::ArrowLeft) {
                if self.is_open(cursor) {
                    self.set_open(cursor, false, ctx);
                } else {
                    go = above(list, cursor, stack);
                }
            }
            if pressed(Key::Enter) {
                self.toggle(cursor, ctx);
                open(cursor, true, ctx, stack);
            }
            if pressed(Key::Space) {
                open(cursor, false, ctx, stack);
            }
        }
        if let Some(line) = go.and_then(|go| list.get(go)) {
            self.cursor = Some(line.cursor);
            self.rows.reveal(go.unwrap_or(0));
            open(line.cursor, false, ctx, stack);
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a row is drawn from all of them, once")]
    fn row_ui(
        &self,
        ui: &Ui,
        ctx: &ViewCtx<'_>,
        stack: &Stack,
        list: &List<'_>,
        line: &Line,
        rect: Rect,
        has_focus: bool,
    ) -> Response {
        let theme = ctx.theme;
        let response =
            ui.interact(rect, ui.scope_id().with(("row", cursor_key(line.cursor))), Sense::click());
        let is_selected = self.cursor == Some(line.cursor);
        row_ground(ui, rect, is_selected, has_focus, response.hovered(), theme);
        let mut pen = Pen { ui, rect, x: rect.left() + 8.0 + f32::from(line.depth) * INDENT };
        let label = match line.cursor {
            Cursor::Layer(layer) => self.layer_row(&mut pen, layer, stack, theme),
            Cursor::Note(layer) => note_row(&mut pen, ctx.session.layer_trees.get(&layer), theme),
            Cursor::Folder(_, folder) => self.folder_row(&mut pen, line, folder, list, stack, theme),
            Cursor::Entry(..) => entry_row(&mut pen, line, list, stack, theme),
        };
        response
            .widget_info(|| WidgetInfo::selected(egui::accesskit::Role::TreeItem, true, is_selected, &label));
        response
    }

    fn layer_row(&self, pen: &mut Pen<'_>, layer: usize, stack: &Stack, theme: &Theme) -> String {
        let Some(of) = stack.layers().get(layer) else { return String::new() };
        pen.chevron(self.is_open(Cursor::Layer(layer)), theme);
        let colour = if of.broken.is_some() { theme.error } else { theme.muted };
        pen.icon(if of.broken.is_some() { theme::icon::ERROR } else { theme::icon::LAYERS }, colour);
        pen.right(&number(of.file_count().into()), theme.muted);
        pen.text(&format!("{layer}  {}", of.name), theme.text);
        of.name.clone()
    }

    fn folder_row(
        &self,
        pen: &mut Pen<'_>,
        line: &Line,
        folder: FolderId,
        list: &List<'_>,
        stack: &Stack,
        theme: &Theme,
    ) -> String {
        let Some(index) = index_of(list, line.cursor, stack) else { return String::new() };
        let is_open = self.is_open(line.cursor);
        pen.chevron(is_open, theme);
        pen.icon(if is_open { theme::icon::FOLDER_OPEN } else { theme::icon::FOLDER }, theme.muted);
        let name = path::to_text(path::split(index.folder_path(folder)).1).into_owned();
        let below = index.entries_below(folder);
        pen.right(&number(u64::from(below.end - below.start)), theme.muted);
        pen.text(&name, theme.text);
        name
    }
}

/// What a row shows of an entry: its name, and how its copies stand.
fn entry_row(pen: &mut Pen<'_>, line: &Line, list: &List<'_>, stack: &Stack, theme: &Theme) -> String {
    let (Some(index), Some(Row::Entry { entry, .. })) = (index_of(list, line.cursor, stack), line.row) else {
        return String::new();
    };
    let leaf = path::to_text(&index.leaf(stack.layers(), entry)).into_owned();
    let is_found = matches!(list, List::Found(_));
    if !is_found {
        pen.x += 18.0;
    }
    pen.icon(icon_of(&leaf), theme.muted);
    let merged = merged_entry(line.cursor, list, stack);
    let copies = merged.map_or(1, |(entry, _)| stack.index().copies(entry).len());
    let loses = merged.is_some_and(|(_, at)| at > 0);
    if copies > 1 {
        // In a layer's own tree the mark says whether this copy is the one that wins.
        let colour =
            if loses || matches!(line.cursor, Cursor::Entry(None, _)) { theme.muted } else { theme.accent };
        pen.right(&copies.to_string(), colour);
        pen.right_icon(theme::icon::LAYERS, colour);
    }
    pen.text(&leaf, if loses { theme.muted } else { theme.text });
    if is_found {
        let folder = path::to_text(index.folder_path(index.folder_of(entry))).into_owned();
        pen.x += 8.0;
        pen.small(&folder, theme.muted);
    }
    leaf
}

fn note_row(pen: &mut Pen<'_>, load: Option<&Load<Arc<Index>>>, theme: &Theme) -> String {
    let (text, colour) = match load {
        Some(Load::Failed(error)) => (error.to_string(), theme.error),
        _ => ("Listing…".to_owned(), theme.muted),
    };
    pen.x += 18.0;
    pen.text(&text, colour);
    text
}

/// The index that a cursor belongs to.
fn index_of<'a>(list: &List<'a>, cursor: Cursor, stack: &'a Stack) -> Option<&'a Index> {
    match (cursor, list) {
        (Cursor::Folder(Some(layer), _) | Cursor::Entry(Some(layer), _), List::Layers(layers, _)) => {
            match &layers.get(layer)?.tree {
                Some(Ok((index, _))) => Some(index),
                _ => None,
            }
        }
        _ => Some(stack.index()),
    }
}

/// The path of an entry in the merged index, and the position of the entry's copy among its copies.
fn merged_entry(cursor: Cursor, list: &List<'_>, stack: &Stack) -> Option<(EntryId, usize)> {
    match cursor {
        Cursor::Entry(None, entry) => Some((entry, 0)),
        Cursor::Entry(Some(_), entry) => {
            let index = index_of(list, cursor, stack)?;
            in_stack(index, entry, stack)
        }
        _ => None,
    }
}

/// The same path in the merged index.
fn in_stack(index: &Index, entry: EntryId, stack: &Stack) -> Option<(EntryId, usize)> {
    let copy = *index.copies(entry).first()?;
    let merged = stack.index().find_bytes(stack.layers(), &index.path(stack.layers(), entry))?;
    let at = stack.index().copies(merged).iter().position(|other| *other == copy)?;
    Some((merged, at))
}

/// Opens the path under a cursor; folders and layers are not opened so.
fn open(cursor: Cursor, stays: bool, ctx: &ViewCtx<'_>, stack: &Stack) {
    if let Some((entry, copy)) = target(cursor, ctx, stack) {
        ctx.send(Command::Open { entry, copy, stays });
    }
}

fn target(cursor: Cursor, ctx: &ViewCtx<'_>, stack: &Stack) -> Option<(EntryId, usize)> {
    match cursor {
        Cursor::Entry(None, entry) => Some((entry, 0)),
        Cursor::Entry(Some(layer), entry) => {
            let index = ctx.session.layer_trees.get(&layer).and_then(Load::ready)?;
            in_stack(index, entry, stack)
        }
        _ => None,
    }
}

fn entry_menu(ui: &mut Ui, cursor: Cursor, ctx: &ViewCtx<'_>, stack: &Stack) {
    let Some((entry, copy)) = target(cursor, ctx, stack) else { return };
    if ui.button("Open in its own tab").clicked() {
        ctx.send(Command::Open { entry, copy, stays: true });
        ui.close();
    }
    if ui.button("Copy path").clicked() {
        ctx.send(Command::CopyText(stack.path(entry)));
        ui.close();
    }
    if ui.button("Extract…").clicked() {
        let copies = stack.index().copies(entry).get(copy).map(|copy| (entry, *copy)).into_iter().collect();
        ctx.send(Command::PickExtractFolder(copies));
        ui.close();
    }
}

/// The row of the folder or layer around a cursor.
fn above(list: &List<'_>, cursor: Cursor, stack: &Stack) -> Option<u64> {
    let index = index_of(list, cursor, stack)?;
    let (layer, folder) = match cursor {
        Cursor::Entry(layer, entry) => (layer, Some(index.folder_of(entry))),
        Cursor::Folder(layer, folder) => (layer, index.parent(folder)),
        Cursor::Note(layer) => (Some(layer), None),
        Cursor::Layer(_) => return None,
    };
    match (folder.filter(|folder| *folder != FolderId::ROOT), layer) {
        (Some(folder), _) => list.of(Cursor::Folder(layer, folder)),
        (None, Some(layer)) => list.of(Cursor::Layer(layer)),
        (None, None) => None,
    }
}

fn list_id() -> Id {
    Id::unique("browser list")
}

fn cursor_key(cursor: Cursor) -> (u8, usize, u32) {
    let of = |layer: Option<usize>| layer.unwrap_or(usize::MAX);
    match cursor {
        Cursor::Layer(layer) => (0, layer, 0),
        Cursor::Folder(layer, folder) => (1, of(layer), folder.0),
        Cursor::Entry(layer, entry) => (2, of(layer), entry.0),
        Cursor::Note(layer) => (3, layer, 0),
    }
}

/// The ground of a row by its state.
pub(super) fn row_ground(
    ui: &Ui,
    rect: Rect,
    is_selected: bool,
    has_focus: bool,
    is_hovered: bool,
    theme: &Theme,
) {
    if is_selected {
        let colour = if has_focus { theme.selection } else { theme.hovered };
        ui.painter().rect_filled(rect, 0.0, colour);
    } else if is_hovered {
        ui.painter().rect_filled(rect, 0.0, theme.raised);
    }
}

/// An icon around a point.
pub(super) fn icon_at(
    ui: &Ui,
    centre: egui::Pos2,
    icon: egui_material_icons::MaterialIcon,
    size: f32,
    colour: egui::Color32,
) {
    let font = egui::FontId::new(size, icon.font_family());
    ui.painter().text(centre, Align2::CENTER_CENTER, icon.codepoint, font, colour);
}

/// Writes a row from the left and from the right.
struct Pen<'a> {
    ui: &'a Ui,
    rect: Rect,
    x: f32,
}

impl Pen<'_> {
    fn chevron(&mut self, is_open: bool, theme: &Theme) {
        let icon = if is_open { theme::icon::OPEN } else { theme::icon::CLOSED };
        icon_at(self.ui, pos2(self.x + 6.0, self.rect.center().y), icon, 14.0, theme.muted);
        self.x += 18.0;
    }

    fn icon(&mut self, icon: egui_material_icons::MaterialIcon, colour: egui::Color32) {
        icon_at(self.ui, pos2(self.x + 7.0, self.rect.center().y), icon, 15.0, colour);
        self.x += 20.0;
    }

    fn right(&mut self, text: &str, colour: egui::Color32) {
        let at = pos2(self.rect.right() - 8.0, self.rect.center().y);
        let drawn =
            self.ui.painter().text(at, Align2::RIGHT_CENTER, text, theme::mono(theme::CAPTION), colour);
        self.rect.max.x = drawn.left() - 4.0;
    }

    fn right_icon(&mut self, icon: egui_material_icons::MaterialIcon, colour: egui::Color32) {
        icon_at(self.ui, pos2(self.rect.right() - 6.0, self.rect.center().y), icon, 13.0, colour);
        self.rect.max.x -= 18.0;
    }

    fn text(&mut self, text: &str, colour: egui::Color32) {
        self.write(text, theme::sans(theme::DENSE), colour);
    }

    fn small(&mut self, text: &str, colour: egui::Color32) {
        self.write(text, theme::sans(theme::CAPTION), colour);
    }

    fn write(&mut self, text: &str, font: egui::FontId, colour: egui::Color32) {
        let clip = self.rect.intersect(self.ui.clip_rect());
        let at = pos2(self.x, self.rect.center().y);
        let painter = self.ui.painter().with_clip_rect(clip);
        let drawn = painter.text(at, Align2::LEFT_CENTER, text, font, colour);
        self.x = drawn.right();
    }
}
