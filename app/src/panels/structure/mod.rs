//! The structure of the active tab: names, types, values and offsets, unfolded where wanted.

mod columns;
mod draw;
mod lines;

use std::collections::HashMap;

use egui::{Id, Key, Rect, Sense, Ui, WidgetInfo, pos2, vec2};
use palimpsest_core::parse::{Place, Tree};

use self::columns::{Columns, Needs};
use self::draw::{Cells, Line};
use self::lines::{Lines, Unfolded, is_leaf};
use super::{ViewCtx, compare};
use crate::command::{Command, CompareView, Selection, Selector};
use crate::document::Document;
use crate::jobs::Load;
use crate::session::{DocumentId, OpenDocument};
use crate::theme;
use crate::widgets::row::{self, Standing};
use crate::widgets::rows::Rows;
use crate::widgets::{card, keys};

const HEADER: f32 = 22.0;

/// The panel, with the view state of every tab.
#[derive(Debug, Default)]
pub(super) struct StructurePanel {
    views: HashMap<DocumentId, StructureView>,
}

#[derive(Debug, Default)]
struct StructureView {
    unfolded: Unfolded,
    rows: Rows,
    /// The selection that was brought into view last.
    seen: Option<Selection>,
}

impl StructurePanel {
    pub(super) fn retain(&mut self, is_open: impl Fn(DocumentId) -> bool) {
        self.views.retain(|id, _| is_open(*id));
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        if let Some(open) = ctx.session.active_comparison().filter(|open| open.has_others()) {
            let hint = if compare::applies(open, CompareView::Structure) {
                "The tab lists the fields of both copies, under \u{201c}Structure\u{201d}."
            } else {
                "Fields are listed in the tab where the format of a copy is known."
            };
            card::empty_ui(ui, theme::icon::STRUCTURE, "Two copies are compared", hint);
            return;
        }
        let Some(open) = ctx.session.active() else {
            card::empty_ui(ui, theme::icon::STRUCTURE, "No structure", "Open a file to see its fields.");
            return;
        };
        match &open.load {
            Load::Pending(_) => card::skeleton_ui(ui),
            Load::Failed(_) => {
                card::empty_ui(ui, theme::icon::STRUCTURE, "No structure", "The copy cannot be read.");
            }
            Load::Ready(document) => self.views.entry(open.id).or_default().ui(ui, open, document, ctx),
        }
    }
}

impl StructureView {
    fn ui(&mut self, ui: &mut Ui, open: &OpenDocument, document: &Document, ctx: &ViewCtx<'_>) {
        let tree = &document.inspection.tree;
        self.follow(open, tree);
        let area = ui.available_rect_before_wrap();
        let header = Rect::from_min_size(area.min, vec2(area.width(), HEADER));
        let id = ui.scope_id().with(("structure", open.id));
        let list = Rect::from_min_max(pos2(area.left(), header.bottom() + 1.0), area.max);
        let lines = self.unfolded.lines(tree);
        let columns = Columns::new(area, &self.needs(ui, list, &lines, document, ctx));
        draw::header(ui, header, &columns);
        let focus = ui.interact(list, id, Sense::click());
        focus.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Tree, true, "Structure"));
        let chosen = selected(open, tree);
        let top = self.rows.top();
        let mut clicked = None;
        let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("structure rows").max_rect(list));
        self.rows.ui(&mut inside, id.with("rows"), theme::ROW, lines.count(), |ui, at, rect| {
            let Some((place, depth)) = lines.get(at) else { return };
            let response = ui.interact(rect, ui.scope_id().with(place), Sense::click());
            let is_chosen = chosen == Some(place);
            row::ground(ui, &response, Standing::new(is_chosen, &focus));
            let line = Line { place, depth, is_open: self.unfolded.is_open(tree, place) };
            let label = draw::row(ui, rect, &line, &columns, document, ctx);
            response.widget_info(|| {
                WidgetInfo::selected(egui::accesskit::Role::TreeItem, true, is_chosen, &label)
            });
            if response.clicked() {
                clicked = Some(place);
            }
            response.context_menu(|ui| draw::menu_ui(ui, place, document, ctx));
            response.on_hover_ui(|ui| draw::tooltip_ui(ui, place, document, ctx));
        });
        ui.advance_cursor_after_rect(area);
        if self.rows.top() != top {
            // The columns are those of the rows before.
            ui.request_repaint();
        }
        if let Some(place) = clicked {
            ui.memory_mut(|memory| memory.request_focus(id));
            if chosen == Some(place) || !is_leaf(tree, place) {
                self.unfolded.toggle(tree, place);
            }
            select(open, tree, place, ctx);
        }
        if focus.has_focus() {
            self.keys(ui, id, open, document, ctx);
        }
    }

    /// What the rows need that are visible in `list`.
    fn needs(&self, ui: &Ui, list: Rect, lines: &Lines, document: &Document, ctx: &ViewCtx<'_>) -> Needs {
        let visible = (list.height() / theme::ROW).max(0.0).ceil() as u64;
        let last_top = lines.count().saturating_sub(visible);
        let rows = (self.rows.top().min(last_top)..).map_while(|at| lines.get(at));
        let cells = |(place, depth)| (Cells::new(place, document, ctx), depth);
        Needs::of(ui, rows.take(usize::try_from(visible).unwrap_or(usize::MAX)).map(cells))
    }

    /// Unfolds to a selection that somebody else made, and brings it into view.
    fn follow(&mut self, open: &OpenDocument, tree: &Tree) {
        if self.seen == open.selection {
            return;
        }
        self.seen.clone_from(&open.selection);
        let is_own = |selection: &&Selection| matches!(selection.by, Selector::Structure(_));
        let Some(selection) = open.selection.as_ref().filter(|selection| !is_own(selection)) else { return };
        let Some(place) = tree.locate(selection.range.start) else { return };
        self.unfolded.show(tree, place);
        if let Some(row) = self.unfolded.lines(tree).of(place) {
            self.rows.reveal(row);
        }
    }

    fn keys(&mut self, ui: &Ui, id: Id, open: &OpenDocument, document: &Document, ctx: &ViewCtx<'_>) {
        let tree = &document.inspection.tree;
        keys::keep_arrows(ui, id);
        let pressed = |key| keys::takes(ui, key);
        let lines = self.unfolded.lines(tree);
        let place = selected(open, tree);
        let at = place.and_then(|place| lines.of(place));
        let go = keys::target(ui, at, lines.count().saturating_sub(1), self.rows.page());
        if let Some(place) = place {
            let is_open = self.unfolded.is_open(tree, place);
            if (pressed(Key::ArrowRight) && !is_open)
                || (pressed(Key::ArrowLeft) && is_open)
                || pressed(Key::Enter)
            {
                self.unfolded.toggle(tree, place);
            }
            if keys::takes_copy(ui) {
                ctx.send(Command::CopyText(draw::line_of(tree, place, document, ctx)));
            }
        }
        if let Some((place, _)) = go.and_then(|go| lines.get(go)) {
            self.rows.reveal(go.unwrap_or(0));
            select(open, tree, place, ctx);
        }
    }
}

/// The place that was selected here, or the smallest one that holds the bytes selected elsewhere.
fn selected(open: &OpenDocument, tree: &Tree) -> Option<Place> {
    let selection = open.selection.as_ref()?;
    let range = &selection.range;
    // Another copy may have other fields.
    if let Selector::Structure(place) = selection.by
        && tree.range(place) == *range
    {
        return Some(place);
    }
    let place = tree.locate(range.start)?;
    let record = Place { field: None, ..place };
    let above = tree.ancestry(place.node).into_iter().rev().map(Place::node);
    let holds = |place: &Place| {
        let of = tree.range(*place);
        of.start <= range.start && range.end <= of.end
    };
    [place, record].into_iter().chain(above).find(holds)
}

fn select(open: &OpenDocument, tree: &Tree, place: Place, ctx: &ViewCtx<'_>) {
    let range = tree.range(place);
    ctx.send(Command::Select(open.id, Selection { range, by: Selector::Structure(place) }));
}
