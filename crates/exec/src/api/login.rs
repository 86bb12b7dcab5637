//! Exchanges a credential for a token, by one request to the system's log-in.

use super::{redact::Secrets, refusal};
use crate::{
    fault::{contract, failure},
    system::SystemAccess,
};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Map, Value};
use wiiiv_domain::{BaseUrl, FailureCategory, HttpMethod, StepFailure};
use wiiiv_net::{EgressRule, ToolClient, ToolRequest, Url};
use wiiiv_vault::Credential;

/// The exchange, in milliseconds.
const LOG_IN_MS_MAX: u64 = 15_000;
/// What a log-in answers, in bytes.
const ANSWER_BYTES_MAX: usize = 256 * 1024;
/// In bytes.
const TOKEN_BYTES_MAX: usize = 8 * 1024;

/// Where and how, as the system is registered.
pub(super) struct LogIn<'a> {
    pub(super) path: &'a str,
    pub(super) username_field: &'a str,
    pub(super) password_field: &'a str,
    pub(super) token_pointer: &'a str,
}

/// Being a POST it follows no redirect: the credential goes to the system's origin or nowhere.
pub(super) async fn exchange(
    client: &ToolClient,
    access: &SystemAccess,
    credential: &Credential,
    log_in: &LogIn<'_>,
    rules: &[EgressRule],
) -> Result<SecretString, StepFailure> {
    let body = Map::from_iter([
        (log_in.username_field.to_owned(), Value::from(credential.username().expose_secret())),
        (log_in.password_field.to_owned(), Value::from(credential.secret().expose_secret())),
    ]);
    let url = under(&access.system.base_url, log_in.path);
    let url = url.filter(|url| access.is_at(url)).ok_or_else(|| {
        contract("LOGIN_REFUSED", "the log-in's address cannot be put together: correct the system")
    })?;
    let request = ToolRequest {
        method: HttpMethod::Post,
        url,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        body: Some(Value::Object(body).to_string().into_bytes().into()),
        timeout_ms: LOG_IN_MS_MAX,
        max_bytes: ANSWER_BYTES_MAX,
        idempotency_key: None,
    };
    let answer = client.send(request, rules).await;
    let secrets = Secrets::of(Some(credential));
    let answer = answer.map_err(|error| refusal::failure_of(&error, false, &secrets))?;
    if !(200..300).contains(&answer.status) {
        return Err(turned_away(answer.status));
    }
    token(&answer.body, log_in.token_pointer)
}

/// The path under the base address, as it is registered.
fn under(base: &BaseUrl, path: &str) -> Option<Url> {
    let mut url = Url::parse(&base.origin()).ok()?;
    let own = path.trim_start_matches('/').split('/').filter(|segment| !segment.is_empty());
    url.path_segments_mut().ok()?.clear().extend(&base.segments).extend(own);
    Some(url)
}

/// Nothing of the service's text is repeated.
fn turned_away(status: u16) -> StepFailure {
    let category = match status {
        408 | 425 | 429 | 500..=599 => FailureCategory::ExternalServiceError,
        _ => FailureCategory::PermissionDenied,
    };
    let message = format!("the system's log-in answered with status `{status}`");
    failure(category, "LOGIN_REFUSED", message)
}

fn token(answer: &[u8], pointer: &str) -> Result<SecretString, StepFailure> {
    let answer: Option<Value> = serde_json::from_slice(answer).ok();
    let token = answer.as_ref().and_then(|answer| answer.pointer(pointer)?.as_str());
    let fits = |token: &&str| {
        (1..=TOKEN_BYTES_MAX).contains(&token.len()) && token.bytes().all(|b| b.is_ascii_graphic())
    };
    let message = "the system's log-in gave no token where its registration says: correct the \
                   JSON pointer";
    let token = token.filter(fits).ok_or_else(|| contract("LOGIN_NO_TOKEN", message))?;
    Ok(SecretString::from(token))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wiiiv_domain::Scheme;

    #[test]
    fn a_path_stays_under_its_base() {
        let base = |segments: &[&str]| BaseUrl {
            scheme: Scheme::Https,
            host: "a.test".to_owned(),
            port: None,
            segments: segments.iter().map(|text| (*text).to_owned()).collect(),
        };
        let at = |segments: &[&str], path: &str| under(&base(segments), path).map(String::from);
        assert_eq!(at(&[], "/login").as_deref(), Some("https://a.test/login"));
        assert_eq!(at(&["api", "v 1"], "/a/b").as_deref(), Some("https://a.test/api/v%201/a/b"));
        assert_eq!(
            at(&["api"], "//evil.test/x").as_deref(),
            Some("https://a.test/api/evil.test/x")
        );
        assert_eq!(at(&[], "/").as_deref(), Some("https://a.test/"));
    }

    #[test]
    fn a_token_is_one_word_at_its_place() {
        let found = |answer: &str, pointer: &str| {
            let token = token(answer.as_bytes(), pointer);
            token.map(|token| token.expose_secret().to_owned()).map_err(|failure| failure.code)
        };
        let none = Err("LOGIN_NO_TOKEN".to_owned());
        assert_eq!(found(r#"{"token":"t-1"}"#, "/token"), Ok("t-1".to_owned()));
        assert_eq!(found(r#"{"data":[{"t":"t-1"}]}"#, "/data/0/t"), Ok("t-1".to_owned()));
        for answer in [r#"{"token":7}"#, r#"{"token":""}"#, "{\"token\":\"a b\"}", "token", ""] {
            assert_eq!(found(answer, "/token"), none, "{answer}");
        }
        assert_eq!(found("{\"token\":\"a\\r\\nx: y\"}", "/token"), none);
    }
}
