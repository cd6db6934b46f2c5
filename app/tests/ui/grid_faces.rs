//! Every face of the grid of textures as a picture.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use palimpsest::grid::{Grid, GridOf, GridTab};
use palimpsest::jobs::Load;
use palimpsest::pictures::{Pictures, Viewer, Wanted};
use palimpsest::session::{Front, Mounted, Session};
use palimpsest_core::asset::PixelFormat;
use palimpsest_core::error::{Error, ErrorKind};
use palimpsest_core::formats::dds::{self, NewSurface};
use palimpsest_core::mount::Mounts;
use palimpsest_core::task::Task;

use crate::demo;
use crate::faces::{compare, jobs, mounted, stuck};

/// A session with the grid of a stack.
fn session(mounted: &Arc<Mounted>, tab: GridTab) -> Session {
    Session { mounted: Some(Arc::clone(mounted)), grid: Some(tab), front: Front::Grid, ..Session::default() }
}

/// The textures of a folder, listed, with their pictures.
fn listed(mounted: &Arc<Mounted>, folder: &str) -> Session {
    let of = GridOf::Folder(folder.as_bytes().to_vec());
    let tiles = Arc::new(of.tiles(&mounted.stack, &Task::new()).unwrap());
    let index = mounted.stack.index();
    let seen: Vec<Wanted> = tiles.iter().take(100).map(|tile| (index.copies(tile.entry)[0], 128)).collect();
    let (mut pictures, jobs) = (Pictures::default(), jobs());
    pictures.follow(Some(mounted));
    pictures.see(Viewer::Grid, seen, &jobs);
    let started = Instant::now();
    while !pictures.is_idle() {
        pictures.poll(&jobs);
        std::thread::yield_now();
        assert!(started.elapsed() < Duration::from_mins(1), "the pictures are not made");
    }
    pictures.poll(&jobs);
    let grid = Grid { mounted: Arc::clone(mounted), of, tiles };
    Session { pictures, ..session(mounted, GridTab { shown: Some(grid), ..GridTab::default() }) }
}

#[test]
fn the_textures_of_nothing() {
    compare("grid_nothing", None, None, |_| Session {
        grid: Some(GridTab::default()),
        front: Front::Grid,
        ..Session::default()
    });
}

#[test]
fn textures_are_being_listed() {
    let jobs = jobs();
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    compare("grid_loading", None, None, |_| {
        let load = Some(Load::Pending(stuck(&jobs, "Listing textures")));
        session(&mounted, GridTab { load, ..GridTab::default() })
    });
}

#[test]
fn the_list_was_stopped() {
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    compare("grid_failed", None, None, |_| {
        let load = Some(Load::Failed(Error::new(ErrorKind::Cancelled)));
        session(&mounted, GridTab { load, ..GridTab::default() })
    });
}

#[test]
fn a_folder_without_textures() {
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    compare("grid_empty", None, None, |_| listed(&mounted, "sound"));
}

#[test]
fn all_textures_of_the_demo() {
    let mounted = mounted(Mounts::of(demo().to_path_buf()));
    compare("grid", None, None, |_| listed(&mounted, ""));
}

/// Writes a texture of one colour; every fifth ends early.
fn write(path: &Path, at: u8) {
    let format = PixelFormat::Rgba8Unorm;
    let pixels = [at.wrapping_mul(37), at.wrapping_mul(91), 120, 255 - at].repeat(64);
    let file = dds::write(&NewSurface::flat(format, 8, 8), &[&pixels]).unwrap();
    let end = if at % 5 == 4 { file.len() - 9 } else { file.len() };
    std::fs::write(path, &file[..end]).unwrap();
}

#[test]
fn many_textures_some_of_which_cannot_be_drawn() {
    let root = tempfile::tempdir().unwrap();
    for at in 0..=255u8 {
        write(&root.path().join(format!("texture with a long name {at:03}.dds")), at);
    }
    let mounted = mounted(Mounts::of(root.path()));
    compare("grid_huge", None, None, |_| listed(&mounted, ""));
}
