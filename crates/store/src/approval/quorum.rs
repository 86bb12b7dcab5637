//! Yeses to a question that asks several people. A person's counts once, and only while they may still give
//! it; what was said so far stands after any restart. The last yes stands with the question.

use crate::{
    account::authority::{APPROVERS, has_role},
    approval::{
        delegation::in_force::{Use, lends},
        error::ApprovalError,
    },
    database::{
        clock::now,
        column::time,
        number::to_db,
        statement::{Reads, Row, Writes, execute, query, query_all},
    },
    error::StoreError,
    store::Store,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};
use uuid::Uuid;
use wiiiv_domain::{ApprovalId, OnBehalfOf, Timestamp, UserId};
use wiiiv_gate::ApprovalGiven;

/// The record of a yes that does not complete its question.
pub(crate) const JOINED: &str = "approval.joined";

/// One of several people's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuorumYes {
    pub approver: UserId,
    /// Whose right it was said in, where that is another person's.
    pub on_behalf_of: Option<OnBehalfOf>,
    pub at: Timestamp,
    /// They still may say it. From [`Store::yeses_to`], of a question that a run used: its ruling counted it.
    pub counts: bool,
}

impl QuorumYes {
    /// The person whose right it was said in.
    #[must_use]
    pub fn in_right_of(&self) -> UserId {
        self.on_behalf_of.map_or(self.approver, |lent| lent.delegator)
    }

    /// Of how many people's rights these are, as far as they count. A person has said one of them.
    #[must_use]
    pub fn counted(yeses: &[Self]) -> u8 {
        let counting = yeses.iter().filter(|yes| yes.counts);
        let rights: BTreeSet<UserId> = counting.map(Self::in_right_of).collect();
        u8::try_from(rights.len()).unwrap_or(u8::MAX)
    }
}

/// Of a row `yes` beside its `approval`, at the time `now`: whoever said it still may.
pub(crate) fn yes_stands(now: &str) -> String {
    let of = Use {
        person: "yes.approver",
        whose: "yes.on_behalf_of",
        requester: "approval.requester",
        project: "approval.project",
    };
    let own = has_role("yes.approver", "approval.project", APPROVERS);
    let lent = lends("yes.delegation", &of, now);
    format!("(CASE WHEN yes.delegation IS NULL THEN {own} ELSE {lent} END)")
}

/// Of a row of `approval`: in how many rights but `right` people other than `person` have said yes before and
/// still may.
pub(crate) fn others((person, right): (&str, &str), now: &str) -> String {
    let stands = yes_stands(now);
    format!(
        "(SELECT COUNT(DISTINCT COALESCE(yes.on_behalf_of, yes.approver)) FROM approval_yes yes \
         WHERE yes.approval = approval.id AND yes.approver <> {person} \
         AND COALESCE(yes.on_behalf_of, yes.approver) <> {right} AND {stands})"
    )
}

static JOIN: LazyLock<String> = LazyLock::new(|| {
    format!(
        "INSERT INTO approval_yes (approval, approver, at_seq, evidence, given_at, delegation, \
         on_behalf_of) SELECT approval.id, $2, $4, $5, $3, $9, $10 FROM approval \
         WHERE id = $1 AND state = 'pending' AND expires_at > $3 AND blueprint = $6 \
         AND digest = $7 AND requester = $8 AND approvers > 1 + {} ON CONFLICT DO NOTHING",
        others(("$2", "COALESCE($10, $2)"), "$3")
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
        given.on_behalf_of().map(|lent| lent.delegation.uuid()).into(),
        given.on_behalf_of().map(|lent| lent.delegator.uuid()).into(),
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
    /// Of these questions: who has said yes before the last one, in that order, and whether they still may.
    pub async fn quorum_yeses(
        &self,
        of: &[ApprovalId],
    ) -> Result<BTreeMap<ApprovalId, Vec<QuorumYes>>, StoreError> {
        let mut found: BTreeMap<_, Vec<_>> = BTreeMap::new();
        if of.is_empty() {
            return Ok(found);
        }
        // The first is the time.
        let places: Vec<String> = (2..=of.len() + 1).map(|nth| format!("${nth}")).collect();
        let sql = format!(
            "SELECT yes.approval, yes.approver, yes.given_at, {}, yes.delegation, yes.on_behalf_of \
             FROM approval_yes yes JOIN approval ON approval.id = yes.approval \
             WHERE yes.approval IN ({}) ORDER BY yes.at_seq",
            yes_stands("$1"),
            places.join(", ")
        );
        let ids = of.iter().map(|id| id.uuid().into());
        let values = std::iter::once(now().unix_ms().into()).chain(ids).collect();
        for row in query_all(self.direct(), &sql, values).await? {
            let (approval, yes) = read(&row)?;
            found.entry(approval).or_default().push(yes);
        }
        Ok(found)
    }
}

/// As two columns have it: both, or neither.
pub(super) fn on_behalf_of(
    (delegation, whose): (Option<Uuid>, Option<Uuid>),
) -> Option<OnBehalfOf> {
    let (delegation, delegator) = delegation.zip(whose)?;
    Some(OnBehalfOf { delegation: delegation.into(), delegator: delegator.into() })
}

fn read(row: &Row) -> Result<(ApprovalId, QuorumYes), StoreError> {
    let (approval, approver): (Uuid, Uuid) = (row.get(0)?, row.get(1)?);
    let (at, counts): (i64, i64) = (row.get(2)?, row.get(3)?);
    let lent: (Option<Uuid>, Option<Uuid>) = (row.get(4)?, row.get(5)?);
    let yes = QuorumYes {
        approver: approver.into(),
        on_behalf_of: on_behalf_of(lent),
        at: time(at),
        counts: counts == 1,
    };
    Ok((approval.into(), yes))
}
