//! A range of UTC days in a query, both days included.

use crate::problem::{Problem, ProblemCode};
use wiiiv_domain::Timestamp;

const DAY_SECONDS: i64 = 24 * 3600;
const NO_DAY: &str = "a day of the calendar is written like `2026-01-31`";

/// From the beginning of the first day to that of the day behind the last one.
pub(crate) fn between(
    from: Option<&str>,
    until: Option<&str>,
) -> Result<(Option<Timestamp>, Option<Timestamp>), Problem> {
    let day = |name: &str, text: Option<&str>| {
        let read = text.map(|text| Timestamp::of_utc_day(text).map_err(|_| odd(name, NO_DAY)));
        read.transpose()
    };
    let (from, last) = (day("from", from)?, day("until", until)?);
    if from.zip(last).is_some_and(|(from, last)| from > last) {
        return Err(odd("from", "the first day is after the last one"));
    }
    Ok((from, last.map(|last| last.plus_seconds(DAY_SECONDS))))
}

fn odd(parameter: &str, reason: &str) -> Problem {
    Problem::new(ProblemCode::InvalidQuery).with("parameter", parameter).with("reason", reason)
}
