//! The demo services `skymall` and `skystock`: small real HTTP servers, each with its own log-in,
//! rows that are the same at every start, faults on demand and a log of every call. Beside them the
//! web site `testsite`, with a log and nothing to log in to.
//!
//! Doors for tests need no token and stand in no log: they are opened apart, at another port.

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
mod site;
mod skymall;
mod skymall_columns;
mod skystock;
mod skystock_columns;

pub use access::LogIn;
pub use call::{ServiceCall, TokenState};
pub use doors::Doors;
pub use fault::{Dropped, Fault, FaultError};
pub use plan::ServiceKind;
pub use service::DemoService;
pub use site::TestSite;
