//! How many people have said yes to a question that asks several.

use wiiiv_domain::{Tally, UserId};
use wiiiv_gate::PendingQuestion;
use wiiiv_store::{Store, StoreError};

/// What a yes of this person would come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counts {
    /// The only one that is needed.
    Alone,
    /// The last one, which brings it to this.
    Last(Tally),
    /// One that others have to join.
    Joins(Tally),
    /// They have said it before.
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

/// Only the yeses of people who still may say it count. Nothing is read where one person is asked.
pub async fn count(
    store: &Store,
    asked: &PendingQuestion,
    who: UserId,
) -> Result<Counts, StoreError> {
    let approvers = asked.approvers;
    if approvers <= 1 {
        return Ok(Counts::Alone);
    }
    let found = store.quorum_yeses(&[asked.id]).await?;
    let yeses = found.get(&asked.id).map(Vec::as_slice).unwrap_or_default();
    let count = yeses.iter().filter(|yes| yes.counts).count();
    let given = u8::try_from(count).unwrap_or(u8::MAX);
    if yeses.iter().any(|yes| yes.counts && yes.approver == who) {
        return Ok(Counts::Again(Tally { given, approvers }));
    }
    let given = given.saturating_add(1);
    let tally = Tally { given, approvers };
    Ok(if given >= approvers { Counts::Last(tally) } else { Counts::Joins(tally) })
}
