//! Two texts line by line, beside each other.

use std::ops::Range;

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, Rect, RichText, Sense, Ui, WidgetInfo, pos2};
use palimpsest_core::diff::{Change, LineDiff, Stretch};

use super::Compared;
use super::bar::{bar_ui, steps_ui, with_bar};
use super::fold::{Folds, Row, lines_of};
use crate::format::{count, number};
use crate::panels::ViewCtx;
use crate::theme::{self, Theme};
use crate::widgets::rows::Rows;
use crate::widgets::{keys, text};

/// How much of a line is laid out; nobody reads further in one row.
const LONGEST: usize = 2000;

/// The view of two texts.
#[derive(Debug, Default)]
pub(super) struct TextView {
    rows: Rows,
    folds: Folds,
    /// The copies whose rows are folded.
    of: Option<[usize; 2]>,
    /// The stretch that was gone to.
    current: Option<usize>,
}

impl TextView {
    pub(super) fn ui(&mut self, ui: &mut Ui, compared: Compared<'_>, ctx: &ViewCtx<'_>) {
        let Some(diff) = &compared.result.lines else { return };
        let (list, bar) = with_bar(ui, ctx);
        ui.painter().rect_filled(list, 0.0, ctx.theme.canvas);
        self.fold(compared, diff);
        bar_ui(ui, bar, |ui| self.bar_ui(ui, diff, ctx));
        let focus = ui.interact(list, compared.focus_id(), Sense::click());
        focus.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Table, true, "Lines of both copies"));
        if focus.clicked() {
            ui.memory_mut(|memory| memory.request_focus(focus.id));
        }
        let columns = Columns::new(ui, list, compared);
        let mut unfolded = None;
        let mut inside = ui.new_child(egui::UiBuilder::new().id_salt("compared lines").max_rect(list));
        let id = focus.id.with("rows");
        self.rows.ui(&mut inside, id, theme::HEX_ROW, self.folds.count(), |ui, at, rect| {
            match self.folds.get(at) {
                Some(Row::Lines { stretch, inside }) => {
                    let is_current = self.current == Some(stretch);
                    if let Some(stretch) = diff.stretches.get(stretch) {
                        columns.row(ui, rect, stretch, inside, is_current, compared);
                    }
                }
                Some(Row::Folded(stretch, lines)) => {
                    unfolded = folded_ui(ui, rect, stretch, lines).or(unfolded);
                }
                None => {}
            }
        });
        ui.painter().vline(columns.middle, list.y_range(), ctx.theme.line());
        if let Some(stretch) = unfolded {
            self.folds.unfold(stretch);
            self.folds.build(&diff.stretches);
        }
        if focus.has_focus() {
            keys::keep_arrows(ui, focus.id);
            let top = self.rows.top();
            let last = self.folds.count().saturating_sub(1);
            if let Some(to) = keys::target(ui, Some(top), last, self.rows.page()) {
                self.rows.set_top(to);
            }
        }
        ui.allocate_rect(list.union(bar), Sense::hover());
    }

    /// Makes the rows where another comparison is shown than before.
    fn fold(&mut self, compared: Compared<'_>, diff: &LineDiff) {
        let of = compared.open.sides.each_ref().map(|side| side.copy);
        if self.of != Some(of) {
            self.of = Some(of);
            self.folds = Folds::default();
            self.folds.build(&diff.stretches);
            self.current = None;
        }
    }

    /// Goes to the next stretch that differs, or to the one before; from the last one on, around.
    pub(super) fn step(&mut self, compared: Compared<'_>, by: isize) {
        let Some(diff) = &compared.result.lines else { return };
        self.fold(compared, diff);
        let differing: Vec<_> =
            diff.stretches.iter().enumerate().filter(|(_, of)| !of.is_same).map(|(at, _)| at).collect();
        // How many of them come before the current one, or up to it.
        let before = |at: usize| differing.partition_point(|of| *of < at);
        let next = match self.current {
            Some(current) if by > 0 => differing.get(before(current + 1)).or_else(|| differing.first()),
            Some(current) => {
                before(current).checked_sub(1).map_or_else(|| differing.last(), |at| differing.get(at))
            }
            None if by > 0 => differing.first(),
            None => differing.last(),
        };
        let next = next.copied();
        if let Some(row) = next.and_then(|next| self.folds.row_of(next)) {
            self.current = next;
            self.rows.reveal(row);
        }
    }

    fn bar_ui(&mut self, ui: &mut Ui, diff: &LineDiff, ctx: &ViewCtx<'_>) {
        let theme = ctx.theme;
        steps_ui(ui, diff.stretches.iter().any(|stretch| !stretch.is_same), ctx);
        for (amount, what, change) in [
            (diff.changed, "changed", Change::Changed),
            (diff.added, "added", Change::Added),
            (diff.removed, "removed", Change::Removed),
        ] {
            let sign = RichText::new(change.sign()).font(theme::semibold(theme::BODY));
            ui.label(sign.color(theme.change(change)));
            let text = format!("{} {what}", number(amount));
            ui.label(RichText::new(text).font(theme::mono(theme::CAPTION)).color(theme.text));
            ui.add_space(6.0);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let mut all_open = self.folds.is_all_open();
            let text = RichText::new("all lines").size(theme::DENSE);
            let hint = "Shows lines that are the same as well";
            if ui.toggle_value(&mut all_open, text).on_hover_text(hint).clicked() {
                self.folds.open_all(all_open);
                self.folds.build(&diff.stretches);
            }
        });
    }
}

/// A row for lines that are folded; its stretch where it was clicked.
fn folded_ui(ui: &Ui, rect: Rect, stretch: usize, lines: usize) -> Option<usize> {
    let theme = Theme::of(ui.ctx());
    let response = ui.interact(rect, ui.scope_id().with(("fold", stretch)), Sense::click());
    let words = format!("{} that are the same", count(lines as u64, "line"));
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Button, true, &words));
    ui.painter().rect_filled(rect, 0.0, if response.hovered() { theme.hovered } else { theme.panel });
    let font = theme::sans(theme::CAPTION);
    text::left(ui, rect, rect.left() + 12.0, rect.right(), &format!("…  {words}"), font, theme.muted);
    response.on_hover_text("Show them").clicked().then_some(stretch)
}

/// Where things stand in a row: number, sign and text of both sides.
struct Columns {
    middle: f32,
    /// The left edges of numbers, signs and texts, and the right edge of texts.
    sides: [[f32; 4]; 2],
    digits: usize,
}

impl Columns {
    fn new(ui: &Ui, area: Rect, compared: Compared<'_>) -> Self {
        let advance = ui.ctx().fonts_mut(|fonts| fonts.glyph_width(&theme::mono(theme::DENSE), '0'));
        let most = compared.both().map(|of| of.lines.len()).into_iter().max().unwrap_or(0);
        let digits = most.to_string().len();
        let middle = area.center().x.round();
        let side = |left: f32, right: f32| {
            let sign = left + digits as f32 * advance + 10.0;
            [left, sign, sign + 2.0 * advance, right]
        };
        let sides = [side(area.left() + 12.0, middle - 8.0), side(middle + 10.0, area.right() - 16.0)];
        Self { middle, sides, digits }
    }

    fn row(
        &self,
        ui: &mut Ui,
        rect: Rect,
        stretch: &Stretch,
        inside: usize,
        is_current: bool,
        compared: Compared<'_>,
    ) {
        let theme = Theme::of(ui.ctx());
        let (left, right, change) = lines_of(stretch, inside);
        let texts = [(compared.left, left), (compared.right, right)]
            .map(|(document, line)| Some(Line::new(document.line(line?))));
        let words = stretch.words.get(inside);
        let words = [words.map(|words| words.left.as_slice()), words.map(|words| words.right.as_slice())];
        // Lines that look alike differ in what ends them.
        let only_ends =
            texts.iter().flatten().zip(words).all(|(text, words)| {
                words.is_some_and(|words| words.iter().all(|word| word.start >= text.len))
            });
        let halves = [
            Rect::from_min_max(rect.min, pos2(self.middle, rect.bottom())),
            Rect::from_min_max(pos2(self.middle, rect.top()), rect.max),
        ];
        let paints = [(theme.removed_ground, theme.removed, "−"), (theme.added_ground, theme.added, "+")];
        let lines = [left, right].into_iter().zip(texts).zip(words);
        let places = halves.into_iter().zip(self.sides).zip(paints);
        for (side, (((number, line), words), ((half, edges), (ground, strong, sign)))) in
            lines.zip(places).enumerate()
        {
            let Some((number, line)) = number.zip(line) else {
                ui.painter().rect_filled(half, 0.0, theme.panel);
                continue;
            };
            let (sign, colour) = if change == Change::Same { ("=", theme.muted) } else { (sign, strong) };
            if change != Change::Same {
                ui.painter().rect_filled(half, 0.0, ground.gamma_multiply(0.45));
                if is_current {
                    let bar = Rect::from_min_size(half.min, egui::vec2(3.0, half.height()));
                    ui.painter().rect_filled(bar, 0.0, strong);
                }
            }
            let ending = if only_ends { line.ending } else { "" };
            let job = line_job(line.shown, ending, words.unwrap_or_default(), ground, theme);
            let is_cut = self.half(ui, half, edges, number, (sign, colour), job);
            let response = ui.interact(half, ui.scope_id().with((side, number)), Sense::hover());
            let label = format!("{sign} {} {}", number + 1, line.shown);
            response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Row, true, &label));
            if is_cut {
                response.on_hover_text(line.shown);
            }
        }
    }

    /// Writes the line of one side; whether it was too long.
    fn half(
        &self,
        ui: &mut Ui,
        half: Rect,
        [at_number, at_sign, at_text, end]: [f32; 4],
        number: usize,
        (sign, colour): (&str, Color32),
        job: LayoutJob,
    ) -> bool {
        let font = || theme::mono(theme::DENSE);
        let muted = Theme::of(ui.ctx()).muted;
        let number = format!("{:>digits$}", number + 1, digits = self.digits);
        text::left(ui, half, at_number, at_sign, &number, font(), muted);
        text::left(ui, half, at_sign, at_text, sign, font(), colour);
        let room = Rect::from_min_max(pos2(at_text, half.top()), pos2(end, half.bottom()));
        let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(room));
        inside.set_clip_rect(room.intersect(ui.clip_rect()));
        text::job_at(&inside, half, at_text, job).right() > end
    }
}

/// A line whose words that differ have a ground of their own.
fn line_job(line: &str, ending: &str, words: &[Range<usize>], ground: Color32, theme: &Theme) -> LayoutJob {
    let format = |color, background| TextFormat {
        font_id: theme::mono(theme::DENSE),
        color,
        background,
        ..TextFormat::default()
    };
    let mut job = LayoutJob::default();
    let end = line.len();
    let mut at = 0;
    for word in words {
        let (start, stop) = (word.start.min(end), word.end.min(end));
        job.append(line.get(at..start).unwrap_or_default(), 0.0, format(theme.text, Color32::TRANSPARENT));
        job.append(line.get(start..stop).unwrap_or_default(), 0.0, format(theme.text, ground));
        at = stop;
    }
    job.append(line.get(at..end).unwrap_or_default(), 0.0, format(theme.text, Color32::TRANSPARENT));
    job.append(ending, 6.0, format(theme.muted, ground));
    job
}

/// A line as far as it is shown.
struct Line<'a> {
    shown: &'a str,
    /// Its bytes without what ends it.
    len: usize,
    /// What ends it, to be seen.
    ending: &'static str,
}

impl<'a> Line<'a> {
    fn new(line: &'a str) -> Self {
        let ending = match line {
            _ if line.ends_with("\r\n") => "CR LF",
            _ if line.ends_with('\n') => "LF",
            _ => "no line break",
        };
        let text = line.trim_end_matches(['\r', '\n']);
        let end = text.char_indices().nth(LONGEST).map_or(text.len(), |(at, _)| at);
        Self { shown: text.get(..end).unwrap_or_default(), len: text.len(), ending }
    }
}
