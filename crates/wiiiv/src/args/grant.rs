//! `approvals grant`: a yes that is said beforehand.

use crate::{
    args::{
        project::ProjectArg,
        words::{instant, outside, within},
    },
    short_id::IdArg,
};
use clap::Args;
use wiiiv_domain::{GRANT_SECONDS_MAX, GRANT_USES_MAX, Timestamp};

const DAY_SECONDS: u32 = 24 * 60 * 60;

#[derive(Debug, Args)]
pub struct GrantArgs {
    pub approval: IdArg,
    #[arg(long, id = "grant_step", value_name = "STEP")]
    pub step: Option<String>,
    #[arg(long, id = "grant_holder", value_name = "USER")]
    pub holder: Option<String>,
    #[arg(long, id = "grant_uses", value_name = "COUNT", value_parser = within(1..=GRANT_USES_MAX))]
    pub uses: u32,
    #[arg(long, id = "grant_from", value_name = "TIME", value_parser = instant)]
    pub from: Option<Timestamp>,
    #[arg(long, id = "grant_lasts", value_name = "TIME", value_parser = seconds)]
    pub lasts: u32,
}

#[derive(Debug, Args)]
pub struct RevokeGrantArgs {
    pub grant: IdArg,
    #[command(flatten)]
    pub project: ProjectArg,
}

/// `90m`, `8h` or `7d`, at most 30 days.
fn seconds(text: &str) -> Result<u32, String> {
    let days_max = GRANT_SECONDS_MAX / i64::from(DAY_SECONDS);
    let wrong = || outside(text, &format!("1m..={days_max}d"));
    let (number, unit) = text.split_at_checked(text.len().saturating_sub(1)).ok_or_else(wrong)?;
    let unit = match unit {
        "m" => 60,
        "h" => 60 * 60,
        "d" => DAY_SECONDS,
        _ => return Err(wrong()),
    };
    let seconds = number.parse::<u32>().ok().and_then(|number| number.checked_mul(unit));
    let fits = |seconds: &u32| (1..=GRANT_SECONDS_MAX).contains(&i64::from(*seconds));
    seconds.filter(fits).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn a_time_has_a_unit_and_a_bound() {
        assert_eq!(seconds("90m"), Ok(5_400));
        assert_eq!(seconds("30d"), Ok(2_592_000));
        for wrong in ["", "d", "8", "0h", "31d", "721h", "1w", "-1h", "시", "8 h", "99999999999d"]
        {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
