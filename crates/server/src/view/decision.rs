//! What decisions rested on, from the audit: the request, the calls of models, rulings, versions.

use crate::{
    dto::{
        decision::{
            Asking, EnoughView, ModelCallView, PlanStageView, PlannedPartView, PolicyRef, Proof,
            RequestView, RiskNote, ShownDocumentsView, TokenPlanView, VersionsView,
        },
        why::{Ruled, RuledGate, RulingView, SubjectKind, SubjectView},
    },
    problem::{Problem, refusal::internal},
    view::{
        advice::{Advisor, place_rule},
        review::meaning,
    },
};
use serde_json::Value;
use std::collections::BTreeSet;
use wiiiv_domain::{Blueprint, PolicyVersionId, ProjectId, TurnId};
use wiiiv_gate::{Answer, Decision, DecisionRecord, GateAnswer, GateBasis, RuledOn};
use wiiiv_governor::{Governor, PolicyChangeError};
use wiiiv_store::{AuditRow, Store};

const ACCEPTED: &str = "turn.accepted";
const CALLED: [&str; 2] = ["model.called", "model.cut_off"];
const ENDED: &str = "turn.ended";

fn text<'a>(row: &'a AuditRow, name: &str) -> Option<&'a str> {
    row.body.get(name)?.as_str()
}

/// What the records of a turn tell of its beginning.
pub(crate) fn request_in(rows: &[AuditRow], turn: TurnId) -> Option<RequestView> {
    let row = rows.iter().find(|row| row.kind == ACCEPTED)?;
    Some(RequestView {
        seq: row.seq,
        at: row.at.to_string(),
        turn: turn.uuid(),
        user: text(row, "user").and_then(|user| user.parse().ok()),
        hmac: text(row, "textHmac")?.to_owned(),
        language: text(row, "language")?.to_owned(),
    })
}

/// How it ended.
pub(crate) fn outcome_in(rows: &[AuditRow]) -> Option<String> {
    let row = rows.iter().find(|row| row.kind == ENDED)?;
    text(row, "outcome").map(str::to_owned)
}

pub(crate) fn calls_in(rows: &[AuditRow]) -> Vec<ModelCallView> {
    let calls = rows.iter().filter(|row| CALLED.contains(&row.kind.as_str()));
    let owned = |row: &AuditRow, name| text(row, name).map(str::to_owned);
    let view = |row: &AuditRow| {
        let (provider, model) = (text(row, "provider")?, text(row, "model")?);
        Some(ModelCallView {
            seq: row.seq,
            turn: text(row, "turn").and_then(|turn| turn.parse().ok()),
            model: format!("{provider}:{model}"),
            answered_by: owned(row, "answeredBy"),
            persona: owned(row, "persona"),
            stage: owned(row, "stage"),
            prompt: owned(row, "promptHash"),
            rules: owned(row, "rulesHash"),
            plan: row.body.get("plan").and_then(plan),
            documents: row.body.get("documents").and_then(documents),
        })
    };
    calls.filter_map(view).collect()
}

fn documents(of: &Value) -> Option<ShownDocumentsView> {
    let figure = |name| of.get(name).and_then(Value::as_u64);
    Some(ShownDocumentsView { found: figure("found")?, shown: figure("shown")? })
}

/// As the record has it: a part is its name and three figures, a stage its name and why it gave way.
fn plan(of: &Value) -> Option<TokenPlanView> {
    let figure = |name| of.get(name).and_then(Value::as_u64);
    let part = |row: &Value| {
        let figure = |at: usize| row.get(at).and_then(Value::as_u64);
        Some(PlannedPartView {
            part: row.get(0)?.as_str()?.to_owned(),
            granted: figure(1)?,
            used: figure(2)?,
            dropped: figure(3)?,
        })
    };
    let stage = |row: &Value| {
        let text = |at: usize| row.get(at).and_then(Value::as_str).map(str::to_owned);
        Some(PlanStageView { stage: text(0)?, why: text(1)? })
    };
    let stages = of.get("stages").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let error_percent = figure("errorPercent")?;
    Some(TokenPlanView {
        total: figure("total")?,
        window: figure("window")?,
        exact: error_percent == 0,
        error_percent,
        parts: of.get("parts")?.as_array()?.iter().filter_map(part).collect(),
        stages: stages.iter().filter_map(stage).collect(),
    })
}

/// `None` of what is no ruling, or on something else than `wanted`.
pub(crate) fn ruling_of(row: &AuditRow) -> Result<Option<DecisionRecord>, Problem> {
    if row.kind != "decision" {
        return Ok(None);
    }
    serde_json::from_value(row.body.clone()).map(Some).map_err(|e| internal(&e))
}

/// Rulings on one plan and its steps, or of one turn, with what would have been enough.
pub(crate) struct Rulings<'a> {
    pub(crate) governor: &'a Governor,
    pub(crate) advisor: Advisor<'a>,
    pub(crate) asking: Asking,
}

impl Rulings<'_> {
    pub(crate) async fn view(
        &self,
        seq: u64,
        record: &DecisionRecord,
    ) -> Result<RulingView, Problem> {
        let enough = match record.outcome {
            Decision::Allow => None,
            Decision::Deny => Some(self.enough(record).await?),
        };
        Ok(RulingView {
            seq,
            at: record.at.to_string(),
            outcome: record.outcome.into(),
            risk_score: record.standing.risk_score,
            gates: record.answers.iter().filter_map(gate).collect(),
            advice: self.advisor.on(record),
            enough,
            subject: subject(&record.subject),
        })
    }

    async fn enough(&self, record: &DecisionRecord) -> Result<EnoughView, Problem> {
        match (&record.subject, self.advisor.plan) {
            (RuledOn::Blueprint { .. }, Some(plan)) => self.proved(record, plan).await,
            // Nobody is asked about a step.
            (RuledOn::Step { .. }, Some(plan)) => {
                Ok(EnoughView { asks: None, ..self.proved(record, plan).await? })
            }
            (RuledOn::Blueprint { .. } | RuledOn::Step { .. }, None) => {
                Ok(EnoughView::unproved(Proof::Erased))
            }
            (RuledOn::ModelCall { .. }, _) => Ok(EnoughView::unproved(Proof::NotJudged)),
        }
    }

    async fn proved(
        &self,
        record: &DecisionRecord,
        plan: &Blueprint,
    ) -> Result<EnoughView, Problem> {
        let found = self.governor.policies().enough(record, plan, place_rule).await;
        match found {
            Ok(found) => Ok(EnoughView::of(found, self.asking)),
            // A policy of then that this build does not read any more.
            Err(
                PolicyChangeError::Invalid(_)
                | PolicyChangeError::FineRules(_)
                | PolicyChangeError::NotFound,
            ) => Ok(EnoughView::unproved(Proof::OtherRules)),
            Err(error) => Err(error.into()),
        }
    }
}

/// `None` of a gate that was not asked.
fn gate(answer: &GateAnswer) -> Option<RuledGate> {
    let (ruled, code) = match answer.answer {
        Answer::Allow => (Ruled::Allow, None),
        Answer::Deny(code) => (Ruled::Deny, Some(code.as_str())),
        Answer::NotAsked => return None,
    };
    let facts = serde_json::to_value(&answer.figures).unwrap_or(Value::Null);
    Some(RuledGate { gate: answer.gate.into(), answer: ruled, code, facts })
}

fn subject(ruled: &RuledOn) -> SubjectView {
    let of = |kind| SubjectView { kind, step: None, attempt: None, execution: None, model: None };
    match ruled {
        RuledOn::Blueprint { execution, .. } => {
            let execution = execution.map(|execution| execution.uuid());
            SubjectView { execution, ..of(SubjectKind::Blueprint) }
        }
        RuledOn::Step { execution, step, attempt, .. } => SubjectView {
            step: Some(step.to_string()),
            attempt: Some(*attempt),
            execution: Some(execution.uuid()),
            ..of(SubjectKind::Step)
        },
        RuledOn::ModelCall { provider, model, .. } => {
            let model = Some(format!("{provider}:{model}"));
            SubjectView { model, ..of(SubjectKind::ModelCall) }
        }
    }
}

/// By the newest ruling on the whole plan; else as its review says.
pub(crate) fn risk_of(
    governor: &Governor,
    records: &[(u64, DecisionRecord)],
    reviewed: Option<bool>,
) -> RiskNote {
    let ruled = records.iter().rev().find_map(|(_, record)| {
        record.answers.iter().find_map(|answer| match &answer.figures {
            GateBasis::Dacs { risky, risks, .. } => Some((*risky, risks.clone())),
            GateBasis::NotAsked
            | GateBasis::Approval { .. }
            | GateBasis::Permission { .. }
            | GateBasis::Cost { .. } => None,
        })
    });
    match ruled {
        Some((risky, codes)) => {
            let reasons = codes.iter().filter_map(|code| meaning(governor, code)).collect();
            RiskNote { risky: Some(risky), codes, reasons }
        }
        None => RiskNote { risky: reviewed, ..RiskNote::default() },
    }
}

/// Versions of the policy as they are named, each once.
pub(crate) async fn policies_of(
    store: &Store,
    project: ProjectId,
    named: Vec<PolicyVersionId>,
) -> Result<Vec<PolicyRef>, Problem> {
    let mut found: Vec<PolicyRef> = Vec::new();
    for id in named {
        if found.iter().any(|one| one.id == id.uuid()) {
            continue;
        }
        if let Some(version) = store.policy_version(project, id).await? {
            let number = version.body().document().number;
            found.push(PolicyRef { id: id.uuid(), number });
        }
    }
    Ok(found)
}

/// What the decision was made by.
pub(crate) fn versions(
    policies: Vec<PolicyRef>,
    review_rules: Option<String>,
    records: &[(u64, DecisionRecord)],
    calls: &[ModelCallView],
    build: &str,
) -> VersionsView {
    let each = |of: fn(&ModelCallView) -> Option<&String>| -> Vec<String> {
        let all: BTreeSet<&String> = calls.iter().filter_map(of).collect();
        all.into_iter().cloned().collect()
    };
    VersionsView {
        policies,
        review_rules,
        risk_rules: records.last().map(|(_, record)| record.rules.risk.to_string()),
        prompts: each(|call| call.rules.as_ref()),
        models: each(|call| Some(&call.model)),
        answering_build: build.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_call_tells_how_many_passages_it_was_shown() {
        let of = json!({"found": 5, "shown": 3, "digest": "00"});
        assert_eq!(documents(&of), Some(ShownDocumentsView { found: 5, shown: 3 }));
        for none in [json!(null), json!({"found": 5}), json!({"found": -1, "shown": 0})] {
            assert_eq!(documents(&none), None);
        }
    }
}
