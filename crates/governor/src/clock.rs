//! Reads the clock and draws ids; pure code takes both as arguments.

use std::time::{SystemTime, UNIX_EPOCH};
use uuid::Uuid;
use wiiiv_domain::{Salt, Timestamp};

pub fn now() -> Timestamp {
    Timestamp::since_epoch(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

pub fn fresh<I: From<Uuid>>() -> I {
    I::from(Uuid::now_v7())
}

/// For texts that nobody is to guess from their digests.
pub fn salt() -> Salt {
    Salt::from_bytes(*Uuid::new_v4().as_bytes())
}

/// 128 random bits as 32 hexadecimal digits: the fence of one prompt.
pub fn fence() -> String {
    Uuid::new_v4().simple().to_string()
}
