//! Roles of members in a project.

use crate::{
    account::role::Role,
    audit::Chain,
    database::{
        clock::now,
        column::word,
        entity::{account, member},
        statement::{Reads, Writes, execute, models, query, run},
    },
    error::StoreError,
    store::Store,
    writer::{boundary::AuditEntry, point::Point},
};
use sea_orm::{ActiveValue::Set, ColumnTrait as _, EntityTrait as _, QueryFilter as _};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    str::FromStr,
};
use wiiiv_domain::{ProjectId, UserId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberRow {
    pub user: UserId,
    pub name: String,
    pub roles: BTreeSet<Role>,
}

/// Of a project's members and their roles: whoever changes them names the one that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MembersVersion([u8; MEMBERS_VERSION_BYTES]);

const MEMBERS_VERSION_BYTES: usize = 32;

impl fmt::Display for MembersVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a version of members: 64 hexadecimal digits are")]
pub struct ParseMembersVersionError;

impl FromStr for MembersVersion {
    type Err = ParseMembersVersionError;
    fn from_str(text: &str) -> Result<Self, ParseMembersVersionError> {
        let bytes = hex::decode(text).map_err(|_| ParseMembersVersionError)?;
        bytes.try_into().map(Self).map_err(|_| ParseMembersVersionError)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Members {
    pub version: MembersVersion,
    pub rows: Vec<MemberRow>,
}

/// All roles of one person; none at all ends the membership.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleChange {
    pub user: UserId,
    pub roles: BTreeSet<Role>,
    pub by: UserId,
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum MemberError {
    #[error("the members are at version `{current}` by now; read them and change that one")]
    Stale { current: MembersVersion },
    #[error("a project keeps at least one owner: make somebody else owner first")]
    LastOwner,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    pub async fn members(&self, project: ProjectId) -> Result<Members, StoreError> {
        let roles = roles_in(self.reader(), project).await?;
        let ids = roles.keys().map(|user| user.uuid());
        let accounts = account::Entity::find().filter(account::Column::Id.is_in(ids));
        let accounts = accounts.all(self.reader()).await?;
        let row = |account: account::Model| {
            let user = account.id.into();
            let roles = roles.get(&user).cloned().unwrap_or_default();
            MemberRow { user, name: account.name, roles }
        };
        let rows = accounts.into_iter().map(row).collect();
        Ok(Members { version: version_of(&roles), rows })
    }

    /// Whether this is a member whose account is open.
    pub async fn is_at_work(&self, user: UserId, project: ProjectId) -> Result<bool, StoreError> {
        let asked = "SELECT 1 FROM member JOIN account ON account.id = member.account \
            WHERE member.account = $1 AND member.project = $2 AND account.disabled_at IS NULL LIMIT 1";
        let (user, project) = (user.uuid(), project.uuid());
        let read = || async {
            let values = vec![user.into(), project.into()];
            Ok(query(self.direct(), asked, values).await?.is_some())
        };
        self.cached().members.get((user, project), read).await
    }

    /// Replaces all roles of this person; none at all ends the membership.
    pub async fn set_roles(
        &self,
        project: ProjectId,
        user: UserId,
        roles: BTreeSet<Role>,
        by: UserId,
    ) -> Result<MembersVersion, MemberError> {
        self.write_roles(project, None, RoleChange { user, roles, by }).await
    }

    /// The same, where the members are still as they were read.
    pub async fn change_roles(
        &self,
        project: ProjectId,
        expected: MembersVersion,
        change: RoleChange,
    ) -> Result<MembersVersion, MemberError> {
        self.write_roles(project, Some(expected), change).await
    }

    async fn write_roles(
        &self,
        project: ProjectId,
        expected: Option<MembersVersion>,
        change: RoleChange,
    ) -> Result<MembersVersion, MemberError> {
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let current = version_of(&roles_in(&tx.db, project).await?);
                if expected.is_some_and(|expected| expected != current) {
                    return Err(MemberError::Stale { current });
                }
                let RoleChange { user, roles, by } = change;
                replace(&tx.db, project, user, &roles).await?;
                let roles: Result<Vec<String>, _> = roles.iter().map(word).collect();
                let body = json!({ "by": by, "roles": roles?, "user": user });
                let entry = AuditEntry::new("member.changed", body);
                tx.record(Chain::Project(project), now(), entry).await?;
                Ok(version_of(&roles_in(&tx.db, project).await?))
            })
        })
        .await
    }
}

type Roles = BTreeMap<UserId, BTreeSet<Role>>;

async fn roles_in<C: Reads>(db: &C, project: ProjectId) -> Result<Roles, StoreError> {
    let of = member::Column::Project.eq(project.uuid());
    let mut roles = Roles::new();
    for row in models(member::Entity::find().filter(of), db).await? {
        roles.entry(row.account.into()).or_default().insert(row.role);
    }
    Ok(roles)
}

fn version_of(roles: &Roles) -> MembersVersion {
    let mut hash = Sha256::new();
    for (user, roles) in roles {
        hash.update(user.uuid().as_bytes());
        for role in roles {
            hash.update([*role as u8]);
        }
        hash.update([u8::MAX]);
    }
    MembersVersion(hash.finalize().into())
}

async fn replace<C: Writes>(
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
        run(db, &member::Entity::insert(row)).await?;
    }
    let owner = "SELECT 1 FROM member JOIN account ON account.id = member.account \
                 WHERE member.project = $1 AND member.role = 'owner' \
                 AND account.disabled_at IS NULL LIMIT 1";
    match query(db, owner, vec![project.uuid().into()]).await? {
        Some(_) => Ok(()),
        None => Err(MemberError::LastOwner),
    }
}
