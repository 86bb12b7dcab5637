//! Values of options: words of a closed list, values by their names, and times.

use crate::clock;
use clap::{
    ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};
use std::{fmt::Display, ops::RangeInclusive, str::FromStr};
use wiiiv_domain::Timestamp;
use wiiiv_governor::IMPACT_DAYS_MAX;

/// Further on a time is written whole.
const AHEAD_MAX: i64 = 100_000;

/// Takes the words of these values, and no others.
pub fn one_of<T, const N: usize>(
    values: [T; N],
    word: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    PossibleValuesParser::new(values.map(word)).try_map(move |given| {
        values.into_iter().find(|value| word(*value) == given).ok_or("none of these words")
    })
}

/// A value by its name, as options take it.
pub fn named_value(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("write it as `name=value`")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

/// As clap says it of numbers of its own: the range is told in the reader's language (`misuse`).
pub fn outside(text: &str, range: &str) -> String {
    format!("{text} is not in {range}")
}

/// As [`outside`], of times, which are written whole as well.
fn no_time(text: &str, range: &str) -> String {
    format!("{text} is no time nor in {range}")
}

/// A number of that range. Unlike clap's own parser it names the range whatever is given.
pub fn within<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: Copy + Display + FromStr + PartialOrd + Send + Sync + 'static,
{
    move |text: &str| {
        let number = text.parse::<T>().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| outside(text, &format!("{}..={}", range.start(), range.end())))
    }
}

/// `30d`, or `30`: as far as the server looks back.
pub fn days(text: &str) -> Result<u32, String> {
    within(0..=IMPACT_DAYS_MAX)(text.strip_suffix('d').unwrap_or(text))
}

/// The word that stands for a value, where the server calls it the same.
pub fn word(value: &impl ValueEnum) -> String {
    let named = value.to_possible_value();
    named.map(|named| named.get_name().to_owned()).unwrap_or_default()
}

/// RFC 3339, or one day or hour from now or more. The server says how far ahead it may be.
pub fn instant(text: &str) -> Result<Timestamp, String> {
    let from_now = |unit: char, seconds: i64| {
        let count: i64 = text.strip_suffix(unit)?.parse().ok()?;
        let ahead = (1..=AHEAD_MAX).contains(&count).then(|| count.saturating_mul(seconds))?;
        Some(clock::now().plus_seconds(ahead))
    };
    let found = from_now('d', 24 * 60 * 60).or_else(|| from_now('h', 60 * 60));
    found.or_else(|| text.parse().ok()).ok_or_else(|| no_time(text, &format!("1h..={AHEAD_MAX}d")))
}

#[cfg(test)]
mod tests {
    use super::instant;

    #[test]
    fn a_time_is_written_whole_or_counted_from_now() {
        let noon = instant("2026-12-24T12:00:00+09:00").unwrap();
        assert_eq!(noon.to_string(), "2026-12-24T03:00:00.000Z");
        let (day, hour) = (instant("1d").unwrap(), instant("1h").unwrap());
        let hours = day.since_ms(hour) / 3_600_000;
        assert!((22..=23).contains(&hours), "{hours}");
        for wrong in ["", "d", "-1d", "0d", "0h", "7", "tomorrow", "2026-12-24", "100001d"] {
            assert!(instant(wrong).is_err(), "{wrong}");
        }
    }
}
