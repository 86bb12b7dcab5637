//! Batch lookup of display names by id.

use crate::{
    database::entity::{account, blueprint, blueprint_text, project, session},
    error::StoreError,
    run::blueprint::{BlueprintRow, StoredBlueprint},
    store::Store,
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};
use std::collections::BTreeMap;
use uuid::Uuid;
use wiiiv_domain::{BlueprintId, ProjectId, SessionId, UserId};

/// Accounts whose names are compared, newest first, and how many of them count as meant.
const NAMED_LOOKED_MAX: u64 = 5_000;
const NAMED_MAX: usize = 20;

impl Store {
    pub async fn user_names(
        &self,
        users: &[UserId],
    ) -> Result<BTreeMap<UserId, String>, StoreError> {
        let ids = users.iter().map(|user| user.uuid()).collect::<Vec<Uuid>>();
        let known = account::Entity::find().filter(account::Column::Id.is_in(ids));
        let rows = known.all(self.reader()).await?.into_iter();
        Ok(rows.map(|row| (row.id.into(), row.name)).collect())
    }

    /// Whose name holds the text, in any case; some of many.
    pub async fn users_named(&self, text: &str) -> Result<Vec<UserId>, StoreError> {
        let wanted = text.to_lowercase();
        let known = account::Entity::find().order_by_desc(account::Column::Id);
        let rows = known.limit(NAMED_LOOKED_MAX).all(self.reader()).await?.into_iter();
        let named = rows.filter(|row| row.name.to_lowercase().contains(&wanted));
        Ok(named.take(NAMED_MAX).map(|row| row.id.into()).collect())
    }

    pub async fn project_names(
        &self,
        projects: &[ProjectId],
    ) -> Result<BTreeMap<ProjectId, String>, StoreError> {
        let ids = projects.iter().map(|project| project.uuid()).collect::<Vec<Uuid>>();
        let known = project::Entity::find().filter(project::Column::Id.is_in(ids));
        let rows = known.all(self.reader()).await?.into_iter();
        Ok(rows.map(|row| (row.id.into(), row.name)).collect())
    }

    /// Who began each of these conversations.
    pub async fn founders(
        &self,
        sessions: &[SessionId],
    ) -> Result<BTreeMap<SessionId, UserId>, StoreError> {
        let ids = sessions.iter().map(|session| session.uuid()).collect::<Vec<Uuid>>();
        let known = session::Entity::find().filter(session::Column::Id.is_in(ids));
        let rows = known.all(self.reader()).await?.into_iter();
        Ok(rows.map(|row| (row.id.into(), row.owner.into())).collect())
    }

    pub async fn blueprint_rows(
        &self,
        ids: &[BlueprintId],
    ) -> Result<BTreeMap<BlueprintId, BlueprintRow>, StoreError> {
        let ids = ids.iter().map(|id| id.uuid()).collect::<Vec<Uuid>>();
        let known = blueprint::Entity::find().filter(blueprint::Column::Id.is_in(ids));
        let rows = known.all(self.reader()).await?.into_iter();
        rows.map(|row| Ok((row.id.into(), BlueprintRow::read(row)?))).collect()
    }

    /// Those whose texts are there.
    pub async fn blueprints_of(
        &self,
        ids: &[BlueprintId],
    ) -> Result<BTreeMap<BlueprintId, StoredBlueprint>, StoreError> {
        let ids = ids.iter().map(|id| id.uuid()).collect::<Vec<Uuid>>();
        let known = blueprint_text::Entity::find();
        let known = known.filter(blueprint_text::Column::Blueprint.is_in(ids));
        let rows = known.all(self.reader()).await?.into_iter();
        rows.map(|row| Ok((row.blueprint.into(), StoredBlueprint::read(row)?))).collect()
    }
}
