//! Checks the rows of questions for approval against the audit: how each was put, what was shown with
//! it, what was answered.

use super::{
    Chain,
    erasure_rows::is_erased,
    named_records::{DECISION, NamedRecord, about, differs},
    quorum_rows::joined_as_told,
};
use crate::{
    approval::{
        edit_row::EDITED, escalation_row::ESCALATED, revocation::REVOKED, state::ApprovalState,
    },
    database::{
        column::document,
        entity::{approval, audit_record, session},
        number::from_db,
        statement::{Reads, models, only, query, query_all},
    },
    error::StoreError,
    session::row::SessionRow,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use uuid::Uuid;
use wiiiv_domain::{
    ApprovalId, BlueprintDigest, ContentDigest, EventBody, ProjectId, SessionEvent, SessionId,
    Timestamp,
};

/// The kind of the record that gives a used yes back.
const RELEASED: &str = "approval.released";
/// Kinds of the record that an approval begins with.
const BEGINS: [&str; 2] = ["approval.asked", "approval.taken_up"];

/// The preview is left out where nobody asks for it: it may be long.
const QUESTION: &str = "SELECT approval.id, project, session, blueprint, digest, requester, \
    asked_of, state, asked_at, expires_at, decided_by, decided_at, at_seq, evidence, consumed_by, \
    approvers, escalates_at, escalates_to, escalated_at, delegation, on_behalf_of, edited_to, editors, \
    revoked_by, revoked_at, CASE WHEN $3 THEN preview END AS preview, chain, seq, kind, at, about, hash, line, seal \
    FROM approval LEFT JOIN audit_record record ON record.chain = $1 AND record.about = approval.id \
    AND record.kind IN ('approval.asked', 'approval.taken_up') \
    WHERE approval.id = $2 ORDER BY seq LIMIT 2";

/// Its column. Before it are those of the entity `approval`, behind it those of `audit_record`, both in the
/// entity's order.
const PREVIEW: usize = 25;

/// A question, put as its record tells.
pub(crate) struct Put {
    pub(crate) row: approval::Model,
    /// What was shown with it, where it was asked for.
    pub(crate) preview: Option<String>,
}

/// One statement reads the row and its record; refused where they differ.
pub(crate) async fn question_told<C: Reads>(
    db: &C,
    (project, id): (ProjectId, ApprovalId),
    with_preview: bool,
) -> Result<Option<Put>, StoreError> {
    let chain = Chain::Project(project).to_string();
    let values = vec![chain.into(), id.uuid().into(), with_preview.into()];
    let rows = query_all(db, QUESTION, values).await?;
    let Some(found) = rows.first() else { return Ok(None) };
    let row = found.model::<approval::Entity>(0);
    let row = row.map_err(|error| error.within(|| format!("the approval `{id}`")))?;
    let preview: Option<String> = found.get(PREVIEW)?;
    let record: Option<String> = found.get(PREVIEW + 1)?;
    let record = record.map(|_| found.model::<audit_record::Entity>(PREVIEW + 1)).transpose()?;
    let record = record.as_ref().map(|record| NamedRecord::read(record, db.seals())).transpose()?;
    let shown = |record| !with_preview || is_shown(preview.as_deref(), record);
    // Nobody looks for an erasure but where a preview is not there.
    let erased = preview.is_none()
        && !record.as_ref().is_none_or(shown)
        && is_erased(db, project, row.session).await?;
    let told = record.as_ref().is_some_and(|record| {
        // It begins once.
        rows.len() == 1
            && row.project == project.uuid()
            && is_put(&row, record)
            && (erased || shown(record))
    });
    let put = told.then_some(Some(Put { row, preview }));
    put.ok_or_else(|| differs("approval", id.uuid(), record.as_slice()))
}

/// A yes that was used is given back by a record, and that is the last word on it.
pub(crate) async fn is_given_back<C: Reads>(
    db: &C,
    row: &approval::Model,
) -> Result<(), StoreError> {
    let records = about(db, row.project.into(), row.id).await?;
    let last = records.iter().rfind(|record| record.kind.starts_with("approval."));
    let back = last.is_some_and(|record| record.kind == RELEASED) && stands(row, &records);
    back.then_some(()).ok_or_else(|| differs("approval", row.id, &records))
}

/// All that the row says, by every record about it. `shown`: approvals whose previews conversations
/// have.
pub(super) async fn examine_approval<C: Reads>(
    db: &C,
    row: &approval::Model,
    shown: &BTreeSet<Uuid>,
) -> Result<(), StoreError> {
    let records = about(db, row.project.into(), row.id).await?;
    let preview = "SELECT preview FROM approval WHERE id = $1";
    let preview = query(db, preview, vec![row.id.into()]).await?;
    let preview: Option<String> = preview.map(|row| row.get(0)).transpose()?.flatten();
    let begin = records.iter().find(|record| BEGINS.contains(&record.kind.as_str()));
    let seen = begin.is_some_and(|begin| {
        is_shown(preview.as_deref(), begin) && (!begin.has("words") || shown.contains(&row.id))
    });
    // What was shown is gone with its conversation's texts, or nobody may have taken it away.
    let seen =
        seen || (preview.is_none() && is_erased(db, row.project.into(), row.session).await?);
    let same = begin.is_some_and(|begin| seen && is_put(row, begin));
    let same = same
        && is_answered(row, &records)
        && is_in_right_of(row, &records)
        && stands(row, &records)
        && is_escalated_as_told(row, &records)
        && is_revoked_as_told(row, &records)
        && joined_as_told(db, row, &records).await?
        && is_used_as_told(db, row, &records).await?;
    same.then_some(()).ok_or_else(|| differs("approval", row.id, &records))
}

fn is_put(row: &approval::Model, begin: &NamedRecord) -> bool {
    begin.is("blueprint", row.blueprint)
        && begin.is("digest", hex::encode(&row.digest))
        && begin.is("by", &row.asked_of)
        && (begin.is("approvers", row.approvers) || (row.approvers == 1 && !begin.has("approvers")))
        && begin.is("expiresAt", Timestamp::from_unix_ms(row.expires_at))
        && is_to_escalate(row, begin)
        && is_written_by(row, begin)
        && begin.lacks_or_is("requester", row.requester)
        && begin.at.unix_ms() == row.asked_at
}

/// Who else than the requester wrote values of the plan.
fn is_written_by(row: &approval::Model, begin: &NamedRecord) -> bool {
    match row.editors.as_deref().map(serde_json::from_str::<Value>) {
        Some(Ok(editors)) => begin.is("editors", editors),
        Some(Err(_)) => false,
        None => !begin.has("editors"),
    }
}

fn is_to_escalate(row: &approval::Model, begin: &NamedRecord) -> bool {
    match row.escalates_at {
        Some(at) => {
            begin.is("escalatesAt", Timestamp::from_unix_ms(at))
                && begin.is("escalatesTo", &row.escalates_to)
        }
        None => row.escalates_to.is_none() && !begin.has("escalatesAt"),
    }
}

/// Once, or not yet.
fn is_escalated_as_told(row: &approval::Model, records: &[NamedRecord]) -> bool {
    let mut told = records.iter().filter(|record| record.kind == ESCALATED);
    let at = told.next().map(|record| record.at.unix_ms());
    at == row.escalated_at && told.next().is_none()
}

/// While its run went on, once, or not at all. Of one that waits for others the yes itself is gone.
fn is_revoked_as_told(row: &approval::Model, records: &[NamedRecord]) -> bool {
    let mut told = records.iter().filter(|record| record.kind == REVOKED && record.has("run"));
    let same = match told.next() {
        Some(record) => {
            record.is("by", row.revoked_by)
                && record.is("run", row.consumed_by)
                && row.revoked_at == Some(record.at.unix_ms())
        }
        None => row.revoked_by.is_none() && row.revoked_at.is_none(),
    };
    same && told.next().is_none()
}

/// What a person saw is what was put on record then: a preview that is gone is not it.
fn is_shown(preview: Option<&str>, begin: &NamedRecord) -> bool {
    match preview {
        Some(preview) => begin.lacks_or_is("preview", ContentDigest::of_bytes(preview.as_bytes())),
        None => begin.lacks_or_is("preview", Value::Null),
    }
}

/// The previews among these events are those on record, each for its question, word by word, once.
pub(crate) async fn previews_told<C: Reads>(
    db: &C,
    session: SessionId,
    events: &[(u64, SessionEvent)],
) -> Result<BTreeSet<Uuid>, StoreError> {
    let shown: Vec<_> = events.iter().filter_map(|(_, event)| preview_of(event)).collect();
    if shown.is_empty() {
        return Ok(BTreeSet::new());
    }
    let of = only(session::Entity::find_by_id(session.uuid()), db).await?;
    let missing = || differs("conversation", session.uuid(), &[]);
    let of = SessionRow::read(of.ok_or_else(missing)?)?;
    use audit_record::Column;
    let begins = audit_record::Entity::find()
        .filter(Column::Chain.eq(Chain::Project(of.project).to_string()))
        .filter(Column::About.is_in(shown.iter().map(|(approval, ..)| *approval)))
        .filter(Column::Kind.is_in(BEGINS));
    let begins = models(begins, db).await?;
    let mut told = BTreeSet::new();
    for (approval, blueprint, digest, words) in shown {
        let mut of_this = begins.iter().filter(|row| row.about == Some(approval));
        let begin = of_this.next().map(|row| NamedRecord::read(row, db.seals())).transpose()?;
        let is_new = told.insert(approval) && of_this.next().is_none();
        let same = begin.as_ref().is_some_and(|begin| {
            is_new
                && begin.is("blueprint", blueprint)
                && begin.is("digest", digest)
                && begin.lacks_or_is("words", of.salt.digest_of(words))
        });
        if !same {
            return Err(differs("preview of the approval", approval, begin.as_slice()));
        }
    }
    Ok(told)
}

/// Which approval it is for, then what its record says of it.
fn preview_of(event: &SessionEvent) -> Option<(Uuid, Uuid, BlueprintDigest, &str)> {
    let EventBody::Previewed { approval, blueprint, digest, text } = &event.body else {
        return None;
    };
    Some((approval.uuid(), blueprint.uuid(), *digest, text))
}

/// Of every conversation: the approvals that previews were shown for.
pub(super) async fn examine_previews<C: Reads>(db: &C) -> Result<BTreeSet<Uuid>, StoreError> {
    let mut shown = BTreeSet::new();
    for row in query_all(db, "SELECT id FROM session", Vec::new()).await? {
        shown.extend(previews_in(db, row.get::<Uuid>(0)?.into()).await?);
    }
    Ok(shown)
}

/// Of one conversation.
pub(super) async fn previews_in<C: Reads>(
    db: &C,
    session: SessionId,
) -> Result<BTreeSet<Uuid>, StoreError> {
    let previews = "SELECT seq, body FROM session_event WHERE session = $1 \
                    AND body LIKE '%previewed%'";
    let mut events = Vec::new();
    for row in query_all(db, previews, vec![session.uuid().into()]).await? {
        let (seq, body): (i64, String) = (row.get(0)?, row.get(1)?);
        events.push((from_db(seq), document(&body, "a session event")?));
    }
    previews_told(db, session, &events).await
}

fn is_answered(row: &approval::Model, records: &[NamedRecord]) -> bool {
    match records.iter().find(|record| record.kind == "approval.given") {
        Some(given) => {
            row.at_seq == Some(given.seq)
                && given.is("requester", row.requester)
                && row.evidence.as_deref().is_some_and(|evidence| {
                    given.lacks_or_is("evidence", ContentDigest::of_bytes(evidence))
                })
        }
        None => row.at_seq.is_none() && row.evidence.is_none(),
    }
}

/// Whose right the last answer was given in, and by which delegation.
fn is_in_right_of(row: &approval::Model, records: &[NamedRecord]) -> bool {
    const ANSWERS: [&str; 2] = ["approval.given", "approval.rejected"];
    let answer = records.iter().rfind(|record| ANSWERS.contains(&record.kind.as_str()));
    match (answer, row.delegation) {
        (Some(answer), Some(delegation)) => {
            answer.is("delegation", delegation) && answer.is("onBehalfOf", row.on_behalf_of)
        }
        (answer, None) => {
            row.on_behalf_of.is_none() && answer.is_none_or(|answer| !answer.has("delegation"))
        }
        (None, Some(_)) => false,
    }
}

/// What was said last is how it stands.
fn stands(row: &approval::Model, records: &[NamedRecord]) -> bool {
    const ENDS: [&str; 7] = [
        "approval.given",
        "approval.rejected",
        EDITED,
        RELEASED,
        "approval.passed_on",
        "approval.expired",
        "approval.withdrawn",
    ];
    let last = records.iter().rfind(|record| ENDS.contains(&record.kind.as_str()));
    let Some(last) = last else {
        let untouched = row.decided_at.is_none() && row.decided_by.is_none();
        let untouched = untouched && row.edited_to.is_none();
        return row.state == ApprovalState::Pending && untouched;
    };
    if (last.kind == EDITED) != row.edited_to.is_some() {
        return false;
    }
    let decided =
        |by: &str| last.is(by, row.decided_by) && row.decided_at == Some(last.at.unix_ms());
    let given_back = |record: &NamedRecord| record.kind == RELEASED;
    let before = records.iter().rev().filter(|record| ENDS.contains(&record.kind.as_str())).nth(1);
    match (last.kind.as_str(), row.state) {
        ("approval.given", ApprovalState::Approved) => {
            before.is_none() && decided("approver") && row.consumed_by.is_none()
        }
        ("approval.given", ApprovalState::Consumed) => {
            before.is_none() && decided("approver") && row.consumed_by.is_some()
        }
        (RELEASED, ApprovalState::Approved) => row.consumed_by.is_none() && as_given(row, records),
        ("approval.passed_on", ApprovalState::Consumed) => {
            row.consumed_by.is_some() && before.is_some_and(given_back) && as_given(row, records)
        }
        ("approval.rejected", ApprovalState::Rejected) => decided("by"),
        (EDITED, ApprovalState::Rejected) => {
            decided("by") && last.is("to", row.edited_to.as_ref().map(hex::encode))
        }
        // Withdrawn twice, by an account that was closed and by its conversation, it went the first time.
        ("approval.expired", ApprovalState::Expired)
        | ("approval.withdrawn", ApprovalState::Withdrawn) => records
            .iter()
            .any(|record| record.kind == last.kind && row.decided_at == Some(record.at.unix_ms())),
        _ => false,
    }
}

/// The run that has used the yes is the one whose start tells so, and where none tells so, none has.
async fn is_used_as_told<C: Reads>(
    db: &C,
    row: &approval::Model,
    records: &[NamedRecord],
) -> Result<bool, StoreError> {
    let project = ProjectId::from(row.project);
    if let Some(run) = row.consumed_by {
        let told = about(db, project, run).await?;
        let start = told.iter().find(|record| record.allows("blueprint"));
        return Ok(start.is_some_and(|start| {
            start.of_subject("blueprint") == Some(&json!(row.blueprint))
                && basis_of(start).is_none_or(|basis| basis.get("approval") == Some(&json!(row.id)))
        }));
    }
    let given_back = records.iter().any(|record| record.kind == RELEASED);
    let unused = row.state == ApprovalState::Approved && !given_back;
    let Some(given) = row.at_seq.filter(|_| unused) else { return Ok(true) };
    use audit_record::Column;
    let starts = audit_record::Entity::find()
        .filter(Column::Chain.eq(Chain::Project(project).to_string()))
        .filter(Column::Seq.gt(given))
        .filter(Column::Kind.eq(DECISION))
        .filter(Column::Line.contains(format!("\"approval\":\"{}\"", row.id)));
    for start in models(starts, db).await? {
        let start = NamedRecord::read(&start, db.seals())?;
        if start.allows("blueprint") && approval_of(&start) == Some(row.id) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What the start of a run rests on. `None` of a record that is older than that.
fn basis_of(start: &NamedRecord) -> Option<&Value> {
    let answers = start.body.get("answers")?.as_array()?;
    answers.iter().find_map(|answer| answer.get("figures")?.get("basis"))
}

/// The yes that the start of a run rests on.
pub(super) fn approval_of(start: &NamedRecord) -> Option<Uuid> {
    Uuid::parse_str(basis_of(start)?.get("approval")?.as_str()?).ok()
}

/// What the start of a run uses of grants; `None`: it rests on none.
pub(super) fn grants_of(start: &NamedRecord) -> Option<&Vec<Value>> {
    basis_of(start)?.get("grants")?.as_array()
}

/// By whom, and when.
fn as_given(row: &approval::Model, records: &[NamedRecord]) -> bool {
    let given = records.iter().find(|record| record.kind == "approval.given");
    given.is_some_and(|given| {
        given.is("approver", row.decided_by) && row.decided_at == Some(given.at.unix_ms())
    })
}
