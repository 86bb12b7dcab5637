//! Registered systems of projects, and their sealed credentials.

mod credential;
mod refused;
mod row;

use crate::{
    audit::Chain,
    database::{
        clock::now,
        entity::system,
        number::to_db,
        statement::{execute, run},
    },
    error::StoreError,
    halt,
    store::Store,
    writer::{boundary::AuditEntry, point::Point, write_transaction::WriteTransaction},
};
pub(crate) use credential::bound;
pub use refused::SystemRefused;
pub use row::{SystemRow, SystemsStamp};
use row::{find, find_all};
use sea_orm::{ActiveValue::Set, EntityTrait as _};
use serde_json::{Value, json};
use wiiiv_domain::{ProjectId, SYSTEMS_MAX, System, SystemName, UserId};

/// One registration, in bytes.
pub const SYSTEM_BYTES_MAX: usize = 512 * 1024;

/// Whose hand changes which project.
#[derive(Clone, Copy)]
struct Change {
    by: UserId,
    project: ProjectId,
}

impl Store {
    /// In the order of their names.
    pub async fn systems(&self, project: ProjectId) -> Result<Vec<SystemRow>, StoreError> {
        find_all(self.reader(), project).await
    }

    /// What their list is known by; far cheaper to read than the list.
    pub async fn systems_stamp(&self, project: ProjectId) -> Result<SystemsStamp, StoreError> {
        let read = || SystemsStamp::read(self.direct(), project);
        self.cached().systems.get(project.uuid(), read).await
    }

    pub async fn system(
        &self,
        project: ProjectId,
        name: &SystemName,
    ) -> Result<Option<SystemRow>, StoreError> {
        find(self.direct(), project, name).await
    }

    /// `expected`: the revision that it replaces; `None`: there is none by that name. A credential
    /// goes with the origin and the kind of authentication that it was given for.
    pub async fn save_system(
        &self,
        by: UserId,
        project: ProjectId,
        system: System,
        expected: Option<u64>,
    ) -> Result<SystemRow, SystemRefused> {
        system.check()?;
        let document = serde_json::to_string(&system).map_err(StoreError::from)?;
        if document.len() > SYSTEM_BYTES_MAX {
            let max = SYSTEM_BYTES_MAX as u64;
            return Err(StoreError::TooLarge { what: "a system", max }.into());
        }
        let change = Change { by, project };
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let kept = find_all(&tx.db, project).await?;
                fits_beside(&system, &kept, expected)?;
                let old = kept.into_iter().find(|row| row.system.name == system.name);
                change.save(tx, (system, document), old).await
            })
        })
        .await
    }

    /// Before a system is tried out with its credential: on record, or not at all. `false`: the
    /// project or the server is halted.
    pub async fn begin_system_test(
        &self,
        by: UserId,
        project: ProjectId,
        name: &SystemName,
    ) -> Result<bool, StoreError> {
        let (change, name) = (Change { by, project }, name.clone());
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let halted = halt::is_halted(&tx.db, Some(project)).await?;
                let code = if halted { "HALTED" } else { "STARTED" };
                change.record(tx, "system.tested", &name, json!({ "code": code })).await?;
                Ok(!halted)
            })
        })
        .await
    }

    /// With its credential.
    pub async fn remove_system(
        &self,
        by: UserId,
        project: ProjectId,
        name: &SystemName,
        expected: u64,
    ) -> Result<(), SystemRefused> {
        let (change, name) = (Change { by, project }, name.clone());
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let row = find(&tx.db, project, &name).await?;
                let row = at_revision(row, expected)?;
                let key = (project.uuid(), name.to_string());
                run(&tx.db, &system::Entity::delete_by_id(key)).await?;
                if row.credential_revision.is_some() {
                    change.credential_gone(tx, &name, "SYSTEM_REMOVED").await?;
                }
                change.record(tx, "system.removed", &name, json!({})).await?;
                Ok(())
            })
        })
        .await
    }
}

impl Change {
    async fn save(
        self,
        tx: &mut WriteTransaction,
        (system, document): (System, String),
        old: Option<SystemRow>,
    ) -> Result<SystemRow, SystemRefused> {
        let origin = system.base_url.origin();
        let body = json!({ "operations": system.operations.len(), "origin": origin });
        let revision = self.record(tx, "system.saved", &system.name, body).await?;
        let held = old.as_ref().and_then(|row| row.credential_revision);
        let why = old.as_ref().and_then(|row| parts_credential(&row.system, &system));
        let stays = old.is_some() && why.is_none();
        let row = SystemRow {
            revision,
            credential_revision: held.filter(|_| stays),
            updated_by: self.by,
            updated_at: now(),
            system,
        };
        self.upsert(tx, &row, document).await?;
        if let (Some(_), Some(why)) = (held, why) {
            self.forget_credential(tx, &row.system.name).await?;
            self.credential_gone(tx, &row.system.name, why).await?;
        }
        Ok(row)
    }

    async fn upsert(
        self,
        tx: &WriteTransaction,
        row: &SystemRow,
        document: String,
    ) -> Result<(), StoreError> {
        use system::Column::{Document, Name, Project, Revision, UpdatedAt, UpdatedBy};
        let model = system::ActiveModel {
            project: Set(self.project.uuid()),
            name: Set(row.system.name.to_string()),
            revision: Set(to_db(row.revision)?),
            document: Set(document),
            credential: Set(None),
            credential_revision: Set(None),
            updated_by: Set(row.updated_by.uuid()),
            updated_at: Set(row.updated_at.unix_ms()),
        };
        let over = sea_orm::sea_query::OnConflict::columns([Project, Name])
            .update_columns([Revision, Document, UpdatedBy, UpdatedAt])
            .to_owned();
        run(&tx.db, &system::Entity::insert(model).on_conflict(over)).await.map(drop)
    }

    async fn forget_credential(
        self,
        tx: &WriteTransaction,
        name: &SystemName,
    ) -> Result<(), StoreError> {
        let update = "UPDATE system SET credential = NULL, credential_revision = NULL \
                      WHERE project = $1 AND name = $2";
        let values = vec![self.project.uuid().into(), name.to_string().into()];
        execute(&tx.db, update, values).await.map(drop)
    }

    async fn credential_gone(
        self,
        tx: &mut WriteTransaction,
        name: &SystemName,
        why: &'static str,
    ) -> Result<u64, StoreError> {
        self.record(tx, "system.credential_removed", name, json!({ "code": why })).await
    }

    /// The record's number, which is the revision that it speaks of.
    async fn record(
        self,
        tx: &mut WriteTransaction,
        kind: &'static str,
        name: &SystemName,
        mut body: Value,
    ) -> Result<u64, StoreError> {
        if let Some(members) = body.as_object_mut() {
            members.insert("by".to_owned(), json!(self.by));
            members.insert("system".to_owned(), json!(name));
        }
        let chain = Chain::Project(self.project);
        tx.record(chain, now(), AuditEntry::new(kind, body)).await
    }
}

/// Why a credential does not go on to this registration: it was given for one use at one origin.
fn parts_credential(old: &System, new: &System) -> Option<&'static str> {
    if old.base_url.origin() != new.base_url.origin() {
        return Some("ORIGIN_CHANGED");
    }
    if !new.authentication.needs_credential() {
        return Some("NOT_NEEDED");
    }
    (!new.authentication.uses_as(&old.authentication)).then_some("AUTHENTICATION_CHANGED")
}

fn fits_beside(
    system: &System,
    kept: &[SystemRow],
    expected: Option<u64>,
) -> Result<(), SystemRefused> {
    let old = kept.iter().find(|row| row.system.name == system.name);
    match (old, expected) {
        (Some(row), expected) if expected != Some(row.revision) => {
            return Err(SystemRefused::Stale { current: row.revision });
        }
        (None, Some(_)) => return Err(SystemRefused::NotFound),
        (None, None) if kept.len() >= SYSTEMS_MAX => return Err(SystemRefused::TooMany),
        (Some(_) | None, _) => {}
    }
    for other in kept.iter().filter(|row| row.system.name != system.name) {
        let words = std::iter::once(system.name.as_str());
        let mut words = words.chain(system.aliases.iter().map(String::as_str));
        if let Some(word) = words.find(|word| other.system.is_called(word)) {
            let by = other.system.name.clone();
            return Err(SystemRefused::WordTaken { word: word.to_owned(), by });
        }
    }
    Ok(())
}

fn at_revision(row: Option<SystemRow>, expected: u64) -> Result<SystemRow, SystemRefused> {
    let row = row.ok_or(SystemRefused::NotFound)?;
    if row.revision == expected {
        Ok(row)
    } else {
        Err(SystemRefused::Stale { current: row.revision })
    }
}
