//! The audit: hash chains, signed checkpoints, exports and receipts. The format of what leaves is
//! `docs/audit-export.md`.

mod checkpoint;
mod decision;
mod desk;
mod examine;
mod export;
mod find;
mod head;
mod line;
mod merkle;
mod name;
mod outside;
mod proof;
mod receipt;
mod search;
mod signer;
mod vouch;

pub(crate) use checkpoint::keep_signing;
pub use desk::CHECKPOINT_RECORDS;
pub(crate) use desk::Desk;
pub(crate) use examine::examine;
pub use export::{AuditHead, ExportError, Exported};
pub use find::{AuditFound, AuditOutcome, AuditSearch};
pub use name::{Chain, ParseChainError};
pub(crate) use outside::Outside;
pub(crate) use proof::{Settled, prove_kept, settle};
pub use search::{AuditFilter, AuditRow};
pub(crate) use signer::Signer;
pub(crate) use vouch::{EVIDENCE, Voucher};
