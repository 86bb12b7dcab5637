//! The demo services `skymall` and `skystock`: small real HTTP servers, each with its own log-in,
//! rows that are the same at every start, faults on demand and a log of every call.
//!
//! Paths that begin with `/__` are doors for tests: they need no token and stand in no log.

mod access;
mod call;
mod create;
mod doors;
mod fault;
mod gate;
mod plan;
mod registration;
mod routes;
mod rows;
mod service;
mod skymall;
mod skystock;

pub use access::LogIn;
pub use call::{ServiceCall, TokenState};
pub use fault::{Dropped, Fault, FaultError};
pub use plan::ServiceKind;
pub use service::DemoService;
