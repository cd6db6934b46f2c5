use bytes::Bytes;

use super::*;
use crate::asset::{
    Arena, Asset, Attribute, AttributeLayout, Bone, Group, Lod, ObjectRecord, Semantic, Stream, VertexFormat,
};
use crate::formats::mmsh;

const TRIANGLES: [u16; 9] = [0, 1, 2, 1, 3, 2, 0, 1, 4];

/// The attributes of a vertex of 64 bytes, with their places in it.
const ATTRIBUTES: [(u32, AttributeLayout, Semantic); 7] = [
    (0, AttributeLayout::F32x3, Semantic::Position),
    (12, AttributeLayout::F32x3, Semantic::Normal),
    (24, AttributeLayout::F32x3, Semantic::Tangent),
    (36, AttributeLayout::F32x3, Semantic::Binormal),
    (48, AttributeLayout::F32x2, Semantic::Uv),
    (56, AttributeLayout::U8x4, Semantic::Weights),
    (60, AttributeLayout::U8x4, Semantic::BoneIndices),
];

/// The file of a square whose texture lies on it as it should, and one more vertex in its middle.
fn file(indices: &[u16]) -> Vec<u8> {
    let corners = [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0], [1.0, 1.0f32]];
    let vertex = |[x, y]: [f32; 2]| {
        let (normal, tangent, binormal) = ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]);
        let floats = [[x, y, 0.0], normal, tangent, binormal].concat();
        let floats = floats.into_iter().chain([x / 2.0, 1.0 - y / 2.0]);
        let weights = [0, 0, 255, 0, 0, 9, 9, 9];
        floats.flat_map(f32::to_le_bytes).chain(weights).collect::<Vec<u8>>()
    };
    let attributes = ATTRIBUTES.map(|(offset, layout, semantic)| Attribute {
        stream: 0,
        offset: Some(offset),
        layout,
        semantic,
        channel: 0,
    });
    let group = Group {
        arena: 0,
        format: 0,
        vertex_count: 5,
        streams: vec![Stream { offset: 0, stride: 64, data: corners.into_iter().flat_map(vertex).collect() }],
        index_offset: 0,
        indices: indices.iter().flat_map(|index| index.to_le_bytes()).collect(),
        palette_offset: 0,
        palette: Bytes::from_static(&[0]),
        unknown: [0.5; 2],
    };
    let format = VertexFormat { attributes: attributes.to_vec(), strides: vec![Some(64)] };
    mmsh::write(&mesh(vec![group], format)).unwrap()
}

/// A mesh of groups on one bone.
fn mesh(groups: Vec<Group>, format: VertexFormat) -> Mesh {
    Mesh {
        objects: vec![1],
        records: vec![ObjectRecord { object: 0, arena: Some(0), material: 0, flags: 3 }],
        lods: vec![Lod { distance: 0.0, is_shadow: false, records: vec![0] }],
        arenas: vec![Arena { groups: 0..groups.len(), triangles: [3; 16] }],
        groups,
        formats: vec![format],
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
        cull_distance: 1000.0,
        centre: [0.0; 3],
        radius: 2.0,
    }
}

fn read(file: &[u8]) -> Mesh {
    match crate::format::load(&Bytes::copy_from_slice(file), "a.mesh", &Task::new()).unwrap() {
        Asset::Mesh(mesh) => mesh,
        other => panic!("{other:?}"),
    }
}

fn findings(mesh: &Mesh) -> Vec<Finding> {
    Quality::of(mesh, &Task::new()).unwrap().findings
}

/// Checks that a file has one flaw in one place, whose bytes are the bad ones.
fn assert_only(flaw: Flaw, file: &[u8], place: &FlawPlace, bad: &[u8], detail: &str) {
    let mesh = read(file);
    let found = findings(&mesh);
    let [finding] = &found[..] else { panic!("{flaw:?}: {found:?}") };
    assert_eq!((finding.flaw, finding.group, finding.count), (flaw, 0, 1));
    assert_eq!(finding.places, std::slice::from_ref(place), "{flaw:?}");
    let range = [place.range.start, place.range.end].map(|at| usize::try_from(at).unwrap());
    assert_eq!(file[range[0]..range[1]], *bad, "{flaw:?}");
    assert_eq!(finding.detail(&mesh, place), detail);
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn meshes_without_a_flaw_have_no_finding() {
    assert_eq!(findings(&read(&(mmsh::FORMAT.sample)())), []);
    assert_eq!(findings(&read(&file(&TRIANGLES))), []);
}

#[test]
fn a_bad_value_of_a_vertex_is_found_alone_and_at_its_bytes() {
    use Semantic::{Binormal, BoneIndices, Normal, Position, Tangent, Uv, Weights};
    let nan = f32::NAN;
    for (flaw, semantic, bad, detail) in [
        (Flaw::Position, Position, floats(&[nan, 2.0, 0.0]), "position NaN, 2, 0"),
        (Flaw::Position, Position, floats(&[2.0, -f32::INFINITY, 0.0]), "position 2, -inf, 0"),
        (Flaw::Uv, Uv, floats(&[f32::INFINITY, 0.0]), "uv inf, 0"),
        (Flaw::Normal, Normal, floats(&[0.0, 0.0, 0.98]), "normal 0, 0, 0.98 of the length 0.98"),
        (Flaw::Tangent, Tangent, floats(&[nan, 0.0, 0.0]), "tangent NaN, 0, 0 of the length NaN"),
        (Flaw::Tangent, Binormal, floats(&[0.0; 3]), "binormal 0, 0, 0 of the length 0"),
        (Flaw::WeightSum, Weights, vec![0, 0, 254, 0], "weights 254, 0, 0, 0 add up to 254"),
        (Flaw::ZeroWeights, Weights, vec![0; 4], "weights 0, 0, 0, 0 add up to 0"),
        (Flaw::TangentAgainstUv, Tangent, floats(&[-1.0, 0.0, 0.0]), "tangent -1, 0, 0 of the length 1"),
        (Flaw::BinormalAgainstUv, Binormal, floats(&[0.0, 1.0, 0.0]), "binormal 0, 1, 0 of the length 1"),
    ] {
        let mut file = file(&TRIANGLES);
        let clean = read(&file);
        let range = clean.groups[0].values(&clean.formats[0], semantic, 0).unwrap().range(3).unwrap();
        let start = usize::try_from(range.start).unwrap();
        file[start..start + bad.len()].copy_from_slice(&bad);
        assert_only(flaw, &file, &FlawPlace::new(range, 3), &bad, detail);
    }
    let mut file = file(&TRIANGLES);
    let clean = read(&file);
    let indices = clean.groups[0].values(&clean.formats[0], BoneIndices, 0).unwrap();
    let start = indices.range(3).unwrap().start;
    file[usize::try_from(start).unwrap()] = 7;
    let detail = "place 7 of a palette of 1, with a weight of 255";
    assert_only(Flaw::PaletteIndex, &file, &FlawPlace::new(start..start + 1, 3), &[7], detail);
}

#[test]
fn directions_within_a_hundredth_of_their_length_and_across_the_texture_are_no_flaws() {
    for (semantic, value) in [
        (Semantic::Normal, [0.0, 0.0, 0.992]),
        (Semantic::Tangent, [-0.4, 0.0, 0.9165]),
        (Semantic::Binormal, [1.0, 0.0, 0.0]),
    ] {
        let mut file = file(&TRIANGLES);
        let clean = read(&file);
        let range = clean.groups[0].values(&clean.formats[0], semantic, 0).unwrap().range(3).unwrap();
        let start = usize::try_from(range.start).unwrap();
        file[start..start + 12].copy_from_slice(&floats(&value));
        assert_eq!(findings(&read(&file)), [], "{semantic:?}");
    }
}

#[test]
fn a_bad_triangle_is_found_alone_and_at_its_indices() {
    let clean = read(&file(&TRIANGLES));
    let third = clean.groups[0].index_offset + 12;
    let words = |words: &[u16]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    for (corners, flaw, len, vertex, detail) in [
        ([9, 1, 4], Flaw::Index, 2, None, "index 9 of 5 vertices"),
        ([4, 4, 2], Flaw::DegenerateTriangle, 6, Some(4), "corners 4, 4, 2"),
        // On the diagonal.
        ([1, 4, 2], Flaw::DegenerateTriangle, 6, Some(1), "corners 1, 4, 2"),
    ] {
        let file = file(&[&TRIANGLES[..6], &corners[..]].concat());
        let place = FlawPlace::new(third..third + len, vertex);
        let bad = &words(&corners)[..usize::try_from(len).unwrap()];
        assert_only(flaw, &file, &place, bad, detail);
    }
    let open = file(&[&TRIANGLES[..], &[3]].concat());
    let place = FlawPlace::new(third + 6..third + 8, None);
    assert_only(Flaw::OpenTriangle, &open, &place, &[3, 0], "index 3");
}

#[test]
fn unused_vertices_and_palettes_past_the_bones_are_found_alone() {
    let unused = file(&[0, 1, 2, 1, 2, 0, 0, 1, 4]);
    let start = read(&unused).groups[0].streams[0].offset + 3 * 64;
    let bytes = unused[usize::try_from(start).unwrap()..][..64].to_vec();
    let place = FlawPlace::new(start..start + 64, 3);
    assert_only(Flaw::UnusedVertex, &unused, &place, &bytes, "vertex 3");
    let mut past = file(&TRIANGLES);
    let start = read(&past).groups[0].palette_offset;
    past[usize::try_from(start).unwrap()] = 1;
    let place = FlawPlace::new(start..start + 1, None);
    assert_only(Flaw::Bone, &past, &place, &[1], "place 0 is bone 1 of 1");
}

#[test]
fn what_is_wrong_stands_before_what_is_unusual() {
    let mut file = file(&[0, 1, 2, 1, 2, 0, 0, 1, 9]);
    let palette = usize::try_from(read(&file).groups[0].palette_offset).unwrap();
    file[palette] = 1;
    let quality = Quality::of(&read(&file), &Task::new()).unwrap();
    let found: Vec<_> = quality.findings.iter().map(|own| (own.flaw, own.count, own.of)).collect();
    assert_eq!(found, [(Flaw::Bone, 1, 1), (Flaw::Index, 1, 9), (Flaw::UnusedVertex, 2, 5)]);
    assert_eq!([Severity::Wrong, Severity::Unusual].map(|severity| quality.count(severity)), [2, 2]);
    assert!(Flaw::ALL.is_sorted() && Flaw::ALL.iter().all(|flaw| flaw.explanation().ends_with('.')));
}

#[test]
fn places_are_bounded_and_flaws_are_counted() {
    let bare = Group {
        arena: 0,
        format: 0,
        vertex_count: u32::MAX,
        streams: Vec::new(),
        index_offset: 0,
        indices: Bytes::new(),
        palette_offset: 0,
        palette: vec![9; 1500].into(),
        unknown: [0.5; 2],
    };
    let found = findings(&mesh(vec![bare; 120], VertexFormat::default()));
    assert_eq!(found.len(), 240);
    assert!(found.iter().all(|finding| finding.count == finding.of));
    assert_eq!((found[0].count, found[0].places.len()), (1500, MOST_PLACES));
    assert_eq!((found[239].count, found[239].places.len()), (u64::from(u32::MAX), 0));
    assert_eq!(found.iter().map(|finding| finding.places.len()).sum::<usize>(), MOST_PLACES_IN_ALL);
}

#[test]
fn looking_stops_when_it_is_told_to() {
    let task = Task::new();
    task.cancel();
    assert!(Quality::of(&read(&file(&TRIANGLES)), &task).unwrap_err().is_cancelled());
}
