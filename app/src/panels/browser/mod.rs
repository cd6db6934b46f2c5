//! The tree of the stack, merged or layer by layer, and the search above it.

mod draw;
mod list;
mod mixed;
mod tree;

use std::collections::BTreeMap;

use egui::{Id, Key, Margin, Modifiers, Rect, RichText, Sense, TextEdit, Ui, Vec2, WidgetInfo, pos2};
use palimpsest_core::mount::{EntryId, FolderId, Stack};

use self::list::{Below, Cursor, Kind, List};
use self::tree::{Opened, Source, TreeRows};
use super::{ViewCtx, no_stack_ui};
use crate::command::{Command, Tree};
use crate::difference::Difference;
use crate::files::{Dragged, Files};
use crate::format::{count, number};
use crate::grid::GridCommand;
use crate::jobs::Load;
use crate::session::{Front, Session};
use crate::theme;
use crate::widgets::row::{self, Pen, Standing, icon_at};
use crate::widgets::rows::Rows;
use crate::widgets::{card, field, keys};

const INDENT: f32 = 14.0;

/// The panel.
#[derive(Debug, Default)]
pub(super) struct BrowserPanel {
    text: String,
    /// The session's query when it was looked at last; another one was not typed here.
    searched: String,
    tree: Tree,
    cursor: Option<Cursor>,
    rows: Rows,
    merged: Opened,
    /// The layers that are open, and what is open in them.
    layers: BTreeMap<usize, Opened>,
    /// The active tab's path when it was brought into view last.
    seen: Option<EntryId>,
}

impl BrowserPanel {
    /// Shows the merged tree, or a tree for every layer.
    pub(super) fn show_tree(&mut self, tree: Tree) {
        self.tree = tree;
        self.rows = Rows::default();
        // The active path is looked for in the other tree.
        self.cursor = None;
        self.seen = None;
    }

    /// Brings a folder of the merged tree into view.
    pub(super) fn show_folder(&mut self, session: &Session, folder: FolderId) {
        let Some(stack) = session.stack() else { return };
        self.tree = Tree::Merged;
        self.rows = Rows::default();
        let around = std::iter::successors(Some(folder), |at| stack.index().parent(*at));
        around.for_each(|at| self.merged.set(at, true));
        let cursor = Cursor::Folder(None, folder);
        self.cursor = Some(cursor);
        let what_if = shown(session);
        let source = Source { stack, index: stack.index(), what_if };
        let kind = Kind::Merged(TreeRows::new(source, &self.merged));
        if let Some(at) = (List { stack, kind, what_if }).position(cursor) {
            self.rows.reveal(at);
        }
    }

    /// The path of the folder that the cursor stands on in the merged tree, or that is around it.
    pub(super) fn chosen_folder(&self, session: &Session) -> Vec<u8> {
        let Some(index) = session.stack().map(Stack::index) else { return Vec::new() };
        let folder = match self.cursor {
            Some(Cursor::Folder(None, folder)) => folder,
            Some(Cursor::Entry(None, entry)) => index.folder_of(entry),
            _ => FolderId::ROOT,
        };
        index.folder_path(folder).to_vec()
    }

    /// The paths of the folders that are open in the merged tree, those that are gone among them.
    pub(super) fn open_folders(&self, session: &Session) -> Vec<Vec<u8>> {
        let path = |stack: &Stack, folder| stack.index().folder_path(folder).to_vec();
        let there = session
            .stack()
            .into_iter()
            .flat_map(|stack| self.merged.folders().map(move |folder| path(stack, folder)));
        let before = shown(session).map(|what_if| &what_if.before.stack);
        let gone = before
            .into_iter()
            .flat_map(|before| self.merged.gone_folders().map(move |folder| path(before, folder)));
        there.chain(gone).collect()
    }

    /// Opens folders of the merged tree, those that the stack has, or had before another order.
    pub(super) fn set_open_folders(&mut self, session: &Session, paths: &[Vec<u8>]) {
        let Some(stack) = session.stack() else { return };
        let before = shown(session).map(|what_if| what_if.before.stack.index());
        for path in paths {
            if let Some(folder) = stack.index().find_folder(path) {
                self.merged.set(folder, true);
            } else if let Some(gone) = before.and_then(|before| before.find_folder(path)) {
                self.merged.set_gone(gone, true);
            }
        }
    }

    /// Goes on with another stack of the same layers, in which paths have other numbers.
    pub(super) fn move_to(&mut self, old: &Stack, new: &Stack, moved: impl Fn(EntryId) -> EntryId) {
        let folder = |folder| new.index().find_folder(old.index().folder_path(folder));
        self.merged = self.merged.moved(folder, &moved);
        // The trees of layers are listed anew.
        self.layers.values_mut().for_each(|open| *open = Opened::default());
        self.seen = self.seen.map(&moved);
        self.cursor = match self.cursor {
            Some(Cursor::Folder(None, at)) => folder(at).map(|at| Cursor::Folder(None, at)),
            Some(Cursor::Entry(None, entry)) => Some(Cursor::Entry(None, moved(entry))),
            Some(Cursor::Layer(layer)) => Some(Cursor::Layer(layer)),
            _ => None,
        };
    }

    /// Forgets everything about the stack that was shown.
    pub(super) fn clear(&mut self) {
        *self = Self { tree: self.tree, ..Self::default() };
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        let Some(mounted) = &ctx.session.mounted else {
            no_stack_ui(ui, "Open a folder, or drop one on the window.", ctx);
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

    /// Brings the active tab's path into view when another one becomes active; in the tree of a layer
    /// as soon as that is listed.
    fn follow(&mut self, ctx: &ViewCtx<'_>, stack: &Stack) {
        let active = ctx.session.active().map(|open| open.entry);
        if self.seen == active {
            return;
        }
        let Some(open) = ctx.session.active() else {
            self.seen = None;
            return;
        };
        let entry = open.entry;
        let list = self.list(ctx, stack);
        let is_chosen = |cursor| list.target(cursor).is_some_and(|(chosen, _)| chosen == entry);
        if self.cursor.is_some_and(is_chosen) || ctx.session.search.results.is_some() {
            self.seen = active;
            return;
        }
        let cursor = match self.tree {
            Tree::Merged => {
                self.merged.open_around(stack.index(), entry);
                Cursor::Entry(None, entry)
            }
            Tree::Layers => {
                let Some(copy) = open.copy_ref() else { return };
                let layer = usize::from(copy.layer);
                self.set_open(Cursor::Layer(layer), true, ctx);
                let index = match ctx.session.layer_trees.get(&layer) {
                    Some(Load::Ready(index)) => index,
                    Some(Load::Failed(_)) => {
                        self.seen = active;
                        return;
                    }
                    Some(Load::Pending(_)) | None => return,
                };
                let path = stack.index().path(stack.layers(), entry);
                let Some(own) = index.find_bytes(stack.layers(), &path) else { return };
                self.layers.entry(layer).or_default().open_around(index, own);
                Cursor::Entry(Some(layer), own)
            }
        };
        self.seen = active;
        self.cursor = Some(cursor);
        if let Some(at) = self.list(ctx, stack).position(cursor) {
            self.rows.reveal(at);
        }
    }

    fn search_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>, stack: &Stack) {
        let theme = ctx.theme;
        let hint = RichText::new("Find: sword ext:tex copies:>1").color(theme.muted);
        let field = TextEdit::singleline(&mut self.text)
            .id(search_id())
            .hint_text(hint)
            .desired_width(f32::INFINITY)
            .margin(Margin { left: 26, right: 26, top: 4, bottom: 4 });
        let response = ui.add(field);
        field::name(&response, &self.text, "Search");
        let icon = pos2(response.rect.left() + 14.0, response.rect.center().y);
        icon_at(ui, icon, theme::icon::SEARCH, 15.0, theme.muted);
        if response.changed() {
            self.rows = Rows::default();
            ctx.send(Command::Search(self.text.clone()));
        }
        // Escape has taken the keyboard away by now.
        let escapes = response.lost_focus() && keys::takes(ui, Key::Escape);
        let at = pos2(response.rect.right() - 14.0, response.rect.center().y);
        let button = Rect::from_center_size(at, Vec2::splat(20.0));
        let clears = !self.text.is_empty() && clear_ui(ui, button);
        if escapes || clears {
            self.text.clear();
            ctx.send(Command::Search(String::new()));
        }
        let goes_down = response.has_focus() && keys::takes(ui, Key::ArrowDown);
        let opens = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if goes_down && ctx.session.front() == Front::Grid {
            ctx.send(Command::Grid(GridCommand::Show));
        } else if goes_down || opens {
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
        let search = &ctx.session.search;
        if let Some(error) = &search.error {
            let text = RichText::new(error).size(theme::CAPTION).color(theme.error);
            ui.add(egui::Label::new(text).wrap());
        }
        ui.horizontal(|ui| {
            let all = u64::from(stack.index().entry_count());
            let text = match &search.results {
                Some(found) => format!("{} of {}", number(found.len() as u64), number(all)),
                None => count(all, "path"),
            };
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                for (tree, name, hint) in [
                    (Tree::Layers, "Layers", "Each layer with its own tree"),
                    (Tree::Merged, "Merged", "Every path once, as the engine sees the stack"),
                ] {
                    let button = egui::Button::selectable(
                        self.tree == tree && search.results.is_none(),
                        RichText::new(name).size(theme::CAPTION),
                    );
                    let response = ui.add_enabled(search.results.is_none(), button).on_hover_text(hint);
                    let found = "What a search found is a list; Escape ends the search";
                    if response.on_disabled_hover_text(found).clicked() {
                        self.show_tree(tree);
                    }
                }
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                    let label =
                        egui::Label::new(RichText::new(&text).size(theme::CAPTION).color(theme.muted));
                    ui.add(label.truncate()).on_hover_text(text);
                });
            });
        });
    }

    /// What is listed at the moment.
    fn list<'a>(&self, ctx: &ViewCtx<'a>, stack: &'a Stack) -> List<'a> {
        let what_if = shown(ctx.session);
        let kind = match (&ctx.session.search.results, self.tree) {
            (Some(found), _) => Kind::Found(found),
            (None, Tree::Merged) => {
                Kind::Merged(TreeRows::new(Source { stack, index: stack.index(), what_if }, &self.merged))
            }
            (None, Tree::Layers) => {
                return List::of_layers(stack, what_if, |layer| {
                    let is_broken = stack.layers().get(layer).is_some_and(|layer| layer.broken.is_some());
                    match (self.layers.get(&layer), ctx.session.layer_trees.get(&layer)) {
                        (Some(_), _) if is_broken => Below::Broken,
                        (Some(open), Some(Load::Ready(index))) => {
                            Below::Tree(index, TreeRows::new(Source { stack, index, what_if: None }, open))
                        }
                        (Some(_), Some(load)) => Below::Note(load),
                        _ => Below::Closed,
                    }
                });
            }
        };
        List { stack, kind, what_if }
    }

    fn list_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>, stack: &Stack) {
        let list = self.list(ctx, stack);
        if list.len() == 0 {
            let (title, hint) = match &ctx.session.search.results {
                Some(_) if ctx.session.search.error.is_some() => {
                    ("No query", "What is wrong with it stands above. F1 explains the fields.")
                }
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
            let sense = match cursor {
                Cursor::Entry(None, _) => Sense::click_and_drag(),
                _ => Sense::click(),
            };
            let response = ui.interact(rect, id.with(cursor), sense);
            if let Cursor::Entry(None, entry) = cursor {
                response.dnd_set_drag_payload(Dragged { entry });
            }
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
            let fault = || list.fault(cursor).map(str::to_owned);
            let response = match list.broken(cursor).map(ToString::to_string).or_else(fault) {
                Some(error) => response.on_hover_text(error),
                None if list.what_if.is_some() && response.hovered() => match list.change(cursor) {
                    Some(change) => response.on_hover_text(change),
                    None => response,
                },
                None => response,
            };
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
            Cursor::Entry(None, entry) => self.merged.is_container_open(entry),
            Cursor::Entry(Some(layer), entry) => {
                self.layers.get(&layer).is_some_and(|open| open.is_container_open(entry))
            }
            Cursor::GoneFolder(folder) => self.merged.is_gone_open(folder),
            Cursor::Member(..) | Cursor::Note(_) | Cursor::Gone(_) => false,
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
            Cursor::Entry(layer, entry) => {
                // Only what holds members can be open.
                let is_open = is_open
                    && ctx
                        .session
                        .stack()
                        .is_some_and(|stack| self.list(ctx, stack).member_count(cursor) > 0);
                let opened = match layer {
                    None => &mut self.merged,
                    Some(layer) => self.layers.entry(layer).or_default(),
                };
                opened.set_container(entry, is_open);
            }
            Cursor::GoneFolder(folder) => self.merged.set_gone(folder, is_open),
            Cursor::Member(..) | Cursor::Note(_) | Cursor::Gone(_) => {}
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
            // Of the path that is shown the copy that is shown.
            let shown = ctx
                .session
                .active()
                .filter(|open| list.target(cursor).is_some_and(|(entry, _)| entry == open.entry));
            let shown = shown.and_then(|open| open.copy_ref()).map(Files::Copy);
            if let Some(files) = shown.or_else(|| list.files(cursor)).filter(|_| extracts) {
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

/// What the order that is shown changes, where it is not the real one.
fn shown(session: &Session) -> Option<&Difference> {
    session.what_if.as_ref().and_then(|what_if| what_if.shown.as_deref())
}

/// Opens the path under a cursor; folders are shown where textures are shown as a grid.
fn open(cursor: Cursor, stays: bool, list: &List<'_>, ctx: &ViewCtx<'_>) {
    if let Some((entry, copy)) = list.target(cursor) {
        ctx.send(Command::Open { entry, copy, stays });
    }
    if let (Cursor::Folder(_, folder), Some(index)) = (cursor, list.index(cursor)) {
        ctx.send(Command::Grid(GridCommand::Follow(index.folder_path(folder).to_vec())));
    }
}

/// The button that ends the search, inside its field; whether it was clicked.
fn clear_ui(ui: &Ui, rect: Rect) -> bool {
    const NAME: &str = "End the search (Escape)";
    let response = ui.interact(rect, search_id().with("clear"), Sense::click()).on_hover_text(NAME);
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Button, true, NAME));
    let theme = theme::Theme::of(ui.ctx());
    let colour = if response.hovered() { theme.text } else { theme.muted };
    icon_at(ui, rect.center(), theme::icon::CLOSE, 14.0, colour);
    response.clicked()
}

/// The search field, for those who give it the keyboard.
pub(super) fn search_id() -> Id {
    Id::unique("browser search")
}

/// The list, which has the keyboard where nothing else wants it.
pub(super) fn list_id() -> Id {
    Id::unique("browser list")
}
