//! The demo's services: each at its former port if that is free, registered at its address, with a
//! log-in that the store holds sealed.

use crate::start_error::StartError;
use secrecy::{ExposeSecret as _, SecretString};
use std::fmt::Display;
use wiiiv_domain::{BaseUrl, ProjectId, System, UserId};
use wiiiv_fakes::{DemoService, LogIn, ServiceKind};
use wiiiv_store::{Store, SystemRow};
use wiiiv_vault::{Credential, random_bytes};

const PASSWORD_BYTES: usize = 24;
const LOOPBACK: &str = "127.0.0.1";

/// A running service, and where the project knew it before this start.
pub struct Placed {
    pub service: DemoService,
    pub was: Option<BaseUrl>,
}

pub async fn place(
    store: &Store,
    by: UserId,
    project: ProjectId,
    kind: ServiceKind,
) -> Result<Placed, StartError> {
    let name = kind.system_name().map_err(refused)?;
    let row = store.system(project, &name).await?;
    let known = match store.credential(project, &name).await? {
        Some((credential, _)) => credential,
        None => fresh_credential(kind.name())?,
    };
    let was = row.as_ref().map(|row| row.system.base_url.clone());
    let service = open(kind, was.as_ref(), &known).await?;
    let row = register(store, (by, project), row, service.system()).await?;
    if row.credential_revision.is_none() {
        let set = store.set_credential(by, project, &name, Some(known), row.revision).await;
        set.map_err(refused)?;
    }
    Ok(Placed { service, was })
}

async fn open(
    kind: ServiceKind,
    was: Option<&BaseUrl>,
    known: &Credential,
) -> Result<DemoService, StartError> {
    let kept = was.filter(|base| base.host == LOOPBACK).and_then(|base| base.port);
    match DemoService::open(kind, kept.unwrap_or(0), log_in(known)).await {
        Ok(service) => Ok(service),
        Err(_) => DemoService::open(kind, 0, log_in(known)).await.map_err(refused),
    }
}

/// What the user changed in the registration stays; the place is the service's.
async fn register(
    store: &Store,
    (by, project): (UserId, ProjectId),
    row: Option<SystemRow>,
    own: &System,
) -> Result<SystemRow, StartError> {
    let Some(row) = row else {
        return store.save_system(by, project, own.clone(), None).await.map_err(refused);
    };
    if row.system.base_url == own.base_url {
        return Ok(row);
    }
    let moved = System { base_url: own.base_url.clone(), ..row.system };
    store.save_system(by, project, moved, Some(row.revision)).await.map_err(refused)
}

/// What the service itself asks for.
pub fn log_in(credential: &Credential) -> LogIn {
    let username = credential.username().expose_secret().to_owned();
    LogIn { username, password: credential.secret().clone() }
}

/// Nobody types it: it goes from here into the service and, sealed, into the store.
pub fn fresh_credential(name: &str) -> Result<Credential, StartError> {
    let bytes = random_bytes::<PASSWORD_BYTES>().map_err(refused)?;
    let secret: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let username = SecretString::from(format!("wiiiv-{name}"));
    Credential::new(username, SecretString::from(secret)).map_err(refused)
}

pub fn refused(error: impl Display) -> StartError {
    StartError::Demo(error.to_string())
}
