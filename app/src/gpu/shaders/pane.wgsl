// A picture that was drawn apart, over a rectangle; its colours are multiplied by alpha already.

@group(0) @binding(0) var image: texture_2d<f32>;
@group(0) @binding(1) var sampling: sampler;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn corner(@builtin(vertex_index) index: u32) -> Corner {
    let unit = vec2<f32>(f32(index & 1u), f32(index >> 1u));
    var out: Corner;
    out.position = vec4<f32>(unit.x * 2.0 - 1.0, 1.0 - unit.y * 2.0, 0.0, 1.0);
    out.uv = unit;
    return out;
}

@fragment
fn pixel(in: Corner) -> @location(0) vec4<f32> {
    return textureSampleLevel(image, sampling, in.uv, 0.0);
}
