//! The one place where commands change the session.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use egui::{Context, ThemePreference};
use palimpsest_core::asset::Kind;
use palimpsest_core::export::{Channels, Conversion, Form, Which};
use palimpsest_core::extract::Extraction;
use palimpsest_core::format::detect;
use palimpsest_core::mount::{Mounts, Query};
use palimpsest_core::scene::Beside;

use super::App;
use super::restore::Restore;
use super::work::{mount, nearest};
use crate::command::{Command, Overlay, PathFor};
use crate::dialogs;
use crate::files::Files;
use crate::format::{count, size};
use crate::jobs::{Job, Load};
use crate::layout::{Layout, Pane};
use crate::panels::Panels;
use crate::session::{DocumentId, Notice, Pages, Palette};

/// How many paths the palette lists.
const NEAREST: usize = 12;

/// How much text is put on the clipboard at most.
const CLIPBOARD: usize = 16 << 20;

impl App {
    /// Applies every command that was sent, also those that commands send.
    pub(super) fn apply_all(&mut self, ctx: &Context) {
        for command in self.commands.take() {
            // Going back and forward leads along the way, everything else goes a step further on it.
            let is_on_the_way = matches!(command, Command::Back | Command::Forward);
            self.apply(command, ctx);
            if !is_on_the_way {
                self.note_step();
            }
        }
    }

    fn apply(&mut self, command: Command, ctx: &Context) {
        match command {
            Command::Mount(mounts) => self.mount(mounts, false),
            Command::MountDemo => self.mount(Mounts::default(), true),
            Command::Remount => self.remount(),
            Command::PickFolder => self.pick(dialogs::folder(&self.jobs, "Open a folder"), PathFor::Mount),
            Command::PickFile => self.pick(dialogs::file(&self.jobs, "Open a file"), PathFor::Mount),
            Command::PickExtractFolder(files) => self.pick_extract_folder(files, Conversion::default()),
            Command::PickExportFolder(files, conversion) => self.pick_extract_folder(files, conversion),
            Command::Extract(folder, files, conversion) => self.extract(folder, files, conversion),
            Command::TypePath(path_for) => self.type_path(path_for),
            Command::Search(text) => self.search(text),
            Command::FindPath(text) => self.find_path(text),
            Command::Open { entry, copy, stays } => self.open(entry, copy, stays),
            Command::OpenAt { entry, copy, range } => self.open_at(entry, copy, range),
            Command::OpenPath(path) => self.open_path(&path),
            Command::ShowCopy(id, copy) => self.show_copy(id, copy),
            Command::StepCopy(by) => self.step_copy(by),
            Command::ShowStored(id, is_stored) => self.show_stored(id, is_stored),
            Command::Reload(id) => self.reload(id),
            Command::Focus(id) => self.focus(id),
            Command::Keep(id) => self.keep(id),
            Command::Close(id) => self.close(id),
            Command::Compare { entry, copies } => self.compare(entry, copies),
            Command::CompareOther(id, side, copy) => self.compare_other(id, side, copy),
            Command::SwapSides(id) => self.swap_sides(id),
            Command::ViewComparison(view) => self.panels.view_comparison(&self.session, view),
            Command::StepDifference(by) => self.panels.step_difference(&self.session, by),
            Command::Select(id, selection) => {
                if let Some(open) = self.session.document_mut(id) {
                    open.selection = Some(selection);
                }
            }
            Command::NeedPages(id, range) => self.need_pages(id, &range),
            Command::ReadBundles => self.read_bundles(),
            Command::Arrange(scenario) => self.arrange(scenario),
            Command::PickOnTop { is_folder } => self.pick_on_top(is_folder),
            Command::PutOnTop(mounts) => self.put_on_top(mounts),
            Command::EndWhatIf => self.end_what_if(),
            Command::PickChangesFile => self.pick_changes_file(),
            Command::ExportChanges(file) => self.export_changes(file),
            Command::ShowWhatIf => self.layout.show(Pane::WhatIf),
            Command::NeedLayerTree(layer) => self.need_layer_tree(layer),
            Command::NeedDigests(id) => self.need_digests(id),
            Command::See(viewer, seen) => self.session.pictures.see(viewer, seen, &self.jobs),
            Command::Back => self.go(true),
            Command::Forward => self.go(false),
            Command::Cancel(running) => running.task.cancel(),
            Command::CopyText(text) => self.copy_text(ctx, text),
            Command::ToggleTheme => {
                let is_dark = ctx.theme() == egui::Theme::Dark;
                ctx.set_theme(if is_dark { ThemePreference::Light } else { ThemePreference::Dark });
            }
            Command::Zoom(by) => zoom(ctx, by),
            Command::ResetLayout => self.layout = Layout::default(),
            Command::Show(overlay, is_shown) => self.show(overlay, is_shown),
            Command::Type(text) => self.panels.type_ahead(ctx, &text),
            Command::FocusSearch => Panels::focus_search(ctx),
            Command::ShowTree(tree) => self.panels.show_tree(tree),
            Command::Map(command) => self.map(command),
            Command::Grid(command) => self.grid(command),
            Command::ShowFolder(path) => self.show_folder(&path),
            Command::Picture(id, command) => self.picture(id, command),
            Command::Model(id, command) => self.model(id, command),
            Command::Strings(id, command) => self.strings(id, command),
            Command::Names(command) => self.names(command),
            Command::FindTexts(text, is_exact) => self.find_texts(text, is_exact),
            Command::OpenText(entry, key) => self.open_text(entry, key),
            Command::Look(look) => {
                if let Some(command) = self.panels.look(ctx, &self.session, look) {
                    self.apply(command, ctx);
                }
            }
            Command::DecodeBy(oodle) => {
                self.session.oodle = oodle;
                self.remount();
            }
            Command::ClearNotices => self.session.notices.clear(),
            Command::Quit => ctx.send_viewport_cmd(egui::ViewportCommand::Close),
        }
        ctx.request_repaint();
    }

    fn keep(&mut self, id: DocumentId) {
        if let Some(open) = self.session.document_mut(id) {
            open.stays = true;
        }
    }

    pub(super) fn pick(&mut self, dialog: Job<Option<PathBuf>>, path_for: PathFor) {
        self.dialogs.push((dialog, path_for));
    }

    /// Asks for a path by typing.
    pub(super) fn type_path(&mut self, path_for: PathFor) {
        let written_to = self.session.written_to.clone();
        let begins_with = match &path_for {
            PathFor::Extract(..) => written_to,
            PathFor::Drawn(id, _) => {
                written_to.zip(self.drawn_name(*id)).map(|(folder, name)| folder.join(name))
            }
            _ => None,
        };
        let begins_with = begins_with.map(|path| path.display().to_string());
        self.session.path_for = path_for;
        self.show(Overlay::Path, true);
        self.panels.prefill(&begins_with.unwrap_or_default());
    }

    fn show(&mut self, overlay: Overlay, is_shown: bool) {
        if is_shown && overlay == Overlay::GoTo {
            self.session.palette = Palette::default();
        }
        self.panels.show(overlay, is_shown);
    }

    pub(super) fn mount(&mut self, mounts: Mounts, has_demo: bool) {
        let mut names: Vec<_> = has_demo.then(|| "the demo".to_owned()).into_iter().collect();
        names.extend(mounts.arch.iter().chain(&mounts.archcfg).chain(&mounts.paths).map(|path| {
            path.file_name()
                .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
        }));
        let title = names.join(" + ");
        let (of, oodle) = (title.clone(), self.session.oodle.clone());
        let job = self
            .jobs
            .spawn(format!("Mounting {title}"), move |task| mount(mounts, has_demo, of, &oodle, task));
        self.session.mount_error = None;
        self.session.mounting = Some((title, Load::Pending(job)));
    }

    fn remount(&mut self) {
        if let Some(mounted) = self.session.mounted.clone() {
            let mut restore = Restore::of(&self.session, &self.panels);
            if let Some(what_if) = &self.session.what_if {
                restore.follow_winners(&self.session);
                restore.lost = what_if.lost.clone();
            }
            self.restores = Some(restore);
            self.mount(mounted.mounts.clone(), mounted.demo.is_some());
        }
    }

    pub(super) fn search(&mut self, text: String) {
        let search = &mut self.session.search;
        search.text = text;
        search.error = None;
        if search.text.trim().is_empty() {
            search.job = None;
            search.results = None;
            return;
        }
        let Some(mounted) = self.session.mounted.clone() else { return };
        match Query::parse(&search.text) {
            // The job before this one is dropped, which cancels it.
            Ok(query) => {
                search.job =
                    Some(self.jobs.spawn("Searching", move |task| mounted.stack.search(&query, task)));
            }
            Err(error) => search.error = Some(error.to_string()),
        }
    }

    fn find_path(&mut self, text: String) {
        let Some(mounted) = self.session.mounted.clone() else { return };
        let palette = &mut self.session.palette;
        palette.text.clone_from(&text);
        palette.job = Some(
            self.jobs.spawn("Finding a path", move |task| nearest(&mounted.stack, &text, NEAREST, task)),
        );
    }

    fn need_pages(&mut self, id: DocumentId, range: &std::ops::Range<u64>) {
        let Some(open) = self.session.open.iter_mut().find(|open| open.id == id) else { return };
        let Some(document) = open.load.ready() else { return };
        for number in Pages::numbers(range) {
            if open.pages.get(number).is_some() {
                continue;
            }
            let content = document.content.clone();
            let start = number * Pages::SIZE;
            let job =
                self.jobs.spawn("Reading bytes", move |task| content.read(start..start + Pages::SIZE, task));
            open.pages.insert(number, job);
        }
    }

    pub(super) fn need_layer_tree(&mut self, layer: usize) {
        let Some(mounted) = self.session.mounted.clone() else { return };
        if matches!(self.session.layer_trees.get(&layer), Some(Load::Ready(_) | Load::Pending(_))) {
            return;
        }
        let job = self
            .jobs
            .spawn("Listing a layer", move |task| mounted.stack.index_of_layer(layer, task).map(Arc::new));
        self.session.layer_trees.insert(layer, Load::Pending(job));
    }

    fn need_digests(&mut self, id: DocumentId) {
        let Some(open) = self.session.open.iter_mut().find(|open| open.id == id) else { return };
        if matches!(open.digests, Some(Load::Pending(_) | Load::Ready(_))) {
            return;
        }
        let (mounted, entry) = (Arc::clone(&open.mounted), open.entry);
        let name = format!("Comparing the copies of {}", open.leaf());
        let job = self.jobs.spawn(name, move |task| mounted.stack.digest(entry, task));
        open.digests = Some(Load::Pending(job));
    }

    fn pick_extract_folder(&mut self, files: Files, conversion: Conversion) {
        let Some(stack) = self.session.stack() else { return };
        let title = format!("{}{}", files.title(stack), words_of(&conversion));
        let title_of_dialog = format!("Extract {title}: choose a folder");
        let job = dialogs::folder_from(&self.jobs, &title_of_dialog, self.session.written_to.as_deref());
        self.pick(job, PathFor::Extract(files, title, conversion));
    }

    pub(super) fn extract(&mut self, out: PathBuf, files: Files, conversion: Conversion) {
        let Some(mounted) = self.session.mounted.clone() else { return };
        self.session.written_to = Some(out.clone());
        let names = self.session.book();
        let job = self.jobs.spawn(format!("Extracting into {}", out.display()), move |task| {
            let mut picked = files.picked(&mounted.stack, task)?;
            if conversion.form != Form::Native && !matches!(files, Files::Copy(_)) {
                // Of many files those are written that have the form.
                let has_form =
                    |path: &str| detect(path, &[]).is_some_and(|format| conversion.form.is_of(format.kind));
                picked.copies.retain(|copy| has_form(&mounted.stack.path_of(*copy)));
            }
            let extraction = Extraction { out, is_flat: false, conversion, names };
            let report = extraction.run(&mounted.stack, &picked, task)?;
            Ok((report, extraction.out))
        });
        self.extractions.push(job);
    }

    pub(super) fn copy_text(&mut self, ctx: &Context, text: String) {
        if text.len() > CLIPBOARD {
            let (all, most) = (size(text.len() as u64), size(CLIPBOARD as u64));
            self.say(true, format!("Not copied: {all} of text, the clipboard takes {most}"));
            return;
        }
        let lines = text.lines().count();
        let first = text.lines().next().unwrap_or_default();
        let short: String = first.chars().take(60).collect();
        let more = if short.len() < first.len() { "…" } else { "" };
        let what = if lines > 1 {
            format!("Copied {}: {short}{more}", count(lines as u64, "line"))
        } else {
            format!("Copied: {short}{more}")
        };
        self.mention(what);
        ctx.copy_text(text);
    }

    /// Says something that stays in the log.
    pub(super) fn say(&mut self, is_error: bool, text: String) {
        self.notice(Notice { is_error, text, at: Instant::now(), is_passing: false });
    }

    /// Says something that is of no interest any more once it was read.
    pub(super) fn mention(&mut self, text: String) {
        self.notice(Notice { is_error: false, text, at: Instant::now(), is_passing: true });
    }

    fn notice(&mut self, notice: Notice) {
        const MOST: usize = 500;
        self.session.notices.push(notice);
        if self.session.notices.len() > MOST {
            self.session.notices.remove(0);
        }
    }
}

/// What a conversion makes, for people: ` as png, level 2, slice 0, channels RG`.
fn words_of(conversion: &Conversion) -> String {
    let Conversion { form, wanted, is_joined, texts } = conversion;
    if *form == Form::Native {
        return String::new();
    }
    let mut words = vec![format!(" as {form}")];
    if *is_joined && form.is_of(Kind::Texture) {
        words.push("tiers joined".to_owned());
    }
    words.extend(match texts.beside {
        Beside::Alone => None,
        Beside::Languages => Some("all languages side by side".to_owned()),
        Beside::Layers => Some("all layers side by side".to_owned()),
    });
    if form.is_picture() {
        words.push(match wanted.level {
            Which::One(level) => format!("level {level}"),
            Which::All => "all levels".to_owned(),
            Which::First => "the largest level".to_owned(),
        });
        if let Which::One(slice) = wanted.slice {
            words.push(format!("slice {slice}"));
        }
        if let Channels::Shown(shown) = wanted.channels
            && shown != [true; 4]
        {
            let names: String =
                "RGBA".chars().zip(shown).filter(|(_, is_shown)| *is_shown).map(|(name, _)| name).collect();
            words.push(format!("channels {names}"));
        }
    }
    words.join(", ")
}

/// Makes everything larger or smaller, within what can be read and what fits.
fn zoom(ctx: &Context, by: i8) {
    let factor = match by {
        0 => 1.0,
        by => ctx.zoom_factor() + 0.1 * f32::from(by),
    };
    ctx.set_zoom_factor(factor.clamp(0.8, 2.0));
}
