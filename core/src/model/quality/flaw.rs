//! The kinds of flaws, in words.

/// What can be abnormal about a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Flaw {
    /// A position that is no place.
    Position,
    /// A coordinate of a texture that is no number.
    Uv,
    /// A normal that is no direction.
    Normal,
    /// A tangent or a binormal that is no direction.
    Tangent,
    /// Weights that are not all 0 and do not add up to 255.
    WeightSum,
    /// Weights that are all 0.
    ZeroWeights,
    /// A bone index past the palette in a slot that has a weight.
    PaletteIndex,
    /// A place of the palette past the bones.
    Bone,
    /// An index past the vertices of the group.
    Index,
    /// One or two indices at the end.
    OpenTriangle,
    /// A triangle without area.
    DegenerateTriangle,
    /// A vertex of no triangle.
    UnusedVertex,
    /// A tangent that points against the first coordinate of the texture.
    TangentAgainstUv,
    /// A binormal that points against the second coordinate of the texture.
    BinormalAgainstUv,
}

/// How bad a flaw is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The mesh cannot be what was meant.
    Wrong,
    /// The mesh can be what was meant, and shipped ones rarely are like that.
    Unusual,
}

impl Severity {
    /// The severity in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wrong => "wrong",
            Self::Unusual => "unusual",
        }
    }
}

impl Flaw {
    /// All of them, in their order.
    pub const ALL: [Self; 14] = [
        Self::Position,
        Self::Uv,
        Self::Normal,
        Self::Tangent,
        Self::WeightSum,
        Self::ZeroWeights,
        Self::PaletteIndex,
        Self::Bone,
        Self::Index,
        Self::OpenTriangle,
        Self::DegenerateTriangle,
        Self::UnusedVertex,
        Self::TangentAgainstUv,
        Self::BinormalAgainstUv,
    ];

    /// The flaw in a few words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position => "position that is no place",
            Self::Uv => "coordinate that is no number",
            Self::Normal => "normal of another length than 1",
            Self::Tangent => "tangent of another length than 1",
            Self::WeightSum => "weights that do not add up",
            Self::ZeroWeights => "weights of 0",
            Self::PaletteIndex => "bone index past the palette",
            Self::Bone => "palette past the bones",
            Self::Index => "index past the group",
            Self::OpenTriangle => "indices of no triangle",
            Self::DegenerateTriangle => "triangle without area",
            Self::UnusedVertex => "unused vertex",
            Self::TangentAgainstUv => "tangent against the texture",
            Self::BinormalAgainstUv => "binormal against the texture",
        }
    }

    /// What the flaw is and what follows from it, in one sentence.
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::Position => {
                "A position is not a number, infinite or more than 100 km away: its triangles are not drawn, \
                 and the bounds leave it out."
            }
            Self::Uv => {
                "A coordinate of a texture is infinite or not a number, so that nothing can be looked up."
            }
            Self::Normal => {
                "A normal is not a number or more than 1 % longer or shorter than 1, which falsifies light."
            }
            Self::Tangent => {
                "A tangent or a binormal is not a number or more than 1 % longer or shorter than 1, which \
                 falsifies normal maps."
            }
            Self::WeightSum => {
                "The four weights of a vertex do not add up to 255, so that it moves less or more than its bones."
            }
            Self::ZeroWeights => "All four weights of a vertex are 0, so that no bone moves it.",
            Self::PaletteIndex => {
                "A weight is that of a bone index past the end of the group's palette, so that no bone is meant."
            }
            Self::Bone => "The palette of the group names a bone that the mesh does not have.",
            Self::Index => "An index counts past the vertices of the group: its triangle is not drawn.",
            Self::OpenTriangle => "The group has one or two indices at its end that make no triangle.",
            Self::DegenerateTriangle => {
                "Two corners of a triangle are the same, or all three lie on a line: it cannot be seen."
            }
            Self::UnusedVertex => "No triangle of the group has the vertex as a corner.",
            Self::TangentAgainstUv => {
                "The tangent points away from where the first coordinate of the texture grows on the triangles \
                 around, which turns bumps into dents."
            }
            Self::BinormalAgainstUv => {
                "The binormal points away from where the second coordinate of the texture grows on the \
                 triangles around, which turns bumps into dents."
            }
        }
    }

    /// How bad it is.
    pub const fn severity(self) -> Severity {
        match self {
            Self::Position
            | Self::Uv
            | Self::Normal
            | Self::Tangent
            | Self::WeightSum
            | Self::ZeroWeights
            | Self::PaletteIndex
            | Self::Bone
            | Self::Index
            | Self::OpenTriangle => Severity::Wrong,
            Self::DegenerateTriangle
            | Self::UnusedVertex
            | Self::TangentAgainstUv
            | Self::BinormalAgainstUv => Severity::Unusual,
        }
    }

    /// What is counted, such as the vertices of `3 of 1,537 vertices`.
    pub const fn things(self) -> &'static str {
        match self {
            Self::Bone => "places of the palette",
            Self::Index | Self::OpenTriangle => "indices",
            Self::DegenerateTriangle => "triangles",
            Self::Position
            | Self::Uv
            | Self::Normal
            | Self::Tangent
            | Self::WeightSum
            | Self::ZeroWeights
            | Self::PaletteIndex
            | Self::UnusedVertex
            | Self::TangentAgainstUv
            | Self::BinormalAgainstUv => "vertices",
        }
    }
}
