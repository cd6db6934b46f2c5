//! Bad files: every truncation, flipped bits and noise of every sample. An error or a value is
//! fine; a panic, a huge allocation or a hang is not.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use palimpsest_core::asset::{Asset, name_order};
use palimpsest_core::error::Result;
use palimpsest_core::format::{Format, inspect, load};
use palimpsest_core::formats::{FORMATS, mmsh, skel};
use palimpsest_core::model::{Geometry, Model, Pose, Quality};
use palimpsest_core::task::Task;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// Counts what the current thread holds.
struct Counting;

#[expect(unsafe_code, reason = "an allocator can be counted in no other way")]
// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

fn count(change: isize) {
    // Threads that are ending have no counter any more.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + change);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What a parser may hold beside its file: a share per byte and a fixed part.
fn memory_cap(len: usize) -> isize {
    (1 << 20) + 200 * len.cast_signed()
}

const TIME_CAP: Duration = Duration::from_secs(5);

/// Inspects bad bytes and checks what every inspection promises.
fn try_bytes(format: &Format, bytes: Vec<u8>, what: &str) {
    let path = match format.file_names.first() {
        Some(name) => (*name).to_owned(),
        None => format!("a.{}", format.extensions.first().unwrap_or(&"bin")),
    };
    let bytes = Bytes::from(bytes);
    let len = bytes.len() as u64;
    let started = Instant::now();
    let before = HELD.get();
    PEAK.set(before);
    let inspection = inspect(&bytes, &path, &Task::new());
    let used = PEAK.get() - before;
    let name = format.id;
    assert!(used < memory_cap(bytes.len()), "{name}, {what}: {used} bytes held for a file of {len}");
    assert!(started.elapsed() < TIME_CAP, "{name}, {what}: {:?}", started.elapsed());
    if let Err(error) = &inspection.asset {
        assert!(error.offset().is_none_or(|offset| offset <= len), "{name}, {what}: {error}");
        assert!(!error.field_path().is_empty(), "{name}, {what}: {error} names no field");
    }
    assert_eq!(inspection.tree.gaps(len), [], "{name}, {what}");
    for warning in inspection.warnings.kept() {
        assert!(warning.offset + warning.len <= len, "{name}, {what}: {warning}");
    }
}

/// Positions to break: all of a small file; the first and last bytes of a large one.
fn positions(len: usize) -> impl Iterator<Item = usize> {
    const EDGE: usize = 2048;
    (0..len).filter(move |at| *at < EDGE || *at + EDGE / 4 >= len)
}

/// A small generator of noise, the same on every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[test]
fn every_truncation_is_an_error_or_a_value() {
    for format in FORMATS {
        let sample = (format.sample)();
        for len in positions(sample.len()) {
            try_bytes(format, sample[..len].to_vec(), &format!("cut at {len}"));
        }
    }
}

#[test]
fn every_flipped_byte_is_an_error_or_a_value() {
    for format in FORMATS {
        let sample = (format.sample)();
        for at in positions(sample.len()) {
            for flip in [0x01, 0x80, 0xFF] {
                let mut bytes = sample.clone();
                bytes[at] ^= flip;
                try_bytes(format, bytes, &format!("{at:#X} flipped by {flip:#X}"));
            }
        }
    }
}

#[test]
fn every_word_of_ones_is_an_error_or_a_value() {
    for format in FORMATS {
        let sample = (format.sample)();
        for at in positions(sample.len().saturating_sub(3)) {
            let mut bytes = sample.clone();
            bytes[at..at + 4].fill(0xFF);
            try_bytes(format, bytes, &format!("a word of ones at {at:#X}"));
        }
    }
}

#[test]
fn noise_behind_a_valid_start_is_an_error_or_a_value() {
    let mut noise = Noise(0x5EED);
    for format in FORMATS {
        let sample = (format.sample)();
        for round in 0..500 {
            let kept = usize::try_from(noise.next()).unwrap() % sample.len().min(200);
            let mut bytes = sample[..kept].to_vec();
            let len = usize::try_from(noise.next()).unwrap() % 4000;
            bytes.extend((0..len).map(|_| noise.next().to_le_bytes()[0]));
            try_bytes(format, bytes, &format!("noise {round} behind {kept} bytes"));
        }
    }
}

#[test]
fn an_empty_file_is_an_error_or_a_value() {
    for format in FORMATS {
        try_bytes(format, Vec::new(), "empty");
    }
}

/// Reads everything that a mesh has, as whoever draws it does.
fn walk(asset: &Asset) -> f32 {
    let Asset::Mesh(mesh) = asset else { return 0.0 };
    let mut sum = 0.0;
    for group in &mesh.groups {
        let Some(format) = mesh.formats.get(group.format as usize) else { continue };
        for attribute in &format.attributes {
            let Some(values) = group.values(format, attribute.semantic, attribute.channel) else { continue };
            let ends = [0, group.vertex_count.saturating_sub(1), group.vertex_count, u32::MAX];
            sum += ends.iter().filter_map(|vertex| values.get(*vertex)).flatten().sum::<f32>();
        }
        sum += f32::from(group.triangles().flatten().max().unwrap_or(0));
    }
    name_order(&mesh.bones);
    sum
}

/// Looks for flaws, and poses and moves everything, as whoever shows a model does.
fn show(asset: Asset, what: &str) -> Result<()> {
    let len = match &asset {
        Asset::Mesh(mesh) => {
            mesh.groups.iter().flat_map(|group| &group.streams).map(|own| own.data.len()).sum()
        }
        _ => 0,
    };
    let task = Task::new();
    let before = HELD.get();
    PEAK.set(before);
    let (mesh, skeleton) = match asset {
        Asset::Mesh(mesh) => (Some(Arc::new(mesh)), None),
        Asset::Skeleton(skeleton) => (None, Some(Arc::new(skeleton))),
        other => panic!("{what}: {}", other.kind().name()),
    };
    if let Some(mesh) = &mesh {
        for finding in &Quality::of(mesh, &task)?.findings {
            assert!(finding.count > 0 && finding.count <= finding.of, "{what}: {finding:?}");
            let details = finding.places.iter().map(|place| finding.detail(mesh, place));
            assert!(details.into_iter().all(|detail| !detail.is_empty()), "{what}: {finding:?}");
        }
    }
    let model = Model::new(mesh, skeleton, &task)?;
    let mut pose = Pose::default();
    pose.set_angles_deg(0, [10.0, 20.0, 30.0]);
    pose.set_angles_deg(model.rig.joints.len().saturating_sub(1), [0.0, 90.0, 0.0]);
    let skin = model.skin(&pose);
    for vertex in &model.geometry.vertices {
        std::hint::black_box(Geometry::skinned(vertex, &skin));
    }
    std::hint::black_box(model.rig.mirrored_pose(&pose));
    let used = PEAK.get() - before;
    assert!(used < memory_cap(len), "{what}: {used} bytes held for {len} bytes of vertices");
    Ok(())
}

#[test]
fn a_hundred_thousand_changes_to_meshes_and_skeletons_are_errors_or_values() {
    const WORDS: [u32; 8] = [0, 1, 2, 0x7F, 0xFFFF, 0x1_0000, 0x7FFF_FFFF, u32::MAX];
    let mut noise = Noise(0xC0FFEE);
    for format in [&mmsh::FORMAT, &skel::FORMAT] {
        let sample = (format.sample)();
        for round in 0..50_000 {
            let mut bytes = sample.clone();
            for _ in 0..=noise.next() % 4 {
                let at = usize::try_from(noise.next()).unwrap() % (bytes.len() - 4);
                let word = WORDS[usize::try_from(noise.next() % 8).unwrap()].to_le_bytes();
                match noise.next() % 3 {
                    0 => bytes[at] = noise.next().to_le_bytes()[0],
                    1 => bytes[at / 4 * 4..at / 4 * 4 + 4].copy_from_slice(&word),
                    _ => bytes[at..at + 2].copy_from_slice(&word[..2]),
                }
            }
            try_bytes(format, bytes.clone(), &format!("changes {round}"));
            let path = format!("a.{}", format.extensions[0]);
            if let Ok(asset) = load(&bytes.into(), &path, &Task::new()) {
                std::hint::black_box(walk(&asset));
                if round % 4 == 0 {
                    show(asset, &format!("changes {round}")).unwrap();
                }
            }
        }
    }
}
