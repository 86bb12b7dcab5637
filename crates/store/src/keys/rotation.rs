//! Rotation of the master key, while everything else goes on.
//!
//! It begins with one transaction: the canary is sealed under the new version, and a row says which
//! version is left. From then on everything new is sealed under the new one, and a task moves what
//! is there, a row at a time, each in a transaction of its own, on the condition that it is still
//! sealed as it was read: whoever sets or removes it meanwhile goes before. It ends with one
//! transaction too, in which nothing is found under any other version: the certificate. What a
//! crash cuts off goes on with the next start, from what the rows themselves say.

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
