//! A range of UTC days in a query, both days included.

use crate::problem::{Problem, ProblemCode};
use wiiiv_domain::Timestamp;

pub(crate) const DAY_SECONDS: i64 = 24 * 3600;
const NO_DAY: &str = "a day of the calendar is written like `2026-01-31`";
pub(crate) const LAST_BEFORE_FIRST: &str = "the first day is after the last one";

/// From the beginning of the first day to that of the day behind the last one.
pub(crate) fn between(
    from: Option<&str>,
    until: Option<&str>,
) -> Result<(Option<Timestamp>, Option<Timestamp>), Problem> {
    let from = from.map(|text| day("from", text)).transpose()?;
    let last = until.map(|text| day("until", text)).transpose()?;
    if from.zip(last).is_some_and(|(from, last)| from > last) {
        return Err(odd("from", LAST_BEFORE_FIRST));
    }
    Ok((from, last.map(|last| last.plus_seconds(DAY_SECONDS))))
}

/// The beginning of a day.
pub(crate) fn day(parameter: &str, text: &str) -> Result<Timestamp, Problem> {
    Timestamp::of_utc_day(text).map_err(|_| odd(parameter, NO_DAY))
}

pub(crate) fn odd(parameter: &str, reason: &str) -> Problem {
    Problem::new(ProblemCode::InvalidQuery).with("parameter", parameter).with("reason", reason)
}
