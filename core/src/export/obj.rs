//! Meshes at rest as Wavefront OBJ: what is seen from nearby.
//!
//! Y is up, the front at +Z. OBJ is right-handed and the game left-handed: X is turned over. Triangles are
//! counter-clockwise from outside. Centimetres become metres. In OBJ the second coordinate of textures grows upwards, in the game downwards: it is turned over. Of
//! several sets of coordinates OBJ holds the first; it has no tangents and no bones. Materials are named by
//! their slots, and no file describes them.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::Told;
use super::model::{LONGEST, METRES, names_of, nearest};
use super::surface::{Repairs, Surface};
use crate::asset::Mesh;
use crate::error::{Error, Result};
use crate::model::{Model, Span};
use crate::task::Task;

const TAKES_ALL: &str = "a string takes all that is written";

/// Writes the file.
pub(super) fn write(
    model: &Model,
    mesh: &Mesh,
    repairs: &mut Repairs,
    told: &mut Told,
    task: &Task,
) -> Result<Vec<u8>> {
    let mut out = String::from(
        "# Palimpsest\n# metres, Y up, front at +Z, right-handed (X of the game turned over), V grows upwards; the finest level\n",
    );
    let mut counts = Counts::default();
    let names = names_of(model, mesh);
    let (mut written, mut again) = (HashSet::new(), 0u32);
    for at in nearest(mesh) {
        let record = mesh.records.get(at as usize).zip(names.get(at as usize));
        let Some((record, name)) = record else { continue };
        if !written.insert(record.arena) {
            again += 1;
            continue;
        }
        // A name is one word in one line, whatever the file says.
        let name: String =
            name.chars().map(|letter| if letter.is_control() { '_' } else { letter }).collect();
        line(&mut out, format_args!("o {name}"));
        line(&mut out, format_args!("usemtl material_{}", record.material));
        for group in mesh.groups_of_record(at) {
            task.check()?;
            if out.len() > LONGEST {
                return Err(Error::limit(format!("a file of more than {LONGEST} bytes")));
            }
            let Some(span) = model.geometry.groups.get(group) else { continue };
            let surface = Surface::of(&model.geometry, span, false, repairs);
            line(&mut out, format_args!("g group_{group}"));
            write_surface(&mut out, &surface, span, &mut counts);
        }
    }
    if again > 0 {
        let text = "draw what others drew already, in the same place: written once";
        told.notes.push(format!("{again} of the objects {text}"));
    }
    if counts.vertices == 0 {
        return Err(Error::unsupported("no triangle is seen from nearby"));
    }
    Ok(out.into_bytes())
}

/// What was written before; all objects of a file count together.
#[derive(Clone, Copy, Default)]
struct Counts {
    vertices: usize,
    uvs: usize,
}

fn write_surface(out: &mut String, surface: &Surface, span: &Span, counts: &mut Counts) {
    for vertex in &surface.vertices {
        let [x, y, z] = vertex.position.map(|value| value * METRES);
        line(out, format_args!("v {x} {y} {z}"));
    }
    let has_uvs = span.uv_sets > 0;
    for [u, v] in surface.vertices.iter().map(|vertex| vertex.uvs[0]).filter(|_| has_uvs) {
        line(out, format_args!("vt {u} {}", 1.0 - v));
    }
    for [x, y, z] in surface.vertices.iter().map(|vertex| vertex.normal) {
        line(out, format_args!("vn {x} {y} {z}"));
    }
    for triangle in surface.indices.as_chunks::<3>().0 {
        out.push('f');
        // The first one has the number 1.
        for at in triangle.map(|corner| corner as usize + 1) {
            let (at, uv) = (counts.vertices + at, counts.uvs + at);
            let uv = if has_uvs { uv.to_string() } else { String::new() };
            write!(out, " {at}/{uv}/{at}").expect(TAKES_ALL);
        }
        out.push('\n');
    }
    counts.vertices += surface.vertices.len();
    counts.uvs += if has_uvs { surface.vertices.len() } else { 0 };
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect(TAKES_ALL);
}
