//! The answers of the four gates. Plain data: they permit nothing.

use crate::permit::cap::Cap;
use wiiiv_domain::{
    Amount, ApprovalId, BudgetWindow, Consensus, DenyCode, ExecutionId, FineRuleName, GateName,
    GrantId, OnBehalfOf, StepId, UserId,
};

/// One gate's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE", tag = "answer", content = "code")]
pub enum Answer {
    /// The gate allows.
    Allow,
    /// The gate denies, with this code.
    Deny(DenyCode),
    /// This gate does not rule on this kind of subject.
    NotAsked,
}

impl Answer {
    pub(crate) const fn of(code: Option<DenyCode>) -> Self {
        match code {
            None => Self::Allow,
            Some(code) => Self::Deny(code),
        }
    }
    /// The code of a denial; `None` for any other answer.
    #[must_use]
    pub const fn denial(self) -> Option<DenyCode> {
        match self {
            Self::Deny(code) => Some(code),
            Self::Allow | Self::NotAsked => None,
        }
    }
}

/// The four answers, with what each rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    /// The review's answer.
    pub dacs: DacsFinding,
    /// The approval gate's answer.
    pub approval: ApprovalFinding,
    /// The permission gate's answer.
    pub permission: PermissionFinding,
    /// The cost gate's answer.
    pub cost: CostFinding,
}

/// What the review's gate found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DacsFinding {
    /// Its answer.
    pub answer: Answer,
    /// The denial that a project in `enforce` would have had.
    pub would_deny: Option<DenyCode>,
    /// `None` if the review was not asked.
    pub consensus: Option<Consensus>,
    /// Whether the verdict binds at the project's stage.
    pub binding: bool,
}

/// What the approval gate found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalFinding {
    /// Its answer.
    pub answer: Answer,
    /// What the answer rests on.
    pub basis: ApprovalBasis,
}

/// Why an approval is there, missing or not needed.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "basis")]
pub enum ApprovalBasis {
    /// This kind of subject needs no approval.
    NotAsked,
    /// Policy asks for none.
    NotRequired {
        /// Why not.
        reason: NotRequired,
    },
    /// A recorded yes that counts.
    Given {
        /// The question that was answered.
        approval: ApprovalId,
        /// Who said yes.
        approver: UserId,
        /// Whose right it was said in, where that is another person's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        on_behalf_of: Option<OnBehalfOf>,
        /// The others, where policy asks for several people.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        others: Vec<CountedYes>,
    },
    /// Said beforehand.
    PreApproved {
        /// What is used of each grant.
        grants: Vec<UsedGrant>,
    },
    /// Consumed by the same run, which now goes on.
    GivenToExecution {
        /// The run that consumed it.
        execution: ExecutionId,
    },
    /// One is needed and none counts, or several are and too few do.
    Missing,
    /// None would count: policy denies a target that did not come from the user's words.
    ForeignTarget,
}

/// One of several yeses that count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CountedYes {
    /// The question that was answered.
    pub approval: ApprovalId,
    /// Who said yes.
    pub approver: UserId,
    /// Whose right it was said in, where that is another person's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_behalf_of: Option<OnBehalfOf>,
}

impl CountedYes {
    /// The person whose right it was said in.
    pub(crate) fn in_right_of(self) -> UserId {
        self.on_behalf_of.map_or(self.approver, |lent| lent.delegator)
    }
}

/// What a plan uses of one grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UsedGrant {
    /// The grant.
    pub grant: GrantId,
    /// Who gave it.
    pub granter: UserId,
    /// So many of its uses.
    pub taken: u32,
}

/// Why policy asks for no approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotRequired {
    /// The task type needs no approval.
    Never,
    /// Only changes need an approval, and this plan reads.
    ReadsOnly,
    /// Only risky plans need an approval, and this one is not.
    NotRisky,
}

/// What the permission gate found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PermissionFinding {
    /// Its answer: the first refusal, or ALLOW.
    pub answer: Answer,
    /// Every refusal, the reported one first.
    pub refusals: Vec<Refusal>,
}

impl PermissionFinding {
    /// Refuses the subject before anything else that was found: policy version `number` is over.
    pub(crate) fn refuse_whole(&mut self, code: DenyCode, number: u32) {
        let what = format!("policy version {number}");
        self.refusals.insert(0, Refusal { code, step: None, what, rule: None });
        self.answer = Answer::Deny(code);
    }
}

/// One thing that policy or rights refuse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub code: DenyCode,
    /// The step that it is about; `None` for the whole subject.
    pub step: Option<StepId>,
    /// The path, host or name; for the person who asked, never for the audit.
    pub what: String,
    /// The fine rule that forbids it, where one does.
    pub rule: Option<FineRuleName>,
}

/// What the cost gate found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CostFinding {
    /// Its answer.
    pub answer: Answer,
    /// The worst case of the cost.
    pub estimate: Amount,
    /// What the commit must do about the budget.
    pub hold: Hold,
}

/// How the cost is covered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hold {
    /// In the order in which rows are locked; empty if nothing is spent.
    Take(Vec<CostLine>),
    /// Held since this run began.
    Stands(ExecutionId),
}

/// One window that the cost counts in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CostLine {
    /// The window.
    pub window: BudgetWindow,
    /// Tokens that are settled or held there.
    pub used_tokens: u64,
    /// Micro-units that are settled or held there.
    pub used_micros: u64,
    /// The policy's cap for it.
    pub cap: Cap,
}

impl Findings {
    /// The answer of that gate.
    #[must_use]
    pub const fn answer(&self, gate: GateName) -> Answer {
        match gate {
            GateName::Dacs => self.dacs.answer,
            GateName::UserApproval => self.approval.answer,
            GateName::Permission => self.permission.answer,
            GateName::Cost => self.cost.answer,
        }
    }
    /// Whether no gate denies.
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
    /// The denials that the project's stage does not let count yet.
    #[must_use]
    pub fn would_deny(&self) -> Vec<(GateName, DenyCode)> {
        self.dacs.would_deny.map(|code| (GateName::Dacs, code)).into_iter().collect()
    }
}
