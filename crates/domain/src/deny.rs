//! Why a gate said no. Closed: a new reason should break our build (governance.md 5).

use serde::{Deserialize, Serialize};
use std::fmt;

/// Order of the record: the first denial in this order is the one reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateName {
    Dacs,
    UserApproval,
    Permission,
    Cost,
}

impl GateName {
    pub const ALL: [Self; 4] = [Self::Dacs, Self::UserApproval, Self::Permission, Self::Cost];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dacs => "dacs",
            Self::UserApproval => "user_approval",
            Self::Permission => "permission",
            Self::Cost => "cost",
        }
    }
}

macro_rules! codes {
    ($($name:ident = $code:literal),+ $(,)?) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum DenyCode {
            $(#[serde(rename = $code)] $name),+
        }
        impl DenyCode {
            pub const ALL: &[Self] = &[$(Self::$name),+];
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $code),+ }
            }
        }
        impl fmt::Display for DenyCode {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

codes! {
    DacsNo = "DACS_NO",
    DacsRevision = "DACS_REVISION",
    DacsMissing = "DACS_MISSING",
    ApprovalMissing = "APPROVAL_MISSING",
    ApprovalExpired = "APPROVAL_EXPIRED",
    ApprovalStaleDigest = "APPROVAL_STALE_DIGEST",
    ApproverNotAllowed = "APPROVER_NOT_ALLOWED",
    TaintedArgument = "TAINTED_ARGUMENT",
    StepTypeNotAllowed = "STEP_TYPE_NOT_ALLOWED",
    PluginNotAllowed = "PLUGIN_NOT_ALLOWED",
    HostNotAllowed = "HOST_NOT_ALLOWED",
    PathNotAllowed = "PATH_NOT_ALLOWED",
    DatabaseNotAllowed = "DATABASE_NOT_ALLOWED",
    PolicyForbids = "POLICY_FORBIDS",
    BindingNotAllowed = "BINDING_NOT_ALLOWED",
    PreimageChanged = "PREIMAGE_CHANGED",
    SystemChanged = "SYSTEM_CHANGED",
    EvidenceMismatch = "EVIDENCE_MISMATCH",
    RequesterNotAllowed = "REQUESTER_NOT_ALLOWED",
    Halted = "HALTED",
    SessionRiskHold = "SESSION_RISK_HOLD",
    TokenBudgetExceeded = "TOKEN_BUDGET_EXCEEDED",
    CostLimitExceeded = "COST_LIMIT_EXCEEDED",
    ModelUnpriced = "MODEL_UNPRICED",
    ModelUnverified = "MODEL_UNVERIFIED",
    RateLimitExceeded = "RATE_LIMIT_EXCEEDED",
}
