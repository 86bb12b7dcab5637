//! Delegations: a member lends the right to approve to another, for a time, and either of them or an owner
//! ends it. A row lends nothing by itself: whether it may be used is asked at each use ([`lends`]).

pub(crate) mod in_force;
pub(crate) mod refused;

use crate::{
    account::authority::{APPROVERS, Authority, MEMBERS, has_role},
    approval::delegation::{
        in_force::{NOT_ENDED, runs},
        refused::{DELEGATIONS_OPEN_MAX, DelegationRefused},
    },
    audit::{
        Chain, DELEGATED, DELEGATION_ENDED, EVIDENCE, StoredDelegation, delegation_reason_digest,
        delegations_told,
    },
    database::{
        clock::now,
        column::time,
        entity::{approval_delegation as row, approval_delegation_end as end},
        id::new_id,
        number::to_db,
        statement::{Reads, only, query, query_all, run},
    },
    error::StoreError,
    store::Store,
    writer::{
        boundary::{AuditEntry, Boundary, Writer},
        commit::acted,
        point::Point,
        write_transaction::WriteTransaction,
    },
};
use sea_orm::{ActiveValue::Set, EntityTrait as _};
use serde_json::json;
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, DelegationId, ProjectId, Timestamp, UserId};
use wiiiv_gate::{DelegationGiven, Principal, UserEvent, UserEventKind, delegation as gate};
use wiiiv_vault::random_bytes;

const SALT_BYTES: usize = 16;
/// What a person is shown of delegations at once.
pub const DELEGATIONS_SHOWN_MAX: u64 = 100;

/// What a person lends to whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewDelegation {
    pub to: UserId,
    /// `None`: from now on.
    pub from: Option<Timestamp>,
    pub until: Timestamp,
    /// A person's own words.
    pub reason: String,
}

/// A delegation, as its records tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delegation {
    pub id: DelegationId,
    pub project: ProjectId,
    pub delegator: UserId,
    pub delegate: UserId,
    pub from: Timestamp,
    pub until: Timestamp,
    /// A person's own words.
    pub reason: String,
    pub given_at: Timestamp,
    /// Who ended it before its time, and when.
    pub ended: Option<(UserId, Timestamp)>,
    /// It could be used now: within its window, not ended, and both still have what it takes.
    pub in_force: bool,
}

impl Delegation {
    fn read(StoredDelegation { row, end }: StoredDelegation, in_force: bool) -> Self {
        Self {
            id: row.id.into(),
            project: row.project.into(),
            delegator: row.delegator.into(),
            delegate: row.delegate.into(),
            from: time(row.starts_at),
            until: time(row.ends_at),
            reason: row.reason,
            given_at: time(row.given_at),
            ended: end.map(|end| (end.ended_by.into(), time(end.ended_at))),
            in_force,
        }
    }
}

impl Store {
    /// Of the person's own right in that project, which they still have. What was lent to them stays with
    /// them.
    pub async fn delegate_approvals(
        &self,
        who: &Principal,
        project: ProjectId,
        new: NewDelegation,
    ) -> Result<Delegation, DelegationRefused> {
        let NewDelegation { to, from, until, reason } = new;
        if to == who.user() {
            return Err(DelegationRefused::Yourself);
        }
        let at = now();
        let (delegation, from) = (new_id::<DelegationId>(), from.unwrap_or(at));
        let kind = UserEventKind::Delegate { delegation, to, from, until };
        let said = UserEvent::of(who, project, None, kind, at)?;
        let said = self.registrar().take(said).map_err(StoreError::from)?;
        let boundary = Boundary::new(Point::E).by(who);
        Authority::check(boundary.by.as_ref(), self.registrar())?;
        let registrar = self.registrar_for_writer();
        self.write(Point::E, move |tx| {
            Box::pin(async move {
                let (writer, at) = (Writer::Project(project), now());
                let (said, _) = acted(tx, (&writer, &boundary), (&registrar, &said), at).await?;
                let given = registrar.take(gate::given(&said)?).map_err(StoreError::from)?;
                lend(tx, &given, reason, at).await
            })
        })
        .await
    }

    /// Before its time: by either of the two, or by an owner of the project. To anybody else it is not
    /// there.
    pub async fn end_delegation(
        &self,
        who: &Principal,
        project: ProjectId,
        id: DelegationId,
    ) -> Result<Delegation, DelegationRefused> {
        let (by, user, owns) = (Authority::of(who), who.user(), who.rights().owner);
        Authority::check(Some(&by), self.registrar())?;
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let at = now();
                if !by.stands(&tx.db, Some(project), at).await? {
                    return Err(StoreError::AuthorityGone.into());
                }
                let row = only(row::Entity::find_by_id(id.uuid()), &tx.db).await?;
                let row = row.filter(|row| row.project == project.uuid());
                let row = row.filter(|row| owns || is_of(row, user));
                end_one(tx, row.ok_or(StoreError::NotFound { what: "delegation" })?, user, at).await
            })
        })
        .await
    }

    /// Of a project, the newest first: those that are not over before the others, at most
    /// [`DELEGATIONS_SHOWN_MAX`]. `of`: only what this person lent, or was lent.
    pub async fn delegations(
        &self,
        project: ProjectId,
        of: Option<UserId>,
    ) -> Result<Vec<Delegation>, StoreError> {
        let at = now();
        let filter = format!(
            "given.id IN (SELECT given.id FROM approval_delegation given WHERE given.project = $2 \
             AND ($3 IS NULL OR given.delegator = $3 OR given.delegate = $3) \
             ORDER BY CASE WHEN given.ends_at > $4 AND {NOT_ENDED} THEN 0 ELSE 1 END, \
             given.at_seq DESC LIMIT {DELEGATIONS_SHOWN_MAX})"
        );
        let values = vec![of.map(UserId::uuid).into(), at.unix_ms().into()];
        let rows = delegations_told(self.direct(), project, (&filter, values)).await?;
        let in_force = self.in_force_in(project, at).await?;
        let read = |found: StoredDelegation| {
            let runs = in_force.contains(&found.row.id);
            Delegation::read(found, runs)
        };
        let mut found: Vec<Delegation> = rows.into_iter().map(read).collect();
        found.sort_by_key(|one| one.ended.is_some() || one.until <= at);
        Ok(found)
    }

    async fn in_force_in(
        &self,
        project: ProjectId,
        at: Timestamp,
    ) -> Result<Vec<Uuid>, StoreError> {
        let sql = format!(
            "SELECT given.id FROM approval_delegation given WHERE given.project = $1 AND {}",
            runs("$2")
        );
        let values = vec![project.uuid().into(), at.unix_ms().into()];
        let rows = query_all(self.direct(), &sql, values).await?;
        rows.iter().map(|row| row.get(0)).collect()
    }
}

fn is_of(row: &row::Model, user: UserId) -> bool {
    [row.delegator, row.delegate].contains(&user.uuid())
}

/// Behind the act that it names, in its transaction: whole, or not at all.
async fn lend(
    tx: &mut WriteTransaction,
    given: &DelegationGiven,
    reason: String,
    at: Timestamp,
) -> Result<Delegation, DelegationRefused> {
    check(&tx.db, given, at).await?;
    let (right, project) = (given.right(), given.project());
    let salt = *random_bytes::<SALT_BYTES>().map_err(StoreError::from)?;
    let bytes = serde_json::to_vec(given).map_err(StoreError::from)?;
    let body = json!({
        EVIDENCE: ContentDigest::of_bytes(&bytes),
        "delegate": given.delegate(),
        "delegation": given.id(),
        "delegator": given.delegator(),
        "from": right.from,
        "reason": delegation_reason_digest(&salt, &reason)?,
        "until": right.until,
    });
    let seq = tx.record(Chain::Project(project), at, AuditEntry::new(DELEGATED, body)).await?;
    let row = row::ActiveModel {
        id: Set(given.id().uuid()),
        project: Set(project.uuid()),
        delegator: Set(given.delegator().uuid()),
        delegate: Set(given.delegate().uuid()),
        starts_at: Set(right.from.unix_ms()),
        ends_at: Set(right.until.unix_ms()),
        reason: Set(reason.clone()),
        salt: Set(salt.to_vec()),
        at_seq: Set(to_db(seq)?),
        evidence: Set(bytes),
        given_at: Set(at.unix_ms()),
    };
    run(&tx.db, &row::Entity::insert(row)).await?;
    Ok(Delegation {
        id: given.id(),
        project,
        delegator: given.delegator(),
        delegate: given.delegate(),
        from: right.from,
        until: right.until,
        reason,
        given_at: at,
        ended: None,
        in_force: right.from <= at,
    })
}

/// Whoever lends still has the right, whoever is to use it is a member, and neither has too many.
async fn check<C: Reads>(
    db: &C,
    given: &DelegationGiven,
    at: Timestamp,
) -> Result<(), DelegationRefused> {
    let one = |condition: &str| format!("CASE WHEN {condition} THEN 1 ELSE 0 END");
    let open = format!(
        "approval_delegation given WHERE given.project = $1 AND given.delegator = $2 \
         AND given.ends_at > $4 AND {NOT_ENDED}"
    );
    let overlaps = format!(
        "EXISTS (SELECT 1 FROM {open} AND given.delegate = $3 AND given.starts_at < $6 \
         AND given.ends_at > $5)"
    );
    let sql = format!(
        "SELECT {}, {}, {}, CAST((SELECT COUNT(*) FROM {open}) AS BIGINT)",
        one(&has_role("$2", "$1", APPROVERS)),
        one(&has_role("$3", "$1", MEMBERS)),
        one(&overlaps),
    );
    let right = given.right();
    let values = vec![
        given.project().uuid().into(),
        given.delegator().uuid().into(),
        given.delegate().uuid().into(),
        at.unix_ms().into(),
        right.from.unix_ms().into(),
        right.until.unix_ms().into(),
    ];
    let row = query(db, &sql, values).await?.ok_or_else(StoreError::given_up)?;
    let found = |column| Ok::<_, StoreError>(row.get::<i64>(column)? == 1);
    if !found(0)? {
        return Err(StoreError::AuthorityGone.into());
    }
    if !found(1)? {
        return Err(DelegationRefused::NotMember);
    }
    if found(2)? {
        return Err(DelegationRefused::Overlaps);
    }
    if row.get::<i64>(3)? >= DELEGATIONS_OPEN_MAX {
        return Err(DelegationRefused::TooMany);
    }
    Ok(())
}

async fn end_one(
    tx: &mut WriteTransaction,
    row: row::Model,
    user: UserId,
    at: Timestamp,
) -> Result<Delegation, DelegationRefused> {
    let ended = only(end::Entity::find_by_id(row.id), &tx.db).await?;
    if ended.is_some() || row.ends_at <= at.unix_ms() {
        return Err(DelegationRefused::Over);
    }
    let body = json!({ "by": user, "delegation": row.id });
    let chain = Chain::Project(row.project.into());
    let seq = tx.record(chain, at, AuditEntry::new(DELEGATION_ENDED, body)).await?;
    let ended = end::ActiveModel {
        delegation: Set(row.id),
        end_seq: Set(to_db(seq)?),
        ended_by: Set(user.uuid()),
        ended_at: Set(at.unix_ms()),
    };
    run(&tx.db, &end::Entity::insert(ended)).await?;
    let ended = Some((user, at));
    Ok(Delegation { ended, ..Delegation::read(StoredDelegation { row, end: None }, false) })
}
