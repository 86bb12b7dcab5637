//! Rotation of the master key while the server runs.
//!
//! One transaction begins it: it seals the canary under the new version and records which version
//! is left. New rows are then sealed under the new version, and a task moves the old ones, each in
//! a transaction on the condition that it is still sealed as it was read; a concurrent change of
//! the row wins. One transaction ends it after it has found no row under another version: the
//! certificate. After a crash the next start goes on from the rows themselves.

mod begin;
mod end;
mod mover;
mod progress;
mod record;
mod ring;
mod table;

pub use begin::{RotationBegun, RotationRefused};
pub(crate) use mover::keep_moving;
pub use progress::{Rotation, RotationStatus, TableProgress};
pub(crate) use record::{looked, opened, standing, standing_at_first};
pub(crate) use ring::Ring;
