//! What vertices are made of: the numbers of the file and what they mean.

use std::borrow::Cow;

use half::f16;

use super::AttributeRow;
use crate::asset::{Attribute, AttributeLayout, Semantic, Stream, VertexFormat};
use crate::parse::{FieldLayout, Layout, Scalar};

/// The types of attributes by their numbers.
pub(super) const LAYOUTS: [(u8, AttributeLayout, &str); 6] = [
    (1, AttributeLayout::F32x2, "f32 × 2"),
    (2, AttributeLayout::F32x3, "f32 × 3"),
    (3, AttributeLayout::F32x4, "f32 × 4"),
    (4, AttributeLayout::U8x4, "u8 × 4"),
    (9, AttributeLayout::I16x2, "i16 × 2 / 32767"),
    (12, AttributeLayout::F16x4, "f16 × 4"),
];

/// The meanings of attributes by their numbers.
pub(super) const SEMANTICS: [Semantic; 8] = [
    Semantic::Position,
    Semantic::Normal,
    Semantic::Tangent,
    Semantic::Binormal,
    Semantic::Uv,
    Semantic::Colour,
    Semantic::Weights,
    Semantic::BoneIndices,
];

/// The most streams that a format may have; shipped ones have two.
pub(super) const MOST_STREAMS: u8 = 16;

/// The most attributes that a format may have: twice what Direct3D takes.
pub(super) const MOST_ATTRIBUTES: u32 = 64;

pub(super) fn layout_name(number: u32) -> String {
    let known = LAYOUTS.iter().find(|(own, ..)| u32::from(*own) == number);
    known.map_or_else(|| "not known".to_owned(), |(.., name)| (*name).to_owned())
}

pub(super) fn semantic_name(number: u32) -> String {
    let known = usize::try_from(number).ok().and_then(|at| SEMANTICS.get(at));
    known.map_or("not known", |semantic| semantic.name()).to_owned()
}

/// The layout of a number.
pub(super) fn layout_of(number: u8) -> AttributeLayout {
    let known = LAYOUTS.iter().find(|(own, ..)| *own == number);
    known.map_or(AttributeLayout::Unknown(number), |(_, layout, _)| *layout)
}

/// The number of a layout.
pub(super) fn number_of_layout(layout: AttributeLayout) -> u8 {
    if let AttributeLayout::Unknown(number) = layout {
        return number;
    }
    LAYOUTS.iter().find(|(_, known, _)| *known == layout).map_or(0, |(number, ..)| *number)
}

/// The meaning of a number.
pub(super) fn semantic_of(number: u8) -> Semantic {
    SEMANTICS.get(usize::from(number)).copied().unwrap_or(Semantic::Unknown(number))
}

/// The number of a meaning.
pub(super) fn number_of_semantic(semantic: Semantic) -> u8 {
    if let Semantic::Unknown(number) = semantic {
        return number;
    }
    let at = SEMANTICS.iter().position(|known| *known == semantic);
    at.and_then(|at| u8::try_from(at).ok()).unwrap_or(u8::MAX)
}

/// A format of its rows. Behind an attribute of an unknown type nobody knows where in its stream anything lies.
pub(super) fn format_of(rows: impl Iterator<Item = AttributeRow>) -> VertexFormat {
    let mut format = VertexFormat::default();
    for AttributeRow { stream, layout, semantic, channel } in rows {
        let at = usize::from(stream);
        if format.strides.len() <= at {
            format.strides.resize(at + 1, Some(0));
        }
        let (layout, semantic) = (layout_of(layout), semantic_of(semantic));
        let end = format.strides.get_mut(at);
        let offset = end.as_ref().and_then(|end| **end);
        if let Some(end) = end {
            *end = offset.zip(layout.size()).map(|(offset, size)| offset + size);
        }
        format.attributes.push(Attribute { stream, offset, layout, semantic, channel });
    }
    format
}

/// A format of streams, layouts, meanings and channels.
pub(crate) fn declared(attributes: &[(u8, AttributeLayout, Semantic, u8)]) -> VertexFormat {
    let row = |&(stream, layout, semantic, channel): &(u8, AttributeLayout, Semantic, u8)| AttributeRow {
        stream,
        layout: number_of_layout(layout),
        semantic: number_of_semantic(semantic),
        channel,
    };
    format_of(attributes.iter().map(row))
}

/// The streams of vertices in a format, by what each attribute of each vertex is; without their places in a
/// file.
pub(crate) fn streams(
    format: &VertexFormat,
    count: u32,
    value: impl Fn(u32, &Attribute) -> [f32; 4],
) -> Vec<Stream> {
    let stream = |(number, stride): (u8, &Option<u32>)| {
        let own = format.attributes.iter().filter(|attribute| attribute.stream == number);
        let own: Vec<_> = own.collect();
        let mut data = Vec::new();
        for vertex in 0..count {
            for attribute in &own {
                encode(attribute.layout, value(vertex, attribute), &mut data);
            }
        }
        Stream { offset: 0, stride: stride.unwrap_or(0), data: data.into() }
    };
    (0u8..).zip(&format.strides).map(stream).collect()
}

/// Appends a value as it is stored; nothing where nobody knows how.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded, and bounded before")]
fn encode(layout: AttributeLayout, values: [f32; 4], out: &mut Vec<u8>) {
    let mut floats =
        |count: usize| out.extend(values.iter().take(count).flat_map(|value| value.to_le_bytes()));
    match layout {
        AttributeLayout::F32x2 => floats(2),
        AttributeLayout::F32x3 => floats(3),
        AttributeLayout::F32x4 => floats(4),
        AttributeLayout::U8x4 => out.extend(values.map(|value| value.clamp(0.0, 255.0).round() as u8)),
        AttributeLayout::I16x2 => {
            let shorts = values.iter().take(2).map(|value| (value.clamp(-1.0, 1.0) * 32767.0).round() as i16);
            out.extend(shorts.flat_map(i16::to_le_bytes));
        }
        AttributeLayout::F16x4 => {
            out.extend(values.iter().flat_map(|value| f16::from_f32(*value).to_le_bytes()));
        }
        AttributeLayout::Unknown(_) => {}
    }
}

/// The fields of a vertex in a stream, as the structure shows them. `stride` is that of the stream.
pub(super) fn record_of(format: &VertexFormat, stream: u8, stride: u32) -> Layout {
    let own = format.attributes.iter().filter(|attribute| attribute.stream == stream);
    let mut fields: Vec<FieldLayout> = Vec::new();
    for attribute in own {
        let (Some(offset), Some((scalar, count))) = (attribute.offset, scalars(attribute.layout)) else {
            break;
        };
        fields.push(FieldLayout {
            name: field_name(attribute.semantic, attribute.channel),
            doc: "",
            offset: offset as usize,
            scalar,
            count,
            meaning: None,
        });
    }
    let known = fields.last().map_or(0, |last| last.offset + last.size());
    if let Some(rest) = (stride as usize).checked_sub(known).filter(|rest| *rest > 0) {
        let doc = " Attributes of an unknown type, and what lies behind them.";
        fields.push(FieldLayout {
            name: "unknown",
            doc,
            offset: known,
            scalar: Scalar::U8,
            count: rest,
            meaning: None,
        });
    }
    Layout { name: "Vertex", size: stride as usize, fields: Cow::Owned(fields) }
}

fn scalars(layout: AttributeLayout) -> Option<(Scalar, usize)> {
    Some(match layout {
        AttributeLayout::F32x2 => (Scalar::F32, 2),
        AttributeLayout::F32x3 => (Scalar::F32, 3),
        AttributeLayout::F32x4 => (Scalar::F32, 4),
        AttributeLayout::U8x4 => (Scalar::U8, 4),
        AttributeLayout::I16x2 => (Scalar::I16, 2),
        AttributeLayout::F16x4 => (Scalar::F16, 4),
        AttributeLayout::Unknown(_) => return None,
    })
}

fn field_name(semantic: Semantic, channel: u8) -> &'static str {
    const UVS: [&str; 8] = ["uv0", "uv1", "uv2", "uv3", "uv4", "uv5", "uv6", "uv7"];
    match semantic {
        Semantic::Uv => UVS.get(usize::from(channel)).copied().unwrap_or("uv"),
        other => other.name(),
    }
}
