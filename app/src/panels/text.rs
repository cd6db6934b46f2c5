//! Text, line by line, however many lines there are.

use egui::Ui;

use super::ViewCtx;
use crate::theme;
use crate::widgets::rows::Rows;
use crate::widgets::text;

/// The view of a text.
#[derive(Debug, Default)]
pub(super) struct TextView {
    rows: Rows,
}

impl TextView {
    /// Draws a text whose lines start at the given bytes.
    pub(super) fn ui(&mut self, ui: &mut Ui, content: &str, lines: &[usize], ctx: &ViewCtx<'_>) {
        /// How much of a line is laid out; nobody reads further in one row.
        const LONGEST: usize = 2000;
        let theme = ctx.theme;
        ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, theme.canvas);
        let count = lines.len() as u64;
        let digits = count.to_string().len();
        self.rows.ui(ui, ui.scope_id().with("lines"), theme::HEX_ROW, count, |ui, at, rect| {
            let Ok(at) = usize::try_from(at) else { return };
            let (start, end) =
                (lines.get(at).copied().unwrap_or(0), lines.get(at + 1).copied().unwrap_or(content.len()));
            let line = content.get(start..end).unwrap_or_default().trim_end_matches(['\r', '\n']);
            let line: String = line.chars().take(LONGEST).collect();
            let font = theme::mono(theme::DENSE);
            let number = format!("{:>digits$}", at + 1);
            let left = rect.left() + 12.0;
            let gutter = text::left(ui, rect, left, rect.right(), &number, font.clone(), theme.muted);
            text::left(ui, rect, gutter.right() + 16.0, rect.right(), &line, font, theme.text);
        });
    }
}
