//! Constructors of reasons why nothing was drawn.

use wiiiv_domain::{NotDrawn, SlotName};

/// `name` is one of the slot names of `SlotName`.
pub(super) fn slot(name: &'static str, code: &str) -> NotDrawn {
    match SlotName::parse(name) {
        Ok(name) => NotDrawn::Slot { name, code: code.to_owned() },
        // Not a slot's name: said as what it is, so that nothing is lost.
        Err(_) => NotDrawn::OutsideEnvelope { what: name.to_owned() },
    }
}

/// Both parts, or every reason that one of them has.
pub(super) fn both<A, B>(
    first: Result<A, NotDrawn>,
    second: Result<B, NotDrawn>,
) -> Result<(A, B), Vec<NotDrawn>> {
    match (first, second) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(one), Err(two)) => Err(vec![one, two]),
        (Err(only), Ok(_)) | (Ok(_), Err(only)) => Err(vec![only]),
    }
}
