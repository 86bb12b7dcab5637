//! Conversion between unsigned counts and the database's signed integers.

use crate::error::StoreError;

/// Amounts and counts beyond this are refused: sums of a few of them still fit the database.
pub(crate) const COUNT_MAX: u64 = 1 << 60;
/// The most that one call counts for, whatever its provider says: sums of half a million of them are exact.
pub(crate) const CALL_COUNT_MAX: u64 = 1 << 44;

pub(crate) fn to_db(count: u64) -> Result<i64, StoreError> {
    i64::try_from(count)
        .ok()
        .filter(|_| count <= COUNT_MAX)
        .ok_or(StoreError::TooLarge { what: "a count", max: COUNT_MAX })
}

/// A column that a check keeps from being negative.
pub(crate) fn from_db(count: i64) -> u64 {
    u64::try_from(count).unwrap_or(0)
}
