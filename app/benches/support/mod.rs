//! What the benchmarks of the window have in common: numbers that are told.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in a list")]

/// The value that a share of all values, 0 to 1, does not exceed.
pub(crate) fn quantile(values: impl Iterator<Item = f64>, share: f64) -> f64 {
    let mut sorted: Vec<_> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted[((sorted.len() - 1) as f64 * share) as usize]
}
