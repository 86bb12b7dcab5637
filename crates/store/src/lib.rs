//! Stored data: sessions and their journal, plans, evidence, budgets, accounts, the audit.
//!
//! - [`Store`]: the handle; [`StoreConfig`] opens it.
//! - [`Boundary`]: what one transaction writes, at a [`Point`] of a turn. One writer thread commits
//!   boundaries in groups and answers after COMMIT; a claim is committed whole or not at all.
//!   [`CommitRefused`] says why not.
//! - [`Lease`]: the right to write one session; [`Rotation`]: a change of the master key.
//! - [`DataFolder`]: the locked folder of the database; [`inspect`]: a look without opening it.
//!
//! Reads have connections of their own. The gate's registrar, which attests evidence and commits,
//! is here and in no other crate.
//! Begin reading at `writer/commit.rs`, then `writer/apply.rs` and `audit.rs`.

mod account;
mod approval;
mod audit;
mod budget;
mod cached_rows;
mod config;
mod database;
mod document;
mod erasure;
mod error;
mod ghost_result;
mod grant;
mod halt;
mod idempotency;
mod keys;
mod ledger_version;
mod memory;
mod open;
mod policy;
mod profile;
mod project;
mod rollout;
mod run;
mod runner_key;
mod session;
mod store;
mod system;
mod webhook;
mod writer;

pub use account::authentication::AuthError;
pub use account::authority::Authority;
pub use account::closing::{ClosedAccount, PasswordChange};
pub use account::device::DeviceId;
pub use account::login::Login;
pub use account::member::{
    MemberError, MemberRow, Members, MembersVersion, ParseMembersVersionError, RoleChange,
};
pub use account::password::PasswordCost;
pub use account::presented::Presented;
pub use account::refused::AccountRefused;
pub use account::role::Role;
pub use account::setup::SetupError;
pub use account::token::{Carried, IssuedToken, LOG_INS_MAX, TOKENS_MAX, TokenRow};
pub use account::token_kind::{TokenKind, TokenScope};
pub use account::user::{
    AccountError, CreatedUser, NewUser, PASSWORD_BYTES_MAX, PASSWORD_CHARS_MIN,
    USER_NAME_CHARS_MAX, UserRow,
};
pub use approval::delegation::refused::{DELEGATIONS_OPEN_MAX, DelegationRefused};
pub use approval::delegation::{DELEGATIONS_SHOWN_MAX, Delegation, NewDelegation};
pub use approval::edit::EditedApproval;
pub use approval::error::ApprovalError;
pub use approval::escalation_row::{Escalates, EscalationRow};
pub use approval::inbox::{ApprovalFilter, Visible};
pub use approval::question::{ApprovalRow, WithdrawnApproval};
pub use approval::quorum::QuorumYes;
pub use approval::release::{DrawnAgain, ReleasedApproval};
pub use approval::revocation::Revocation;
pub use approval::state::ApprovalState;
pub use audit::inspect::{AuditFit, Inspection, KeyFit, Looking, inspect};
pub use audit::{
    AUDIT_ROWS_MAX, AuditFilter, AuditFound, AuditHead, AuditOutcome, AuditRow, AuditSearch,
    CHECKPOINT_RECORDS, Chain, Decided, DecidedBy, ExportError, Exported, FEED_RECORDS_MAX,
    FeedError, FeedPage, FeedPosition, ParseChainError,
};
pub use budget::usage::{USAGE_ROWS_MAX, UsageBy, UsageFilter, UsageFound, UsageRow, UsageSums};
pub use budget::{ALERT_PERCENT, BudgetStanding};
pub use config::{Location, StoreConfig, Synchronous};
pub use database::folder::{DataFolder, FolderError};
pub use database::page::{PAGE_ROWS_MAX, Page};
pub use database::private::{ExposedError, exposed};
pub use database::totals::Totals;
pub use document::{
    AfterPut, Capacity, DocumentAuthor, DocumentContent, DocumentOrigin, DocumentRefused,
    DocumentRow, DocumentTotals, FolderDocument, FoundKey, FoundRow, INGEST_JOBS_KEPT_MAX,
    IngestBounds, IngestJobRow, IngestProgress, IngestState, LibraryBatch, LibraryChunk,
    LibraryDocument, NOT_EMBEDDED_CANCELLED, NewChunk, NewIngest, NewPassage, NewVectors,
    PASSAGES_LISTED_MAX, PassageChunk, PassageName, PassageRow, VectorKey,
};
pub use erasure::{
    ERASED_SESSIONS_MAX, ERASURES_SHOWN_MAX, EraseFailed, Erased, Erasure, ErasureScope,
};
pub use error::{Share, StoreError};
pub use ghost_result::outcome::{GhostMode, GhostVerdict, Invariants};
pub use ghost_result::{
    Barred, GHOST_REPORT_BYTES_MAX, GhostFilter, GhostRefused, GhostResult, LedgerKey, Listed,
    LiveRun, ModelStanding, Part, ResultSignature, SUITE, Suite, standing,
};
pub use grant::given::NewGrant;
pub use grant::listed::{GrantFilter, GrantRow, GrantUse};
pub use grant::refused::GrantRefused;
pub use grant::row::GRANTS_HELD_MAX;
pub use halt::{HALTS_SHOWN_MAX, Halt, HaltRefused};
pub use idempotency::IdempotencyStart;
pub use keys::model_key::{ModelKey, ModelKeyRefused, ModelKeyRow};
pub use keys::rotation::{Rotation, RotationBegun, RotationRefused, RotationStatus, TableProgress};
pub use memory::{MEMORY_VERSIONS_MAX, MemoryRefused, MemoryRow, RememberCommand, Remembered};
pub use policy::overrides::OverrideRefused;
pub use policy::overrides::approve::NewOverride;
pub use policy::overrides::ending::EndOverride;
pub use policy::overrides::how_ended::HowEnded;
pub use policy::overrides::row::{OverrideApproval, OverrideEnding, OverrideRow};
pub use policy::stage::StageChange;
pub use policy::stamp::PolicyStamp;
pub use policy::version::PolicyRefused;
pub use profile::{
    PROFILE_VERSIONS_MAX, ProfileAct, ProfileAuthor, ProfileChanged, ProfileHow, ProfileOwner,
    ProfileRefused, ProfileRow,
};
pub use project::{PROJECT_NAME_CHARS_MAX, ProjectError, ProjectRow};
pub use rollout::RolloutRefused;
pub use rollout::log::{
    Divergence, EVALUATIONS_MAX, Evaluation, RecordedVote, Reviewed, RolloutLog,
};
pub use rollout::rates::{Became, MatrixCell, ReviewCounts, ReviewRates};
pub use rollout::review::{DivergenceReview, NewReview};
pub use rollout::verdict::DivergenceVerdict;
pub use rollout::waiver::Waiver;
pub use run::attempt::{AttemptRow, ResolveRefused, outcome_digest};
pub use run::blueprint::{BlueprintFilter, BlueprintRow, StoredBlueprint};
pub use run::execution::{EARLIER_RUNS_MAX, ExecutionFilter, ExecutionRow, FinishedRun};
pub use run::state::{AttemptState, ExecutionState};
pub use run::touching::Touch;
pub use runner_key::{RUNNER_KEY_NAME_BYTES_MAX, RunnerKeyRefused, RunnerKeyRow};
pub use session::conversation::{CONVERSATIONS_MAX, SessionChange, TITLE_CHARS_MAX};
pub use session::crash_recovery::Recovered;
pub use session::journal::JOURNAL_PAGE_MAX;
pub use session::lease::Lease;
pub use session::replay::ReplayStart;
pub use session::request_text::RequestBehind;
pub use session::risk::{HELD_SESSIONS_MAX, SessionRisk};
pub use session::row::SessionRow;
pub use session::search::{Activity, ParseActivityError, SessionFilter, SessionsFound};
pub use store::Store;
pub use system::{SYSTEM_BYTES_MAX, SystemRefused, SystemRow, SystemsStamp};
pub use webhook::outbox::{WEBHOOK_ATTEMPTS_MAX, WebhookDelivery, WebhookTried};
pub use webhook::{WEBHOOK_URL_BYTES_MAX, Webhook};
pub use writer::boundary::{AuditEntry, Boundary, Write, Writer};
pub use writer::counters::Counters;
pub use writer::fault::{FaultPoint, FaultPointError, Side};
pub use writer::point::{ParsePointError, Point};
pub use writer::refused::{CommitRefused, Moved};
