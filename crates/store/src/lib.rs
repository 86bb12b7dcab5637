//! What is kept: sessions and their journal, plans, evidence, budgets, people, the audit.
//!
//! One writer task commits boundaries in groups; a boundary's answer comes after COMMIT, and a
//! claim is committed whole or not at all (`permits.md`, section 2). Reads have a pool of their
//! own. Evidence and commits are attested by the gate's registrar, which lives here and nowhere
//! else.

mod account;
mod apply;
mod approval;
mod attempt;
mod audit;
mod auth;
mod authority;
mod blueprint;
mod boundary;
mod budget;
mod clock;
mod column;
mod commit;
mod config;
mod connect;
mod counters;
mod entity;
mod error;
mod evidence;
mod execution;
mod fault;
mod figures;
mod folder;
mod ghost_result;
mod heal;
mod hmac;
mod id;
mod idempotency;
mod inspect;
mod journal;
mod lease;
mod member;
mod model_key;
mod names;
mod number;
mod opinion;
mod page;
mod password;
mod pending;
mod policy;
mod project;
mod request_text;
mod rotation;
mod secret;
mod session;
mod setup;
mod sqlite_build;
mod statement;
mod store;
mod system;
mod talk;
mod token;
mod touching;
mod unit;
mod usage;
mod user;
mod writer;

pub use account::{AccountRefused, ClosedAccount, PasswordChange};
pub use approval::{
    ApprovalError, ApprovalFilter, ApprovalRow, ApprovalState, Visible, WithdrawnApproval,
};
pub use attempt::{AttemptRow, AttemptState, ResolveRefused, outcome_digest};
pub use audit::{
    AuditFilter, AuditFound, AuditHead, AuditOutcome, AuditRow, AuditSearch, CHECKPOINT_RECORDS,
    Chain, ExportError, Exported, ParseChainError,
};
pub use auth::{AuthError, Login};
pub use blueprint::{BlueprintFilter, BlueprintRow, StoredBlueprint};
pub use boundary::{AuditEntry, Boundary, ParsePointError, Point, Write, Writer};
pub use budget::{ALERT_PERCENT, BudgetStanding};
pub use config::{Location, StoreConfig, Synchronous};
pub use counters::Counters;
pub use error::{CommitRefused, Moved, StoreError};
pub use execution::{ExecutionFilter, ExecutionRow, ExecutionState, FinishedRun};
pub use fault::{FaultPoint, FaultPointError, Side};
pub use figures::Figures;
pub use folder::{DataFolder, FolderError};
pub use ghost_result::{
    GHOST_REPORT_BYTES_MAX, GhostFilter, GhostMode, GhostRefused, GhostResult, GhostVerdict,
    Invariants, LedgerKey, LiveRun, ModelStanding, Part, SUITE, Suite, standing,
};
pub use heal::Healed;
pub use idempotency::IdempotencyStart;
pub use inspect::{AuditFit, Inspection, KeyFit, Looking, inspect};
pub use journal::JOURNAL_PAGE_MAX;
pub use lease::Lease;
pub use member::{
    MemberError, MemberRow, Members, MembersVersion, ParseMembersVersionError, Role, RoleChange,
};
pub use model_key::{ModelKey, ModelKeyRefused, ModelKeyRow};
pub use page::{PAGE_ROWS_MAX, Page};
pub use password::PasswordCost;
pub use policy::PolicyRefused;
pub use project::{PROJECT_NAME_CHARS_MAX, ProjectError, ProjectRow};
pub use rotation::{Rotation, RotationBegun, RotationRefused, RotationStatus, TableProgress};
pub use session::{SessionChange, SessionRow, TITLE_CHARS_MAX};
pub use setup::SetupError;
pub use store::Store;
pub use system::{SYSTEM_BYTES_MAX, SystemRefused, SystemRow, SystemsStamp};
pub use talk::{Activity, ParseActivityError, SessionFilter, SessionsFound};
pub use token::{IssuedToken, TokenKind, TokenRow, TokenScope};
pub use touching::Touch;
pub use usage::{USAGE_ROWS_MAX, UsageBy, UsageFilter, UsageFound, UsageRow, UsageSums};
pub use user::{
    AccountError, CreatedUser, NewUser, PASSWORD_BYTES_MAX, PASSWORD_CHARS_MIN,
    USER_NAME_CHARS_MAX, UserRow,
};
