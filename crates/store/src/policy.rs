//! Policy versions, as evidence.

pub(crate) mod overrides;
pub(crate) mod stage;
pub(crate) mod stamp;
pub(crate) mod version;
