//! What a flaw is made of at one of its places, in words.

use super::vertices::three;
use super::{Finding, Flaw, FlawPlace};
use crate::asset::{Group, Mesh, Semantic, VertexFormat, Weights};

impl Finding {
    /// The values at one of its places; empty where the mesh is not the one that was looked at.
    pub fn detail(&self, mesh: &Mesh, place: &FlawPlace) -> String {
        let group = mesh.groups.get(self.group);
        let format = group.and_then(|group| mesh.formats.get(group.format as usize));
        let (Some(group), Some(format)) = (group, format) else { return String::new() };
        let text = match self.flaw {
            Flaw::Position
            | Flaw::Uv
            | Flaw::Normal
            | Flaw::Tangent
            | Flaw::TangentAgainstUv
            | Flaw::BinormalAgainstUv => numbers(group, format, place),
            Flaw::WeightSum | Flaw::ZeroWeights => weights(group, format, place),
            Flaw::PaletteIndex => palette_index(group, format, place),
            Flaw::Bone => bone(mesh, group, place),
            Flaw::Index => index(group, place, 0)
                .map(|index| format!("index {index} of {} vertices", group.vertex_count)),
            Flaw::OpenTriangle => index(group, place, 0).map(|index| format!("index {index}")),
            Flaw::DegenerateTriangle => triangle(group, place),
            Flaw::UnusedVertex => place.vertex.map(|vertex| format!("vertex {vertex}")),
        };
        text.unwrap_or_default()
    }
}

/// The value whose bytes are those of the place.
fn numbers(group: &Group, format: &VertexFormat, place: &FlawPlace) -> Option<String> {
    let vertex = place.vertex?;
    let mut all = format
        .attributes
        .iter()
        .filter_map(|own| Some((own.semantic, group.values(format, own.semantic, own.channel)?)));
    let (semantic, values) = all.find(|(_, values)| values.range(vertex).as_ref() == Some(&place.range))?;
    let [x, y, z, _] = values.get(vertex)?;
    let name = semantic.name();
    Some(match semantic {
        Semantic::Uv => format!("{name} {x}, {y}"),
        Semantic::Position => format!("{name} {x}, {y}, {z}"),
        _ => format!("{name} {x}, {y}, {z} of the length {}", three([x, y, z, 0.0]).length()),
    })
}

fn weights(group: &Group, format: &VertexFormat, place: &FlawPlace) -> Option<String> {
    let weights = Weights(group.values(format, Semantic::Weights, 0)?.quad(place.vertex?)?);
    let [a, b, c, d] = weights.of_slots();
    Some(format!("weights {a}, {b}, {c}, {d} add up to {}", weights.sum()))
}

fn palette_index(group: &Group, format: &VertexFormat, place: &FlawPlace) -> Option<String> {
    let vertex = place.vertex?;
    let indices = group.values(format, Semantic::BoneIndices, 0)?;
    let slot = usize::try_from(place.range.start.checked_sub(indices.range(vertex)?.start)?).ok()?;
    let weights = Weights(group.values(format, Semantic::Weights, 0)?.quad(vertex)?).of_slots();
    let (index, weight) = (*indices.quad(vertex)?.get(slot)?, *weights.get(slot)?);
    Some(format!("place {index} of a palette of {}, with a weight of {weight}", group.palette.len()))
}

fn bone(mesh: &Mesh, group: &Group, place: &FlawPlace) -> Option<String> {
    let at = usize::try_from(place.range.start.checked_sub(group.palette_offset)?).ok()?;
    Some(format!("place {at} is bone {} of {}", group.palette.get(at)?, mesh.bones.len()))
}

/// The index at the place, or so many behind it.
fn index(group: &Group, place: &FlawPlace, behind: usize) -> Option<u16> {
    let bytes = place.range.start.checked_sub(group.index_offset)?;
    group.index(usize::try_from(bytes / 2).ok()?.checked_add(behind)?)
}

fn triangle(group: &Group, place: &FlawPlace) -> Option<String> {
    let corner = |behind| index(group, place, behind);
    Some(format!("corners {}, {}, {}", corner(0)?, corner(1)?, corner(2)?))
}
