//! Verifies audit exports and decision receipts from the file and the public key alone.
//!
//! The format is `docs/audit-export.md`. This crate depends on nothing of ours and shares no code
//! with the store that writes the files, so that a mistake in one is seen by the other.

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
pub use export::verify;
pub use finding::{Fault, FaultPosition, Finding};
pub use key::{PublicKey, PublicKeyFormat};
pub use line::LINE_BYTES_MAX;
pub use receipt::{RECEIPT_BYTES_MAX, ReceiptReport, verify_receipt};
pub use report::{Level, Report};
