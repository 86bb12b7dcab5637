//! Request bodies of registered operations, and the form that asks a person for missing values.

use crate::{id::TaskId, system_name::SystemName};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The schema of one body, in bytes of JSON.
pub const BODY_SCHEMA_BYTES_MAX: usize = 16 * 1024;
/// Fields of one form; a body with more is asked for as one JSON text.
pub const FORM_FIELDS_MAX: usize = 64;

/// The body that an operation takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequestBody {
    /// Whether a request without a body is refused.
    #[serde(default)]
    pub required: bool,
    /// Content type; a plan can send JSON only.
    #[serde(default = "json")]
    pub media_type: String,
    /// JSON Schema without references; `true` takes any JSON.
    #[serde(default = "any")]
    pub schema: Value,
}

fn json() -> String {
    "application/json".to_owned()
}

const fn any() -> Value {
    Value::Bool(true)
}

impl RequestBody {
    /// True for `application/json`, `*/*` and types that end with `+json`.
    #[must_use]
    pub fn is_json(&self) -> bool {
        let kind = self.media_type.split(';').next().unwrap_or_default().trim();
        matches!(kind, "application/json" | "*/*" | "application/*") || kind.ends_with("+json")
    }
}

/// Where a value of a form goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FieldPlace {
    /// A segment of the path.
    Path,
    /// A pair of the query.
    Query,
    /// A member of the body's object; without a name the whole body.
    Body,
}

/// How a value is typed in. What is sent is checked against the operation's own schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FieldKind {
    /// Any text.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Anything else, as JSON.
    Json,
}

/// One field of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FormField {
    /// The part of the request that the value goes into.
    pub place: FieldPlace,
    /// Empty: the whole body.
    pub name: String,
    /// How it is typed in.
    pub kind: FieldKind,
    /// Whether it must be filled in.
    pub required: bool,
    /// The registration's label.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The only allowed values, if they are listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Value>,
    /// The value so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

/// One form for all that a request lacks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequestForm {
    /// The task that asks; an answer to another task is refused.
    pub task: TaskId,
    /// The registered system that the request is for.
    pub system: SystemName,
    /// The operation's id.
    pub operation: String,
    /// What to ask for, in order.
    pub fields: Vec<FormField>,
}

/// A person's answers to a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormAnswer {
    /// The task whose form it is.
    pub task: TaskId,
    /// Values by name of the path parameter.
    pub path: Map<String, Value>,
    /// Values by name of the query parameter.
    pub query: Map<String, Value>,
    /// Members of the body's object, or the whole body.
    pub body: Option<Value>,
}
