//! Yeses to a question that asks several people. A person's counts once, and only while they may still give
//! it; what was said so far stands after any restart. The last yes stands with the question.

use crate::{
    account::authority::{APPROVERS, may},
    approval::error::ApprovalError,
    database::{
        column::time,
        number::to_db,
        statement::{Reads, Row, Writes, execute, query, query_all},
    },
    error::StoreError,
    store::Store,
};
use std::{collections::BTreeMap, sync::LazyLock};
use uuid::Uuid;
use wiiiv_domain::{ApprovalId, Timestamp, UserId};
use wiiiv_gate::ApprovalGiven;

/// The record of a yes that does not complete its question.
pub(crate) const JOINED: &str = "approval.joined";

/// One of several people's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuorumYes {
    pub approver: UserId,
    pub at: Timestamp,
    /// They still may say it.
    pub counts: bool,
}

/// Of a row of `approval`: how many people other than `person` have said yes before and still may.
pub(crate) fn others(person: &str) -> String {
    let stands = may("yes.approver", "approval.project", APPROVERS);
    format!(
        "(SELECT COUNT(*) FROM approval_yes yes WHERE yes.approval = approval.id \
         AND yes.approver <> {person} AND {stands})"
    )
}

static JOIN: LazyLock<String> = LazyLock::new(|| {
    format!(
        "INSERT INTO approval_yes (approval, approver, at_seq, evidence, given_at) \
         SELECT approval.id, $2, $4, $5, $3 FROM approval \
         WHERE id = $1 AND state = 'pending' AND expires_at > $3 AND blueprint = $6 \
         AND digest = $7 AND requester = $8 AND approvers > 1 + {} ON CONFLICT DO NOTHING",
        others("$2")
    )
});

/// Whether it was one that others have to join.
pub(super) async fn join<C: Writes>(
    db: &C,
    given: &ApprovalGiven,
    (at, evidence): (u64, Vec<u8>),
    now: Timestamp,
) -> Result<bool, StoreError> {
    let values = vec![
        given.id().uuid().into(),
        given.approver().uuid().into(),
        now.unix_ms().into(),
        to_db(at)?.into(),
        evidence.into(),
        given.blueprint().uuid().into(),
        given.digest().bytes().to_vec().into(),
        given.requester().uuid().into(),
    ];
    Ok(execute(db, &JOIN, values).await? == 1)
}

/// Why a yes to a question that is still open was not taken.
pub(super) async fn why_not<C: Reads>(
    db: &C,
    given: &ApprovalGiven,
) -> Result<ApprovalError, StoreError> {
    let said = "SELECT 1 FROM approval_yes WHERE approval = $1 AND approver = $2";
    let values = vec![given.id().uuid().into(), given.approver().uuid().into()];
    let said = query(db, said, values).await?.is_some();
    Ok(if said { ApprovalError::AlreadySaid } else { ApprovalError::Miscounted })
}

impl Store {
    /// Of these questions: who has said yes before the last one, in that order.
    pub async fn quorum_yeses(
        &self,
        of: &[ApprovalId],
    ) -> Result<BTreeMap<ApprovalId, Vec<QuorumYes>>, StoreError> {
        let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
        if of.is_empty() {
            return Ok(found);
        }
        let places: Vec<String> = (1..=of.len()).map(|nth| format!("${nth}")).collect();
        let sql = format!(
            "SELECT yes.approval, yes.approver, yes.given_at, CASE WHEN {} THEN 1 ELSE 0 END \
             FROM approval_yes yes JOIN approval ON approval.id = yes.approval \
             WHERE yes.approval IN ({}) ORDER BY yes.at_seq",
            may("yes.approver", "approval.project", APPROVERS),
            places.join(", ")
        );
        let values = of.iter().map(|id| id.uuid().into()).collect();
        for row in query_all(self.direct(), &sql, values).await? {
            let (approval, yes) = read(&row)?;
            found.entry(approval).or_default().push(yes);
        }
        Ok(found)
    }
}

fn read(row: &Row) -> Result<(ApprovalId, QuorumYes), StoreError> {
    let (approval, approver): (Uuid, Uuid) = (row.get(0)?, row.get(1)?);
    let (at, counts): (i64, i64) = (row.get(2)?, row.get(3)?);
    let yes = QuorumYes { approver: approver.into(), at: time(at), counts: counts == 1 };
    Ok((approval.into(), yes))
}
