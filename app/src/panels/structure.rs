//! The structure of the active tab: names, types, values and offsets, unfolded where wanted.

use std::collections::{BTreeSet, HashMap, HashSet};

use egui::{Align2, EventFilter, Id, Key, Modifiers, Rect, Response, Sense, Ui, WidgetInfo, pos2, vec2};
use palimpsest_core::parse::{Place, Tree, Ty};

use super::ViewCtx;
use crate::command::{Command, Selection, Selector};
use crate::document::Document;
use crate::jobs::Load;
use crate::session::{DocumentId, OpenDocument};
use crate::theme;
use crate::widgets::card;
use crate::widgets::row::{self, Standing, icon_at};
use crate::widgets::rows::Rows;
use crate::widgets::text;

const INDENT: f32 = 12.0;
const HEADER: f32 = 22.0;
/// Lists with more children than this start closed.
const FEW: usize = 32;

/// The panel, with the view state of every tab.
#[derive(Debug, Default)]
pub(super) struct StructurePanel {
    views: HashMap<DocumentId, StructureView>,
}

#[derive(Debug, Default)]
struct StructureView {
    /// Nodes that are open though they start closed, or closed though they start open.
    switched: HashSet<u32>,
    /// Open records of tables.
    records: BTreeSet<(u32, u64)>,
    rows: Rows,
    seen: Option<Selection>,
}

/// A run of rows.
struct Run {
    start: u64,
    depth: u16,
    kind: RunKind,
}

enum RunKind {
    Node(u32),
    /// Closed records of a table, from the given one on.
    Records(u32, u64),
    /// Fields of an open record.
    Fields(u32, u64),
}

struct Lines {
    runs: Vec<Run>,
    count: u64,
}

impl StructurePanel {
    pub(super) fn retain(&mut self, is_open: impl Fn(DocumentId) -> bool) {
        self.views.retain(|id, _| is_open(*id));
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        let Some(open) = ctx.session.active() else {
            card::empty_ui(ui, theme::icon::STRUCTURE, "No structure", "Open a file to see its fields.");
            return;
        };
        match &open.load {
            Load::Pending(job) => {
                card::loading_ui(ui, "Reading", job.task());
            }
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
        let theme = ctx.theme;
        let area = ui.available_rect_before_wrap();
        let columns = Columns::new(area);
        let header = Rect::from_min_size(area.min, vec2(area.width(), HEADER));
        for (x, align, name) in [
            (area.left() + 12.0, Align2::LEFT_CENTER, "name"),
            (columns.ty, Align2::LEFT_CENTER, "type"),
            (columns.value, Align2::LEFT_CENTER, "value"),
            (columns.offset, Align2::RIGHT_CENTER, "offset"),
        ] {
            let font = theme::sans(theme::CAPTION);
            ui.painter().text(pos2(x, header.center().y), align, name, font, theme.muted);
        }
        ui.painter().hline(area.x_range(), header.bottom(), theme.line());
        let id = ui.scope_id().with(("structure", open.id));
        let list = Rect::from_min_max(pos2(area.left(), header.bottom() + 1.0), area.max);
        let focus = ui.interact(list, id, Sense::click());
        focus.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Tree, true, "Structure"));
        let lines = self.lines(tree);
        let mut clicked = None;
        let mut rows = std::mem::take(&mut self.rows);
        let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("structure rows").max_rect(list));
        rows.ui(&mut inside, id.with("rows"), theme::ROW, lines.count, |ui, at, rect| {
            if let Some((place, depth)) = lines.get(at) {
                let response = self.row_ui(ui, rect, place, depth, &columns, open, document, ctx, &focus);
                if response.clicked() {
                    clicked = Some((place, response.interact_pointer_pos().map(|at| at.x - rect.left())));
                }
                response.on_hover_ui(|ui| tooltip_ui(ui, place, document, ctx));
            }
        });
        self.rows = rows;
        ui.advance_cursor_after_rect(area);
        if let Some((place, _)) = clicked {
            ui.memory_mut(|memory| memory.request_focus(id));
            let is_selected = selected(open, tree) == Some(place);
            if is_selected || !is_leaf(tree, place) {
                self.toggle(tree, place);
            }
            select(open, tree, place, ctx);
        }
        if focus.has_focus() {
            self.keys(ui, id, open, tree, ctx);
        }
    }

    /// Unfolds to a selection that somebody else made, and brings it into view.
    fn follow(&mut self, open: &OpenDocument, tree: &Tree) {
        if self.seen == open.selection {
            return;
        }
        self.seen.clone_from(&open.selection);
        let Some(selection) = open.selection.as_ref().filter(|selection| selection.by != Selector::Structure)
        else {
            return;
        };
        let Some(place) = tree.locate(selection.range.start) else { return };
        for node in tree.ancestry(place.node) {
            let opens = node != place.node || place.record.is_some();
            if opens && !self.is_open(tree, Place::node(node)) {
                self.toggle(tree, Place::node(node));
            }
        }
        // A field is shown in its record; anything larger stays folded.
        if let (Some(record), Some(_)) = (place.record, place.field) {
            self.records.insert((place.node, record));
        }
        if let Some(row) = self.lines(tree).of(place) {
            self.rows.reveal(row);
        }
    }

    fn is_open(&self, tree: &Tree, place: Place) -> bool {
        match place.record {
            Some(record) => place.field.is_none() && self.records.contains(&(place.node, record)),
            None => starts_open(tree, place.node) != self.switched.contains(&place.node),
        }
    }

    fn toggle(&mut self, tree: &Tree, place: Place) {
        match place {
            Place { node, record: Some(record), field: None } => {
                let was_open = self.records.remove(&(node, record));
                self.records.extend((!was_open).then_some((node, record)));
            }
            Place { node, record: None, .. } if !is_leaf(tree, place) => {
                let was_switched = self.switched.remove(&node);
                self.switched.extend((!was_switched).then_some(node));
            }
            _ => {}
        }
    }

    fn lines(&self, tree: &Tree) -> Lines {
        let mut lines = Lines { runs: Vec::new(), count: 0 };
        for root in tree.roots() {
            self.add(&mut lines, tree, root, 0);
        }
        lines
    }

    fn add(&self, lines: &mut Lines, tree: &Tree, node: u32, depth: u16) {
        lines.push(RunKind::Node(node), depth, 1);
        if !self.is_open(tree, Place::node(node)) {
            return;
        }
        for child in tree.children(node) {
            self.add(lines, tree, child, depth + 1);
        }
        let Some(layout) = tree.layout(node) else { return };
        let count = tree.records(node);
        let mut next = 0;
        for (_, record) in self.records.range((node, 0)..(node, count)) {
            lines.push(RunKind::Records(node, next), depth + 1, record + 1 - next);
            lines.push(RunKind::Fields(node, *record), depth + 2, layout.fields.len() as u64);
            next = record + 1;
        }
        lines.push(RunKind::Records(node, next), depth + 1, count - next);
    }

    #[expect(clippy::too_many_arguments, reason = "a row is drawn from all of them, once")]
    fn row_ui(
        &self,
        ui: &Ui,
        rect: Rect,
        place: Place,
        depth: u16,
        columns: &Columns,
        open: &OpenDocument,
        document: &Document,
        ctx: &ViewCtx<'_>,
        focus: &Response,
    ) -> Response {
        let (theme, tree) = (ctx.theme, &document.inspection.tree);
        let response = ui.interact(rect, ui.scope_id().with(place), Sense::click());
        let is_selected = selected(open, tree) == Some(place);
        row::ground(ui, &response, Standing::new(is_selected, focus));
        if let Some(mark) = theme.mark(tree.role(place)) {
            let bar = Rect::from_min_size(rect.min + vec2(0.0, 2.0), vec2(3.0, rect.height() - 4.0));
            ui.painter().rect_filled(bar, 1.0, mark);
        }
        let range = tree.range(place);
        let warned = document.inspection.warnings.kept().iter().any(|warning| {
            warning.offset >= range.start
                && warning.offset < range.end.max(range.start + 1)
                && is_leaf(tree, place)
        });
        let y = rect.center().y;
        let x = rect.left() + 10.0 + f32::from(depth) * INDENT;
        if !is_leaf(tree, place) {
            let icon = if self.is_open(tree, place) { theme::icon::OPEN } else { theme::icon::CLOSED };
            icon_at(ui, pos2(x + 5.0, y), icon, 13.0, theme.muted);
        }
        let colour = if warned { theme.warning } else { theme.text };
        let (mono, small) = (|| theme::mono(theme::DENSE), || theme::mono(theme::CAPTION));
        text::from_left(ui, rect, x + 14.0, columns.ty - 6.0, &tree.name(place), mono(), colour);
        let ty = tree.type_name(place);
        text::from_left(ui, rect, columns.ty, columns.value - 6.0, &ty, small(), theme.muted);
        let value = shown_value(tree, place, document, ctx);
        let end = columns.offset - columns.offset_width - 8.0;
        text::from_left(ui, rect, columns.value, end, &value, mono(), theme.text);
        let offset = format!("{:04X}", range.start);
        ui.painter().text(pos2(columns.offset, y), Align2::RIGHT_CENTER, offset, small(), theme.muted);
        response.widget_info(|| {
            let label =
                if value.is_empty() { tree.path(place) } else { format!("{} {value}", tree.path(place)) };
            WidgetInfo::selected(egui::accesskit::Role::TreeItem, true, is_selected, label)
        });
        response
    }

    fn keys(&mut self, ui: &Ui, id: Id, open: &OpenDocument, tree: &Tree, ctx: &ViewCtx<'_>) {
        let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let lines = self.lines(tree);
        let place = selected(open, tree);
        let at = place.and_then(|place| lines.of(place));
        let last = lines.count.saturating_sub(1);
        let page = self.rows.page();
        let mut go = None;
        for (key, to) in [
            (Key::ArrowDown, at.map_or(0, |at| (at + 1).min(last))),
            (Key::ArrowUp, at.map_or(0, |at| at.saturating_sub(1))),
            (Key::PageDown, at.map_or(0, |at| (at + page).min(last))),
            (Key::PageUp, at.map_or(0, |at| at.saturating_sub(page))),
            (Key::Home, 0),
            (Key::End, last),
        ] {
            if pressed(key) {
                go = Some(to);
            }
        }
        if let Some(place) = place {
            let is_open = self.is_open(tree, place);
            if (pressed(Key::ArrowRight) && !is_open)
                || (pressed(Key::ArrowLeft) && is_open)
                || pressed(Key::Enter)
            {
                self.toggle(tree, place);
            }
        }
        if let Some((place, _)) = go.and_then(|go| lines.get(go)) {
            self.rows.reveal(go.unwrap_or(0));
            select(open, tree, place, ctx);
        }
    }
}

/// The edges of the columns.
struct Columns {
    ty: f32,
    value: f32,
    /// The right edge.
    offset: f32,
    offset_width: f32,
}

impl Columns {
    fn new(area: Rect) -> Self {
        let (left, width) = (area.left(), area.width());
        Self {
            ty: left + width * 0.36,
            value: left + width * 0.57,
            offset: area.right() - 14.0,
            offset_width: 56.0,
        }
    }
}

impl Lines {
    fn push(&mut self, kind: RunKind, depth: u16, count: u64) {
        if count > 0 {
            self.runs.push(Run { start: self.count, depth, kind });
            self.count += count;
        }
    }

    fn get(&self, row: u64) -> Option<(Place, u16)> {
        if row >= self.count {
            return None;
        }
        let run = self.runs.get(self.runs.partition_point(|run| run.start <= row).checked_sub(1)?)?;
        let inside = row - run.start;
        let place = match run.kind {
            RunKind::Node(node) => Place::node(node),
            RunKind::Records(node, first) => Place { node, record: Some(first + inside), field: None },
            RunKind::Fields(node, record) => {
                Place { node, record: Some(record), field: Some(usize::try_from(inside).ok()?) }
            }
        };
        Some((place, run.depth))
    }

    fn of(&self, wanted: Place) -> Option<u64> {
        self.runs.iter().zip(self.runs.iter().skip(1).map(|run| run.start).chain([self.count])).find_map(
            |(run, end)| {
                let inside = match (&run.kind, wanted) {
                    (RunKind::Node(node), Place { record: None, .. }) if *node == wanted.node => 0,
                    (RunKind::Records(node, first), Place { record: Some(record), field: None, .. })
                        if *node == wanted.node =>
                    {
                        record.checked_sub(*first)?
                    }
                    (RunKind::Fields(node, record), Place { record: Some(of), field: Some(field), .. })
                        if (*node, *record) == (wanted.node, of) =>
                    {
                        field as u64
                    }
                    _ => return None,
                };
                (run.start + inside < end).then_some(run.start + inside)
            },
        )
    }
}

/// Whether a node is open before anybody touched it: groups at the top, unless they are long.
fn starts_open(tree: &Tree, node: u32) -> bool {
    let Some(of) = tree.get(node) else { return false };
    matches!(of.ty, Ty::Group) && of.depth < 2 && tree.children(node).take(FEW + 1).count() <= FEW
}

/// Whether a place has nothing to unfold.
fn is_leaf(tree: &Tree, place: Place) -> bool {
    match (place.record, place.field) {
        (_, Some(_)) => true,
        (Some(_), None) => false,
        (None, None) => match tree.get(place.node).map(|node| node.ty) {
            Some(Ty::Group | Ty::List { .. }) => tree.children(place.node).next().is_none(),
            Some(Ty::Table { .. }) => tree.records(place.node) == 0,
            _ => true,
        },
    }
}

/// The place that the selection is, where it is exactly one.
fn selected(open: &OpenDocument, tree: &Tree) -> Option<Place> {
    let range = &open.selection.as_ref()?.range;
    let place = tree.locate(range.start)?;
    let candidates = [
        Some(place),
        Some(Place { field: None, ..place }).filter(|_| place.record.is_some()),
        Some(Place::node(place.node)),
    ];
    let exact = candidates.into_iter().flatten().find(|place| tree.range(*place) == *range);
    let above = || {
        tree.ancestry(place.node)
            .into_iter()
            .rev()
            .map(Place::node)
            .find(|place| tree.range(*place) == *range)
    };
    exact.or_else(above)
}

fn select(open: &OpenDocument, tree: &Tree, place: Place, ctx: &ViewCtx<'_>) {
    let range = tree.range(place);
    ctx.send(Command::Select(open.id, Selection { range, by: Selector::Structure }));
}

/// The value as the row shows it: with the names of a hash, and the note of a number.
fn shown_value(tree: &Tree, place: Place, document: &Document, ctx: &ViewCtx<'_>) -> String {
    let mut value = tree.value(place, &document.bytes);
    if let Some(hash) = tree.hash(place, &document.bytes)
        && let [name, ..] = ctx.session.names_of(hash)[..]
    {
        value = format!("{value}  {name}");
    }
    if value.is_empty() && place.record.is_none() {
        return tree.note(place).unwrap_or_default().to_owned();
    }
    value
}

fn tooltip_ui(ui: &mut Ui, place: Place, document: &Document, ctx: &ViewCtx<'_>) {
    let (theme, tree) = (ctx.theme, &document.inspection.tree);
    let range = tree.range(place);
    let line = |text: String| egui::RichText::new(text).font(theme::mono(theme::CAPTION));
    ui.label(line(tree.path(place)).color(theme.text));
    ui.label(
        line(format!("{}  {:#X}–{:#X}", tree.type_name(place), range.start, range.end)).color(theme.muted),
    );
    let value = tree.value(place, &document.bytes);
    if !value.is_empty() {
        ui.label(line(value).color(theme.text));
    }
    if let Some(note) = tree.note(place) {
        ui.label(egui::RichText::new(note).size(theme::CAPTION).color(theme.muted));
    }
    if let Some(hash) = tree.hash(place, &document.bytes) {
        for name in ctx.session.names_of(hash) {
            ui.label(line(name.to_owned()).color(theme.text));
        }
    }
    for warning in document.inspection.warnings.kept() {
        if warning.offset >= range.start && warning.offset < range.end {
            ui.label(egui::RichText::new(warning.to_string()).size(theme::CAPTION).color(theme.warning));
        }
    }
}
