//! Checks rows that decisions rest on against the audit: each approval, run, attempt, model call and
//! GHOST result against the records about it. For `doctor`: it reads everything.

use super::{
    Chain,
    approval_rows::{approval_of, examine_approval, examine_previews, previews_in},
    call_rows::examine_calls,
    delegation_rows::{examine_delegations, examine_open_delegations},
    erasure_rows::{examine_erasures, is_erased, spec_is_erased},
    ghost_rows::examine_results,
    grant_rows::{examine_grants, examine_live_grants, grants_used_in},
    halt_rows::{examine_halts, examine_in_force},
    named_records::{NamedRecord, about, differs, lacking},
    override_rows::{examine_open_overrides, examine_overrides},
    risk_rows::examine_risks,
    rollout_rows::examine_rollout,
    run_rows::examine_run,
    runner_key_rows::runner_keys_told,
    vouch::Voucher,
    webhook_rows::examine_deliveries,
};
use crate::{
    approval::state::ApprovalState,
    database::{
        entity::{
            approval, audit_record, blueprint, blueprint_text, execution, opinion, step_attempt,
            step_output,
        },
        statement::{Reads, models, only, query, query_all},
    },
    error::StoreError,
    policy::version,
    run::{
        blueprint::{BlueprintRow, StoredBlueprint},
        state::ExecutionState,
    },
};
use sea_orm::{ColumnTrait as _, ConnectionTrait, DbBackend, EntityTrait as _, QueryFilter as _};
use serde_json::{Value, json};
use std::collections::{BTreeMap, btree_map::Entry};
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, ProjectId, StepOutcome, StepOutput};
use wiiiv_gate::Registrar;

/// What a server goes on from: the policies, halts and grants in force, the questions that wait or were answered
/// and not used, the runs that have not ended. For a start, which has no time for the rest.
pub(crate) async fn examine_open<C: Reads>(
    db: &C,
    registrar: &Registrar,
) -> Result<(), StoreError> {
    for row in query_all(db, "SELECT id FROM project", Vec::new()).await? {
        let project = ProjectId::from(row.get::<Uuid>(0)?);
        let ruled = version::examine_in_force(db, registrar, project).await;
        ruled.map_err(|error| match error {
            StoreError::NotFound { .. } => differs("policy in force of", project.uuid(), &[]),
            other => other,
        })?;
    }
    examine_in_force(db).await?;
    examine_open_overrides(db).await?;
    examine_live_grants(db).await?;
    examine_open_delegations(db).await?;
    // A word that is none of a state is among them, and found to be none.
    use ApprovalState::{Consumed, Expired, Rejected, Withdrawn};
    let waits = approval::Column::State.is_not_in([Consumed, Expired, Rejected, Withdrawn]);
    let mut shown = BTreeMap::new();
    for row in models(approval::Entity::find().filter(waits), db).await? {
        let shown = match shown.entry(row.session) {
            Entry::Occupied(shown) => shown.into_mut(),
            Entry::Vacant(place) => place.insert(previews_in(db, row.session.into()).await?),
        };
        examine_approval(db, &row, shown).await?;
        let plan = only(blueprint::Entity::find_by_id(row.blueprint), db).await?;
        planned(db, plan.ok_or_else(|| differs("plan", row.blueprint, &[]))?).await?;
    }
    use ExecutionState::{Cancelled, Failed, Succeeded};
    let goes_on = execution::Column::State.is_not_in([Cancelled, Failed, Succeeded]);
    for row in models(execution::Entity::find().filter(goes_on), db).await? {
        examine_run(db, &row).await?;
        // A yes that was taken back: the run does not go on.
        questions_of(db, row.blueprint).await?;
    }
    Ok(())
}

/// Everything. The first row that is not as the audit tells is named.
pub(crate) async fn examine<C: ConnectionTrait>(
    db: &C,
    registrar: &Registrar,
) -> Result<(), StoreError> {
    whole(db).await?;
    for row in query_all(db, "SELECT id FROM project", Vec::new()).await? {
        let project = ProjectId::from(row.get::<Uuid>(0)?);
        version::examine(db, registrar, project).await?;
    }
    for row in models(opinion::Entity::find(), db).await? {
        opinions(db, &row).await?;
    }
    let shown = examine_previews(db).await?;
    for row in models(approval::Entity::find(), db).await? {
        examine_approval(db, &row, &shown).await?;
    }
    for row in models(blueprint::Entity::find(), db).await? {
        planned(db, row).await?;
    }
    for row in models(execution::Entity::find(), db).await? {
        let tries = examine_run(db, &row).await?;
        if !is_erased(db, row.project.into(), row.session).await? {
            outputs(db, row.id, &tries).await?;
        }
        used(db, &row).await?;
    }
    examine_delegations(db).await?;
    examine_calls(db).await?;
    examine_results(db).await?;
    runner_keys_told(db).await?;
    examine_halts(db).await?;
    examine_grants(db).await?;
    examine_rollout(db).await?;
    examine_overrides(db).await?;
    examine_erasures(db).await?;
    examine_risks(db).await?;
    examine_deliveries(db).await?;
    examine_exports(db).await?;
    orphans(db).await
}

/// Each index leads to the rows of its table, and to no others: what is found by one is what is there.
async fn whole<C: ConnectionTrait>(db: &C) -> Result<(), StoreError> {
    if db.get_database_backend() != DbBackend::Sqlite {
        return Ok(());
    }
    let row = query(db, "PRAGMA integrity_check(1)", Vec::new()).await?;
    let found: String = row.ok_or_else(StoreError::given_up)?.get(0)?;
    if found == "ok" { Ok(()) } else { Err(StoreError::tampered(found)) }
}

/// All that a receipt of this run says: its plan, the yes that it used, its steps.
pub(super) async fn examine_receipt<C: Reads>(db: &C, run: Uuid) -> Result<(), StoreError> {
    let row = only(execution::Entity::find_by_id(run), db).await?;
    let row = row.ok_or(StoreError::NotFound { what: "execution" })?;
    examine_run(db, &row).await?;
    used(db, &row).await?;
    let plan = only(blueprint::Entity::find_by_id(row.blueprint), db).await?;
    planned(db, plan.ok_or_else(|| differs("plan", row.blueprint, &[]))?).await?;
    grants_used_in(db, row.blueprint).await?;
    questions_of(db, row.blueprint).await
}

/// Each answer to a question of this plan.
pub(super) async fn questions_of<C: Reads>(db: &C, plan: Uuid) -> Result<(), StoreError> {
    let of = approval::Column::Blueprint.eq(plan);
    let rows = models(approval::Entity::find().filter(of), db).await?;
    let Some(first) = rows.first() else { return Ok(()) };
    // A plan is of one conversation.
    let shown = previews_in(db, first.session.into()).await?;
    for row in &rows {
        examine_approval(db, row, &shown).await?;
    }
    Ok(())
}

pub(super) async fn planned<C: Reads>(db: &C, row: blueprint::Model) -> Result<(), StoreError> {
    let (id, records) = (row.id, about(db, row.project.into(), row.id).await?);
    let text = only(blueprint_text::Entity::find_by_id(id), db).await?;
    // What is missing was erased, or somebody took it away.
    let erased = text.is_none() && is_erased(db, row.project.into(), row.session).await?;
    let same = drawn(row, text, &records, erased).or_else(unreadable)?;
    same.then_some(()).ok_or_else(|| differs("plan", id, &records))
}

async fn opinions<C: Reads>(db: &C, row: &opinion::Model) -> Result<(), StoreError> {
    let chain = Chain::Project(row.project.into());
    let record = audit_record::Entity::find_by_id((chain.to_string(), row.at_seq));
    let record = only(record, db).await?;
    let voucher = Voucher::of_record((chain, row.at_seq), "dacs.opinions", record, db.seals())?;
    let digest = voucher.digest()?;
    let same = digest.is_none_or(|digest| digest == ContentDigest::of_bytes(&row.evidence))
        && voucher.body().get("spec") == Some(&json!(hex::encode(&row.spec_digest)));
    same.then_some(()).ok_or_else(|| voucher.changed())
}

/// What nobody can read is not as it was written.
fn unreadable(error: StoreError) -> Result<bool, StoreError> {
    match error {
        StoreError::Corrupt { .. } => Ok(false),
        other => Err(other),
    }
}

/// The plan as it was drawn, with all that its row says of it.
fn drawn(
    row: blueprint::Model,
    text: Option<blueprint_text::Model>,
    records: &[NamedRecord],
    erased: bool,
) -> Result<bool, StoreError> {
    let (digest, at) = (hex::encode(&row.digest), row.created_at);
    let row = BlueprintRow::read(row)?;
    let records =
        records.iter().find(|record| record.kind == "blueprint.drawn").is_some_and(|drawn| {
            drawn.is("digest", &digest)
                && drawn.is("task", row.task)
                && drawn.is("policy", row.policy)
                && drawn.at.unix_ms() == at
        });
    let Some(text) = text else { return Ok(records && erased) };
    let plan = StoredBlueprint::read(text)?.blueprint;
    let spec = &plan.spec_snapshot.spec;
    let of_plan = plan.digest()? == row.digest
        && (plan.id, plan.project, plan.session) == (row.id, row.project, row.session)
        && (plan.task, plan.policy) == (row.task, row.policy)
        && plan.spec_snapshot.requester == row.requester
        && (spec.digest()?, spec.task_type) == (row.spec_digest, row.task_type)
        && plan.effect() == row.effect;
    Ok(records && of_plan)
}

/// The yes that its start names is used up by it, unless the audit tells that it was given back.
async fn used<C: Reads>(db: &C, run: &execution::Model) -> Result<(), StoreError> {
    let key = (Chain::Project(run.project.into()).to_string(), run.at_seq);
    let start = only(audit_record::Entity::find_by_id(key), db).await?;
    let start = start.map(|row| NamedRecord::read(&row, db.seals())).transpose()?;
    let Some(id) = start.as_ref().and_then(approval_of) else { return Ok(()) };
    let row = only(approval::Entity::find_by_id(id), db).await?;
    let (state, by) = row.map_or((None, None), |row| (Some(row.state), row.consumed_by));
    if (state, by) == (Some(ApprovalState::Consumed), Some(run.id)) {
        return Ok(());
    }
    let records = about(db, run.project.into(), id).await?;
    let given_back = records.iter().any(|record| record.kind == "approval.released");
    given_back.then_some(()).ok_or_else(|| differs("approval", id, &records))
}

/// What each step put out is what its attempt came to, to the byte, and none is missing.
async fn outputs<C: Reads>(
    db: &C,
    execution: Uuid,
    tries: &[step_attempt::Model],
) -> Result<(), StoreError> {
    // Of the attempts at a step the last one counts.
    let mut came: BTreeMap<&str, StepOutput> = BTreeMap::new();
    for tried in tries {
        if let Some(output) = tried.outcome.as_deref().and_then(output_of) {
            came.insert(&tried.step, output);
        }
    }
    let changed = |step: &str| {
        differs(&format!("output of the step `{step}` of the execution"), execution, &[])
    };
    let of = step_output::Column::Execution.eq(execution);
    for row in models(step_output::Entity::find().filter(of), db).await? {
        let output: Option<StepOutput> = serde_json::from_str(&row.output).ok();
        let same = output.is_some()
            && output == came.remove(row.step.as_str())
            && output.is_some_and(|o| o.digest == ContentDigest::of_bytes(&row.bytes));
        if !same {
            return Err(changed(&row.step));
        }
    }
    came.keys().next().map_or(Ok(()), |step| Err(changed(step)))
}

fn output_of(outcome: &str) -> Option<StepOutput> {
    match serde_json::from_str(outcome).ok()? {
        StepOutcome::Success { output } => Some(output),
        StepOutcome::Failure { .. } | StepOutcome::Cancelled { .. } => None,
    }
}

/// What the audit tells of and the tables have not. Opinions have no id: they are found by their place.
async fn orphans<C: Reads>(db: &C) -> Result<(), StoreError> {
    let sql = "SELECT record.chain, record.seq FROM audit_record record WHERE \
         (record.kind IN ('approval.asked', 'approval.taken_up') \
          AND NOT EXISTS (SELECT 1 FROM approval WHERE approval.id = record.about)) OR \
         (record.kind = 'execution.finished' \
          AND NOT EXISTS (SELECT 1 FROM execution WHERE execution.id = record.about)) OR \
         (record.kind = 'decision' AND record.line LIKE '%\"kind\":\"blueprint\"%' \
          AND record.line LIKE '%\"outcome\":\"ALLOW\"%' \
          AND NOT EXISTS (SELECT 1 FROM execution WHERE execution.id = record.about)) OR \
         (record.kind = 'decision' AND record.line LIKE '%\"kind\":\"model_call\"%' \
          AND record.line LIKE '%\"outcome\":\"ALLOW\"%' \
          AND NOT EXISTS (SELECT 1 FROM model_call WHERE model_call.id = record.about)) OR \
         (record.kind = 'blueprint.drawn' \
          AND NOT EXISTS (SELECT 1 FROM blueprint WHERE blueprint.id = record.about)) LIMIT 1";
    if let Some(row) = query(db, sql, Vec::new()).await? {
        return Err(lacking(&row.get::<String>(0)?, row.get(1)?));
    }
    astray(db).await?;
    let recorded = "SELECT chain, seq, line FROM audit_record WHERE kind = 'dacs.opinions'";
    for row in query_all(db, recorded, Vec::new()).await? {
        let (chain, seq): (String, i64) = (row.get(0)?, row.get(1)?);
        let Ok(Chain::Project(project)) = chain.parse() else { return Err(lacking(&chain, seq)) };
        use opinion::Column;
        let of = opinion::Entity::find().filter(Column::Project.eq(project.uuid()));
        if only(of.filter(Column::AtSeq.eq(seq)), db).await?.is_some() {
            continue;
        }
        let line: Option<Value> = serde_json::from_str(&row.get::<String>(2)?).ok();
        let spec = line.as_ref().and_then(|line| line.pointer("/body/spec")?.as_str());
        let erased = match spec {
            Some(spec) => spec_is_erased(db, project, spec).await?,
            None => false,
        };
        if !erased {
            return Err(lacking(&chain, seq));
        }
    }
    Ok(())
}

/// How far a receiver was told stands beside that record, and beside that checkpoint.
async fn examine_exports<C: Reads>(db: &C) -> Result<(), StoreError> {
    let sql = "SELECT told.chain, told.seq FROM audit_export told WHERE told.seq > 0 AND (NOT EXISTS \
         (SELECT 1 FROM audit_record record WHERE record.chain = told.chain AND record.seq = told.seq \
          AND record.hash = told.hash) OR (told.signed > 0 AND NOT EXISTS (SELECT 1 \
          FROM audit_checkpoint kept WHERE kept.chain = told.chain AND kept.size = told.signed))) LIMIT 1";
    let Some(row) = query(db, sql, Vec::new()).await? else { return Ok(()) };
    let (chain, seq): (String, i64) = (row.get(0)?, row.get(1)?);
    Err(StoreError::tampered(format!(
        "a receiver is said to have record `{seq}` of the chain `{chain}`, and that is another one"
    )))
}

/// Rows that are of nothing, or of another conversation than the plan that they belong to.
async fn astray<C: Reads>(db: &C) -> Result<(), StoreError> {
    for (what, sql) in [
        (
            "the text of the plan is of no plan",
            "SELECT text.blueprint FROM blueprint_text text WHERE NOT EXISTS \
             (SELECT 1 FROM blueprint WHERE blueprint.id = text.blueprint) LIMIT 1",
        ),
        (
            "an output is of no step of the execution",
            "SELECT output.execution FROM step_output output WHERE NOT EXISTS \
             (SELECT 1 FROM step_attempt tried \
             WHERE tried.execution = output.execution AND tried.step = output.step) LIMIT 1",
        ),
        (
            "an attempt is of an execution that is not there",
            "SELECT tried.execution FROM step_attempt tried WHERE NOT EXISTS \
             (SELECT 1 FROM execution WHERE execution.id = tried.execution) LIMIT 1",
        ),
        (
            "no execution of its plan has used the approval",
            "SELECT approval.id FROM approval WHERE consumed_by IS NOT NULL AND NOT EXISTS \
             (SELECT 1 FROM execution run WHERE run.id = approval.consumed_by \
              AND run.blueprint = approval.blueprint) LIMIT 1",
        ),
        (
            "a yes of several people is of no question that asks several",
            "SELECT yes.approval FROM approval_yes yes WHERE NOT EXISTS (SELECT 1 FROM approval \
             WHERE approval.id = yes.approval AND approval.approvers > 1) LIMIT 1",
        ),
        (
            "a webhook was told of what was never asked or escalated, the approval",
            "SELECT told.approval FROM webhook_delivery told WHERE NOT EXISTS (SELECT 1 FROM approval \
             WHERE approval.id = told.approval AND approval.project = told.project \
             AND (told.event = 'approval.asked' OR approval.escalated_at IS NOT NULL)) LIMIT 1",
        ),
        (
            "the plan is of another conversation than the approval",
            "SELECT approval.id FROM approval JOIN blueprint ON blueprint.id = approval.blueprint \
             WHERE approval.session <> blueprint.session OR approval.project <> blueprint.project \
             LIMIT 1",
        ),
    ] {
        if let Some(row) = query(db, sql, Vec::new()).await? {
            let id: Uuid = row.get(0)?;
            return Err(StoreError::tampered(format!("{what} `{id}`")));
        }
    }
    Ok(())
}
