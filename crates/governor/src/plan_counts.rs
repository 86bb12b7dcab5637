//! How many plans each person has had drawn within the hour: plans are kept for good, and one person
//! must not fill the disk with them.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};
use wiiiv_domain::{Timestamp, UserId};

/// Plans of one person in an hour by the clock. Since the server's start: nothing is read for it.
pub const PLANS_PER_HOUR_MAX: u32 = 6_000;
const HOUR_MS: i64 = 3_600_000;

#[derive(Debug, Default)]
pub struct PlanCounts(Mutex<Hour>);

/// Of those who had any drawn in it: the next hour begins without them.
#[derive(Debug, Default)]
struct Hour {
    nth: i64,
    drawn: HashMap<UserId, u32>,
}

impl Hour {
    fn turn_to(&mut self, now: Timestamp) {
        let nth = now.unix_ms() / HOUR_MS;
        if nth != self.nth {
            *self = Self { nth, drawn: HashMap::new() };
        }
    }
}

impl PlanCounts {
    pub fn note(&self, user: UserId, now: Timestamp) {
        let mut hour = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hour.turn_to(now);
        let drawn = hour.drawn.entry(user).or_default();
        *drawn = drawn.saturating_add(1);
    }

    /// Where there is none left for this person: seconds until the next hour.
    pub fn wait(&self, user: UserId, now: Timestamp) -> Option<u64> {
        let mut hour = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hour.turn_to(now);
        let drawn = hour.drawn.get(&user).copied().unwrap_or_default();
        let left = HOUR_MS - now.unix_ms() % HOUR_MS;
        (drawn >= PLANS_PER_HOUR_MAX).then(|| u64::try_from(left).unwrap_or(0).div_ceil(1_000))
    }
}

#[cfg(test)]
mod tests {
    use super::{PLANS_PER_HOUR_MAX, PlanCounts};
    use uuid::Uuid;
    use wiiiv_domain::{Timestamp, UserId};

    #[test]
    fn a_person_waits_for_the_next_hour_and_nobody_else_does() {
        let counts = PlanCounts::default();
        let [kim, lee] = [1, 2].map(|id| UserId::from(Uuid::from_u128(id)));
        let now = Timestamp::from_unix_ms(3_600_000 * 500 + 600_000);
        for _ in 0..PLANS_PER_HOUR_MAX {
            assert_eq!(counts.wait(kim, now), None);
            counts.note(kim, now);
        }
        assert_eq!(counts.wait(kim, now), Some(3_000));
        assert_eq!(counts.wait(lee, now), None);
        assert_eq!(counts.wait(kim, now.plus_seconds(3_000)), None);
    }
}
