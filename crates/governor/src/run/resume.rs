//! What an interrupted run is restored from: its attempts and the outputs of finished steps.

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
            let happened = row.resolution == Some(wiiiv_gate::Resolution::Happened);
            // Whoever says that an effect happened has not brought its output: a step that
            // needs it fails, and is never given an empty one instead.
            if happened || matches!(row.outcome, Some(StepOutcome::Success { .. })) {
                let output = store.output(execution, &row.step).await?;
                outputs.extend(output.map(|(_, bytes)| (row.step.clone(), bytes)));
            }
            attempts.push(row);
        }
        Ok(Self { attempts: facts(attempts), outputs, skipped })
    }
}

/// Attempts on record, as the engine takes them.
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
