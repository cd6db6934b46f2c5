//! Pictures drawn by code for the demo install.
//!
//! Only sums, products and square roots, which every machine rounds alike: the demo has the same
//! bytes everywhere.

use rayon::prelude::*;

/// A point of a picture: -1 to 1 from left to right and from top to bottom.
pub(super) type Point = [f32; 2];

/// Red, green, blue and alpha, 0 to 1.
pub(super) type Colour = [f32; 4];

/// Square pictures of 8-bit RGBA, 4 bytes a pixel, row by row from the top.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    pub(super) side: u32,
    pub(super) pixels: Vec<u8>,
}

impl Picture {
    /// Draws a picture; each pixel is the mean of two points, as shapes have soft edges.
    pub(super) fn draw(side: u32, colour: impl Fn(Point) -> Colour + Sync) -> Self {
        let step = 1.0 / side as f32;
        let rows = (0..side).into_par_iter().flat_map_iter(|y| {
            let colour = &colour;
            (0..side).flat_map(move |x| {
                let mut sum = [0.0; 4];
                for (dx, dy) in [(0.6, 0.6), (1.4, 1.4)] {
                    let at = |pixel: u32, d: f32| (2.0 * pixel as f32 + d) * step - 1.0;
                    for (sum, part) in sum.iter_mut().zip(colour([at(x, dx), at(y, dy)])) {
                        *sum += part.clamp(0.0, 1.0) / 2.0;
                    }
                }
                sum.map(to_byte)
            })
        });
        Self { side, pixels: rows.collect() }
    }

    /// The next smaller level: each pixel is the mean of four.
    pub(super) fn halved(&self) -> Self {
        let (side, row) = ((self.side / 2).max(1), self.side as usize);
        let pixels = self.pixels.as_chunks::<4>().0;
        let pixel = |x: usize, y: usize| {
            let corners = [(0, 0), (1, 0), (0, 1), (1, 1)];
            let corners =
                corners.map(|(dx, dy)| pixels.get((y + dy) * row + x + dx).copied().unwrap_or_default());
            [0, 1, 2, 3].map(|channel| {
                let sum: u16 =
                    corners.iter().map(|corner| u16::from(*corner.get(channel).unwrap_or(&0))).sum();
                u8::try_from((sum + 2) / 4).unwrap_or(u8::MAX)
            })
        };
        let places = (0..side as usize).flat_map(|y| (0..side as usize).map(move |x| (2 * x, 2 * y)));
        Self { side, pixels: places.flat_map(|(x, y)| pixel(x, y)).collect() }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255.5 by its callers")]
fn to_byte(value: f32) -> u8 {
    (value * 255.0 + 0.5) as u8
}

/// The colours of a layer, so that copies of one picture look different.
#[derive(Clone, Copy, Debug)]
pub(super) struct Palette {
    ground: [u8; 3],
    stone: [u8; 3],
    light: [u8; 3],
    accent: [u8; 3],
    /// How many marks stand below the picture.
    marks: u8,
}

macro_rules! palettes {
    ($($(#[doc = $doc:literal])+ $name:ident = $ground:expr, $stone:expr, $light:expr, $accent:expr, $marks:expr;)+) => {
        $($(#[doc = $doc])+ pub(super) const $name: Palette = Palette {
            ground: $ground, stone: $stone, light: $light, accent: $accent, marks: $marks,
        };)+
    };
}

palettes! {
    /// Loose files.
    LOOSE = [30, 30, 34], [92, 94, 100], [200, 202, 206], [150, 152, 158], 0;
    /// The base archives.
    BASE = [24, 32, 46], [78, 96, 122], [206, 216, 226], [120, 158, 196], 1;
    /// The first patch.
    FIRST = [24, 38, 30], [84, 116, 88], [214, 226, 200], [146, 190, 106], 2;
    /// The first add-on.
    ADD_ON = [44, 26, 24], [130, 84, 70], [236, 212, 190], [222, 110, 62], 3;
    /// The second patch.
    SECOND = [36, 26, 46], [104, 84, 134], [222, 210, 236], [176, 128, 218], 4;
    /// The fourth add-on.
    LAST = [20, 38, 42], [66, 114, 120], [204, 230, 228], [86, 190, 186], 5;
    /// The archive on top of the patches.
    TOP = [42, 34, 20], [134, 112, 70], [242, 228, 190], [236, 184, 74], 6;
}

impl Palette {
    fn colour(shade: [u8; 3]) -> Colour {
        let [r, g, b] = shade.map(|part| f32::from(part) / 255.0);
        [r, g, b, 1.0]
    }

    fn ground(&self, p: Point) -> Colour {
        let vignette = 1.15 - 0.45 * dot(p, p);
        let grain = 0.06 * (noise(scale(p, 40.0)) - 0.5);
        let [r, g, b, a] = Self::colour(self.ground);
        [r * vignette + grain, g * vignette + grain, b * vignette + grain, a]
    }

    /// Marks in a row at the bottom, one for each version: copies can be told apart at a glance.
    fn marked(&self, p: Point, under: Colour) -> Colour {
        let count = f32::from(self.marks);
        let distance = (0..self.marks).map(|mark| {
            let x = (f32::from(mark) - (count - 1.0) / 2.0) * 0.13;
            length(sub(p, [x, 0.86])) - 0.038
        });
        let nearest = distance.fold(f32::MAX, f32::min);
        let under = over(under, shade(Self::colour(self.ground), 0.6), 0.75 * cover(nearest - 0.035, 0.03));
        over(under, Self::colour(self.accent), cover(nearest, 0.008))
    }
}

fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn scale(a: Point, by: f32) -> Point {
    [a[0] * by, a[1] * by]
}

fn dot(a: Point, b: Point) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

fn length(a: Point) -> f32 {
    dot(a, a).sqrt()
}

/// How much of a shape covers a point, from its signed distance; `soft` is the width of the edge.
pub(super) fn cover(distance: f32, soft: f32) -> f32 {
    smooth((soft - distance) / (2.0 * soft))
}

pub(super) fn smooth(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

pub(super) fn mix(a: Colour, b: Colour, t: f32) -> Colour {
    [0, 1, 2, 3].map(|i: usize| {
        let (a, b) = (a.get(i).copied().unwrap_or(0.0), b.get(i).copied().unwrap_or(0.0));
        a + (b - a) * t
    })
}

pub(super) fn over(under: Colour, top: Colour, cover: f32) -> Colour {
    mix(under, top, cover)
}

pub(super) fn shade(colour: Colour, by: f32) -> Colour {
    let [r, g, b, a] = colour;
    [r * by, g * by, b * by, a]
}

fn box_distance(p: Point, half: Point) -> f32 {
    let d = [p[0].abs() - half[0], p[1].abs() - half[1]];
    length([d[0].max(0.0), d[1].max(0.0)]) + d[0].max(d[1]).min(0.0)
}

/// The largest whole number that is not above, for small numbers; faster than the general one.
#[expect(clippy::cast_possible_truncation, reason = "coordinates of pictures are small")]
pub(super) fn floor(x: f32) -> i32 {
    let towards_zero = x as i32;
    towards_zero - i32::from(x < towards_zero as f32)
}

/// What is above the whole number below, 0 to 1.
pub(super) fn fract(x: f32) -> f32 {
    x - floor(x) as f32
}

/// Value noise, 0 to 1, one cell per unit.
pub(super) fn noise(p: Point) -> f32 {
    let cell = p.map(floor);
    let [x, y] = p.map(fract).map(smooth);
    let corner = |dx: i32, dy: i32| lattice([cell[0] + dx, cell[1] + dy]);
    let (left, right) = (corner(0, 0), corner(1, 0));
    let top = left + (right - left) * x;
    let (left, right) = (corner(0, 1), corner(1, 1));
    let bottom = left + (right - left) * x;
    top + (bottom - top) * y
}

/// A number from 0 to 1 for each lattice point.
pub(super) fn lattice(p: [i32; 2]) -> f32 {
    let [x, y] = p.map(i32::cast_unsigned);
    let mut bits = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77);
    bits = (bits ^ (bits >> 15)).wrapping_mul(0x2C1B_3C6D);
    bits = (bits ^ (bits >> 12)).wrapping_mul(0x297A_2D39);
    (bits >> 8) as f32 / 16_777_216.0
}

/// Noise of several sizes, 0 to 1.
pub(super) fn clouds(p: Point) -> f32 {
    let octaves = [(1.0, 0.5), (2.03, 0.25), (4.1, 0.125), (8.3, 0.125)];
    octaves.iter().map(|(size, weight)| noise(scale(p, *size)) * weight).sum()
}

/// A sword on dark ground.
pub(super) fn sword(palette: Palette) -> impl Fn(Point) -> Colour + Sync {
    // Stands on the diagonal: x across the blade, y from pommel to tip.
    let turn = std::f32::consts::FRAC_1_SQRT_2;
    move |p| {
        let q = [(p[0] + p[1]) * turn, (p[0] - p[1]) * turn];
        let width = 0.075 * (1.0 - 0.35 * smooth((q[1] + 0.2) / 1.2)) * smooth((1.12 - q[1]) * 9.0);
        let blade = (q[0].abs() - width).max((q[1] - 0.40).abs() - 0.72);
        let guard = box_distance(sub(q, [0.0, -0.34]), [0.27 - 0.1 * q[0].abs(), 0.025]) - 0.02;
        let grip = box_distance(sub(q, [0.0, -0.56]), [0.032, 0.2]) - 0.01;
        let pommel = length(sub(q, [0.0, -0.82])) - 0.075;
        let gem = length(sub(q, [0.0, -0.34])) - 0.045;
        let brushed = 0.12 * (noise([q[0] * 90.0, q[1] * 6.0]) - 0.5);
        let bevel = if q[0] > 0.0 { 0.72 } else { 1.0 } + brushed - 0.3 * cover(q[0].abs() - 0.012, 0.006);
        let wrap = 0.75 + 0.25 * (fract(q[1] * 40.0 + q[0] * 14.0) - 0.5).abs() * 2.0;
        let (stone, light) = (Palette::colour(palette.stone), Palette::colour(palette.light));
        let mut colour = palette.ground(p);
        colour = over(colour, [0.0, 0.0, 0.0, 1.0], 0.45 * cover(blade.min(guard) - 0.05, 0.06));
        colour = over(colour, shade(light, bevel), cover(blade, 0.006));
        colour = over(colour, shade(stone, 0.55 * wrap), cover(grip, 0.006));
        colour = over(colour, shade(stone, 0.9 + brushed - 0.5 * q[0]), cover(guard.min(pommel), 0.006));
        let shine = 0.8 + 0.9 * cover(length(sub(q, [-0.012, -0.355])) - 0.01, 0.012);
        colour = over(colour, shade(Palette::colour(palette.accent), shine), cover(gem, 0.006));
        palette.marked(p, colour)
    }
}

/// A shield with a star of eight points.
pub(super) fn shield(palette: Palette) -> impl Fn(Point) -> Colour + Sync {
    move |p| {
        let radius = length(p);
        let disc = radius - 0.78;
        let ring = (radius - 0.70).abs() - 0.05;
        let inner = (radius - 0.30).abs() - 0.018;
        // Folding a point into one eighth turns one edge into a whole star.
        let turn = std::f32::consts::FRAC_1_SQRT_2;
        let mut q = [p[0].abs(), p[1].abs()];
        if q[1] > q[0] {
            q = [q[1], q[0]];
        }
        let flat = dot(q, [0.923_88, 0.382_68]);
        let diagonal = dot(q, [turn, -turn]).abs();
        let star = (q[1] * 1.2 + q[0] * 0.5 - 0.30).min(diagonal * 2.6 + flat * 0.5 - 0.235);
        let hammered = 0.18 * (clouds(scale(p, 7.0)) - 0.5);
        let lit = 0.95 - 0.28 * p[0] - 0.32 * p[1] + hammered;
        let (stone, light) = (Palette::colour(palette.stone), Palette::colour(palette.light));
        let mut colour = palette.ground(p);
        colour = over(colour, [0.0, 0.0, 0.0, 1.0], 0.5 * cover(disc - 0.06, 0.08));
        colour = over(colour, shade(stone, lit * (0.75 + 0.35 * radius)), cover(disc, 0.006));
        colour = over(colour, shade(light, 0.85 * lit), cover(ring, 0.006));
        colour = over(colour, shade(Palette::colour(palette.accent), lit), cover(star, 0.008));
        colour = over(colour, shade(light, lit), cover(inner, 0.006));
        let rivet = length(sub([q[0], q[1]], [0.647, 0.268])) - 0.022;
        colour = over(colour, shade(stone, 0.5), cover(rivet, 0.006));
        palette.marked(p, colour)
    }
}

/// How high a wall of stones stands out at a point, 0 to 1, and which stone it is.
fn wall_height(p: Point) -> (f32, [i32; 2]) {
    let q = [p[0] * 3.0, p[1] * 4.0];
    let row = floor(q[1]);
    let shifted = [q[0] + if row % 2 == 0 { 0.0 } else { 0.5 }, q[1]];
    let stone = [floor(shifted[0]), row];
    let edge = box_distance(sub(shifted.map(fract), [0.5, 0.5]), [0.40, 0.38]) - 0.04;
    let rough = 0.22 * clouds(scale(p, 9.0));
    (cover(edge, 0.05) * (0.62 + 0.2 * lattice(stone) + rough), stone)
}

/// A wall of stones.
pub(super) fn wall(palette: Palette) -> impl Fn(Point) -> Colour + Sync {
    move |p| {
        let (height, stone) = wall_height(p);
        let (light, _) = wall_height(add(p, [-0.008, -0.008]));
        let tone = 0.75 + 0.35 * lattice([stone[0] + 40, stone[1] + 7]);
        let moss = smooth((clouds(scale(p, 3.0)) - 0.52) * 9.0) * smooth((0.75 - height) * 3.0);
        let lit = 0.45 + 0.6 * height + 2.2 * (height - light);
        let base = shade(Palette::colour(palette.stone), lit * tone);
        palette.marked(p, over(base, shade(Palette::colour(palette.accent), 0.7 * lit), 0.8 * moss))
    }
}

/// The normals of the wall.
pub(super) fn wall_normals(p: Point) -> Colour {
    normals(p, 0.008, 1.1, |p| wall_height(p).0)
}

/// The normals of what stands out as high as `height` says, as the game stores them: X in green, Y in alpha.
/// `step` is how far apart heights are compared, `steep` how much they count.
pub(super) fn normals(p: Point, step: f32, steep: f32, height: impl Fn(Point) -> f32) -> Colour {
    let slope = |d: Point| (height(add(p, d)) - height(sub(p, d))) * steep;
    let (x, y) = (-slope([step, 0.0]), -slope([0.0, step]));
    let length = (x * x + y * y + 1.0).sqrt();
    let stored = |part: f32| part / length * 0.5 + 0.5;
    [0.0, stored(x), 0.0, stored(y)]
}

/// The surface of the wall: reflectance, mask and roughness.
pub(super) fn wall_surface(p: Point) -> Colour {
    let (height, stone) = wall_height(p);
    let wet = smooth((clouds(scale(p, 2.2)) - 0.45) * 6.0);
    [0.15 + 0.3 * wet, smooth(height * 2.0), 0.85 - 0.5 * wet * height - 0.1 * lattice(stone), 1.0]
}

/// Leaves with nothing between them.
pub(super) fn leaves(palette: Palette) -> impl Fn(Point) -> Colour + Sync {
    // Where the leaves grow, which way they point, and how large they are.
    const LEAVES: [(Point, Point, f32); 7] = [
        ([0.0, 0.78], [0.0, -1.0], 0.62),
        ([-0.08, 0.30], [-0.8, -0.6], 0.50),
        ([0.10, 0.24], [0.8, -0.6], 0.52),
        ([-0.05, 0.62], [-0.96, -0.28], 0.44),
        ([0.08, 0.66], [0.96, -0.28], 0.42),
        ([-0.04, -0.08], [-0.6, -0.8], 0.44),
        ([0.05, -0.10], [0.6, -0.8], 0.46),
    ];
    move |p| {
        let p = add(scale(p, 0.72), [0.0, 0.13]);
        let mut colour = shade(Palette::colour(palette.stone), 0.4);
        colour[3] = 0.0;
        let stem = (p[0].abs() - 0.012).max((p[1] - 0.4).abs() - 0.55);
        let alpha = cover(stem, 0.008);
        colour = over(colour, Palette::colour(palette.stone), alpha);
        colour[3] = alpha;
        for (root, along, size) in LEAVES {
            let from = scale(sub(p, root), 1.0 / size);
            let (u, v) = (dot(from, along), from[0] * along[1] - from[1] * along[0]);
            let width = 0.95 * u * (1.0 - u);
            let leaf = (v.abs() - width).max(u - 1.0).max(-u) * size;
            let vein =
                cover((v.abs() - 0.012) * size, 0.004) + 0.4 * smooth(fract(v.abs() * 2.0 + u * 9.0) - 0.7);
            let tone = 0.65 + 0.45 * u - 0.25 * v.signum() * v.abs().min(0.3);
            let mut top = mix(Palette::colour(palette.stone), Palette::colour(palette.accent), 0.3 + 0.6 * u);
            top = over(shade(top, tone), Palette::colour(palette.light), 0.35 * vein.min(1.0));
            let covered = cover(leaf, 0.008);
            let alpha = colour[3].max(covered);
            colour = over(colour, top, covered);
            colour[3] = alpha;
        }
        colour
    }
}

/// A map of hills and water with lines of equal height.
pub(super) fn chart(palette: Palette) -> impl Fn(Point) -> Colour + Sync {
    move |p| {
        let height = clouds(add(scale(p, 1.7), [5.2, 1.3])) + 0.18 * (1.0 - length(p));
        let line = |every: f32, width: f32| {
            let part = fract(height * every);
            cover(part.min(1.0 - part) - width, width)
        };
        let paper = 0.9 + 0.12 * clouds(scale(p, 14.0));
        let land = mix(
            Palette::colour(palette.stone),
            Palette::colour(palette.light),
            smooth((height - 0.35) * 2.4),
        );
        let water = shade(Palette::colour(palette.ground), 1.7);
        let is_land = cover(0.44 - height, 0.006);
        let mut colour = over(water, shade(land, paper), is_land);
        colour = over(colour, shade(Palette::colour(palette.ground), 1.2), 0.45 * line(26.0, 0.06) * is_land);
        colour = over(colour, Palette::colour(palette.ground), 0.8 * line(5.2, 0.03) * is_land);
        colour = over(colour, Palette::colour(palette.accent), cover((height - 0.44).abs() - 0.004, 0.004));
        let frame = -box_distance(p, [0.94, 0.94]);
        colour = over(colour, shade(Palette::colour(palette.light), paper), cover(frame, 0.006));
        colour = over(
            colour,
            Palette::colour(palette.ground),
            cover(box_distance(p, [0.96, 0.96]).abs() - 0.006, 0.004),
        );
        palette.marked(p, colour)
    }
}

/// The sky around a place, by a direction: light above, ground below, and a sun as bright as many whites.
pub(super) fn sky([x, y, z]: [f32; 3], palette: Palette) -> [f32; 3] {
    let length = (x * x + y * y + z * z).sqrt();
    let [x, y, z] = [x / length, y / length, z / length];
    let towards = (0.48 * x + 0.6 * y + 0.64 * z).max(0.0);
    let glow = (0..6).fold(towards, |power, _| power * power);
    let sun = if towards > 0.995 { 24.0 } else { 0.0 };
    let above = smooth((y * 1.5 + 0.5).clamp(0.0, 1.0));
    let [low, high] = [palette.ground, palette.light].map(Palette::colour);
    let bands = 0.05 * clouds([x * 3.0 + z, y * 6.0]);
    std::array::from_fn(|channel| {
        let part = |colour: Colour| colour.get(channel).copied().unwrap_or_default();
        part(low) * (1.0 - above) + part(high) * above + bands + 2.0 * glow + sun
    })
}

/// The direction that a point of a cube's face looks in; faces in the order +X, −X, +Y, −Y, +Z, −Z.
pub(super) const fn direction(face: u32, [x, y]: Point) -> [f32; 3] {
    match face {
        0 => [1.0, -y, -x],
        1 => [-1.0, -y, x],
        2 => [x, 1.0, y],
        3 => [x, -1.0, -y],
        4 => [x, -y, 1.0],
        _ => [-x, -y, -1.0],
    }
}
