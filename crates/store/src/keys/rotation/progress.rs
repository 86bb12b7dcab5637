//! Progress of a rotation.

use super::{
    mover::resealed,
    record::{self, RotationRecord},
    table::Table,
};
use crate::{database::column::document, error::StoreError, store::Store};
use serde_json::Value;
use wiiiv_domain::{Timestamp, UserId};

/// Rows of a table that are tried, so that those which do not open can be named.
const TRIED_ROWS_MAX: u64 = 64;

#[derive(Debug, Clone, PartialEq)]
pub struct RotationStatus {
    /// What is new is sealed under it.
    pub version: u32,
    /// The newest.
    pub rotation: Option<Rotation>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Rotation {
    pub from: u32,
    pub to: u32,
    pub started_by: UserId,
    pub started_at: Timestamp,
    /// `None`: it goes on.
    pub finished_at: Option<Timestamp>,
    pub tables: Vec<TableProgress>,
    /// What does not open: it has to be set again or removed before the rotation can end.
    pub unreadable: Vec<String>,
    pub certificate: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableProgress {
    pub table: &'static str,
    /// Rows under the newest version.
    pub done: u64,
    /// Rows under any other.
    pub left: u64,
}

impl Store {
    pub async fn master_key_rotation(&self) -> Result<RotationStatus, StoreError> {
        let version = record::newest_version(self.reader()).await?;
        let rotation = match record::all(self.reader()).await?.pop() {
            Some(kept) => Some(self.progress(kept).await?),
            None => None,
        };
        Ok(RotationStatus { version, rotation })
    }

    async fn progress(&self, kept: RotationRecord) -> Result<Rotation, StoreError> {
        let (mut tables, mut unreadable) = (Vec::new(), Vec::new());
        for table in Table::ALL {
            let count = table.count(self.reader(), kept.to).await?;
            let (done, left) = (count.done, count.left);
            tables.push(TableProgress { table: table.as_str(), done, left });
            if left > 0 {
                let rows = table.left(self.reader(), kept.to, (0, TRIED_ROWS_MAX)).await?;
                let vault = self.vault();
                let failed = rows.into_iter().filter(|row| resealed(&vault, row).is_err());
                unreadable.extend(failed.map(|row| row.name));
            }
        }
        let certificate = kept.certificate.as_deref().map(|text| document(text, "a certificate"));
        Ok(Rotation {
            from: kept.from.version,
            to: kept.to,
            started_by: kept.started_by,
            started_at: kept.started_at,
            finished_at: kept.finished_at,
            tables,
            unreadable,
            certificate: certificate.transpose()?,
        })
    }
}
