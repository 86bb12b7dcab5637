//! The tables with sealed values. Bytes two to five of a sealed value hold its version.

use crate::{
    database::{
        entity::{model_key, profile, secret, system},
        number::{from_db, to_db},
        statement::{Reads, Row, Writes, execute, query, query_all},
    },
    error::StoreError,
};
use sea_orm::Value;
use wiiiv_vault::Aad;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Table {
    Secret,
    ModelKey,
    System,
    Profile,
}

/// Rows under one version, and under any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) done: u64,
    pub(super) left: u64,
}

/// One row that is sealed under another version than it should be.
#[derive(Debug)]
pub(super) struct SealedRow {
    /// For people: the table and what the row is of, nothing secret.
    pub(super) name: String,
    key: [Value; 2],
    /// What it is bound to, as its other columns say.
    pub(super) aad: Result<Aad, StoreError>,
    pub(super) sealed: Vec<u8>,
}

impl Table {
    pub(super) const ALL: [Self; 4] = [Self::Secret, Self::ModelKey, Self::System, Self::Profile];

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Secret => "secret",
            Self::ModelKey => "model_key",
            Self::System => "system",
            Self::Profile => "profile",
        }
    }

    const fn column(self) -> &'static str {
        match self {
            Self::Secret | Self::ModelKey | Self::Profile => "sealed",
            Self::System => "credential",
        }
    }

    const fn key(self) -> [&'static str; 2] {
        match self {
            Self::Secret => ["scope", "purpose"],
            Self::ModelKey => ["holder", "provider"],
            Self::System => ["project", "name"],
            Self::Profile => ["id", "version"],
        }
    }

    pub(super) async fn count<C: Reads>(self, db: &C, version: u32) -> Result<Count, StoreError> {
        let (table, column) = (self.as_str(), self.column());
        let sql = format!(
            "SELECT count(*), \
             count(CASE WHEN substr({column}, 2, 4) = $1 THEN 1 END) \
             FROM {table} WHERE {column} IS NOT NULL"
        );
        let row = query(db, &sql, vec![bytes(version)]).await?;
        let row = row.ok_or_else(|| StoreError::corrupt("a count"))?;
        let (all, done): (i64, i64) = (row.get(0)?, row.get(1)?);
        Ok(Count { done: from_db(done), left: from_db(all - done) })
    }

    /// Those under any other version, in the order of their keys, without the first `passed`.
    pub(super) async fn left<C: Reads>(
        self,
        db: &C,
        version: u32,
        (passed, max): (u64, u64),
    ) -> Result<Vec<SealedRow>, StoreError> {
        let (table, column, [first, second]) = (self.as_str(), self.column(), self.key());
        let sql = format!(
            "SELECT * FROM {table} WHERE {column} IS NOT NULL AND substr({column}, 2, 4) <> $1 \
             ORDER BY {first}, {second} LIMIT $2 OFFSET $3"
        );
        let values = vec![bytes(version), to_db(max)?.into(), to_db(passed)?.into()];
        let rows = query_all(db, &sql, values).await?;
        rows.iter().map(|row| self.read(row)).collect()
    }

    fn read(self, row: &Row) -> Result<SealedRow, StoreError> {
        match self {
            Self::Secret => {
                let row = row.model::<secret::Entity>(0)?;
                Ok(SealedRow {
                    name: format!("secret {} {}", row.scope, row.purpose),
                    aad: Ok(crate::keys::secret::bound(&row.scope, &row.purpose)),
                    key: [row.scope.into(), row.purpose.into()],
                    sealed: row.sealed,
                })
            }
            Self::ModelKey => {
                let row = row.model::<model_key::Entity>(0)?;
                Ok(SealedRow {
                    name: format!("model_key {} {}", row.holder, row.provider),
                    aad: crate::keys::model_key::bound(&row),
                    key: [row.holder.into(), row.provider.into()],
                    sealed: row.sealed,
                })
            }
            Self::System => {
                let row = row.model::<system::Entity>(0)?;
                Ok(SealedRow {
                    name: format!("system {} {}", row.project, row.name),
                    aad: crate::system::bound(&row),
                    key: [row.project.into(), row.name.into()],
                    sealed: row.credential.unwrap_or_default(),
                })
            }
            Self::Profile => {
                let row = row.model::<profile::Entity>(0)?;
                Ok(SealedRow {
                    name: format!("profile {} {} {}", row.person, row.project, row.version),
                    aad: crate::profile::bound(&row),
                    key: [row.id.into(), row.version.into()],
                    sealed: row.sealed,
                })
            }
        }
    }

    // INVARIANT: only where it is still sealed as it was read. Who has set or removed it meanwhile
    // goes before, and nothing else of the row is touched.
    pub(super) async fn replace<C: Writes>(
        self,
        db: &C,
        row: SealedRow,
        fresh: Vec<u8>,
    ) -> Result<bool, StoreError> {
        let (table, column, [first, second]) = (self.as_str(), self.column(), self.key());
        let sql = format!(
            "UPDATE {table} SET {column} = $4 \
             WHERE {first} = $1 AND {second} = $2 AND {column} = $3"
        );
        let [one, two] = row.key;
        let values = vec![one, two, row.sealed.into(), fresh.into()];
        Ok(execute(db, &sql, values).await? == 1)
    }
}

fn bytes(version: u32) -> Value {
    version.to_be_bytes().to_vec().into()
}
