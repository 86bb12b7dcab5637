//! Reads the clock; inner code takes the time as an argument.

use std::time::{SystemTime, UNIX_EPOCH};
use wiiiv_domain::Timestamp;

pub(crate) fn now() -> Timestamp {
    Timestamp::since_epoch(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}
