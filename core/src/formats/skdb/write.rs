//! The writer.

use super::{HEADER, VERSION};
use crate::asset::StringTable;
use crate::error::{Error, Result};

/// The file of a table, rows and texts as they are.
///
/// # Errors
/// `Limit` when there are more rows or units than 32 bits count.
pub fn write(table: &StringTable) -> Result<Vec<u8>> {
    let number = |name: &str, value: usize| {
        u32::try_from(value)
            .ok()
            .ok_or_else(|| Error::limit(format!("{value} {name} are more than a file can state")))
    };
    let (count, units) = (number("rows", table.len())?, number("units", table.unit_count())?);
    let mut out = Vec::with_capacity(HEADER as usize + 8 * table.len() + table.units.len());
    out.extend_from_slice(b"SKDB");
    for word in [VERSION, HEADER, count, 0, units, 0] {
        out.extend_from_slice(&word.to_le_bytes());
    }
    for row in &table.rows {
        out.extend_from_slice(&row.key.to_le_bytes());
        out.extend_from_slice(&row.start.to_le_bytes());
    }
    out.extend_from_slice(&table.units);
    Ok(out)
}
