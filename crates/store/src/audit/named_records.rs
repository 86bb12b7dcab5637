//! The audit records that name one object, in the order of their chain.

use super::{Chain, line::StoredLine};
use crate::{
    database::{
        entity::audit_record,
        number::from_db,
        record_seals::RecordSeals,
        statement::{Reads, models},
    },
    error::StoreError,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _};
use serde_json::{Map, Value, json};
use uuid::Uuid;
use wiiiv_domain::{ProjectId, Timestamp};
use wiiiv_gate::Corrupt;

/// The kind of a ruling's record, and its outcome where it allows.
pub(crate) const DECISION: &str = "decision";
pub(crate) const ALLOW: &str = super::line::ALLOW;

/// One of them.
pub(super) struct NamedRecord {
    pub(super) seq: i64,
    pub(super) kind: String,
    pub(super) at: Timestamp,
    pub(super) body: Map<String, Value>,
}

impl NamedRecord {
    pub(super) fn read(
        row: &audit_record::Model,
        seals: Option<&RecordSeals>,
    ) -> Result<Self, StoreError> {
        // Records are counted from 1: of any other number nothing was proved.
        let seq = u64::try_from(row.seq).ok().filter(|seq| *seq > 0);
        let chain: Option<Chain> = row.chain.parse().ok();
        let kept = StoredLine::of(row).zip(seq).zip(chain);
        let kept = kept.filter(|((kept, seq), chain)| {
            kept.is(*chain, *seq) && kept.is_sealed(row.seal.as_deref(), seals)
        });
        let whole = kept.and_then(|((kept, _), _)| kept.whole());
        let whole = whole.ok_or(Corrupt::Changed { at: from_db(row.seq) })?;
        Ok(Self { seq: row.seq, kind: row.kind.clone(), at: whole.at, body: whole.body })
    }
    pub(super) fn is(&self, name: &str, value: impl serde::Serialize) -> bool {
        self.body.get(name) == Some(&json!(value))
    }
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.body.get(name)?.as_str()
    }
    pub(super) fn has(&self, name: &str) -> bool {
        self.body.contains_key(name)
    }
    /// Of a record that is older than the member.
    pub(super) fn lacks_or_is(&self, name: &str, value: impl serde::Serialize) -> bool {
        !self.has(name) || self.is(name, value)
    }
    pub(super) fn of_subject(&self, name: &str) -> Option<&Value> {
        self.body.get("subject")?.get(name)
    }
    pub(super) fn allows(&self, subject: &str) -> bool {
        self.kind == DECISION
            && self.is("outcome", ALLOW)
            && self.of_subject("kind") == Some(&json!(subject))
    }
}

pub(super) async fn about<C: Reads>(
    db: &C,
    project: ProjectId,
    id: Uuid,
) -> Result<Vec<NamedRecord>, StoreError> {
    use audit_record::Column;
    let about = audit_record::Entity::find()
        .filter(Column::About.eq(id))
        .filter(Column::Chain.eq(Chain::Project(project).to_string()))
        .order_by_asc(Column::Seq);
    let rows = models(about, db).await?;
    rows.iter().map(|row| NamedRecord::read(row, db.seals())).collect()
}

pub(super) fn differs(what: &str, id: Uuid, records: &[NamedRecord]) -> StoreError {
    let records: Vec<String> = records.iter().map(|record| format!("`{}`", record.seq)).collect();
    let records = if records.is_empty() { "none".to_owned() } else { records.join(", ") };
    StoreError::tampered(format!("the {what} `{id}` is not as the audit tells (records {records})"))
}

pub(super) fn lacking(chain: &str, seq: i64) -> StoreError {
    StoreError::tampered(format!(
        "what record `{seq}` of the chain `{chain}` tells of is not there any more"
    ))
}
