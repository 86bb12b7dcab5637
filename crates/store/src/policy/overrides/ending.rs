//! The end of an override: by itself, or by a person. The rules before it are in force again with the commit
//! that says so; from its time on nothing was allowed by it anyhow.

use super::{ENDED, OverrideRefused, how_ended::HowEnded};
use crate::{
    account::authority::Authority,
    audit::Chain,
    database::{
        clock::now,
        entity::policy_override as row,
        number::to_db,
        statement::{execute, only},
    },
    error::StoreError,
    policy::version::put_in_force,
    store::Store,
    writer::{
        boundary::{AuditEntry, Boundary, Writer},
        commit::acted,
        point::Point,
        write_transaction::WriteTransaction,
    },
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _};
use serde_json::json;
use wiiiv_domain::{OverrideId, OverrideMark, PolicyDocument, ProjectId, Timestamp, UserId};
use wiiiv_gate::{
    PolicyVersion, Principal, Recorded, Registrar, Unrecorded, UserEvent, policy_override,
};

/// The version that ends the one in force.
#[derive(Debug)]
pub struct EndOverride {
    /// The override.
    pub current: Recorded<PolicyVersion>,
    pub document: PolicyDocument,
}

impl Store {
    /// It ended by itself: its time is over, or its one run has ended.
    pub async fn end_override(&self, end: EndOverride) -> Result<(), OverrideRefused> {
        let registrar = self.registrar_for_writer();
        self.write(Point::E, move |tx| {
            Box::pin(async move { end.write(tx, &registrar, None, now()).await })
        })
        .await
    }

    /// A person ends it.
    pub async fn end_override_by(
        &self,
        who: &Principal,
        (said, reason): (Unrecorded<UserEvent>, String),
        end: EndOverride,
    ) -> Result<(), OverrideRefused> {
        let said = self.registrar().take(said).map_err(StoreError::from)?;
        let (registrar, user) = (self.registrar_for_writer(), who.user());
        let boundary = Boundary::new(Point::E).by(who);
        Authority::check(boundary.by.as_ref(), self.registrar())?;
        self.write(Point::E, move |tx| {
            Box::pin(async move {
                let at = now();
                let writer = Writer::Project(end.document.project);
                let (said, _) = acted(tx, (&writer, &boundary), (&registrar, &said), at).await?;
                end.write(tx, &registrar, Some((&said, (user, reason))), at).await
            })
        })
        .await
    }

    /// Takes back one that waits for its second yes.
    pub async fn withdraw_override(
        &self,
        who: &Principal,
        (project, id): (ProjectId, OverrideId),
        reason: String,
    ) -> Result<(), OverrideRefused> {
        let (by, user) = (Authority::of(who), who.user());
        Authority::check(Some(&by), self.registrar())?;
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let at = now();
                if !by.stands(&tx.db, Some(project), at).await? {
                    return Err(StoreError::AuthorityGone.into());
                }
                let row = kept(tx, (project, id)).await?;
                if row.approved_by.is_some() || row.expires_at <= at.unix_ms() {
                    return Err(OverrideRefused::Gone);
                }
                let ended = Ended { how: HowEnded::Withdrawn, by: Some((user, reason)) };
                ended.write(tx, &row, None, at).await
            })
        })
        .await
    }
}

impl EndOverride {
    async fn write(
        self,
        tx: &mut WriteTransaction,
        registrar: &Registrar,
        by: Option<(&Recorded<UserEvent>, (UserId, String))>,
        at: Timestamp,
    ) -> Result<(), OverrideRefused> {
        let Self { current, document } = self;
        let expected = current.body().document().id;
        let (said, by) = by.unzip();
        let version = policy_override::restored(said, document, &current)?;
        let version = registrar.take(version).map_err(StoreError::from)?;
        let document = version.document();
        let Some(OverrideMark::Restored { id, end }) = document.of_override else {
            return Err(StoreError::corrupt("the end of an override").into());
        };
        put_in_force(tx, &version, expected, at).await?;
        let row = kept(tx, (document.project, id)).await?;
        Ended { how: end.into(), by }.write(tx, &row, Some(document), at).await
    }
}

async fn kept(
    tx: &WriteTransaction,
    (project, id): (ProjectId, OverrideId),
) -> Result<row::Model, OverrideRefused> {
    let of = row::Column::Project.eq(project.uuid());
    let row = only(row::Entity::find_by_id(id.uuid()).filter(of), &tx.db).await?;
    row.ok_or(OverrideRefused::Gone)
}

/// Of the row and its record.
struct Ended {
    how: HowEnded,
    by: Option<(UserId, String)>,
}

/// One that its run has used up is ended by that when the run is over, and not before.
const END: &str = "UPDATE policy_override SET ended_how = $2, ended_seq = $3, ended_by = $4, \
    ended_reason = $5, ended_at = $6 WHERE id = $1 AND ended_at IS NULL \
    AND ($2 <> 'used' OR EXISTS (SELECT 1 FROM execution WHERE execution.id = used_by \
    AND execution.state IN ('succeeded', 'failed', 'cancelled')))";

impl Ended {
    async fn write(
        self,
        tx: &mut WriteTransaction,
        row: &row::Model,
        version: Option<&PolicyDocument>,
        at: Timestamp,
    ) -> Result<(), OverrideRefused> {
        let Self { how, by } = self;
        let (user, reason) = by.unzip();
        let told = reason.as_deref().map(|reason| super::digest(&row.salt, reason)).transpose()?;
        let body = json!({
            "by": user, "how": how.as_str(), "override": row.id,
            "policy": version.map(|document| document.id), "reason": told,
        });
        let chain = Chain::Project(row.project.into());
        let seq = tx.record(chain, at, AuditEntry::new(ENDED, body)).await?;
        let values = vec![
            row.id.into(),
            how.as_str().into(),
            to_db(seq)?.into(),
            user.map(UserId::uuid).into(),
            reason.into(),
            at.unix_ms().into(),
        ];
        match execute(&tx.db, END, values).await? {
            1 => Ok(()),
            _ => Err(OverrideRefused::Gone),
        }
    }
}
