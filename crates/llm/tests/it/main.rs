//! Models from outside: permits of a real opening, a real server on the other end.
#![expect(clippy::unwrap_used, reason = "a test stops at what it cannot set up")]

mod custom;
mod embeddings;
mod hostile;
mod local_embeddings;
mod offline;
mod outcomes;
mod panics;
mod party;
mod permit;
mod provider;
mod shapes;
mod systems;
mod test_models;
mod token_limits;
mod unusual;
mod wire;
