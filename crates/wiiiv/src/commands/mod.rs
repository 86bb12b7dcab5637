//! One file a command.

pub mod approvals;
pub mod audit;
pub mod audit_list;
pub mod chat;
pub mod completions;
pub mod config;
pub mod decide;
pub mod doctor;
pub mod executions;
pub mod ghost;
pub mod init;
pub mod keys;
pub mod login;
pub mod models;
pub mod outcome;
pub mod policy;
pub mod projects;
pub mod rotation;
pub mod sessions;
pub mod systems;
pub mod tokens;
pub mod trial;
pub mod understand;
pub mod usage;
pub mod users;
pub mod verify;
