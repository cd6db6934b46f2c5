//! Flaws that a vertex has by itself.

use glam::Vec3;

use super::{Flaw, FlawPlace, Report};
use crate::asset::{AttributeLayout, Group, Semantic, Values, VertexFormat, Weights};
use crate::model::is_somewhere;

/// How far the length of a direction may be from one; those of shipped meshes are within 1e-6.
const CLOSE: f32 = 1e-2;

/// Looks at the vertices of a group.
pub(super) fn look(report: &mut Report, group: &Group, format: &VertexFormat) {
    let whole = u64::from(group.vertex_count);
    let values = |semantic, channel| group.values(format, semantic, channel);
    let position = [values(Semantic::Position, 0)];
    report.add(Flaw::Position, whole, places(&position, |value| !is_somewhere(three(value))));
    let uvs = [0, 1, 2, 3].map(|channel| values(Semantic::Uv, channel));
    report.add(Flaw::Uv, whole, places(&uvs, |[u, v, ..]| !u.is_finite() || !v.is_finite()));
    let direction = |semantic| values(semantic, 0).filter(|values| is_of_floats(values.layout()));
    let is_no_direction = |value| {
        let length = three(value).length();
        length.is_nan() || (length - 1.0).abs() > CLOSE
    };
    let normal = [direction(Semantic::Normal)];
    report.add(Flaw::Normal, whole, places(&normal, is_no_direction));
    let sides = [direction(Semantic::Tangent), direction(Semantic::Binormal)];
    report.add(Flaw::Tangent, whole, places(&sides, is_no_direction));
    let Some(weights) = values(Semantic::Weights, 0) else { return };
    let off = || group.weights_off(format);
    let place = |(vertex, _)| Some(FlawPlace::new(weights.range(vertex)?, vertex));
    report.add(Flaw::WeightSum, whole, off().filter(|(_, own)| own.sum() != 0).filter_map(place));
    report.add(Flaw::ZeroWeights, whole, off().filter(|(_, own)| own.sum() == 0).filter_map(place));
    let Some(indices) = values(Semantic::BoneIndices, 0) else { return };
    report.add(Flaw::PaletteIndex, whole, past_the_palette(&weights, &indices, group.palette.len()));
}

/// The first three numbers of a value.
pub(super) fn three([x, y, z, _]: [f32; 4]) -> Vec3 {
    Vec3::new(x, y, z)
}

/// Whether directions stand for themselves; how others are packed nobody has seen.
fn is_of_floats(layout: AttributeLayout) -> bool {
    matches!(layout, AttributeLayout::F32x3 | AttributeLayout::F32x4 | AttributeLayout::F16x4)
}

/// The vertices of which one of several values is bad, at the first one that is.
fn places(
    values: &[Option<Values<'_>>],
    is_bad: impl Fn([f32; 4]) -> bool,
) -> impl Iterator<Item = FlawPlace> {
    let count = values.iter().flatten().map(Values::count).max().unwrap_or(0);
    (0..count).filter_map(move |vertex| {
        let bad = values.iter().flatten().find(|values| values.get(vertex).is_some_and(&is_bad))?;
        Some(FlawPlace::new(bad.range(vertex)?, vertex))
    })
}

/// The vertices that hang by a weight on a bone index past the palette, at that index. An index without a
/// weight may be anything.
fn past_the_palette(
    weights: &Values<'_>,
    indices: &Values<'_>,
    palette: usize,
) -> impl Iterator<Item = FlawPlace> {
    (0..weights.count()).filter_map(move |vertex| {
        let slots = Weights(weights.quad(vertex)?).of_slots();
        let is_past = |(index, weight): (u8, u8)| weight != 0 && usize::from(index) >= palette;
        let slot = indices.quad(vertex)?.into_iter().zip(slots).position(is_past)?;
        let start = indices.range(vertex)?.start + slot as u64;
        Some(FlawPlace::new(start..start + 1, vertex))
    })
}
