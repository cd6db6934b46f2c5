//! Copies in another form than their own.

use std::sync::Arc;

use crate::asset::{Asset, Kind, Mesh, Texture};
use crate::error::{Error, Result};
use crate::export::{
    Conversion, Dressed, Exported, Form, Material, TextureOf, Told, export, export_joined, export_model,
};
use crate::format::load;
use crate::hash::NameBook;
use crate::mount::{CopyRef, Stack};
use crate::preview::salvage;
use crate::scene::{Joined, SheetOf, TextureRole};
use crate::strings::{SheetExport, export_sheet};
use crate::task::Task;

/// The largest file that is converted.
const LARGEST: u64 = 1 << 30;

/// Makes the files of a copy, each given to `sink` as soon as it is made; what is told of them. A mesh gets the
/// skeleton and the textures that belong to it, and a table of texts those that are set beside it.
///
/// # Errors
/// When the copy cannot be read, is too large or has no such form; `Cancelled`; what the sink says.
pub(super) fn convert(
    stack: &Stack,
    copy: CopyRef,
    conversion: &Conversion,
    names: &NameBook,
    task: &Task,
    sink: &mut dyn FnMut(Exported) -> Result<()>,
) -> Result<Told> {
    let Conversion { form, wanted, is_joined, texts } = conversion;
    let blame = |error| stack.blame(copy, error);
    if *is_joined && let Some(tiers) = stack.tiers(copy, task)? {
        let own = tiers.files.into_iter().find(|file| file.copy == Some(copy));
        if let Some(Err(error)) = own.and_then(|file| file.texture) {
            return Err(error);
        }
        // Where nothing can be joined the file stands for itself.
        if let Some(texture) = &tiers.joined {
            export_joined(texture, *form, wanted, task, sink).map_err(blame)?;
            return Ok(Told { missing: tiers.notes, notes: Vec::new() });
        }
    }
    let content = stack.content(copy)?;
    if content.len() > LARGEST {
        let text = format!("{} bytes, at most {LARGEST} are converted", content.len());
        return Err(blame(Error::limit(text)));
    }
    let path = stack.path_of(copy);
    let (bytes, fault) = content.read_up_to(0..content.len(), task);
    let asset = match fault {
        None => load(&bytes, &path, task).map_err(blame)?,
        Some(error) if error.is_cancelled() => return Err(blame(error)),
        Some(error) if *form == Form::Dds => {
            let text = format!("{error}; with its tiers joined the levels that are whole are written");
            return Err(blame(Error::malformed(text)));
        }
        // Pictures are made of the levels that are whole.
        Some(error) => match salvage(&content, &path, task) {
            Ok(texture) => Asset::Texture(texture),
            Err(_) => return Err(blame(error)),
        },
    };
    match asset {
        Asset::Mesh(mesh) if *form != Form::Native && form.is_of(Kind::Mesh) => {
            convert_mesh(stack, copy, mesh, *form, task, sink)
        }
        Asset::Strings(table) if *form != Form::Native && form.is_of(Kind::Strings) => {
            let SheetOf { sheet, unread } = stack.sheet_with(copy, Arc::new(table), texts.beside, task)?;
            let of_sheet =
                SheetExport { sheet: &sheet, names, rows: None, column: None, has_bom: texts.has_bom };
            let mut told = export_sheet(&of_sheet, *form, task, sink).map_err(blame)?;
            told.missing.extend(unread);
            Ok(told)
        }
        asset => export(&asset, &bytes, *form, wanted, task, sink).map_err(blame),
    }
}

/// Makes the file of a mesh with the skeleton that fits it best and the textures of its name.
fn convert_mesh(
    stack: &Stack,
    copy: CopyRef,
    mesh: Mesh,
    form: Form,
    task: &Task,
    sink: &mut dyn FnMut(Exported) -> Result<()>,
) -> Result<Told> {
    let mut slots: Vec<_> = mesh.records.iter().map(|record| record.material).collect();
    slots.sort_unstable();
    slots.dedup();
    let Joined { model, dress, unread, .. } = stack.joined_with(copy, Asset::Mesh(mesh), None, task)?;
    let mut missing = Vec::new();
    let mut texture = |role| -> Result<Option<(&str, Texture)>> {
        let Some(file) = dress.get(role).filter(|_| form != Form::Obj) else { return Ok(None) };
        match stack.shown_texture(file.copy, true, task) {
            Ok((texture, _)) => Ok(Some((&file.path, texture))),
            Err(error) if error.is_cancelled() => Err(error),
            Err(error) => {
                missing.push(format!("{} of it: {error}", role.name()));
                Ok(None)
            }
        }
    };
    let (diffuse, normals) = (texture(TextureRole::Diffuse)?, texture(TextureRole::Normals)?);
    let [diffuse, normals] = [&diffuse, &normals]
        .map(|texture| texture.as_ref().map(|(path, texture)| TextureOf { path, texture }));
    let materials: Vec<_> = slots.into_iter().map(|slot| Material { slot, diffuse, normals }).collect();
    let dressed = Dressed { model: &model, materials: &materials };
    let mut told = export_model(&dressed, form, task, sink).map_err(|error| stack.blame(copy, error))?;
    told.missing.extend(missing);
    let unsaid = if form == Form::Obj { &TextureRole::ALL[..] } else { &[TextureRole::Surface] };
    for file in unsaid.iter().filter_map(|role| dress.get(*role)) {
        told.notes.push(format!("{} is left out: {}", file.path, unsaid_because(form)));
    }
    // Any of them may be the skeleton.
    told.missing.extend(unread);
    Ok(told)
}

/// Why a form leaves textures out.
const fn unsaid_because(form: Form) -> &'static str {
    match form {
        Form::Obj => "an OBJ holds no textures",
        _ => "what its channels stand for is not certain",
    }
}
