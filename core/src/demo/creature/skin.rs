//! The pictures of the creature: scales, plates, horn, the skin of the wings, eyes and iron.

use super::atlas::{self, Island};
use super::vector::turn;
use crate::demo::art::{
    Colour, Point, clouds, cover, floor, fract, lattice, mix, noise, normals, over, scale, shade, smooth,
};

const BACK: Colour = [0.055, 0.155, 0.165, 1.0];
const FLANK: Colour = [0.10, 0.33, 0.31, 1.0];
const SIDE: Colour = [0.27, 0.47, 0.36, 1.0];
const BELLY: Colour = [0.82, 0.68, 0.43, 1.0];
const EMBER: Colour = [0.78, 0.30, 0.10, 1.0];
const DEEP: Colour = [0.34, 0.085, 0.06, 1.0];
const MOUTH: Colour = [0.52, 0.17, 0.16, 1.0];
const IVORY: Colour = [0.90, 0.84, 0.70, 1.0];
const BARK: Colour = [0.20, 0.15, 0.12, 1.0];

/// What covers a part of the pictures.
#[derive(Clone, Copy)]
enum Cover {
    Body,
    Head,
    Jaw,
    Leg,
    Toe,
    Tongue,
    Membrane,
    Finger,
    Horn,
    Spike,
    Crest,
    Eye,
    Blade,
    Collar,
}

const COVERS: [(Island, Cover); 15] = [
    (atlas::BODY, Cover::Body),
    (atlas::HEAD, Cover::Head),
    (atlas::JAW, Cover::Jaw),
    (atlas::FRONT_LEG, Cover::Leg),
    (atlas::HIND_LEG, Cover::Leg),
    (atlas::TOE, Cover::Toe),
    (atlas::TONGUE, Cover::Tongue),
    (atlas::MEMBRANE, Cover::Membrane),
    (atlas::FINGER, Cover::Finger),
    (atlas::HORN, Cover::Horn),
    (atlas::SPIKE, Cover::Spike),
    (atlas::CREST, Cover::Crest),
    (atlas::EYE, Cover::Eye),
    (atlas::BLADE, Cover::Blade),
    (atlas::COLLAR, Cover::Collar),
];

/// What lies at a point of the pictures: the cover, and the parts of the way along and around.
fn at(p: Point) -> Option<(Cover, [f32; 2])> {
    let place = p.map(|part| 0.5 * part + 0.5);
    COVERS.iter().find_map(|(island, cover)| island.part_of(place).map(|part| (*cover, part)))
}

/// Scales in rows that overlap: how high they stand, 0 to 1, and a number of each, 0 to 1.
fn scales(q: Point) -> (f32, f32) {
    let column = floor(q[0]);
    let y = q[1] + if column % 2 == 0 { 0.0 } else { 0.5 };
    let [x, across] = [fract(q[0]), fract(y) - 0.5];
    // Round towards the tail, where each lies over the next.
    let edge = (0.55 * (1.0 - x) * (1.0 - x) + 3.4 * across * across * (1.15 - 0.5 * x)).min(1.0);
    (smooth((1.0 - edge) * 1.5) * (0.55 + 0.45 * (1.0 - x)), lattice([column, floor(y)]))
}

/// How near to the line of the belly, 0 to 1 from the back to it.
fn underside(around: f32) -> f32 {
    1.0 - 2.0 * around.min(1.0 - around)
}

/// How many scales there are along and around.
const fn grain(cover: Cover) -> Point {
    match cover {
        Cover::Body => [76.0, 26.0],
        Cover::Head => [26.0, 24.0],
        Cover::Jaw => [24.0, 12.0],
        Cover::Leg => [22.0, 12.0],
        Cover::Toe => [7.0, 7.0],
        _ => [34.0, 5.0],
    }
}

/// How high the skin stands out, 0 to 1.
fn relief(p: Point) -> f32 {
    let Some((cover, [along, around])) = at(p) else { return 0.5 };
    let [many, round] = grain(cover);
    let scaled = || scales([along * many, around * round]).0;
    match cover {
        Cover::Body => {
            let plates = plate(along * 50.0);
            let share = belly(along, around);
            scaled() * (1.0 - share) + plates * share
        }
        Cover::Head | Cover::Leg | Cover::Toe => 0.7 * scaled(),
        Cover::Jaw => 0.6 * scaled() * smooth((underside(around) - 0.3) * 6.0),
        Cover::Finger => 0.4 * scaled(),
        Cover::Membrane => 0.5 * veins(along, around),
        Cover::Horn => 0.8 * plate(along * 26.0 * (1.3 - 0.5 * along)),
        Cover::Spike | Cover::Crest => 0.5 * noise([along * 4.0, around * 24.0]),
        Cover::Collar => 0.6 * smooth((0.24 - (fract(along * 3.0) - 0.5).abs()) * 9.0),
        Cover::Tongue | Cover::Eye | Cover::Blade => 0.5,
    }
}

/// Plates one behind another: how high they stand.
fn plate(at: f32) -> f32 {
    let part = fract(at);
    smooth(part * 7.0) * smooth((1.0 - part) * 2.2) * 0.9
}

/// How much of a place is the belly's.
fn belly(along: f32, around: f32) -> f32 {
    // Narrow below the tail, and on to the throat.
    let width = 0.20 + 0.05 * smooth(along * 3.0 - 0.6);
    smooth((underside(around) - 1.0 + width) * 22.0)
}

/// How near to a vein of the wing, 0 to 1.
fn veins(across: f32, away: f32) -> f32 {
    let strip = fract(across);
    let bent = strip + 0.06 * (clouds([away * 5.0 + floor(across) as f32 * 7.0, strip * 3.0]) - 0.5);
    let fan = fract(bent * 5.0) - 0.5;
    let thin = 1.0 - smooth((fan.abs() - 0.02) * (14.0 + 18.0 * away));
    thin.max(0.55 * (1.0 - smooth((noise([strip * 16.0, away * 22.0]) - 0.5).abs() * 14.0)))
}

/// The colours of the creature.
pub(in crate::demo) fn coat(p: Point) -> Colour {
    let Some((cover, [along, around])) = at(p) else { return shade(FLANK, 0.7) };
    let [many, round] = grain(cover);
    let scaled = |colour: Colour| {
        let (height, tone) = scales([along * many, around * round]);
        shade(colour, (0.55 + 0.5 * height) * (0.82 + 0.36 * tone))
    };
    match cover {
        Cover::Body => match belly(along, around) {
            1.0 => plated(along),
            share => over(scaled(banded(along * 5.5, around)), plated(along), share),
        },
        Cover::Head => {
            let own = scaled(banded(4.8 + along * 2.0, around));
            let lips = smooth((underside(around) - 0.70) * 9.0)
                * smooth((along - 0.42) * 9.0)
                * smooth((0.95 - along) * 16.0);
            over(own, shade(MOUTH, 0.8 + 0.3 * noise(scale(p, 60.0))), lips)
        }
        Cover::Jaw => {
            let inside = 1.0 - smooth((underside(around) - 0.38) * 12.0);
            let chin = smooth((underside(around) - 0.62) * 6.0);
            let own = over(
                scaled(mix(SIDE, FLANK, 0.5)),
                shade(BELLY, 0.55 + 0.45 * scales([along * many, around * round]).0),
                0.85 * chin,
            );
            over(own, shade(MOUTH, 0.85), inside)
        }
        Cover::Leg => scaled(mix(
            hide(2.2 + along * 2.0, 0.30 + 0.1 * around),
            BACK,
            0.75 * smooth((along - 0.45) * 2.4),
        )),
        Cover::Toe => scaled(mix(FLANK, BACK, 0.75)),
        Cover::Tongue => shade([0.72, 0.22, 0.24, 1.0], 1.1 - 0.5 * (around - 0.5).abs()),
        Cover::Membrane => membrane(along, around),
        Cover::Finger => {
            mix(scaled(mix(FLANK, BACK, 0.6)), shade(DEEP, 1.1), 0.5 * smooth((along - 0.3) * 2.0))
        }
        Cover::Horn | Cover::Spike => {
            let ridge = if matches!(cover, Cover::Horn) { 0.75 + 0.3 * relief(p) } else { 0.95 };
            let streak = 0.9 + 0.2 * noise([along * 5.0, around * 30.0]);
            shade(mix(BARK, IVORY, smooth(along * 1.5 - 0.12)), ridge * streak)
        }
        Cover::Crest => {
            let streak = 0.85 + 0.3 * noise([along * 4.0, around * 24.0]);
            shade(mix(mix(BACK, DEEP, smooth(along * 2.4)), EMBER, smooth(along * 1.9 - 0.6)), streak)
        }
        Cover::Eye => eye(along, around),
        Cover::Blade => blade(along, around),
        Cover::Collar => collar(along, around),
    }
}

/// The skin of back and flanks, without its scales.
fn hide(along: f32, around: f32) -> Colour {
    let low = underside(around);
    let cloud = clouds([along * 2.1, low * 3.0]);
    let colour = mix(FLANK, SIDE, smooth((low - 0.30 + 0.5 * (cloud - 0.5)) * 2.2));
    mix(BACK, colour, smooth((low + 0.35 * (cloud - 0.5)) * 3.4))
}

/// The same with bands across the back.
fn banded(along: f32, around: f32) -> Colour {
    let low = underside(around);
    let band = (fract(along * 1.9 + 0.25 * clouds([along * 2.1, low * 3.0])) - 0.5).abs();
    mix(hide(along, around), shade(EMBER, 0.62), 0.55 * smooth((0.22 - band - 0.30 * low) * 14.0))
}

/// The plates of the belly.
fn plated(along: f32) -> Colour {
    let (height, tone) = (plate(along * 50.0), lattice([floor(along * 50.0), 3]));
    shade(mix(shade(BELLY, 0.5), BELLY, height), 0.92 + 0.12 * tone)
}

/// The skin of the wings: three strips, each across from finger to finger and away from the wrist.
fn membrane(across: f32, around: f32) -> Colour {
    let away = fract(around * 3.0);
    let thin = smooth(4.0 * across * (1.0 - across) * 1.1) * smooth(away * 3.0);
    let mottled = 0.8 + 0.4 * clouds([across * 6.0, around * 20.0]);
    let colour = shade(mix(DEEP, EMBER, 0.25 + 0.65 * thin), mottled);
    let rim = smooth((away - 0.90) * 11.0);
    let colour = mix(colour, shade(BACK, 1.3), 0.75 * rim);
    over(colour, shade(DEEP, 0.55), 0.7 * veins(across, away))
}

/// An eye: amber around a slit.
fn eye(along: f32, around: f32) -> Colour {
    let far = 1.0 - along;
    let [upright, aside] = turn(around.clamp(0.0, 1.0)).map(|part| part * far);
    let rays = 0.8 + 0.4 * noise([around * 60.0, far * 4.0]);
    let iris = shade(mix([1.0, 0.78, 0.16, 1.0], [0.75, 0.26, 0.03, 1.0], smooth(far * 1.9)), rays);
    let ball = over(iris, [0.09, 0.05, 0.03, 1.0], smooth((far - 0.50) * 14.0));
    let slit = aside.abs() + 0.22 * upright * upright - 0.075;
    over(ball, [0.01, 0.01, 0.01, 1.0], cover(slit, 0.02))
}

/// The blade on the tail: forged iron with a bright edge.
fn blade(along: f32, around: f32) -> Colour {
    let edge = (around - 0.5).abs() * 2.0;
    let brushed = 0.10 * (noise([along * 20.0, around * 110.0]) - 0.5);
    let forged = 0.34 + 0.18 * clouds([along * 16.0, around * 10.0]) + brushed;
    let bright = smooth((0.34 - edge) * 7.0).max(0.5 * smooth((edge - 0.8) * 7.0));
    let steel = shade([0.80, 0.84, 0.90, 1.0], forged + 0.5 * bright);
    let groove = cover((edge - 0.58).abs() - 0.03, 0.03) * smooth((0.8 - along) * 9.0);
    over(steel, [0.10, 0.11, 0.13, 1.0], 0.7 * groove)
}

/// What binds it: leather between bands of brass.
fn collar(along: f32, around: f32) -> Colour {
    let leather = shade([0.62, 0.40, 0.24, 1.0], 0.30 + 0.25 * clouds([along * 9.0, around * 40.0]));
    let band = cover((fract(along * 3.0) - 0.5).abs() - 0.16, 0.03);
    over(leather, shade([0.86, 0.68, 0.36, 1.0], 0.55 + 0.4 * noise([along * 30.0, around * 60.0])), band)
}

/// The normals of the skin.
pub(in crate::demo) fn coat_normals(p: Point) -> Colour {
    normals(p, 0.003, 0.9, relief)
}

/// The surface of the skin: reflectance, mask and roughness.
pub(in crate::demo) fn coat_surface(p: Point) -> Colour {
    let height = relief(p);
    let [gloss, rough] = match at(p).map(|(cover, _)| cover) {
        Some(Cover::Eye | Cover::Tongue) => [0.8, 0.12],
        Some(Cover::Horn | Cover::Spike | Cover::Crest) => [0.4, 0.45],
        Some(Cover::Membrane) => [0.2, 0.7],
        Some(Cover::Blade) => [0.9, 0.25],
        _ => [0.3, 0.62],
    };
    [gloss, smooth(height * 2.0), rough + 0.2 * (0.5 - height), 1.0]
}
