//! A proposal, which is its author's yes to it.

use super::{OverrideRefused, PROPOSED, SALT_BYTES, row::OverrideRow};
use crate::{
    account::authority::Authority,
    audit::Chain,
    database::{
        clock::now,
        entity::{policy_head, policy_override as row},
        number::to_db,
        statement::{models, only, run},
    },
    error::StoreError,
    policy::version::PolicyRefused,
    store::Store,
    writer::{
        boundary::{AuditEntry, Boundary, Writer},
        commit::act,
        point::Point,
        write_transaction::WriteTransaction,
    },
};
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait as _, EntityTrait as _, ExprTrait as _, QueryFilter as _,
};
use serde_json::json;
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, OverrideProposal, Timestamp};
use wiiiv_gate::{Principal, Unrecorded, UserEvent};
use wiiiv_vault::random_bytes;

/// From the proposal to the second yes.
const LIFE_SECONDS: i64 = 24 * 60 * 60;

impl Store {
    /// With the act of who proposes it. A project has one that waits or runs.
    pub async fn propose_override(
        &self,
        who: &Principal,
        said: Unrecorded<UserEvent>,
        proposal: OverrideProposal,
    ) -> Result<OverrideRow, OverrideRefused> {
        let said = self.registrar().take(said).map_err(StoreError::from)?;
        let boundary = Boundary::new(Point::P).by(who);
        Authority::check(boundary.by.as_ref(), self.registrar())?;
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let at = now();
                let writer = Writer::Project(proposal.project);
                still_on(tx, &proposal).await?;
                if is_open(tx, &proposal, at).await? {
                    return Err(OverrideRefused::Open);
                }
                let (act, _) = act(tx, (&writer, &boundary), &said, at).await?;
                propose(tx, (proposal, said.user().uuid()), act.at.get(), at).await
            })
        })
        .await
    }
}

/// It speaks of the version in force.
async fn still_on(
    tx: &WriteTransaction,
    proposal: &OverrideProposal,
) -> Result<(), OverrideRefused> {
    let head = policy_head::Entity::find_by_id(proposal.project.uuid());
    let head = only(head, &tx.db).await?.ok_or(StoreError::NotFound { what: "project" })?;
    match head.version.into() {
        current if current == proposal.on => Ok(()),
        current => Err(PolicyRefused::Stale { current }.into()),
    }
}

/// Whether another one runs, or waits and could still begin. It begins over the version that it was made on
/// and over no other, and that of this proposal is the one in force.
async fn is_open(
    tx: &WriteTransaction,
    proposal: &OverrideProposal,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let open = row::Entity::find()
        .filter(row::Column::Project.eq(proposal.project.uuid()))
        .filter(row::Column::EndedAt.is_null())
        .filter(row::Column::ApprovedBy.is_not_null().or(row::Column::ExpiresAt.gt(at.unix_ms())));
    for row in models(open, &tx.db).await? {
        let other: OverrideProposal = serde_json::from_slice(&row.proposal)?;
        if row.approved_by.is_some() || other.on == proposal.on {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn propose(
    tx: &mut WriteTransaction,
    (proposal, by): (OverrideProposal, Uuid),
    event: u64,
    at: Timestamp,
) -> Result<OverrideRow, OverrideRefused> {
    let bytes = serde_json::to_vec(&proposal).map_err(StoreError::from)?;
    let salt: [u8; SALT_BYTES] = *random_bytes().map_err(StoreError::from)?;
    let expires_at = at.plus_seconds(LIFE_SECONDS);
    let body = json!({
        "by": by, "event": event.to_string(), "expiresAt": expires_at, "override": proposal.id,
        "policy": proposal.on, "proposal": ContentDigest::of_bytes(&bytes),
        "scope": proposal.scope, "ttlSeconds": proposal.ttl_seconds,
    });
    let entry = AuditEntry::new(PROPOSED, body);
    let seq = tx.record(Chain::Project(proposal.project), at, entry).await?;
    let row = row::ActiveModel {
        id: Set(proposal.id.uuid()),
        project: Set(proposal.project.uuid()),
        proposal: Set(bytes.clone()),
        proposed_by: Set(by),
        event_seq: Set(to_db(event)?),
        proposed_seq: Set(to_db(seq)?),
        proposed_at: Set(at.unix_ms()),
        expires_at: Set(expires_at.unix_ms()),
        approved_by: NotSet,
        approved_seq: NotSet,
        approved_at: NotSet,
        version: NotSet,
        ends_at: NotSet,
        used_by: NotSet,
        ended_how: NotSet,
        ended_seq: NotSet,
        ended_by: NotSet,
        ended_reason: NotSet,
        salt: Set(salt.to_vec()),
        ended_at: NotSet,
    };
    run(&tx.db, &row::Entity::insert(row)).await?;
    Ok(OverrideRow {
        proposal,
        proposed_by: by.into(),
        proposed_at: at,
        expires_at,
        approval: None,
        used_by: None,
        ended: None,
    })
}
