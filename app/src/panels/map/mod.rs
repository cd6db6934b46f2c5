//! The shadow map: the stored bytes of the stack as areas, coloured by what becomes of them.
//!
//! A place is laid out once, and again where the area or the map changes; frames only draw it.

mod bar;
mod class;
mod draw;
mod hover;
mod keys;
mod level;
mod zoom;

use egui::{Id, Rect, Sense, Ui, WidgetInfo};
use palimpsest_core::mount::Part;

use self::class::Class;
use self::level::Level;
use self::zoom::{Place, Zoom};
use super::{ViewCtx, no_stack_ui};
use crate::command::Command;
use crate::format::size;
use crate::jobs::Load;
use crate::session::Front;
use crate::shadow::{MapCommand, Mapped};
use crate::theme;
use crate::widgets::card;

/// The panel.
#[derive(Debug, Default)]
pub(super) struct MapPanel {
    zoom: Zoom,
    /// The class that is looked for.
    only: Option<Class>,
    /// The rectangle that the keys stand on.
    chosen: Option<usize>,
    level: Option<Level>,
    /// Whether it is to have the keyboard once it is drawn.
    takes_keyboard: bool,
}

/// What was asked for while the map was drawn.
enum Ask {
    /// Look into a place.
    Zoom(Place),
    /// Go to what a part is: open a file, show a folder in the tree.
    Go(Part),
}

impl MapPanel {
    /// Takes the keyboard as soon as there is something to move in.
    pub(super) fn take_keyboard(&mut self) {
        self.takes_keyboard = true;
    }

    pub(super) fn ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        let Some(tab) = &ctx.session.map else { return };
        if ctx.session.front() != Front::Map
            && ui.input(|input| input.pointer.any_pressed())
            && ui.rect_contains_pointer(ui.max_rect())
        {
            ctx.send(Command::Map(MapCommand::Show));
        }
        match (&tab.shown, &tab.load) {
            (Some(mapped), Some(Load::Pending(_)) | None) => self.content_ui(ui, mapped, ctx),
            (_, Some(Load::Failed(error))) => {
                let text = card::reason(error);
                if card::failed_ui(ui, "There is no map of the stack", &text, &["Try again"]).is_some() {
                    ctx.send(Command::Map(MapCommand::Retry));
                }
            }
            (None, Some(Load::Pending(job))) => {
                if card::loading_ui(ui, "Mapping the stack", job.task()) {
                    job.task().cancel();
                }
            }
            (_, Some(Load::Ready(_)) | None) => {
                no_stack_ui(ui, "Open a folder to see which of its bytes win, and which are shadowed.", ctx);
            }
        }
    }

    fn content_ui(&mut self, ui: &mut Ui, mapped: &Mapped, ctx: &ViewCtx<'_>) {
        let stack = &mapped.mounted.stack;
        let place = self.zoom.place(stack, &mapped.map);
        let before = (self.zoom.by, self.only);
        let mut ask = bar::crumbs_ui(ui, &mut self.zoom, place, mapped, self.level.as_ref(), ctx);
        bar::legend_ui(ui, &mut self.only, self.zoom.by, mapped, ctx);
        // A click above the map takes the keyboard away from it.
        self.takes_keyboard |= ask.is_some() || before != (self.zoom.by, self.only);
        let whole = ui.available_rect_before_wrap();
        ui.painter().rect_filled(whole, 0.0, ctx.theme.canvas);
        let area = whole.shrink(6.0).with_max_y(whole.bottom() - 28.0);
        if mapped.map.total().stored() == 0 {
            card::empty_ui(
                ui,
                theme::icon::LAYERS,
                "The stack stores no bytes",
                "No mounted layer holds a file.",
            );
            return;
        }
        // What was asked for above is shown from the next frame on.
        let level = self.level.take().filter(|level| level.is_of(mapped, place));
        if level.is_none() {
            self.chosen = None;
        }
        let mut level = level.unwrap_or_else(|| Level::new(mapped, place, area));
        level.fit(stack, area);
        ask = self.tiles_ui(ui, &level, mapped, ctx).or(ask);
        let line = Rect::from_min_max(egui::pos2(whole.left(), area.bottom()), whole.max);
        let pointed = ui.ctx().pointer_hover_pos().filter(|_| ui.rect_contains_pointer(area));
        let pointed = pointed.and_then(|at| level.tiles.iter().find(|tile| tile.rect.contains(at)));
        let told = pointed.or_else(|| level.tiles.get(self.chosen?));
        hover::line_ui(ui, line, told, &level, mapped, ctx);
        ui.advance_cursor_after_rect(whole);
        self.level = Some(level);
        match ask {
            Some(Ask::Zoom(to)) => self.zoom = to.zoom(self.zoom.by, stack),
            Some(Ask::Go(part)) => go(part, mapped, ctx),
            None => {}
        }
    }

    fn tiles_ui(&mut self, ui: &Ui, level: &Level, mapped: &Mapped, ctx: &ViewCtx<'_>) -> Option<Ask> {
        let stack = &mapped.mounted.stack;
        let area = ui.available_rect_before_wrap();
        let focus = ui.interact(area, focus_id(), Sense::click());
        focus.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::List, true, "Shadow map"));
        if std::mem::take(&mut self.takes_keyboard) {
            ui.memory_mut(|memory| memory.request_focus(focus_id()));
        }
        let mut ask = None;
        for (at, tile) in level.tiles.iter().enumerate() {
            let response = ui.interact(tile.rect, focus_id().with(at), Sense::click());
            let name = format!("{}, {}", tile.name, size(tile.tally.stored()));
            let is_chosen = self.chosen == Some(at);
            response.widget_info(|| {
                WidgetInfo::selected(egui::accesskit::Role::ListItem, true, is_chosen, &name)
            });
            let edge = match (is_chosen && focus.has_focus(), response.hovered()) {
                (true, _) => 2.0,
                (false, true) => 1.0,
                (false, false) => 0.0,
            };
            draw::tile(ui, tile, self.only, edge, ctx.theme);
            if response.clicked() {
                ui.memory_mut(|memory| memory.request_focus(focus_id()));
                self.chosen = Some(at);
                // A click elsewhere shortly before makes three of two.
                let is_double = response.double_clicked() || response.triple_clicked();
                ask = clicked(level.place, tile.part, is_double);
            }
            let Some(part) = tile.part else {
                response.on_hover_ui(|ui| hover::tile_ui(ui, tile, level, mapped, ctx.theme));
                continue;
            };
            response.context_menu(|ui| hover::menu_ui(ui, part, &mut ask, level.place, mapped, ctx));
            response.on_hover_ui(|ui| hover::tile_ui(ui, tile, level, mapped, ctx.theme));
        }
        if focus.has_focus() {
            keys::keep(ui);
            ask = keys::keys(ui, level, &mut self.chosen, stack).or(ask);
            if crate::widgets::keys::takes_copy(ui) {
                ctx.send(Command::CopyText(hover::to_text(level, mapped)));
            }
        }
        ask
    }
}

/// What a click on a part asks for. The first click of two has looked into the part already, so that the
/// second one means what is looked at now.
fn clicked(place: Place, part: Option<Part>, is_double: bool) -> Option<Ask> {
    match (part?, place) {
        (part @ Part::File(..), _) => is_double.then_some(Ask::Go(part)),
        (_, Place::Folder(_, folder)) if is_double => Some(Ask::Go(Part::Folder(folder))),
        (part, _) => place.into(part).filter(|_| !is_double).map(Ask::Zoom),
    }
}

/// Goes to a part outside the map.
fn go(part: Part, mapped: &Mapped, ctx: &ViewCtx<'_>) {
    let stack = &mapped.mounted.stack;
    match part {
        // By its link, because the stack may be another one by then.
        Part::File(entry, at) => {
            if let Some(copy) = stack.index().copies(entry).get(at) {
                ctx.send(Command::OpenPath(stack.link(entry, *copy)));
            }
        }
        Part::Folder(folder) => ctx.send(Command::ShowFolder(stack.index().folder_path(folder).to_vec())),
        Part::Layer(_) => {}
    }
}

/// Where the keyboard is while the map has it.
pub(super) fn focus_id() -> Id {
    Id::unique("shadow map")
}
