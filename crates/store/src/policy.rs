//! Policy versions, as evidence, and the one that a project is under.

use crate::{
    audit::Chain,
    boundary::{AuditEntry, Boundary, Point, Writer},
    clock::now,
    entity::{policy_head, policy_version},
    error::StoreError,
    number::{from_db, to_db},
    page::PAGE_ROWS_MAX,
    statement::{execute, only},
    store::Store,
    unit::Unit,
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait as _, ConnectionTrait, EntityTrait as _, QueryFilter as _,
    QueryOrder as _, QuerySelect as _,
};
use serde_json::json;
use wiiiv_domain::{PolicyDocument, PolicyVersionId, ProjectId, Timestamp, UserId};
use wiiiv_gate::{AuditSeq, PolicyVersion, Recorded};

#[derive(Debug, Clone, thiserror::Error)]
pub enum PolicyRefused {
    /// Somebody was faster (412).
    #[error("the policy has changed meanwhile: version `{current}` is the current one")]
    Stale { current: PolicyVersionId },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// The version that the project is under.
    pub async fn policy(&self, project: ProjectId) -> Result<Recorded<PolicyVersion>, StoreError> {
        let head = only(policy_head::Entity::find_by_id(project.uuid()), self.reader()).await?;
        let head = head.ok_or(StoreError::NotFound { what: "project" })?;
        let version = self.policy_version(head.version.into()).await?;
        version.ok_or_else(|| StoreError::corrupt("a project's policy"))
    }

    pub async fn policy_version(
        &self,
        id: PolicyVersionId,
    ) -> Result<Option<Recorded<PolicyVersion>>, StoreError> {
        let row = only(policy_version::Entity::find_by_id(id.uuid()), self.reader()).await?;
        row.map(|row| self.restore_policy(&row)).transpose()
    }

    /// Newest first; at most a page of them before version `before`.
    pub async fn policy_versions(
        &self,
        project: ProjectId,
        before: Option<u32>,
    ) -> Result<Vec<PolicyDocument>, StoreError> {
        use policy_version::Column;
        let mut query = policy_version::Entity::find().filter(Column::Project.eq(project.uuid()));
        if let Some(before) = before {
            query = query.filter(Column::Number.lt(i64::from(before)));
        }
        let rows = query.order_by_desc(Column::Number).limit(PAGE_ROWS_MAX);
        let rows = rows.all(self.reader()).await?;
        rows.iter().map(|row| Ok(self.restore_policy(row)?.body().document().clone())).collect()
    }

    /// The project's version of that number.
    pub async fn policy_numbered(
        &self,
        project: ProjectId,
        number: u32,
    ) -> Result<Option<PolicyDocument>, StoreError> {
        use policy_version::Column;
        let numbered = policy_version::Entity::find()
            .filter(Column::Project.eq(project.uuid()))
            .filter(Column::Number.eq(i64::from(number)));
        let row = only(numbered, self.reader()).await?;
        row.map(|row| Ok(self.restore_policy(&row)?.body().document().clone())).transpose()
    }

    /// The next version, if `expected` is still the current one.
    pub async fn record_policy(
        &self,
        expected: PolicyVersionId,
        version: PolicyVersion,
    ) -> Result<Recorded<PolicyVersion>, PolicyRefused> {
        let project = version.document().project;
        let bytes = serde_json::to_vec(&version).map_err(StoreError::from)?;
        let evidence = bytes.clone();
        let writer = Writer::Project(project);
        let entry = entry(&version)?;
        let at = self
            .apply_with(&writer, Boundary::new(Point::E), entry, move |db, at, now| {
                Box::pin(async move {
                    insert(db, version.document(), (at, evidence), now).await?;
                    advance(db, version.document(), expected).await
                })
            })
            .await?;
        Ok(self.registrar().restore(at, &bytes).map_err(StoreError::from)?)
    }

    /// While a project is halted nothing new begins in it and nothing goes on.
    pub async fn set_halted(
        &self,
        project: ProjectId,
        halted: bool,
        by: UserId,
    ) -> Result<(), StoreError> {
        let kind = if halted { "project.halted" } else { "project.resumed" };
        let entry = AuditEntry::new(kind, json!({ "by": by, "project": project }));
        self.write(Point::P, move |unit| {
            Box::pin(async move {
                let update = "UPDATE policy_head SET halted = $2 WHERE project = $1";
                let values = vec![project.uuid().into(), halted.into()];
                if execute(&unit.db, update, values).await? != 1 {
                    return Err(StoreError::NotFound { what: "project" });
                }
                unit.record(Chain::Project(project), now(), entry).await.map(drop)
            })
        })
        .await
    }

    fn restore_policy(
        &self,
        row: &policy_version::Model,
    ) -> Result<Recorded<PolicyVersion>, StoreError> {
        Ok(self.registrar().restore(AuditSeq::new(from_db(row.at_seq)), &row.evidence)?)
    }
}

/// The reason is a person's text: it stays out of the audit.
fn entry(version: &PolicyVersion) -> Result<AuditEntry, StoreError> {
    let document = version.document();
    let body = json!({
        "author": document.author,
        "digest": wiiiv_gate::policy::digest(document)?,
        "event": version.event().map(|at| at.to_string()),
        "number": document.number,
        "policy": document.id,
    });
    Ok(AuditEntry::new("policy.recorded", body))
}

async fn insert<C: ConnectionTrait>(
    db: &C,
    document: &PolicyDocument,
    (at, evidence): (u64, Vec<u8>),
    now: Timestamp,
) -> Result<(), StoreError> {
    let number = i32::try_from(document.number)
        .map_err(|_| StoreError::TooLarge { what: "a version number", max: i32::MAX as u64 })?;
    let row = policy_version::ActiveModel {
        id: Set(document.id.uuid()),
        project: Set(document.project.uuid()),
        number: Set(number),
        at_seq: Set(to_db(at)?),
        evidence: Set(evidence),
        created_at: Set(now.unix_ms()),
    };
    policy_version::Entity::insert(row).exec_without_returning(db).await?;
    Ok(())
}

async fn advance<C: ConnectionTrait>(
    db: &C,
    document: &PolicyDocument,
    expected: PolicyVersionId,
) -> Result<(), PolicyRefused> {
    let update = "UPDATE policy_head SET version = $2 WHERE project = $1 AND version = $3";
    let project = document.project.uuid();
    let values = vec![project.into(), document.id.uuid().into(), expected.uuid().into()];
    if execute(db, update, values).await? == 1 {
        return Ok(());
    }
    let head = only(policy_head::Entity::find_by_id(project), db).await?;
    let head = head.ok_or(StoreError::NotFound { what: "project" })?;
    Err(PolicyRefused::Stale { current: head.version.into() })
}

/// With a new project.
pub(crate) async fn begin(
    unit: &mut Unit,
    version: &PolicyVersion,
    now: Timestamp,
) -> Result<AuditSeq, StoreError> {
    let document = version.document();
    let at = unit.record(Chain::Project(document.project), now, entry(version)?).await?;
    insert(&unit.db, document, (at, serde_json::to_vec(version)?), now).await?;
    let head = policy_head::ActiveModel {
        project: Set(document.project.uuid()),
        version: Set(document.id.uuid()),
        halted: Set(false),
    };
    policy_head::Entity::insert(head).exec_without_returning(&unit.db).await?;
    Ok(AuditSeq::new(at))
}
