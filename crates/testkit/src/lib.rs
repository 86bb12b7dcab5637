//! A whole governor in one process, for the integration tests of `governor` and `server`: a real gate,
//! store, executors and models over a folder of its own.
//!
//! [`Setup`] opens it, also a second time over the same folder; [`person`] makes people; [`policy`] is the
//! default profile with a shop among its hosts. `gate`, `store` and `hlx` have builders of their own, as they
//! stand below a governor. Begin reading at `setup.rs`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "test code: a failed setup ends the test"
)]

mod person;
mod policy;
mod setup;

pub use person::{Person, person, token};
pub use policy::{default_profile, policy};
pub use setup::{Setup, now};
