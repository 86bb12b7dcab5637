//! How many people have said yes to a question that asks several.

use wiiiv_domain::{Tally, UserId};
use wiiiv_gate::PendingQuestion;
use wiiiv_store::{QuorumYes, Store, StoreError};

/// What a yes of this person would come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// The only one that is needed.
    Alone,
    /// The last one, which brings it to this.
    Last(Tally),
    /// One that others have to join.
    Joins(Tally),
    /// They have said it before, or somebody has in the same right, and others are still missing. One that counts
    /// no more is counted anew as the last one alone: a person has one row.
    Again(Tally),
}

impl Counts {
    pub const fn tally(self) -> Option<Tally> {
        match self {
            Self::Alone => None,
            Self::Last(tally) | Self::Joins(tally) | Self::Again(tally) => Some(tally),
        }
    }
}

/// Only the yeses of people who still may say it count, a person's once and a right's once, whoever used it.
/// Nothing is read where one person is asked. `right`: whose right this yes would be said in.
pub async fn count(
    store: &Store,
    asked: &PendingQuestion,
    (who, right): (UserId, UserId),
) -> Result<Counts, StoreError> {
    let approvers = asked.approvers;
    if approvers <= 1 {
        return Ok(Counts::Alone);
    }
    let found = store.quorum_yeses(&[asked.id]).await?;
    let yeses = found.get(&asked.id).map(Vec::as_slice).unwrap_or_default();
    let is_same = |yes: &QuorumYes| yes.approver == who || yes.in_right_of() == right;
    let others: Vec<QuorumYes> = yeses.iter().filter(|yes| !is_same(yes)).copied().collect();
    let with_own = QuorumYes::counted(&others).saturating_add(1);
    // As the store counts it. Also of who has said it before: where a yes counts again that did not for a while,
    // there are enough of them and the question still waits.
    if with_own >= approvers {
        return Ok(Counts::Last(Tally { given: approvers, approvers }));
    }
    let before = Tally { given: QuorumYes::counted(yeses), approvers };
    let said = yeses.iter().any(|yes| yes.approver == who || (yes.counts && is_same(yes)));
    Ok(match said {
        true => Counts::Again(before),
        false => Counts::Joins(Tally { given: with_own, approvers }),
    })
}
