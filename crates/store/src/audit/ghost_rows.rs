//! Checks results of GHOST runs against the audit: the ledger counts what is on record.

use super::{
    Chain,
    find::escaped,
    named_records::{NamedRecord, differs, lacking},
    vouch::EVIDENCE,
};
use crate::{
    database::{
        entity::{audit_record, ghost_result},
        number::to_db,
        record_seals::RecordSeals,
        statement::{Reads, models, named_rows, only, query_all},
    },
    error::StoreError,
    ghost_result::{
        counted::{CountedRow, details},
        outcome::{GhostMode, Invariants},
    },
};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, EntityTrait as _, FromQueryResult as _, QueryFilter as _,
};
use serde_json::json;
use std::collections::BTreeMap;
use uuid::Uuid;
use wiiiv_domain::{ProviderName, canonical};

const RECORDED: &str = "ghost.recorded";
/// The member that names the key of a signed one.
pub(crate) const SIGNED_BY: &str = "signedBy";
const WHAT: &str = "result of the GHOST run";

/// Begins with the records: a row that has none is not found.
const RUNS: &str = "SELECT record.chain, record.seq, record.kind, record.at, record.about, \
    record.hash, record.line, record.seal, run.id, run.scenario, run.mode, run.verdict, run.build, run.seed, \
    run.policy_hash, run.prompt_hash, run.provider, run.model, run.revision, run.repeat, \
    run.invariants, run.recorded_by, run.recorded_at, run.signed_by \
    FROM audit_record record LEFT JOIN ghost_result run ON run.id = record.about \
    WHERE record.chain = $1 AND record.kind = 'ghost.recorded' \
    AND record.line LIKE $2 ESCAPE '\\' AND record.line LIKE '%,\"signedBy\":\"%' \
    ORDER BY record.seq DESC LIMIT $3";

/// Live runs of that model that a key signed, newest first: those on record, each as its record has it. Records
/// without a digest, of earlier builds, vouch for no row.
pub(crate) async fn runs_told<C: ConnectionTrait>(
    (db, seals): (&C, Option<&RecordSeals>),
    (of, model): (ProviderName, &str),
    invariants: Option<Invariants>,
    limit: u64,
) -> Result<Vec<CountedRow>, StoreError> {
    let pattern = pattern((of, model), invariants)?;
    let values = vec![Chain::Server.to_string().into(), pattern.into(), to_db(limit)?.into()];
    let mut runs = Vec::new();
    for found in named_rows(db, RUNS, values).await? {
        let record =
            NamedRecord::read(&audit_record::Model::from_query_result(&found, "")?, seals)?;
        // A pattern does not tell letter case apart.
        let is_of_model = record.is("model", model) && record.is("provider", of.as_str());
        if !is_of_model || !record.has(EVIDENCE) || !record.has(SIGNED_BY) {
            continue;
        }
        let row = CountedRow::from_query_result_optional(&found, "")?;
        let same = row.as_ref().map(CountedRow::digest).transpose()?;
        match row.filter(|_| same.is_some_and(|digest| record.is(EVIDENCE, digest))) {
            Some(row) => runs.push(row),
            None => return Err(differs(WHAT, of_result(&record), &[record])),
        }
    }
    Ok(runs)
}

/// Members that stand side by side in a canonical line.
fn pattern(
    (of, model): (ProviderName, &str),
    invariants: Option<Invariants>,
) -> Result<String, StoreError> {
    let mut members = json!({"mode": GhostMode::Live, "model": model, "provider": of.as_str()});
    if let (Some(invariants), Some(members)) = (invariants, members.as_object_mut()) {
        members.insert("invariants".to_owned(), json!(invariants));
    }
    let text = String::from_utf8(canonical(&members)?);
    let text = text.map_err(|_| StoreError::corrupt("a model's name"))?;
    let inside = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    Ok(format!("%{}%", escaped(inside.unwrap_or_default())))
}

/// Each result as its record has it, and none without its row or its record.
pub(super) async fn examine_results<C: Reads>(db: &C) -> Result<(), StoreError> {
    use audit_record::Column;
    let records = audit_record::Entity::find()
        .filter(Column::Chain.eq(Chain::Server.to_string()))
        .filter(Column::Kind.eq(RECORDED));
    let mut told = BTreeMap::new();
    for row in models(records, db).await? {
        let record = NamedRecord::read(&row, None)?;
        told.insert(of_result(&record), record);
    }
    for found in query_all(db, "SELECT id FROM ghost_result", Vec::new()).await? {
        let id: Uuid = found.get(0)?;
        // One at a time: a report may be long.
        let row = only(ghost_result::Entity::find_by_id(id), db).await?;
        let record = told.remove(&id);
        let same = match (&row, &record) {
            (Some(row), Some(record)) => is_recorded(row, record)?,
            (None, _) | (_, None) => false,
        };
        if !same {
            return Err(differs(WHAT, id, record.as_slice()));
        }
    }
    let gone = told.into_values().next();
    gone.map_or(Ok(()), |record| Err(lacking(&Chain::Server.to_string(), record.seq)))
}

/// As far as the record goes: the first ones had neither model nor digests.
fn is_recorded(row: &ghost_result::Model, record: &NamedRecord) -> Result<bool, StoreError> {
    Ok(record.at.unix_ms() == row.recorded_at
        && record.is("by", row.recorded_by)
        && record.is("mode", row.mode)
        && record.is("scenario", &row.scenario)
        && record.is("verdict", row.verdict)
        && record.lacks_or_is("model", &row.model)
        && record.lacks_or_is("provider", &row.provider)
        && record.lacks_or_is(EVIDENCE, CountedRow::from(row).digest()?)
        && record.lacks_or_is("details", details(row)?)
        && record.has(SIGNED_BY) == row.signed_by.is_some())
}

/// The row that a record is of; the nil id where it names none.
fn of_result(record: &NamedRecord) -> Uuid {
    let named = record.body.get("ghostResult").or_else(|| record.body.get("result"));
    let named = named.and_then(|id| id.as_str()).and_then(|id| Uuid::parse_str(id).ok());
    named.unwrap_or_default()
}
