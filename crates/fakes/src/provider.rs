//! Fake model providers with their published interfaces. Every request is checked against the rules of
//! its interface, and answered by the conduct that its address names.
//!
//! `http://host/<key>/<conduct>/<dialect>/...` is a provider's base address; `http://host/<key>/calls`
//! lists the requests under `<key>`.

mod answer_format;
mod anthropic;
mod chat;
mod conduct;
mod defaults;
mod dialect;
mod document;
mod embedding_document;
mod embeddings;
mod fields;
mod google;
mod models;
mod openai;
mod refusal;
mod request_check;
mod responses;
mod server;
mod stop_reason;
mod stream;

pub use conduct::Conduct;
pub use defaults::{PROVIDER_KEY, PROVIDER_READS, PROVIDER_SAYS, PROVIDER_USED};
pub use dialect::Dialect;
pub use server::{FakeProvider, run_provider};
