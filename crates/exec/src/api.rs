//! Sends one HTTP request to an address that the project allows. For a registered system it adds
//! the credential, which no other module does.

pub(crate) mod answer;
mod connection;
pub(crate) mod egress;
mod escape;
mod layout;
mod login;
mod proof;
mod redact;
pub(crate) mod refusal;
mod tokens;

use crate::{
    api::egress::egress,
    executor::{Executor, StepReport},
    fault::{contract, not_started},
    system::{ConnectionReport, SystemAccess},
};
use proof::{Answered, Prover};
pub(crate) use redact::Secrets;
use tokens::Tokens;
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{
    Capability, Effect, ExecutorId, ExecutorMeta, FailureCategory, HostRule, Risk,
    STEP_OUTPUT_BYTES_MAX, StepFailure, StepParams, StepType, UrlTemplate,
};
use wiiiv_gate::{Authorized, Step, Verifier};
use wiiiv_net::{ToolClient, ToolRequest, Url};

/// The whole call, redirects and answer included, in milliseconds.
const CALL_MS_MAX: u64 = 30_000;

#[derive(Debug, Clone)]
pub(crate) struct ApiExecutor {
    verifier: Verifier,
    client: ToolClient,
    tokens: Tokens,
}

impl ApiExecutor {
    pub(crate) fn new(verifier: Verifier, client: ToolClient) -> Self {
        Self { verifier, client, tokens: Tokens::new() }
    }

    /// `access`: what is known of the system that the step names; a step that names none is done
    /// without it.
    pub(crate) async fn call(
        &self,
        permit: Authorized<Step>,
        access: Option<SystemAccess>,
        cancel: &CancellationToken,
    ) -> StepReport {
        let acts = acts(permit.peek());
        tokio::select! {
            biased;
            () = cancel.cancelled() => stopped(acts),
            done = self.perform(permit, access) => done.unwrap_or_else(StepReport::from),
        }
    }

    pub(crate) async fn test(&self, access: &SystemAccess, rules: &[HostRule]) -> ConnectionReport {
        connection::test(&self.client, access, rules).await
    }

    async fn perform(
        &self,
        permit: Authorized<Step>,
        access: Option<SystemAccess>,
    ) -> Result<StepReport, StepFailure> {
        let foreign = |_| contract("FOREIGN_PERMIT", "the permit is of another opening");
        let step = self.verifier.redeem(permit).map_err(foreign).map_err(not_started)?;
        let request = request(&step).map_err(not_started)?;
        let rules = egress(step.egress()).map_err(not_started)?;
        let acts = acts(&step);
        let access = access_of(&step, access, &request.url).map_err(not_started)?;
        let Some(access) = access else {
            let (sent, secrets) = (self.client.send(request, &rules).await, Secrets::default());
            let response = sent.map_err(|error| refusal::failure_of(&error, acts, &secrets))?;
            return answer::report(&response, &secrets);
        };
        let (client, tokens) = (&self.client, &self.tokens);
        let prover = Prover { client, tokens, access: &access, rules: &rules, acts };
        let Answered { response, secrets } = prover.send(step.session(), request).await?;
        answer::report(&response, &secrets)
    }
}

/// INVARIANT: a credential comes along only where the plan names this very system as it was when the
/// plan was drawn, and stands at its origin; a system that has changed since is refused.
fn access_of(
    step: &Step,
    access: Option<SystemAccess>,
    url: &Url,
) -> Result<Option<SystemAccess>, StepFailure> {
    let StepParams::ApiCall { url: template, .. } = &step.node().params else { return Ok(None) };
    let Some(name) = &template.system else { return Ok(None) };
    let (scheme, host, port) = (template.scheme, template.host.as_str(), template.port);
    let fits = |access: &SystemAccess| {
        access.system.name == *name
            && step.system_revision() == Some(access.revision)
            && access.system.base_url.is_at(scheme, host, port)
            && access.is_at(url)
    };
    access.filter(fits).map(Some).ok_or_else(proof::changed)
}

/// As the permit has it: an operation that policy labels READ does not act, whatever its method.
fn acts(step: &Step) -> bool {
    step.node().effect != Effect::Read
}

fn not_put_together() -> StepFailure {
    contract("URL_REFUSED", "the URL cannot be put together: draw the plan again")
}

pub(crate) fn address(step: &Step, template: &UrlTemplate) -> Result<Url, StepFailure> {
    let refused = |_| not_put_together();
    let url = step.url().map_err(|_| not_put_together())?;
    let url = Url::parse(&url).map_err(refused)?;
    // A segment that a parser takes for a step in the path would lead elsewhere.
    let segments = url.path_segments().into_iter().flatten().count();
    let fits = segments == template.segments.len().max(1);
    if fits { Ok(url) } else { Err(not_put_together()) }
}

fn request(step: &Step) -> Result<ToolRequest, StepFailure> {
    let StepParams::ApiCall { method, url: template, content_type, body } = &step.node().params
    else {
        return Err(contract("WRONG_STEP", "the permit is for another kind of step"));
    };
    let url = address(step, template)?;
    let headers = content_type.iter().map(|kind| ("content-type".to_owned(), kind.clone()));
    let value = || step.value("body").ok_or_else(not_put_together);
    let body = body.as_ref().map(|_| value()).transpose()?;
    Ok(ToolRequest {
        method: *method,
        url,
        headers: headers.collect(),
        body: body.map(|text| text.to_owned().into_bytes().into()),
        timeout_ms: CALL_MS_MAX,
        max_bytes: usize::try_from(STEP_OUTPUT_BYTES_MAX).unwrap_or(usize::MAX),
        idempotency_key: (!method.is_safe()).then(|| step.idempotency_key()),
    })
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
        self.call(permit, None, cancel).await
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
