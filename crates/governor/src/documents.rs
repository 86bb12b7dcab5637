//! Documents in memory, their ingest and their search.
//!
//! - [`Retrieval`]: the library that searches read, and the model that made its vectors; filled from the store at
//!   each start (`load.rs`), where nothing is cut or embedded anew.
//! - `Ingest`: the actor that turns files into documents, one after the other (`ingest.rs`, `job.rs`); `folder.rs`
//!   gives it what changes in the administrator's folder. What a file's texts lack of the model of this machine is made in
//!   turns of people (`local.rs`), and `background.rs` embeds what has no vector behind them.
//! - [`search`]: one search over the scopes of a person.
//! - Where a project's policy names the model of a provider (`provider_model.rs`), its documents have vectors of that one,
//!   in turns of people (`turns.rs`, `due.rs`, `paid.rs`), so many at a server at a time (`servers.rs`), and questions about
//!   them are embedded by it (`question.rs`, `outgoing.rs`): each call is one of a session. What they are compared by
//!   changes in `takeover.rs`.
//!
//! INVARIANT: a document is in the store whole, with its record, before it is in the library; and what leaves the
//! store is read by its scope once more before anybody sees it.

mod asking;
mod background;
mod cutting;
mod deps;
mod due;
mod embedder;
mod error;
mod folder;
mod found;
mod ingest;
mod job;
mod load;
mod local;
mod outgoing;
mod paid;
mod provider_model;
mod question;
mod reading;
mod retrieval;
mod rights;
mod search;
mod seen;
mod servers;
mod takeover;
mod turns;
mod upload;
mod withdrawal;

pub use asking::NotCompared;
pub(crate) use asking::{EmbedTexts, MadeVectors};
pub use deps::{DocumentDeps, WatchedFolder};
pub use embedder::{EmbedKind, TextEmbedder};
pub use error::DocumentError;
pub(crate) use folder::watch;
pub use found::{FoundPassage, FoundPassages, SearchDocuments};
pub(crate) use ingest::Ingests;
pub(crate) use job::show_whole;
pub(crate) use load::put_in_library;
pub(crate) use paid::reembedded_as;
pub(crate) use provider_model::{kept_as, name_of, provider_model};
pub(crate) use retrieval::Retrieval;
pub(crate) use rights::{may_read, may_write, scopes_of};
pub(crate) use search::search;
pub use upload::Upload;
pub(crate) use upload::checked_title;
