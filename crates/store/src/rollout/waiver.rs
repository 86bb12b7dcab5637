//! Waivers: two approvers take it upon themselves that a project is promoted before it has earned it. A
//! waiver that waits for its second approver survives a restart and expires.

use super::{RolloutRefused, SALT_BYTES, digest};
use crate::{
    account::authority::{APPROVERS, Authority, may},
    audit::{Chain, use_told, waiver_told},
    database::{
        clock::now,
        column::time,
        entity::rollout_waiver as row,
        id::new_id,
        number::to_db,
        sqlite::Sqlite,
        statement::{Reads, Sealed, execute, models, only, run},
    },
    error::StoreError,
    store::Store,
    writer::{boundary::AuditEntry, point::Point, write_transaction::WriteTransaction},
};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _,
};
use serde_json::json;
use uuid::Uuid;
use wiiiv_domain::{PolicyVersionId, ProjectId, Timestamp, UserId};
use wiiiv_gate::Principal;
use wiiiv_vault::random_bytes;

/// From the first approver's yes to the promotion.
const LIFE_SECONDS: i64 = 7 * 24 * 60 * 60;

/// One that is neither used nor expired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiver {
    pub id: Uuid,
    /// A person's own words.
    pub reason: String,
    pub asked_by: UserId,
    pub asked_at: Timestamp,
    pub expires_at: Timestamp,
    /// `None`: it waits for the second approver.
    pub joined_by: Option<UserId>,
    pub joined_at: Option<Timestamp>,
}

impl Waiver {
    /// Both approvers have said yes.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.joined_by.is_some()
    }

    fn read(row: row::Model) -> Self {
        Self {
            id: row.id,
            reason: row.reason,
            asked_by: row.asked_by.into(),
            asked_at: time(row.asked_at),
            expires_at: time(row.expires_at),
            joined_by: row.joined_by.map(Into::into),
            joined_at: row.joined_at.map(time),
        }
    }
}

impl Store {
    /// At that time.
    pub async fn open_waiver(
        &self,
        project: ProjectId,
        at: Timestamp,
    ) -> Result<Option<Waiver>, StoreError> {
        let Some(row) = newest(self.direct(), project, at).await? else { return Ok(None) };
        let db = Sealed { db: self.reader().clone(), seals: self.direct().record_seals() };
        waiver_told(&db, &row).await?;
        use_told(&db, &row).await?;
        Ok(Some(Waiver::read(row)))
    }

    /// By the first approver.
    pub async fn ask_waiver(
        &self,
        who: &Principal,
        project: ProjectId,
        reason: String,
    ) -> Result<Waiver, RolloutRefused> {
        let (by, user) = (Authority::of(who), who.user());
        Authority::check(Some(&by), self.registrar())?;
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let at = now();
                let open = open_for(tx, &by, project, at).await?;
                if open.is_some() {
                    return Err(RolloutRefused::WaiverOpen);
                }
                ask(tx, (project, user), reason, at).await
            })
        })
        .await
    }

    /// By the second one, who is another person.
    pub async fn join_waiver(
        &self,
        who: &Principal,
        project: ProjectId,
        waiver: Uuid,
    ) -> Result<Waiver, RolloutRefused> {
        let (by, user) = (Authority::of(who), who.user());
        Authority::check(Some(&by), self.registrar())?;
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let at = now();
                let open = open_for(tx, &by, project, at).await?;
                let open = open.filter(|row| row.id == waiver && row.joined_by.is_none());
                join(tx, user, open.ok_or(RolloutRefused::WaiverGone)?, at).await
            })
        })
        .await
    }
}

/// For whoever may still do it.
async fn open_for(
    tx: &WriteTransaction,
    by: &Authority,
    project: ProjectId,
    at: Timestamp,
) -> Result<Option<row::Model>, StoreError> {
    if !by.stands(&tx.db, Some(project), at).await? {
        return Err(StoreError::AuthorityGone);
    }
    // Its record may not be written before the end of this transaction: it is looked at where it is used.
    newest(&tx.db, project, at).await
}

async fn newest<C: Reads>(
    db: &C,
    project: ProjectId,
    at: Timestamp,
) -> Result<Option<row::Model>, StoreError> {
    let open = row::Entity::find()
        .filter(row::Column::Project.eq(project.uuid()))
        .filter(row::Column::UsedBy.is_null())
        .filter(row::Column::ExpiresAt.gt(at.unix_ms()))
        .order_by_asc(row::Column::AskedAt);
    Ok(models(open, db).await?.pop())
}

async fn ask(
    tx: &mut WriteTransaction,
    (project, user): (ProjectId, UserId),
    reason: String,
    at: Timestamp,
) -> Result<Waiver, RolloutRefused> {
    let (id, salt): (Uuid, [u8; SALT_BYTES]) =
        (new_id(), *random_bytes().map_err(StoreError::from)?);
    let expires_at = at.plus_seconds(LIFE_SECONDS);
    let body = json!({
        "by": user, "expiresAt": expires_at, "reason": digest(&salt, &reason)?, "waiver": id,
    });
    let entry = AuditEntry::new("waiver.asked", body);
    let seq = tx.record(Chain::Project(project), at, entry).await?;
    let row = row::ActiveModel {
        id: Set(id),
        project: Set(project.uuid()),
        reason: Set(reason.clone()),
        salt: Set(salt.to_vec()),
        asked_by: Set(user.uuid()),
        asked_seq: Set(to_db(seq)?),
        asked_at: Set(at.unix_ms()),
        expires_at: Set(expires_at.unix_ms()),
        joined_by: NotSet,
        joined_seq: NotSet,
        joined_at: NotSet,
        used_by: NotSet,
    };
    run(&tx.db, &row::Entity::insert(row)).await?;
    let (asked_by, asked_at) = (user, at);
    Ok(Waiver { id, reason, asked_by, asked_at, expires_at, joined_by: None, joined_at: None })
}

async fn join(
    tx: &mut WriteTransaction,
    user: UserId,
    open: row::Model,
    at: Timestamp,
) -> Result<Waiver, RolloutRefused> {
    if open.asked_by == user.uuid() {
        return Err(RolloutRefused::SamePerson);
    }
    let entry = AuditEntry::new("waiver.joined", json!({ "by": user, "waiver": open.id }));
    let seq = tx.record(Chain::Project(open.project.into()), at, entry).await?;
    let update = "UPDATE rollout_waiver SET joined_by = $2, joined_seq = $3, joined_at = $4 \
                  WHERE id = $1 AND joined_by IS NULL AND used_by IS NULL";
    let values = vec![open.id.into(), user.uuid().into(), to_db(seq)?.into(), at.unix_ms().into()];
    if execute(&tx.db, update, values).await? != 1 {
        return Err(RolloutRefused::WaiverGone);
    }
    let joined = (Some(user), Some(at));
    Ok(Waiver { joined_by: joined.0, joined_at: joined.1, ..Waiver::read(open) })
}

/// With the promotion that it is for: once, in time, and while both may still approve.
pub(crate) async fn spend(
    db: &Sqlite,
    (project, waiver): (ProjectId, Uuid),
    version: PolicyVersionId,
    at: Timestamp,
) -> Result<(), RolloutRefused> {
    let row = only(row::Entity::find_by_id(waiver), db).await?;
    waiver_told(db, &row.ok_or(RolloutRefused::WaiverGone)?).await?;
    let may = |who| may(who, "rollout_waiver.project", APPROVERS);
    let update = format!(
        "UPDATE rollout_waiver SET used_by = $2 WHERE id = $1 AND project = $3 \
         AND used_by IS NULL AND joined_by IS NOT NULL AND joined_by <> asked_by \
         AND expires_at > $4 AND {} AND {}",
        may("rollout_waiver.asked_by"),
        may("rollout_waiver.joined_by")
    );
    let values =
        vec![waiver.into(), version.uuid().into(), project.uuid().into(), at.unix_ms().into()];
    match execute(db, &update, values).await? {
        1 => Ok(()),
        _ => Err(RolloutRefused::WaiverGone),
    }
}
