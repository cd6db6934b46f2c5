//! The tree of the stack, merged or layer by layer, and the search above it.

mod draw;
mod list;
mod tree;

use std::collections::BTreeMap;

use egui::{Id, Key, Margin, Modifiers, RichText, Sense, TextEdit, Ui, WidgetInfo, pos2};
use palimpsest_core::mount::{EntryId, FolderId, Stack};

use self::list::{Below, Cursor, Kind, List};
use self::tree::{OpenFolders, TreeRows};
use super::ViewCtx;
use crate::command::Command;
use crate::format::{count, number};
use crate::jobs::Load;
use crate::theme;
use crate::widgets::row::{self, Pen, Standing, icon_at};
use crate::widgets::rows::Rows;
use crate::widgets::{card, field, keys};

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

/// The panel.
#[derive(Debug, Default)]
pub(super) struct BrowserPanel {
    text: String,
    /// The session's query when it was looked at last; another one was not typed here.
    searched: String,
    mode: Mode,
    cursor: Option<Cursor>,
    rows: Rows,
    merged: OpenFolders,
    /// The layers that are open, and what is open in them.
    layers: BTreeMap<usize, OpenFolders>,
    takes_focus: bool,
    /// The active tab's path when it was brought into view last.
    seen: Option<EntryId>,
}

impl BrowserPanel {
    pub(super) fn focus_search(&mut self) {
        self.takes_focus = true;
    }

    /// Forgets everything about the stack that was shown.
    pub(super) fn clear(&mut self) {
        *self = Self { mode: self.mode, ..Self::default() };
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
                    "Open a folder, or drop one on the window.",
                ),
            }
            return;
        };
        let stack = &mounted.stack;
        self.follow(ctx, stack);
        self.follow_search(ctx);
        let margin = Margin { left: 8, right: 8, top: 6, bottom: 4 };
        egui::Frame::new().inner_margin(margin).show(ui, |ui| {
            self.search_ui(ui, ctx, stack);
            self.counts_ui(ui, ctx, stack);
        });
        self.list_ui(ui, ctx, stack);
    }

    /// Shows a query that came from elsewhere.
    fn follow_search(&mut self, ctx: &ViewCtx<'_>) {
        let text = &ctx.session.search.text;
        if self.searched != *text {
            self.searched.clone_from(text);
            self.text.clone_from(text);
            self.rows = Rows::default();
        }
    }

    /// Brings the active tab's path into view when another one becomes active.
    fn follow(&mut self, ctx: &ViewCtx<'_>, stack: &Stack) {
        let active = ctx.session.active().map(|open| open.entry);
        if self.seen == active {
            return;
        }
        self.seen = active;
        let Some(entry) = active else { return };
        let list = self.list(ctx, stack);
        if self.cursor.and_then(|cursor| list.target(cursor)).is_some_and(|(chosen, _)| chosen == entry) {
            return;
        }
        if ctx.session.search.results.is_some() || self.mode == Mode::Layers {
            return;
        }
        let mut folder = stack.index().folder_of(entry);
        while folder != FolderId::ROOT {
            self.merged.set(folder, true);
            folder = stack.index().parent(folder).unwrap_or(FolderId::ROOT);
        }
        let cursor = Cursor::Entry(None, entry);
        self.cursor = Some(cursor);
        if let Some(at) = self.list(ctx, stack).position(cursor) {
            self.rows.reveal(at);
        }
    }

    fn search_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>, stack: &Stack) {
        let theme = ctx.theme;
        let hint = RichText::new("Find: sword ext:tex copies:>1").color(theme.muted);
        let field = TextEdit::singleline(&mut self.text)
            .hint_text(hint)
            .desired_width(f32::INFINITY)
            .margin(Margin { left: 26, right: 8, top: 4, bottom: 4 });
        let response = ui.add(field);
        field::name(&response, &self.text, "Search");
        let icon = pos2(response.rect.left() + 14.0, response.rect.center().y);
        icon_at(ui, icon, theme::icon::SEARCH, 15.0, theme.muted);
        if std::mem::take(&mut self.takes_focus) {
            response.request_focus();
        }
        if response.changed() {
            self.rows = Rows::default();
            ctx.send(Command::Search(self.text.clone()));
        }
        // Escape has taken the keyboard away by now.
        if response.lost_focus() && keys::takes(ui, Key::Escape) {
            self.text.clear();
            ctx.send(Command::Search(String::new()));
        }
        let goes_down = response.has_focus() && keys::takes(ui, Key::ArrowDown);
        let opens = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if goes_down || opens {
            ui.memory_mut(|memory| memory.request_focus(list_id()));
            let list = self.list(ctx, stack);
            let first = list.get(0).map(|(cursor, _)| cursor);
            if let Some(cursor) = first {
                open(cursor, opens, &list, ctx);
            }
            self.cursor = first;
            self.rows.reveal(0);
        }
    }

    fn counts_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>, stack: &Stack) {
        let theme = ctx.theme;
        ui.horizontal(|ui| {
            let all = u64::from(stack.index().entry_count());
            let search = &ctx.session.search;
            let (text, colour) = match (&search.error, &search.results) {
                (Some(error), _) => (error.clone(), theme.error),
                (None, Some(found)) => {
                    (format!("{} of {}", number(found.len() as u64), number(all)), theme.muted)
                }
                (None, None) => (count(all, "path"), theme.muted),
            };
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                for (mode, name, hint) in [
                    (Mode::Layers, "Layers", "Each layer with its own tree"),
                    (Mode::Merged, "Merged", "Every path once, as the engine sees the stack"),
                ] {
                    let name = RichText::new(name).size(theme::CAPTION);
                    if ui.selectable_label(self.mode == mode, name).on_hover_text(hint).clicked() {
                        self.mode = mode;
                        self.rows = Rows::default();
                    }
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    let label = egui::Label::new(RichText::new(&text).size(theme::CAPTION).color(colour));
                    ui.add(label.truncate()).on_hover_text(text);
                });
            });
        });
    }

    /// What is listed at the moment.
    fn list<'a>(&self, ctx: &ViewCtx<'a>, stack: &'a Stack) -> List<'a> {
        let kind = match (&ctx.session.search.results, self.mode) {
            (Some(found), _) => Kind::Found(found),
            (None, Mode::Merged) => Kind::Merged(TreeRows::new(stack.index(), &self.merged)),
            (None, Mode::Layers) => {
                return List::of_layers(stack, |layer| {
                    match (self.layers.get(&layer), ctx.session.layer_trees.get(&layer)) {
                        (Some(open), Some(Load::Ready(index))) => {
                            Below::Tree(index, TreeRows::new(index, open))
                        }
                        (Some(_), Some(load)) => Below::Note(load),
                        _ => Below::Closed,
                    }
                });
            }
        };
        List { stack, kind }
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
            let Some((cursor, depth)) = list.get(at) else { return };
            let response = ui.interact(rect, id.with(cursor), Sense::click());
            let is_chosen = self.cursor == Some(cursor);
            row::ground(ui, &response, Standing::new(is_chosen, &focus));
            let mut pen = Pen::new(ui, rect, rect.left() + 8.0 + f32::from(depth) * INDENT);
            let name = draw::row(&mut pen, cursor, &list, self.is_open(cursor), ctx.theme);
            response.widget_info(|| {
                WidgetInfo::selected(egui::accesskit::Role::TreeItem, true, is_chosen, &name)
            });
            if response.clicked() || response.double_clicked() {
                clicked = Some((cursor, response.double_clicked()));
            }
            if !matches!(cursor, Cursor::Note(_)) {
                response.context_menu(|ui| draw::menu(ui, cursor, &list, ctx));
            }
        });
        self.rows = rows;
        if let Some((cursor, is_double)) = clicked {
            ui.memory_mut(|memory| memory.request_focus(id));
            open(cursor, is_double, &list, ctx);
            self.cursor = Some(cursor);
            if !is_double {
                self.set_open(cursor, !self.is_open(cursor), ctx);
            }
        }
        if focus.has_focus() {
            keys::keep_arrows(ui, id);
            let list = self.list(ctx, stack);
            self.keys(ui, ctx, &list);
        }
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

    fn keys(&mut self, ui: &Ui, ctx: &ViewCtx<'_>, list: &List<'_>) {
        let at = self.cursor.and_then(|cursor| list.position(cursor));
        let last = list.len().saturating_sub(1);
        let mut go = keys::target(ui, at, last, self.rows.page());
        let pressed = |key| keys::takes(ui, key);
        if let Some(cursor) = self.cursor {
            let is_open = self.is_open(cursor);
            if pressed(Key::ArrowRight) {
                if is_open {
                    go = at.map(|at| (at + 1).min(last));
                } else {
                    self.set_open(cursor, true, ctx);
                }
            }
            if pressed(Key::ArrowLeft) {
                if is_open {
                    self.set_open(cursor, false, ctx);
                } else {
                    go = list.above(cursor);
                }
            }
            if pressed(Key::Enter) {
                self.set_open(cursor, !is_open, ctx);
                open(cursor, true, list, ctx);
            }
            if pressed(Key::Space) {
                open(cursor, false, list, ctx);
            }
            let extracts = ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::E));
            if let Some(files) = list.files(cursor).filter(|_| extracts) {
                ctx.send(Command::PickExtractFolder(files));
            }
            if let Some(path) = list.path(cursor).filter(|_| keys::takes_copy(ui)) {
                ctx.send(Command::CopyText(path));
            }
        }
        if let Some((to, (cursor, _))) = go.and_then(|go| Some((go, list.get(go)?))) {
            self.cursor = Some(cursor);
            self.rows.reveal(to);
            open(cursor, false, list, ctx);
        }
    }
}

/// Opens the path under a cursor; folders and layers are not opened so.
fn open(cursor: Cursor, stays: bool, list: &List<'_>, ctx: &ViewCtx<'_>) {
    if let Some((entry, copy)) = list.target(cursor) {
        ctx.send(Command::Open { entry, copy, stays });
    }
}

fn list_id() -> Id {
    Id::unique("browser list")
}
