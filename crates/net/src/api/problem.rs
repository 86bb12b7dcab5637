//! RFC 9457 problem documents of the REST API.

use serde_json::{Map, Value};

/// What went wrong, with a code that clients translate.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    pub status: u16,
    pub code: String,
    pub title: String,
    pub detail: Option<String>,
    pub suggestion: Option<String>,
    pub params: Map<String, Value>,
    pub trace_id: Option<String>,
}

/// Where an answer has no problem document, as from a proxy in between.
const CODE_UNKNOWN: &str = "UNKNOWN";

impl Problem {
    /// Reads as much as there is: a client must be able to say something about any error.
    pub(crate) fn read(status: u16, body: &[u8]) -> Self {
        let body = serde_json::from_slice::<Value>(body).unwrap_or_default();
        let text = |name: &str| body.get(name).and_then(Value::as_str).map(str::to_owned);
        Self {
            status,
            code: text("code").unwrap_or_else(|| CODE_UNKNOWN.to_owned()),
            title: text("title").unwrap_or_else(|| format!("the server answered `{status}`")),
            detail: text("detail"),
            suggestion: text("suggestion"),
            params: body.get("params").and_then(Value::as_object).cloned().unwrap_or_default(),
            trace_id: text("trace_id"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Problem;

    #[test]
    fn reads_all_members() {
        let body = json!({
            "type": "https://wiiiv.dev/problems/host-not-allowed",
            "status": 403,
            "code": "HOST_NOT_ALLOWED",
            "title": "host not allowed",
            "detail": "`a.test` is not on the list",
            "suggestion": "ask an administrator",
            "params": {"host": "a.test"},
            "trace_id": "t-1",
        });
        let problem = Problem::read(403, body.to_string().as_bytes());
        assert_eq!((problem.status, problem.code.as_str()), (403, "HOST_NOT_ALLOWED"));
        assert_eq!(problem.params["host"], "a.test");
        assert_eq!(problem.suggestion.as_deref(), Some("ask an administrator"));
        assert_eq!(problem.trace_id.as_deref(), Some("t-1"));
    }

    #[test]
    fn says_something_about_any_body() {
        for body in ["", "<html>", "[]", "null", "{\"code\":7}"] {
            let problem = Problem::read(502, body.as_bytes());
            assert_eq!((problem.status, problem.code.as_str()), (502, "UNKNOWN"));
            assert_eq!(problem.title, "the server answered `502`");
        }
    }
}
