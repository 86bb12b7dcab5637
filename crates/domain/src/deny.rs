//! Codes of denials. The list is closed: a new code breaks the build (governance.md 5).

use serde::{Deserialize, Serialize};

named! {
    /// Order of the record: the first denial in this order is the one reported.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum GateName {
        /// The deliberation allows the spec.
        Dacs = "dacs",
        /// A person said yes to this very plan.
        UserApproval = "user_approval",
        /// Policy and rights allow the effects, hosts, paths and systems.
        Permission = "permission",
        /// Budgets and limits have room for the cost.
        Cost = "cost",
    }
}

named! {
    /// The reason of a denial. Its code is in records and API answers, and is never renamed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum DenyCode {
        /// The review ended in NO.
        DacsNo = "DACS_NO",
        /// The review asks for a change, or finds more now than it did.
        DacsRevision = "DACS_REVISION",
        /// The review was made by other rules, or its opinions are missing.
        DacsMissing = "DACS_MISSING",
        /// No approval of this plan is recorded.
        ApprovalMissing = "APPROVAL_MISSING",
        /// The approval's time has run out.
        ApprovalExpired = "APPROVAL_EXPIRED",
        /// The plan changed after it was approved.
        ApprovalStaleDigest = "APPROVAL_STALE_DIGEST",
        /// The person who said yes may not approve it.
        ApproverNotAllowed = "APPROVER_NOT_ALLOWED",
        /// It was approved in a right that was lent, and that is lent no more.
        DelegationEnded = "DELEGATION_ENDED",
        /// A value from outside decides a target, and no person approved it.
        TaintedArgument = "TAINTED_ARGUMENT",
        /// Policy does not list the step type, or no executor runs it.
        StepTypeNotAllowed = "STEP_TYPE_NOT_ALLOWED",
        /// Policy does not list the plugin.
        PluginNotAllowed = "PLUGIN_NOT_ALLOWED",
        /// Policy does not list the host.
        HostNotAllowed = "HOST_NOT_ALLOWED",
        /// Policy does not list the path.
        PathNotAllowed = "PATH_NOT_ALLOWED",
        /// Policy does not list the database.
        DatabaseNotAllowed = "DATABASE_NOT_ALLOWED",
        /// Policy names another model, or the executor lacks a capability that the step needs.
        PolicyForbids = "POLICY_FORBIDS",
        /// A bound value is too large, or would be syntax where it is used.
        BindingNotAllowed = "BINDING_NOT_ALLOWED",
        /// The file changed after the plan was drawn.
        PreimageChanged = "PREIMAGE_CHANGED",
        /// A system or its credential changed after the plan was drawn.
        SystemChanged = "SYSTEM_CHANGED",
        /// The plan or its evidence contradicts itself.
        EvidenceMismatch = "EVIDENCE_MISMATCH",
        /// The requester may no longer ask for this in the project.
        RequesterNotAllowed = "REQUESTER_NOT_ALLOWED",
        /// The project is halted.
        Halted = "HALTED",
        /// The session's risk score is at its hard stop.
        SessionRiskHold = "SESSION_RISK_HOLD",
        /// The tokens do not fit into a budget.
        TokenBudgetExceeded = "TOKEN_BUDGET_EXCEEDED",
        /// The money does not fit under a limit.
        CostLimitExceeded = "COST_LIMIT_EXCEEDED",
        /// A cap in money is set, and the model has no price.
        ModelUnpriced = "MODEL_UNPRICED",
        /// A model that GHOST has not verified had a part in the session.
        ModelUnverified = "MODEL_UNVERIFIED",
        /// Too many requests; no gate of this build gives it.
        RateLimitExceeded = "RATE_LIMIT_EXCEEDED",
    }
}
