//! A registration's row.

use crate::{
    database::{
        column::{document, time},
        entity::system,
        number::from_db,
        statement::{Reads, models, only, query},
    },
    error::StoreError,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _};
use wiiiv_domain::{ProjectId, System, SystemName, Timestamp, UserId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemRow {
    pub system: System,
    /// Never the same twice in a project.
    pub revision: u64,
    /// `None`: no credential is set. Never the same twice in a project.
    pub credential_revision: Option<u64>,
    pub updated_by: UserId,
    pub updated_at: Timestamp,
}

impl SystemRow {
    pub(super) fn read(row: &system::Model) -> Result<Self, StoreError> {
        let system: System = document(&row.document, "a system")?;
        // A row under another name than its document's was copied there.
        if system.name.as_str() != row.name {
            return Err(StoreError::corrupt("a system's name"));
        }
        Ok(Self {
            system,
            revision: from_db(row.revision),
            credential_revision: row.credential_revision.map(from_db),
            updated_by: row.updated_by.into(),
            updated_at: time(row.updated_at),
        })
    }
}

/// Tells two lists of one project apart: a change raises the newest revision, a removal lowers the
/// number, and no revision comes twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemsStamp {
    count: u64,
    newest: u64,
}

impl SystemsStamp {
    #[must_use]
    pub fn of(rows: &[SystemRow]) -> Self {
        let newest = rows.iter().map(|row| row.revision).max().unwrap_or_default();
        Self { count: rows.len() as u64, newest }
    }

    pub(super) async fn read<C: Reads>(db: &C, project: ProjectId) -> Result<Self, StoreError> {
        let stamp = "SELECT CAST(COUNT(*) AS BIGINT), MAX(revision) FROM system WHERE project = $1";
        let row = query(db, stamp, vec![project.uuid().into()]).await?;
        let row = row.ok_or_else(StoreError::given_up)?;
        let newest: Option<i64> = row.get(1)?;
        Ok(Self { count: from_db(row.get(0)?), newest: from_db(newest.unwrap_or_default()) })
    }
}

pub(super) async fn find_all<C: Reads>(
    db: &C,
    project: ProjectId,
) -> Result<Vec<SystemRow>, StoreError> {
    let rows = system::Entity::find()
        .filter(system::Column::Project.eq(project.uuid()))
        .order_by_asc(system::Column::Name);
    models(rows, db).await?.iter().map(SystemRow::read).collect()
}

pub(super) async fn find<C: Reads>(
    db: &C,
    project: ProjectId,
    name: &SystemName,
) -> Result<Option<SystemRow>, StoreError> {
    let row = only(system::Entity::find_by_id((project.uuid(), name.to_string())), db).await?;
    row.as_ref().map(SystemRow::read).transpose()
}
