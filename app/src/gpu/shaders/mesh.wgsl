// A mesh: moved by its bones, then lit, or coloured by what is asked of it.

struct View {
    clip_from_model: mat4x4<f32>,
    // To the right, upwards and towards the camera, in the space of the model.
    right: vec4<f32>,
    up: vec4<f32>,
    back: vec4<f32>,
    // Where the camera is; 1 when it is orthographic.
    eye: vec4<f32>,
    // The colour of lines, and that of the triangles of a wireframe.
    line: vec4<f32>,
    // What is drawn, see below; the set of coordinates; the length of normals in centimetres; the place in
    // the order of names whose weights are shown.
    mode: f32,
    uv_set: f32,
    reach: f32,
    place: f32,
    // 1 to leave out what is seen from behind; squares of the checkerboard along a side; where coordinates
    // are drawn: their middle on the screen, and how large they are.
    cull: f32,
    squares: f32,
    unused: vec2<f32>,
    unwrap: vec4<f32>,
    // The colours of weights, from none to all.
    ramp: array<vec4<f32>, 5>,
}

// Values of `mode`.
const CLAY: u32 = 0u;
const TEXTURED: u32 = 1u;
const COLOURS: u32 = 2u;
const CHECKER: u32 = 3u;
const NORMALS: u32 = 4u;
const WEIGHTS: u32 = 5u;
const SIDES: u32 = 6u;
const PARTS: u32 = 7u;

struct Part {
    // The colour that tells it from others; how strongly it is marked.
    colour: vec4<f32>,
    // 1 for each texture that there is: colours, normals, surface.
    has: vec4<f32>,
}

@group(0) @binding(0) var<uniform> view: View;
// The rows of the matrices of all places, the last of which moves nothing.
@group(0) @binding(1) var<uniform> skin: array<vec4<f32>, 771>;
@group(1) @binding(0) var<uniform> part: Part;
@group(1) @binding(1) var diffuse: texture_2d<f32>;
@group(1) @binding(2) var normals: texture_2d<f32>;
@group(1) @binding(3) var surface: texture_2d<f32>;
@group(1) @binding(4) var sampling: sampler;

struct Vertex {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv0: vec2<f32>,
    @location(4) uv1: vec2<f32>,
    @location(5) uv2: vec2<f32>,
    @location(6) uv3: vec2<f32>,
    @location(7) colour: vec4<f32>,
    @location(8) weights: vec4<f32>,
    @location(9) places: vec4<u32>,
}

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) model: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) uv: vec2<f32>,
    @location(4) colour: vec4<f32>,
    @location(5) weight: f32,
}

struct Moved {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
}

// A vertex moved by the bones that it hangs on; one that hangs on none stays.
fn moved(in: Vertex) -> Moved {
    var out: Moved;
    if dot(in.weights, vec4<f32>(1.0)) == 0.0 {
        out.position = in.position;
        out.normal = in.normal;
        out.tangent = in.tangent.xyz;
        return out;
    }
    var rows = array<vec4<f32>, 3>(vec4<f32>(0.0), vec4<f32>(0.0), vec4<f32>(0.0));
    for (var slot = 0u; slot < 4u; slot += 1u) {
        let at = 3u * min(in.places[slot], 256u);
        let weight = in.weights[slot];
        rows[0] += skin[at] * weight;
        rows[1] += skin[at + 1u] * weight;
        rows[2] += skin[at + 2u] * weight;
    }
    let place = vec4<f32>(in.position, 1.0);
    out.position = vec3<f32>(dot(rows[0], place), dot(rows[1], place), dot(rows[2], place));
    out.normal = vec3<f32>(dot(rows[0].xyz, in.normal), dot(rows[1].xyz, in.normal), dot(rows[2].xyz, in.normal));
    let along = in.tangent.xyz;
    out.tangent = vec3<f32>(dot(rows[0].xyz, along), dot(rows[1].xyz, along), dot(rows[2].xyz, along));
    return out;
}

fn uv_of(in: Vertex) -> vec2<f32> {
    let wanted = u32(view.uv_set);
    if wanted == 1u { return in.uv1; }
    if wanted == 2u { return in.uv2; }
    if wanted == 3u { return in.uv3; }
    return in.uv0;
}

fn placed(in: Vertex) -> Corner {
    let own = moved(in);
    var out: Corner;
    out.position = view.clip_from_model * vec4<f32>(own.position, 1.0);
    out.model = own.position;
    out.normal = own.normal;
    out.tangent = vec4<f32>(own.tangent, in.tangent.w);
    out.uv = uv_of(in);
    out.colour = in.colour;
    let shown = vec4<u32>(u32(view.place));
    out.weight = dot(select(vec4<f32>(0.0), in.weights, in.places == shown), vec4<f32>(1.0));
    return out;
}

@vertex
fn corner(in: Vertex) -> Corner {
    return placed(in);
}

// A corner of a wireframe, a little nearer than its triangle.
@vertex
fn wire(in: Vertex) -> Corner {
    var out = placed(in);
    out.position.z += out.position.w * 2e-5 + abs(out.position.z) * 1e-3;
    return out;
}

// A corner where its coordinates are.
@vertex
fn unwrap(in: Vertex) -> Corner {
    var out = placed(in);
    let at = (uv_of(in) - view.unwrap.xy) * view.unwrap.zw;
    out.position = vec4<f32>(at.x, -at.y, 0.5, 1.0);
    return out;
}

// A line from a vertex along its normal, its tangent, or the direction across both.
@vertex
fn spike(in: Vertex, @builtin(vertex_index) index: u32) -> Corner {
    var out = placed(in);
    var way = out.normal;
    var colour = vec3<f32>(0.30, 0.61, 0.91);
    if index >= 4u {
        way = cross(out.normal, out.tangent.xyz) * in.tangent.w;
        colour = vec3<f32>(0.35, 0.75, 0.40);
    } else if index >= 2u {
        way = out.tangent.xyz;
        colour = vec3<f32>(0.88, 0.40, 0.23);
    }
    let size = length(way);
    let along = select(vec3<f32>(0.0), way / size, size > 0.0);
    let place = out.model + along * (view.reach * f32(index & 1u));
    out.position = view.clip_from_model * vec4<f32>(place, 1.0);
    out.position.z += out.position.w * 2e-5;
    out.colour = vec4<f32>(colour, 1.0);
    return out;
}

struct Mark {
    @location(0) position: vec3<f32>,
    @location(1) colour: vec4<f32>,
}

// A line of the grid, or around the model.
@vertex
fn mark(in: Mark) -> Corner {
    var out: Corner;
    out.position = view.clip_from_model * vec4<f32>(in.position, 1.0);
    out.model = in.position;
    out.colour = in.colour;
    return out;
}

// Linear values as the screen wants them.
fn encode(colour: vec3<f32>) -> vec3<f32> {
    let high = 1.055 * pow(max(colour, vec3<f32>(0.0031308)), vec3<f32>(1.0 / 2.4)) - 0.055;
    return select(high, colour * 12.92, colour <= vec3<f32>(0.0031308));
}

fn decode(colour: vec3<f32>) -> vec3<f32> {
    let high = pow((max(colour, vec3<f32>(0.04045)) + 0.055) / 1.055, vec3<f32>(2.4));
    return select(high, colour / 12.92, colour <= vec3<f32>(0.04045));
}

// Light of a lamp at the upper left of the camera, a weaker one from the right, and of the sky; linear.
fn lit(colour: vec3<f32>, normal: vec3<f32>, towards: vec3<f32>, gloss: f32, reflectance: f32) -> vec3<f32> {
    let key = normalize(view.right.xyz * -0.5 + view.up.xyz * 0.65 + view.back.xyz * 0.75);
    let fill = normalize(view.right.xyz * 0.9 + view.up.xyz * 0.1 + view.back.xyz * 0.3);
    let sky = mix(vec3<f32>(0.11, 0.10, 0.095), vec3<f32>(0.24, 0.26, 0.30), normal.y * 0.5 + 0.5);
    let wrapped = max((dot(normal, key) + 0.15) / 1.15, 0.0);
    let diffused = sky + vec3<f32>(0.84, 0.81, 0.76) * wrapped + vec3<f32>(0.10, 0.12, 0.15) * max(dot(normal, fill), 0.0);
    let half = normalize(key + towards);
    let shine = pow(max(dot(normal, half), 0.0), mix(6.0, 90.0, gloss)) * mix(0.4, 2.2, gloss) * reflectance;
    let edge = pow(1.0 - max(dot(normal, towards), 0.0), 4.0);
    return colour * diffused + vec3<f32>(shine * wrapped) + vec3<f32>(0.045, 0.05, 0.06) * edge;
}

// What a normal map of this game says: X in green, Y in alpha, Z rebuilt. That Y runs along the second
// coordinate, as the binormals of meshes do, is assumed.
fn bumped(normal: vec3<f32>, tangent: vec4<f32>, uv: vec2<f32>) -> vec3<f32> {
    let xy = textureSample(normals, sampling, uv).ga * 2.0 - 1.0;
    let z = sqrt(max(1.0 - dot(xy, xy), 0.0));
    let size = length(tangent.xyz);
    if part.has.y < 0.5 || !(size > 0.0) {
        return normal;
    }
    let along = normalize(tangent.xyz - normal * dot(normal, tangent.xyz));
    let down = cross(normal, along) * tangent.w;
    return normalize(along * xy.x + down * xy.y + normal * z);
}

fn ramp(value: f32) -> vec3<f32> {
    let place = clamp(value, 0.0, 1.0) * 4.0;
    let at = min(u32(place), 3u);
    return mix(view.ramp[at].rgb, view.ramp[at + 1u].rgb, place - f32(at));
}

@fragment
fn pixel(in: Corner, @builtin(front_facing) is_front: bool) -> @location(0) vec4<f32> {
    let colour = textureSample(diffuse, sampling, in.uv);
    let gloss = textureSample(surface, sampling, in.uv);
    let size = length(in.normal);
    var normal = select(view.back.xyz, in.normal / size, size > 0.0);
    let mode = u32(view.mode);
    var facing = normal;
    if mode == TEXTURED {
        facing = bumped(normal, in.tangent, in.uv);
    }
    // What is seen from behind is lit from there.
    if !is_front {
        if view.cull > 0.5 {
            discard;
        }
        facing = -facing;
    }
    let towards = select(normalize(view.eye.xyz - in.model), view.back.xyz, view.eye.w > 0.5);
    let clay = vec3<f32>(0.44, 0.425, 0.40);
    var out = vec3<f32>(0.0);
    if mode == TEXTURED {
        // Its channels are assumed to be reflectance, a mask and roughness.
        let shine = select(vec2<f32>(0.35, 0.12), vec2<f32>(1.0 - gloss.b, gloss.r * 0.6), part.has.z > 0.5);
        let own = select(clay, decode(colour.rgb), part.has.x > 0.5);
        out = encode(lit(own, facing, towards, shine.x, shine.y));
    } else if mode == COLOURS {
        out = in.colour.rgb * (0.75 + 0.25 * max(dot(facing, view.back.xyz), 0.0));
    } else if mode == CHECKER {
        let cell = floor(in.uv * view.squares);
        let odd = (cell.x + cell.y) - 2.0 * floor((cell.x + cell.y) * 0.5);
        let tint = vec3<f32>(fract(in.uv), 0.35);
        out = encode(lit(mix(decode(tint * 0.55), decode(vec3<f32>(0.82)), odd), facing, towards, 0.2, 0.03));
    } else if mode == NORMALS {
        out = normal * 0.5 + 0.5;
    } else if mode == WEIGHTS {
        out = ramp(in.weight) * (0.62 + 0.38 * max(dot(facing, view.back.xyz), 0.0));
    } else if mode == SIDES {
        let side = select(vec3<f32>(0.62, 0.09, 0.05), vec3<f32>(0.16, 0.28, 0.42), is_front);
        out = encode(lit(side, facing, towards, 0.2, 0.03));
    } else if mode == PARTS {
        out = encode(lit(decode(part.colour.rgb), facing, towards, 0.25, 0.04));
    } else {
        out = encode(lit(clay, facing, towards, 0.3, 0.06));
    }
    return vec4<f32>(mix(out, view.line.rgb, part.colour.a), 1.0);
}

@fragment
fn wired(in: Corner) -> @location(0) vec4<f32> {
    return view.line;
}

@fragment
fn painted(in: Corner) -> @location(0) vec4<f32> {
    return in.colour;
}
