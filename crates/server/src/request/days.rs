//! A range of UTC days in a query, both days included.

use crate::problem::{Problem, ProblemCode};
use wiiiv_domain::Timestamp;

pub(crate) const DAY_SECONDS: i64 = 24 * 3600;
const NO_DAY: &str = "a day of the calendar is written like `2026-01-31`";
const LAST_BEFORE_FIRST: &str = "the first day is after the last one";

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

/// The beginnings of the first and the last day: up to today, and so many days, where the query names none.
pub(crate) fn span(
    (from, until): (Option<&str>, Option<&str>),
    now: Timestamp,
    (default, most): (i64, i64),
) -> Result<(Timestamp, Timestamp), Problem> {
    let today = day("until", &now.utc_day())?;
    let last = until.map_or(Ok(today), |text| day("until", text))?;
    let first = match from {
        Some(text) => day("from", text)?,
        None => last.plus_seconds(-DAY_SECONDS * (default - 1)),
    };
    if first > last {
        return Err(odd("from", LAST_BEFORE_FIRST));
    }
    if last > first.plus_seconds(DAY_SECONDS * (most - 1)) {
        return Err(odd("from", &format!("at most `{most}` days at once")));
    }
    Ok((first, last))
}

/// The beginning of a day.
fn day(parameter: &str, text: &str) -> Result<Timestamp, Problem> {
    Timestamp::of_utc_day(text).map_err(|_| odd(parameter, NO_DAY))
}

pub(crate) fn odd(parameter: &str, reason: &str) -> Problem {
    Problem::new(ProblemCode::InvalidQuery).with("parameter", parameter).with("reason", reason)
}
