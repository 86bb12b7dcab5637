//! Plans: structure and digests are kept for good; the canonical bytes are in another table.

use crate::{
    database::{
        column::{digest, from_word, time, word},
        entity::{blueprint, blueprint_text},
        page::Page,
        statement::{Writes, only, query, run},
    },
    error::StoreError,
    session::lease::Lease,
    store::Store,
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _,
};
use wiiiv_domain::{
    Blueprint, BlueprintDigest, BlueprintId, Effect, PolicyVersionId, ProjectId, SessionId,
    SpecDigest, TaskId, TaskType, Timestamp, UserId, canonical,
};

/// The plan with the very bytes that it was stored as.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredBlueprint {
    pub blueprint: Blueprint,
    pub canonical: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlueprintRow {
    pub id: BlueprintId,
    pub project: ProjectId,
    pub session: SessionId,
    pub task: TaskId,
    pub requester: UserId,
    pub policy: PolicyVersionId,
    pub digest: BlueprintDigest,
    pub spec_digest: SpecDigest,
    pub task_type: TaskType,
    pub effect: Effect,
    pub created_at: Timestamp,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlueprintFilter {
    pub project: Option<ProjectId>,
    pub session: Option<SessionId>,
    pub page: Page,
}

impl Store {
    /// `None` where it is unknown. Refused where its text is not of the digest that it is known by.
    pub async fn blueprint(&self, id: BlueprintId) -> Result<Option<StoredBlueprint>, StoreError> {
        let sql = "SELECT text.canonical, plan.digest FROM blueprint plan \
                   JOIN blueprint_text text ON text.blueprint = plan.id WHERE plan.id = $1";
        let Some(row) = query(self.direct(), sql, vec![id.uuid().into()]).await? else {
            return Ok(None);
        };
        let stored = StoredBlueprint::read(blueprint_text::Model {
            blueprint: id.uuid(),
            canonical: row.get(0)?,
        })?;
        let same = stored.blueprint.digest()?.bytes().as_slice() == row.get::<Vec<u8>>(1)?;
        let what = || StoreError::tampered(format!("the text of the plan `{id}` is another one"));
        same.then_some(Some(stored)).ok_or_else(what)
    }

    pub async fn blueprint_row(&self, id: BlueprintId) -> Result<Option<BlueprintRow>, StoreError> {
        let row = only(blueprint::Entity::find_by_id(id.uuid()), self.direct()).await?;
        row.map(BlueprintRow::read).transpose()
    }

    /// Plans of these specs in these conversations, oldest first.
    pub async fn plans_of_specs(
        &self,
        of: &[(SessionId, SpecDigest)],
    ) -> Result<Vec<BlueprintRow>, StoreError> {
        use blueprint::Column;
        let plans = blueprint::Entity::find()
            .filter(Column::Session.is_in(of.iter().map(|(session, _)| session.uuid())))
            .filter(Column::SpecDigest.is_in(of.iter().map(|(_, spec)| spec.bytes().to_vec())))
            .order_by_asc(Column::Id);
        plans.all(self.reader()).await?.into_iter().map(BlueprintRow::read).collect()
    }

    /// Newest first.
    pub async fn blueprints(
        &self,
        filter: &BlueprintFilter,
    ) -> Result<Vec<BlueprintRow>, StoreError> {
        use blueprint::Column;
        let mut query = blueprint::Entity::find();
        if let Some(project) = filter.project {
            query = query.filter(Column::Project.eq(project.uuid()));
        }
        if let Some(session) = filter.session {
            query = query.filter(Column::Session.eq(session.uuid()));
        }
        if let Some(before) = filter.page.before {
            query = query.filter(Column::Id.lt(before));
        }
        let query = query.order_by_desc(Column::Id).limit(filter.page.rows());
        query.all(self.reader()).await?.into_iter().map(BlueprintRow::read).collect()
    }
}

pub(crate) async fn insert<C: Writes>(
    db: &C,
    lease: &Lease,
    plan: &Blueprint,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (spec, digests) = (&plan.spec_snapshot.spec, plan.digests()?);
    let row = blueprint::ActiveModel {
        id: Set(plan.id.uuid()),
        project: Set(lease.project.uuid()),
        session: Set(lease.session.uuid()),
        task: Set(plan.task.uuid()),
        requester: Set(plan.spec_snapshot.requester.uuid()),
        policy: Set(plan.policy.uuid()),
        digest: Set(digests.blueprint.bytes().to_vec()),
        spec_digest: Set(digests.spec.bytes().to_vec()),
        task_type: Set(spec.task_type.as_str().to_owned()),
        effect: Set(word(&plan.effect())?),
        created_at: Set(now.unix_ms()),
    };
    run(db, &blueprint::Entity::insert(row)).await?;
    let text = blueprint_text::ActiveModel {
        blueprint: Set(plan.id.uuid()),
        canonical: Set(canonical(plan)?),
    };
    run(db, &blueprint_text::Entity::insert(text)).await?;
    Ok(())
}

impl StoredBlueprint {
    pub(crate) fn read(row: blueprint_text::Model) -> Result<Self, StoreError> {
        let blueprint = serde_json::from_slice(&row.canonical)
            .map_err(|_| StoreError::corrupt(format!("blueprint `{}`", row.blueprint)))?;
        Ok(Self { blueprint, canonical: row.canonical })
    }
}

impl BlueprintRow {
    pub(crate) fn read(row: blueprint::Model) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id.into(),
            project: row.project.into(),
            session: row.session.into(),
            task: row.task.into(),
            requester: row.requester.into(),
            policy: row.policy.into(),
            digest: digest(row.digest, BlueprintDigest::from_bytes, "a blueprint's digest")?,
            spec_digest: digest(row.spec_digest, SpecDigest::from_bytes, "a spec's digest")?,
            task_type: from_word(&row.task_type, "a task type")?,
            effect: from_word(&row.effect, "an effect")?,
            created_at: time(row.created_at),
        })
    }
}
