//! Verifies audit exports and decision receipts from the file and the public key alone.
//!
//! - [`verify()`]: a whole export, which gives a [`Report`]; an [`Anchor`] shows truncation.
//! - [`verify_feed`]: the lines that a receiver took, without the header of an export.
//! - [`verify_receipt`]: one receipt, which gives a [`ReceiptReport`].
//! - [`Finding`]: the first [`Fault`] of a file and its position; [`PublicKey`]: the key to check
//!   with.
//!
//! The format is `docs/audit-export.md`. This crate depends on no other crate of wiiiv and shares
//! no code with the store that writes the files, so that a mistake in one is found by the other.
//! Begin reading at `export.rs`, then `record.rs` and `checkpoint.rs`.

#![warn(missing_docs)]

mod canonical;
mod checkpoint;
mod export;
mod fields;
mod finding;
mod header;
mod key;
mod line;
mod merkle;
mod receipt;
mod record;
mod report;

pub use canonical::{NotCanonical, canonical};
pub use checkpoint::Anchor;
pub use export::{verify, verify_feed};
pub use finding::{Fault, FaultPosition, Finding};
pub use key::{PublicKey, PublicKeyFormat};
pub use line::LINE_BYTES_MAX;
pub use receipt::{RECEIPT_BYTES_MAX, ReceiptReport, verify_receipt};
pub use report::{Level, Report};
