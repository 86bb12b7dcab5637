//! The credential of a system, sealed for one project, name and origin.

use super::{Change, SystemRefused, SystemRow, at_revision, row::find};
use crate::{
    database::{
        clock::now,
        entity::system,
        number::to_db,
        statement::{execute, only},
    },
    error::StoreError,
    store::Store,
    writer::{point::Point, write_transaction::WriteTransaction},
};
use sea_orm::EntityTrait as _;
use secrecy::ExposeSecret as _;
use serde_json::json;
use wiiiv_domain::{Authentication, ProjectId, System, SystemName, UserId};
use wiiiv_vault::{Aad, Credential, Sealed, Vault};

impl Store {
    /// `None` takes it away. `expected` is the registration as its giver saw it: a credential
    /// never goes to an origin that somebody else put there meanwhile.
    pub async fn set_credential(
        &self,
        by: UserId,
        project: ProjectId,
        name: &SystemName,
        credential: Option<Credential>,
        expected: u64,
    ) -> Result<SystemRow, SystemRefused> {
        let (change, name, ring) = (Change { by, project }, name.clone(), self.ring());
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let row = at_revision(find(&tx.db, project, &name).await?, expected)?;
                match credential {
                    Some(credential) => {
                        fits(&row.system.authentication, &credential)?;
                        change.keep(tx, &ring.vault(), row, &credential).await
                    }
                    None => change.take_away(tx, row).await,
                }
            })
        })
        .await
    }

    /// With its revision: what a token that was got for it is known by.
    pub async fn credential(
        &self,
        project: ProjectId,
        name: &SystemName,
    ) -> Result<Option<(Credential, u64)>, StoreError> {
        let key = (project.uuid(), name.to_string());
        let Some(row) = only(system::Entity::find_by_id(key), self.direct()).await? else {
            return Ok(None);
        };
        let SystemRow { system, credential_revision, .. } = SystemRow::read(&row)?;
        let Some((sealed, revision)) = row.credential.zip(credential_revision) else {
            return Ok(None);
        };
        let bytes = self.vault().open(&binding(project, &system), &Sealed::from_bytes(&sealed)?)?;
        let credential = Credential::from_bytes(&bytes);
        let credential = credential.map_err(|error| StoreError::Key(error.to_string()))?;
        Ok(Some((credential, revision)))
    }
}

impl Change {
    async fn keep(
        self,
        tx: &mut WriteTransaction,
        vault: &Vault,
        row: SystemRow,
        credential: &Credential,
    ) -> Result<SystemRow, SystemRefused> {
        let aad = binding(self.project, &row.system);
        let sealed = vault.seal(&aad, &credential.to_bytes()).map_err(StoreError::from)?;
        let body = json!({ "origin": aad.origin });
        let revision = self.record(tx, "system.credential_set", &row.system.name, body).await?;
        let row = SystemRow { credential_revision: Some(revision), ..self.changed(row, revision) };
        self.write_credential(tx, &row, Some(sealed.to_bytes())).await?;
        Ok(row)
    }

    async fn take_away(
        self,
        tx: &mut WriteTransaction,
        row: SystemRow,
    ) -> Result<SystemRow, SystemRefused> {
        if row.credential_revision.is_none() {
            return Err(StoreError::NotFound { what: "credential" }.into());
        }
        let revision = self.credential_gone(tx, &row.system.name, "ASKED").await?;
        let row = SystemRow { credential_revision: None, ..self.changed(row, revision) };
        self.write_credential(tx, &row, None).await?;
        Ok(row)
    }

    fn changed(self, row: SystemRow, revision: u64) -> SystemRow {
        SystemRow { revision, updated_by: self.by, updated_at: now(), ..row }
    }

    async fn write_credential(
        self,
        tx: &WriteTransaction,
        row: &SystemRow,
        sealed: Option<Vec<u8>>,
    ) -> Result<(), StoreError> {
        let update = "UPDATE system SET credential = $3, credential_revision = $4, \
                      revision = $5, updated_by = $6, updated_at = $7 \
                      WHERE project = $1 AND name = $2";
        let values = vec![
            self.project.uuid().into(),
            row.system.name.to_string().into(),
            sealed.into(),
            row.credential_revision.map(to_db).transpose()?.into(),
            to_db(row.revision)?.into(),
            row.updated_by.uuid().into(),
            row.updated_at.unix_ms().into(),
        ];
        execute(&tx.db, update, values).await.map(drop)
    }
}

// INVARIANT: opened only for the origin that it was sealed for; a row copied to another project,
// name or address does not open.
fn binding(project: ProjectId, system: &System) -> Aad {
    Aad {
        owner: project.to_string(),
        scope: format!("project:{project}"),
        purpose: format!("system-credential/{}", system.name),
        origin: system.base_url.origin(),
    }
}

/// What a row's credential is bound to, by its other columns.
pub(crate) fn bound(row: &system::Model) -> Result<Aad, StoreError> {
    let system = SystemRow::read(row)?.system;
    Ok(binding(row.project.into(), &system))
}

fn fits(authentication: &Authentication, credential: &Credential) -> Result<(), SystemRefused> {
    let named = !credential.username().expose_secret().is_empty();
    match authentication {
        Authentication::None => {
            Err(SystemRefused::Unfit("this system is registered without authentication"))
        }
        Authentication::Basic | Authentication::LogIn { .. } if !named => {
            Err(SystemRefused::Unfit("this kind of authentication needs a user name"))
        }
        Authentication::Bearer | Authentication::ApiKey { .. } if named => {
            Err(SystemRefused::Unfit("this kind of authentication has no user name: leave it out"))
        }
        Authentication::Bearer
        | Authentication::ApiKey { .. }
        | Authentication::Basic
        | Authentication::LogIn { .. } => Ok(()),
    }
}
