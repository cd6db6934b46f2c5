//! Shaders are valid before any card sees them.

use wgpu::naga::front::wgsl;
use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};

#[test]
fn every_shader_is_valid() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gpu/shaders");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let source = std::fs::read_to_string(&path).unwrap();
        let module = wgsl::parse_str(&source)
            .unwrap_or_else(|error| panic!("{}: {}", path.display(), error.emit_to_string(&source)));
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
        validator.validate(&module).unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
        count += 1;
    }
    assert!(count > 0);
}
