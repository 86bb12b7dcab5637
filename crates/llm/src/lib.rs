//! Models: the built-in one, and those of providers in their own wire formats.
//!
//! - [`Models`]: [`Models::complete`], [`Models::review`], [`Models::check_answer`], [`Models::judge_answer`],
//!   [`Models::embed`] and [`Models::embed_query`] are the only ways to call a model; each takes a spend permit by value.
//! - [`Completion`], [`Embeddings`], [`ModelError`]: results. An answer that does not fit the
//!   schema is asked for once more, then refused.
//! - [`TokenLimits`]: token counts of a model, and how many to hold for a call.
//! - [`ModelFacts`]: known facts about models; [`ProviderKey`]: a key for one origin.
//!
//! Every part of a call is bounded: time, bytes, depth, attempts.
//! Begin reading at `models.rs`, then `completion.rs`, `exchange.rs` and `offline.rs`.

mod breaker;
mod call;
mod catalogue;
mod completion;
mod embeddings;
mod endpoint;
mod exchange;
mod key;
mod key_redaction;
mod listing;
mod local_models;
mod models;
mod models_error;
mod offline;
mod origins;
mod picture;
mod proposal;
mod review;
mod stream_filter;
mod telemetry;
mod token_limits;
mod tokens;
mod wire;

pub use breaker::{OPEN_AFTER_FAILURES, OPEN_FOR};
pub use call::{CallOptions, Check, Completion, Embeddings, Judgement, Limits, ModelError, Review};
pub use catalogue::{ModelFacts, Recommended};
pub use embeddings::TEXTS_MAX;
pub use endpoint::{asks_for_key, interface_path, own_base_url};
pub use key::ProviderKey;
pub use listing::Listing;
pub use models::Models;
pub use models_error::ModelsError;
pub use picture::Picture;
pub use token_limits::{Counting, TokenLimits};
pub use tokens::{TOKENIZER_BYTES_MAX, TokenizerError, TokenizerFile, token_bound};
pub use wire::Form;
