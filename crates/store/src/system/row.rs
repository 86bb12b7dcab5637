//! A registration's row.

use crate::{
    database::{
        column::{document, time},
        entity::system,
        number::from_db,
        statement::only,
    },
    error::StoreError,
};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, EntityTrait as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _,
};
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

    pub(super) async fn read<C: ConnectionTrait>(
        db: &C,
        project: ProjectId,
    ) -> Result<Self, StoreError> {
        let stamp: Option<(i64, Option<i64>)> = system::Entity::find()
            .select_only()
            .column_as(system::Column::Name.count(), "count")
            .column_as(system::Column::Revision.max(), "newest")
            .filter(system::Column::Project.eq(project.uuid()))
            .into_tuple()
            .all(db)
            .await?
            .pop();
        let (count, newest) = stamp.unwrap_or_default();
        Ok(Self { count: from_db(count), newest: from_db(newest.unwrap_or_default()) })
    }
}

pub(super) async fn find_all<C: ConnectionTrait>(
    db: &C,
    project: ProjectId,
) -> Result<Vec<SystemRow>, StoreError> {
    let rows = system::Entity::find()
        .filter(system::Column::Project.eq(project.uuid()))
        .order_by_asc(system::Column::Name)
        .all(db)
        .await?;
    rows.iter().map(SystemRow::read).collect()
}

pub(super) async fn find<C: ConnectionTrait>(
    db: &C,
    project: ProjectId,
    name: &SystemName,
) -> Result<Option<SystemRow>, StoreError> {
    let row = only(system::Entity::find_by_id((project.uuid(), name.to_string())), db).await?;
    row.as_ref().map(SystemRow::read).transpose()
}
