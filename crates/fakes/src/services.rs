//! The demo services `skymall` and `skystock`: small HTTP servers, each with its own log-in, the same
//! rows at every start, faults on demand and a log of every call. Beside them the web site `testsite`,
//! with a log and without a log-in.
//!
//! Doors for tests (`doors.rs`) listen at a port of their own, need no token and are in no log.

mod access;
mod call;
mod create;
mod create_body;
mod doors;
mod fault;
mod filter;
mod kind;
mod middleware;
mod plan;
mod registration;
mod routes;
mod rows;
mod service;
mod service_state;
mod site;
mod skymall;
mod skymall_columns;
mod skystock;
mod skystock_columns;

pub use access::LogIn;
pub use call::{ServiceCall, TokenState};
pub use doors::Doors;
pub use fault::{Dropped, Fault, FaultError};
pub use kind::ServiceKind;
pub use middleware::LOG_IN_PATH;
pub use service::DemoService;
pub use site::TestSite;
