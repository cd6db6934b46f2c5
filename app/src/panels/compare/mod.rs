//! A tab with two copies of a path: what they are, how they relate, and the views that show it.

mod bar;
mod bytes;
mod copies;
mod fields;
mod fold;
mod head;
mod legend;
mod levels;
mod members;
mod picture;
mod swipe;
mod text;
mod turns;

use std::collections::HashMap;

use egui::{Id, Key, Ui, UiBuilder};
use palimpsest_core::asset::Asset;
use palimpsest_core::mount::EntryId;

use self::bytes::BytesView;
pub(super) use self::copies::copies_ui;
use self::fields::FieldsView;
use self::members::MembersView;
use self::picture::PictureView;
use self::text::TextView;
use super::{ViewCtx, browser};
use crate::command::{Command, CompareView, Look, PictureMode};
use crate::comparison::Comparison;
use crate::document::Document;
use crate::jobs::Load;
use crate::session::{DocumentId, OpenComparison, Session};
use crate::widgets::split::Split;
use crate::widgets::{card, keys};

/// The view state of all comparisons.
#[derive(Debug, Default)]
pub(super) struct ComparePanels {
    states: HashMap<DocumentId, State>,
    /// How fields and bytes share their room, in all tabs alike.
    split: Split,
}

/// The view state of one comparison; it stays when other copies are chosen.
#[derive(Debug, Default)]
struct State {
    /// The view that was asked for; where it does not apply, the first one that does is shown.
    view: Option<CompareView>,
    /// The copies that were compared at the last draw.
    of: [usize; 2],
    /// Whether the tab was the active one at the last draw.
    was_active: bool,
    /// Whether the view gets the keyboard as soon as there is one.
    takes_focus: bool,
    bytes: BytesView,
    fields: FieldsView,
    text: TextView,
    members: MembersView,
    picture: PictureView,
}

/// What a view shows: both copies and how they relate.
#[derive(Clone, Copy)]
struct Compared<'a> {
    open: &'a OpenComparison,
    left: &'a Document,
    right: &'a Document,
    result: &'a Comparison,
}

impl Compared<'_> {
    /// The part of a view that has the keyboard.
    fn focus_id(&self) -> Id {
        focus_id(self.open.id)
    }

    /// Both copies, left first.
    fn both(&self) -> [&Document; 2] {
        [self.left, self.right]
    }

    /// The views that apply, the most telling one first.
    fn views(&self) -> Vec<CompareView> {
        let mut views = Vec::new();
        let is_texture = |of: &Document| {
            matches!(of.inspection.asset, Ok(Some(Asset::Texture(_)))) && of.picture.is_some()
        };
        if is_texture(self.left) && is_texture(self.right) {
            views.push(CompareView::Picture(PictureMode::default()));
        }
        views.extend(self.result.lines.as_ref().map(|_| CompareView::Text));
        views.extend(self.result.members.as_ref().map(|_| CompareView::Members));
        if self.both().iter().any(|of| of.inspection.format.is_some()) {
            views.push(CompareView::Structure);
        }
        views.push(CompareView::Bytes);
        views
    }
}

/// The part of a comparison that has the keyboard.
pub(super) fn focus_id(id: DocumentId) -> Id {
    Id::unique(("comparison", id.0))
}

/// The command that compares the copy that the active tab shows with the winner, and the winner with
/// the copy below it.
pub(super) fn command(session: &Session) -> Option<Command> {
    let open = session.active()?;
    Some(compare(open.entry, open.copy, open.answer.winner))
}

/// The command that compares a copy with the winner, or with the first copy where none wins.
pub(super) fn compare(entry: EntryId, copy: usize, winner: Option<usize>) -> Command {
    let right = winner.unwrap_or(0);
    let left = if copy == right { right + 1 } else { copy };
    Command::Compare { entry, copies: [left, right] }
}

/// Whether a view applies to a comparison.
pub(super) fn applies(open: &OpenComparison, view: CompareView) -> bool {
    let is_kind = |of: &CompareView| std::mem::discriminant(of) == std::mem::discriminant(&view);
    compared(open).is_some_and(|compared| compared.views().iter().any(is_kind))
}

/// Both copies with how they relate, once all of it is there.
fn compared(open: &OpenComparison) -> Option<Compared<'_>> {
    let (left, right) = open.documents()?;
    let result = open.result.as_ref().and_then(Load::ready)?;
    Some(Compared { open, left, right, result })
}

impl ComparePanels {
    pub(super) fn retain(&mut self, is_open: impl Fn(DocumentId) -> bool) {
        self.states.retain(|id, _| is_open(*id));
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, open: &OpenComparison, ctx: &ViewCtx<'_>) {
        if ui.input(|input| input.pointer.any_pressed()) && ui.rect_contains_pointer(ui.max_rect()) {
            ctx.send(Command::Focus(open.id));
        }
        let Self { states, split } = self;
        let state = states.entry(open.id).or_default();
        let is_active = ctx.session.active == Some(open.id);
        state.takes_focus |= is_active && !state.was_active;
        state.was_active = is_active;
        if !open.has_others() {
            head::alone_ui(ui, open);
            return;
        }
        let compared = compared(open);
        if let Some(view) =
            head::top_ui(ui, open, compared.map(|compared| (compared, state.shown(compared))), ctx)
        {
            state.show(view);
        }
        let failed = open.sides.iter().find_map(|side| match &side.load {
            Load::Failed(error) => Some((side.copy, error)),
            Load::Pending(_) | Load::Ready(_) => None,
        });
        if let Some((copy, error)) = failed {
            let what = if error.is_cancelled() { "was not read" } else { "cannot be read" };
            let title = format!("{} {what}", open.layer(copy));
            if card::failed_ui(ui, &title, &error.to_string(), &["Try again"]).is_some() {
                ctx.send(Command::Reload(open.id));
            }
            return;
        }
        let reading = open.sides.iter().find_map(|side| match &side.load {
            Load::Pending(job) => Some((side.copy, job)),
            Load::Ready(_) | Load::Failed(_) => None,
        });
        if let Some((copy, job)) = reading {
            if card::loading_ui(ui, &format!("Reading {}", open.layer(copy)), job.task()) {
                job.task().cancel();
            }
            return;
        }
        match (compared, &open.result) {
            (Some(compared), _) => state.ui(ui, compared, split, ctx),
            (None, Some(Load::Failed(error))) => {
                let title = "The copies are not compared";
                if card::failed_ui(ui, title, &error.to_string(), &["Compare again"]).is_some() {
                    ctx.send(Command::Reload(open.id));
                }
            }
            (None, Some(Load::Pending(job))) => {
                if card::loading_ui(ui, &format!("Comparing {}", open.leaf()), job.task()) {
                    job.task().cancel();
                }
            }
            (None, Some(Load::Ready(_)) | None) => card::skeleton_ui(ui),
        }
    }

    /// Looks at the active comparison in another way.
    pub(super) fn view(&mut self, session: &Session, view: CompareView) {
        let Some(state) = session.active.and_then(|id| self.states.get_mut(&id)) else { return };
        state.show(view);
    }

    /// Looks at the pictures of the active comparison in another way.
    pub(super) fn look(&mut self, session: &Session, look: Look) {
        let Some(open) = session.active_comparison() else { return };
        let (Some(state), Some((left, right))) = (self.states.get_mut(&open.id), open.documents()) else {
            return;
        };
        state.picture.look(look, left, right);
    }

    /// Goes to the next difference, or to the one before.
    pub(super) fn step(&mut self, session: &Session, by: isize) {
        let Some(open) = session.active_comparison() else { return };
        let (Some(state), Some(compared)) = (self.states.get_mut(&open.id), compared(open)) else { return };
        match state.shown(compared) {
            CompareView::Text => state.text.step(compared, by),
            CompareView::Bytes | CompareView::Structure => state.bytes.step(compared, by > 0),
            CompareView::Members => state.members.step(compared, by),
            // Of pictures the bytes are gone to.
            CompareView::Picture(_) => {
                state.show(CompareView::Bytes);
                state.bytes.step(compared, by > 0);
            }
        }
    }

    /// The keys of the active comparison.
    pub(super) fn keys(&mut self, ui: &Ui, ctx: &ViewCtx<'_>) {
        let Some(open) = ctx.session.active_comparison() else { return };
        let state = self.states.get_mut(&open.id).zip(compared(open));
        if let Some((state, compared)) = state
            && matches!(state.shown(compared), CompareView::Picture(_))
            && keys::takes(ui, Key::Space)
        {
            state.picture.blink();
        }
    }
}

impl State {
    fn show(&mut self, view: CompareView) {
        if let CompareView::Picture(mode) = view {
            self.picture.show(mode);
        }
        self.view = Some(view);
    }

    /// The view that is shown: what was asked for where it applies.
    fn shown(&self, compared: Compared<'_>) -> CompareView {
        let views = compared.views();
        let is_kind = |view: &&CompareView| {
            self.view.is_some_and(|wanted| std::mem::discriminant(*view) == std::mem::discriminant(&wanted))
        };
        views.iter().find(is_kind).or_else(|| views.first()).copied().unwrap_or(CompareView::Bytes)
    }

    fn ui(&mut self, ui: &mut Ui, compared: Compared<'_>, split: &mut Split, ctx: &ViewCtx<'_>) {
        // Not from a list that somebody works in: another order brings its comparisons anew.
        let is_free = ui.memory(|memory| memory.focused()).is_none_or(|owner| owner == browser::list_id());
        if std::mem::take(&mut self.takes_focus) && is_free {
            ui.memory_mut(|memory| memory.request_focus(compared.focus_id()));
        }
        let of = compared.open.sides.each_ref().map(|side| side.copy);
        if std::mem::replace(&mut self.of, of) != of {
            // Places and rows of other copies mean nothing here.
            self.bytes.forget();
            self.fields.forget();
        }
        match self.shown(compared) {
            CompareView::Picture(_) => self.picture.ui(ui, compared, ctx),
            CompareView::Text => self.text.ui(ui, compared, ctx),
            CompareView::Members => self.members.ui(ui, compared, ctx),
            CompareView::Bytes => self.bytes.ui(ui, compared.focus_id(), compared, ctx),
            CompareView::Structure => {
                let area = ui.available_rect_before_wrap();
                let (above, below) = split.ui(ui, area, ui.scope_id().with("compared bytes"));
                ui.scope_builder(UiBuilder::new().max_rect(below), |ui| {
                    self.bytes.ui(ui, compared.focus_id().with("bytes"), compared, ctx);
                });
                let clicked = ui
                    .scope_builder(UiBuilder::new().max_rect(above), |ui| self.fields.ui(ui, compared, ctx));
                if let Some(ranges) = clicked.inner {
                    self.bytes.select(ranges);
                }
                ui.advance_cursor_after_rect(area);
            }
        }
    }
}
