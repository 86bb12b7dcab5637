//! One file a command.

pub mod approvals;
pub mod audit;
pub mod chat;
pub mod completions;
pub mod config;
pub mod decide;
pub mod doctor;
pub mod executions;
pub mod login;
pub mod policy;
pub mod sessions;
pub mod verify;
