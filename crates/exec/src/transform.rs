//! Expressions in jq syntax: no input but the step's, no output but the result.

use crate::{
    executor::{Executor, StepReport},
    fault::contract,
    jq::{JqFault, Values},
    media,
    sandbox::Sandbox,
    select::evaluated,
};
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{
    Arg, Capability, ExecutorId, ExecutorMeta, FailureCategory, Risk, STEP_OUTPUT_BYTES_MAX,
    StepFailure, StepParams, StepType,
};
use wiiiv_gate::{Authorized, Step, Verifier};

#[derive(Debug, Clone)]
pub(crate) struct TransformExecutor {
    verifier: Verifier,
    sandbox: Sandbox,
}

impl TransformExecutor {
    pub(crate) fn new(verifier: Verifier, sandbox: Sandbox) -> Self {
        Self { verifier, sandbox }
    }

    async fn perform(&self, permit: Authorized<Step>) -> Result<StepReport, StepFailure> {
        let foreign = |_| contract("FOREIGN_PERMIT", "the permit is of another opening");
        let step = self.verifier.redeem(permit).map_err(foreign)?;
        let (StepParams::Transform { input, expr, beside: _ }, Some(value)) =
            (&step.node().params, step.value("input"))
        else {
            return Err(contract("WRONG_STEP", "the permit is for another kind of step"));
        };
        let max_bytes = usize::try_from(STEP_OUTPUT_BYTES_MAX).unwrap_or(usize::MAX);
        let values = evaluated(&self.sandbox, expr, value, max_bytes).await.map_err(failed)?;
        let Values { lines, count } = values;
        let media_type = if count == 1 { media::JSON } else { media::JSON_LINES };
        // What is made from an earlier output comes from where that came from.
        let foreign = matches!(input, Arg::Bound(_));
        Ok(StepReport::success(lines, media_type.to_owned(), foreign, None))
    }
}

/// A machine that cannot start a child now may be able to later.
pub(crate) fn failed(fault: JqFault) -> StepFailure {
    let category = match fault {
        JqFault::Sandbox => FailureCategory::IoError,
        JqFault::Syntax
        | JqFault::Input
        | JqFault::Failed
        | JqFault::Output
        | JqFault::TooLarge
        | JqFault::Limit => FailureCategory::ContractViolation,
    };
    crate::fault::failure(category, fault.code(), fault.to_string())
}

impl Executor for TransformExecutor {
    fn meta() -> ExecutorMeta {
        ExecutorMeta {
            id: ExecutorId::new("transform"),
            contract_version: 1,
            step_types: [StepType::Transform].into(),
            capabilities: [Capability::Read].into(),
            risk: Risk::Low,
        }
    }

    async fn execute(&self, permit: Authorized<Step>, cancel: &CancellationToken) -> StepReport {
        tokio::select! {
            biased;
            () = cancel.cancelled() => StepReport::cancelled(),
            done = self.perform(permit) => done.unwrap_or_else(StepReport::from),
        }
    }
}
