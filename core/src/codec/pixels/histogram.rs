//! How often each value occurs in a level of a texture.

use super::decode_rgba32f;
use crate::asset::PixelFormat;
use crate::error::{Error, Result};
use crate::task::Task;

/// Parts that the range of values is divided into: one for each value of 8 bits.
pub const PARTS: usize = 256;

/// Pixels that are decoded at once.
const BAND: u64 = 1 << 20;

/// How often values occur in each channel of a level, as they are stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The value in the middle of the first part.
    pub low: f32,
    /// The value in the middle of the last part.
    pub high: f32,
    /// Red, green, blue, alpha. A channel that the format lacks has one value in all pixels.
    pub channels: [Channel; 4],
}

/// One channel of a [`Histogram`].
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Pixels in each part of the range, lowest values first.
    pub counts: [u64; PARTS],
    /// The least value; above `most` where the channel has no finite value.
    pub least: f32,
    /// The largest value.
    pub most: f32,
    /// Pixels whose value is infinite or not a number; they are in no part.
    pub odd: u64,
}

impl Histogram {
    /// Counts the values of one level of `width × height` pixels.
    ///
    /// The range is 0 to 1, and more where floats lie outside it. Rows are decoded some at a time, so that
    /// memory is bounded whatever the size of the level; floats are decoded twice.
    ///
    /// # Errors
    /// `Malformed` when `data` is shorter than the level, or the level has no pixel; `Cancelled`.
    pub fn of(format: PixelFormat, width: u32, height: u32, data: &[u8], task: &Task) -> Result<Self> {
        let mut counted = Self { low: 0.0, high: 1.0, channels: std::array::from_fn(|_| Channel::new()) };
        if format.is_float() {
            bands(format, width, height, data, task, |pixels| {
                for value in pixels.iter().filter(|value| value.is_finite()) {
                    counted.low = counted.low.min(*value);
                    counted.high = counted.high.max(*value);
                }
            })?;
        }
        bands(format, width, height, data, task, |pixels| {
            for pixel in pixels.as_chunks::<4>().0 {
                for (channel, value) in counted.channels.iter_mut().zip(pixel) {
                    channel.add(*value, counted.low, counted.high);
                }
            }
        })?;
        Ok(counted)
    }

    /// The part that a value falls into, between the first and the last.
    pub fn part(&self, value: f32) -> usize {
        part(value, self.low, self.high)
    }

    /// The value in the middle of a part.
    pub fn value(&self, part: usize) -> f32 {
        let place = part.min(PARTS - 1) as f32 / (PARTS - 1) as f32;
        self.low * (1.0 - place) + self.high * place
    }
}

impl Channel {
    const fn new() -> Self {
        Self { counts: [0; PARTS], least: f32::INFINITY, most: f32::NEG_INFINITY, odd: 0 }
    }

    fn add(&mut self, value: f32, low: f32, high: f32) {
        if !value.is_finite() {
            self.odd += 1;
            return;
        }
        self.least = self.least.min(value);
        self.most = self.most.max(value);
        if let Some(count) = self.counts.get_mut(part(value, low, high)) {
            *count += 1;
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255 by then")]
fn part(value: f32, low: f32, high: f32) -> usize {
    // Halves, so that the largest floats do not overflow.
    let place = (value * 0.5 - low * 0.5) / (high * 0.5 - low * 0.5);
    (place.clamp(0.0, 1.0) * (PARTS - 1) as f32).round() as usize
}

/// Decodes a level some rows at a time.
fn bands(
    format: PixelFormat,
    width: u32,
    height: u32,
    data: &[u8],
    task: &Task,
    mut each: impl FnMut(&[f32]),
) -> Result<()> {
    let row = format.level_size(width, 1, 1);
    let side = format.block_px();
    let rows = u32::try_from(BAND / u64::from(width.max(1))).unwrap_or(u32::MAX).next_multiple_of(side);
    let mut top = 0;
    while top < height.max(1) {
        task.check()?;
        let rows = rows.max(side).min(height - top);
        let start = row.saturating_mul(u64::from(top / side));
        let rest = usize::try_from(start).ok().and_then(|start| data.get(start..));
        let missing = || Error::malformed(format!("the level ends before row {top} of {height}"));
        each(&decode_rgba32f(format, width, rows, rest.ok_or_else(missing)?)?);
        top += rows.max(1);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(format: PixelFormat, width: u32, height: u32, data: &[u8]) -> Result<Histogram> {
        Histogram::of(format, width, height, data, &Task::new())
    }

    #[test]
    fn every_value_of_8_bits_has_a_part_of_its_own() {
        let data: Vec<u8> = (0..=255).chain([7, 7]).collect();
        let counted = count(PixelFormat::R8Unorm, 258, 1, &data).unwrap();
        let [red, green, ..] = &counted.channels;
        assert_eq!((red.counts[7], red.counts[0], red.counts[255]), (3, 1, 1));
        assert_eq!((red.least, red.most, red.odd), (0.0, 1.0, 0));
        assert_eq!(green.counts[0], 258);
        assert_eq!(
            (0..PARTS).map(|at| counted.part(counted.value(at))).collect::<Vec<_>>(),
            (0..PARTS).collect::<Vec<_>>()
        );
    }

    #[test]
    fn floats_widen_the_range_and_odd_ones_are_counted_apart() {
        let data: Vec<u8> =
            [-3.0, 0.5, 40.0, f32::NAN, f32::INFINITY].iter().flat_map(|value| value.to_le_bytes()).collect();
        let counted = count(PixelFormat::R32Float, 5, 1, &data).unwrap();
        assert_eq!((counted.low, counted.high), (-3.0, 40.0));
        let [red, ..] = &counted.channels;
        assert_eq!((red.least, red.most, red.odd), (-3.0, 40.0, 2));
        assert_eq!(red.counts.iter().sum::<u64>(), 3);
        let widest: Vec<u8> = [f32::MIN, f32::MAX].iter().flat_map(|value| value.to_le_bytes()).collect();
        let counted = count(PixelFormat::R32Float, 2, 1, &widest).unwrap();
        assert_eq!((counted.channels[0].counts[0], counted.channels[0].counts[PARTS - 1]), (1, 1));
        assert!(counted.value(17).is_finite());
    }

    #[test]
    fn bands_count_as_much_as_the_whole() {
        // More rows than one band, the last of them part of a block.
        let (width, height) = (1 << 14, 131);
        let size = usize::try_from(PixelFormat::Bc4Unorm.level_size(width, height, 1)).unwrap();
        let data: Vec<u8> = (0..=250).map(|at: u8| at.wrapping_mul(31)).cycle().take(size).collect();
        let counted = count(PixelFormat::Bc4Unorm, width, height, &data).unwrap();
        let mut whole = [0; PARTS];
        for pixel in decode_rgba32f(PixelFormat::Bc4Unorm, width, height, &data).unwrap().as_chunks::<4>().0 {
            whole[counted.part(pixel[0])] += 1;
        }
        assert_eq!(counted.channels[0].counts, whole);
    }

    #[test]
    fn what_is_too_short_or_empty_is_an_error() {
        for (width, height, length) in [(0, 4, 16), (4, 0, 16), (4, 4, 15), (1 << 20, 5, 4 << 20)] {
            assert!(count(PixelFormat::R8Unorm, width, height, &vec![0; length]).is_err());
        }
    }

    #[test]
    fn counting_can_be_cancelled() {
        let task = Task::new();
        task.cancel();
        let error = Histogram::of(PixelFormat::R8Unorm, 1, 1, &[0], &task).unwrap_err();
        assert!(error.is_cancelled());
    }
}
