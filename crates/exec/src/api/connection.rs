//! Tests a registered system: its credential, and one request that reads.

use super::{
    login::{self, LogIn},
    proof,
    redact::Secrets,
    refusal,
};
use crate::{
    api::egress::egress,
    fault::contract,
    system::{ConnectionReport, SystemAccess},
};
use secrecy::ExposeSecret as _;
use wiiiv_domain::{Authentication, HostRule, HttpMethod, Operation, StepFailure, System};
use wiiiv_net::{EgressRule, ToolClient, ToolRequest, Url};

/// In milliseconds.
const TRY_MS_MAX: u64 = 10_000;
/// Nothing of the answer is kept but its status, in bytes.
const ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;
const OK: &str = "OK";
const HTTP_STATUS: &str = "HTTP_STATUS";

pub(super) async fn test(
    client: &ToolClient,
    access: &SystemAccess,
    rules: &[HostRule],
) -> ConnectionReport {
    let mut report = ConnectionReport {
        ok: false,
        code: OK.to_owned(),
        status: None,
        redirected_to: None,
        logged_in: false,
    };
    match tried(client, access, rules, &mut report).await {
        Ok(()) => report,
        Err(StepFailure { code, redirected_to, .. }) => {
            ConnectionReport { ok: false, code, redirected_to, ..report }
        }
    }
}

async fn tried(
    client: &ToolClient,
    access: &SystemAccess,
    rules: &[HostRule],
    report: &mut ConnectionReport,
) -> Result<(), StepFailure> {
    let rules = egress(rules)?;
    let mut headers = proven(client, access, &rules).await?;
    let is_log_in = matches!(access.system.authentication, Authentication::LogIn { .. });
    report.logged_in = is_log_in;
    let (url, is_operation) =
        place(&access.system).filter(|(url, _)| access.is_at(url)).ok_or_else(|| {
            contract("URL_REFUSED", "the system's address cannot be put together: correct it")
        })?;
    let goes = |url: &Url| access.lets_credential_go(HttpMethod::Get, url);
    let stays_behind = !headers.is_empty() && !goes(&url);
    if stays_behind && !is_log_in {
        return Err(nothing_to_try());
    }
    headers.retain(|_| !stays_behind);
    let proves = !headers.is_empty();
    let secrets = Secrets::of(access.credential.as_ref());
    let answer = client.send_within(request(url, headers), &rules, |url| !proves || goes(url));
    let answer = answer.await.map_err(|error| refusal::failure_of(&error, false, &secrets))?;
    let status = answer.status;
    report.status = Some(status);
    let is_turned_away = matches!(status, 401 | 403 | 407);
    report.logged_in = is_log_in || (proves && !is_turned_away);
    // Without an operation to try, any answer of a service that is up will do.
    let is_up = (!is_turned_away || stays_behind) && status < 500;
    report.ok = if is_operation { (200..300).contains(&status) } else { is_up };
    report.code = if report.ok { OK } else { HTTP_STATUS }.to_owned();
    Ok(())
}

fn request(url: Url, headers: Vec<(String, String)>) -> ToolRequest {
    ToolRequest {
        method: HttpMethod::Get,
        url,
        headers,
        body: None,
        timeout_ms: TRY_MS_MAX,
        max_bytes: ANSWER_BYTES_MAX,
        idempotency_key: None,
    }
}

/// A credential is tried on a registered operation, and on nothing else.
fn nothing_to_try() -> StepFailure {
    let message = "no registered operation reads without arguments: the credential cannot be tried";
    contract("NO_OPERATION_TO_TRY", message)
}

/// A fresh token each time: whether the credential works is what is asked.
async fn proven(
    client: &ToolClient,
    access: &SystemAccess,
    rules: &[EgressRule],
) -> Result<Vec<(String, String)>, StepFailure> {
    let authentication = &access.system.authentication;
    let Authentication::LogIn { path, username_field, password_field, token_pointer } =
        authentication
    else {
        let header = proof::header(authentication, access.credential.as_ref())?;
        return Ok(Vec::from_iter(header));
    };
    let log_in = LogIn { path, username_field, password_field, token_pointer };
    let credential = access.credential.as_ref().ok_or_else(proof::missing)?;
    let token = login::exchange(client, access, credential, &log_in, rules).await?;
    Ok(vec![proof::bearer(token.expose_secret())])
}

/// The first operation that reads without arguments, else the base address; and which it is.
fn place(system: &System) -> Option<(Url, bool)> {
    let asks_nothing = |o: &&Operation| {
        o.method == HttpMethod::Get
            && !o.path.contains('{')
            && !o.parameters.iter().any(|parameter| parameter.required)
    };
    let operation = system.operations.iter().find(asks_nothing);
    let path = operation.map_or("/", |operation| operation.path.as_str());
    let own = path.strip_prefix('/').filter(|own| !own.is_empty());
    let mut url = Url::parse(&system.base_url.origin()).ok()?;
    let own = own.into_iter().flat_map(|own| own.split('/'));
    url.path_segments_mut().ok()?.clear().extend(&system.base_url.segments).extend(own);
    Some((url, operation.is_some()))
}
