//! Reads the clock; no other module of this crate does.

use std::time::SystemTime;
use wiiiv_domain::Timestamp;

pub fn now() -> Timestamp {
    Timestamp::since_epoch(
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default(),
    )
}
