//! The texts that code answers with, by code and language, from `config/messages/`; and what a message that
//! asks for no work is about, from `config/topics.toml`.
//!
//! Begin at [`Messages`] (`messages.rs`).

mod messages;
mod topic;

pub use messages::{Denial, Messages, MessagesError, OfflineText, ProviderHint};
pub use topic::{Topic, Topics, TopicsError};
