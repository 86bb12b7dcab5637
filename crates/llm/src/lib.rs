//! Models: the built-in one, and those of providers, each asked in its own words.
//!
//! [`Models::complete`] and [`Models::embed`] are the only ways in which wiiiv asks a model; each takes
//! a spend permit by value. Whatever comes back is schema-checked data; an answer that does not fit is asked for once
//! more and then given up. Every part of a call is bounded: time, bytes, depth, attempts.

mod breaker;
mod call;
mod catalogue;
mod completion;
mod echo;
mod embeddings;
mod exchange;
mod gauge;
mod key;
mod listing;
mod models;
mod models_error;
mod offline;
mod origins;
mod picture;
mod place;
mod proposal;
mod shown;
mod telemetry;
mod tokens;
mod wire;

pub use breaker::{OPEN_AFTER_FAILURES, OPEN_FOR};
pub use call::{CallOptions, Completion, Embeddings, Limits, ModelError};
pub use catalogue::{ModelFacts, Recommended};
pub use embeddings::TEXTS_MAX;
pub use gauge::{Counting, Gauge};
pub use key::ProviderKey;
pub use listing::Listing;
pub use models::Models;
pub use models_error::ModelsError;
pub use picture::Picture;
pub use place::{asks_for_key, interface_path, own_base_url};
pub use tokens::{TOKENIZER_BYTES_MAX, TokenizerError, TokenizerFile, token_bound};
pub use wire::Form;
