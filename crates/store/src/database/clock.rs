//! The clock: read here, at the edge, and handed inwards.

use std::time::{SystemTime, UNIX_EPOCH};
use wiiiv_domain::Timestamp;

pub(crate) fn now() -> Timestamp {
    Timestamp::since_epoch(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}
