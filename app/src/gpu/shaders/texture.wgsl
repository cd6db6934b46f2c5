// A texture on a rectangle: chosen level, chosen channels, a checkerboard behind alpha.

struct View {
    // Texels of the shown part, 0 to 1: left, top, right, bottom.
    part: vec4<f32>,
    // 1 for each channel that is shown.
    channels: vec4<f32>,
    // The two colours of the checkerboard.
    dark: vec4<f32>,
    light: vec4<f32>,
    // The level; the side of a square of the checkerboard in pixels; 1 to show the only channel as
    // grey; 1 when red alone stands for a grey texture.
    level: f32,
    square: f32,
    solo: f32,
    grey: f32,
    // The colours of differences, from none to the largest; what differences are multiplied by, 0 to
    // show a picture.
    ramp: array<vec4<f32>, 5>,
    heat: f32,
}

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

// The colour of a difference.
fn heat(difference: f32) -> vec4<f32> {
    let place = clamp(difference * view.heat, 0.0, 1.0) * 4.0;
    let at = min(u32(place), 3u);
    return vec4<f32>(mix(view.ramp[at].rgb, view.ramp[at + 1u].rgb, place - f32(at)), 1.0);
}

@fragment
fn pixel(in: Corner) -> @location(0) vec4<f32> {
    var texel = textureSampleLevel(image, sampling, in.uv, view.level);
    if view.heat > 0.0 {
        let shown = texel * view.channels;
        return heat(max(max(shown.r, shown.g), max(shown.b, shown.a)));
    }
    if view.grey > 0.5 {
        texel = vec4<f32>(texel.rrr, 1.0);
    }
    if view.solo > 0.5 {
        let value = dot(texel, view.channels);
        return vec4<f32>(vec3<f32>(value), 1.0);
    }
    let colour = texel.rgb * view.channels.rgb;
    let cell = floor(in.position.xy / view.square);
    let odd = (cell.x + cell.y) - 2.0 * floor((cell.x + cell.y) * 0.5);
    let ground = mix(view.dark.rgb, view.light.rgb, odd);
    let alpha = mix(1.0, clamp(texel.a, 0.0, 1.0), view.channels.a);
    return vec4<f32>(mix(ground, colour, alpha), 1.0);
}
