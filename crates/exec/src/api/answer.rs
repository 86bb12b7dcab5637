//! Turns a service's answer into a step's outcome.

use super::redact::Secrets;
use crate::{
    executor::StepReport,
    fault::{contract, failure},
    media,
};
use std::time::SystemTime;
use wiiiv_domain::{FailureCategory, StepFailure};
use wiiiv_net::ToolResponse;

/// A media type, in characters; a longer one is no media type.
const MEDIA_CHARS_MAX: usize = 200;

/// Nothing of what comes back names a secret that went out.
pub(super) fn report(
    response: &ToolResponse,
    secrets: &Secrets,
) -> Result<StepReport, StepFailure> {
    succeeded(response)?;
    let named = response.header("content-type").map(str::trim);
    let media_type = named.filter(|kind| !kind.is_empty() && kind.len() <= MEDIA_CHARS_MAX);
    let media_type = secrets.redact(media_type.unwrap_or(media::BYTES).as_bytes());
    let media_type = String::from_utf8(media_type).unwrap_or_else(|_| media::BYTES.to_owned());
    let body = secrets.redact(&response.body);
    Ok(StepReport::success(body, media_type, true, Some(response.status)))
}

pub(crate) fn succeeded(response: &ToolResponse) -> Result<(), StepFailure> {
    if !(200..300).contains(&response.status) {
        return Err(refused(response));
    }
    if response.body.is_empty() || is_plain(response) { Ok(()) } else { Err(encoded()) }
}

/// No encoding is asked for, and none is taken: what is packed may be of any size.
fn is_plain(response: &ToolResponse) -> bool {
    let named = response.header("content-encoding").unwrap_or_default();
    named
        .split(',')
        .map(str::trim)
        .all(|one| one.is_empty() || one.eq_ignore_ascii_case("identity"))
}

/// It has done what was asked all the same.
fn encoded() -> StepFailure {
    contract("ANSWER_ENCODED", "the answer is compressed although that was not asked for")
}

/// The service has answered, so that it is known what it did: nothing of its text is repeated.
fn refused(response: &ToolResponse) -> StepFailure {
    let category = match response.status {
        404 | 410 => FailureCategory::ResourceNotFound,
        401 | 403 | 407 => FailureCategory::PermissionDenied,
        408 | 425 | 429 | 500..=599 => FailureCategory::ExternalServiceError,
        _ => FailureCategory::ContractViolation,
    };
    let message = format!("the service answered with status `{}`", response.status);
    let retry_after_ms = response.header("retry-after").and_then(retry_after_ms);
    let status = Some(response.status);
    StepFailure { retry_after_ms, status, ..failure(category, "HTTP_STATUS", message) }
}

/// RFC 9110 10.2.3: seconds, or a date.
fn retry_after_ms(text: &str) -> Option<u64> {
    if let Ok(seconds) = text.trim().parse::<u64>() {
        return Some(seconds.saturating_mul(1000));
    }
    let at = httpdate::parse_http_date(text.trim()).ok()?;
    let wait = at.duration_since(SystemTime::now()).unwrap_or_default();
    u64::try_from(wait.as_millis()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        assert_eq!(retry_after_ms("3"), Some(3000));
        assert_eq!(retry_after_ms("soon"), None);
        assert_eq!(retry_after_ms("Sun, 06 Nov 1994 08:49:37 GMT"), Some(0));
        let later = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(100));
        let wait = retry_after_ms(&later).expect("a date");
        assert!((95_000..=100_000).contains(&wait), "{wait}");
    }
}
