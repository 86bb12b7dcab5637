//! The REST interface: axum routes below `/api/v2`, their wire forms, authentication and the
//! OpenAPI description.
//!
//! Handlers stay boring: they extract, authorise by the rows of [`RULES`], call the governor or the
//! store, and answer. Nothing is decided here.

mod address;
mod advice;
mod app;
mod attempts;
mod audit_check;
mod authorization;
mod caller;
mod credential;
mod days;
mod dto;
mod etag;
mod export;
mod headers;
mod idempotency;
mod inbox;
mod journal;
mod limits;
mod local_models;
mod loopback;
mod names;
mod next_key;
mod openapi;
mod page;
mod payload;
mod policy;
mod problem;
mod providers;
mod query;
mod readiness;
mod refusal;
mod registration;
mod review;
mod routes;
mod runs;
mod serve;
mod sse;
mod state;
mod streams;
mod telemetry;
mod titles;
mod trace;
mod ui;
mod waiting;

pub use app::router;
pub use authorization::{Object, RULES, Role, Rule};
pub use local_models::LocalPlaces;
pub use next_key::NextKey;
pub use openapi::openapi_json;
pub use problem::{Problem, ProblemCode};
pub use providers::{ModelPlaces, PROVIDER_KEYS, ProviderKey};
pub use serve::serve;
pub use state::{AppState, Demo, ServerConfig};
pub use telemetry::Figures;
pub use ui::Ui;
