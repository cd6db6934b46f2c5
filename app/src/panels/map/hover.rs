//! What is said of a rectangle: under the pointer, in the line below the map, and as a table.

use egui::{Rect, RichText, Sense, Ui, vec2};
use palimpsest_core::mount::{FolderId, Part, Tally};

use super::class::Class;
use super::level::{Level, Tile};
use super::zoom::{Place, part_name};
use super::{Ask, draw, go};
use crate::command::Command;
use crate::format::{count, percent, size};
use crate::panels::ViewCtx;
use crate::shadow::Mapped;
use crate::theme::{self, Theme};
use crate::widgets::{menu, text};

/// How many layers are named.
const NAMED: usize = 4;

/// What is under the pointer.
pub(super) fn tile_ui(ui: &mut Ui, tile: &Tile, level: &Level, mapped: &Mapped, theme: &Theme) {
    let small = |text: String| RichText::new(text).size(theme::CAPTION).color(theme.muted);
    ui.label(RichText::new(&tile.name).font(theme::semibold(theme::DENSE)).color(theme.text));
    let (stored, whole) = (tile.tally.stored(), level.total.stored());
    let share = percent(stored, whole);
    ui.label(small(format!(
        "{} in {}, {share} % of {}",
        size(stored),
        count(tile.tally.files, "file"),
        level.place.name(&mapped.mounted.stack)
    )));
    ui.add_space(2.0);
    for class in Class::PARTS.into_iter().chain([Class::Unlisted]) {
        if class.of(&tile.tally) > 0 {
            class_ui(ui, class, class.of(&tile.tally), stored, theme);
        }
    }
    ui.add_space(2.0);
    for line in related(tile, level.place, mapped) {
        ui.label(small(line));
    }
    if let Some(hint) = hint(tile.part) {
        ui.label(small(hint.to_owned()));
    }
}

/// The bytes of a class: its colour, its name, and two columns of numbers.
fn class_ui(ui: &mut Ui, class: Class, bytes: u64, stored: u64, theme: &Theme) {
    let (row, _) = ui.allocate_exact_size(vec2(230.0, 18.0), Sense::hover());
    let swatch = Rect::from_center_size(row.left_center() + vec2(6.0, 0.0), vec2(10.0, 10.0));
    match class {
        Class::Unlisted => draw::hatch(ui, swatch, class.colour(theme), theme.hovered),
        _ => drop(ui.painter().rect_filled(swatch, 0.0, class.colour(theme))),
    }
    let mono = || theme::mono(theme::CAPTION);
    text::left(ui, row, row.left() + 20.0, row.right(), class.name(), theme::sans(theme::DENSE), theme.text);
    text::right(ui, row, row.right() - 52.0, &size(bytes), mono(), theme.text);
    text::right(ui, row, row.right(), &format!("{} %", percent(bytes, stored)), mono(), theme.muted);
}

fn hint(part: Option<Part>) -> Option<&'static str> {
    Some(match part? {
        Part::Layer(_) => "Click looks inside",
        Part::Folder(_) => "Click looks inside, double-click shows it in the tree",
        Part::File(..) => "Double-click opens it",
    })
}

/// The layers that shadow a part, or those that a merged part comes from.
fn related(tile: &Tile, place: Place, mapped: &Mapped) -> Vec<String> {
    let Some(part) = tile.part else { return Vec::new() };
    let (stack, map) = (&mapped.mounted.stack, &mapped.map);
    let index = stack.index();
    let name = |layer: usize| stack.layers().get(layer).map_or("", |layer| &layer.name);
    let mut lines = Vec::new();
    let casters = match (part, place.layer()) {
        (Part::Layer(layer), _) => map.casters(index, layer, FolderId::ROOT),
        (Part::Folder(folder), Some(layer)) => map.casters(index, layer, folder),
        (Part::Folder(folder), None) => {
            let of = |layer| map.below(index, Some(layer), folder);
            let mut from: Vec<_> = (0..stack.layers().len())
                .map(|layer| (layer, of(layer).wins))
                .filter(|(_, bytes)| *bytes > 0)
                .collect();
            from.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
            lines.push(format!("from {}", list(&from, name)));
            let below = (0..stack.layers().len()).map(of).fold(Tally::default(), Tally::plus);
            let below = below.shadowed.saturating_add(below.identical);
            if below > 0 {
                lines.push(format!("{} more lie shadowed below", size(below)));
            }
            return lines;
        }
        (Part::File(entry, at), _) => {
            let copies = index.copies(entry);
            match copies.first() {
                Some(winner) if at > 0 => vec![(usize::from(winner.layer), tile.tally.stored())],
                Some(winner) if place.layer().is_none() => {
                    return vec![format!("from {}", name(winner.layer.into()))];
                }
                _ => Vec::new(),
            }
        }
    };
    if !casters.is_empty() {
        lines.push(format!("shadowed by {}", list(&casters, name)));
    }
    lines
}

/// Layers with their bytes, the largest ones by name.
fn list<'a>(layers: &[(usize, u64)], name: impl Fn(usize) -> &'a str) -> String {
    let named = layers.iter().take(NAMED).map(|(layer, bytes)| format!("{} {}", name(*layer), size(*bytes)));
    let text = named.collect::<Vec<_>>().join(", ");
    match layers.len().saturating_sub(NAMED) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

/// The line below the map: about a rectangle, or about the place.
pub(super) fn line_ui(
    ui: &Ui,
    line: Rect,
    tile: Option<&Tile>,
    level: &Level,
    mapped: &Mapped,
    ctx: &ViewCtx<'_>,
) {
    let theme = ctx.theme;
    let inside = line.shrink2(vec2(10.0, 0.0));
    let (name, tally) = match tile {
        Some(tile) => (tile.name.clone(), tile.tally),
        None => (level.place.name(&mapped.mounted.stack), level.total),
    };
    let font = || theme::sans(theme::CAPTION);
    let end = inside.right();
    let drawn =
        text::left(ui, inside, inside.left(), end, &name, theme::semibold(theme::CAPTION), theme.text);
    let mut facts = vec![sentence(&tally)];
    facts.extend(tile.into_iter().flat_map(|tile| related(tile, level.place, mapped)));
    text::left(ui, inside, drawn.right() + 10.0, end, &facts.join("  ·  "), font(), theme.muted);
}

/// Bytes in words: `2.7 MB of 41 MB win, 38 MB shadowed`.
fn sentence(tally: &Tally) -> String {
    let wins = format!("{} of {} win", size(tally.wins), size(tally.stored()));
    let others =
        [(tally.shadowed, "shadowed"), (tally.identical, "identical"), (tally.unlisted, "in no index")];
    let others = others.into_iter().filter(|(bytes, _)| *bytes > 0);
    let parts = std::iter::once(wins).chain(others.map(|(bytes, what)| format!("{} {what}", size(bytes))));
    parts.collect::<Vec<_>>().join(", ")
}

/// The menu of a rectangle.
pub(super) fn menu_ui(
    ui: &mut Ui,
    part: Part,
    ask: &mut Option<Ask>,
    place: Place,
    mapped: &Mapped,
    ctx: &ViewCtx<'_>,
) {
    let stack = &mapped.mounted.stack;
    if let Some(inside) = place.into(part)
        && menu::item(ui, "Look inside", "Enter", true)
    {
        *ask = Some(Ask::Zoom(inside));
    }
    let (name, path) = match part {
        Part::Layer(_) => (None, part_name(part, stack)),
        Part::Folder(folder) => {
            let path = stack.index().folder_path(folder);
            (Some("Show in the tree"), palimpsest_core::path::to_text(path).into_owned())
        }
        Part::File(entry, _) => (Some("Open in a tab of its own"), stack.path(entry)),
    };
    if let Some(name) = name
        && menu::item(ui, name, "", true)
    {
        go(part, mapped, ctx);
    }
    let copy = if matches!(part, Part::Layer(_)) { "Copy name" } else { "Copy path" };
    if menu::item(ui, copy, "", true) {
        ctx.send(Command::CopyText(path));
    }
}

/// A level as a table with tabs between its columns.
pub(super) fn to_text(level: &Level, mapped: &Mapped) -> String {
    let mut lines = vec!["name\tstored\twins\tshadowed\tidentical\tin no index\tfiles".to_owned()];
    let line = |name: &str, tally: &Tally| {
        let Tally { wins, shadowed, identical, unlisted, files } = tally;
        format!("{name}\t{}\t{wins}\t{shadowed}\t{identical}\t{unlisted}\t{files}", tally.stored())
    };
    let parts = level.parts.iter();
    lines.extend(parts.map(|(part, tally)| line(&part_name(*part, &mapped.mounted.stack), tally)));
    lines.push(line("total", &level.total));
    lines.join("\n") + "\n"
}
