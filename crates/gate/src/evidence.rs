//! Evidence of rulings. Each kind has one constructor here, and counts only once it is `Recorded`.

pub mod approval;
pub mod delegation;
pub mod deliberation;
mod error;
mod execution;
pub mod grant;
pub(crate) mod pending_question;
pub mod policy;
mod principal;
pub(crate) mod sealed;
mod set;
mod user_event;

use crate::evidence::sealed::Evidence;
pub use approval::ApprovalGiven;
pub use delegation::{DelegatedRight, DelegationGiven};
pub use deliberation::Deliberation;
pub use error::EvidenceError;
pub use execution::ExecutionStarted;
pub use grant::{GrantGiven, NotGrantable};
pub use pending_question::{ApprovalRequest, PendingQuestion};
pub use policy::PolicyVersion;
pub use principal::{Principal, Rights};
pub use set::{EvidenceSet, GrantUses};
pub use user_event::{Resolution, UserEvent, UserEventKind};

impl Evidence for ApprovalGiven {}
impl Evidence for DelegationGiven {}
impl Evidence for Deliberation {}
impl Evidence for ExecutionStarted {}
impl Evidence for GrantGiven {}
impl Evidence for PolicyVersion {}
impl Evidence for UserEvent {}
