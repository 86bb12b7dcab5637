//! A version of a profile, as its row has it.

use crate::{
    database::{
        column::{from_word, time},
        entity::profile,
        id::new_id,
        number::{from_db, to_db},
        statement::{Reads, Row, Writes, models, query_all, run},
    },
    error::StoreError,
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _, Value,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use wiiiv_domain::{ProfileDocument, ProfileName, ProjectId, Timestamp, TurnId, UserId};
use wiiiv_vault::{Aad, Sealed, Vault};

/// Whose profile, where and by which schema.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProfileOwner {
    pub person: UserId,
    pub project: ProjectId,
    pub schema: ProfileName,
}

impl ProfileOwner {
    /// Of the columns `person`, `project` and `schema`.
    pub(super) fn values(&self) -> Vec<Value> {
        vec![self.person.uuid().into(), self.project.uuid().into(), self.schema.to_string().into()]
    }
}

/// Whose profiles are looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ProfileScope {
    All,
    /// Everybody's in a project.
    Project(ProjectId),
    /// One person's, in every project.
    Person(UserId),
    /// One person's in one project.
    Own(UserId, ProjectId),
}

/// What made a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProfileHow {
    /// Values were told.
    Changed,
    /// Its person said yes to what waited.
    Accepted,
    /// Or no.
    Dropped,
    /// An older version was brought back.
    Restored,
    /// All was taken away.
    Erased,
}

impl ProfileHow {
    /// In a word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Accepted => "accepted",
            Self::Dropped => "dropped",
            Self::Restored => "restored",
            Self::Erased => "erased",
        }
    }
}

/// One version, of which the newest counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileRow {
    pub owner: ProfileOwner,
    /// Counted from 1; none is used twice.
    pub version: u64,
    pub document: ProfileDocument,
    pub how: ProfileHow,
    pub author: UserId,
    pub at: Timestamp,
    /// The turn whose message told it. `None`: a form.
    pub turn: Option<TurnId>,
}

// INVARIANT: a row copied to another person, project, schema or version does not open.
fn binding(owner: &ProfileOwner, version: u64) -> Aad {
    Aad {
        owner: format!("user:{}", owner.person),
        scope: format!("project:{}/{version}", owner.project),
        purpose: format!("profile/{}", owner.schema),
        origin: String::new(),
    }
}

/// What a row is bound to, by its own columns.
pub(crate) fn bound(row: &profile::Model) -> Result<Aad, StoreError> {
    Ok(binding(&owner_of(row)?, from_db(row.version)))
}

fn owner_of(row: &profile::Model) -> Result<ProfileOwner, StoreError> {
    Ok(ProfileOwner {
        person: row.person.into(),
        project: row.project.into(),
        schema: schema_of(&row.schema)?,
    })
}

fn schema_of(name: &str) -> Result<ProfileName, StoreError> {
    ProfileName::parse(name).map_err(|_| StoreError::corrupt("the schema of a profile"))
}

/// As its values are sealed and hashed.
pub(crate) fn written(document: &ProfileDocument) -> Result<Vec<u8>, StoreError> {
    Ok(serde_json::to_vec(document)?)
}

impl ProfileRow {
    /// `vault`: taken when the row was read.
    pub(crate) fn opened(row: &profile::Model, vault: &Vault) -> Result<Self, StoreError> {
        let (owner, version) = (owner_of(row)?, from_db(row.version));
        let opened = vault.open(&binding(&owner, version), &Sealed::from_bytes(&row.sealed)?)?;
        // Its text is in no error.
        let document = serde_json::from_slice(&opened);
        let document = document.map_err(|_| StoreError::corrupt("the values of a profile"))?;
        Ok(Self {
            owner,
            version,
            document,
            how: from_word(&row.how, "how a profile was changed")?,
            author: row.author.into(),
            at: time(row.at),
            turn: row.turn.map(Into::into),
        })
    }

    /// `seq`: the record of it.
    pub(super) async fn insert<C: Writes>(
        &self,
        db: &C,
        vault: &Vault,
        seq: u64,
    ) -> Result<(), StoreError> {
        let sealed = vault.seal(&binding(&self.owner, self.version), &written(&self.document)?)?;
        let row = profile::ActiveModel {
            id: Set(new_id()),
            person: Set(self.owner.person.uuid()),
            project: Set(self.owner.project.uuid()),
            schema: Set(self.owner.schema.to_string()),
            version: Set(to_db(self.version)?),
            sealed: Set(sealed.to_bytes()),
            how: Set(self.how.as_str().to_owned()),
            author: Set(self.author.uuid()),
            at: Set(self.at.unix_ms()),
            turn: Set(self.turn.map(TurnId::uuid)),
            at_seq: Set(to_db(seq)?),
        };
        run(db, &profile::Entity::insert(row)).await.map(drop)
    }
}

/// Before that version, or all; newest first.
pub(crate) async fn versions<C: Reads>(
    db: &C,
    owner: &ProfileOwner,
    before: Option<u64>,
    limit: u64,
) -> Result<Vec<profile::Model>, StoreError> {
    let before = before.map_or(i64::MAX, |version| i64::try_from(version).unwrap_or(i64::MAX));
    let of = profile::Entity::find()
        .filter(profile::Column::Person.eq(owner.person.uuid()))
        .filter(profile::Column::Project.eq(owner.project.uuid()))
        .filter(profile::Column::Schema.eq(owner.schema.as_str()))
        .filter(profile::Column::Version.lt(before))
        .order_by_desc(profile::Column::Version)
        .limit(limit);
    models(of, db).await
}

pub(super) async fn newest<C: Reads>(
    db: &C,
    owner: &ProfileOwner,
) -> Result<Option<profile::Model>, StoreError> {
    Ok(versions(db, owner, None, 1).await?.pop())
}

/// Whose there are.
pub(crate) async fn owners<C: Reads>(
    db: &C,
    scope: ProfileScope,
) -> Result<Vec<ProfileOwner>, StoreError> {
    let (person, project): (Option<Uuid>, Option<Uuid>) = match scope {
        ProfileScope::All => (None, None),
        ProfileScope::Project(project) => (None, Some(project.uuid())),
        ProfileScope::Person(person) => (Some(person.uuid()), None),
        ProfileScope::Own(person, project) => (Some(person.uuid()), Some(project.uuid())),
    };
    let sql = "SELECT DISTINCT person, project, schema FROM profile \
               WHERE (person = $1 OR $1 IS NULL) AND (project = $2 OR $2 IS NULL)";
    let rows = query_all(db, sql, vec![person.into(), project.into()]).await?;
    let read = |row: &Row| {
        Ok(ProfileOwner {
            person: row.get::<Uuid>(0)?.into(),
            project: row.get::<Uuid>(1)?.into(),
            schema: schema_of(&row.get::<String>(2)?)?,
        })
    };
    rows.iter().map(read).collect()
}
