//! How long it takes from selecting a mesh of 200,000 triangles to the frame that shows it, and a frame in which
//! it is seen from another side.
//!
//! The reference is a frame in which nothing happens, so that the picture of the mesh is not drawn again. Every
//! frame is read back from the card, which stands for the screen.

#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark prints, and fails loudly")]

mod support;

use std::time::{Duration, Instant};

use palimpsest::app::Start;
use palimpsest::command::{Command, Look, ModelLook};
use palimpsest::gpu::mesh::Mode;
use palimpsest::gpu::{Caps, WANTED, offscreen::render_state_with};
use palimpsest::headless::{Look as Face, Stage};
use palimpsest::panels::Show;
use palimpsest_core::asset::{
    Arena, Attribute, AttributeLayout, Bone, Group, Lod, Mesh, ObjectRecord, Semantic, Stream, VertexFormat,
};
use palimpsest_core::formats::mmsh;
use palimpsest_core::model::Model;
use palimpsest_core::mount::Mounts;
use palimpsest_core::task::Task;
use support::quantile;

/// Squares along a side of a bumpy sheet: two triangles each.
const SIDE: u32 = 158;
/// Sheets, each a group of its own.
const SHEETS: u32 = 4;
const ROUNDS: usize = 15;
const LOOK: Face = Face { size: (1440, 900), is_light: false };

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = mmsh::write(&sheets()).unwrap();
    for round in 0..=ROUNDS {
        std::fs::write(folder.path().join(format!("sheet_{round}.mesh")), &bytes).unwrap();
    }
    let start = Start { mounts: Some(Mounts::of(folder.path())), ..Start::default() };
    let mut stage = Stage::on(render_state_with(WANTED).unwrap(), start, LOOK).unwrap();
    stage.settle().unwrap();
    let adapter = Caps::of(&render_state_with(WANTED).unwrap()).adapter;
    println!("{} bytes, {} triangles; {adapter}", bytes.len(), 2 * SIDE * SIDE * SHEETS);
    open(&mut stage, 0);
    let mut rows: Vec<(String, Vec<f64>)> = Vec::new();
    let idle = (0..ROUNDS).map(|_| frame(&mut stage, None)).collect();
    rows.push(("a frame in which nothing happens".to_owned(), idle));
    let decoded = (0..ROUNDS).map(|_| timed(|| drop(Model::new(Some(sheets().into()), None, &Task::new()))));
    rows.push(("decode the vertices".to_owned(), decoded.collect()));
    let opened = (1..=ROUNDS).map(|round| open(&mut stage, round)).collect();
    rows.push(("from selecting it to the first frame".to_owned(), opened));
    for (name, looks) in [
        ("seen from another side", vec![]),
        ("the same, its colours parts", vec![ModelLook::Mode(Mode::Parts)]),
        ("the same, a bone turned", vec![ModelLook::Turn(0, [10.0, 0.0, 0.0])]),
        ("the same, with the edges of triangles", vec![ModelLook::Toggle(Show::Edges)]),
    ] {
        send(&mut stage, looks);
        let turned = (0..ROUNDS).map(|round| frame(&mut stage, Some(round as f32 * 0.4)));
        rows.push((name.to_owned(), turned.collect()));
    }
    let reference = quantile(rows[0].1.iter().copied(), 0.5);
    for (name, times) in rows {
        let median = quantile(times.into_iter(), 0.5);
        println!("{name:<42} {:>8.1} ms {:>6.2}", 1000.0 * median, median / reference);
    }
}

fn send(stage: &mut Stage, looks: Vec<ModelLook>) {
    for look in looks {
        stage.app().commands().send(Command::Look(Look::Model(look)));
    }
    stage.settle().unwrap();
}

fn timed(work: impl FnOnce()) -> f64 {
    let started = Instant::now();
    work();
    started.elapsed().as_secs_f64()
}

/// A frame, read back; seen from an angle where one is given.
fn frame(stage: &mut Stage, yaw: Option<f32>) -> f64 {
    timed(|| {
        if let Some(yaw) = yaw {
            stage.app().commands().send(Command::Look(Look::Model(ModelLook::See([yaw, 0.3]))));
        }
        // A command is applied at the end of a frame, and seen in the next one.
        stage.frame();
        stage.pixels().unwrap();
    })
}

/// Selects a mesh as a click in the tree does; seconds until the frame that shows it was read back.
fn open(stage: &mut Stage, round: usize) -> f64 {
    stage.settle().unwrap();
    stage.pixels().unwrap();
    let entry = stage.app().session().stack().unwrap().find(&format!("sheet_{round}.mesh")).unwrap();
    let started = Instant::now();
    stage.app().commands().send(Command::Open { entry, copy: 0, stays: false });
    loop {
        stage.frame();
        let is_there =
            |open: &palimpsest::session::OpenDocument| open.entry == entry && open.model.drawable().is_some();
        if stage.app().session().active().is_some_and(is_there) {
            // What was handed over in this frame is drawn in it or, where it is large, in the next ones.
            while stage.is_awake() && started.elapsed() < Duration::from_secs(10) {
                stage.frame();
            }
            stage.pixels().unwrap();
            return started.elapsed().as_secs_f64();
        }
        while !stage.is_awake() {
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

/// Bumpy sheets over each other.
fn sheets() -> Mesh {
    let attribute = |offset, layout, semantic| Attribute {
        stream: 0,
        offset: Some(offset),
        layout,
        semantic,
        channel: 0,
    };
    let attributes = vec![
        attribute(0, AttributeLayout::F32x3, Semantic::Position),
        attribute(12, AttributeLayout::F32x3, Semantic::Normal),
        attribute(24, AttributeLayout::U8x4, Semantic::Weights),
        attribute(28, AttributeLayout::U8x4, Semantic::BoneIndices),
    ];
    let sheet = |sheet: u32| {
        let mut data = Vec::new();
        for at in 0..(SIDE + 1) * (SIDE + 1) {
            let (x, z) = ((at % (SIDE + 1)) as f32, (at / (SIDE + 1)) as f32);
            let (u, v) = (x * 0.11, z * 0.13);
            let place = [x - 80.0, u.sin() * v.cos() * 6.0 + 25.0 * sheet as f32, z - 80.0];
            let facing = [-u.cos() * v.cos() * 0.6, 1.0, u.sin() * v.sin() * 0.6];
            data.extend(place.into_iter().chain(facing).flat_map(f32::to_le_bytes));
            data.extend([0, 0, 255, 0, 0, 0, 0, 0]);
        }
        let corner = |x: u32, z: u32| u16::try_from(z * (SIDE + 1) + x).unwrap();
        let squares = (0..SIDE).flat_map(|z| (0..SIDE).map(move |x| (x, z)));
        let indices = squares.flat_map(|(x, z)| {
            let [a, b] = [corner(x, z), corner(x + 1, z)];
            let [c, d] = [corner(x, z + 1), corner(x + 1, z + 1)];
            [a, c, b, b, c, d]
        });
        Group {
            arena: 0,
            format: 0,
            vertex_count: (SIDE + 1) * (SIDE + 1),
            streams: vec![Stream { offset: 0, stride: 32, data: data.into() }],
            index_offset: 0,
            indices: indices.flat_map(u16::to_le_bytes).collect(),
            palette_offset: 0,
            palette: vec![0].into(),
            unknown: [0.5; 2],
        }
    };
    Mesh {
        objects: vec![1],
        records: vec![ObjectRecord { object: 0, arena: Some(0), material: 0, flags: 3 }],
        lods: vec![Lod { distance: 0.0, is_shadow: false, records: vec![0] }],
        arenas: vec![Arena { groups: 0..SHEETS as usize, triangles: [u16::MAX; 16] }],
        groups: (0..SHEETS).map(sheet).collect(),
        formats: vec![VertexFormat { attributes, strides: vec![Some(32)] }],
        bones: vec![Bone {
            hash: 1,
            name: String::new(),
            parent: None,
            children: 0,
            position: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            scale: 1.0,
            deforms: true,
        }],
        cull_distance: 100_000.0,
        centre: [0.0; 3],
        radius: 200.0,
    }
}
