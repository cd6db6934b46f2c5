//! What is abnormal about a mesh, each with a way there.

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Rect, RichText, Sense, Ui, WidgetInfo, vec2};
use palimpsest_core::asset::Mesh;
use palimpsest_core::model::{Finding, FlawPlace, Quality, Severity};
use palimpsest_core::parse::Warning;

use super::ModelView;
use super::side::{caption, note};
use crate::command::{Command, ModelCommand, Selection, Selector};
use crate::document::Document;
use crate::format::{count, number};
use crate::gpu::mesh::Drawable;
use crate::jobs::Load;
use crate::panels::ViewCtx;
use crate::session::OpenDocument;
use crate::theme;
use crate::widgets::row::{self, Standing};
use crate::widgets::rows::Rows;
use crate::widgets::text;

/// How findings are listed.
#[derive(Debug, Default)]
pub(super) struct DataPage {
    rows: Rows,
    /// The findings whose places are listed, by their numbers.
    unfolded: BTreeSet<usize>,
    /// The warnings of the parser that are flaws as well, which are told once.
    told: BTreeSet<usize>,
    /// What was listed last.
    seen: Option<u64>,
}

/// A line of the list.
#[derive(Clone, Copy)]
enum Line<'a> {
    Warning(&'a Warning),
    /// How many warnings are not listed.
    MoreWarnings(u64),
    Finding(usize, &'a Finding),
    Place(&'a Finding, &'a FlawPlace),
    /// How many places are not listed.
    MorePlaces(u64),
}

pub(super) fn ui(
    ui: &mut Ui,
    view: &mut ModelView,
    open: &OpenDocument,
    drawable: &Arc<Drawable>,
    ctx: &ViewCtx<'_>,
) {
    let Some(document) = open.document() else { return };
    let Some(mesh) = &drawable.model.mesh else {
        note(ui, "What is abnormal is looked for in meshes.", ctx.theme);
        warnings_ui(ui, view, open, document, ctx);
        return;
    };
    match open.model.quality() {
        Some(Load::Ready(quality)) => {
            if view.side.data.seen != Some(drawable.id) {
                view.side.data.seen = Some(drawable.id);
                view.side.data.unfolded.clear();
                view.side.data.told = told(document, quality);
            }
            summary_ui(ui, quality, document, &view.side.data, ctx);
            let lines = lines(document, quality, &view.side.data);
            list_ui(ui, view, &lines, Some(mesh), open, ctx);
        }
        Some(Load::Failed(error)) => {
            note(ui, &crate::widgets::card::reason(error), ctx.theme);
            warnings_ui(ui, view, open, document, ctx);
        }
        Some(Load::Pending(job)) => {
            note(ui, "Looking at every vertex and every triangle…", ctx.theme);
            if ui.link(RichText::new("stop").size(theme::CAPTION)).clicked() {
                job.task().cancel();
            }
        }
        None => {}
    }
}

/// The warnings of the file alone.
fn warnings_ui(
    ui: &mut Ui,
    view: &mut ModelView,
    open: &OpenDocument,
    document: &Document,
    ctx: &ViewCtx<'_>,
) {
    let nothing = Quality::default();
    view.side.data.seen = None;
    view.side.data.told.clear();
    let lines = lines(document, &nothing, &view.side.data);
    if lines.is_empty() {
        note(ui, "The file breaks no rule of its format.", ctx.theme);
    }
    list_ui(ui, view, &lines, None, open, ctx);
}

fn summary_ui(ui: &mut Ui, quality: &Quality, document: &Document, page: &DataPage, ctx: &ViewCtx<'_>) {
    let [wrong, unusual] = [Severity::Wrong, Severity::Unusual].map(|severity| quality.count(severity));
    let broken = document.inspection.warnings.count() - page.told.len() as u64;
    if wrong + unusual + broken == 0 {
        caption(ui, "Nothing abnormal was found", ctx.theme);
        note(
            ui,
            "Weights, palettes, indices, positions, normals, tangents and triangles are as in shipped meshes, and \
             the file keeps every rule of its format.",
            ctx.theme,
        );
        return;
    }
    let told = [(wrong, "wrong"), (unusual, "unusual")];
    let mut words: Vec<_> = told
        .into_iter()
        .filter(|(found, _)| *found > 0)
        .map(|(found, what)| format!("{} {what}", number(found)))
        .collect();
    words.extend((broken > 0).then(|| count(broken, "broken rule")));
    caption(ui, &words.join(", "), ctx.theme);
}

/// The warnings that stand where a flaw does.
fn told(document: &Document, quality: &Quality) -> BTreeSet<usize> {
    let places = || quality.findings.iter().flat_map(|finding| &finding.places);
    let warnings = document.inspection.warnings.kept().iter().enumerate();
    let told = warnings.filter(|(_, warning)| places().any(|place| place.range.contains(&warning.offset)));
    told.map(|(at, _)| at).collect()
}

fn lines<'a>(document: &'a Document, quality: &'a Quality, page: &DataPage) -> Vec<Line<'a>> {
    let warnings = &document.inspection.warnings;
    let own = warnings.kept().iter().enumerate().filter(|(at, _)| !page.told.contains(at));
    let mut lines: Vec<_> = own.map(|(_, warning)| Line::Warning(warning)).collect();
    let more = warnings.count() - warnings.kept().len() as u64;
    lines.extend((more > 0).then_some(Line::MoreWarnings(more)));
    for (at, finding) in quality.findings.iter().enumerate() {
        lines.push(Line::Finding(at, finding));
        if page.unfolded.contains(&at) {
            lines.extend(finding.places.iter().map(|place| Line::Place(finding, place)));
            let more = finding.count - finding.places.len() as u64;
            lines.extend((more > 0).then_some(Line::MorePlaces(more)));
        }
    }
    lines
}

fn list_ui(
    ui: &mut Ui,
    view: &mut ModelView,
    lines: &[Line<'_>],
    mesh: Option<&Arc<Mesh>>,
    open: &OpenDocument,
    ctx: &ViewCtx<'_>,
) {
    let id = ui.scope_id().with("findings");
    let mut rows = std::mem::take(&mut view.side.data.rows);
    rows.ui(ui, id, theme::ROW, lines.len() as u64, |ui, at, rect| {
        let Some(line) = usize::try_from(at).ok().and_then(|at| lines.get(at)) else { return };
        line_ui(ui, view, (*line, rect, at), mesh, open, ctx);
    });
    view.side.data.rows = rows;
}

fn line_ui(
    ui: &Ui,
    view: &mut ModelView,
    (line, rect, at): (Line<'_>, Rect, u64),
    mesh: Option<&Arc<Mesh>>,
    open: &OpenDocument,
    ctx: &ViewCtx<'_>,
) {
    let theme = ctx.theme;
    let response = ui.interact(rect, ui.scope_id().with(("finding", at)), Sense::click());
    row::ground(ui, &response, Standing::Plain);
    let inside = rect.shrink2(vec2(4.0, 0.0));
    let (words, hint) = match line {
        Line::Warning(warning) => (warning.text.clone(), warning.to_string()),
        Line::MoreWarnings(more) => (format!("and {} more", count(more, "broken rule")), String::new()),
        Line::Finding(_, finding) => {
            let of = format!("{} of {}", number(finding.count), number(finding.of));
            let words = format!("{}, group {}", finding.flaw.name(), finding.group);
            (words, format!("{of} {}. {}", finding.flaw.things(), finding.flaw.explanation()))
        }
        Line::Place(finding, place) => {
            let vertex = place.vertex.map_or_else(String::new, |vertex| format!("vertex {vertex}: "));
            let detail = mesh.map(|mesh| finding.detail(mesh, place)).unwrap_or_default();
            (detail.clone(), format!("{vertex}{detail}, at {:#X}", place.range.start))
        }
        Line::MorePlaces(more) => (format!("and {more} more, which are not listed"), String::new()),
    };
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Row, true, &words));
    let (icon, indent, colour) = match line {
        Line::Finding(_, finding) if finding.flaw.severity() == Severity::Wrong => {
            (Some(theme::icon::ERROR), 0.0, theme.error)
        }
        Line::Warning(_) | Line::MoreWarnings(_) | Line::Finding(..) => {
            (Some(theme::icon::WARNING), 0.0, theme.warning)
        }
        Line::Place(..) | Line::MorePlaces(_) => (None, 24.0, theme.muted),
    };
    let mut x = inside.left() + indent;
    if let Some(icon) = icon {
        row::icon_at(ui, egui::pos2(x + 8.0, rect.center().y), icon, 14.0, colour);
        x += 20.0;
    }
    let small = theme::mono(theme::CAPTION);
    let right = match line {
        Line::Finding(_, finding) => number(finding.count),
        Line::Place(_, place) => format!("{:X}", place.range.start),
        Line::Warning(warning) => format!("{:X}", warning.offset),
        Line::MoreWarnings(_) | Line::MorePlaces(_) => String::new(),
    };
    let right = text::right(ui, inside, inside.right(), &right, small.clone(), theme.muted);
    let font = if icon.is_some() { theme::sans(theme::DENSE) } else { small };
    text::left(ui, inside, x, right.left() - 6.0, &words, font, theme.text);
    if response.clicked() {
        follow(view, line, open, ctx);
    }
    response.context_menu(|ui| {
        if crate::widgets::menu::item(ui, "Copy", "", true) {
            ctx.send(Command::CopyText(if hint.is_empty() { words.clone() } else { hint.clone() }));
        }
    });
    if !hint.is_empty() {
        response.on_hover_text(hint);
    }
}

/// Goes where a line leads.
fn follow(view: &mut ModelView, line: Line<'_>, open: &OpenDocument, ctx: &ViewCtx<'_>) {
    let select = |range: std::ops::Range<u64>| {
        ctx.send(Command::Select(open.id, Selection { range, by: Selector::Other }));
    };
    match line {
        Line::Warning(warning) => select(warning.offset..warning.offset + warning.len.max(1)),
        Line::Finding(at, _) => {
            let unfolded = &mut view.side.data.unfolded;
            if !unfolded.remove(&at) {
                unfolded.insert(at);
            }
        }
        Line::Place(finding, place) => {
            let vertex = place.vertex.map(|vertex| (finding.group, vertex));
            ctx.send(Command::Model(open.id, ModelCommand::SelectVertex(vertex)));
            // The very bytes that are wrong, and not all of the vertex.
            if open.own_mesh().is_some() {
                select(place.range.clone());
            }
        }
        Line::MoreWarnings(_) | Line::MorePlaces(_) => {}
    }
}
