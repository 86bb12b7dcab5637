//! The decision as the audit keeps it: ids, codes, counts and digests; no text of a person, a
//! model or a service.

use crate::{
    case::Case,
    facts::{SubjectFacts, VoteFacts},
    findings::{Answer, ApprovalBasis, CostFinding, CostLine, Findings, Hold},
    standing::is_not,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use wiiiv_domain::{
    BlueprintDigest, BlueprintId, CallId, Consensus, ContentDigest, DacsSource, DeliberationDigest,
    DenyCode, ExecutionId, GateName, ModelSlot, PolicyVersionId, ProjectId, ProviderName,
    RulesHash, RulingId, SessionId, SpecDigest, StepId, TaskId, Timestamp, TurnId,
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DecisionRecord {
    pub version: u32,
    pub ruling: RulingId,
    pub at: Timestamp,
    pub project: ProjectId,
    pub session: SessionId,
    pub subject: RuledOn,
    pub outcome: Decision,
    /// In the order of the gates, always four.
    pub answers: Vec<GateAnswer>,
    pub would_deny: Vec<WouldDeny>,
    pub policy: PolicyVersionId,
    pub rules: RuleVersions,
    pub standing: JudgedStanding,
    /// Of the facts that the evaluator saw.
    pub facts: ContentDigest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Decision {
    Allow,
    Deny,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "kind")]
pub enum RuledOn {
    Blueprint {
        blueprint: BlueprintId,
        digest: BlueprintDigest,
        spec: SpecDigest,
        deliberation: DeliberationDigest,
        task: TaskId,
        execution: Option<ExecutionId>,
        resumes: bool,
    },
    Step {
        execution: ExecutionId,
        blueprint: BlueprintId,
        step: StepId,
        attempt: u32,
        /// SHA-256 of each resolved value, salted.
        values: BTreeMap<String, ContentDigest>,
    },
    ModelCall {
        call: CallId,
        task: TaskId,
        turn: TurnId,
        /// Absent in records that are older than it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        slot: Option<ModelSlot>,
        provider: ProviderName,
        model: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GateAnswer {
    pub gate: GateName,
    pub answer: Answer,
    pub figures: GateBasis,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WouldDeny {
    pub gate: GateName,
    pub code: DenyCode,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RuleVersions {
    pub dacs: RulesHash,
    pub risk: RulesHash,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JudgedStanding {
    pub seq: u64,
    pub risk_score: u32,
    pub halted: bool,
    pub tainted: bool,
    /// Policy asks for verified models, and one that is not was asked in this conversation.
    #[serde(default, skip_serializing_if = "is_not")]
    pub unverified: bool,
}

/// What the answer rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "kind")]
pub enum GateBasis {
    NotAsked,
    Dacs {
        binding: bool,
        risky: bool,
        risks: Vec<String>,
        source: DacsSource,
        recorded: Consensus,
        recounted: Consensus,
        model: Option<Consensus>,
        consensus: Consensus,
        votes: Vec<VoteFacts>,
    },
    Approval {
        basis: ApprovalBasis,
    },
    Permission {
        refused: Vec<Refused>,
    },
    Cost {
        estimate: Figure,
        held_by: Option<ExecutionId>,
        windows: Vec<WindowFigure>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Refused {
    pub code: DenyCode,
    pub step: Option<StepId>,
}

/// Decimal texts: canonical JSON keeps no integer past 2^53.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Figure {
    pub tokens: Option<String>,
    pub micros: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WindowFigure {
    /// `run` or `day`.
    pub window: String,
    pub used: Figure,
    /// `null`: no cap of that kind.
    pub cap: Figure,
}

impl DecisionRecord {
    pub const VERSION: u32 = 1;

    pub(crate) fn of(case: &Case<'_>, findings: &Findings, now: Timestamp) -> Self {
        let standing = case.facts.standing;
        let book = case.seal.book();
        let answers = GateName::ALL.map(|gate| GateAnswer {
            gate,
            answer: findings.answer(gate),
            figures: figures(gate, case, findings),
        });
        let would_deny = findings.would_deny().into_iter();
        Self {
            version: Self::VERSION,
            ruling: case.ruling,
            at: now,
            project: case.facts.project,
            session: standing.session,
            subject: ruled_on(case),
            outcome: if findings.allowed() { Decision::Allow } else { Decision::Deny },
            answers: answers.into(),
            would_deny: would_deny.map(|(gate, code)| WouldDeny { gate, code }).collect(),
            policy: case.policy.version(),
            rules: RuleVersions { dacs: book.dacs.hash(), risk: book.risk.hash() },
            standing: JudgedStanding {
                seq: standing.seq.get(),
                risk_score: standing.risk_score,
                halted: standing.halted,
                tainted: standing.tainted,
                unverified: standing.unverified,
            },
            facts: case.facts_digest,
        }
    }

    /// Of every gate that said no, the reported one first.
    #[must_use]
    pub fn codes(&self) -> Vec<DenyCode> {
        self.answers.iter().filter_map(|a| a.answer.denial()).collect()
    }
}

fn ruled_on(case: &Case<'_>) -> RuledOn {
    use crate::start::Start;
    match &case.facts.subject {
        SubjectFacts::Blueprint(plan) => RuledOn::Blueprint {
            blueprint: plan.blueprint,
            digest: plan.digest,
            spec: plan.dacs.spec,
            deliberation: plan.dacs.deliberation,
            task: plan.task,
            execution: match &case.start {
                Start::Execution { execution, .. } | Start::Resume { execution } => {
                    Some(*execution)
                }
                Start::Step { .. } | Start::Call(_) => None,
            },
            resumes: plan.resumes.is_some(),
        },
        SubjectFacts::Step(step) => RuledOn::Step {
            execution: step.execution,
            blueprint: step.blueprint,
            step: step.node.step.clone(),
            attempt: step.attempt,
            values: step.values.clone(),
        },
        SubjectFacts::ModelCall(call) => RuledOn::ModelCall {
            call: call.call,
            task: call.task,
            turn: call.turn,
            slot: Some(call.slot),
            provider: call.provider,
            model: call.model.clone(),
        },
    }
}

fn figures(gate: GateName, case: &Case<'_>, findings: &Findings) -> GateBasis {
    if findings.answer(gate) == Answer::NotAsked {
        return GateBasis::NotAsked;
    }
    match gate {
        GateName::Dacs => dacs_figures(case, findings),
        GateName::UserApproval => GateBasis::Approval { basis: findings.approval.basis.clone() },
        GateName::Permission => {
            let refusals = findings.permission.refusals.iter();
            let refused = refusals.map(|r| Refused { code: r.code, step: r.step.clone() });
            GateBasis::Permission { refused: refused.collect() }
        }
        GateName::Cost => cost_figures(&findings.cost),
    }
}

fn dacs_figures(case: &Case<'_>, findings: &Findings) -> GateBasis {
    let SubjectFacts::Blueprint(plan) = &case.facts.subject else { return GateBasis::NotAsked };
    GateBasis::Dacs {
        binding: findings.dacs.binding,
        risky: plan.risk.risky,
        risks: plan.risk.codes.clone(),
        source: plan.dacs.source,
        recorded: plan.dacs.counted,
        recounted: plan.dacs.recounted,
        model: plan.dacs.model,
        consensus: findings.dacs.consensus.unwrap_or(Consensus::Revision),
        votes: plan.dacs.votes.clone(),
    }
}

fn cost_figures(cost: &CostFinding) -> GateBasis {
    let estimate = Figure {
        tokens: Some(cost.estimate.tokens.to_string()),
        micros: cost.estimate.micros.map(|m| m.to_string()),
    };
    match &cost.hold {
        Hold::Stands(execution) => {
            GateBasis::Cost { estimate, held_by: Some(*execution), windows: Vec::new() }
        }
        Hold::Take(lines) => {
            GateBasis::Cost { estimate, held_by: None, windows: lines.iter().map(window).collect() }
        }
    }
}

fn window(line: &CostLine) -> WindowFigure {
    use wiiiv_domain::WindowKind;
    let name = match (&line.window.window, line.window.user) {
        (WindowKind::Run(_), _) => "run",
        (WindowKind::Day(_), None) => "day",
        (WindowKind::Month(_), None) => "month",
        (WindowKind::Day(_), Some(_)) => "user_day",
        (WindowKind::Month(_), Some(_)) => "user_month",
    };
    let text = |number: Option<u64>| number.map(|n| n.to_string());
    WindowFigure {
        window: name.to_owned(),
        used: Figure { tokens: text(Some(line.used_tokens)), micros: text(Some(line.used_micros)) },
        cap: Figure { tokens: text(line.cap.tokens), micros: text(line.cap.micros) },
    }
}
