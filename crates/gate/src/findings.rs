//! What the four gates answer. Plain: it judges, and permits nothing.

use crate::cap::Cap;
use wiiiv_domain::{
    Amount, ApprovalId, BudgetWindow, Consensus, DenyCode, ExecutionId, GateName, StepId, UserId,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE", tag = "answer", content = "code")]
pub enum Answer {
    Allow,
    Deny(DenyCode),
    /// This kind of subject is not asked of this gate.
    NotAsked,
}

impl Answer {
    pub(crate) const fn of(code: Option<DenyCode>) -> Self {
        match code {
            None => Self::Allow,
            Some(code) => Self::Deny(code),
        }
    }
    #[must_use]
    pub const fn denial(self) -> Option<DenyCode> {
        match self {
            Self::Deny(code) => Some(code),
            Self::Allow | Self::NotAsked => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    pub dacs: DacsFinding,
    pub approval: ApprovalFinding,
    pub permission: PermissionFinding,
    pub cost: CostFinding,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DacsFinding {
    pub answer: Answer,
    /// What a project in `enforce` would have been told.
    pub would_deny: Option<DenyCode>,
    /// `None` where it was not asked.
    pub consensus: Option<Consensus>,
    pub binding: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalFinding {
    pub answer: Answer,
    pub basis: ApprovalBasis,
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "basis")]
pub enum ApprovalBasis {
    NotAsked,
    NotRequired {
        reason: NotRequired,
    },
    Given {
        approval: ApprovalId,
        approver: UserId,
    },
    /// Consumed by the very execution that goes on.
    GivenToExecution {
        execution: ExecutionId,
    },
    Missing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotRequired {
    /// Policy asks nobody for this task type.
    Never,
    /// Policy asks for anything but READ, and this reads.
    ReadsOnly,
    /// Policy asks where it is risky, and this is not.
    NotRisky,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionFinding {
    pub answer: Answer,
    /// Every refusal, the reported one first.
    pub refusals: Vec<Refusal>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub code: DenyCode,
    pub step: Option<StepId>,
    /// The path, host or name: for the person who asked, never for the audit.
    pub what: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CostFinding {
    pub answer: Answer,
    pub estimate: Amount,
    pub hold: Hold,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hold {
    /// In the order in which the rows are taken; empty where nothing is spent.
    Take(Vec<CostLine>),
    /// Taken when this execution began.
    Stands(ExecutionId),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CostLine {
    pub window: BudgetWindow,
    pub used_tokens: u64,
    pub used_micros: u64,
    pub cap: Cap,
}

impl Findings {
    #[must_use]
    pub const fn answer(&self, gate: GateName) -> Answer {
        match gate {
            GateName::Dacs => self.dacs.answer,
            GateName::UserApproval => self.approval.answer,
            GateName::Permission => self.permission.answer,
            GateName::Cost => self.cost.answer,
        }
    }
    #[must_use]
    pub fn allowed(&self) -> bool {
        self.denials().is_empty()
    }
    /// In the order of the record; the first is the one reported.
    #[must_use]
    pub fn denials(&self) -> Vec<(GateName, DenyCode)> {
        let answers = GateName::ALL.into_iter().map(|gate| (gate, self.answer(gate)));
        answers.filter_map(|(gate, answer)| Some((gate, answer.denial()?))).collect()
    }
    #[must_use]
    pub fn would_deny(&self) -> Vec<(GateName, DenyCode)> {
        self.dacs.would_deny.map(|code| (GateName::Dacs, code)).into_iter().collect()
    }
}
