//! Why a plan cannot be drawn: a slot and a code.

use wiiiv_domain::{NotDrawn, SlotName};

/// The target path cannot be used.
pub fn of_target(code: &str) -> Vec<NotDrawn> {
    of_slot(SlotName::TARGET_PATH, code)
}

pub fn of_slot(name: &str, code: &str) -> Vec<NotDrawn> {
    let slot = |name| NotDrawn::Slot { name, code: code.to_owned() };
    SlotName::parse(name).map(slot).into_iter().collect()
}
