//! Reads of the audit.

use super::{Chain, line::Hash, named_records::NamedRecord};
use crate::{
    database::{
        entity::audit_record,
        number::{from_db, to_db},
        record_seals::RecordSeals,
    },
    error::StoreError,
    store::Store,
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};
use serde_json::Value;
use uuid::Uuid;
use wiiiv_domain::Timestamp;

/// Rows of one answer.
pub const AUDIT_ROWS_MAX: u64 = 1000;

/// Newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    pub kind: Option<String>,
    /// The execution, call, approval, plan or session that a record speaks of.
    pub about: Option<Uuid>,
    /// Only records before this number.
    pub before: Option<u64>,
    /// At most `AUDIT_ROWS_MAX`; `None`: that.
    pub limit: Option<u64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct AuditRow {
    pub seq: u64,
    pub at: Timestamp,
    pub kind: String,
    pub hash: Hash,
    pub body: Value,
}

impl Store {
    pub async fn audit_search(
        &self,
        chain: Chain,
        filter: &AuditFilter,
    ) -> Result<Vec<AuditRow>, StoreError> {
        use audit_record::Column;
        let mut query = audit_record::Entity::find().filter(Column::Chain.eq(chain.to_string()));
        if let Some(kind) = &filter.kind {
            query = query.filter(Column::Kind.eq(kind));
        }
        if let Some(about) = filter.about {
            query = query.filter(Column::About.eq(about));
        }
        if let Some(before) = filter.before {
            query = query.filter(Column::Seq.lt(to_db(before)?));
        }
        let limit = filter.limit.unwrap_or(AUDIT_ROWS_MAX).min(AUDIT_ROWS_MAX);
        let rows = query.order_by_desc(Column::Seq).limit(limit).all(self.reader()).await?;
        rows.into_iter()
            .map(|row| AuditRow::sealed(row, Some(self.direct().record_seals())))
            .collect()
    }
}

impl AuditRow {
    /// Refused where somebody else wrote it.
    pub(crate) fn sealed(
        row: audit_record::Model,
        seals: Option<&RecordSeals>,
    ) -> Result<Self, StoreError> {
        NamedRecord::read(&row, seals)?;
        Self::read(row)
    }

    /// As it stands.
    pub(super) fn read(row: audit_record::Model) -> Result<Self, StoreError> {
        let broken = || StoreError::corrupt(format!("audit record `{}`", row.seq));
        let mut line: Value = serde_json::from_str(&row.line).map_err(|_| broken())?;
        let body = line.get_mut("body").map(Value::take).ok_or_else(broken)?;
        Ok(Self {
            seq: from_db(row.seq),
            at: Timestamp::from_unix_ms(row.at),
            kind: row.kind,
            hash: row.hash.try_into().map_err(|_| StoreError::corrupt("a record's hash"))?,
            body,
        })
    }
}
