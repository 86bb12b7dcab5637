//! Bodies that fit, made of the API description.

use serde_json::{Map, Value, json};
use wiiiv_server::openapi_json;

/// Of every operation that takes one.
pub struct Bodies(Value);

/// Schemas may name each other in a circle; nothing of ours is nested as deep.
const DEPTH_MAX: usize = 12;

impl Bodies {
    pub fn new() -> Self {
        Self(serde_json::from_str(openapi_json()).unwrap())
    }

    /// What the description asks for and no more; `None`: it takes no body.
    pub fn of(&self, method: &str, template: &str) -> Option<Value> {
        let operation = &self.0["paths"][template][method.to_lowercase()];
        let content = operation["requestBody"]["content"].as_object()?;
        let schema = &content.values().next()?["schema"];
        let mut body = self.sample("", schema, 0);
        if template == "/erasures" {
            // One of two names is needed, which a schema of fields does not say.
            body["project"] = json!(uuid::Uuid::now_v7());
        }
        if template.ends_with("/approval-delegations") {
            body["until"] = json!(crate::test_server::now().plus_seconds(60));
        }
        Some(body)
    }

    fn sample(&self, name: &str, schema: &Value, depth: usize) -> Value {
        if depth > DEPTH_MAX {
            return Value::Null;
        }
        if let Some(named) = schema["$ref"].as_str() {
            let pointer = named.trim_start_matches('#');
            let schema = self.0.pointer(pointer).expect("a schema that is there").clone();
            return self.sample(name, &schema, depth + 1);
        }
        let first = |list: &Value| {
            let some = list.as_array()?.iter().find(|one| one["type"] != "null");
            some.map(|one| self.sample(name, one, depth + 1))
        };
        if let Some(sample) = first(&schema["oneOf"]).or_else(|| first(&schema["anyOf"])) {
            return sample;
        }
        if let Some(one) = schema["enum"].as_array().and_then(|list| list.first()) {
            return one.clone();
        }
        let parts = schema["allOf"].as_array();
        if let Some(parts) = parts {
            let parts = parts.iter().map(|part| self.sample(name, part, depth + 1));
            let fields = parts.filter_map(|part| part.as_object().cloned()).flatten();
            return Value::Object(fields.collect());
        }
        self.plain(name, schema, depth)
    }

    fn plain(&self, name: &str, schema: &Value, depth: usize) -> Value {
        let kind = match &schema["type"] {
            Value::Array(kinds) => kinds.first().cloned().unwrap_or_default(),
            kind => kind.clone(),
        };
        match kind.as_str().unwrap_or("object") {
            "string" => json!(text(name, schema)),
            "integer" | "number" => schema["minimum"].as_i64().unwrap_or(1).into(),
            "boolean" => json!(false),
            "array" => json!([]),
            "null" => Value::Null,
            _ => {
                let required = schema["required"].as_array().into_iter().flatten();
                let mut names: Vec<&str> = required.filter_map(Value::as_str).collect();
                if names.is_empty() {
                    // Nothing at all would change nothing.
                    let all = schema["properties"].as_object().into_iter().flatten();
                    let texts = all.filter(|(_, of)| is_text(of)).map(|(name, _)| name.as_str());
                    names.extend(texts);
                }
                let field = |name: &str| {
                    let value = self.sample(name, &schema["properties"][name], depth + 1);
                    (name.to_owned(), value)
                };
                Value::Object(names.into_iter().map(field).collect::<Map<_, _>>())
            }
        }
    }
}

fn is_text(schema: &Value) -> bool {
    match &schema["type"] {
        Value::Array(kinds) => kinds.first().is_some_and(|kind| kind == "string"),
        kind => kind == "string",
    }
}

fn text(name: &str, schema: &Value) -> String {
    match (name, schema["format"].as_str()) {
        ("digest", _) => "0".repeat(64),
        // Of RFC 8032, test 1.
        ("public_key", _) => {
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a".to_owned()
        }
        ("slot", _) => "governor".to_owned(),
        ("secret", _) => "sk-0123456789abcdef".to_owned(),
        ("baseUrl" | "base_url" | "url", _) => "http://127.0.0.1:9".to_owned(),
        (_, Some("uuid")) => uuid::Uuid::now_v7().to_string(),
        (_, Some("date-time")) => "2026-01-01T00:00:00Z".to_owned(),
        _ => "a-long-text-that-fits".to_owned(),
    }
}
