//! Other orders of the layers: what is left out, moved or put on top, and the paths that this changes.

mod changes;

use egui::{Key, Modifiers, Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};
use palimpsest_core::mount::Stack;

use self::changes::ChangesView;
pub(super) use self::changes::sign;
use super::{ViewCtx, no_stack_ui};
use crate::command::Command;
use crate::format::number;
use crate::scenario::Scenario;
use crate::session::WhatIf;
use crate::theme;
use crate::widgets::row::{self, Standing, icon_at};
use crate::widgets::rows::Rows;
use crate::widgets::{card, keys, menu, text};

/// How high what stands above the slider is.
const HEAD: f32 = 112.0;

/// The panel.
#[derive(Debug, Default)]
pub(super) struct WhatIfPanel {
    rows: Rows,
    changes: ChangesView,
    /// The place that has the keyboard.
    cursor: usize,
    /// The place that is being dragged.
    dragged: Option<usize>,
    /// The pass of the window in which the layers were drawn last.
    drawn: u64,
}

impl WhatIfPanel {
    pub(super) fn ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) {
        let Some(mounted) = &ctx.session.mounted else {
            let hint = "Once a stack is mounted, its layers can be left out and moved here, as a simulation.";
            no_stack_ui(ui, hint, ctx);
            return;
        };
        if ctx.session.bundles.is_some() {
            let hint = "Other orders can be tried as soon as the members of the bundles are known.";
            card::empty_ui(ui, theme::icon::LAYERS, "The bundles are being read", hint);
            return;
        }
        let what_if = ctx.session.what_if.as_ref();
        let base = what_if.map_or(&mounted.stack, |what_if| &what_if.base.stack);
        let scenario =
            what_if.map_or_else(|| Scenario::of(base.layers().len()), |what_if| what_if.scenario.clone());
        egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 12, top: 8, bottom: 4 }).show(
            ui,
            |ui| {
                ui.set_width(ui.available_width());
                // As high in both states: the layers below must not move under the pointer.
                let (head, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEAD), Sense::hover());
                ui.scope_builder(egui::UiBuilder::new().max_rect(head), |ui| head_ui(ui, what_if, ctx));
                time_ui(ui, base, &scenario, ctx);
            },
        );
        let area = ui.available_rect_before_wrap();
        let shown = what_if.and_then(|what_if| what_if.shown.as_ref());
        let share = if shown.is_some() { 0.5 } else { 1.0 };
        let wanted = scenario.slots().len() as f32 * theme::ROW;
        let height = wanted.min(area.height() * share);
        let list = Rect::from_min_size(area.min, vec2(area.width(), height));
        let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("what if layers").max_rect(list));
        self.layers_ui(&mut inside, base, &scenario, what_if, ctx);
        ui.advance_cursor_after_rect(list);
        if let Some(shown) = shown {
            self.changes.ui(ui, shown, ctx);
        }
    }

    /// Whether the layers are on the screen: what is dropped then is put on top of them.
    pub(super) fn takes_drops(&self, ctx: &egui::Context) -> bool {
        self.drawn > 0 && self.drawn == ctx.cumulative_pass_nr()
    }

    fn layers_ui(
        &mut self,
        ui: &mut Ui,
        base: &Stack,
        scenario: &Scenario,
        what_if: Option<&WhatIf>,
        ctx: &ViewCtx<'_>,
    ) {
        self.drawn = ui.ctx().cumulative_pass_nr();
        let id = ui.scope_id().with("slots");
        let focus = ui.interact(ui.max_rect(), id, Sense::focusable_noninteractive());
        let added = what_if.map_or(0, |what_if| what_if.added);
        let mut rows = std::mem::take(&mut self.rows);
        let mut target = None;
        rows.ui(ui, id.with("rows"), theme::ROW, scenario.slots().len() as u64, |ui, at, rect| {
            let Ok(at) = usize::try_from(at) else { return };
            if let Some(place) = self.slot_ui(ui, rect, at, base, scenario, added, &focus, ctx) {
                target = Some(place);
            }
        });
        self.rows = rows;
        if ui.input(|input| input.pointer.any_released())
            && let Some(from) = self.dragged.take()
            && let Some(to) = target.filter(|to| *to != from)
        {
            let mut wanted = scenario.clone();
            wanted.move_slot(from, to);
            self.cursor = to;
            ctx.send(Command::Arrange(wanted));
        }
        if focus.has_focus() {
            keys::keep_arrows(ui, id);
            self.keys(ui, scenario, ctx);
        }
    }

    /// A layer; the place that a dragged one would be dropped on, where that is this row.
    #[expect(clippy::too_many_arguments, reason = "a row is drawn from all that the list knows")]
    fn slot_ui(
        &mut self,
        ui: &Ui,
        rect: Rect,
        at: usize,
        base: &Stack,
        scenario: &Scenario,
        added: usize,
        focus: &egui::Response,
        ctx: &ViewCtx<'_>,
    ) -> Option<usize> {
        let theme = ctx.theme;
        let slot = *scenario.slots().get(at)?;
        let layer = base.layers().get(slot.layer)?;
        let response = ui.interact(rect, focus.id.with(("slot", slot.layer)), Sense::click_and_drag());
        let is_chosen = self.cursor == at && focus.has_focus();
        if self.dragged.is_none_or(|from| from == at) {
            row::ground(ui, &response, Standing::new(is_chosen, focus));
        }
        let check = Rect::from_center_size(pos2(rect.left() + 18.0, rect.center().y), vec2(18.0, 18.0));
        let icon = if slot.is_on { theme::icon::CHECKED } else { theme::icon::UNCHECKED };
        icon_at(ui, check.center(), icon, 15.0, if slot.is_on { theme.text } else { theme.muted });
        let colour = if slot.is_on { theme.text } else { theme.muted };
        let small = || theme::mono(theme::CAPTION);
        let place = scenario.number(at).map_or_else(|| "–".to_owned(), |at| at.to_string());
        text::right(ui, rect, rect.left() + 50.0, &place, small(), theme.muted);
        let files = number(layer.file_count().into());
        let files = text::right(ui, rect, rect.right() - 12.0, &files, small(), theme.muted);
        let real = slot.layer.checked_sub(added);
        let end = match real {
            Some(_) => files.left(),
            None => text::right(ui, rect, files.left() - 8.0, "+", small(), theme.added).left(),
        };
        let (from, to) = (rect.left() + 58.0, end - 8.0);
        text::left(ui, rect, from, to, &layer.name, theme::sans(theme::DENSE), colour);
        response
            .widget_info(|| WidgetInfo::selected(egui::accesskit::Role::Row, true, is_chosen, &layer.name));
        // The name chooses the layer, the box leaves it out.
        let box_response = ui.interact(check, focus.id.with(("box", slot.layer)), Sense::click());
        box_response.widget_info(|| {
            WidgetInfo::selected(egui::accesskit::Role::CheckBox, true, slot.is_on, &layer.name)
        });
        if box_response.clicked() || response.double_clicked() {
            toggle(scenario, at, ctx);
        }
        if box_response.clicked() || response.clicked() {
            ui.memory_mut(|memory| memory.request_focus(focus.id));
            self.cursor = at;
        }
        if response.drag_started() {
            self.dragged = Some(at);
        }
        let is_over = ui.input(|input| input.pointer.hover_pos()).is_some_and(|pos| rect.contains(pos));
        if self.dragged.is_some_and(|from| from != at) && is_over {
            let y = if self.dragged < Some(at) { rect.bottom() } else { rect.top() };
            ui.painter().hline(rect.x_range(), y, egui::Stroke::new(2.0, theme.text));
        }
        response.context_menu(|ui| slot_menu_ui(ui, scenario, at, ctx));
        let hint = "The box leaves it out or takes it back (Space), dragging moves it (Alt+↑ Alt+↓)";
        if self.dragged.is_none() {
            let real = real.map_or_else(
                || "Put on top of the real order".to_owned(),
                |at| format!("Layer {at} of the real order"),
            );
            response.on_hover_text(format!("{real}: {}\n{hint}", layer.path.display()));
        }
        is_over.then_some(at)
    }

    fn keys(&mut self, ui: &Ui, scenario: &Scenario, ctx: &ViewCtx<'_>) {
        let last = scenario.slots().len().saturating_sub(1);
        let by = |key| ui.input_mut(|input| input.consume_key(Modifiers::ALT, key));
        for (key, to) in
            [(Key::ArrowUp, self.cursor.checked_sub(1)), (Key::ArrowDown, Some((self.cursor + 1).min(last)))]
        {
            if by(key)
                && let Some(to) = to
            {
                let mut wanted = scenario.clone();
                wanted.move_slot(self.cursor, to);
                self.cursor = to;
                ctx.send(Command::Arrange(wanted));
            }
        }
        if let Some(to) = keys::target(ui, Some(self.cursor as u64), last as u64, self.rows.page()) {
            self.cursor = usize::try_from(to).unwrap_or(last).min(last);
            self.rows.reveal(self.cursor as u64);
        }
        if keys::takes(ui, Key::Space) || keys::takes(ui, Key::Enter) {
            toggle(scenario, self.cursor, ctx);
        }
    }
}

fn toggle(scenario: &Scenario, at: usize, ctx: &ViewCtx<'_>) {
    let mut wanted = scenario.clone();
    wanted.set(at, !scenario.slots().get(at).is_some_and(|slot| slot.is_on));
    ctx.send(Command::Arrange(wanted));
}

fn slot_menu_ui(ui: &mut Ui, scenario: &Scenario, at: usize, ctx: &ViewCtx<'_>) {
    let last = scenario.slots().len().saturating_sub(1);
    let mut change = |name: &str, key: &str, is_enabled: bool, change: &dyn Fn(&mut Scenario)| {
        if menu::item(ui, name, key, is_enabled) {
            let mut wanted = scenario.clone();
            change(&mut wanted);
            ctx.send(Command::Arrange(wanted));
        }
    };
    change("Leave out or take back", "Space", true, &|wanted| {
        let is_on = wanted.slots().get(at).is_some_and(|slot| slot.is_on);
        wanted.set(at, !is_on);
    });
    change("Only this layer", "", true, &|wanted| wanted.set_all(|place| place == at));
    change("All layers", "", true, &|wanted| wanted.set_all(|_| true));
    change("The stack as of this layer", "", true, &|wanted| wanted.as_of(at));
    change("Move up", "Alt+↑", at > 0, &|wanted| wanted.move_slot(at, at - 1));
    change("Move down", "Alt+↓", at < last, &|wanted| wanted.move_slot(at, at + 1));
    change("Move to the top", "", at > 0, &|wanted| wanted.move_slot(at, 0));
    change("Move to the bottom", "", at < last, &|wanted| wanted.move_slot(at, last));
}

/// What is tried, the way back, and what can be put on top.
fn head_ui(ui: &mut Ui, what_if: Option<&WhatIf>, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let (text, colour) = match what_if {
        None => (
            "The order as it is. Untick a layer, drag it, or drop something here: every view follows."
                .to_owned(),
            theme.muted,
        ),
        Some(what_if) => {
            let words = what_if.scenario.words(what_if.added);
            (format!("Simulated order: {words}."), theme.warning)
        }
    };
    let (area, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEAD - 58.0), Sense::hover());
    ui.scope_builder(egui::UiBuilder::new().max_rect(area), |ui| {
        ui.add(egui::Label::new(RichText::new(text).size(theme::CAPTION).color(colour)).wrap());
    });
    ui.advance_cursor_after_rect(area);
    let button = |ui: &mut Ui, name: &str, is_enabled: bool| {
        let text = RichText::new(name).size(theme::CAPTION);
        ui.add_enabled(is_enabled, egui::Button::new(text)).clicked()
    };
    ui.horizontal(|ui| {
        if button(ui, "Archive on top…", true) {
            ctx.send(Command::PickOnTop { is_folder: false });
        }
        if button(ui, "Folder on top…", true) {
            ctx.send(Command::PickOnTop { is_folder: true });
        }
    });
    ui.horizontal(|ui| {
        if button(ui, "Back to the real order", what_if.is_some()) {
            ctx.send(Command::EndWhatIf);
        }
        if what_if.is_some_and(|what_if| what_if.job.is_some() || what_if.on_top.is_some()) {
            ui.add(egui::Spinner::new().size(12.0).color(theme.muted));
        }
    });
}

/// The stack as of a layer, from the oldest at the left to the whole of it at the right.
fn time_ui(ui: &mut Ui, base: &Stack, scenario: &Scenario, ctx: &ViewCtx<'_>) {
    let last = base.layers().len().saturating_sub(1);
    if last == 0 {
        return;
    }
    let at = scenario.time();
    let mut place = last - at.unwrap_or(0);
    let name = match at {
        Some(0) => "the whole stack",
        Some(at) => base.layers().get(at).map_or("", |layer| &layer.name),
        None => "another order",
    };
    ui.horizontal(|ui| {
        ui.label(RichText::new("As of").size(theme::CAPTION).color(ctx.theme.muted));
        ui.spacing_mut().slider_width = (ui.available_width() - 160.0).max(80.0);
        let slider = ui.add(egui::Slider::new(&mut place, 0..=last).show_value(false));
        slider.widget_info(|| WidgetInfo::slider(true, (last - at.unwrap_or(0)) as f64, "As of a layer"));
        if slider.changed() {
            let mut wanted = Scenario::of(base.layers().len());
            wanted.as_of(last - place);
            ctx.send(Command::Arrange(wanted));
        }
        let label = RichText::new(name).size(theme::CAPTION).color(ctx.theme.text);
        ui.add(egui::Label::new(label).truncate()).on_hover_text("All layers above it are left out");
    });
}
