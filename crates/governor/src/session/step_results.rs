//! Results of a run's steps, including those that are not committed yet.

use crate::{
    session::{Journal, Work},
    step_result::StepResult,
};
use std::sync::Arc;
use wiiiv_domain::{ExecutionId, StepId, StepOutcome};
use wiiiv_store::StoreError;

impl Work {
    /// By step, then attempt. The last results of a run are pending when it ends.
    pub async fn step_results(
        &self,
        journal: &Journal,
        execution: ExecutionId,
    ) -> Result<Arc<Vec<StepResult>>, StoreError> {
        if let Some((_, results)) = self.results.as_ref().filter(|(of, _)| *of == execution) {
            return Ok(results.clone());
        }
        let records = &journal.records;
        let attempts = records.attempts(execution).await?;
        let newest = attempts.iter().max_by_key(|row| row.finished_at);
        let newest = newest.map(|row| (row.step.clone(), row.attempt));
        let pending: Vec<_> = journal.pending.finished(execution).collect();
        let mut all = Vec::new();
        for row in attempts {
            let of_this = |(step, attempt, ..): &&(&StepId, u32, _, _)| {
                (*step, *attempt) == (&row.step, row.attempt)
            };
            let (outcome, bytes, last) = match pending.iter().find(of_this) {
                Some((_, _, outcome, bytes)) => {
                    (Some((*outcome).clone()), bytes.map(|bytes| Arc::new(bytes.to_vec())), true)
                }
                None => {
                    // A failed attempt has none.
                    let bytes = match &row.outcome {
                        Some(StepOutcome::Success { output }) => records
                            .store()
                            .output_of(execution, &row.step, output)
                            .await?
                            .map(Arc::new),
                        Some(_) | None => None,
                    };
                    let newest = newest.as_ref() == Some(&(row.step.clone(), row.attempt));
                    (row.outcome, bytes, pending.is_empty() && newest)
                }
            };
            all.push(StepResult { step: row.step, outcome, bytes, last });
        }
        Ok(Arc::new(all))
    }
}
