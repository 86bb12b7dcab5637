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
mod connections;
mod credential;
mod days;
mod demo_links;
mod dto;
mod etag;
mod export;
mod fingerprint;
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
mod peer;
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
mod serve_ui;
mod sse;
mod state;
mod still_held;
mod streams;
mod telemetry;
mod timed_body;
mod titles;
mod trace;
mod ui;
mod used_rights;
mod waiting;

pub use app::{openapi_json, router};
pub use authorization::{Object, RULES, Role, Rule};
pub use connections::{OPEN_FILES_MIN, OPEN_FILES_WANTED, connections_within};
pub use demo_links::DemoLinks;
pub use local_models::LocalPlaces;
pub use next_key::NextKey;
pub use problem::{Problem, ProblemCode};
pub use providers::{ModelPlaces, PROVIDER_KEYS, ProviderKey};
pub use serve::serve;
pub use state::{AppState, Demo, ServerConfig};
pub use telemetry::MetricsSource;
pub use ui::Ui;
