//! Every key, its value and its source. Secrets are masked.

use super::schema::is_secret;
use super::sources::Loaded;
use serde::Serialize;
use serde_json::Value;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConfigRow {
    pub key: String,
    pub value: Value,
    pub origin: String,
}

/// Keys that are set, in order of name. A master key is secret in every part.
pub fn shown(loaded: &Loaded) -> Vec<ConfigRow> {
    let row = |key: &str| {
        let found = loaded.figment.find_value(key).ok()?;
        let value =
            if is_secret(key) { Value::from("****") } else { serde_json::to_value(&found).ok()? };
        Some(ConfigRow { key: key.to_owned(), value, origin: loaded.origin(key) })
    };
    loaded.schema.keys().filter_map(row).collect()
}
