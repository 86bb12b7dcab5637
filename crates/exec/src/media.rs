//! Media types of outputs.

pub(crate) const JSON: &str = "application/json";
/// One JSON text a line.
pub(crate) const JSON_LINES: &str = "application/x-ndjson";
const TEXT: &str = "text/plain; charset=utf-8";
pub(crate) const BYTES: &str = "application/octet-stream";

/// Of a file: by its name where that says JSON and its bytes agree, else by the bytes alone.
pub(crate) fn of_file(name: &str, bytes: &[u8]) -> &'static str {
    let is_json = || serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok();
    if name.to_lowercase().ends_with(".json") && is_json() {
        JSON
    } else if std::str::from_utf8(bytes).is_ok() {
        TEXT
    } else {
        BYTES
    }
}
