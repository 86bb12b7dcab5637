//! What a scenario runs in: the product as a server process, its model server, a project with the
//! services of the scenario, and a client of the REST API.

mod document_seed;
mod error;
mod events;
mod live_model;
mod memory_seed;
mod played_rules;
mod project_setup;
mod rest_client;
mod server;
mod server_home;
mod servers;

pub use error::PlayError;
pub use live_model::LiveModel;
pub use played_rules::PlayedRules;

pub(crate) use events::{DELTA, follow, journal, journalled, last_number, number, until_end};
pub(crate) use live_model::revision;
pub(crate) use project_setup::{Conversation, ProjectSetup, write_files};
pub(crate) use rest_client::{RestClient, required_text};
pub(crate) use server::Server;
pub(crate) use server_home::{Patience, ServerHome, files_below, relative_name};
pub(crate) use servers::Servers;
