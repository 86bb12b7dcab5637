//! What an interrupted run is restored from: its attempts and the outputs of finished steps.

use std::collections::BTreeMap;
use wiiiv_domain::{ExecutionId, StepId, StepOutcome};
use wiiiv_hlx::AttemptFact;
use wiiiv_store::{AttemptRow, Store, StoreError};

pub struct Resume {
    pub attempts: Vec<AttemptFact>,
    pub outputs: BTreeMap<StepId, Vec<u8>>,
}

impl Resume {
    pub async fn of(
        store: &Store,
        execution: ExecutionId,
        rows: Vec<AttemptRow>,
    ) -> Result<Self, StoreError> {
        let mut outputs = BTreeMap::new();
        let mut attempts = Vec::new();
        for row in rows {
            let happened = row.resolution == Some(wiiiv_gate::Resolution::Happened);
            if happened || matches!(row.outcome, Some(StepOutcome::Success { .. })) {
                let output = store.output(execution, &row.step).await?;
                let bytes = output.map(|(_, bytes)| bytes).unwrap_or_default();
                outputs.insert(row.step.clone(), bytes);
            }
            attempts.push(AttemptFact {
                step: row.step,
                attempt: row.attempt,
                finished: row.outcome,
                resolved: row.resolution.map(resolution),
            });
        }
        Ok(Self { attempts, outputs })
    }
}

fn resolution(recorded: wiiiv_gate::Resolution) -> wiiiv_hlx::Resolution {
    match recorded {
        wiiiv_gate::Resolution::Happened => wiiiv_hlx::Resolution::Happened,
        wiiiv_gate::Resolution::DidNotHappen => wiiiv_hlx::Resolution::DidNotHappen,
        wiiiv_gate::Resolution::Abandon => wiiiv_hlx::Resolution::Abandon,
    }
}
