//! One HTTP request to a place that the project allows.

mod answer;
mod refusal;

use crate::{
    executor::{Executor, StepReport},
    fault::contract,
};
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{
    Capability, ExecutorId, ExecutorMeta, FailureCategory, HttpMethod, Risk, STEP_OUTPUT_BYTES_MAX,
    StepFailure, StepParams, StepType,
};
use wiiiv_gate::{Authorized, Step, Verifier};
use wiiiv_net::{EgressRule, ToolClient, ToolRequest, Url};

/// The whole call, redirects and answer included, in milliseconds.
const CALL_MS_MAX: u64 = 30_000;

#[derive(Debug, Clone)]
pub(crate) struct ApiExecutor {
    verifier: Verifier,
    client: ToolClient,
}

impl ApiExecutor {
    pub(crate) fn new(verifier: Verifier, client: ToolClient) -> Self {
        Self { verifier, client }
    }

    async fn perform(&self, permit: Authorized<Step>) -> Result<StepReport, StepFailure> {
        let foreign = |_| contract("FOREIGN_PERMIT", "the permit is of another opening");
        let step = self.verifier.redeem(permit).map_err(foreign)?;
        let (request, method) = request(&step)?;
        let rules = step.egress().iter().map(EgressRule::try_from);
        let rules = rules.collect::<Result<Vec<_>, _>>();
        let rules = rules.map_err(|error| contract("EGRESS_RULE", error.to_string()))?;
        match self.client.send(request, &rules).await {
            Ok(response) => answer::report(response),
            Err(error) => Err(refusal::failure_of(&error, method)),
        }
    }
}

fn request(step: &Step) -> Result<(ToolRequest, HttpMethod), StepFailure> {
    let StepParams::ApiCall { method, url: template, content_type, body } = &step.node().params
    else {
        return Err(contract("WRONG_STEP", "the permit is for another kind of step"));
    };
    let refused = || contract("URL_REFUSED", "the URL cannot be put together: draw the plan again");
    let url = Url::parse(&step.url().map_err(|_| refused())?).map_err(|_| refused())?;
    // A segment that a parser takes for a step in the path would lead elsewhere.
    let segments = url.path_segments().into_iter().flatten().count();
    if segments != template.segments.len().max(1) {
        return Err(refused());
    }
    let headers = content_type.iter().map(|kind| ("content-type".to_owned(), kind.clone()));
    let value = || step.value("body").ok_or_else(refused);
    let body = body.as_ref().map(|_| value()).transpose()?;
    let request = ToolRequest {
        method: *method,
        url,
        headers: headers.collect(),
        body: body.map(|text| text.to_owned().into_bytes().into()),
        timeout_ms: CALL_MS_MAX,
        max_bytes: usize::try_from(STEP_OUTPUT_BYTES_MAX).unwrap_or(usize::MAX),
        idempotency_key: (!method.is_safe()).then(|| step.idempotency_key()),
    };
    Ok((request, *method))
}

impl Executor for ApiExecutor {
    fn meta() -> ExecutorMeta {
        ExecutorMeta {
            id: ExecutorId::new("api"),
            contract_version: 1,
            step_types: [StepType::ApiCall].into(),
            capabilities: [
                Capability::Read,
                Capability::Send,
                Capability::Write,
                Capability::Delete,
            ]
            .into(),
            risk: Risk::Medium,
        }
    }

    async fn execute(&self, permit: Authorized<Step>, cancel: &CancellationToken) -> StepReport {
        let acts = match &permit.peek().node().params {
            StepParams::ApiCall { method, .. } => !method.is_safe(),
            StepParams::FileRead { .. }
            | StepParams::FileWrite { .. }
            | StepParams::FileDelete { .. }
            | StepParams::Transform { .. } => false,
        };
        tokio::select! {
            biased;
            () = cancel.cancelled() => stopped(acts),
            done = self.perform(permit) => done.unwrap_or_else(StepReport::from),
        }
    }
}

/// Dropping the call does not call it back: the service may have acted on it.
fn stopped(acts: bool) -> StepReport {
    if !acts {
        return StepReport::cancelled();
    }
    let message = "stopped while the request was under way: ask the service what became of it";
    let failure = crate::fault::failure(FailureCategory::Unknown, "CANCELLED_IN_FLIGHT", message);
    StepFailure { effect_unknown: true, ..failure }.into()
}
