//! Inspects a database before a server is started: nothing is opened for writing, and nothing is
//! changed.

use super::{
    document_rows::examine_documents, memory_rows::examine_memories,
    profile_rows::examine_profiles, webhook_rows::examine_webhooks,
};
use crate::{
    account::presence::has_accounts,
    audit::{self, Chain},
    database::{
        connect, schema,
        statement::{query, query_all},
    },
    error::StoreError,
    keys::{
        hmac,
        rotation::{self, Ring},
        secret::{self, Purpose},
    },
};
use sea_orm::{ConnectionTrait, DatabaseConnection, TransactionTrait as _};
use std::path::Path;
use wiiiv_gate::Registrar;
use wiiiv_migrations::{Migrator, MigratorTrait as _};
use wiiiv_vault::{KeyStanding, MasterKeys};

/// The tables that are looked into, where they are there.
const STEPS_TABLE: &str = "seaql_migrations";
const SECRETS_TABLE: &str = "secret";
const ROTATIONS_TABLE: &str = "master_key_rotation";
const ACCOUNTS_TABLE: &str = "account";
const KEYS_GONE: &str = "the sealed keys are gone, and there are accounts: keep a copy of the data \
    folder as evidence, then restore it from a backup";

/// Whether the key given is the one that this data was sealed with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyFit {
    Fits,
    /// It fits, and another lies ready that the data can be moved to.
    NextWaits,
    /// Both that were given are needed: so many rows wait to be moved to the newer one.
    Rotating {
        from: u32,
        to: u32,
        left: u64,
    },
    /// One fits; the other was rotated away from, and opens nothing any more.
    Outlived {
        version: u32,
    },
    /// In words that say what to do.
    Wrong(String),
    /// Nothing is sealed yet: the first start seals with whatever key it is given.
    NothingSealed,
    /// None was given.
    NotTried,
}

/// Whether audit and evidence are as this server left them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditFit {
    Whole,
    /// They are, as far as an earlier build could tell: the next start seals them.
    Unsealed,
    /// What is not, by its record or row.
    Changed(String),
    /// Nobody can tell: the file of checkpoints is not there.
    NoCheckpoints(String),
    /// There is nothing yet, no key was given that fits, or the schema is of another build. Without a key
    /// it is still found where a project's audit key is gone.
    NotTried,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspection {
    pub key: KeyFit,
    pub audit: AuditFit,
    /// Schema steps of this build that the next start takes.
    pub pending: Vec<String>,
    /// Schema steps that this build does not know: a later one made them.
    pub unknown: Vec<String>,
}

/// What a database is looked at with.
#[derive(Debug, Clone, Copy)]
pub struct Looking<'a> {
    pub keys: Option<&'a MasterKeys>,
    /// Where checkpoints are kept outside.
    pub checkpoints: Option<&'a Path>,
    pub registrar: &'a Registrar,
}

/// Looks at the database in `file`, which has to be there.
pub async fn inspect(file: &Path, with: Looking<'_>) -> Result<Inspection, StoreError> {
    let db = connect::look(file).await?;
    let looked = look(&db, with).await;
    db.close().await?;
    looked
}

async fn look(db: &DatabaseConnection, with: Looking<'_>) -> Result<Inspection, StoreError> {
    let taken = taken(db).await?;
    let ours: Vec<String> =
        Migrator::migrations().iter().map(|step| step.name().to_owned()).collect();
    let missing = |from: &[String], of: &[String]| -> Vec<String> {
        of.iter().filter(|step| !from.contains(step)).cloned().collect()
    };
    let (pending, unknown) = (missing(&taken, &ours), missing(&ours, &taken));
    let audit = match (with.keys, pending.is_empty() && unknown.is_empty()) {
        (Some(keys), true) => audit(db, keys, with).await?,
        (None, true) => told(hmac::examine(db, None).await.map(|()| AuditFit::NotTried))?,
        (Some(_) | None, false) => steps(db, &taken, &ours).await?,
    };
    Ok(Inspection { key: fit(db, with.keys).await?, audit, pending, unknown })
}

/// Of another build: its tables are those of the steps that it says it took.
async fn steps(
    db: &DatabaseConnection,
    taken: &[String],
    ours: &[String],
) -> Result<AuditFit, StoreError> {
    if taken.iter().any(|step| !ours.contains(step)) {
        // A later build's tables are not known here.
        return Ok(AuditFit::NotTried);
    }
    let has_data = has_table(db, ACCOUNTS_TABLE).await?;
    // In the order in which they are taken, which is not that of their numbers throughout.
    let are_first = ours.iter().take(taken.len()).all(|step| taken.contains(step));
    if !are_first || (taken.is_empty() && has_data) {
        let what = "schema steps that were taken are said not to be";
        return Ok(AuditFit::Changed(what.to_owned()));
    }
    if taken.is_empty() {
        return Ok(AuditFit::NotTried);
    }
    let steps = u32::try_from(taken.len()).unwrap_or(u32::MAX);
    match schema::prove_after(db, steps).await {
        Ok(()) => Ok(AuditFit::NotTried),
        Err(StoreError::Tampered { what }) => Ok(AuditFit::Changed(what)),
        Err(error) => Err(error),
    }
}

/// In one read transaction: a server may be writing meanwhile.
async fn audit(
    db: &DatabaseConnection,
    keys: &MasterKeys,
    with: Looking<'_>,
) -> Result<AuditFit, StoreError> {
    let snapshot = db.begin().await?;
    let Some(vault) = rotation::looked(&snapshot, keys).await? else {
        let sealed = secret::sealed(&snapshot, Chain::Server, Purpose::Canary).await?;
        return Ok(match sealed {
            None if has_accounts(&snapshot).await? => AuditFit::Changed(KEYS_GONE.to_owned()),
            Some(_) | None => AuditFit::NotTried,
        });
    };
    let ring = Ring::new(vault);
    told(compared(&snapshot, &ring, with).await)
}

/// All that was sealed or recorded.
async fn compared<C: ConnectionTrait>(
    db: &C,
    ring: &Ring,
    with: Looking<'_>,
) -> Result<AuditFit, StoreError> {
    let proved = audit::prove_kept(db, ring, with.checkpoints.map(Path::to_owned)).await?;
    let Some(is_sealed) = proved else { return Ok(AuditFit::NotTried) };
    audit::examine(db, with.registrar).await?;
    hmac::examine(db, Some(ring)).await?;
    examine_webhooks(db, ring).await?;
    examine_memories(db, ring).await?;
    examine_profiles(db, ring).await?;
    examine_documents(db, ring).await?;
    Ok(if is_sealed { AuditFit::Whole } else { AuditFit::Unsealed })
}

/// What was changed is an answer, and no failure of the look.
fn told(found: Result<AuditFit, StoreError>) -> Result<AuditFit, StoreError> {
    match found {
        Err(StoreError::Tampered { what } | StoreError::Corrupt { what }) => {
            Ok(AuditFit::Changed(what))
        }
        Err(error @ StoreError::NoCheckpoints { .. }) => {
            Ok(AuditFit::NoCheckpoints(error.to_string()))
        }
        found => found,
    }
}

async fn taken(db: &DatabaseConnection) -> Result<Vec<String>, StoreError> {
    if !has_table(db, STEPS_TABLE).await? {
        return Ok(Vec::new());
    }
    let sql = "SELECT version FROM seaql_migrations ORDER BY version";
    let rows = query_all(db, sql, Vec::new()).await?;
    rows.iter().map(|row| row.get(0)).collect()
}

async fn fit(db: &DatabaseConnection, keys: Option<&MasterKeys>) -> Result<KeyFit, StoreError> {
    if !has_table(db, SECRETS_TABLE).await? {
        return Ok(KeyFit::NothingSealed);
    }
    let Some(keys) = keys else {
        let canary = secret::sealed(db, Chain::Server, Purpose::Canary).await?;
        return if canary.is_some() { Ok(KeyFit::NotTried) } else { nothing_sealed(db).await };
    };
    // Of a build that could not rotate.
    let kept = if has_table(db, ROTATIONS_TABLE).await? {
        rotation::standing(db, keys).await?
    } else {
        rotation::standing_at_first(db, keys).await?
    };
    let Some((standing, left)) = kept else { return nothing_sealed(db).await };
    Ok(match standing {
        Ok(KeyStanding::Settled) => KeyFit::Fits,
        Ok(KeyStanding::NextWaits) => KeyFit::NextWaits,
        Ok(KeyStanding::Rotating { from, to }) => KeyFit::Rotating { from, to, left },
        Ok(KeyStanding::Outlived { version }) => KeyFit::Outlived { version },
        Err(wrong) => KeyFit::Wrong(wrong.to_string()),
    })
}

async fn nothing_sealed(db: &DatabaseConnection) -> Result<KeyFit, StoreError> {
    let gone = has_table(db, ACCOUNTS_TABLE).await? && has_accounts(db).await?;
    Ok(if gone { KeyFit::Wrong(KEYS_GONE.to_owned()) } else { KeyFit::NothingSealed })
}

async fn has_table(db: &DatabaseConnection, name: &str) -> Result<bool, StoreError> {
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = $1";
    Ok(query(db, sql, vec![name.into()]).await?.is_some())
}
