//! Every face of the panels as a picture, dark and light: nothing, on its way, content, failed, huge.
//!
//! The pictures are in `tests/snapshots`; `UPDATE_SNAPSHOTS=1` writes them anew.

use std::sync::Arc;

use crossbeam_channel::bounded;
use egui::{Context, Theme, Vec2};
use egui_kittest::Harness;
use palimpsest::app::draw;
use palimpsest::command::{Commands, Overlay, Selection, Selector};
use palimpsest::difference::Difference;
use palimpsest::document::Document;
use palimpsest::gpu;
use palimpsest::gpu::Caps;
use palimpsest::gpu::offscreen::render_state;
use palimpsest::jobs::{Job, Jobs, Load, Running};
use palimpsest::layout::Layout;
use palimpsest::panels::{Panels, ViewCtx};
use palimpsest::session::{
    DocumentId, ModelState, Mounted, OpenDocument, Pages, Picture, Session, StringsState, WhatIf,
};
use palimpsest::theme;
use palimpsest_core::error::Error;
use palimpsest_core::mount::{Mounts, Stack};
use palimpsest_core::task::Task;

use crate::{common, demo};

const SWORD: &str = "characters\\ranger\\ranger_sword_d.tex";

/// Starts work that stops at two fifths and waits to be cancelled.
pub(crate) fn stuck<T: Send + 'static>(jobs: &Jobs, name: &str) -> Job<T> {
    let (started, is_started) = bounded(1);
    let job = jobs.spawn(name, move |task| {
        task.set_total(5);
        task.step(2)?;
        started.send(()).unwrap();
        while !task.is_cancelled() {
            std::thread::yield_now();
        }
        Err(Error::not_found("the test is over"))
    });
    is_started.recv().unwrap();
    job
}

pub(crate) fn jobs() -> Jobs {
    Jobs::new(|| {}).unwrap()
}

pub(crate) fn mounted(mounts: Mounts) -> Arc<Mounted> {
    let stack = Stack::mount(&mounts, &Task::new()).unwrap();
    Arc::new(Mounted { mounts, title: "demo".to_owned(), stack, demo: None, oodle: Ok(None) })
}

/// A session on a stack with one path open.
pub(crate) fn session(
    mounted: Arc<Mounted>,
    path: &str,
    load: Option<Load<Arc<Document>>>,
    caps: Caps,
) -> Session {
    let entry = mounted.stack.find(path).unwrap();
    let answer = mounted.stack.resolve(entry);
    let copy = answer.copies[0].copy;
    let load = load.unwrap_or_else(|| {
        let document = Document::read(&mounted.stack, entry, copy, Some(&caps), &Task::new());
        Load::Ready(Arc::new(document.unwrap()))
    });
    let open = OpenDocument {
        id: DocumentId(1),
        mounted: Arc::clone(&mounted),
        entry,
        answer,
        copy: 0,
        is_stored: false,
        stays: true,
        load,
        digests: None,
        bundle: None,
        index_report: None,
        picture: Picture::default(),
        model: ModelState::default(),
        strings: StringsState::default(),
        selection: None,
        pages: Pages::default(),
    };
    Session {
        mounted: Some(mounted),
        open: vec![open],
        active: Some(DocumentId(1)),
        caps: Some(caps),
        ..Session::default()
    }
}

/// Draws a session in both themes and compares the pictures.
pub(crate) fn compare(
    name: &str,
    jobs: Option<&Jobs>,
    show: Option<Overlay>,
    make: impl Fn(Caps) -> Session,
) {
    let running = jobs.map(Jobs::running).unwrap_or_default();
    draw_both(name, &running, make, |panels, _, frame| {
        if let (1, Some(overlay)) = (frame, show) {
            panels.show(overlay, true);
        }
    });
}

/// The same with something that is done before each frame, counted from 1.
pub(crate) fn compare_after(
    name: &str,
    make: impl Fn(Caps) -> Session,
    act: impl Fn(&mut Panels, &Session, usize),
) {
    draw_both(name, &[], make, act);
}

fn draw_both(
    name: &str,
    running: &[Arc<Running>],
    make: impl Fn(Caps) -> Session,
    act: impl Fn(&mut Panels, &Session, usize),
) {
    for (theme, suffix) in [(Theme::Dark, "dark"), (Theme::Light, "light")] {
        let state = render_state().unwrap();
        let renderer = egui_kittest::wgpu::WgpuTestRenderer::from_render_state(state.clone());
        gpu::install(&state);
        let session = make(Caps::of(&state));
        let (mut panels, mut layout, commands) = (Panels::default(), Layout::default(), Commands::default());
        let mut frame = 0;
        let act = &act;
        let paint = move |ui: &mut egui::Ui| {
            if frame == 0 {
                install(ui.ctx(), theme);
                frame = 1;
                return;
            }
            act(&mut panels, &session, frame);
            frame += 1;
            let theme = theme::Theme::of(ui.ctx());
            let ctx = ViewCtx { session: &session, commands: &commands, theme, running };
            draw(ui, &mut panels, &mut layout, &ctx);
            commands.take();
        };
        let mut harness = Harness::builder()
            .with_size(Vec2::new(1040.0, 660.0))
            .with_theme(theme)
            .renderer(renderer)
            .with_render_cursor(false)
            .build_ui(paint);
        harness.run_steps(8);
        let picture = harness.render().unwrap();
        common::compare(picture, "tests/snapshots", &format!("{name}_{suffix}"));
    }
}

fn install(ctx: &Context, theme: Theme) {
    theme::install(ctx);
    common::add_fonts(ctx);
    ctx.set_theme(theme);
}

#[test]
fn nothing_is_mounted() {
    compare("nothing", None, None, |caps| Session {
        caps: Some(caps),
        recent: vec![Mounts::of("C:\\Games\\Shadow of War"), Mounts::of("/srv/loose")],
        ..Session::default()
    });
}

#[test]
fn a_stack_is_mounted_and_nothing_is_open() {
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    compare("mounted", None, None, |caps| Session {
        mounted: Some(Arc::clone(&mounted)),
        caps: Some(caps),
        ..Session::default()
    });
}

#[test]
fn a_stack_is_on_its_way() {
    let jobs = jobs();
    compare("mounting", None, None, |_| Session {
        mounting: Some(("Shadow of War".to_owned(), Load::Pending(stuck(&jobs, "Mounting Shadow of War")))),
        ..Session::default()
    });
}

#[test]
fn a_file_is_on_its_way() {
    let jobs = jobs();
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    compare("loading", None, None, |caps| {
        let load = Load::Pending(stuck(&jobs, "Reading ranger_sword_d.tex"));
        let mut session = session(Arc::clone(&mounted), SWORD, Some(load), caps);
        session.open[0].digests = Some(Load::Pending(stuck(&jobs, "Comparing")));
        session
    });
}

#[test]
fn a_stack_and_a_file_could_not_be_had() {
    compare("not_mounted", None, None, |_| Session {
        mount_error: Some((
            "Shadow of War".to_owned(),
            Error::not_found("no such file or folder").of("/srv/game"),
        )),
        ..Session::default()
    });
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    compare("failed", None, None, |caps| {
        let error = Error::malformed("64 bytes at 0x7C00 lie behind the end of the archive, 0x4000");
        let load = Load::Failed(error.of("World.arch06"));
        session(Arc::clone(&mounted), SWORD, Some(load), caps)
    });
}

#[test]
fn texts_lists_and_archives_are_shown() {
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    for (name, path) in [
        ("text", "readme.txt"),
        ("list", "archivepatchloosefiles.txt"),
        ("texture", "worlds\\retail\\grove\\textures\\fern_d.tex"),
    ] {
        compare(name, None, None, |caps| session(Arc::clone(&mounted), path, None, caps));
    }
    let unknown = "animation\\orc\\orc_walk_01.anix";
    compare("unknown", None, None, |caps| session(Arc::clone(&mounted), unknown, None, caps));
}

#[test]
fn a_file_of_two_gigabytes_is_shown_to_its_last_byte() {
    const SIZE: u64 = 2 << 30;
    let root = tempfile::tempdir().unwrap();
    let file = std::fs::File::create(root.path().join("large.bin")).unwrap();
    file.set_len(SIZE).unwrap();
    let mounted = mounted(Mounts::of(root.path().join("large.bin")));
    compare("huge", None, None, |caps| {
        let mut session = session(Arc::clone(&mounted), "large.bin", None, caps);
        session.open[0].selection = Some(Selection { range: SIZE - 1..SIZE, by: Selector::Other });
        session
    });
}

#[test]
fn pages_lie_over_the_panels() {
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    for (name, overlay) in [
        ("help", Overlay::Help),
        ("log", Overlay::Log),
        ("why", Overlay::Why),
        ("commands", Overlay::Commands),
        ("go_to", Overlay::GoTo),
        ("offset", Overlay::Offset),
        ("oodle", Overlay::Oodle),
    ] {
        compare(name, None, Some(overlay), |caps| session(Arc::clone(&mounted), SWORD, None, caps));
    }
}

#[test]
fn long_work_is_in_the_status_bar() {
    let jobs = jobs();
    let _job: Job<()> = stuck(&jobs, "Extracting into /srv/out");
    // A job is shown once it has run for a moment.
    while !jobs.running().iter().all(|running| running.is_long()) {
        std::thread::yield_now();
    }
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    compare("working", Some(&jobs), None, |caps| Session {
        mounted: Some(Arc::clone(&mounted)),
        caps: Some(caps),
        ..Session::default()
    });
}

#[test]
fn the_tree_of_another_order_shows_what_is_gone() {
    let demo = mounted(Mounts::of(demo().to_path_buf()));
    let stack = demo.stack.with_members(None, &Task::new()).unwrap();
    let real = Arc::new(demo.with(stack));
    let order: Vec<_> = (0..real.stack.layers().len()).filter(|at| *at != 1 && *at != 7).collect();
    let other = Arc::new(real.with(real.stack.arranged(&order, &Task::new()).unwrap()));
    let difference = Difference::between(Arc::clone(&real), Arc::clone(&other), &Task::new()).unwrap();
    let difference = Arc::new(difference);
    let make = |caps| Session {
        what_if: Some(WhatIf { shown: Some(Arc::clone(&difference)), ..WhatIf::of(Arc::clone(&real)) }),
        ..session(Arc::clone(&other), "readme.txt", None, caps)
    };
    compare_after("gone", make, |panels, session, frame| {
        if frame == 1 {
            let folders = ["database", "database\\game", "globalbundles"];
            panels.set_open_folders(session, &folders.map(|folder| folder.as_bytes().to_vec()));
        }
    });
}
