//! Projects. Each has its own audit chain, audit key and policy from the start.

use crate::{
    account::role::Role,
    audit::Chain,
    database::{
        clock::now,
        column::time,
        entity::{member, project},
        page::Page,
        statement::{only, run},
    },
    error::StoreError,
    keys::hmac,
    policy::version,
    store::Store,
    writer::{boundary::AuditEntry, point::Point, write_transaction::WriteTransaction},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _, QueryTrait as _,
};
use serde_json::json;
use wiiiv_domain::{ContentDigest, PolicyDocument, ProjectId, ProjectPolicy, Timestamp, UserId};
use wiiiv_gate::{AuditSeq, EvidenceError, PolicyVersion, Recorded};
use wiiiv_vault::Vault;

/// A project's name, in Unicode scalar values.
pub const PROJECT_NAME_CHARS_MAX: usize = 100;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectRow {
    pub id: ProjectId,
    pub name: String,
    /// Whose personal project it is.
    pub personal_of: Option<UserId>,
    pub created_at: Timestamp,
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum ProjectError {
    #[error("a project's name is 1 to `{PROJECT_NAME_CHARS_MAX}` characters")]
    Name,
    #[error(transparent)]
    Policy(#[from] EvidenceError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a new project is made of.
pub(crate) struct NewProject {
    pub(crate) name: String,
    pub(crate) owner: UserId,
    pub(crate) personal: bool,
    pub(crate) policy: PolicyVersion,
}

impl NewProject {
    pub(crate) fn new(
        name: &str,
        owner: UserId,
        personal: bool,
        policy: ProjectPolicy,
    ) -> Result<Self, ProjectError> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > PROJECT_NAME_CHARS_MAX {
            return Err(ProjectError::Name);
        }
        let document = PolicyDocument {
            id: crate::database::id::new_id(),
            project: crate::database::id::new_id(),
            number: 1,
            author: None,
            reason: String::new(),
            at: now(),
            policy,
            of_override: None,
        };
        let policy = wiiiv_gate::policy::initial(document)?;
        Ok(Self { name: name.to_owned(), owner, personal, policy })
    }
}

impl Store {
    /// With its first policy version; the project's id is in that document.
    pub async fn create_project(
        &self,
        name: &str,
        owner: UserId,
        policy: ProjectPolicy,
    ) -> Result<Recorded<PolicyVersion>, ProjectError> {
        let new = NewProject::new(name, owner, false, policy)?;
        let bytes = serde_json::to_vec(&new.policy).map_err(StoreError::from)?;
        let ring = self.ring();
        let at = self
            .write::<_, StoreError, _>(Point::P, move |tx| {
                Box::pin(async move { insert(tx, &ring.vault(), &new, now()).await })
            })
            .await?;
        let digest = ContentDigest::of_bytes(&bytes);
        Ok(self.registrar().restore(at, &bytes, digest).map_err(StoreError::from)?)
    }

    pub async fn project(&self, id: ProjectId) -> Result<Option<ProjectRow>, StoreError> {
        let row = only(project::Entity::find_by_id(id.uuid()), self.direct()).await?;
        Ok(row.map(ProjectRow::read))
    }

    /// Those that this person has a role in, oldest first.
    pub async fn projects_of(
        &self,
        user: UserId,
        page: Page,
    ) -> Result<Vec<ProjectRow>, StoreError> {
        let mine = member::Entity::find()
            .select_only()
            .column(member::Column::Project)
            .filter(member::Column::Account.eq(user.uuid()))
            .into_query();
        let mut query = project::Entity::find().filter(project::Column::Id.in_subquery(mine));
        if let Some(last) = page.before {
            query = query.filter(project::Column::Id.gt(last));
        }
        let query = query.order_by_asc(project::Column::Id).limit(page.rows());
        Ok(query.all(self.reader()).await?.into_iter().map(ProjectRow::read).collect())
    }

    pub async fn personal_project(&self, user: UserId) -> Result<Option<ProjectId>, StoreError> {
        let of = project::Column::PersonalOf.eq(user.uuid());
        let row = only(project::Entity::find().filter(of), self.direct()).await?;
        Ok(row.map(|row| row.id.into()))
    }
}

/// Where the first policy version stands in the new chain.
pub(crate) async fn insert(
    tx: &mut WriteTransaction,
    vault: &Vault,
    new: &NewProject,
    now: Timestamp,
) -> Result<AuditSeq, StoreError> {
    let id = new.policy.document().project;
    let db = &tx.db;
    let row = project::ActiveModel {
        id: Set(id.uuid()),
        name: Set(new.name.clone()),
        personal_of: Set(new.personal.then_some(new.owner.uuid())),
        created_at: Set(now.unix_ms()),
    };
    run(db, &project::Entity::insert(row)).await?;
    let owner = member::ActiveModel {
        project: Set(id.uuid()),
        account: Set(new.owner.uuid()),
        role: Set(Role::Owner),
    };
    run(db, &member::Entity::insert(owner)).await?;
    hmac::make(db, vault, id).await?;
    let body = json!({
        "owner": new.owner, "personal": new.personal, "project": id,
        "stage": new.policy.document().policy.dacs_stage,
    });
    let created = AuditEntry::new("project.created", body);
    tx.record(Chain::Project(id), now, created).await?;
    version::begin(tx, &new.policy, now).await
}

impl ProjectRow {
    fn read(row: project::Model) -> Self {
        Self {
            id: row.id.into(),
            name: row.name,
            personal_of: row.personal_of.map(Into::into),
            created_at: time(row.created_at),
        }
    }
}
