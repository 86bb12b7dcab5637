//! The audit: hash chains, signed checkpoints, exports and receipts. Format of exported files:
//! `docs/audit-export.md`.

mod all_heads;
mod approval_rows;
mod batch;
mod call_rows;
mod checkpoint;
mod decision;
mod examine;
mod examined;
mod export;
mod find;
mod ghost_rows;
mod head;
pub(crate) mod inspect;
mod line;
mod merkle;
mod name;
mod named_records;
mod outside;
mod proof;
mod receipt;
mod run_rows;
mod search;
mod settle;
mod signer;
mod stage;
mod vouch;
mod walk;

pub(crate) use all_heads::AllHeads;
pub(crate) use approval_rows::{Put, is_given_back, previews_told, question_told};
pub(crate) use batch::AuditBatch;
pub use batch::CHECKPOINT_RECORDS;
pub(crate) use call_rows::models_told;
pub(crate) use checkpoint::keep_signing;
pub(crate) use examine::{examine, examine_open};
pub use export::{AuditHead, ExportError, Exported};
pub use find::{AuditFound, AuditOutcome, AuditSearch};
pub(crate) use ghost_rows::runs_told;
pub use name::{Chain, ParseChainError};
pub(crate) use named_records::{ALLOW, DECISION};
pub(crate) use outside::Outside;
pub(crate) use run_rows::{attempts_at_end, attempts_told, examine_run};
pub use search::{AuditFilter, AuditRow};
pub(crate) use settle::{Settled, prove_kept, settle};
pub(crate) use signer::Signer;
pub(crate) use vouch::{EVIDENCE, Voucher};
