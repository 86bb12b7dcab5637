//! The writes of a boundary, in their order.

use super::attempts::{self, Starting};
use crate::{
    approval::{
        edit::{self, Edit},
        question,
        revoke::revoke,
    },
    budget,
    database::statement::{Writes, execute},
    error::StoreError,
    run::{blueprint, execution},
    writer::{
        boundary::{AuditEntry, Write, Writer},
        write_transaction::WriteTransaction,
    },
};
use wiiiv_domain::{ExecutionId, STEP_OUTPUT_BYTES_MAX, StepId, StepOutcome, Timestamp};

/// What else is to be on record because of them comes back.
pub(super) async fn perform(
    tx: &mut WriteTransaction,
    writer: &Writer,
    writes: &[Write],
    now: Timestamp,
) -> Result<Vec<AuditEntry>, StoreError> {
    let mut told = Vec::new();
    for write in writes {
        one(tx, writer, write, &mut told, now).await?;
    }
    Ok(told)
}

async fn one(
    tx: &mut WriteTransaction,
    writer: &Writer,
    write: &Write,
    told: &mut Vec<AuditEntry>,
    now: Timestamp,
) -> Result<(), StoreError> {
    match write {
        Write::Settle { call, usage, amount } => {
            told.extend(budget::settle(tx, *call, (usage, amount), now).await?);
            Ok(())
        }
        Write::Release { call } => budget::release_call(tx, *call, now).await,
        Write::Blueprint(blueprint) => {
            blueprint::insert(&tx.db, writer.lease("a blueprint")?, blueprint, now).await
        }
        Write::AskApproval { request, preview, escalates } => {
            let asked = (request, preview.as_str(), *escalates);
            question::ask(&tx.db, writer.lease("a question")?, asked, now).await
        }
        Write::RejectApproval { id, by, on_behalf_of } => {
            question::reject(&tx.db, *id, (*by, *on_behalf_of), now).await
        }
        Write::EditApproval { id, by, digest, to } => {
            let written = Edit { id: *id, by: *by, digest: *digest, to: *to };
            edit::edit(&tx.db, written, now).await
        }
        Write::RevokeApproval { id, by, run } => revoke(&tx.db, (*id, *by), *run, now).await,
        Write::ExpireApproval { id } => question::expire(&tx.db, *id, now).await,
        Write::WithdrawApproval { id } => question::withdraw(&tx.db, *id, now).await,
        Write::StepFinished { execution, step, attempt, outcome, bytes } => {
            let of = Starting { execution, step, attempt: *attempt };
            attempts::finish(&tx.db, &of, outcome, now).await?;
            keep_output(&tx.db, (execution, step), outcome, bytes.as_deref()).await
        }
        Write::ExecutionFinished { execution, outcome } => {
            told.extend(execution::finish(tx, *execution, outcome, now).await?);
            Ok(())
        }
        Write::Standing { risk_score, tainted, history } => {
            let lease = writer.lease("a standing")?;
            let update = "UPDATE session SET risk_score = $2, tainted = $3, \
                          risk_history = COALESCE($4, risk_history), \
                          standing_seq = standing_seq + 1 WHERE id = $1";
            let score = i64::from(*risk_score);
            let history = history.as_ref().map(serde_json::to_string).transpose()?;
            let values =
                vec![lease.session.uuid().into(), score.into(), (*tainted).into(), history.into()];
            execute(&tx.db, update, values).await.map(drop)
        }
    }
}

async fn keep_output<C: Writes>(
    db: &C,
    (execution, step): (&ExecutionId, &StepId),
    outcome: &StepOutcome,
    bytes: Option<&[u8]>,
) -> Result<(), StoreError> {
    let (StepOutcome::Success { output }, Some(bytes)) = (outcome, bytes) else { return Ok(()) };
    if bytes.len() as u64 > STEP_OUTPUT_BYTES_MAX {
        return Err(StoreError::TooLarge { what: "a step's output", max: STEP_OUTPUT_BYTES_MAX });
    }
    let upsert = "INSERT INTO step_output (execution, step, output, bytes) \
                  VALUES ($1, $2, $3, $4) ON CONFLICT (execution, step) DO UPDATE SET \
                  output = excluded.output, bytes = excluded.bytes";
    let values = vec![
        execution.uuid().into(),
        step.as_str().into(),
        serde_json::to_string(output)?.into(),
        bytes.to_vec().into(),
    ];
    execute(db, upsert, values).await.map(drop)
}
