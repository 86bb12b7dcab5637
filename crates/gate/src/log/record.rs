//! The decision as the audit stores it: ids, codes, counts and digests; no text of a person, a
//! model or a service.

use crate::{
    case::Case,
    facts::{SubjectFacts, VoteFacts},
    findings::{
        Answer, ApprovalBasis, CostFinding, CostLine, CountedYes, Findings, Hold, UsedGrant,
    },
    standing::{LedgerVersion, is_not},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use wiiiv_domain::{
    BlueprintDigest, BlueprintId, CallId, Consensus, ContentDigest, DacsSource, DeliberationDigest,
    DenyCode, ExecutionId, FineRuleName, GateName, ModelSlot, OverrideId, PolicyVersionId,
    ProjectId, ProviderName, RulesHash, RulingId, SessionId, SpecDigest, StepId, TaskId, Timestamp,
    TurnId,
};

/// One ruling, as the audit keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DecisionRecord {
    /// [`DecisionRecord::VERSION`] of the build that wrote it.
    pub version: u32,
    /// Id of the ruling.
    pub ruling: RulingId,
    /// When it was made.
    pub at: Timestamp,
    /// The subject's project.
    pub project: ProjectId,
    /// The subject's session.
    pub session: SessionId,
    /// What was ruled on.
    pub subject: RuledOn,
    /// The decision.
    pub outcome: Decision,
    /// In the order of the gates, always four.
    pub answers: Vec<GateAnswer>,
    /// Denials that an `enforce` project would have had.
    pub would_deny: Vec<WouldDeny>,
    /// The policy version that it was made under.
    pub policy: PolicyVersionId,
    /// The override whose rules it was made by. Absent where that version is none, where the subject is
    /// outside of its scope, and in records that are older than it.
    #[serde(rename = "override", default, skip_serializing_if = "Option::is_none")]
    pub by_override: Option<OverrideId>,
    /// The rule files that it was made by.
    pub rules: RuleVersions,
    /// The session's standing at the time.
    pub standing: JudgedStanding,
    /// Digest of the facts that the evaluator got.
    pub facts: ContentDigest,
}

/// What the four answers come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Decision {
    /// No gate denied.
    Allow,
    /// At least one gate denied.
    Deny,
}

/// What was ruled on, by its ids and digests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "kind")]
pub enum RuledOn {
    /// A whole plan.
    Blueprint {
        /// The plan.
        blueprint: BlueprintId,
        /// Its digest.
        digest: BlueprintDigest,
        /// Digest of its spec.
        spec: SpecDigest,
        /// Digest of its review's result.
        deliberation: DeliberationDigest,
        /// The task that it serves.
        task: TaskId,
        /// The run that the permit is for.
        execution: Option<ExecutionId>,
        /// True if that run began before.
        resumes: bool,
        /// The override of one request that the run takes, where it begins and needs one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        takes: Option<OverrideId>,
    },
    /// One attempt of a step.
    Step {
        /// The run.
        execution: ExecutionId,
        /// The plan that runs.
        blueprint: BlueprintId,
        /// The step's name.
        step: StepId,
        /// Number of the attempt, from 1.
        attempt: u32,
        /// SHA-256 of each resolved value, salted.
        values: BTreeMap<String, ContentDigest>,
    },
    /// One model call.
    ModelCall {
        /// The call.
        call: CallId,
        /// The task that it serves.
        task: TaskId,
        /// The turn that asked.
        turn: TurnId,
        /// Absent in records that are older than it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        slot: Option<ModelSlot>,
        /// The provider.
        provider: ProviderName,
        /// The model, as the provider calls it.
        model: String,
    },
}

/// One gate's answer, with its figures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GateAnswer {
    /// The gate.
    pub gate: GateName,
    /// What it answered.
    pub answer: Answer,
    /// What the answer rests on.
    pub figures: GateBasis,
}

/// A denial that did not count.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WouldDeny {
    /// The gate.
    pub gate: GateName,
    /// The code that it would have given.
    pub code: DenyCode,
}

/// Digests of the rule files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RuleVersions {
    /// Of `policies/dacs.toml`.
    pub dacs: RulesHash,
    /// Of `policies/risk.toml`.
    pub risk: RulesHash,
}

/// The standing that the ruling was made on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JudgedStanding {
    /// Number of the standing; it rises with each change.
    pub seq: u64,
    /// The session's risk score, in points.
    pub risk_score: u32,
    /// Whether the session, its project or the server was halted.
    pub halted: bool,
    /// Whether the turn had read content from outside.
    pub tainted: bool,
    /// Policy asks for verified models, and one that is not was asked in this conversation.
    #[serde(default, skip_serializing_if = "is_not")]
    pub unverified: bool,
    /// The version of the ledger that said so; absent where policy asks for no verified model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger: Option<LedgerVersion>,
}

/// What the answer rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "kind")]
pub enum GateBasis {
    /// The gate was not asked.
    NotAsked,
    /// What the review rests on.
    Dacs {
        /// Whether the verdict binds at the project's stage.
        binding: bool,
        /// Whether a rule of risk matched.
        risky: bool,
        /// Codes of the rules that matched.
        risks: Vec<String>,
        /// Which personas voted.
        source: DacsSource,
        /// What the snapshot's opinions come to.
        recorded: Consensus,
        /// What the rule personas say now.
        recounted: Consensus,
        /// What the model personas' opinions come to, if they were asked.
        model: Option<Consensus>,
        /// The most severe of these.
        consensus: Consensus,
        /// What the rule personas say now, vote by vote.
        votes: Vec<VoteFacts>,
    },
    /// What the approval rests on.
    Approval {
        /// The approval that counts, or why none does.
        basis: ApprovalBasis,
    },
    /// What the permission rests on.
    Permission {
        /// Every refusal, without its text.
        refused: Vec<Refused>,
    },
    /// What the cost rests on.
    Cost {
        /// The worst case.
        estimate: Figure,
        /// The run whose hold covers it; `None` if it takes its own.
        held_by: Option<ExecutionId>,
        /// The windows that it counts in.
        windows: Vec<WindowFigure>,
    },
}

/// One refusal of the permission gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Refused {
    /// Why.
    pub code: DenyCode,
    /// The step that it is about; `None` for the whole subject.
    pub step: Option<StepId>,
    /// The fine rule that forbids it; absent where none does, and in records that are older than it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<FineRuleName>,
}

/// Numbers as decimal texts: canonical JSON keeps no integer past 2^53.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Figure {
    /// Tokens; `null` means no such number.
    pub tokens: Option<String>,
    /// Micro-units of the currency; `null` means no such number.
    pub micros: Option<String>,
}

/// One budget window at the time of the ruling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WindowFigure {
    /// `run` or `day`.
    pub window: String,
    /// What was settled or held in it.
    pub used: Figure,
    /// `null`: no cap of that kind.
    pub cap: Figure,
}

impl DecisionRecord {
    /// Version of the record that this build writes.
    pub const VERSION: u32 = 1;

    pub(crate) fn of(case: &Case<'_>, findings: &Findings, now: Timestamp) -> Self {
        let standing = case.judged.facts.standing;
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
            project: case.judged.facts.project,
            session: standing.session,
            subject: ruled_on(case, findings.allowed()),
            outcome: if findings.allowed() { Decision::Allow } else { Decision::Deny },
            answers: answers.into(),
            would_deny: would_deny.map(|(gate, code)| WouldDeny { gate, code }).collect(),
            policy: case.policy.version(),
            by_override: case.judged.by,
            rules: RuleVersions { dacs: book.dacs.hash(), risk: book.risk.hash() },
            standing: JudgedStanding {
                seq: standing.seq.get(),
                risk_score: standing.risk_score,
                halted: standing.halted,
                tainted: standing.tainted,
                unverified: standing.unverified,
                ledger: standing.ledger,
            },
            facts: case.judged.digest,
        }
    }

    /// What it uses of grants; nothing of a ruling that rests on none.
    #[must_use]
    pub fn grants_used(&self) -> &[UsedGrant] {
        let Some(ApprovalBasis::PreApproved { grants }) = self.approval_basis() else {
            return &[];
        };
        grants
    }

    /// The yeses that it counted; none of a ruling that rests on none.
    #[must_use]
    pub fn yeses_counted(&self) -> Vec<CountedYes> {
        let Some(ApprovalBasis::Given { approval, approver, on_behalf_of, others }) =
            self.approval_basis()
        else {
            return Vec::new();
        };
        let (approval, approver, on_behalf_of) = (*approval, *approver, *on_behalf_of);
        let first = CountedYes { approval, approver, on_behalf_of };
        std::iter::once(first).chain(others.iter().copied()).collect()
    }

    fn approval_basis(&self) -> Option<&ApprovalBasis> {
        self.answers.iter().find_map(|told| match &told.figures {
            GateBasis::Approval { basis } => Some(basis),
            GateBasis::NotAsked
            | GateBasis::Dacs { .. }
            | GateBasis::Permission { .. }
            | GateBasis::Cost { .. } => None,
        })
    }

    /// Codes of every denial, the reported one first.
    #[must_use]
    pub fn codes(&self) -> Vec<DenyCode> {
        self.answers.iter().filter_map(|a| a.answer.denial()).collect()
    }
}

fn ruled_on(case: &Case<'_>, allowed: bool) -> RuledOn {
    use crate::permit::start::Start;
    match &case.judged.facts.subject {
        SubjectFacts::Blueprint(plan) => RuledOn::Blueprint {
            blueprint: plan.blueprint,
            digest: plan.digest,
            spec: plan.dacs.spec,
            deliberation: plan.dacs.deliberation,
            task: plan.task,
            execution: match &case.start {
                Start::Execution { execution, .. } | Start::Resume { execution, .. } => {
                    Some(*execution)
                }
                Start::Step { .. } | Start::Call(_) => None,
            },
            resumes: plan.resumes.is_some(),
            takes: case.start.takes().filter(|_| allowed),
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
            let refused = refusals.map(|r| Refused {
                code: r.code,
                step: r.step.clone(),
                rule: r.rule.clone(),
            });
            GateBasis::Permission { refused: refused.collect() }
        }
        GateName::Cost => cost_figures(&findings.cost),
    }
}

fn dacs_figures(case: &Case<'_>, findings: &Findings) -> GateBasis {
    let SubjectFacts::Blueprint(plan) = &case.judged.facts.subject else {
        return GateBasis::NotAsked;
    };
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
