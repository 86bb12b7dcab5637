//! How the steps of a run ended, also those that the next boundary will put on record.

use crate::session::state::{Down, Session};
use wiiiv_domain::{ExecutionId, StepId, StepOutcome};

/// One attempt at a step.
pub struct Ended {
    pub step: StepId,
    /// None while it is under way.
    pub outcome: Option<StepOutcome>,
    /// What it put out, where it succeeded.
    pub bytes: Option<Vec<u8>>,
    /// Nothing of this run ended later.
    pub last: bool,
}

impl Session {
    /// By step, then attempt. The end of a run comes to its session before it is on record.
    pub async fn ended(&self, execution: ExecutionId) -> Result<Vec<Ended>, Down> {
        let store = &self.room.deps.store;
        let attempts = store.attempts(execution).await?;
        let newest = attempts.iter().max_by_key(|row| row.finished_at);
        let newest = newest.map(|row| (row.step.clone(), row.attempt));
        let pending: Vec<_> = self.book.finished(execution).collect();
        let mut all = Vec::new();
        for row in attempts {
            let of_this = |(step, attempt, ..): &&(&StepId, u32, _, _)| {
                (*step, *attempt) == (&row.step, row.attempt)
            };
            let (outcome, bytes, last) = match pending.iter().find(of_this) {
                Some((_, _, outcome, bytes)) => {
                    (Some((*outcome).clone()), bytes.map(<[u8]>::to_vec), true)
                }
                None => {
                    let kept = store.output(execution, &row.step).await?;
                    let newest = newest.as_ref() == Some(&(row.step.clone(), row.attempt));
                    (row.outcome, kept.map(|(_, bytes)| bytes), pending.is_empty() && newest)
                }
            };
            // Kept by step: what a later attempt put out is none of a failed one's.
            let bytes = bytes.filter(|_| matches!(outcome, Some(StepOutcome::Success { .. })));
            all.push(Ended { step: row.step, outcome, bytes, last });
        }
        Ok(all)
    }
}
