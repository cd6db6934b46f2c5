//! Goes to an offset.

use egui::{RichText, Ui};

use super::Overlays;
use crate::command::{Command, Selection, Selector};
use crate::panels::ViewCtx;
use crate::theme;

impl Overlays {
    pub(super) fn offset_ui(&mut self, ui: &mut Ui, ctx: &ViewCtx<'_>) -> bool {
        let Some(open) = ctx.session.active() else { return true };
        let Some(document) = open.document() else { return true };
        let is_taken =
            self.field_ui(ui, "An offset: 0x1A2F, 6703, or +64 from the selection", "Offset", 0, ctx);
        let from = open.selection.as_ref().map_or(0, |selection| selection.range.start);
        let offset = offset(&self.text, from);
        let last = document.len().saturating_sub(1);
        let (text, colour) = match offset {
            Some(offset) if offset <= last => (format!("{offset:#X} of {last:#X}"), ctx.theme.muted),
            Some(offset) => (format!("{offset:#X} lies behind the last byte, {last:#X}"), ctx.theme.error),
            None if self.text.is_empty() => (format!("0 to {last:#X}"), ctx.theme.muted),
            None => ("Not an offset".to_owned(), ctx.theme.error),
        };
        ui.label(RichText::new(text).size(theme::CAPTION).color(colour));
        if let (true, Some(offset)) = (is_taken, offset.filter(|offset| *offset <= last)) {
            let selection = Selection { range: offset..offset + 1, by: Selector::Other };
            ctx.send(Command::Select(open.id, selection));
            return true;
        }
        false
    }
}

/// An offset as a person writes it; `from` is where `+` and `-` count from.
fn offset(text: &str, from: u64) -> Option<u64> {
    let text = text.trim().replace('_', "");
    let number = |digits: &str| {
        let hex = digits
            .strip_prefix("0x")
            .or_else(|| digits.strip_prefix("0X"))
            .or_else(|| digits.strip_suffix(['h', 'H']));
        hex.map_or_else(|| digits.parse().ok(), |hex| u64::from_str_radix(hex, 16).ok())
    };
    if let Some(digits) = text.strip_prefix('+') {
        return from.checked_add(number(digits)?);
    }
    if let Some(digits) = text.strip_prefix('-') {
        return from.checked_sub(number(digits)?);
    }
    number(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_read_as_people_write_them() {
        assert_eq!(offset("0x1A", 0), Some(26));
        assert_eq!(offset(" 1Ah ", 0), Some(26));
        assert_eq!(offset("26", 0), Some(26));
        assert_eq!(offset("+0x10", 16), Some(32));
        assert_eq!(offset("-16", 16), Some(0));
        assert_eq!(offset("-17", 16), None);
        assert_eq!(offset("xyz", 0), None);
    }
}
