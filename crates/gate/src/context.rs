//! The input of one ruling. It lives for that ruling.

use crate::{
    base::policy_snapshot::PolicySnapshot,
    evidence::ExecutionStarted,
    facts::GateFacts,
    log::recorded::Recorded,
    permit::{seal::Seal, start::Start},
};
use std::sync::Arc;
use wiiiv_domain::{ContentDigest, ExecutionId, OverrideId, RulingId};

/// What the permit is for.
#[derive(Debug)]
pub enum Purpose {
    /// To start a plan's run, under this new id.
    Start(ExecutionId),
    /// To resume a plan's run that began before.
    Resume(Recorded<ExecutionStarted>),
    /// To make a model call.
    Call,
}

/// The subject unchanged, with the reason why nothing was gathered.
#[derive(Debug, thiserror::Error)]
#[error("evidence mismatch: {why}")]
pub struct EvidenceMismatch<T> {
    /// Why nothing was gathered.
    pub why: Mismatch,
    /// The subject, unchanged.
    pub subject: Box<T>,
}

/// How evidence and subject differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// Something was made in another opening.
    #[error("the policy or a record is of another opening of the gate")]
    Foreign,
    /// Policy and subject name different projects.
    #[error("the policy is another project's")]
    OtherProject,
    /// Standing and subject name different sessions.
    #[error("the standing is another session's")]
    OtherSession,
    /// A record names another plan or another spec.
    #[error("a record is about something else")]
    OtherSubject,
    /// A purpose of plans was given for a call, or the reverse.
    #[error("the purpose does not fit this kind of subject")]
    Purpose,
    /// A document has no canonical JSON form.
    #[error("the subject cannot be digested")]
    Undigestible,
}

/// All fields are private: the keeper makes it, and the keeper rules on it.
#[derive(Debug)]
pub struct GateContext<T> {
    pub(crate) seal: Seal,
    pub(crate) ruling: RulingId,
    pub(crate) subject: T,
    pub(crate) policy: Arc<PolicySnapshot>,
    pub(crate) judged: Judged,
    /// Of a plan that may take an override of one request: by the rules before it.
    pub(crate) former: Option<Judged>,
    pub(crate) start: Start,
}

/// Facts, and the rules that they are judged by.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) facts: GateFacts,
    pub(crate) digest: ContentDigest,
    /// The override; `None` for the rules before any.
    pub(crate) by: Option<OverrideId>,
}

impl<T> GateContext<T> {
    /// The input of the evaluator.
    #[must_use]
    pub const fn facts(&self) -> &GateFacts {
        &self.judged.facts
    }
}
