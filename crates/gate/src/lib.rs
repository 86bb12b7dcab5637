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
//! [`Findings`] that forecasts and replays use too. A run is ruled step by step through [`RunPermit`].
//! Begin reading at `keeper.rs`, then `permit/ruled.rs`, `evaluate.rs` and `gates/`.

#![warn(missing_docs)]

mod base;
mod case;
mod context;
mod evaluate;
mod evidence;
mod facts;
mod findings;
mod fine;
mod gates;
mod keeper;
mod log;
mod open;
mod path;
mod permit;
mod replay;
pub mod rollout;
mod rules;
mod standing;
mod subject;
mod url_text;

pub use base::base_book::BaseBook;
pub use base::policy::{Policy, PolicyError, profile};
pub use base::policy_snapshot::PolicySnapshot;
pub use context::{EvidenceMismatch, GateContext, Mismatch, Purpose};
pub use evaluate::evaluate;
pub use evidence::sealed::Evidence;
pub use evidence::{
    ApprovalGiven, ApprovalRequest, DelegatedRight, DelegationGiven, Deliberation, EvidenceError,
    EvidenceSet, ExecutionStarted, GrantGiven, GrantUses, NotGrantable, PendingQuestion,
    PolicyVersion, Principal, Resolution, Rights, UserEvent, UserEventKind, approval, delegation,
    deliberation as dacs, grant, policy, policy::temporary as policy_override,
};
pub use facts::{
    ApprovalFacts, BoundFacts, CallFacts, DacsFacts, ExecutorFacts, GateFacts, GrantCover,
    GrantFacts, NodeFacts, PlanFacts, PlanFault, StepFacts, SubjectFacts, Target, VoteFacts,
};
pub use findings::{
    Answer, ApprovalBasis, ApprovalFinding, CostFinding, CostLine, CountedYes, DacsFinding,
    Findings, Hold, NotRequired, PermissionFinding, Refusal as RefusedPlace, UsedGrant,
};
pub use fine::{FINE_PROFILES, FineRule, FineRules, RuleFault, RuleFaultCode};
pub use keeper::{GateKeeper, Known};
pub use log::audit_seq::AuditSeq;
pub use log::corrupt::Corrupt;
pub use log::record::{
    Decision, DecisionRecord, Figure, GateAnswer, GateBasis, JudgedStanding, Refused, RuleVersions,
    RuledOn, WindowFigure, WouldDeny,
};
pub use log::recorded::Recorded;
pub use log::registrar::Registrar;
pub use log::unrecorded::{ForeignEvidence, Unrecorded};
pub use open::{Opened, open};
pub use permit::authorized::Authorized;
pub use permit::cap::Cap;
pub use permit::claim::{ApprovalKey, Claim, GrantKey, Guard, HoldLine};
pub use permit::cleared::{
    CallTrail, Cleared, Cost, Dacs, Gate, Permission, PlanTrail, StepTrail, UserApproval,
};
pub use permit::committed::Committed;
pub use permit::ruled::{Denied, Refusal, Ruled};
pub use permit::run::{NotInPlan, RunPermit};
pub use permit::seal::Opening;
pub use permit::start::Start;
pub use permit::verifier::{ForeignPermit, Verifier};
pub use replay::{PastRuling, Replayed, ReviewedAgain, Supposed};
pub use rules::{
    Attempt, DacsRules, Reason, RiskFacts, RiskRules, RiskSignal, RulesError, consensus,
};
pub use standing::{BudgetLine, BudgetView, LedgerVersion, Standing, StandingSeq};
pub use subject::sealed::Subject;
pub use subject::{ModelCall, Resolved, Step, StepShape};
