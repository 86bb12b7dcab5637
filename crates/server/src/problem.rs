//! RFC 9457 problems: a stable code, its parameters, and advice.

mod advice;
mod code;
mod korean;
pub(crate) mod refusal;
mod render;

pub(crate) use advice::WANTED;
use axum::{
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
pub use code::ProblemCode;
pub(crate) use render::problems;
use serde_json::{Map, Value};

const RETRY_AFTER_SECONDS: &str = "retry_after_seconds";

/// Why a request was not served. Holds no secret and no text of people or models.
#[derive(Debug, Clone)]
pub struct Problem {
    code: ProblemCode,
    params: Map<String, Value>,
}

impl Problem {
    #[must_use]
    pub fn new(code: ProblemCode) -> Self {
        Self { code, params: Map::new() }
    }
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.params.insert(name.to_owned(), value.into());
        self
    }
    /// A field of a body, query or header that does not fit.
    #[must_use]
    pub fn field(name: &str, reason: impl Into<String>) -> Self {
        Self::new(ProblemCode::InvalidField).with("field", name).with("reason", reason.into())
    }
    /// When it may be tried again; said in `Retry-After` as well.
    #[must_use]
    pub(crate) fn retry_after(self, seconds: u64) -> Self {
        self.with(RETRY_AFTER_SECONDS, seconds)
    }
    #[must_use]
    pub const fn params(&self) -> &Map<String, Value> {
        &self.params
    }
    #[must_use]
    pub const fn code(&self) -> ProblemCode {
        self.code
    }
}

impl From<ProblemCode> for Problem {
    fn from(code: ProblemCode) -> Self {
        Self::new(code)
    }
}

/// The body is written by [`problems`], which knows the client's language and the trace.
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.code.status().into_response();
        if let Some(seconds) = self.params.get(RETRY_AFTER_SECONDS).and_then(Value::as_u64) {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(self);
        response
    }
}
