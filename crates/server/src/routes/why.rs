//! A plan's graph, and the decisions on it.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        approval::{RevokedView, YesView},
        blueprint::effect_name,
        decision::{Asking, DecisionPlace, ModelCallView, PolicyRef},
        graph::BlueprintGraph,
        why::{AnsweredView, DacsView, OpinionView, RestsOnView, RulingView, TurnWhyView, WhyView},
    },
    problem::{Problem, ProblemCode},
    request::address::{DecisionOf, IdPath, PairPath},
    routes::{blueprints::seen, sessions::overseen},
    view::{
        advice::{Advisor, with_policy},
        answers::answers_in,
        decision::{
            Rulings, calls_in, outcome_in, policies_of, request_in, risk_of, ruling_of, versions,
        },
        edits::edits,
        inbox::answerers,
        review::{Reviewer, for_auditor, meaning},
    },
};
use axum::Json;
use wiiiv_domain::{
    Blueprint, BlueprintId, Consensus, DacsStage, ProjectId, SessionId, TurnId, UserId,
};
use wiiiv_gate::{DecisionRecord, Principal};
use wiiiv_governor::Governor;
use wiiiv_store::{ApprovalFilter, ApprovalRow, AuditRow, BlueprintRow, Decided, GrantUse, Store};

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

/// What an id is of that somebody asks about: a run, a plan, a question, a turn (of one's own, and to who may read
/// the audit of anybody's), or the number of a ruling's audit record.
#[utoipa::path(get, path = "/projects/{id}/decisions/{of}", tag = "blueprints",
    params(("id" = Uuid, Path), ("of" = String, Path, description = "An id, or the number of a record")),
    responses((status = 200, body = DecisionPlace)))]
pub(crate) async fn find_decision(
    caller: Caller,
    PairPath(project, of): PairPath<ProjectId, DecisionOf>,
) -> Result<Json<DecisionPlace>, Problem> {
    caller.enter(project, rules::FIND_DECISION).await?;
    let store = caller.state.store();
    let found = store.decided(project, of.into()).await?;
    let found = found.ok_or(ProblemCode::NotFound)?;
    let nowhere = DecisionPlace { blueprint: None, session: None, turn: None };
    match found {
        Decided::Plan(plan) => Ok(Json(DecisionPlace { blueprint: Some(plan.uuid()), ..nowhere })),
        Decided::Turn(session, turn) => {
            // To whoever may not look into a conversation nothing of it is told, its id included.
            overseen(&caller, session, rules::WHY_TURN).await?;
            let (session, turn) = (Some(session.uuid()), Some(turn.uuid()));
            Ok(Json(DecisionPlace { session, turn, ..nowhere }))
        }
    }
}

/// What was ruled on the plan and on its steps, and what can be done about each denial: the smallest change
/// that would have allowed it, proved by judging it again.
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
    let who = caller.enter(row.project, rules::WHY_BLUEPRINT).await?;
    let (store, governor) = (state.store(), state.governor());
    let plan = store.blueprint(id).await?.map(|stored| stored.blueprint);
    let drawn =
        store.policy_version(row.project, row.policy).await?.ok_or(ProblemCode::Internal)?;
    let drawn = drawn.body().document();
    let current = store.policy(row.project).await?;
    let current = current.body().document();
    let policy = current.general();
    let rulings = Rulings {
        governor,
        advisor: Advisor { messages: governor.messages(), plan: plan.as_ref(), policy },
        asking: Asking { edited: edited_by(plan.as_ref(), &who), ..asking(&who, row.requester) },
    };
    let records = rulings_in(store.decisions_on(&row).await?)?;
    let mut decisions = Vec::new();
    for (seq, record) in &records {
        decisions.push(rulings.view(*seq, record).await?);
    }
    let stage = drawn.policy.dacs_stage;
    let dacs = match &plan {
        Some(plan) => reviewed(governor, plan, stage),
        None => told(&Reviewer { governor, policy: current }, &row, stage).await?,
    };
    let risky = plan.as_ref().map(|plan| plan.spec_snapshot.deliberation.risky);
    let turn = TurnId::from(row.task.uuid());
    let of_turn = store.records_of_turn(row.project, turn).await?;
    let calls = calls_for(store, &row, &of_turn).await?;
    let named = std::iter::once(row.policy).chain(records.iter().map(|(_, one)| one.policy));
    let policies = policies_of(store, row.project, named.collect()).await?;
    let (requester_name, approvals) = answered(&caller, &row).await?;
    let policy = PolicyRef { id: drawn.id.uuid(), number: drawn.number };
    let build = &state.config().build;
    Ok(Json(WhyView {
        blueprint: id.uuid(),
        digest: row.digest.to_string(),
        requester: row.requester.uuid(),
        requester_name,
        approvals,
        edits: edits(state, row.session, row.task).await?,
        grants: rests_on(&caller, id).await?,
        task_type: row.task_type.to_string(),
        effect: effect_name(row.effect),
        erased: plan.is_none(),
        request: request_in(&of_turn, turn),
        spec: row.spec_digest.to_string(),
        risk: risk_of(governor, &records, risky),
        versions: versions(policies, dacs.rules.clone(), &records, &calls, build),
        calls,
        policy,
        dacs,
        decisions,
    }))
}

/// Of models: those of the turn that the plan's task began in, and those that were ruled on for it in others.
async fn calls_for(
    store: &Store,
    row: &BlueprintRow,
    begun: &[AuditRow],
) -> Result<Vec<ModelCallView>, Problem> {
    let mut calls = calls_in(begun);
    calls.extend(calls_in(&store.calls_for_task(row.project, row.task).await?));
    calls.sort_by_key(|call| call.seq);
    calls.dedup_by_key(|call| call.seq);
    Ok(calls)
}

/// What its requester is called, and the questions that were put about it.
async fn answered(
    caller: &Caller,
    row: &BlueprintRow,
) -> Result<(String, Vec<AnsweredView>), Problem> {
    let store = caller.state.store();
    let of_plan = ApprovalFilter { blueprint: Some(row.id), ..ApprovalFilter::default() };
    let asked = store.approvals(&of_plan).await?;
    let yeses = store.yeses_to(&asked.iter().collect::<Vec<_>>()).await?;
    let people = answerers(&asked, &yeses).into_iter().chain([row.requester]);
    let names = caller.state.names().of(store, people).await?;
    let name = |user: UserId| names.get(&user).map(ToString::to_string);
    let approved_by = |of: &ApprovalRow| -> Vec<YesView> {
        let yeses = yeses.get(&of.request.id).into_iter().flatten();
        yeses.map(|yes| YesView::of(yes, &name)).collect()
    };
    let view = |row: ApprovalRow| AnsweredView {
        approval: row.request.id.uuid(),
        state: row.state.into(),
        approved_by: approved_by(&row),
        decided_by: row.decided_by.map(|user| user.uuid()),
        decided_by_name: row.decided_by.and_then(name),
        decided_at: row.decided_at.map(|at| at.to_string()),
        on_behalf_of: row.on_behalf_of.map(|lent| lent.delegator.uuid()),
        on_behalf_of_name: row.on_behalf_of.and_then(|lent| name(lent.delegator)),
        revoked: RevokedView::of(row.revoked, &name),
    };
    let requester = name(row.requester).unwrap_or_default();
    Ok((requester, asked.into_iter().map(view).collect()))
}

/// What its run used of yeses that were said beforehand.
async fn rests_on(caller: &Caller, plan: BlueprintId) -> Result<Vec<RestsOnView>, Problem> {
    let store = caller.state.store();
    let used = store.grants_used_by(&[plan]).await?;
    let names = caller.state.names().of(store, used.iter().map(|of| of.granter)).await?;
    let view = |of: &GrantUse| RestsOnView {
        grant: of.grant.uuid(),
        granter: of.granter.uuid(),
        granter_name: names.get(&of.granter).map(ToString::to_string),
        taken: of.taken,
        at: of.at.to_string(),
    };
    Ok(used.iter().map(view).collect())
}

fn asking(who: &Principal, requester: UserId) -> Asking {
    let rights = who.rights();
    let sees_policy = rules::GET_POLICY.is_seen_with(rights);
    Asking { rights, is_requester: who.user() == requester, edited: None, sees_policy }
}

fn edited_by(plan: Option<&Blueprint>, who: &Principal) -> Option<bool> {
    let editors = plan?.spec_snapshot.editors();
    (!editors.is_empty()).then(|| editors.contains(&who.user()))
}

fn rulings_in(rows: Vec<AuditRow>) -> Result<Vec<(u64, DecisionRecord)>, Problem> {
    let read = |row: AuditRow| Ok(ruling_of(&row)?.map(|record| (row.seq, record)));
    rows.into_iter().filter_map(|row| read(row).transpose()).collect()
}

/// As the plan itself has it.
fn reviewed(governor: &Governor, plan: &Blueprint, stage: DacsStage) -> DacsView {
    let deliberation = &plan.spec_snapshot.deliberation;
    let said = |code: &str| meaning(governor, code);
    let opinions = deliberation.opinions.iter();
    let opinions = opinions.map(|o| OpinionView::of(o.persona, o.vote, &o.concerns, said));
    let models = deliberation.model.iter();
    let models = models
        .flat_map(|review| OpinionView::of_models(review.by.as_ref(), &review.opinions, said));
    DacsView {
        consensus: deliberation.consensus,
        stage: Some(stage),
        panel: Some(deliberation.source.into()),
        rules: Some(deliberation.rules.to_string()),
        opinions: opinions.chain(models).collect(),
    }
}

/// As the audit has it, where the plan's text is no longer kept.
async fn told(
    reviewer: &Reviewer<'_>,
    row: &BlueprintRow,
    stage: DacsStage,
) -> Result<DacsView, Problem> {
    let (place, stage) = ((row.project, row.session), Some(stage));
    let found = reviewer.recorded(place, None, (row.spec_digest, row.created_at)).await?;
    // Without any opinion it is for revision, as ever.
    let nothing = || DacsView {
        consensus: Consensus::Revision,
        stage,
        panel: None,
        rules: None,
        opinions: Vec::new(),
    };
    Ok(found.map_or_else(nothing, |(_, reviewed)| DacsView { stage, ..reviewed.dacs }))
}

/// What was asked, reviewed and ruled in a turn, also where it came to no plan, and what can be done. For who began
/// the conversation, and without a word of it for who may read the project's audit.
#[utoipa::path(get, path = "/sessions/{id}/turns/{turn}/why", tag = "sessions",
    params(("id" = Uuid, Path), ("turn" = Uuid, Path)), responses(
    (status = 200, body = TurnWhyView),
))]
pub(crate) async fn why_turn(
    caller: Caller,
    PairPath(id, turn): PairPath<SessionId, TurnId>,
) -> Result<Json<TurnWhyView>, Problem> {
    let state = &caller.state;
    let (session, who) = overseen(&caller, id, rules::WHY_TURN).await?;
    let asking = asking(&who, session.owner);
    let (store, governor, project) = (state.store(), state.governor(), session.project);
    let found = governor.plans().reviewed(id, turn).await?;
    let current = store.policy(project).await?;
    let document = current.body().document();
    let reviewer = Reviewer { governor, policy: document };
    let specs: Vec<_> = found.iter().map(|one| (id, one.digest)).collect();
    let plans = if specs.is_empty() { Vec::new() } else { store.plans_of_specs(&specs).await? };
    let mut reviews = Vec::new();
    for one in found {
        let told = reviewer.view((project, id), one, &plans).await?;
        let is_own = asking.is_requester;
        reviews.push(if is_own { told } else { for_auditor(told, asking.sees_policy) });
    }
    let rows = store.records_of_turn(project, turn).await?;
    let (request, outcome, calls) = (request_in(&rows, turn), outcome_in(&rows), calls_in(&rows));
    let answers = answers_in(&rows, governor.messages());
    let records = rulings_in(rows)?;
    let rulings = Rulings {
        governor,
        advisor: Advisor { messages: governor.messages(), plan: None, policy: &document.policy },
        asking,
    };
    let mut decisions = Vec::new();
    for (seq, record) in &records {
        let told = rulings.view(*seq, record).await?;
        let advice = with_policy(told.advice, asking.sees_policy);
        decisions.push(RulingView { advice, ..told });
    }
    let is_drawn =
        |plan: &&BlueprintRow| reviews.iter().any(|one| one.blueprint == Some(plan.id.uuid()));
    let drawn = plans.iter().filter(is_drawn).map(|plan| plan.policy);
    let named = records.iter().map(|(_, one)| one.policy).chain(drawn);
    let policies = policies_of(store, project, named.collect()).await?;
    let review_rules = reviews.last().and_then(|one| one.dacs.as_ref()?.rules.clone());
    let build = &state.config().build;
    Ok(Json(TurnWhyView {
        session: id.uuid(),
        turn: turn.uuid(),
        request,
        outcome,
        versions: versions(policies, review_rules, &records, &calls, build),
        calls,
        answers,
        decisions,
        policy: PolicyRef { id: document.id.uuid(), number: document.number },
        reviews,
    }))
}
