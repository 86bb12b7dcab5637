//! `ghost`: the demo services, and the scenarios that speak to them.

pub mod coverage;
pub mod list;
mod progress;
pub mod report;
mod results;
pub mod run;
mod select;
pub mod services;
