//! A bundle: what there is to say about it, and every member with the place that it comes from.

use egui::{Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};
use palimpsest_core::mount::{BundleAnswer, MemberAnswer, MemberSource};

use super::{ViewCtx, icon_of};
use crate::command::Command;
use crate::format::{count, number};
use crate::session::OpenDocument;
use crate::theme::{self, Theme};
use crate::widgets::row::{self, Standing, icon_at};
use crate::widgets::rows::Rows;
use crate::widgets::{card, menu, text};

/// Where the columns end.
#[derive(Clone, Copy)]
struct Columns {
    path: f32,
    mark: f32,
    declared: f32,
    size: f32,
    /// Where the source starts.
    source: f32,
    end: f32,
}

impl Columns {
    /// The source takes a third of the row; where there is little room, the sizes stand closer.
    fn new(row: Rect) -> Self {
        let source = (row.width() / 3.0).clamp(110.0, 320.0);
        let number = (row.width() / 8.0).clamp(52.0, 90.0);
        let end = row.right() - 12.0;
        let size = end - source;
        let declared = size - number;
        let mark = declared - number;
        Self { path: mark - 10.0, mark, declared, size, source: size + 16.0, end }
    }
}

/// The view of a bundle.
#[derive(Debug, Default)]
pub(super) struct BundleView {
    rows: Rows,
}

impl BundleView {
    pub(super) fn ui(&mut self, ui: &mut Ui, open: &OpenDocument, bundle: &BundleAnswer, ctx: &ViewCtx<'_>) {
        let theme = ctx.theme;
        ui.painter().rect_filled(ui.available_rect_before_wrap(), 0.0, theme.canvas);
        notes_ui(ui, open, bundle, ctx);
        if bundle.members.is_empty() {
            card::empty_ui(ui, theme::icon::LIST, "The bundle has no member", "That is no fault.");
            return;
        }
        let (head, _) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
        let font = || theme::sans(theme::CAPTION);
        let columns = Columns::new(head);
        text::left(ui, head, head.left() + 12.0, head.right(), "member", font(), theme.muted);
        text::left(ui, head, columns.source, columns.end, "comes from", font(), theme.muted);
        for (end, name) in [(columns.size, "size"), (columns.declared, "declared")] {
            text::right(ui, head, end, name, font(), theme.muted);
        }
        let id = ui.scope_id().with("members");
        self.rows.ui(ui, id, theme::ROW, bundle.members.len() as u64, |ui, at, rect| {
            if let Some(member) = usize::try_from(at).ok().and_then(|at| bundle.members.get(at)) {
                member_ui(ui, rect, at, member, open, ctx);
            }
        });
    }
}

fn notes_ui(ui: &mut Ui, open: &OpenDocument, bundle: &BundleAnswer, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let stack = &open.mounted.stack;
    egui::Frame::new().inner_margin(egui::Margin { left: 12, right: 12, top: 8, bottom: 4 }).show(ui, |ui| {
        ui.set_width(ui.available_width());
        let side = |name: &str, copy| match copy {
            Some(copy) => format!("{name} of {}", stack.layer_name(copy)),
            None => format!("no {name}"),
        };
        let sides = [side("manifest", bundle.manifest), side("container", bundle.container)];
        let members = count(bundle.members.len() as u64, "member");
        ui.horizontal_wrapped(|ui| {
            for part in [sides[0].as_str(), "·", &sides[1], "·", &members] {
                ui.label(RichText::new(part).size(theme::DENSE).color(theme.text));
            }
            if ui.link(RichText::new("copy as text").size(theme::CAPTION)).clicked() {
                ctx.send(Command::CopyText(to_text(bundle, open)));
            }
        });
        let faults = bundle.faults.iter().map(|fault| (fault, theme.error));
        let notes = bundle.notes.iter().map(|note| (note, theme.muted));
        let unproven = bundle.unproven.iter().map(|unproven| (unproven, theme.warning));
        for (words, colour) in faults.chain(notes).chain(unproven) {
            ui.add(egui::Label::new(RichText::new(words).size(theme::CAPTION).color(colour)).wrap());
        }
    });
}

fn member_ui(ui: &Ui, rect: Rect, at: u64, member: &MemberAnswer, open: &OpenDocument, ctx: &ViewCtx<'_>) {
    let theme = ctx.theme;
    let response = ui.interact(rect, ui.scope_id().with(at), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::Row, true, &member.path));
    row::ground(ui, &response, Standing::Plain);
    let small = || theme::mono(theme::CAPTION);
    let y = rect.center().y;
    icon_at(ui, pos2(rect.left() + 20.0, y), icon_of(&member.path), 14.0, theme.muted);
    let (source, colour) = source(member, open, theme);
    let columns = Columns::new(rect);
    text::left(ui, rect, columns.source, columns.end, &source, theme::sans(theme::CAPTION), colour);
    let size = member.size.map(number).unwrap_or_default();
    let sign = match member.fits() {
        Some(false) => "≠ ",
        Some(true) | None => "",
    };
    let colour = if sign.is_empty() { theme.muted } else { theme.removed };
    text::right(ui, rect, columns.size, &format!("{sign}{size}"), small(), colour);
    let declared = member.declared.map_or_else(|| "—".to_owned(), |size| number(size.into()));
    text::right(ui, rect, columns.declared, &declared, small(), theme.muted);
    if member.is_unproven {
        icon_at(ui, pos2(columns.mark, y), theme::icon::UNPROVEN, 13.0, theme.warning);
    }
    text::path(
        ui,
        rect,
        rect.left() + 34.0,
        columns.path,
        &member.path,
        theme::mono(theme::DENSE),
        theme.text,
    );
    response.context_menu(|ui| {
        if menu::item(ui, "Open in a tab of its own", "", member.source.copy().is_some()) {
            ctx.send(opens(member, open, true));
        }
        if menu::item(ui, "Copy path", "", true) {
            ctx.send(Command::CopyText(member.path.clone()));
        }
    });
    if response.clicked() || response.double_clicked() {
        ctx.send(opens(member, open, response.double_clicked()));
    }
    response.on_hover_ui(|ui| hover_ui(ui, member, open, theme));
}

/// The command that opens the copy that is used, or says that nothing holds the path.
fn opens(member: &MemberAnswer, open: &OpenDocument, stays: bool) -> Command {
    let found = || {
        let (entry, used) = (member.entry?, member.source.copy()?);
        let copies = open.mounted.stack.index().copies(entry);
        Some(Command::Open { entry, copy: copies.iter().position(|copy| *copy == used)?, stays })
    };
    found().unwrap_or_else(|| Command::OpenPath(member.path.clone()))
}

/// Where a member comes from, in few words.
fn source(member: &MemberAnswer, open: &OpenDocument, theme: &Theme) -> (String, egui::Color32) {
    let stack = &open.mounted.stack;
    match member.source {
        MemberSource::File(copy) => (format!("file of {}", stack.layer_name(copy)), theme.accent),
        MemberSource::Container(copy) => (format!("container of {}", stack.layer_name(copy)), theme.muted),
        MemberSource::Elsewhere(copy) => {
            let container =
                stack.container_of(copy).map(|container| stack.path_of(container)).unwrap_or_default();
            let leaf = container.rsplit('\\').next().unwrap_or_default().to_owned();
            (format!("{leaf} of {}", stack.layer_name(copy)), theme.muted)
        }
        MemberSource::Missing => ("nowhere".to_owned(), theme.removed),
    }
}

fn hover_ui(ui: &mut Ui, member: &MemberAnswer, open: &OpenDocument, theme: &Theme) {
    /// How many copies are listed.
    const MOST: usize = 12;
    let line = |text: String| RichText::new(text).font(theme::mono(theme::CAPTION)).color(theme.muted);
    ui.label(line(member.path.clone()));
    if member.is_unproven {
        let text = "A file lies below the container, or in its layer: which of the two the game takes is not proven.";
        ui.label(RichText::new(text).size(theme::CAPTION).color(theme.warning));
    }
    for (copy, kind, size) in member.copies.iter().take(MOST) {
        let fits = member.declared.is_some_and(|declared| u64::from(declared) == *size);
        let fit = if fits { "as declared" } else { "" };
        let (name, size) = (open.mounted.stack.layer_name(*copy), number(*size));
        ui.label(line(format!("{:>3}  {name}  {}  {size} bytes  {fit}", copy.layer, kind.name())));
    }
    if member.copy_count > MOST {
        ui.label(line(format!("and {} more", member.copy_count - MOST)));
    }
    ui.label(
        RichText::new("A click opens it, a double click in a tab of its own")
            .size(theme::CAPTION)
            .color(theme.muted),
    );
}

/// The members as a table with tabs between its columns.
fn to_text(bundle: &BundleAnswer, open: &OpenDocument) -> String {
    let stack = &open.mounted.stack;
    let mut lines: Vec<_> = bundle.words().map(str::to_owned).collect();
    lines.push("path\tdeclared\tsize\tsource\tlayer\tproven".to_owned());
    lines.extend(bundle.members.iter().map(|member| {
        let declared = member.declared.map(|size| size.to_string()).unwrap_or_default();
        let size = member.size.map(|size| size.to_string()).unwrap_or_default();
        let layer = member.source.copy().map_or("", |copy| stack.layer_name(copy));
        let proven = if member.is_unproven { "no" } else { "yes" };
        [&member.path, &*declared, &size, member.source.name(), layer, proven].join("\t")
    }));
    lines.join("\n") + "\n"
}
