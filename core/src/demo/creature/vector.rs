//! Vectors of three, with sums, products and square roots only: every machine rounds them alike.

/// Right, up and forward, in centimetres, or a direction.
pub(super) type Vector = [f32; 3];

/// The same along all three axes.
pub(super) const ONE: Vector = [1.0; 3];

pub(super) const fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(super) const fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(super) const fn scale(a: Vector, by: f32) -> Vector {
    [a[0] * by, a[1] * by, a[2] * by]
}

/// The products of the parts.
pub(super) const fn times(a: Vector, b: Vector) -> Vector {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

pub(super) const fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) const fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn length(a: Vector) -> f32 {
    dot(a, a).sqrt()
}

/// The vector with the length one; the one upwards for none.
pub(super) fn unit(a: Vector) -> Vector {
    let length = length(a);
    if length > 1e-12 { scale(a, 1.0 / length) } else { [0.0, 1.0, 0.0] }
}

/// What of a vector is square to a direction, with the length one.
pub(super) fn square_to(a: Vector, direction: Vector) -> Vector {
    unit(sub(a, scale(direction, dot(a, direction))))
}

pub(super) const fn mix(a: Vector, b: Vector, t: f32) -> Vector {
    add(scale(a, 1.0 - t), scale(b, t))
}

/// The other side of the creature.
pub(super) const fn mirrored(a: Vector) -> Vector {
    [-a[0], a[1], a[2]]
}

/// The cosine and the sine of a part of a full turn, 0 to 1.
pub(super) fn turn(part: f32) -> [f32; 2] {
    // An eighth to either side of the nearest quarter; five terms of the series are as good as f32.
    let (quarter, middle) = match part {
        ..0.125 => (0, 0.0),
        ..0.375 => (1, 0.25),
        ..0.625 => (2, 0.5),
        ..0.875 => (3, 0.75),
        _ => (0, 1.0),
    };
    let angle = (part - middle) * std::f32::consts::TAU;
    let square = angle * angle;
    let series = |terms: [f32; 4]| terms.iter().rev().fold(1.0, |sum, term| 1.0 - square / term * sum);
    let (sine, cosine) = (angle * series([6.0, 20.0, 42.0, 72.0]), series([2.0, 12.0, 30.0, 56.0]));
    match quarter {
        0 => [cosine, sine],
        1 => [-sine, cosine],
        2 => [-cosine, -sine],
        _ => [sine, -cosine],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_those_of_the_library() {
        for at in 0..=1000u16 {
            let part = f32::from(at) / 1000.0;
            let [cosine, sine] = turn(part);
            let angle = part * std::f32::consts::TAU;
            assert!((cosine - angle.cos()).abs() < 1e-6 && (sine - angle.sin()).abs() < 1e-6, "{part}");
        }
    }
}
