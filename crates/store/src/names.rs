//! What ids are called, for many at a time.

use crate::{
    blueprint::StoredBlueprint,
    entity::{account, blueprint_text, project},
    error::StoreError,
    store::Store,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _};
use std::collections::BTreeMap;
use uuid::Uuid;
use wiiiv_domain::{BlueprintId, ProjectId, UserId};

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

    pub async fn project_names(
        &self,
        projects: &[ProjectId],
    ) -> Result<BTreeMap<ProjectId, String>, StoreError> {
        let ids = projects.iter().map(|project| project.uuid()).collect::<Vec<Uuid>>();
        let known = project::Entity::find().filter(project::Column::Id.is_in(ids));
        let rows = known.all(self.reader()).await?.into_iter();
        Ok(rows.map(|row| (row.id.into(), row.name)).collect())
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
