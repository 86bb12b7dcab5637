//! Who may do what in a project.

use crate::{
    audit::Chain,
    boundary::{AuditEntry, Point},
    clock::now,
    column::word,
    entity::{account, member},
    error::StoreError,
    statement::{execute, query},
    store::Store,
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait as _, ConnectionTrait, DeriveActiveEnum, EntityTrait as _,
    EnumIter, QueryFilter as _,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{ProjectId, UserId};
use wiiiv_gate::Rights;

#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    EnumIter,
    DeriveActiveEnum,
    Serialize,
    Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "snake_case")]
pub enum Role {
    Owner,
    Editor,
    Approver,
    Viewer,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberRow {
    pub user: UserId,
    pub name: String,
    pub roles: BTreeSet<Role>,
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum MemberError {
    #[error("a project keeps at least one owner: make somebody else owner first")]
    LastOwner,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    pub async fn members(&self, project: ProjectId) -> Result<Vec<MemberRow>, StoreError> {
        let rows = member::Entity::find()
            .filter(member::Column::Project.eq(project.uuid()))
            .all(self.reader())
            .await?;
        let mut roles: BTreeMap<UserId, BTreeSet<Role>> = BTreeMap::new();
        for row in rows {
            roles.entry(row.account.into()).or_default().insert(row.role);
        }
        let ids = roles.keys().map(|user| user.uuid());
        let accounts = account::Entity::find().filter(account::Column::Id.is_in(ids));
        let accounts = accounts.all(self.reader()).await?;
        let row = |account: account::Model| {
            let user = account.id.into();
            let roles = roles.get(&user).cloned().unwrap_or_default();
            MemberRow { user, name: account.name, roles }
        };
        Ok(accounts.into_iter().map(row).collect())
    }

    /// Replaces all roles of this person; none at all ends the membership.
    pub async fn set_roles(
        &self,
        project: ProjectId,
        user: UserId,
        roles: BTreeSet<Role>,
        by: UserId,
    ) -> Result<(), MemberError> {
        self.write(Point::P, move |unit| {
            Box::pin(async move {
                replace(&unit.db, project, user, &roles).await?;
                let roles: Result<Vec<String>, _> = roles.iter().map(word).collect();
                let body = json!({ "by": by, "roles": roles?, "user": user });
                let entry = AuditEntry::new("member.changed", body);
                unit.record(Chain::Project(project), now(), entry).await?;
                Ok(())
            })
        })
        .await
    }

    /// What this person may do there, as a member; an administrator's right is not among it.
    pub(crate) async fn rights(
        &self,
        project: ProjectId,
        user: UserId,
    ) -> Result<Rights, StoreError> {
        let rows = member::Entity::find()
            .filter(member::Column::Project.eq(project.uuid()))
            .filter(member::Column::Account.eq(user.uuid()))
            .all(self.reader())
            .await?;
        let has = |role| rows.iter().any(|row| row.role == role);
        Ok(Rights {
            admin: false,
            owner: has(Role::Owner),
            editor: has(Role::Editor),
            approver: has(Role::Approver),
            viewer: has(Role::Viewer),
        })
    }
}

async fn replace<C: ConnectionTrait>(
    db: &C,
    project: ProjectId,
    user: UserId,
    roles: &BTreeSet<Role>,
) -> Result<(), MemberError> {
    let delete = "DELETE FROM member WHERE project = $1 AND account = $2";
    execute(db, delete, vec![project.uuid().into(), user.uuid().into()]).await?;
    for role in roles {
        let row = member::ActiveModel {
            project: Set(project.uuid()),
            account: Set(user.uuid()),
            role: Set(*role),
        };
        let inserted = member::Entity::insert(row).exec_without_returning(db).await;
        inserted.map_err(StoreError::from)?;
    }
    let owner = "SELECT 1 FROM member WHERE project = $1 AND role = 'owner' LIMIT 1";
    match query(db, owner, vec![project.uuid().into()]).await? {
        Some(_) => Ok(()),
        None => Err(MemberError::LastOwner),
    }
}
