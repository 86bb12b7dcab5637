//! The clock: read here, at the edge, and handed inwards.

use std::time::SystemTime;
use wiiiv_domain::Timestamp;

pub(crate) fn now() -> Timestamp {
    Timestamp::from_system(SystemTime::now())
}
