//! `ghost`: the demo services, and the scenarios that use them.

pub mod coverage;
pub mod list;
mod live;
mod progress;
pub mod record;
pub mod report;
mod results;
pub mod rules;
pub mod run;
pub mod runner_keys;
mod select;
pub mod services;
