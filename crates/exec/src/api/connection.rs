//! Trying a registered system out: its credential, and one request that reads.

use super::{
    login::{self, LogIn},
    proof, refusal,
};
use crate::{
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
    let mut report =
        ConnectionReport { ok: false, code: OK.to_owned(), status: None, logged_in: false };
    match tried(client, access, rules, &mut report).await {
        Ok(()) => report,
        Err(failure) => ConnectionReport { ok: false, code: failure.code, ..report },
    }
}

async fn tried(
    client: &ToolClient,
    access: &SystemAccess,
    rules: &[HostRule],
    report: &mut ConnectionReport,
) -> Result<(), StepFailure> {
    let rules = super::egress(rules)?;
    let headers = proven(client, access, &rules).await?;
    let is_log_in = matches!(access.system.authentication, Authentication::LogIn { .. });
    report.logged_in = is_log_in;
    let (url, is_operation) =
        place(&access.system).filter(|(url, _)| access.is_at(url)).ok_or_else(|| {
            contract("URL_REFUSED", "the system's address cannot be put together: correct it")
        })?;
    let proves = !headers.is_empty();
    let request = ToolRequest {
        method: HttpMethod::Get,
        url,
        headers,
        body: None,
        timeout_ms: TRY_MS_MAX,
        max_bytes: ANSWER_BYTES_MAX,
        idempotency_key: None,
    };
    let answer = client.send(request, &rules).await;
    let status = answer.map_err(|error| refusal::failure_of(&error, false))?.status;
    report.status = Some(status);
    let is_turned_away = matches!(status, 401 | 403 | 407);
    report.logged_in = is_log_in || (proves && !is_turned_away);
    // Without an operation to try, any answer of a service that is up will do.
    report.ok =
        if is_operation { (200..300).contains(&status) } else { !is_turned_away && status < 500 };
    report.code = if report.ok { OK } else { HTTP_STATUS }.to_owned();
    Ok(())
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
    Some((login::under(&system.base_url, path)?, operation.is_some()))
}
