//! Address and headers of the collector.

use crate::config::TelemetrySettings;
use crate::secret::{self, SecretError};
use secrecy::ExposeSecret as _;
use std::collections::HashMap;
use std::fmt;
use wiiiv_net::{Origin, OriginFormat, Url};

/// The standard variable, where our own key is empty.
const VARIABLE: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const TRACES: &str = "v1/traces";
const METRICS: &str = "v1/metrics";

#[derive(Debug, thiserror::Error)]
pub enum DestinationError {
    /// It is not quoted: what cannot be read as an address may hold a password.
    #[error("{from} is no address such as `http://127.0.0.1:4318`")]
    NoUrl { from: &'static str },
    #[error("{from}: {reason}; secrets go into the file that `telemetry.headers_file` names")]
    Origin { from: &'static str, reason: OriginFormat },
    #[error("{from}: the address has a query or a fragment; leave them out")]
    Query { from: &'static str },
    #[error(transparent)]
    Secret(#[from] SecretError),
    #[error("`telemetry.headers_file`: line `{line}` is not `name: value`")]
    Header { line: usize },
}

/// Debug shows no header.
pub struct Destination {
    pub origin: Origin,
    pub traces: Url,
    pub metrics: Url,
    pub headers: HashMap<String, String>,
}

impl fmt::Debug for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Destination").field("origin", &self.origin).finish_non_exhaustive()
    }
}

impl Destination {
    /// `None`: nothing is sent anywhere.
    pub fn of(settings: &TelemetrySettings) -> Result<Option<Self>, DestinationError> {
        let standard = std::env::var(VARIABLE).unwrap_or_default();
        let (from, text) = match settings.otlp_endpoint.trim() {
            "" => (VARIABLE, standard.trim()),
            own => ("`telemetry.otlp_endpoint`", own),
        };
        if text.is_empty() {
            return Ok(None);
        }
        let base = base(from, text)?;
        let origin =
            Origin::of(&base).map_err(|reason| DestinationError::Origin { from, reason })?;
        let below = |path: &str| base.join(path).map_err(|_| DestinationError::NoUrl { from });
        let (traces, metrics) = (below(TRACES)?, below(METRICS)?);
        Ok(Some(Self { origin, traces, metrics, headers: headers(settings)? }))
    }
}

/// Ends with a slash, so that what is joined stands below it.
fn base(from: &'static str, text: &str) -> Result<Url, DestinationError> {
    let slashed = format!("{}/", text.trim_end_matches('/'));
    let url = Url::parse(&slashed);
    let url = url.map_err(|_| DestinationError::NoUrl { from })?;
    if url.query().is_some() || url.fragment().is_some() {
        return Err(DestinationError::Query { from });
    }
    Ok(url)
}

fn headers(settings: &TelemetrySettings) -> Result<HashMap<String, String>, DestinationError> {
    if settings.headers_file.as_os_str().is_empty() {
        return Ok(HashMap::new());
    }
    let text = secret::from_private_file(&settings.headers_file)?;
    read(text.expose_secret())
}

fn read(text: &str) -> Result<HashMap<String, String>, DestinationError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let header = |(at, line): (usize, &str)| {
        let (name, value) =
            line.split_once(':').ok_or(DestinationError::Header { line: at + 1 })?;
        Ok((name.trim().to_lowercase(), value.trim().to_owned()))
    };
    lines.map(header).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_added_below_the_address() {
        for (text, traces) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            ("https://otel.example/team/", "https://otel.example/team/v1/traces"),
        ] {
            assert_eq!(base("x", text).unwrap().join(TRACES).unwrap().as_str(), traces);
        }
        let refused = base("x", "//user:CANARY@collector").unwrap_err();
        assert_eq!(refused.to_string(), "x is no address such as `http://127.0.0.1:4318`");
        assert!(matches!(base("x", "http://a/?key=1"), Err(DestinationError::Query { .. })));
    }

    #[test]
    fn headers_stand_one_a_line() {
        let headers = read("Authorization: Bearer a:b\n\n x-team : one \n").unwrap();
        assert_eq!(headers.get("authorization").map(String::as_str), Some("Bearer a:b"));
        assert_eq!(headers.get("x-team").map(String::as_str), Some("one"));
        let refused = read("x: 1\nCANARY").unwrap_err();
        assert_eq!(refused.to_string(), "`telemetry.headers_file`: line `2` is not `name: value`");
    }
}
