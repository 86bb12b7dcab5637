//! Reads the clock and draws ids; pure code takes both as arguments.

use std::time::{SystemTime, UNIX_EPOCH};
use uuid::Uuid;
use wiiiv_domain::Timestamp;

pub fn now() -> Timestamp {
    Timestamp::since_epoch(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

pub fn fresh<I: From<Uuid>>() -> I {
    I::from(Uuid::now_v7())
}

/// 128 random bits as 32 hexadecimal digits: the fence of one prompt.
pub fn fence() -> String {
    Uuid::new_v4().simple().to_string()
}
