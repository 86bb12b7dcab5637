//! Evaluates jq expressions: the only input is the step's, the only output the result.

use crate::{
    executor::{Executor, StepReport},
    fault::contract,
    jq::{JqFault, Values, is_json},
    media,
    sandbox::Sandbox,
    select::{evaluated, failed},
};
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{
    Capability, ExecutorId, ExecutorMeta, Risk, STEP_OUTPUT_BYTES_MAX, StepFailure, StepParams,
    StepType,
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
        let StepParams::Transform { input, beside, expr } = &step.node().params else {
            return Err(wrong());
        };
        let value = of_all(&step, beside.len())?;
        let max_bytes = usize::try_from(STEP_OUTPUT_BYTES_MAX).unwrap_or(usize::MAX);
        let values = evaluated(&self.sandbox, expr, &value, max_bytes).await.map_err(failed)?;
        let Values { lines, count } = values;
        let media_type = if count == 1 { media::JSON } else { media::JSON_LINES };
        // What is made from an earlier output comes from where that came from.
        let foreign = std::iter::once(input).chain(beside).any(|arg| arg.binding().is_some());
        Ok(StepReport::success(lines, media_type.to_owned(), foreign, None))
    }
}

/// The one input as it is, or the array of all: each is JSON by itself, so that none reaches into
/// the next.
fn of_all(step: &Step, beside: usize) -> Result<String, StepFailure> {
    let first = step.value("input").ok_or_else(wrong)?;
    if beside == 0 {
        return Ok(first.to_owned());
    }
    let further = (0..beside).map(|at| step.value(&format!("beside.{at}")).ok_or_else(wrong));
    let values: Vec<&str> = std::iter::once(Ok(first)).chain(further).collect::<Result<_, _>>()?;
    let bytes = values.iter().fold(values.len() + 1, |sum, value| sum.saturating_add(value.len()));
    if bytes as u64 > STEP_OUTPUT_BYTES_MAX {
        return Err(failed(JqFault::TooLarge));
    }
    if !values.iter().all(|value| is_json(value.as_bytes())) {
        return Err(failed(JqFault::Input));
    }
    Ok(format!("[{}]", values.join(",")))
}

fn wrong() -> StepFailure {
    contract("WRONG_STEP", "the permit is for another kind of step")
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
