//! Rows of attempts: they separate steps that may have happened from steps that have not.

use crate::{
    database::{
        number::to_db,
        statement::{Writes, execute},
    },
    error::StoreError,
};
use wiiiv_domain::{ExecutionId, StepId, StepOutcome, Timestamp};

pub(super) struct Starting<'a> {
    pub(super) execution: &'a ExecutionId,
    pub(super) step: &'a StepId,
    pub(super) attempt: u32,
}

impl Starting<'_> {
    /// How many rows: 0 where the execution no longer runs, a yes that it rests on was taken back, the attempt
    /// was made before, or it is a further one of a step that is not idempotent.
    pub(super) async fn insert<C: Writes>(
        &self,
        db: &C,
        idempotent: bool,
        (at, now): (u64, Timestamp),
    ) -> Result<u64, StoreError> {
        let insert = "INSERT INTO step_attempt \
            (execution, step, attempt, state, at_seq, started_at) \
            SELECT id, $2, $3, 'started', $4, $5 FROM execution \
            WHERE id = $1 AND state = 'running' AND ($3 = 1 OR $6) AND NOT EXISTS \
            (SELECT 1 FROM approval WHERE approval.blueprint = execution.blueprint \
             AND approval.revoked_at IS NOT NULL) ON CONFLICT DO NOTHING";
        let values = vec![
            self.execution.uuid().into(),
            self.step.as_str().into(),
            i64::from(self.attempt).into(),
            to_db(at)?.into(),
            now.unix_ms().into(),
            idempotent.into(),
        ];
        execute(db, insert, values).await
    }
}

pub(super) async fn finish<C: Writes>(
    db: &C,
    of: &Starting<'_>,
    outcome: &StepOutcome,
    now: Timestamp,
) -> Result<(), StoreError> {
    let update = "UPDATE step_attempt SET state = 'finished', outcome = $4, finished_at = $5 \
                  WHERE execution = $1 AND step = $2 AND attempt = $3 AND state = 'started'";
    let values = vec![
        of.execution.uuid().into(),
        of.step.as_str().into(),
        i64::from(of.attempt).into(),
        serde_json::to_string(outcome)?.into(),
        now.unix_ms().into(),
    ];
    match execute(db, update, values).await? {
        1 => Ok(()),
        _ => Err(StoreError::NotFound { what: "started attempt" }),
    }
}
