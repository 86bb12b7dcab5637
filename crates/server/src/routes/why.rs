//! A plan's graph, and the decisions on it.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        blueprint::effect_name,
        graph::BlueprintGraph,
        why::{
            AnsweredView, DacsView, OpinionView, PolicyRef, Ruled, RuledGate, RulingView,
            SubjectKind, SubjectView, TurnWhyView, WhyView,
        },
    },
    problem::{Problem, ProblemCode, refusal::internal},
    request::address::{IdPath, PairPath},
    routes::{blueprints::seen, sessions::own},
    view::{
        advice::Advisor,
        review::{Reviewer, meaning},
    },
};
use axum::Json;
use serde_json::Value;
use wiiiv_domain::{BlueprintId, SessionId, TurnId, UserId};
use wiiiv_gate::{Answer, DecisionRecord, GateAnswer, RuledOn};
use wiiiv_store::{ApprovalFilter, ApprovalRow, AuditRow};

/// The plan as nodes and edges.
#[utoipa::path(get, path = "/blueprints/{id}/graph", tag = "blueprints",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = BlueprintGraph),
))]
pub(crate) async fn graph_blueprint(
    caller: Caller,
    IdPath(id): IdPath<BlueprintId>,
) -> Result<Json<BlueprintGraph>, Problem> {
    let row = seen(&caller, id, rules::GRAPH_BLUEPRINT).await?;
    let stored = caller.state.store().blueprint(id).await?.ok_or(ProblemCode::NotFound)?;
    Ok(Json(BlueprintGraph::of(&stored.blueprint, row.digest)))
}

/// What was ruled on the plan and on its steps, and what can be done about each denial.
#[utoipa::path(get, path = "/blueprints/{id}/why", tag = "blueprints",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = WhyView),
))]
pub(crate) async fn why_blueprint(
    caller: Caller,
    IdPath(id): IdPath<BlueprintId>,
) -> Result<Json<WhyView>, Problem> {
    let state = &caller.state;
    let row = seen(&caller, id, rules::WHY_BLUEPRINT).await?;
    let store = state.store();
    let plan = store.blueprint(id).await?.ok_or(ProblemCode::NotFound)?.blueprint;
    let drawn =
        store.policy_version(row.project, row.policy).await?.ok_or(ProblemCode::Internal)?;
    let drawn = drawn.body().document();
    let current = store.policy(row.project).await?;
    let policy = &current.body().document().policy;
    let advisor = Advisor { messages: state.governor().messages(), plan: &plan, policy };
    let mut decisions = Vec::new();
    for record in store.decisions_on(&row).await? {
        decisions.extend(ruling(record, &advisor)?);
    }
    let deliberation = &plan.spec_snapshot.deliberation;
    let said = |code: &str| meaning(state.governor(), code);
    let opinions = deliberation.opinions.iter();
    let opinions = opinions.map(|o| OpinionView::of(o.persona, o.vote, &o.concerns, said));
    let models = deliberation.model.iter();
    let models = models
        .flat_map(|review| OpinionView::of_models(review.by.as_ref(), &review.opinions, said));
    let of_plan = ApprovalFilter { blueprint: Some(id), ..ApprovalFilter::default() };
    let asked = store.approvals(&of_plan).await?;
    let people = asked.iter().filter_map(|row| row.decided_by).chain([row.requester]);
    let names = state.names().of(store, people).await?;
    let name = |user: UserId| names.get(&user).map(ToString::to_string);
    let answered = |row: ApprovalRow| AnsweredView {
        approval: row.request.id.uuid(),
        state: row.state.into(),
        decided_by: row.decided_by.map(|user| user.uuid()),
        decided_by_name: row.decided_by.and_then(name),
        decided_at: row.decided_at.map(|at| at.to_string()),
    };
    Ok(Json(WhyView {
        blueprint: id.uuid(),
        digest: row.digest.to_string(),
        requester: row.requester.uuid(),
        requester_name: name(row.requester).unwrap_or_default(),
        approvals: asked.into_iter().map(answered).collect(),
        task_type: row.task_type.to_string(),
        effect: effect_name(row.effect),
        policy: PolicyRef { id: drawn.id.uuid(), number: drawn.number },
        dacs: DacsView {
            consensus: deliberation.consensus,
            stage: drawn.policy.dacs_stage,
            opinions: opinions.chain(models).collect(),
        },
        decisions,
    }))
}

/// What was reviewed in a turn, also where it came to no plan: the opinions, and what can be done.
#[utoipa::path(get, path = "/sessions/{id}/turns/{turn}/why", tag = "sessions",
    params(("id" = Uuid, Path), ("turn" = Uuid, Path)), responses(
    (status = 200, body = TurnWhyView),
))]
pub(crate) async fn why_turn(
    caller: Caller,
    PairPath(id, turn): PairPath<SessionId, TurnId>,
) -> Result<Json<TurnWhyView>, Problem> {
    let state = &caller.state;
    let (session, _) = own(&caller, id, rules::WHY_TURN).await?;
    let found = state.governor().plans().reviewed(id, turn).await?;
    let current = state.store().policy(session.project).await?;
    let policy = current.body().document();
    let reviewer = Reviewer { governor: state.governor(), policy };
    let mut reviews = Vec::new();
    for one in found {
        reviews.push(reviewer.view((session.project, id), one).await?);
    }
    Ok(Json(TurnWhyView {
        session: id.uuid(),
        turn: turn.uuid(),
        policy: PolicyRef { id: policy.id.uuid(), number: policy.number },
        reviews,
    }))
}

/// `None` of what is no ruling on a plan.
fn ruling(row: AuditRow, advisor: &Advisor<'_>) -> Result<Option<RulingView>, Problem> {
    let record: DecisionRecord = serde_json::from_value(row.body).map_err(|e| internal(&e))?;
    let gates = record.answers.iter().filter_map(gate).collect();
    let advice = advisor.on(&record);
    Ok(subject(record.subject).map(|subject| RulingView {
        seq: row.seq,
        at: record.at.to_string(),
        outcome: record.outcome.into(),
        advice,
        gates,
        subject,
    }))
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

fn subject(ruled: RuledOn) -> Option<SubjectView> {
    let of = |kind| SubjectView { kind, step: None, attempt: None, execution: None };
    match ruled {
        RuledOn::Blueprint { execution, .. } => {
            let execution = execution.map(|execution| execution.uuid());
            Some(SubjectView { execution, ..of(SubjectKind::Blueprint) })
        }
        RuledOn::Step { execution, step, attempt, .. } => Some(SubjectView {
            step: Some(step.to_string()),
            attempt: Some(attempt),
            execution: Some(execution.uuid()),
            ..of(SubjectKind::Step)
        }),
        RuledOn::ModelCall { .. } => None,
    }
}
