//! Authentication and authorization of requests.

pub(crate) mod attempts;
pub(crate) mod authorization;
pub(crate) mod caller;
pub(crate) mod credential;
pub(crate) mod demo_links;
pub(crate) mod loopback;
pub(crate) mod peer;
pub(crate) mod scoped;
pub(crate) mod still_held;
pub(crate) mod used_rights;
