//! Pictures of textures: their tiers are looked for, and parts of them made ready, in the background.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{ColorImage, Context};
use image::RgbaImage;
use palimpsest_core::asset::{Asset, Image, Texture};
use palimpsest_core::codec::pixels::Histogram;
use palimpsest_core::error::{Error, Result};
use palimpsest_core::export::{self, Channels};
use palimpsest_core::extract::write_file;
use palimpsest_core::task::Task;

use super::App;
use super::poll::ended;
use crate::command::{PathFor, PictureCommand};
use crate::dialogs;
use crate::gpu::Caps;
use crate::gpu::offscreen::render_state;
use crate::gpu::pixels::{Part, Pixels, whole_rows};
use crate::headless::{Still, draw_model, draw_texture, encode};
use crate::jobs::Load;
use crate::session::{DocumentId, Drawing, OpenDocument, Picture, PictureChoice, TextureDrawing, Tier};

impl App {
    pub(super) fn picture(&mut self, id: DocumentId, command: PictureCommand) {
        match command {
            PictureCommand::Show(choice) => self.show_picture(id, choice),
            PictureCommand::Sheet => self.show_sheet(id),
            PictureCommand::CountValues(level) => self.count_values(id, level),
            PictureCommand::Copy(level, channels) => self.copy_picture(id, level, channels),
            PictureCommand::CopyDrawn(drawing) => self.copy_drawn(id, drawing),
            PictureCommand::PickDrawnFile(drawing) => self.pick_drawn_file(id, drawing),
            PictureCommand::SaveDrawn(file, drawing) => self.save_drawn(file, id, drawing),
        }
    }

    /// Forgets the picture of a copy that is not shown any more; what was chosen stays.
    pub(super) fn forget_picture(open: &mut OpenDocument) {
        let part = open.picture.choice.part;
        open.picture = Picture { choice: PictureChoice { tier: Tier::Joined, part }, ..Picture::default() };
    }

    /// Has the tiers of a texture looked for, once it is read.
    fn need_tiers(&mut self, id: DocumentId) {
        let Some(open) = self.session.document_mut(id) else { return };
        let Some(copy) = open.copy_ref().filter(|_| open.picture.tiers.is_none() && !open.is_stored) else {
            return;
        };
        let mounted = Arc::clone(&open.mounted);
        let name = format!("Joining the tiers of {}", open.leaf());
        let job = self.jobs.spawn(name, move |task| {
            let missing = || Error::not_found("the file has no tiers");
            mounted.stack.tiers(copy, task)?.map(Arc::new).ok_or_else(missing)
        });
        if let Some(open) = self.session.document_mut(id) {
            open.picture.tiers = Some(Load::Pending(job));
        }
    }

    /// Shows another part of a texture, or other files of it.
    pub(super) fn show_picture(&mut self, id: DocumentId, choice: PictureChoice) {
        let Some(caps) = self.session.caps.clone() else { return };
        let Some(open) = self.session.document_mut(id) else { return };
        open.picture.choice = choice;
        open.picture.sheet = None;
        open.picture.histogram = None;
        let Some(Ok(Some(Asset::Texture(own)))) = open.document().map(|document| &document.inspection.asset)
        else {
            return;
        };
        let Some(shown) = open.shown_texture() else { return };
        // What the document has is not made once more.
        if choice.part == Part::default() && std::ptr::eq(own, shown) {
            open.picture.pixels = None;
            return;
        }
        let (texture, name) = (shown.clone(), format!("Decoding {}", open.leaf()));
        let job =
            self.jobs.spawn(name, move |task| Pixels::new(&texture, choice.part, &caps, task).map(Arc::new));
        if let Some(open) = self.session.document_mut(id) {
            open.picture.pixels = Some(Load::Pending(job));
        }
    }

    /// Shows all slices of a texture together, from levels that are not much larger than they are drawn.
    fn show_sheet(&mut self, id: DocumentId) {
        /// Pixels along a side of a slice.
        const SIDE: u32 = 256;
        /// How many slices are shown.
        const MOST: u32 = 1024;
        let Some(caps) = self.session.caps.clone() else { return };
        let Some(open) = self.session.document(id) else { return };
        let Some(mut texture) = open.shown_texture().cloned() else { return };
        let decoding = open.picture.choice.part.decoding;
        let smallest = texture.images.iter().map(|image| image.level).max().unwrap_or(0);
        let first = texture.images.iter().find(|image| image.width.max(image.height) <= SIDE);
        let first = first.map_or(smallest, |image| image.level);
        texture.images.retain(|image| image.level >= first);
        let count = texture.slice_count().min(MOST);
        let job = self.jobs.spawn(format!("Decoding {}", open.leaf()), move |task| {
            task.set_total(count.into());
            let one = |at| {
                let part = Part { decoding, ..Part::default() }.at(&texture, at);
                let pixels = Pixels::new(&texture, part, &caps, task)?;
                task.step(1).map(|()| Arc::new(pixels))
            };
            (0..count).map(one).collect::<Result<Vec<_>>>().map(Arc::new)
        });
        if let Some(open) = self.session.document_mut(id) {
            open.picture.sheet = Some(Load::Pending(job));
        }
    }

    /// Has the values of one level of a picture counted, of the slice that is shown.
    fn count_values(&mut self, id: DocumentId, level: u32) {
        let Some(open) = self.session.document(id) else { return };
        let Some(texture) = open.shown_texture() else { return };
        let Part { slice, layer, .. } = open.picture.choice.part;
        let (format, image) = (texture.format, texture.image(slice, level).cloned());
        let job = self.jobs.spawn(format!("Counting the values of {}", open.leaf()), move |task| {
            let data = image
                .as_ref()
                .and_then(|image| Some((image, image.layer(format, image.nearest_layer(layer))?)));
            let missing = || Error::not_found("the level is not whole");
            let (image, data) = data.ok_or_else(missing)?;
            Histogram::of(format, image.width, image.height, data, task).map(Arc::new)
        });
        if let Some(open) = self.session.document_mut(id) {
            open.picture.histogram = Some((level, Load::Pending(job)));
        }
    }

    /// Puts the picture of a tab on the clipboard: a level of the part that is shown, with some channels.
    fn copy_picture(&mut self, id: DocumentId, level: u32, channels: [bool; 4]) {
        let Some(open) = self.session.document(id) else { return };
        let Some(texture) = open.shown_texture().cloned() else { return };
        let part = open.picture.choice.part;
        let job = self.jobs.spawn(format!("Copying {}", open.leaf()), move |_| {
            let missing = || Error::not_found("the level is not there");
            let is_shown = |image: &&Image| image.slice == part.slice && image.level == level;
            let rows =
                || texture.cut.as_ref().filter(is_shown).and_then(|cut| whole_rows(texture.format, cut));
            let image = &texture.image(part.slice, level).cloned().or_else(rows).ok_or_else(missing)?;
            let layer = image.nearest_layer(part.layer);
            let png = export::png(&texture, image, layer, Channels::Shown(channels))?;
            let picture =
                image::load_from_memory(&png).map_err(|error| Error::malformed(error.to_string()))?;
            Ok(to_colours(&picture.into_rgba8()))
        });
        self.copies.push(job);
    }

    /// What draws what a tab shows as it is looked at: of a texture one pixel for each of its level.
    fn drawing(
        &self,
        id: DocumentId,
        drawing: Drawing,
    ) -> Option<impl FnOnce(&Task) -> Result<RgbaImage> + Send + 'static> {
        let open = self.session.document(id)?;
        let texture = open.shown_texture().cloned();
        let part = open.picture.choice.part;
        Some(move |task: &Task| match (drawing, texture) {
            (Drawing::Texture(drawing), Some(texture)) => draw(&texture, part, drawing, task),
            (Drawing::Texture(_), None) => Err(Error::not_found("the tab shows no texture any more")),
            (Drawing::Model(still), _) => {
                let pixels = draw_model(render_state()?, &still)?;
                let missing = || Error::not_found("the picture has another size");
                RgbaImage::from_raw(still.size.0, still.size.1, pixels).ok_or_else(missing)
            }
        })
    }

    /// Puts the picture of a tab on the clipboard as it is drawn.
    fn copy_drawn(&mut self, id: DocumentId, drawing: Drawing) {
        let Some(draw) = self.drawing(id, drawing) else { return };
        let job =
            self.jobs.spawn("Drawing a picture", move |task| draw(task).map(|picture| to_colours(&picture)));
        self.copies.push(job);
    }

    /// What the file is called that the picture of a tab is drawn into.
    pub(super) fn drawn_name(&self, id: DocumentId) -> Option<String> {
        Some(format!("{}.drawn.png", self.session.document(id)?.leaf()))
    }

    /// Asks for a file to draw the picture of a tab into.
    fn pick_drawn_file(&mut self, id: DocumentId, drawing: Drawing) {
        let Some(name) = self.drawn_name(id) else { return };
        self.dialogs.push((
            dialogs::save(&self.jobs, "Save the picture as drawn", &name),
            PathFor::Drawn(id, drawing),
        ));
    }

    /// Draws the picture of a tab into a file.
    pub(super) fn save_drawn(&mut self, file: PathBuf, id: DocumentId, drawing: Drawing) {
        let Some(draw) = self.drawing(id, drawing) else { return };
        let Some(mounted) = self.session.document(id).map(|open| Arc::clone(&open.mounted)) else { return };
        self.session.written_to = file.parent().map(Path::to_path_buf);
        let job = self.jobs.spawn("Drawing a picture", move |task| {
            let picture = draw(task)?;
            let (width, height) = picture.dimensions();
            let is_replaced = file.exists();
            write_file(&mounted.stack, &file, &encode(picture.as_raw(), (width, height))?)?;
            let instead = if is_replaced { ", in the place of the file that was there" } else { "" };
            Ok(format!("{width} × {height} pixels written to {}{instead}", file.display()))
        });
        self.writings.push(job);
    }

    /// Puts pictures that are ready on the clipboard.
    pub(super) fn poll_copies(&mut self, ctx: &Context) {
        for result in ended(&mut self.copies) {
            match result {
                Ok(picture) => {
                    let [width, height] = picture.size;
                    ctx.copy_image(picture);
                    self.mention(format!("Copied: a picture of {width} × {height} pixels"));
                }
                Err(error) if error.is_cancelled() => {}
                Err(error) => self.say(true, format!("The picture was not copied: {error}")),
            }
        }
    }

    /// Takes tiers and pixels that are ready, and asks for those of textures that were read.
    pub(super) fn poll_pictures(&mut self) {
        let (mut wants_tiers, mut joined) = (Vec::new(), Vec::new());
        for open in &mut self.session.open {
            if open.picture.pixels.as_mut().is_some_and(Load::poll)
                && let Some(Load::Failed(error)) = &open.picture.pixels
                && error.is_cancelled()
            {
                open.picture.pixels = None;
            }
            open.picture.sheet.as_mut().map(Load::poll);
            open.picture.histogram.as_mut().map(|(_, counted)| counted.poll());
            if open.picture.tiers.as_mut().is_some_and(Load::poll) && open.picture.tiers().is_some() {
                joined.push((open.id, open.picture.choice));
            }
            let is_read = open.document().is_some_and(|document| document.picture.is_some());
            if is_read && open.picture.tiers.is_none() {
                wants_tiers.push(open.id);
                if open.picture.choice.part != Part::default() {
                    joined.push((open.id, open.picture.choice));
                }
            }
        }
        for id in wants_tiers {
            self.need_tiers(id);
        }
        for (id, choice) in joined {
            self.show_picture(id, choice);
        }
    }
}

/// A picture as the clipboard takes it.
fn to_colours(picture: &RgbaImage) -> ColorImage {
    let size = [picture.width() as usize, picture.height() as usize];
    ColorImage::from_rgba_unmultiplied(size, picture.as_raw())
}

/// Draws a part of a texture on a graphics card of its own, so that the window goes on.
fn draw(texture: &Texture, part: Part, drawing: TextureDrawing, task: &Task) -> Result<RgbaImage> {
    /// Pixels along a side of the largest picture.
    const LARGEST: u32 = 8192;
    let state = render_state()?;
    let pixels = Pixels::new(texture, part, &Caps::of(&state), task)?;
    let level = drawing.level.saturating_sub(pixels.skipped);
    let missing = || Error::not_found("the level is not there");
    let own = pixels.levels.get(level as usize).ok_or_else(missing)?;
    let TextureDrawing { channels, shading, ground: checker, .. } = drawing;
    let size = (own.width * shading.tiles, own.height * shading.tiles);
    if size.0.max(size.1) > LARGEST {
        let text = format!("{} × {} pixels, at most {LARGEST} along a side are drawn", size.0, size.1);
        return Err(Error::limit(text));
    }
    let still = Still { pixels: Arc::new(pixels), level, channels, shading, checker, size };
    let drawn = draw_texture(state, &still)?;
    RgbaImage::from_raw(size.0, size.1, drawn).ok_or_else(missing)
}
