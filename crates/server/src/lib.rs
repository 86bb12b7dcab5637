//! The REST interface: axum routes below `/api/v2`, their wire forms, authentication, the OpenAPI
//! description and the embedded web interface.
//!
//! - [`router`]: all routes over an [`AppState`]; [`serve`] listens.
//! - [`RULES`]: who may do what, one [`Rule`] for each operation.
//! - [`Problem`], [`ProblemCode`]: errors as RFC 9457 documents; [`openapi_json`]: the API
//!   description.
//!
//! Handlers extract, authorize by [`RULES`], call the governor or the store, and answer. They
//! decide nothing.
//! Begin reading at `app.rs`, then `routes/messages.rs` and `access/authorization.rs`.

mod access;
mod app;
mod dto;
mod limits;
mod listen;
mod models;
mod next_key;
mod openapi;
mod policy;
mod problem;
mod readiness;
mod registration;
mod request;
mod routes;
mod state;
mod telemetry;
mod ui;
mod view;

pub use access::authorization::{Object, RULES, Role, Rule};
pub use access::demo_links::DemoLinks;
pub use app::{openapi_json, router};
pub use listen::connections::{OPEN_FILES_MIN, OPEN_FILES_WANTED, connections_within};
pub use listen::serve::serve;
pub use models::local_models::LocalPlaces;
pub use models::providers::{ModelPlaces, PROVIDER_KEYS, ProviderKey};
pub use next_key::NextKey;
pub use problem::{Problem, ProblemCode};
pub use state::{AppState, Demo, ServerConfig};
pub use telemetry::MetricsSource;
pub use ui::Ui;
