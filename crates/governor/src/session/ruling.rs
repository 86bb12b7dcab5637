//! Rules on a subject and commits the claim with the pending boundary.

use crate::{
    clock,
    runtime::Runtime,
    session::{Journal, SessionFault},
    telemetry::Ruling,
};
use std::sync::Arc;
use tracing::Span;
use wiiiv_domain::{DenyCode, EventBody, Timestamp, TurnId};
use wiiiv_gate::{
    Authorized, Denied, EvidenceSet, Mismatch, PolicySnapshot, Purpose, Refusal, Subject,
};
use wiiiv_store::{Moved, Point};

/// What a ruling is made on.
pub struct Case<T> {
    pub purpose: Purpose,
    pub subject: T,
    pub policy: Arc<PolicySnapshot>,
    pub evidence: EvidenceSet,
    pub at: Timestamp,
}

pub enum Verdict<T: Subject> {
    Permitted(Authorized<T>),
    /// On record, as a permit is.
    Denied(Vec<DenyCode>),
    /// Nothing was written: gather and rule again.
    Moved(Moved, T),
    /// Evidence of another subject: nothing was ruled on.
    Mismatched(Mismatch),
}

impl Journal {
    /// `span`: the turn's. `note`: the event of the ruling, part of its boundary.
    pub async fn rule<T: Subject>(
        &mut self,
        (runtime, span): (&Runtime, Option<&Span>),
        point: Point,
        case: Case<T>,
        note: impl FnOnce(Option<&Denied>) -> Option<(TurnId, EventBody)>,
    ) -> Result<Verdict<T>, SessionFault> {
        let Case { purpose, subject, policy, evidence, at } = case;
        let keeper = &runtime.deps.keeper;
        let gathered = keeper.gather(clock::fresh(), purpose, subject, policy, evidence);
        let cx = match gathered {
            Ok(cx) => cx,
            Err(mismatch) => return Ok(Verdict::Mismatched(mismatch.why)),
        };
        let (claim, ruled) = keeper.rule(cx, at);
        let ruling = Ruling::of(&claim);
        let noted = note(ruled.denied());
        let is_noted = noted.is_some();
        if let Some((turn, body)) = noted {
            self.event(turn, body);
        }
        match self.commit(point, claim).await? {
            Ok(done) => {
                ruling.committed(span);
                match ruled.seal(done) {
                    Ok(permit) => Ok(Verdict::Permitted(permit)),
                    Err(Refusal::Denied(denied)) => Ok(Verdict::Denied(denied.codes())),
                    Err(Refusal::ForeignCommit) => Err(SessionFault::other("a foreign commit")),
                }
            }
            Err(moved) => {
                if is_noted {
                    self.pending.retract();
                }
                Ok(Verdict::Moved(moved, ruled.withdraw()))
            }
        }
    }
}
