//! One file a table; `migrations/sql` says what the columns mean.

pub(crate) mod account;
pub(crate) mod approval;
pub(crate) mod audit_checkpoint;
pub(crate) mod audit_head;
pub(crate) mod audit_record;
pub(crate) mod blueprint;
pub(crate) mod blueprint_text;
pub(crate) mod budget;
pub(crate) mod execution;
pub(crate) mod ghost_result;
pub(crate) mod hold;
pub(crate) mod idempotency;
pub(crate) mod member;
pub(crate) mod model_call;
pub(crate) mod opinion;
pub(crate) mod policy_head;
pub(crate) mod policy_version;
pub(crate) mod project;
pub(crate) mod secret;
pub(crate) mod session;
pub(crate) mod session_event;
pub(crate) mod setup;
pub(crate) mod step_attempt;
pub(crate) mod step_output;
pub(crate) mod system;
pub(crate) mod token;
