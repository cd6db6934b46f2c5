//! The facts strip over a tab, and the cards of files that cannot be shown.

use egui::{RichText, Ui};
use palimpsest_core::codec::chunks::Summary;
use palimpsest_core::error::Error;
use palimpsest_core::mount::{CopyKind, Stat};
use palimpsest_core::parse::Fact;

use super::{ViewCtx, winner_mark};
use crate::command::{Command, Selection, Selector};
use crate::document::Document;
use crate::format::{count, number, percent, size};
use crate::session::OpenDocument;
use crate::theme;

/// Two lines: what the file is, and where it lies.
pub(super) fn ui(ui: &mut Ui, open: &OpenDocument, document: &Document, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let format = document.inspection.format.map_or("No known format", |format| format.title);
    let mut what = vec![format.to_owned()];
    what.extend(facts(document));
    what.extend(joined(open));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(RichText::new(what.join("  ·  ")).size(theme::DENSE).color(theme.text));
        let warnings = document.inspection.warnings.count();
        if warnings > 0 {
            let lines: Vec<_> = document.inspection.warnings.lines().take(20).collect();
            ui.label(theme::icon::WARNING.rich_text().size(14.0).color(theme.warning));
            let label =
                ui.label(RichText::new(count(warnings, "warning")).size(theme::DENSE).color(theme.warning));
            label.on_hover_text(lines.join("\n"));
        }
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let wins = Some(open.copy) == open.answer.winner;
        let colour = if wins { theme.accent } else { theme.muted };
        if wins {
            let (icon, colour) = winner_mark(&open.answer, theme);
            let hint = match &open.answer.unproven {
                Some(unproven) => unproven,
                None => "This copy wins",
            };
            ui.label(icon.rich_text().size(14.0).color(colour)).on_hover_text(hint);
        }
        ui.label(RichText::new(&document.layer).size(theme::DENSE).color(colour));
        let mut place = Vec::new();
        place.extend(document.stat.offset.map(|offset| format!("@ {offset:#X}")));
        let copy = open.answer.copies.get(open.copy);
        place.extend(copy.and_then(|copy| copy.container.as_ref()).map(|path| format!("of {path}")));
        match &document.packing {
            Some(packing) => place.extend(packed(packing, document)),
            None if copy.is_some_and(|copy| copy.kind == CopyKind::Member) => {}
            None if document.stat.offset.is_some() => place.push("plain".to_owned()),
            None => place.push("loose file".to_owned()),
        }
        place.push(size(document.len()));
        // Lines break between facts, not inside one.
        let place: Vec<_> = place.iter().map(|fact| fact.replace(' ', "\u{a0}")).collect();
        let text = RichText::new(place.join("  · ")).font(theme::mono(theme::CAPTION)).color(theme.muted);
        ui.add_space(4.0);
        ui.label(text).on_hover_text(format!(
            "{} bytes, {} in the layer",
            number(document.len()),
            number(document.stat.stored)
        ));
        if open.is_stored {
            ui.label(RichText::new("bytes as stored").size(theme::CAPTION).color(theme.warning));
            if ui.link(RichText::new("show decoded").size(theme::CAPTION)).clicked() {
                ctx.send(Command::ShowStored(open.id, false));
            }
        }
    });
}

/// The facts that matter at a glance.
fn facts(document: &Document) -> Vec<String> {
    let find =
        |key: &str| document.inspection.facts.iter().find(|(known, _)| *known == key).map(|(_, fact)| fact);
    let text = |key: &str| match find(key)? {
        Fact::Text(text) => Some(text.clone()),
        _ => None,
    };
    let integer = |key: &str| match find(key)? {
        Fact::Integer(value) => Some(*value),
        _ => None,
    };
    let mut facts = Vec::new();
    if let (Some(width), Some(height)) = (integer("width"), integer("height")) {
        facts.extend(text("format"));
        facts.push(format!("{width} × {height}"));
        if let (Some(mips), Some(full)) = (integer("mips"), integer("full_mips")) {
            facts.push(levels(mips, full));
        }
        let is_cube = matches!(find("cube"), Some(Fact::Bool(true)));
        let slices = integer("slice_count").map(|slices| {
            if is_cube { format!("cube, {}", count(slices, "face")) } else { count(slices, "slice") }
        });
        facts.extend(slices);
        facts.extend(integer("depth").map(|depth| count(depth, "layer")));
        return facts;
    }
    for (key, name) in [
        ("files", "file"),
        ("folders", "folder"),
        ("rows", "row"),
        ("lines", "line"),
        ("vertices", "vertex"),
        ("triangles", "triangle"),
        ("objects", "object"),
        ("groups", "group"),
        ("bones", "bone"),
        ("parts", "part"),
        ("sockets", "socket"),
    ] {
        let listed = match find(key) {
            Some(Fact::List(list)) => Some(list.len() as u64).filter(|count| *count > 0),
            _ => None,
        };
        facts.extend(integer(key).or(listed).map(|value| count(value, name)));
    }
    facts.extend(text("type").filter(|kind| !kind.is_empty()));
    if let Some(Fact::List(members)) = find("members") {
        facts.push(count(members.len() as u64, "member"));
    }
    facts.extend(text("encoding"));
    facts
}

/// What the tiers of a texture make together, where that is more than the file has.
fn joined(open: &OpenDocument) -> Option<String> {
    let joined = open.picture.tiers()?.joined.as_ref()?;
    let levels = count(joined.levels.into(), "level");
    Some(format!("with its tiers {} × {}, {levels}", joined.width, joined.height))
}

/// How many levels a texture carries of how many. A damaged header may count fewer in all than are
/// there.
fn levels(carried: u64, full: u64) -> String {
    let all = count(full.max(carried), "level");
    if carried < full { format!("{} of {all}", number(carried)) } else { all }
}

/// A fault in a file, with the field to jump to and the bytes that are still there.
pub(super) fn fault_ui(ui: &mut Ui, open: &OpenDocument, document: &Document, ctx: &ViewCtx<'_>) {
    let error = document.fault.as_ref().or_else(|| document.inspection.asset.as_ref().err());
    let Some(error) = error else { return };
    let theme = ctx.theme;
    let frame = egui::Frame::new().fill(theme.raised).inner_margin(8).corner_radius(4);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal_top(|ui| {
            ui.label(theme::icon::ERROR.rich_text().size(16.0).color(theme.error));
            ui.vertical(|ui| {
                let text = RichText::new(fault_text(document, error)).size(theme::DENSE).color(theme.text);
                ui.add(egui::Label::new(text).wrap());
                ui.horizontal(|ui| actions_ui(ui, open, document, error, ctx));
            });
        });
    });
}

/// How a copy is packed: its chunks, their codecs, and what is left of its size.
fn packed(packing: &Summary, document: &Document) -> Vec<String> {
    let chunks = count(packing.chunks, "chunk");
    let mut facts = vec![if packing.is_whole { chunks } else { format!("at least {chunks}") }];
    facts.push(packing.codecs());
    let Stat { stored, size, .. } = document.stat;
    if packing.is_packed() && size > 0 && stored < size {
        facts.push(format!("packed to {} %", percent(stored, size)));
    }
    facts
}

/// What went wrong, where, and what is shown all the same.
fn fault_text(document: &Document, error: &Error) -> String {
    let what = bad_chunk(document, error).unwrap_or_else(|| error.in_place());
    match &document.fault {
        Some(_) if document.bytes.is_empty() => {
            format!("{what}. Every other chunk that can be decoded is below.")
        }
        Some(_) if matches!(document.picture, Some(Ok(_))) => format!(
            "{what}. The first {} are parsed; of the picture and of the bytes everything outside the fault is shown.",
            size(document.bytes.len() as u64)
        ),
        Some(_) => format!(
            "{what}. The first {} are parsed; of the rest every chunk that can be decoded is below.",
            size(document.bytes.len() as u64)
        ),
        None => format!("{what}. The structure ends there; all bytes are below."),
    }
}

/// The sentence about a chunk that cannot be decoded.
fn bad_chunk(document: &Document, error: &Error) -> Option<String> {
    let field = error.field_path();
    let number: u64 = field.strip_prefix("chunks[")?.strip_suffix(']')?.parse().ok()?;
    let packing = document.packing.as_ref()?;
    let of = if packing.is_whole { format!(" of {}", packing.chunks) } else { String::new() };
    let place = error.offset().map_or_else(String::new, |offset| format!(", at {offset:#X}"));
    Some(format!("Chunk {}{of} cannot be decoded ({}{place})", number + 1, error.reason()))
}

fn actions_ui(ui: &mut Ui, open: &OpenDocument, document: &Document, error: &Error, ctx: &ViewCtx<'_>) {
    let link = |ui: &mut Ui, name: &str| ui.link(RichText::new(name).size(theme::DENSE)).clicked();
    if document.fault.is_some() {
        if !open.is_stored && link(ui, "show the bytes as stored") {
            ctx.send(Command::ShowStored(open.id, true));
        }
    } else if let Some(offset) = error.offset()
        && link(ui, "show the field")
    {
        let range = offset..(offset + 1).min(document.len().max(offset));
        ctx.send(Command::Select(open.id, Selection { range, by: Selector::Other }));
    }
    if link(ui, "copy the message") {
        ctx.send(Command::CopyText(error.text_of(&document.layer, &document.path)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_told_of_all_only_where_there_are_more() {
        let told = [(12, 13), (13, 13), (0, 1), (17, 1)].map(|(carried, full)| levels(carried, full));
        assert_eq!(told, ["12 of 13 levels", "13 levels", "0 of 1 level", "17 levels"]);
    }
}
