//! Tells a project's webhook something, within the project's egress list and its guard of addresses. It is
//! no step of a plan: what is told are ids and codes, and nothing of the answer is kept but its status.

use crate::{
    api::{Secrets, egress::egress, refusal},
    fault::contract,
};
use wiiiv_domain::{HostRule, HttpMethod, Scheme, StepFailure};
use wiiiv_net::{Bytes, ToolClient, ToolRequest, Url};

/// The whole call, in milliseconds.
const NOTICE_MS_MAX: u64 = 10_000;
/// Of an answer that nobody reads, in bytes.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// What is sent, signed.
#[derive(Debug, Clone)]
pub struct Notice {
    pub url: String,
    pub headers: Vec<(String, String)>,
    /// JSON.
    pub body: Vec<u8>,
    /// The same at each attempt.
    pub id: String,
}

/// Whether a notice could go to this address at all: the code of why not.
pub(crate) fn check(url: &str, rules: &[HostRule]) -> Result<String, StepFailure> {
    let url = parsed(url)?;
    let host = url.host_str().unwrap_or_default();
    let scheme = if url.scheme() == "https" { Scheme::Https } else { Scheme::Http };
    let listed = |rule: &HostRule| rule.covers(scheme, host, url.port());
    if !rules.iter().any(listed) {
        return Err(contract("HOST_NOT_ALLOWED", "the policy's `allowedHosts` has no such host"));
    }
    Ok(url.origin().ascii_serialization())
}

fn parsed(url: &str) -> Result<Url, StepFailure> {
    let refused = || contract("URL_REFUSED", "expected an absolute `https` or `http` address");
    let url = Url::parse(url).map_err(|_| refused())?;
    let plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    let whole = plain && url.has_host() && matches!(url.scheme(), "https" | "http");
    whole.then_some(url).ok_or_else(refused)
}

/// The status that it was answered with.
pub(crate) async fn send(
    client: &ToolClient,
    notice: Notice,
    rules: &[HostRule],
) -> Result<u16, StepFailure> {
    let rules = egress(rules)?;
    let Notice { url, mut headers, body, id } = notice;
    headers.push(("content-type".to_owned(), "application/json".to_owned()));
    let request = ToolRequest {
        method: HttpMethod::Post,
        url: parsed(&url)?,
        headers,
        body: Some(Bytes::from(body)),
        timeout_ms: NOTICE_MS_MAX,
        max_bytes: ANSWER_BYTES_MAX,
        idempotency_key: Some(id),
    };
    let none = Secrets::default();
    let answer = client.send(request, &rules).await;
    Ok(answer.map_err(|error| refusal::failure_of(&error, false, &none))?.status)
}
