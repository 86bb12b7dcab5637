//! Attempts and outputs that an interrupted run is restored from.

use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{ExecutionId, StepId, StepOutcome};
use wiiiv_hlx::AttemptFact;
use wiiiv_store::{AttemptRow, Store, StoreError};

pub struct Resume {
    pub attempts: Vec<AttemptFact>,
    pub outputs: BTreeMap<StepId, Vec<u8>>,
    /// As the journal has them.
    pub skipped: BTreeSet<StepId>,
}

impl Resume {
    pub async fn of(
        store: &Store,
        execution: ExecutionId,
        rows: Vec<AttemptRow>,
        skipped: BTreeSet<StepId>,
    ) -> Result<Self, StoreError> {
        let mut outputs = BTreeMap::new();
        let mut attempts = Vec::new();
        for row in rows {
            // A person who resolves an effect brings no output: a step that needs it fails.
            if let Some(StepOutcome::Success { output }) = &row.outcome {
                let bytes = store.output_of(execution, &row.step, output).await?;
                outputs.extend(bytes.map(|bytes| (row.step.clone(), bytes)));
            }
            attempts.push(row);
        }
        Ok(Self { attempts: facts(attempts), outputs, skipped })
    }
}

/// Attempts in the engine's form.
pub fn facts(rows: Vec<AttemptRow>) -> Vec<AttemptFact> {
    let fact = |row: AttemptRow| AttemptFact {
        step: row.step,
        attempt: row.attempt,
        finished: row.outcome,
        resolved: row.resolution.map(resolution),
    };
    rows.into_iter().map(fact).collect()
}

fn resolution(recorded: wiiiv_gate::Resolution) -> wiiiv_hlx::Resolution {
    match recorded {
        wiiiv_gate::Resolution::Happened => wiiiv_hlx::Resolution::Happened,
        wiiiv_gate::Resolution::DidNotHappen => wiiiv_hlx::Resolution::DidNotHappen,
        wiiiv_gate::Resolution::Abandon => wiiiv_hlx::Resolution::Abandon,
    }
}
