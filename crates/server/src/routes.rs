//! One file for each noun. Handlers extract, authorize, call and answer.

pub(crate) mod approvals;
pub(crate) mod audit;
pub(crate) mod auth;
pub(crate) mod blueprints;
pub(crate) mod demo;
pub(crate) mod events;
pub(crate) mod executions;
pub(crate) mod ghost;
pub(crate) mod halts;
pub(crate) mod keys;
pub(crate) mod messages;
pub(crate) mod models;
pub(crate) mod passwords;
pub(crate) mod policy;
pub(crate) mod projects;
pub(crate) mod receipts;
pub(crate) mod rotation;
pub(crate) mod sessions;
pub(crate) mod setup;
pub(crate) mod suggestions;
pub(crate) mod system;
pub(crate) mod systems;
pub(crate) mod tokens;
pub(crate) mod usage;
pub(crate) mod users;
pub(crate) mod why;
