//! Client of a wiiiv server, for the command line and for scenario players.

pub(crate) mod call;
pub(crate) mod client;
pub(crate) mod error;
pub(crate) mod problem;
pub(crate) mod reply;
