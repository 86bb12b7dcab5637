//! Checks rows that decisions rest on against the audit: each approval, run and attempt against the
//! records about it. For `doctor`: it reads everything.

use super::{
    Chain,
    named_records::{NamedRecord, about, differs},
    run_rows::examine_run,
    vouch::Voucher,
};
use crate::{
    approval::state::ApprovalState,
    database::{
        entity::{
            approval, audit_record, blueprint, blueprint_text, execution, opinion, step_attempt,
            step_output,
        },
        statement::{only, query, query_all},
    },
    error::StoreError,
    policy::version,
    run::blueprint::{BlueprintRow, StoredBlueprint},
};
use sea_orm::{ColumnTrait as _, ConnectionTrait, DbBackend, EntityTrait as _, QueryFilter as _};
use serde_json::json;
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, ProjectId, StepOutcome, StepOutput, Timestamp};
use wiiiv_gate::Registrar;

/// The first row that is not as the audit tells is named.
pub(crate) async fn examine<C: ConnectionTrait>(
    db: &C,
    registrar: &Registrar,
) -> Result<(), StoreError> {
    whole(db).await?;
    for row in query_all(db, "SELECT id FROM project", Vec::new()).await? {
        let project = ProjectId::from(row.try_get_by_index::<Uuid>(0)?);
        version::examine(db, registrar, project).await?;
    }
    for row in opinion::Entity::find().all(db).await? {
        opinions(db, &row).await?;
    }
    for row in approval::Entity::find().all(db).await? {
        asked(db, row).await?;
    }
    for row in blueprint::Entity::find().all(db).await? {
        planned(db, row).await?;
    }
    for row in execution::Entity::find().all(db).await? {
        let tries = examine_run(db, &row).await?;
        outputs(db, row.id, &tries).await?;
        used(db, &row).await?;
    }
    orphans(db).await
}

/// Each index leads to the rows of its table, and to no others: what is found by one is what is there.
async fn whole<C: ConnectionTrait>(db: &C) -> Result<(), StoreError> {
    if db.get_database_backend() != DbBackend::Sqlite {
        return Ok(());
    }
    let row = query(db, "PRAGMA integrity_check(1)", Vec::new()).await?;
    let found: String = row.ok_or_else(StoreError::given_up)?.try_get_by_index(0)?;
    if found == "ok" { Ok(()) } else { Err(StoreError::tampered(found)) }
}

/// All that a receipt of this run says: its plan, the yes that it used, its steps.
pub(super) async fn examine_receipt<C: ConnectionTrait>(
    db: &C,
    run: Uuid,
) -> Result<(), StoreError> {
    let row = only(execution::Entity::find_by_id(run), db).await?;
    let row = row.ok_or(StoreError::NotFound { what: "execution" })?;
    examine_run(db, &row).await?;
    used(db, &row).await?;
    let plan = only(blueprint::Entity::find_by_id(row.blueprint), db).await?;
    planned(db, plan.ok_or_else(|| differs("plan", row.blueprint, &[]))?).await?;
    let of = approval::Column::Blueprint.eq(row.blueprint);
    for row in approval::Entity::find().filter(of).all(db).await? {
        asked(db, row).await?;
    }
    Ok(())
}

async fn asked<C: ConnectionTrait>(db: &C, row: approval::Model) -> Result<(), StoreError> {
    let records = about(db, row.project.into(), row.id).await?;
    // Left out of the row as it is read elsewhere: it may be long.
    let preview = "SELECT preview FROM approval WHERE id = $1";
    let preview = query(db, preview, vec![row.id.into()]).await?;
    let preview: Option<String> = preview.map(|row| row.try_get_by_index(0)).transpose()?.flatten();
    let same = shown(preview.as_deref(), &records).and_then(|()| approved(&row, &records));
    same.ok_or_else(|| differs("approval", row.id, &records))
}

async fn planned<C: ConnectionTrait>(db: &C, row: blueprint::Model) -> Result<(), StoreError> {
    let (id, records) = (row.id, about(db, row.project.into(), row.id).await?);
    let text = only(blueprint_text::Entity::find_by_id(id), db).await?;
    drawn(row, text, &records)?.then_some(()).ok_or_else(|| differs("plan", id, &records))
}

async fn opinions<C: ConnectionTrait>(db: &C, row: &opinion::Model) -> Result<(), StoreError> {
    let chain = Chain::Project(row.project.into());
    let record = audit_record::Entity::find_by_id((chain.to_string(), row.at_seq));
    let line = only(record, db).await?.map(|record| record.line);
    let voucher = Voucher::read(chain, row.at_seq, "dacs.opinions", line.as_deref())?;
    let digest = voucher.digest()?;
    let same = digest.is_none_or(|digest| digest == ContentDigest::of_bytes(&row.evidence))
        && voucher.body().get("spec") == Some(&json!(hex::encode(&row.spec_digest)));
    same.then_some(()).ok_or_else(|| voucher.changed())
}

/// The plan as it was drawn, with all that its row says of it. Its text may have gone by now.
fn drawn(
    row: blueprint::Model,
    text: Option<blueprint_text::Model>,
    records: &[NamedRecord],
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
    let Some(text) = text else { return Ok(records) };
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
async fn used<C: ConnectionTrait>(db: &C, run: &execution::Model) -> Result<(), StoreError> {
    let key = (Chain::Project(run.project.into()).to_string(), run.at_seq);
    let start = only(audit_record::Entity::find_by_id(key), db).await?;
    let start = start.map(|row| NamedRecord::read(&row)).transpose()?;
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

/// That the start of a run rests on.
fn approval_of(start: &NamedRecord) -> Option<Uuid> {
    let answers = start.body.get("answers")?.as_array()?;
    let basis = answers.iter().find_map(|answer| answer.get("figures")?.get("basis"))?;
    Uuid::parse_str(basis.get("approval")?.as_str()?).ok()
}

/// What a step put out is what its attempt came to, to the byte.
async fn outputs<C: ConnectionTrait>(
    db: &C,
    execution: Uuid,
    tries: &[step_attempt::Model],
) -> Result<(), StoreError> {
    let of = step_output::Column::Execution.eq(execution);
    for row in step_output::Entity::find().filter(of).all(db).await? {
        let mut came = tries.iter().filter(|tried| tried.step == row.step).rev();
        let came = came.find_map(|tried| output_of(tried.outcome.as_deref()?));
        let output: Option<StepOutput> = serde_json::from_str(&row.output).ok();
        let same = output.is_some()
            && output == came
            && output.is_some_and(|o| o.digest == ContentDigest::of_bytes(&row.bytes));
        if !same {
            return Err(differs(
                &format!("output of the step `{}` of the execution", row.step),
                execution,
                &[],
            ));
        }
    }
    Ok(())
}

fn output_of(outcome: &str) -> Option<StepOutput> {
    match serde_json::from_str(outcome).ok()? {
        StepOutcome::Success { output } => Some(output),
        StepOutcome::Failure { .. } | StepOutcome::Cancelled { .. } => None,
    }
}

/// Kinds of the record that an approval begins with.
const BEGINS: [&str; 2] = ["approval.asked", "approval.taken_up"];

/// What a person saw is what was put on record then. It may have gone by now.
fn shown(preview: Option<&str>, records: &[NamedRecord]) -> Option<()> {
    let Some(preview) = preview else { return Some(()) };
    let asked = records.iter().find(|record| BEGINS.contains(&record.kind.as_str()))?;
    asked.lacks_or_is("preview", ContentDigest::of_bytes(preview.as_bytes())).then_some(())
}

/// `None`: it differs.
fn approved(row: &approval::Model, records: &[NamedRecord]) -> Option<()> {
    let asked = records.iter().find(|record| BEGINS.contains(&record.kind.as_str()))?;
    let as_asked = asked.is("blueprint", row.blueprint)
        && asked.is("digest", hex::encode(&row.digest))
        && asked.is("by", &row.asked_of)
        && asked.is("expiresAt", Timestamp::from_unix_ms(row.expires_at))
        && asked.lacks_or_is("requester", row.requester)
        && asked.at.unix_ms() == row.asked_at;
    let given = records.iter().find(|record| record.kind == "approval.given");
    let as_given = match given {
        Some(given) => {
            row.at_seq == Some(given.seq)
                && given.is("requester", row.requester)
                && row.evidence.as_deref().is_some_and(|evidence| {
                    given.lacks_or_is("evidence", ContentDigest::of_bytes(evidence))
                })
        }
        None => row.at_seq.is_none() && row.evidence.is_none(),
    };
    (as_asked && as_given && stands(row, records)).then_some(())
}

/// What was said last is how it stands.
fn stands(row: &approval::Model, records: &[NamedRecord]) -> bool {
    const ENDS: [&str; 6] = [
        "approval.given",
        "approval.rejected",
        "approval.released",
        "approval.passed_on",
        "approval.expired",
        "approval.withdrawn",
    ];
    let last = records.iter().rfind(|record| ENDS.contains(&record.kind.as_str()));
    let Some(last) = last else {
        let untouched = row.decided_at.is_none() && row.decided_by.is_none();
        return row.state == ApprovalState::Pending && untouched;
    };
    let decided =
        |by: &str| last.is(by, row.decided_by) && row.decided_at == Some(last.at.unix_ms());
    match (last.kind.as_str(), row.state) {
        ("approval.given", ApprovalState::Approved) => {
            decided("approver") && row.consumed_by.is_none()
        }
        ("approval.given", ApprovalState::Consumed) => {
            decided("approver") && row.consumed_by.is_some()
        }
        ("approval.released", ApprovalState::Approved) => {
            row.consumed_by.is_none() && as_given(row, records)
        }
        ("approval.passed_on", ApprovalState::Consumed) => {
            row.consumed_by.is_some() && as_given(row, records)
        }
        ("approval.rejected", ApprovalState::Rejected) => decided("by"),
        // Withdrawn twice, by an account that was closed and by its conversation, it went the first time.
        ("approval.expired", ApprovalState::Expired)
        | ("approval.withdrawn", ApprovalState::Withdrawn) => records
            .iter()
            .any(|record| record.kind == last.kind && row.decided_at == Some(record.at.unix_ms())),
        _ => false,
    }
}

/// By whom, and when.
fn as_given(row: &approval::Model, records: &[NamedRecord]) -> bool {
    let given = records.iter().find(|record| record.kind == "approval.given");
    given.is_some_and(|given| {
        given.is("approver", row.decided_by) && row.decided_at == Some(given.at.unix_ms())
    })
}

/// What the audit tells of and the tables have not. Opinions have no id: they are found by their place.
async fn orphans<C: ConnectionTrait>(db: &C) -> Result<(), StoreError> {
    let sql = "SELECT record.chain, record.seq FROM audit_record record WHERE \
         (record.kind IN ('approval.asked', 'approval.taken_up') \
          AND NOT EXISTS (SELECT 1 FROM approval WHERE approval.id = record.about)) OR \
         (record.kind = 'execution.finished' \
          AND NOT EXISTS (SELECT 1 FROM execution WHERE execution.id = record.about)) OR \
         (record.kind = 'decision' AND record.line LIKE '%\"kind\":\"blueprint\"%' \
          AND record.line LIKE '%\"outcome\":\"ALLOW\"%' \
          AND NOT EXISTS (SELECT 1 FROM execution WHERE execution.id = record.about)) OR \
         (record.kind = 'blueprint.drawn' \
          AND NOT EXISTS (SELECT 1 FROM blueprint WHERE blueprint.id = record.about)) LIMIT 1";
    if let Some(row) = query(db, sql, Vec::new()).await? {
        return Err(lacking(&row.try_get_by_index::<String>(0)?, row.try_get_by_index(1)?));
    }
    astray(db).await?;
    let recorded = "SELECT chain, seq FROM audit_record WHERE kind = 'dacs.opinions'";
    for row in query_all(db, recorded, Vec::new()).await? {
        let (chain, seq): (String, i64) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        let Ok(Chain::Project(project)) = chain.parse() else { return Err(lacking(&chain, seq)) };
        use opinion::Column;
        let of = opinion::Entity::find().filter(Column::Project.eq(project.uuid()));
        if only(of.filter(Column::AtSeq.eq(seq)), db).await?.is_none() {
            return Err(lacking(&chain, seq));
        }
    }
    Ok(())
}

/// Rows that are of nothing, or of another conversation than the plan that they belong to.
async fn astray<C: ConnectionTrait>(db: &C) -> Result<(), StoreError> {
    for (what, sql) in [
        (
            "a plan's text is of no plan",
            "SELECT 1 FROM blueprint_text text WHERE NOT EXISTS \
             (SELECT 1 FROM blueprint WHERE blueprint.id = text.blueprint) LIMIT 1",
        ),
        (
            "an output is of no step",
            "SELECT 1 FROM step_output output WHERE NOT EXISTS (SELECT 1 FROM step_attempt tried \
             WHERE tried.execution = output.execution AND tried.step = output.step) LIMIT 1",
        ),
        (
            "an attempt is of no execution",
            "SELECT 1 FROM step_attempt tried WHERE NOT EXISTS \
             (SELECT 1 FROM execution WHERE execution.id = tried.execution) LIMIT 1",
        ),
        (
            "an approval was used by no execution of its plan",
            "SELECT 1 FROM approval WHERE consumed_by IS NOT NULL AND NOT EXISTS \
             (SELECT 1 FROM execution run WHERE run.id = approval.consumed_by \
              AND run.blueprint = approval.blueprint) LIMIT 1",
        ),
        (
            "an approval is of another conversation than its plan",
            "SELECT 1 FROM approval JOIN blueprint ON blueprint.id = approval.blueprint \
             WHERE approval.session <> blueprint.session OR approval.project <> blueprint.project \
             LIMIT 1",
        ),
    ] {
        if query(db, sql, Vec::new()).await?.is_some() {
            return Err(StoreError::tampered(what));
        }
    }
    Ok(())
}

fn lacking(chain: &str, seq: i64) -> StoreError {
    StoreError::tampered(format!(
        "what record `{seq}` of the chain `{chain}` tells of is not there any more"
    ))
}
