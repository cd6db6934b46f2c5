//! The vertices and triangles of a model on the graphics card.

use palimpsest_core::model::{Geometry, Vertex};

/// Bytes that are uploaded in one frame before the next one is waited for.
const UPLOAD: usize = 16 << 20;

/// Buffers of a model.
pub(super) struct Uploaded {
    pub(super) vertices: wgpu::Buffer,
    pub(super) indices: wgpu::Buffer,
    /// The edges of triangles, once they are asked for.
    pub(super) wires: Option<wgpu::Buffer>,
    pub(super) bytes: u64,
    pub(super) used: u64,
    /// How many bytes of the vertices, and of the indices behind them, are there.
    written: usize,
}

impl Uploaded {
    /// Room for a model.
    pub(super) fn new(device: &wgpu::Device, geometry: &Geometry) -> Self {
        let vertices = size_of::<Vertex>() * geometry.vertices.len();
        let indices = size_of::<u32>() * geometry.indices.len();
        Self {
            vertices: buffer(device, "mesh vertices", vertices, wgpu::BufferUsages::VERTEX),
            indices: buffer(device, "mesh indices", indices, wgpu::BufferUsages::INDEX),
            wires: None,
            bytes: (vertices + indices) as u64,
            used: 0,
            written: 0,
        }
    }

    /// Writes as much as one frame takes; whether everything is there.
    pub(super) fn write_some(&mut self, queue: &wgpu::Queue, geometry: &Geometry) -> bool {
        let vertices: &[u8] = bytemuck::cast_slice(&geometry.vertices);
        let indices: &[u8] = bytemuck::cast_slice(&geometry.indices);
        let mut left = UPLOAD;
        while left > 0 && self.written < vertices.len() + indices.len() {
            let (buffer, bytes, at) = match self.written.checked_sub(vertices.len()) {
                None => (&self.vertices, vertices, self.written),
                Some(at) => (&self.indices, indices, at),
            };
            let end = bytes.len().min(at + left);
            let Some(piece) = bytes.get(at..end) else { break };
            queue.write_buffer(buffer, at as u64, piece);
            self.written += piece.len();
            left -= piece.len();
        }
        self.written >= vertices.len() + indices.len()
    }

    /// Has the edges of all triangles, in their order: for three indices there are six.
    pub(super) fn need_wires(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, geometry: &Geometry) {
        if self.wires.is_some() {
            return;
        }
        let edges = |[a, b, c]: &[u32; 3]| [*a, *b, *b, *c, *c, *a];
        let edges: Vec<u32> = geometry.indices.as_chunks::<3>().0.iter().flat_map(edges).collect();
        let bytes: &[u8] = bytemuck::cast_slice(&edges);
        let wires = buffer(device, "mesh edges", bytes.len(), wgpu::BufferUsages::INDEX);
        queue.write_buffer(&wires, 0, bytes);
        self.bytes += bytes.len() as u64;
        self.wires = Some(wires);
    }
}

/// A buffer that is written later; one of no bytes has room for some all the same.
pub(super) fn buffer(
    device: &wgpu::Device,
    label: &str,
    bytes: usize,
    usage: wgpu::BufferUsages,
) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size: (bytes.max(16) as u64).next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT),
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}
