//! Whether a delegation may be used: asked at each use, as rights are.

use crate::{
    account::authority::{APPROVERS, MEMBERS, has_role},
    approval::error::ApprovalError,
    audit::{StoredDelegation, delegations_told},
    database::{
        clock::now,
        number::from_db,
        statement::{Reads, query, query_all},
    },
    error::StoreError,
    store::Store,
};
use std::sync::LazyLock;
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, DelegationId, ProjectId, Timestamp, UserId};
use wiiiv_gate::{AuditSeq, DelegationGiven, Principal, Recorded, Registrar};

/// What one person is lent at the same time.
const LENT_MAX: u64 = 100;

/// Of a row `given`.
pub(crate) const NOT_ENDED: &str = "NOT EXISTS (SELECT 1 FROM approval_delegation_end ended \
                                    WHERE ended.delegation = given.id)";

/// Of a row `given`, at the time `now`: it was not ended, and both have what it takes.
pub(crate) fn runs(now: &str) -> String {
    format!(
        "given.starts_at <= {now} AND given.ends_at > {now} AND {NOT_ENDED} AND {} AND {}",
        has_role("given.delegator", "given.project", APPROVERS),
        has_role("given.delegate", "given.project", MEMBERS),
    )
}

/// Who uses whose right. Each is a column or the place of a value.
pub(crate) struct Use<'a> {
    /// Whoever answers.
    pub(crate) person: &'a str,
    /// Whose right it is.
    pub(crate) whose: &'a str,
    /// Of the question.
    pub(crate) requester: &'a str,
    pub(crate) project: &'a str,
}

/// Whether the delegation `id` lends that at the time `now`.
pub(crate) fn lends(id: &str, of: &Use<'_>, now: &str) -> String {
    let Use { person, whose, requester, project } = of;
    format!(
        "EXISTS (SELECT 1 FROM approval_delegation given WHERE given.id = {id} \
         AND given.project = {project} AND given.delegate = {person} AND given.delegator = {whose} \
         AND {requester} NOT IN (given.delegator, given.delegate) AND {})",
        runs(now)
    )
}

static STANDS: LazyLock<String> = LazyLock::new(|| {
    let of = Use { person: "$2", whose: "given.delegator", requester: "$3", project: "$4" };
    format!("SELECT 1 WHERE {}", lends("$1", &of, "$5"))
});

/// The delegation as evidence, for this person's answer to a question of that requester. In the transaction
/// that uses it: an end that is not on record yet is seen by its row.
pub(crate) async fn standing<C: Reads>(
    db: &C,
    registrar: &Registrar,
    (project, id): (ProjectId, DelegationId),
    (person, requester): (UserId, UserId),
    now: Timestamp,
) -> Result<Recorded<DelegationGiven>, ApprovalError> {
    if !stands(db, (project, id), (person, requester), now).await? {
        return Err(ApprovalError::DelegationOver);
    }
    let filter = ("given.id = $3", vec![id.uuid().into()]);
    let found = delegations_told(db, project, filter).await?.pop();
    Ok(restored(registrar, &found.ok_or(ApprovalError::DelegationOver)?)?)
}

/// By its row alone.
pub(crate) async fn stands<C: Reads>(
    db: &C,
    (project, id): (ProjectId, DelegationId),
    (person, requester): (UserId, UserId),
    now: Timestamp,
) -> Result<bool, StoreError> {
    let values = vec![
        id.uuid().into(),
        person.uuid().into(),
        requester.uuid().into(),
        project.uuid().into(),
        now.unix_ms().into(),
    ];
    Ok(query(db, &STANDS, values).await?.is_some())
}

/// Its bytes have the digest of its record, which they were compared with.
fn restored(
    registrar: &Registrar,
    StoredDelegation { row, .. }: &StoredDelegation,
) -> Result<Recorded<DelegationGiven>, StoreError> {
    let (at, digest) = (from_db(row.at_seq), ContentDigest::of_bytes(&row.evidence));
    Ok(registrar.restore(AuditSeq::new(at), &row.evidence, digest)?)
}

/// Whether the token `id` may do all that its owner may: one that may only look answers nothing.
fn acts_in_full(id: &str) -> String {
    format!("EXISTS (SELECT 1 FROM token WHERE token.id = {id} AND token.scope = 'full')")
}

impl Store {
    /// What this person may use in that project now, the oldest first; refused where one is not as the
    /// audit tells.
    pub async fn delegations_lent_to(
        &self,
        who: &Principal,
        project: ProjectId,
    ) -> Result<Vec<Recorded<DelegationGiven>>, StoreError> {
        let filter = format!("given.delegate = $3 AND {} AND {}", runs("$4"), acts_in_full("$5"));
        let now = now().unix_ms();
        let values = vec![who.user().uuid().into(), now.into(), who.token().into()];
        let found = delegations_told(self.direct(), project, (&filter, values)).await?;
        found.iter().rev().map(|stored| restored(self.registrar(), stored)).collect()
    }

    /// Whether this person may use somebody's right for questions of that requester now.
    pub async fn stands_in(
        &self,
        who: &Principal,
        project: ProjectId,
        requester: UserId,
    ) -> Result<bool, StoreError> {
        let sql = format!(
            "SELECT 1 FROM approval_delegation given WHERE given.delegate = $1 AND given.project = $2 \
             AND $3 NOT IN (given.delegator, given.delegate) AND {} AND {} LIMIT 1",
            runs("$4"),
            acts_in_full("$5")
        );
        let values = vec![
            who.user().uuid().into(),
            project.uuid().into(),
            requester.uuid().into(),
            now().unix_ms().into(),
            who.token().into(),
        ];
        Ok(query(self.direct(), &sql, values).await?.is_some())
    }

    /// In which projects this person may use whose right now.
    pub(crate) async fn stands_in_for(
        &self,
        person: UserId,
    ) -> Result<Vec<(Uuid, Uuid)>, StoreError> {
        let sql = format!(
            "SELECT given.project, given.delegator FROM approval_delegation given \
             WHERE given.delegate = $1 AND {} LIMIT {LENT_MAX}",
            runs("$2")
        );
        let values = vec![person.uuid().into(), now().unix_ms().into()];
        let rows = query_all(self.direct(), &sql, values).await?;
        rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?))).collect()
    }
}
