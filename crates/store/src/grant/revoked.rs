//! The end of a grant before its time.

use crate::{
    account::authority::Authority,
    audit::Chain,
    database::{
        clock::now,
        number::to_db,
        statement::{execute, query},
    },
    error::StoreError,
    grant::{refused::GrantRefused, row::REVOKED},
    store::Store,
    writer::{boundary::AuditEntry, point::Point, write_transaction::WriteTransaction},
};
use serde_json::json;
use uuid::Uuid;
use wiiiv_domain::{GrantId, ProjectId, UserId};
use wiiiv_gate::Principal;

/// Whether it was given by that person, and whether it was revoked.
const FOUND: &str = "SELECT granter, (SELECT 1 FROM approval_grant_revoked revoked \
    WHERE revoked.grant_id = approval_grant.id) FROM approval_grant WHERE id = $1 AND project = $2";

impl Store {
    /// No plan is let through by it from here on; what has begun by it goes on. Of one that was revoked
    /// nothing is written again.
    pub async fn revoke_grant(
        &self,
        who: &Principal,
        (project, grant): (ProjectId, GrantId),
    ) -> Result<(), GrantRefused> {
        let (by, user, owns) = (Authority::of(who), who.user(), who.rights().owner);
        Authority::check(Some(&by), self.registrar())?;
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                if !by.stands(&tx.db, Some(project), now()).await? {
                    return Err(StoreError::AuthorityGone.into());
                }
                revoke(tx, (user, owns), (project, grant)).await
            })
        })
        .await
    }
}

async fn revoke(
    tx: &mut WriteTransaction,
    (user, owns): (UserId, bool),
    (project, grant): (ProjectId, GrantId),
) -> Result<(), GrantRefused> {
    let values = vec![grant.uuid().into(), project.uuid().into()];
    let row = query(&tx.db, FOUND, values).await?.ok_or(GrantRefused::NotFound)?;
    let (granter, revoked): (Uuid, Option<i64>) = (row.get(0)?, row.get(1)?);
    if !owns && granter != user.uuid() {
        return Err(GrantRefused::NotAllowed);
    }
    if revoked.is_some() {
        return Ok(());
    }
    let at = now();
    let entry = AuditEntry::new(REVOKED, json!({ "by": user, "grant": grant }));
    let seq = tx.record(Chain::Project(project), at, entry).await?;
    let insert = "INSERT INTO approval_grant_revoked (grant_id, revoked_by, revoked_at, at_seq) \
                  VALUES ($1, $2, $3, $4)";
    let values =
        vec![grant.uuid().into(), user.uuid().into(), at.unix_ms().into(), to_db(seq)?.into()];
    execute(&tx.db, insert, values).await?;
    Ok(())
}
