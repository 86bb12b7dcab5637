//! The gates: review rules and consensus, one evaluator, four gates, claims and permits
//! (permits.md). Pure: it never awaits, reads a clock, draws an id or touches a file.
//!
//! How a permit is made:
//! 1. The store's [`Registrar`] restores evidence from the log as [`Recorded`].
//! 2. [`GateKeeper::gather`] takes a subject and its evidence; [`GateKeeper::rule`] gives a
//!    [`Claim`] and a [`Ruled`].
//! 3. The store commits the claim, which gives a [`Committed`].
//! 4. [`Ruled::seal`] with that [`Committed`] makes the [`Authorized`] permit.
//! 5. A [`Verifier`] redeems it, once.
//!
//! [`open()`] makes keeper, registrar and verifier, which share one seal; [`evaluate()`] gives the
//! [`Findings`] that forecasts use too. A run is ruled step by step through [`RunPermit`].
//! Begin reading at `keeper.rs`, then `ruled.rs`, `evaluate.rs` and `gates/`.

#![warn(missing_docs)]

mod audit_seq;
mod authorized;
mod base_book;
mod cap;
mod case;
mod claim;
mod cleared;
mod committed;
mod context;
mod corrupt;
mod evaluate;
mod evidence;
mod facts;
mod findings;
mod gates;
mod keeper;
mod open;
mod path;
mod policy_snapshot;
mod prices;
mod record;
mod recorded;
mod registrar;
mod ruled;
mod rules;
mod run;
mod seal;
mod snapshot;
mod standing;
mod start;
mod subject;
mod unrecorded;
mod verifier;

pub use audit_seq::AuditSeq;
pub use authorized::Authorized;
pub use base_book::BaseBook;
pub use cap::Cap;
pub use claim::{ApprovalKey, Claim, Guard, HoldLine};
pub use cleared::{
    CallTrail, Cleared, Cost, Dacs, Gate, Permission, PlanTrail, StepTrail, UserApproval,
};
pub use committed::Committed;
pub use context::{EvidenceMismatch, GateContext, Mismatch, Purpose};
pub use corrupt::Corrupt;
pub use evaluate::evaluate;
pub use evidence::sealed::Evidence;
pub use evidence::{
    ApprovalGiven, ApprovalRequest, Deliberation, EvidenceError, EvidenceSet, ExecutionStarted,
    PendingQuestion, PolicyVersion, Principal, Resolution, Rights, UserEvent, UserEventKind,
    approval, deliberation as dacs, policy,
};
pub use facts::{
    ApprovalFacts, BoundFacts, CallFacts, DacsFacts, ExecutorFacts, GateFacts, NodeFacts,
    PlanFacts, PlanFault, StepFacts, SubjectFacts, Target, VoteFacts,
};
pub use findings::{
    Answer, ApprovalBasis, ApprovalFinding, CostFinding, CostLine, DacsFinding, Findings, Hold,
    NotRequired, PermissionFinding, Refusal as RefusedPlace,
};
pub use keeper::GateKeeper;
pub use open::{Opened, open};
pub use policy_snapshot::PolicySnapshot;
pub use record::{
    Decision, DecisionRecord, Figure, GateAnswer, GateBasis, JudgedStanding, Refused, RuleVersions,
    RuledOn, WindowFigure, WouldDeny,
};
pub use recorded::Recorded;
pub use registrar::Registrar;
pub use ruled::{Denied, Refusal, Ruled};
pub use rules::{DacsRules, Reason, RiskFacts, RiskRules, RiskSignal, RulesError, consensus};
pub use run::{NotInPlan, RunPermit};
pub use seal::Opening;
pub use snapshot::{Policy, PolicyError, profile};
pub use standing::{BudgetLine, BudgetView, Standing, StandingSeq};
pub use start::Start;
pub use subject::sealed::Subject;
pub use subject::{ModelCall, Resolved, Step, StepShape};
pub use unrecorded::{ForeignEvidence, Unrecorded};
pub use verifier::{ForeignPermit, Verifier};
