//! The form for missing values of a request.

use super::mirror::mirror;
use serde::Serialize;
use serde_json::{Number, Value};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{FieldKind, FieldPlace, FormField, RequestForm};

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FormView {
    /// Named by the answer.
    pub task: Uuid,
    pub system: String,
    /// The operation's id.
    pub operation: String,
    pub fields: Vec<FieldView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FieldView {
    pub place: PlaceName,
    /// Empty: the whole body.
    pub name: String,
    /// What the registration calls it; may be empty.
    pub label: String,
    pub kind: FieldKindName,
    pub required: bool,
    /// The only values that it takes, where they are named.
    #[schema(value_type = Vec<Object>)]
    pub choices: Vec<Value>,
    /// What is known already; `null` where nothing is. An integer past 2^53 - 1 is its text, and may
    /// be sent as such.
    #[schema(value_type = Option<Object>)]
    pub value: Option<Value>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PlaceName {
    Path,
    Query,
    Body,
}

mirror!(FieldPlace => PlaceName: Path, Query, Body);

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FieldKindName {
    Text,
    Integer,
    Number,
    Boolean,
    /// Anything else, as JSON.
    Json,
}

mirror!(FieldKind => FieldKindName: Text, Integer, Number, Boolean, Json);

impl FormView {
    pub(crate) fn of(form: &RequestForm) -> Self {
        Self {
            task: form.task.uuid(),
            system: form.system.to_string(),
            operation: form.operation.clone(),
            fields: form.fields.iter().map(FieldView::of).collect(),
        }
    }
}

impl FieldView {
    fn of(field: &FormField) -> Self {
        Self {
            place: field.place.into(),
            name: field.name.clone(),
            label: field.label.clone(),
            kind: field.kind.into(),
            required: field.required,
            choices: field.choices.clone(),
            value: field.value.clone().map(exact),
        }
    }
}

/// The greatest integer up to which a browser's numbers are all there are.
const EXACT_MAX: u64 = (1 << 53) - 1;

fn exact(value: Value) -> Value {
    let is_past = |number: &Number| {
        let size = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
        size.is_some_and(|size| size > EXACT_MAX)
    };
    match value {
        Value::Number(number) if is_past(&number) => Value::String(number.to_string()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::exact;
    use serde_json::json;

    #[test]
    fn no_integer_is_shown_as_another_one() {
        for (value, shown) in [
            (json!(9_007_199_254_740_993_u64), json!("9007199254740993")),
            (json!(-9_007_199_254_740_993_i64), json!("-9007199254740993")),
            (json!(9_007_199_254_740_991_u64), json!(9_007_199_254_740_991_u64)),
            (json!(1.5), json!(1.5)),
            (json!("7"), json!("7")),
        ] {
            assert_eq!(exact(value), shown);
        }
    }
}
