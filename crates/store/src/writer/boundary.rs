//! What one transaction writes, durable before what follows it.

use crate::{
    account::authority::Authority, approval::escalation_row::Escalates, audit::Chain,
    error::StoreError, session::lease::Lease, writer::point::Point,
};
use serde_json::Value;
use wiiiv_domain::{
    Amount, ApprovalId, Blueprint, BlueprintDigest, CallId, ExecutionId, OnBehalfOf, ProjectId,
    RefusedSpecs, RiskHistory, RunOutcome, SessionEvent, SpecDigest, StepId, StepOutcome, Usage,
    UserId,
};
use wiiiv_gate::{ApprovalRequest, Principal};

/// Who writes, and so where its audit records go.
#[derive(Debug, Clone)]
pub enum Writer {
    /// Fenced by the lease's epoch.
    Session(Lease),
    Project(ProjectId),
    Server,
}

impl Writer {
    pub(crate) fn chain(&self) -> Chain {
        match self {
            Self::Session(lease) => Chain::Project(lease.project),
            Self::Project(project) => Chain::Project(*project),
            Self::Server => Chain::Server,
        }
    }
    pub(crate) fn lease(&self, what: &'static str) -> Result<&Lease, StoreError> {
        match self {
            Self::Session(lease) => Ok(lease),
            Self::Project(_) | Self::Server => Err(StoreError::NeedsSession { what }),
        }
    }
}

/// A line for the audit: ids, codes, counts, digests and keyed hashes, never words of people or
/// models.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEntry {
    /// `turn.accepted`, `dacs.evaluated`, `approval.asked`, `step.finished`, ...
    pub kind: String,
    /// An object.
    pub body: Value,
}

impl AuditEntry {
    #[must_use]
    pub fn new(kind: impl Into<String>, body: Value) -> Self {
        Self { kind: kind.into(), body }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// What the call really used: its hold ends, the amount counts in the windows of that hold.
    /// A call that is no longer open is left as it is.
    Settle {
        call: CallId,
        usage: Usage,
        amount: Amount,
    },
    /// The call used nothing.
    Release {
        call: CallId,
    },
    Blueprint(Box<Blueprint>),
    AskApproval {
        request: ApprovalRequest,
        /// JSON, as the person is shown it: served as it is once the question is over.
        preview: String,
        /// When it is shown to more people.
        escalates: Option<Escalates>,
    },
    /// Refused with `NotPending` where somebody was faster.
    RejectApproval {
        id: ApprovalId,
        by: UserId,
        /// Whose right it is said in, where that is another person's.
        on_behalf_of: Option<OnBehalfOf>,
    },
    /// Values of its plan were changed in place of an answer; refused likewise.
    EditApproval {
        id: ApprovalId,
        by: UserId,
        /// Of the plan that was looked at.
        digest: BlueprintDigest,
        /// Of what takes the place of its spec.
        to: SpecDigest,
    },
    /// A yes is taken back; refused likewise, and where the run that rests on it has ended.
    RevokeApproval {
        id: ApprovalId,
        /// Whoever takes it back; of a question that waits, whoever had said it.
        by: UserId,
        /// `None`: the question waits for others.
        run: Option<ExecutionId>,
    },
    ExpireApproval {
        id: ApprovalId,
    },
    WithdrawApproval {
        id: ApprovalId,
    },
    /// The bytes are kept by execution and step.
    StepFinished {
        execution: ExecutionId,
        step: StepId,
        attempt: u32,
        outcome: StepOutcome,
        bytes: Option<Vec<u8>>,
    },
    /// Releases what the execution still holds, unless it is `Indeterminate`: that one may go on.
    ExecutionFinished {
        execution: ExecutionId,
        outcome: RunOutcome,
    },
    /// Raises the session's standing number: rulings on the older one no longer commit.
    Standing {
        risk_score: u32,
        tainted: bool,
        /// What raised the score; `None`: what is kept already.
        history: Option<Box<RiskHistory>>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Boundary {
    pub point: Point,
    pub events: Vec<SessionEvent>,
    pub writes: Vec<Write>,
    pub audit: Vec<AuditEntry>,
    /// Who has to be let in still, with the rights that they had.
    pub by: Option<Authority>,
    /// The flow is quiet after the last of these events: a replay may begin behind it.
    pub replay_from_here: bool,
    /// What such a replay is given. `None`: what is kept already.
    pub refused: Option<RefusedSpecs>,
}

impl Boundary {
    #[must_use]
    pub const fn new(point: Point) -> Self {
        Self {
            point,
            events: Vec::new(),
            writes: Vec::new(),
            audit: Vec::new(),
            by: None,
            replay_from_here: false,
            refused: None,
        }
    }
    #[must_use]
    pub fn event(mut self, event: SessionEvent) -> Self {
        self.events.push(event);
        self
    }
    #[must_use]
    pub fn write(mut self, write: Write) -> Self {
        self.writes.push(write);
        self
    }
    #[must_use]
    pub fn entry(mut self, kind: impl Into<String>, body: Value) -> Self {
        self.audit.push(AuditEntry::new(kind, body));
        self
    }
    #[must_use]
    pub fn by(mut self, who: &Principal) -> Self {
        self.by = Some(Authority::of(who));
        self
    }
    /// What comes first is written first, in the same transaction.
    #[must_use]
    pub fn behind(mut self, mut first: Self) -> Self {
        first.events.append(&mut self.events);
        first.writes.append(&mut self.writes);
        first.audit.append(&mut self.audit);
        Self { events: first.events, writes: first.writes, audit: first.audit, ..self }
    }
    /// There is nothing to write.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.events.is_empty() && self.writes.is_empty() && self.audit.is_empty()
    }
    #[must_use]
    pub fn replay_from_here(mut self, refused: Option<RefusedSpecs>) -> Self {
        (self.replay_from_here, self.refused) = (true, refused);
        self
    }
}
