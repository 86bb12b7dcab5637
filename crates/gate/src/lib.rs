//! DACS rules and consensus, one evaluator, the four gates, claims and permits (permits.md).
//!
//! Pure: it never awaits, reads a clock, draws an id or touches a file. The way of one permit:
//! evidence is `Recorded` by the store's [`Registrar`]; [`GateKeeper::gather`] takes a subject and
//! its evidence; [`GateKeeper::rule`] gives a [`Claim`] and a [`Ruled`]; the store commits the
//! claim; [`Ruled::seal`] with that very [`Committed`] makes the [`Authorized`]; a [`Verifier`]
//! redeems it, once.

mod authorized;
mod claim;
mod cleared;
mod committed;
mod context;
mod evaluate;
mod evidence;
mod facts;
mod findings;
mod gates;
mod keeper;
mod open;
mod path;
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
mod subject;
mod unrecorded;
mod verifier;

pub use authorized::Authorized;
pub use claim::{ApprovalKey, Cap, Claim, Guard, HoldLine, Start};
pub use cleared::{
    CallTrail, Cleared, Cost, Dacs, Gate, Permission, PlanTrail, StepTrail, UserApproval,
};
pub use committed::Committed;
pub use context::{EvidenceMismatch, GateContext, Mismatch, Purpose};
pub use evaluate::evaluate;
pub use evidence::{
    ApprovalGiven, ApprovalRequest, Asked, Deliberation, Evidence, EvidenceError, EvidenceSet,
    ExecutionStarted, PolicyVersion, Principal, Resolution, Rights, UserEvent, UserEventKind,
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
pub use open::{BaseBook, Opened, open};
pub use record::{
    Decision, DecisionRecord, Figure, Figures, GateAnswer, JudgedStanding, Refused, RuleVersions,
    RuledOn, WindowFigure, WouldDeny,
};
pub use recorded::{AuditSeq, Recorded};
pub use registrar::{Corrupt, Registrar};
pub use ruled::{Denied, Refusal, Ruled};
pub use rules::{DacsRules, Reason, RiskFacts, RiskRules, RiskSignal, RulesError, consensus};
pub use run::{NotInPlan, RunPermit};
pub use seal::Opening;
pub use snapshot::{Policy, PolicyError, PolicySnapshot, profile};
pub use standing::{BudgetLine, BudgetView, Standing, StandingSeq};
pub use subject::{ModelCall, Resolved, Step, StepShape, Subject};
pub use unrecorded::{ForeignEvidence, Unrecorded};
pub use verifier::{ForeignPermit, Verifier};
