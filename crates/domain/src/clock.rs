//! An instant, passed as an argument: nothing in rings 0 and 1 reads a clock.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{fmt, str::FromStr, time::Duration};
use time::{OffsetDateTime, format_description::well_known::Rfc3339, macros::format_description};

/// Milliseconds since the Unix epoch, UTC. Written as RFC 3339 with three decimals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// The text is not a time; holds its first 64 characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not an RFC 3339 time: `{0}`")]
pub struct TimestampError(String);

impl Timestamp {
    /// From milliseconds since the Unix epoch.
    #[must_use]
    pub const fn from_unix_ms(ms: i64) -> Self {
        Self(ms)
    }
    /// Milliseconds since the Unix epoch; negative before 1970.
    #[must_use]
    pub const fn unix_ms(self) -> i64 {
        self.0
    }
    /// From the time since the epoch, which a caller in rings 2 to 6 has read.
    #[must_use]
    pub fn since_epoch(elapsed: Duration) -> Self {
        Self(i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
    }
    /// This instant moved by `seconds`, saturating.
    #[must_use]
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(1000)))
    }
    /// Whole milliseconds from `earlier` to `self`; 0 where the clock went backwards.
    #[must_use]
    pub fn since_ms(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }
    /// The UTC day, such as `2026-11-21`: the key of a budget's day window.
    #[must_use]
    pub fn utc_day(self) -> String {
        self.datetime().date().to_string()
    }
    /// The UTC month, as `YYYY-MM`.
    #[must_use]
    pub fn utc_month(self) -> String {
        let date = self.datetime().date();
        format!("{:04}-{:02}", date.year(), u8::from(date.month()))
    }
    /// The hour of the UTC day, 0 to 23.
    #[must_use]
    pub fn utc_hour(self) -> u8 {
        self.datetime().hour()
    }
    /// The day of the UTC week: 1 is Monday, 7 Sunday.
    #[must_use]
    pub fn utc_weekday(self) -> u8 {
        self.datetime().weekday().number_from_monday()
    }
    /// The beginning of a UTC day that is written `2026-11-21`.
    pub fn of_utc_day(day: &str) -> Result<Self, TimestampError> {
        const CHARS: usize = 10;
        let midnight = format!("{day}T00:00:00Z").parse();
        if day.len() == CHARS {
            midnight
        } else {
            Err(TimestampError(day.chars().take(64).collect()))
        }
    }
    fn datetime(self) -> OffsetDateTime {
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000_000)
            .unwrap_or(OffsetDateTime::UNIX_EPOCH)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = format_description!(
            "[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z"
        );
        let text = self.datetime().format(form).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;
    fn from_str(text: &str) -> Result<Self, TimestampError> {
        let refuse = || TimestampError(text.chars().take(64).collect());
        let at = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| refuse())?;
        i64::try_from(at.unix_timestamp_nanos() / 1_000_000).map(Self).map_err(|_| refuse())
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_and_reads_rfc_3339() {
        let at = Timestamp::from_unix_ms(1_795_232_682_123);
        assert_eq!(at.to_string(), "2026-11-21T03:44:42.123Z");
        assert_eq!(at.to_string().parse::<Timestamp>(), Ok(at));
        assert_eq!((at.utc_day().as_str(), at.utc_month().as_str()), ("2026-11-21", "2026-11"));
        assert_eq!((at.utc_hour(), at.utc_weekday()), (3, 6), "a Saturday");
        let midnight = Timestamp::of_utc_day("2026-11-21").map(|day| day.to_string());
        assert_eq!(midnight.as_deref(), Ok("2026-11-21T00:00:00.000Z"));
        for odd in ["", "2026-11", "2026-02-30", "2026-11-21T00:00:00Z", "21.11.2026"] {
            assert!(Timestamp::of_utc_day(odd).is_err(), "{odd}");
        }
        assert!("yesterday".parse::<Timestamp>().is_err());
    }
}
