// A texture on a rectangle: chosen level, chosen channels, a checkerboard or a colour behind alpha.

struct View {
    // Texels of the shown part, 0 to 1: left, top, right, bottom.
    part: vec4<f32>,
    // 1 for each channel that is shown.
    channels: vec4<f32>,
    // The two colours behind alpha; alike for a plain ground.
    dark: vec4<f32>,
    light: vec4<f32>,
    // The level; the side of a square of the checkerboard in pixels; 1 to show the only channel as
    // grey; 1 when red alone stands for a grey texture.
    level: f32,
    square: f32,
    solo: f32,
    grey: f32,
    // The colours of differences, from none to the largest.
    ramp: array<vec4<f32>, 5>,
    // What differences are multiplied by, 0 to show a picture; the value that becomes black; what is
    // multiplied then; 1 when values are linear, to be encoded for the screen.
    heat: f32,
    low: f32,
    gain: f32,
    linear: f32,
    // 1 to ignore alpha; how colours are made, see below; how often the picture stands beside itself.
    opaque: f32,
    mode: f32,
    tiles: f32,
    // The face of a cube that the picture is, in the order of `on_face`.
    face: f32,
    // The part of the image that has pixels, 0 to 1, and half a texel of the level: blocks may stand
    // over its edge.
    inside: vec4<f32>,
    // How a cube is turned, in radians: about the vertical axis, then about the horizontal one.
    turn: vec4<f32>,
}

// Values of `mode`.
const NORMALS: f32 = 1.0;
const LIT: f32 = 2.0;
const SPHERE: f32 = 3.0;
const FACE: f32 = 4.0;

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var image: texture_2d<f32>;
@group(0) @binding(2) var sampling: sampler;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn corner(@builtin(vertex_index) index: u32) -> Corner {
    let unit = vec2<f32>(f32(index & 1u), f32(index >> 1u));
    var out: Corner;
    out.position = vec4<f32>(unit.x * 2.0 - 1.0, 1.0 - unit.y * 2.0, 0.0, 1.0);
    out.uv = mix(view.part.xy, view.part.zw, unit);
    return out;
}

// The texel at a place of the picture.
fn texel_at(uv: vec2<f32>) -> vec4<f32> {
    let place = clamp(uv * view.inside.xy, view.inside.zw, view.inside.xy - view.inside.zw);
    return textureSampleLevel(image, sampling, place, view.level);
}

// The colour of a difference.
fn heat(difference: f32) -> vec4<f32> {
    let place = clamp(difference * view.heat, 0.0, 1.0) * 4.0;
    let at = min(u32(place), 3u);
    return vec4<f32>(mix(view.ramp[at].rgb, view.ramp[at + 1u].rgb, place - f32(at)), 1.0);
}

// The normal that a texel of this game stands for: X in green, Y in alpha, Z rebuilt. That Y runs downwards, as
// the binormals of meshes do, is assumed.
fn normal_of(texel: vec4<f32>) -> vec3<f32> {
    let xy = texel.ga * 2.0 - 1.0;
    return vec3<f32>(xy, sqrt(max(1.0 - dot(xy, xy), 0.0)));
}

// How bright a surface is with light from the upper left.
fn lit(normal: vec3<f32>) -> vec3<f32> {
    let light = normalize(vec3<f32>(-0.5, 0.6, 0.7));
    return vec3<f32>(0.08 + 0.8 * max(dot(normal, light), 0.0));
}

// Linear values as the screen wants them.
fn encode(colour: vec3<f32>) -> vec3<f32> {
    let high = 1.055 * pow(max(colour, vec3<f32>(0.0031308)), vec3<f32>(1.0 / 2.4)) - 0.055;
    return select(high, colour * 12.92, colour <= vec3<f32>(0.0031308));
}

// Values within the range that is shown.
fn exposed(colour: vec3<f32>) -> vec3<f32> {
    let shown = clamp((colour - view.low) * view.gain, vec3<f32>(0.0), vec3<f32>(1.0));
    if view.linear > 0.5 {
        return encode(shown);
    }
    return shown;
}

fn ground(position: vec2<f32>) -> vec3<f32> {
    let cell = floor(position / view.square);
    let odd = (cell.x + cell.y) - 2.0 * floor((cell.x + cell.y) * 0.5);
    return mix(view.dark.rgb, view.light.rgb, odd);
}

// A ball whose surface the picture is.
fn sphere(uv: vec2<f32>, position: vec2<f32>) -> vec4<f32> {
    let at = (uv * 2.0 - 1.0) * vec2<f32>(1.0, -1.0);
    let distance = dot(at, at);
    if distance > 1.0 {
        return vec4<f32>(ground(position), 1.0);
    }
    let facing = vec3<f32>(at, sqrt(1.0 - distance));
    let tangent = normalize(cross(vec3<f32>(0.0, 1.0, 0.001), facing));
    let own = normal_of(texel_at(fract(uv * view.tiles)));
    let normal = normalize(tangent * own.x - cross(facing, tangent) * own.y + facing * own.z);
    return vec4<f32>(lit(normal), 1.0);
}

// Where a direction meets a cube: the face, and the place on it, by the rules of Direct3D.
fn on_face(way: vec3<f32>) -> vec3<f32> {
    let size = abs(way);
    var face: f32;
    var place: vec3<f32>;
    if size.x >= size.y && size.x >= size.z {
        face = select(0.0, 1.0, way.x < 0.0);
        place = vec3<f32>(-sign(way.x) * way.z, -way.y, size.x);
    } else if size.y >= size.z {
        face = select(2.0, 3.0, way.y < 0.0);
        place = vec3<f32>(way.x, sign(way.y) * way.z, size.y);
    } else {
        face = select(4.0, 5.0, way.z < 0.0);
        place = vec3<f32>(sign(way.z) * way.x, -way.y, size.z);
    }
    return vec3<f32>(place.xy / place.z * 0.5 + 0.5, face);
}

// The place on a cube that lies below a place of a ball, seen from outside.
fn ball(uv: vec2<f32>) -> vec3<f32> {
    let at = (uv * 2.0 - 1.0) * vec2<f32>(1.0, -1.0);
    let distance = dot(at, at);
    if distance > 1.0 {
        return vec3<f32>(0.0, 0.0, -1.0);
    }
    let way = vec3<f32>(at, -sqrt(1.0 - distance));
    let high = vec2<f32>(cos(view.turn.y), sin(view.turn.y));
    let lifted = vec3<f32>(way.x, way.y * high.x - way.z * high.y, way.y * high.y + way.z * high.x);
    let side = vec2<f32>(cos(view.turn.x), sin(view.turn.x));
    return on_face(vec3<f32>(
        lifted.x * side.x + lifted.z * side.y,
        lifted.y,
        lifted.z * side.x - lifted.x * side.y,
    ));
}

@fragment
fn pixel(in: Corner) -> @location(0) vec4<f32> {
    if view.mode == SPHERE {
        return sphere(in.uv, in.position.xy);
    }
    var uv = in.uv;
    if view.mode == FACE {
        // Each face is drawn on the whole ball, and leaves out what is not its own.
        let found = ball(uv);
        if found.z != view.face {
            discard;
        }
        uv = found.xy;
    }
    if view.tiles > 1.0 {
        uv = fract(uv * view.tiles);
    }
    var texel = texel_at(uv);
    if view.heat > 0.0 {
        let shown = texel * view.channels;
        return heat(max(max(shown.r, shown.g), max(shown.b, shown.a)));
    }
    if view.mode == LIT {
        let own = normal_of(texel);
        return vec4<f32>(lit(vec3<f32>(own.x, -own.y, own.z)), 1.0);
    }
    if view.mode == NORMALS {
        texel = vec4<f32>(normal_of(texel) * 0.5 + 0.5, 1.0);
    }
    if view.grey > 0.5 {
        texel = vec4<f32>(texel.rrr, 1.0);
    }
    if view.solo > 0.5 {
        return vec4<f32>(exposed(vec3<f32>(dot(texel, view.channels))), 1.0);
    }
    let colour = exposed(texel.rgb) * view.channels.rgb;
    let alpha = mix(mix(1.0, clamp(texel.a, 0.0, 1.0), view.channels.a), 1.0, view.opaque);
    return vec4<f32>(mix(ground(in.position.xy), colour, alpha), 1.0);
}
