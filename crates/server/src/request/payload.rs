//! A JSON body, read after the caller's rights are checked, so that a stranger learns nothing from
//! how a body is refused.

use crate::{
    limits::JSON_DEPTH_MAX,
    listen::timed_body::is_too_slow,
    problem::{Problem, ProblemCode},
};
use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::{StatusCode, header},
};
use serde::de::DeserializeOwned;
use std::marker::PhantomData;

pub(crate) struct Payload<T> {
    bytes: Bytes,
    is_json: bool,
    kind: PhantomData<fn() -> T>,
}

impl<S: Send + Sync, T> FromRequest<S> for Payload<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let content_type = request.headers().get(header::CONTENT_TYPE);
        let essence = content_type.and_then(|v| v.to_str().ok()).unwrap_or_default();
        let essence = essence.split(';').next().unwrap_or_default().trim();
        let is_json = essence.eq_ignore_ascii_case("application/json");
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| {
            if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
                Problem::new(ProblemCode::BodyTooLarge)
            } else {
                broken_off(&rejection)
            }
        })?;
        Ok(Self { bytes, is_json, kind: PhantomData })
    }
}

/// A body that did not come to its end.
fn broken_off(error: &(dyn std::error::Error + 'static)) -> Problem {
    if is_too_slow(error) {
        return ProblemCode::RequestTimeout.into();
    }
    Problem::new(ProblemCode::InvalidJson).with("reason", "the body broke off")
}

impl<T: DeserializeOwned> Payload<T> {
    pub(crate) fn read(&self) -> Result<T, Problem> {
        if !self.is_json {
            return Err(ProblemCode::UnsupportedMediaType.into());
        }
        if depth(&self.bytes) > JSON_DEPTH_MAX {
            let reason = format!("nested deeper than `{JSON_DEPTH_MAX}`");
            return Err(Problem::new(ProblemCode::InvalidJson).with("reason", reason));
        }
        let mut reader = serde_json::Deserializer::from_slice(&self.bytes);
        let document = serde_path_to_error::deserialize(&mut reader).map_err(refusal)?;
        reader.end().map_err(|error| syntax(&error))?;
        Ok(document)
    }
}

fn refusal(error: serde_path_to_error::Error<serde_json::Error>) -> Problem {
    let path = error.path().to_string();
    let inner = error.into_inner();
    match inner.classify() {
        serde_json::error::Category::Data => {
            let (field, reason) = named(&path, &inner.to_string());
            Problem::field(&field, reason)
        }
        serde_json::error::Category::Syntax
        | serde_json::error::Category::Eof
        | serde_json::error::Category::Io => syntax(&inner),
    }
}

fn syntax(error: &serde_json::Error) -> Problem {
    Problem::new(ProblemCode::InvalidJson).with("line", error.line()).with("column", error.column())
}

/// The field's whole path, and a reason that repeats no value of the body.
fn named(path: &str, message: &str) -> (String, String) {
    let quoted = message.split('`').nth(1).unwrap_or_default();
    let beside = |name: &str| match path {
        "." => name.to_owned(),
        path if path == name || path.ends_with(&format!(".{name}")) => path.to_owned(),
        path => format!("{path}.{name}"),
    };
    if message.starts_with("unknown field") {
        (beside(quoted), "unknown field".to_owned())
    } else if message.starts_with("missing field") {
        (beside(quoted), "missing".to_owned())
    } else if message.starts_with("duplicate field") {
        (beside(quoted), "given twice".to_owned())
    } else if let Some((_, expected)) = message.rsplit_once("expected ") {
        let expected = expected.split(" at line ").next().unwrap_or_default();
        (path.to_owned(), format!("expected {expected}"))
    } else {
        (path.to_owned(), "not valid".to_owned())
    }
}

/// How deep arrays and objects nest, read without building anything.
fn depth(bytes: &[u8]) -> usize {
    let (mut now, mut most, mut quoted, mut escaped) = (0_usize, 0, false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'[' | b'{' if !quoted => {
                now += 1;
                most = most.max(now);
            }
            b']' | b'}' if !quoted => now = now.saturating_sub(1),
            _ => {}
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        #[expect(dead_code, reason = "only its presence is read")]
        size: u32,
    }
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        #[expect(dead_code, reason = "only its presence is read")]
        inner: Inner,
    }

    fn refused(body: &str) -> (ProblemCode, String) {
        let bytes = Bytes::copy_from_slice(body.as_bytes());
        let payload = Payload::<Outer> { bytes, is_json: true, kind: PhantomData };
        let problem = payload.read().expect_err("refused");
        (problem.code(), serde_json::to_string(&problem.params()).expect("json"))
    }

    #[test]
    fn a_refused_field_is_named_with_its_path() {
        let field = ProblemCode::InvalidField;
        let check = |body, name: &str, reason: &str| {
            let params = format!(r#"{{"field":"{name}","reason":"{reason}"}}"#);
            assert_eq!(refused(body), (field, params));
        };
        check(r#"{"inner":{"size":1,"colour":2}}"#, "inner.colour", "unknown field");
        check(r#"{"inner":{}}"#, "inner.size", "missing");
        check(r#"{"inner":{"size":1,"size":2}}"#, "inner.size", "given twice");
        check(r#"{"inner":{"size":"hunter2"}}"#, "inner.size", "expected u32");
        check("{}", "inner", "missing");
    }

    #[test]
    fn depth_and_syntax_are_bounded() {
        let deep = format!("{}{}", "[".repeat(65), "]".repeat(65));
        assert_eq!(refused(&deep).0, ProblemCode::InvalidJson);
        assert_eq!(refused("{\"inner\":{\"size\":1}} {}").0, ProblemCode::InvalidJson);
        assert_eq!(depth(br#"["[[[\"[", {"a": []}]"#), 3);
    }
}
