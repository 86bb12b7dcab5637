//! Checks the rows of model calls against the rulings that they began with.

use super::{
    Chain,
    named_records::{NamedRecord, differs},
};
use crate::{
    database::{
        entity::{audit_record, model_call},
        record_seals::RecordSeals,
        statement::{Reads, models, named_rows, only},
    },
    error::StoreError,
};
use sea_orm::{ConnectionTrait, EntityTrait as _, FromQueryResult as _};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use wiiiv_domain::{ProjectId, SessionId};

const WHAT: &str = "model call";
/// What its ruling is on.
const SUBJECT: &str = "model_call";

const CALLS: &str = "SELECT asked.*, record.chain, record.seq, record.kind, record.at, \
    record.about, record.hash, record.line, record.seal FROM model_call asked \
    LEFT JOIN audit_record record ON record.chain = $1 AND record.seq = asked.at_seq \
    WHERE asked.session = $2";

/// Ids are ordered by time: a call's is greater than that of its conversation. What is done to the chain's
/// name keeps the index over the whole chain out.
const RULINGS: &str = "SELECT chain, seq, kind, at, about, hash, line, seal FROM audit_record \
    WHERE (chain || '') = $1 AND about > $2 AND kind = 'decision' \
    AND line LIKE '%\"kind\":\"model_call\"%' AND line LIKE $3";

/// Provider and model of each call of the conversation: of those that have a row, which has to be as its
/// ruling tells, and of those that were ruled on and have none any more.
pub(crate) async fn models_told<C: ConnectionTrait>(
    (db, seals): (&C, Option<&RecordSeals>),
    project: ProjectId,
    session: SessionId,
) -> Result<BTreeSet<(String, String)>, StoreError> {
    let chain = Chain::Project(project).to_string();
    let mut told = BTreeSet::new();
    let values = vec![chain.clone().into(), session.uuid().into()];
    for found in named_rows(db, CALLS, values).await? {
        let row = model_call::Model::from_query_result(&found, "")?;
        let record = audit_record::Model::from_query_result_optional(&found, "")?;
        is_ruled(&row, record.as_ref(), seals)?;
        told.insert((row.provider, row.model));
    }
    let of_session = format!("%\"session\":\"{session}\"%");
    let values = vec![chain.into(), session.uuid().into(), of_session.into()];
    for found in named_rows(db, RULINGS, values).await? {
        let record =
            NamedRecord::read(&audit_record::Model::from_query_result(&found, "")?, seals)?;
        let text = |name| record.of_subject(name).and_then(Value::as_str).map(str::to_owned);
        if record.allows(SUBJECT) && record.is("session", session) {
            told.extend(text("provider").zip(text("model")));
        }
    }
    Ok(told)
}

/// What a call cost is told by other records, which go less far.
pub(super) async fn examine_calls<C: Reads>(db: &C) -> Result<(), StoreError> {
    for row in models(model_call::Entity::find(), db).await? {
        examine_call(db, &row).await?;
    }
    Ok(())
}

pub(super) async fn examine_call<C: Reads>(
    db: &C,
    row: &model_call::Model,
) -> Result<(), StoreError> {
    let chain = Chain::Project(row.project.into()).to_string();
    let record = only(audit_record::Entity::find_by_id((chain, row.at_seq)), db).await?;
    is_ruled(row, record.as_ref(), db.seals())
}

fn is_ruled(
    row: &model_call::Model,
    record: Option<&audit_record::Model>,
    seals: Option<&RecordSeals>,
) -> Result<(), StoreError> {
    let record = record.map(|record| NamedRecord::read(record, seals)).transpose()?;
    let same = record.as_ref().is_some_and(|record| {
        let subject = |name, value: Value| record.of_subject(name) == Some(&value);
        record.allows(SUBJECT)
            && record.is("session", row.session)
            && record.at.unix_ms() == row.started_at
            && subject("call", json!(row.id))
            && subject("task", json!(row.task))
            && subject("provider", json!(row.provider))
            && subject("model", json!(row.model))
    });
    same.then_some(()).ok_or_else(|| differs(WHAT, row.id, record.as_slice()))
}
