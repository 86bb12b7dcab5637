//! The audit: hash chains, signed checkpoints, exports and receipts. Format of exported files:
//! `docs/audit-export.md`.

mod all_heads;
mod approval_rows;
mod batch;
mod call_rows;
mod checkpoint;
mod decided;
mod decision;
mod delegation_rows;
mod document_rows;
mod erasure_rows;
mod examine;
mod examined;
mod export;
mod feed;
mod find;
mod ghost_rows;
mod grant_rows;
mod halt_rows;
mod head;
pub(crate) mod inspect;
mod line;
mod memory_rows;
mod merkle;
mod name;
mod named_records;
mod outside;
mod override_rows;
mod profile_rows;
mod proof;
mod quorum_rows;
mod receipt;
mod risk_rows;
mod rollout_rows;
mod run_rows;
mod runner_key_rows;
mod search;
mod settle;
mod signer;
mod stage;
mod version_rows;
mod vouch;
mod walk;
mod webhook_rows;

pub(crate) use all_heads::AllHeads;
pub(crate) use approval_rows::{Put, is_given_back, previews_told, question_told};
pub(crate) use batch::AuditBatch;
pub use batch::CHECKPOINT_RECORDS;
pub(crate) use call_rows::models_told;
pub(crate) use checkpoint::keep_signing;
pub use decided::{Decided, DecidedBy};
pub(crate) use delegation_rows::{
    DELEGATED, DELEGATION_ENDED, StoredDelegation, delegations_told,
    reason_digest as delegation_reason_digest,
};
pub(crate) use examine::{examine, examine_open};
pub use export::{AuditHead, ExportError, Exported};
pub use feed::{FEED_RECORDS_MAX, FeedError, FeedPage, FeedPosition};
pub use find::{AuditFound, AuditOutcome, AuditSearch};
pub(crate) use ghost_rows::{SIGNED_BY, runs_told};
pub use name::{Chain, ParseChainError};
pub(crate) use named_records::{ALLOW, DECISION};
pub(crate) use outside::Outside;
pub(crate) use override_rows::{event_told, override_told, override_use_told};
pub(crate) use rollout_rows::{note_told, use_told, waiver_told};
pub(crate) use run_rows::{attempts_at_end, attempts_told, examine_run};
pub(crate) use runner_key_rows::runner_keys_told;
pub use search::{AUDIT_ROWS_MAX, AuditFilter, AuditRow};
pub(crate) use settle::{Settled, prove_kept, settle};
pub(crate) use signer::Signer;
pub(crate) use vouch::{EVIDENCE, Voucher};
