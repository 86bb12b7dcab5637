//! Wire forms. Only versioned documents (policies, plans, previews) are sent as they are; all other
//! forms are defined here.

pub(crate) mod approval;
pub(crate) mod audit;
pub(crate) mod auth;
pub(crate) mod author;
pub(crate) mod blueprint;
pub(crate) mod event;
pub(crate) mod execution;
pub(crate) mod flow;
pub(crate) mod forecast;
pub(crate) mod form;
pub(crate) mod ghost;
pub(crate) mod graph;
pub(crate) mod halt;
pub(crate) mod impact;
pub(crate) mod known_model;
pub(crate) mod localized;
pub(crate) mod mirror;
pub(crate) mod model;
pub(crate) mod model_slot;
pub(crate) mod policy;
pub(crate) mod problem;
pub(crate) mod project;
pub(crate) mod qualification;
pub(crate) mod registration;
pub(crate) mod risk;
pub(crate) mod rollout;
pub(crate) mod rotation;
pub(crate) mod session;
pub(crate) mod setup;
pub(crate) mod suggestion;
pub(crate) mod system;
pub(crate) mod text;
pub(crate) mod usage;
pub(crate) mod user;
pub(crate) mod why;
