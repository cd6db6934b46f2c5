//! Writing bits in the orders that the readers read.

/// Writes the first bit of a value on top.
#[derive(Debug, Default)]
pub(in super::super) struct Msb {
    bytes: Vec<u8>,
    /// Bits that make no byte yet, the newest at the bottom.
    left: u64,
    count: u32,
}

impl Msb {
    /// Appends the low `bits` of a value, at most 32.
    pub(in super::super) fn put(&mut self, value: usize, bits: u32) {
        self.left = self.left << bits | (value as u64 & ((1 << bits) - 1));
        self.count += bits;
        while self.count >= 8 {
            self.count -= 8;
            self.bytes.push((self.left >> self.count) as u8);
        }
    }

    /// Appends a value behind as many zeros as it has bits below its top bit, less `free`.
    pub(in super::super) fn put_with_zeros(&mut self, value: usize, free: u32) {
        let bits = usize::BITS - value.leading_zeros();
        self.put(0, bits - 1 - free);
        self.put(value, bits);
    }

    /// Appends zeros and a one.
    pub(in super::super) fn put_unary(&mut self, zeros: usize) {
        for _ in 0..zeros {
            self.put(0, 1);
        }
        self.put(1, 1);
    }

    /// The bytes, the last one filled up with zeros.
    pub(in super::super) fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.put(0, 8 - self.count);
        }
        self.bytes
    }

    /// The bytes for a reader that starts at the back.
    pub(in super::super) fn finish_backward(self) -> Vec<u8> {
        let mut bytes = self.finish();
        bytes.reverse();
        bytes
    }
}

/// Writes the first bit of a value at the bottom.
#[derive(Debug, Default)]
pub(in super::super) struct Lsb {
    bytes: Vec<u8>,
    left: u64,
    count: u32,
}

impl Lsb {
    /// Appends the low `bits` of a value, at most 32.
    pub(in super::super) fn put(&mut self, value: u32, bits: u32) {
        self.left |= u64::from(value) << self.count;
        self.count += bits;
        while self.count >= 8 {
            self.bytes.push(self.left as u8);
            self.left >>= 8;
            self.count -= 8;
        }
    }

    /// The bytes, the last one filled up with zeros.
    pub(in super::super) fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push(self.left as u8);
        }
        self.bytes
    }
}
