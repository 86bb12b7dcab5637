//! What an erasure took away is missing by right: its record says so. What is missing without one was taken
//! away by somebody else.

use super::{
    Chain,
    named_records::{NamedRecord, differs, lacking},
};
use crate::{
    database::{
        entity::audit_record,
        statement::{Reads, models, only, query, query_all},
    },
    document,
    erasure::ERASED,
    error::StoreError,
    halt, memory, profile,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use uuid::Uuid;
use wiiiv_domain::{ProjectId, Timestamp};

/// The texts of this conversation were erased.
pub(super) async fn is_erased<C: Reads>(
    db: &C,
    project: ProjectId,
    session: Uuid,
) -> Result<bool, StoreError> {
    use audit_record::Column;
    let told = audit_record::Entity::find()
        .filter(Column::Chain.eq(Chain::Project(project).to_string()))
        .filter(Column::About.eq(session))
        .filter(Column::Kind.eq(ERASED));
    let told = only(told, db).await?;
    let told = told.map(|row| NamedRecord::read(&row, db.seals())).transpose()?;
    Ok(told.is_some_and(|record| record.is("session", session)))
}

/// The opinions on this spec were erased with their conversation.
pub(super) async fn spec_is_erased<C: Reads>(
    db: &C,
    project: ProjectId,
    spec: &str,
) -> Result<bool, StoreError> {
    use audit_record::Column;
    let told = audit_record::Entity::find()
        .filter(Column::Chain.eq(Chain::Project(project).to_string()))
        .filter(Column::Kind.eq(ERASED))
        .filter(Column::Line.contains(format!("\"{spec}\"")));
    for row in models(told, db).await? {
        let record = NamedRecord::read(&row, db.seals())?;
        let specs = record.body.get("specs").and_then(Value::as_array);
        if specs.is_some_and(|specs| specs.contains(&json!(spec))) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What one erasure took.
#[derive(Debug, Default, PartialEq, Eq)]
struct Taken {
    sessions: i64,
    plans: i64,
    memories: i64,
    memory_versions: i64,
    profiles: i64,
    profile_versions: i64,
    documents: i64,
}

/// What each erasure took, by the records of the conversations, the memories, the profiles and the documents.
async fn came_to<C: Reads>(db: &C) -> Result<BTreeMap<String, Taken>, StoreError> {
    let kinds = [ERASED, memory::ERASED, profile::ERASED, document::ERASED];
    let kinds = audit_record::Column::Kind.is_in(kinds);
    let told = audit_record::Entity::find().filter(kinds);
    let mut came = BTreeMap::<String, Taken>::new();
    for row in models(told, db).await? {
        let record = NamedRecord::read(&row, db.seals())?;
        let taken = came.entry(record.text("erasure").unwrap_or_default().to_owned()).or_default();
        let number = |name: &str| record.body.get(name).and_then(Value::as_i64).unwrap_or_default();
        match record.kind.as_str() {
            ERASED => {
                taken.sessions += 1;
                taken.plans += number("plans");
            }
            memory::ERASED => {
                taken.memories += 1;
                taken.memory_versions += number("versions");
            }
            document::ERASED => taken.documents += 1,
            _ => {
                taken.profiles += 1;
                taken.profile_versions += number("versions");
            }
        }
    }
    Ok(came)
}

/// Each row says what its record does: who asked, for whose texts, and why. A conversation that is marked as
/// erased was erased.
pub(super) async fn examine_erasures<C: Reads>(db: &C) -> Result<(), StoreError> {
    let mut came = came_to(db).await?;
    let sql = "SELECT id, project, owner, erased_by, reason, salt, at, at_seq, before, sessions, plans, \
               memories, memory_versions, profiles, profile_versions, documents FROM erasure";
    for row in query_all(db, sql, Vec::new()).await? {
        let (id, seq): (Uuid, i64) = (row.get(0)?, row.get(7)?);
        let before: Option<i64> = row.get(8)?;
        let taken = Taken {
            sessions: row.get(9)?,
            plans: row.get(10)?,
            memories: row.get(11)?,
            memory_versions: row.get(12)?,
            profiles: row.get(13)?,
            profile_versions: row.get(14)?,
            documents: row.get(15)?,
        };
        let came = came.remove(&id.to_string()).unwrap_or_default();
        let place = (Chain::Server.to_string(), seq);
        let record = only(audit_record::Entity::find_by_id(place), db).await?;
        let record = record.map(|record| NamedRecord::read(&record, db.seals())).transpose()?;
        let reason = halt::digest(&row.get::<Vec<u8>>(5)?, &row.get::<String>(4)?)?;
        let (project, owner): (Option<Uuid>, Option<Uuid>) = (row.get(1)?, row.get(2)?);
        let (by, at): (Uuid, i64) = (row.get(3)?, row.get(6)?);
        let same = record.as_ref().is_some_and(|record| {
            record.kind == "texts.erased"
                && record.is("erasure", id)
                && record.is("project", project)
                && record.is("owner", owner)
                && record.is("by", by)
                && record.is("reason", reason)
                && record.is("before", before.map(Timestamp::from_unix_ms))
                && record.at.unix_ms() == at
        });
        if !same || came != taken {
            return Err(differs("erasure", id, record.as_slice()));
        }
    }
    let missing = "SELECT record.chain, record.seq FROM audit_record record \
                   WHERE record.kind = 'texts.erased' AND NOT EXISTS (SELECT 1 FROM erasure \
                   WHERE erasure.at_seq = record.seq) LIMIT 1";
    if let Some(row) = query(db, missing, Vec::new()).await? {
        return Err(lacking(&row.get::<String>(0)?, row.get(1)?));
    }
    let marked = "SELECT project, id FROM session WHERE erased_at IS NOT NULL";
    for row in query_all(db, marked, Vec::new()).await? {
        let (project, session): (Uuid, Uuid) = (row.get(0)?, row.get(1)?);
        if !is_erased(db, project.into(), session).await? {
            return Err(differs("conversation", session, &[]));
        }
    }
    Ok(())
}
