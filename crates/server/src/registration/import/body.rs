//! The body of an operation with its schema's references resolved, so that a plan is checked
//! without the document.

use super::{ImportError, Reader};
use serde_json::{Map, Value, json};
use std::cell::Cell;
use wiiiv_domain::{BODY_SCHEMA_BYTES_MAX, HttpMethod, RequestBody};

/// References are followed so deep; tried from the first on until the schema is short enough.
const DEPTHS: [usize; 5] = [12, 6, 3, 1, 0];
/// What constrains a value, without a schema in it.
const KEPT: [&str; 20] = [
    "type",
    "enum",
    "const",
    "format",
    "pattern",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "required",
    "title",
    "nullable",
];

impl Reader<'_> {
    /// `None`: the document says nothing of one, or the method takes none.
    pub(super) fn body(
        &self,
        method: HttpMethod,
        described: &Map<String, Value>,
    ) -> Result<Option<RequestBody>, ImportError> {
        let Some(body) = described.get("requestBody").filter(|_| !method.is_safe()) else {
            return Ok(None);
        };
        let body = found(self.document, body);
        let body = body.ok_or_else(|| self.fault("its body's `$ref` leads nowhere"))?;
        let required = body.get("required").and_then(Value::as_bool).unwrap_or_default();
        // Without a media type nothing is known of it.
        let content = body.get("content").and_then(Value::as_object);
        let Some(content) = content else { return Ok(None) };
        let of = |kind: &String| RequestBody {
            required,
            media_type: kind.clone(),
            schema: Value::Bool(true),
        };
        let all: Vec<RequestBody> = content.keys().map(of).collect();
        let chosen = all.iter().find(|body| body.is_json()).or_else(|| all.first());
        let Some(mut chosen) = chosen.cloned() else { return Ok(None) };
        let schema = content.get(&chosen.media_type).and_then(|of| of.get("schema"));
        if let Some(schema) = schema.filter(|_| chosen.is_json()) {
            chosen.schema = written_out(self.document, schema);
        }
        if !wiiiv_hlx::is_schema(&chosen.schema) {
            return Err(self.fault("the schema of its body is no JSON Schema"));
        }
        Ok(Some(chosen))
    }
}

/// What cannot be told in so many bytes is left to the service.
fn written_out(document: &Value, schema: &Value) -> Value {
    let mut tried = DEPTHS.into_iter().filter_map(|depth| {
        let writer = Writer { document, left: Cell::new(BODY_SCHEMA_BYTES_MAX) };
        writer.schema(schema, depth)
    });
    let fits = |schema: &Value| schema.to_string().len() <= BODY_SCHEMA_BYTES_MAX;
    tried.find(fits).unwrap_or(Value::Bool(true))
}

/// Where a reference leads; what is none is there already.
fn found<'v>(document: &'v Value, value: &'v Value) -> Option<&'v Value> {
    let Some(reference) = value.get("$ref") else { return Some(value) };
    document.pointer(reference.as_str()?.strip_prefix('#')?)
}

/// INVARIANT: it writes no more than `left` bytes, however often a schema is referred to.
struct Writer<'a> {
    document: &'a Value,
    left: Cell<usize>,
}

impl Writer<'_> {
    /// `depth`: references that may still be followed below. `None`: it grows too long.
    fn schema(&self, schema: &Value, depth: usize) -> Option<Value> {
        self.spend(8)?;
        let Some(object) = schema.as_object() else { return Some(Value::Bool(true)) };
        if object.contains_key("$ref") {
            let there = found(self.document, schema).filter(|_| depth > 0);
            return match there {
                Some(there) => self.schema(there, depth - 1),
                None => Some(Value::Bool(true)),
            };
        }
        let mut written = Map::new();
        for (key, value) in object {
            let told = match key.as_str() {
                "properties" => self.members(value, depth)?,
                "allOf" | "anyOf" | "oneOf" | "prefixItems" => self.list(value, depth)?,
                "additionalProperties" if value.is_boolean() => value.clone(),
                "items" | "additionalProperties" | "not" => self.schema(value, depth)?,
                name if KEPT.contains(&name) => self.kept(value)?,
                _ => continue,
            };
            self.spend(key.len())?;
            written.insert(key.clone(), told);
        }
        without_read_only(object, &mut written);
        of_openapi_3_0(&mut written);
        Some(Value::Object(written))
    }

    fn members(&self, members: &Value, depth: usize) -> Option<Value> {
        let members = members.as_object().into_iter().flatten();
        let written = members.map(|(name, of)| {
            self.spend(name.len())?;
            Some((name.clone(), self.schema(of, depth)?))
        });
        Some(Value::Object(written.collect::<Option<_>>()?))
    }

    fn list(&self, list: &Value, depth: usize) -> Option<Value> {
        let list = list.as_array().into_iter().flatten();
        Some(Value::Array(list.map(|of| self.schema(of, depth)).collect::<Option<_>>()?))
    }

    fn kept(&self, value: &Value) -> Option<Value> {
        match value {
            Value::String(text) => self.spend(text.len())?,
            Value::Array(values) => {
                for value in values {
                    self.kept(value)?;
                }
            }
            Value::Object(members) => {
                for value in members.values() {
                    self.kept(value)?;
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => self.spend(1)?,
        }
        Some(value.clone())
    }

    fn spend(&self, bytes: usize) -> Option<()> {
        self.left.set(self.left.get().checked_sub(bytes)?);
        Some(())
    }
}

/// A member that only an answer has is neither sent nor needed.
fn without_read_only(described: &Map<String, Value>, written: &mut Map<String, Value>) {
    let members = described.get("properties").and_then(Value::as_object);
    let read_only = |of: &Value| of.get("readOnly") == Some(&Value::Bool(true));
    let gone = members.into_iter().flatten().filter(|(_, of)| read_only(of));
    let names: Vec<&String> = gone.map(|(name, _)| name).collect();
    if let Some(Value::Object(members)) = written.get_mut("properties") {
        members.retain(|name, _| !names.contains(&name));
    }
    if let Some(Value::Array(required)) = written.get_mut("required") {
        required.retain(|name| !names.iter().any(|gone| name == gone.as_str()));
    }
}

/// OpenAPI 3.0 says in words of its own what JSON Schema says otherwise.
fn of_openapi_3_0(schema: &mut Map<String, Value>) {
    if schema.remove("nullable") == Some(Value::Bool(true)) {
        if let Some(kind @ Value::String(_)) = schema.get_mut("type") {
            *kind = json!([kind.take(), "null"]);
        }
        if let Some(Value::Array(values)) = schema.get_mut("enum") {
            values.push(Value::Null);
        }
    }
    for (exclusive, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        let Some(Value::Bool(is_exclusive)) = schema.get(exclusive).cloned() else { continue };
        schema.remove(exclusive);
        if let Some(bound) = is_exclusive.then(|| schema.remove(bound)).flatten() {
            schema.insert(exclusive.to_owned(), bound);
        }
    }
}
