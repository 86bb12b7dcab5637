//! `approvals delegate` and `undelegate`: a right to approve, lent for a time.

use crate::{
    args::{project::ProjectArg, words::outside},
    clock,
    short_id::IdArg,
};
use clap::Args;
use wiiiv_domain::Timestamp;

/// Further on a time is written whole.
const AHEAD_MAX: i64 = 100_000;

#[derive(Debug, Args)]
pub struct DelegateArgs {
    #[arg(id = "delegate_to", value_name = "USER")]
    pub to: String,
    #[arg(id = "delegation_until", long = "until", value_name = "TIME", value_parser = instant)]
    pub until: Timestamp,
    #[arg(id = "delegation_from", long = "from", value_name = "TIME", value_parser = instant)]
    pub from: Option<Timestamp>,
    #[arg(id = "delegation_reason", long = "reason", value_name = "TEXT")]
    pub reason: String,
    #[command(flatten)]
    pub project: ProjectArg,
}

#[derive(Debug, Args)]
pub struct UndelegateArgs {
    pub delegation: IdArg,
    #[command(flatten)]
    pub project: ProjectArg,
}

/// RFC 3339, or days or hours from now. The server says how long a delegation lasts at most.
fn instant(text: &str) -> Result<Timestamp, String> {
    let from_now = |unit: char, seconds: i64| {
        let count: i64 = text.strip_suffix(unit)?.parse().ok()?;
        let ahead = (0..=AHEAD_MAX).contains(&count).then(|| count.saturating_mul(seconds))?;
        Some(clock::now().plus_seconds(ahead))
    };
    let found = from_now('d', 24 * 60 * 60).or_else(|| from_now('h', 60 * 60));
    found.or_else(|| text.parse().ok()).ok_or_else(|| outside(text, &format!("0h..={AHEAD_MAX}d")))
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
        for wrong in ["", "d", "-1d", "7", "tomorrow", "2026-12-24", "100001d"] {
            assert!(instant(wrong).is_err(), "{wrong}");
        }
    }
}
