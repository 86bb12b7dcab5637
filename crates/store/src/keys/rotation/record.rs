//! Stored facts about the master keys: the canary, and the rotations so far.

use super::table::Table;
use crate::{
    account::presence::has_accounts,
    audit::Chain,
    database::{
        column::time,
        entity::master_key_rotation,
        number::to_db,
        statement::{self, Reads, Writes, only, run},
    },
    error::StoreError,
    keys::secret::{self, Purpose},
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _};
use wiiiv_domain::{Timestamp, UserId};
use wiiiv_vault::{FormerKey, KeyId, KeyRecord, KeyStanding, MasterKeys, Vault, WrongMasterKey};

/// For whoever has to restore it.
const CANARY: &str =
    "the sealed test value that the right master key opens (`canary` in the table `secret`)";

/// One rotation, as its row has it.
#[derive(Debug, Clone)]
pub(super) struct RotationRecord {
    pub(super) from: FormerKey,
    pub(super) to: u32,
    pub(super) started_by: UserId,
    pub(super) started_at: Timestamp,
    pub(super) finished_at: Option<Timestamp>,
    pub(super) certificate: Option<String>,
}

impl RotationRecord {
    fn read(row: master_key_rotation::Model) -> Result<Self, StoreError> {
        let broken = || StoreError::corrupt("a rotation of the master key");
        let version = |number: i64| u32::try_from(number).map_err(|_| broken());
        let id = KeyId::from_bytes(&row.from_key_id).ok_or_else(broken)?;
        Ok(Self {
            from: FormerKey { version: version(row.from_version)?, id },
            to: version(row.to_version)?,
            started_by: row.started_by.into(),
            started_at: time(row.started_at),
            finished_at: row.finished_at.map(time),
            certificate: row.certificate,
        })
    }
}

/// In their order.
pub(super) async fn all<C: Reads>(db: &C) -> Result<Vec<RotationRecord>, StoreError> {
    use master_key_rotation::{Column, Entity};
    let rows = statement::models(Entity::find().order_by_asc(Column::ToVersion), db).await?;
    rows.into_iter().map(RotationRecord::read).collect()
}

/// The one that goes on; there is never a second.
pub(super) async fn unfinished<C: Reads>(db: &C) -> Result<Option<RotationRecord>, StoreError> {
    use master_key_rotation::{Column, Entity};
    let row = only(Entity::find().filter(Column::FinishedAt.is_null()), db).await?;
    row.map(RotationRecord::read).transpose()
}

pub(super) async fn newest_version<C: Reads>(db: &C) -> Result<u32, StoreError> {
    let canary = secret::sealed(db, Chain::Server, Purpose::Canary).await?;
    let canary = canary.ok_or_else(|| StoreError::corrupt("the canary"))?;
    Ok(canary.key_version())
}

/// `None`: nothing is sealed yet.
async fn record<C: Reads>(
    db: &C,
    rotations: Vec<RotationRecord>,
) -> Result<Option<KeyRecord>, StoreError> {
    let Some(canary) = secret::sealed(db, Chain::Server, Purpose::Canary).await? else {
        return Ok(None);
    };
    let (going, ended): (Vec<RotationRecord>, Vec<RotationRecord>) =
        rotations.into_iter().partition(|kept| kept.finished_at.is_none());
    let retired = ended.into_iter().map(|kept| kept.from).collect();
    Ok(Some(KeyRecord { canary, leaving: going.first().map(|kept| kept.from), retired }))
}

/// Before anything else is opened: the vault of the keys given, if they are those of this data. The
/// first start seals the canary. Missing beside accounts, it was taken away: with a new one any key
/// would pass for the right one.
pub(crate) async fn opened<C: Writes>(db: &C, keys: &MasterKeys) -> Result<Vault, StoreError> {
    let Some(record) = record(db, all(db).await?).await? else {
        if has_accounts(db).await? {
            return Err(StoreError::corrupt(CANARY));
        }
        let vault = keys.first();
        secret::keep_canary(db, &vault).await?;
        return Ok(vault);
    };
    let (vault, standing) = keys.vault(&record)?;
    match standing {
        KeyStanding::Settled | KeyStanding::NextWaits => {}
        KeyStanding::Rotating { from, to } => {
            tracing::info!(from, to, "the rotation of the master key goes on");
        }
        KeyStanding::Outlived { version } => tracing::warn!(
            version,
            "a master key was given that was rotated away from: put the next one in its place"
        ),
    }
    Ok(vault)
}

/// A look from outside: the vault, where the keys given open it.
pub(crate) async fn looked<C: Reads>(
    db: &C,
    keys: &MasterKeys,
) -> Result<Option<Vault>, StoreError> {
    let record = record(db, all(db).await?).await?;
    Ok(record.and_then(|record| keys.vault(&record).ok()).map(|(vault, _)| vault))
}

/// How the keys given stand, and how many rows wait to be moved.
type Standing = (Result<KeyStanding, WrongMasterKey>, u64);

/// A look from outside. `None`: nothing is sealed yet.
pub(crate) async fn standing<C: Reads>(
    db: &C,
    keys: &MasterKeys,
) -> Result<Option<Standing>, StoreError> {
    let Some(record) = record(db, all(db).await?).await? else { return Ok(None) };
    let mut left = 0;
    if record.leaving.is_some() {
        for table in Table::ALL {
            left += table.count(db, record.canary.key_version()).await?.left;
        }
    }
    Ok(Some((keys.vault(&record).map(|(_, standing)| standing), left)))
}

/// Of a database from before there were rotations.
pub(crate) async fn standing_at_first<C: Reads>(
    db: &C,
    keys: &MasterKeys,
) -> Result<Option<Standing>, StoreError> {
    let record = record(db, Vec::new()).await?;
    Ok(record.map(|record| (keys.vault(&record).map(|(_, standing)| standing), 0)))
}

pub(super) async fn begin<C: Writes>(
    db: &C,
    from: FormerKey,
    to: u32,
    (by, at): (UserId, Timestamp),
) -> Result<(), StoreError> {
    use sea_orm::ActiveValue::Set;
    let row = master_key_rotation::ActiveModel {
        to_version: Set(to_db(to.into())?),
        from_version: Set(to_db(from.version.into())?),
        from_key_id: Set(from.id.as_bytes().to_vec()),
        started_by: Set(by.uuid()),
        started_at: Set(at.unix_ms()),
        finished_at: Set(None),
        certificate: Set(None),
    };
    run(db, &master_key_rotation::Entity::insert(row)).await?;
    Ok(())
}
