//! Fetches one page by GET, within the egress list and one origin, and reduces it to title and
//! readable text. The result is foreign data.

mod charset;

use crate::{
    api::{Secrets, address, answer, egress::egress, refusal},
    executor::{Executor, StepReport},
    fault::{contract, failure},
    jq::JqFault,
    media,
    page::Page,
    sandbox::Sandbox,
};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{
    Capability, ExecutorId, ExecutorMeta, FailureCategory, HttpMethod, Risk, STEP_OUTPUT_BYTES_MAX,
    StepFailure, StepParams, StepType,
};
use wiiiv_gate::{Authorized, Step, Verifier};
use wiiiv_net::{ToolClient, ToolRequest, ToolResponse};

/// The whole fetch, redirects included, in milliseconds.
const FETCH_MS_MAX: u64 = 30_000;
const ACCEPTED: &str = "text/html, application/xhtml+xml, text/plain;q=0.9, */*;q=0.1";
const HTML: [&str; 2] = ["text/html", "application/xhtml+xml"];
/// Besides `text/…`, what reads as it stands.
const PLAIN: [&str; 3] = ["application/json", "application/xml", "application/yaml"];

#[derive(Debug, Clone)]
pub(crate) struct WebExecutor {
    verifier: Verifier,
    client: ToolClient,
    sandbox: Sandbox,
}

impl WebExecutor {
    pub(crate) fn new(verifier: Verifier, client: ToolClient, sandbox: Sandbox) -> Self {
        Self { verifier, client, sandbox }
    }

    async fn perform(&self, permit: Authorized<Step>) -> Result<StepReport, StepFailure> {
        let foreign = |_| contract("FOREIGN_PERMIT", "the permit is of another opening");
        let step = self.verifier.redeem(permit).map_err(foreign)?;
        let StepParams::WebFetch { url } = &step.node().params else {
            return Err(contract("WRONG_STEP", "the permit is for another kind of step"));
        };
        let request = ToolRequest {
            method: HttpMethod::Get,
            url: address(&step, url)?,
            headers: vec![("accept".to_owned(), ACCEPTED.to_owned())],
            body: None,
            timeout_ms: FETCH_MS_MAX,
            max_bytes: usize::try_from(STEP_OUTPUT_BYTES_MAX).unwrap_or(usize::MAX),
            idempotency_key: None,
        };
        let rules = egress(step.egress())?;
        let sent = self.client.send(request, &rules).await;
        let none = Secrets::default();
        let response = sent.map_err(|error| refusal::failure_of(&error, false, &none))?;
        answer::succeeded(&response)?;
        let page = self.read(&response).await?;
        report(&response, page)
    }

    async fn read(&self, response: &ToolResponse) -> Result<Page, StepFailure> {
        let named = response.header("content-type").unwrap_or_default().to_lowercase();
        let kind = named.split(';').next().unwrap_or_default().trim();
        let text = charset::decoded(&named, &response.body);
        if HTML.contains(&kind) || (kind.is_empty() && text.trim_start().starts_with('<')) {
            let max_bytes = usize::try_from(STEP_OUTPUT_BYTES_MAX).unwrap_or(usize::MAX);
            let read = self.sandbox.page(&text, max_bytes).await.map_err(unreadable)?;
            return serde_json::from_slice(&read.lines).map_err(|_| unreadable(JqFault::Output));
        }
        let is_plain = kind.is_empty() || kind.starts_with("text/") || PLAIN.contains(&kind);
        if !is_plain || text.contains('\u{FFFD}') && kind.is_empty() {
            let message = "what stands there is no page that can be read as text: name another";
            return Err(contract("NOT_A_PAGE", message));
        }
        Ok(Page::plain(&text))
    }
}

fn report(response: &ToolResponse, page: Page) -> Result<StepReport, StepFailure> {
    let Page { title, text, cut } = page;
    let mut document = json!({"url": response.url.as_str(), "title": title, "text": text});
    if cut && let Some(members) = document.as_object_mut() {
        members.insert("cut".to_owned(), json!(true));
    }
    let bytes = serde_json::to_vec(&document).map_err(|_| unreadable(JqFault::Output))?;
    Ok(StepReport::success(bytes, media::JSON.to_owned(), true, Some(response.status)))
}

fn unreadable(fault: JqFault) -> StepFailure {
    match fault {
        JqFault::Sandbox => {
            let message = "the sandbox is not available: the page was not read";
            failure(FailureCategory::Unknown, "SANDBOX_UNAVAILABLE", message)
        }
        JqFault::TooLarge | JqFault::Limit => {
            contract("PAGE_TOO_COMPLEX", "reading the page took more than it may: name another")
        }
        JqFault::Syntax | JqFault::Input | JqFault::Failed | JqFault::Output => {
            contract("PAGE_UNREADABLE", "there is no readable text on the page: name another")
        }
    }
}

impl Executor for WebExecutor {
    fn meta() -> ExecutorMeta {
        ExecutorMeta {
            id: ExecutorId::new("web"),
            contract_version: 1,
            step_types: [StepType::WebFetch].into(),
            capabilities: [Capability::Read].into(),
            risk: Risk::Medium,
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
