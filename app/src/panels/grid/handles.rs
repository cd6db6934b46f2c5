//! Small pictures on the graphics card: as many as are visible, and some that were.

use std::collections::HashMap;
use std::fmt;

use egui::{Color32, ColorImage, TextureHandle, TextureOptions, Ui};

use crate::pictures::{Made, Wanted};

/// Pictures that are uploaded in one frame; the others wait for the next.
const PER_FRAME: usize = 24;

/// Bytes of pictures that stay while they are not visible.
const KEPT: usize = 64 << 20;

/// The pictures that are uploaded.
#[derive(Default)]
pub(super) struct Handles {
    uploaded: HashMap<Wanted, Uploaded>,
    /// The squares behind alpha, and their colours.
    checker: Option<([Color32; 2], TextureHandle)>,
    frame: u64,
    left: usize,
}

struct Uploaded {
    handle: TextureHandle,
    bytes: usize,
    used: u64,
}

impl Handles {
    /// Begins a frame.
    pub(super) fn begin(&mut self) {
        self.frame += 1;
        self.left = PER_FRAME;
    }

    /// Four squares of two colours, to be repeated.
    pub(super) fn checker(&mut self, ui: &Ui, colours: [Color32; 2]) -> TextureHandle {
        if let Some((_, handle)) = self.checker.as_ref().filter(|(known, _)| *known == colours) {
            return handle.clone();
        }
        let [dark, light] = colours;
        let squares = ColorImage::new([2, 2], vec![dark, light, light, dark]);
        let handle = ui.ctx().load_texture("checkerboard", squares, TextureOptions::NEAREST_REPEAT);
        self.checker = Some((colours, handle.clone()));
        handle
    }

    /// A picture that was made, uploaded; `None` where there is none, or it has to wait.
    ///
    /// Pixels of one that is much smaller than its frame of `frame` pixels stay squares.
    pub(super) fn of(&mut self, ui: &Ui, wanted: Wanted, made: &Made, frame: f32) -> Option<TextureHandle> {
        let made = made.as_ref().ok()?;
        if let Some(uploaded) = self.uploaded.get_mut(&wanted) {
            uploaded.used = self.frame;
            return Some(uploaded.handle.clone());
        }
        let Some(left) = self.left.checked_sub(1) else {
            ui.ctx().request_repaint();
            return None;
        };
        self.left = left;
        let picture = std::sync::Arc::clone(&made.picture);
        let bytes = 4 * picture.pixels.len();
        let longer = picture.size[0].max(picture.size[1]) as f32;
        let options = if 2.0 * longer <= frame { TextureOptions::NEAREST } else { TextureOptions::LINEAR };
        let handle = ui.ctx().load_texture("small picture", picture, options);
        self.uploaded.insert(wanted, Uploaded { handle: handle.clone(), bytes, used: self.frame });
        Some(handle)
    }

    /// Ends a frame: what was not visible for longest goes where there is too much.
    pub(super) fn end(&mut self) {
        let mut bytes: usize = self.uploaded.values().map(|uploaded| uploaded.bytes).sum();
        if bytes <= KEPT {
            return;
        }
        let mut old: Vec<_> =
            self.uploaded.iter().map(|(wanted, uploaded)| (uploaded.used, uploaded.bytes, *wanted)).collect();
        old.sort_unstable();
        for (used, size, wanted) in old {
            if bytes <= KEPT || used == self.frame {
                break;
            }
            self.uploaded.remove(&wanted);
            bytes -= size;
        }
    }

    /// Forgets everything, which belonged to another stack.
    pub(super) fn forget(&mut self) {
        self.uploaded.clear();
    }
}

impl fmt::Debug for Handles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handles({})", self.uploaded.len())
    }
}
