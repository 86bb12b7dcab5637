//! Overrides as they are kept, each as the audit tells.

use super::how_ended::HowEnded;
use crate::{
    audit::{event_told, override_told, override_use_told},
    database::{
        column::time,
        entity::policy_override as row,
        number::to_db,
        statement::{Row, Sealed, models, only, query_all},
    },
    error::StoreError,
    store::Store,
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};
use uuid::Uuid;
use wiiiv_domain::{
    ExecutionId, OverrideEnd, OverrideId, OverrideProposal, PolicyVersionId, ProjectId, Timestamp,
    UserId,
};
use wiiiv_gate::{Recorded, UserEvent};

/// The newest of a project are shown.
const SHOWN_MAX: u64 = 50;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverrideRow {
    pub proposal: OverrideProposal,
    pub proposed_by: UserId,
    pub proposed_at: Timestamp,
    /// Without a second yes by then it is none.
    pub expires_at: Timestamp,
    pub approval: Option<OverrideApproval>,
    /// The run that took an override of one request.
    pub used_by: Option<ExecutionId>,
    pub ended: Option<OverrideEnding>,
}

/// The second yes: from here on it is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverrideApproval {
    pub by: UserId,
    pub at: Timestamp,
    pub version: PolicyVersionId,
    pub until: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverrideEnding {
    pub how: HowEnded,
    /// Where a person ended it.
    pub by: Option<UserId>,
    /// In that person's own words.
    pub reason: Option<String>,
    pub at: Timestamp,
}

impl OverrideRow {
    /// Its second yes is still waited for.
    #[must_use]
    pub fn waits(&self, now: Timestamp) -> bool {
        self.approval.is_none() && self.ended.is_none() && now < self.expires_at
    }

    /// In force, whether or not anybody has put the policy before it back.
    #[must_use]
    pub fn runs(&self, now: Timestamp) -> bool {
        self.ended.is_none() && self.approval.is_some_and(|approval| now < approval.until)
    }

    pub(super) fn read(row: row::Model) -> Result<Self, StoreError> {
        let proposal = serde_json::from_slice(&row.proposal)?;
        let approval = match (row.approved_by, row.approved_at, row.version, row.ends_at) {
            (Some(by), Some(at), Some(version), Some(until)) => Some(OverrideApproval {
                by: by.into(),
                at: time(at),
                version: version.into(),
                until: time(until),
            }),
            _ => None,
        };
        let ended = row.ended_how.zip(row.ended_at).map(|(how, at)| OverrideEnding {
            how,
            by: row.ended_by.map(Into::into),
            reason: row.ended_reason,
            at: time(at),
        });
        Ok(Self {
            proposal,
            proposed_by: row.proposed_by.into(),
            proposed_at: time(row.proposed_at),
            expires_at: time(row.expires_at),
            approval,
            used_by: row.used_by.map(Into::into),
            ended,
        })
    }
}

impl Store {
    /// The newest first.
    pub async fn overrides(&self, project: ProjectId) -> Result<Vec<OverrideRow>, StoreError> {
        let newest = row::Entity::find()
            .filter(row::Column::Project.eq(project.uuid()))
            .order_by_desc(row::Column::ProposedAt)
            .order_by_desc(row::Column::Id)
            .limit(SHOWN_MAX);
        let mut found = Vec::new();
        for row in models(newest, self.direct()).await? {
            override_told(self.direct(), &row).await?;
            found.push(OverrideRow::read(row)?);
        }
        Ok(found)
    }

    /// Of that project.
    pub async fn policy_override(
        &self,
        project: ProjectId,
        id: OverrideId,
    ) -> Result<Option<OverrideRow>, StoreError> {
        let Some(row) = self.override_row(project, id).await? else { return Ok(None) };
        OverrideRow::read(row).map(Some)
    }

    /// With the act of who proposed it, as it stands in the audit.
    pub async fn proposed_override(
        &self,
        project: ProjectId,
        id: OverrideId,
    ) -> Result<Option<(OverrideRow, Recorded<UserEvent>)>, StoreError> {
        let Some(row) = self.override_row(project, id).await? else { return Ok(None) };
        let event = event_told(self.direct(), self.registrar(), (project, row.event_seq)).await?;
        Ok(Some((OverrideRow::read(row)?, event)))
    }

    async fn override_row(
        &self,
        project: ProjectId,
        id: OverrideId,
    ) -> Result<Option<row::Model>, StoreError> {
        let of = row::Column::Project.eq(project.uuid());
        let row = only(row::Entity::find_by_id(id.uuid()).filter(of), self.direct()).await?;
        if let Some(row) = &row {
            override_told(self.direct(), row).await?;
        }
        Ok(row)
    }

    /// Whether the one run that it is for has begun. Refused where its row and the audit differ on that.
    pub async fn is_override_taken(
        &self,
        project: ProjectId,
        id: OverrideId,
    ) -> Result<bool, StoreError> {
        let row = self.override_row(project, id).await?;
        let row = row.ok_or(StoreError::NotFound { what: "override" })?;
        let db = Sealed { db: self.reader().clone(), seals: self.direct().record_seals() };
        override_use_told(&db, &row).await?;
        Ok(row.used_by.is_some())
    }

    /// Those that are over at that time, and that nobody has ended yet.
    pub async fn overrides_due(
        &self,
        now: Timestamp,
        limit: u64,
    ) -> Result<Vec<(ProjectId, OverrideEnd)>, StoreError> {
        let due = "SELECT project, ends_at <= $1 FROM policy_override \
                   WHERE ended_at IS NULL AND version IS NOT NULL AND (ends_at <= $1 \
                   OR EXISTS (SELECT 1 FROM execution WHERE execution.id = policy_override.used_by \
                   AND execution.state IN ('succeeded', 'failed', 'cancelled'))) LIMIT $2";
        let rows = query_all(self.direct(), due, vec![now.unix_ms().into(), to_db(limit)?.into()]);
        let read = |row: &Row| {
            let is_over = row.get::<bool>(1)?;
            let end = if is_over { OverrideEnd::Expired } else { OverrideEnd::Used };
            Ok((row.get::<Uuid>(0)?.into(), end))
        };
        rows.await?.iter().map(read).collect()
    }
}
