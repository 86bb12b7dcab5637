//! Judges a file of the workspace.

use super::{
    compare::{Difference, shortened, shortened_json},
    window::Window,
};
use crate::{merge::same, scenario::FileFact};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::Path;

/// `beside`: the folder with `json_file` and `rows_file`.
pub(super) fn file(fact: &FileFact, window: &Window, beside: &Path) -> Difference {
    let path = &fact.path;
    let bytes = window.files.get(path);
    let (expected, seen) = match bytes {
        None if fact.absent => return None,
        None => ("there".into(), "absent".into()),
        Some(_) if fact.absent => ("absent".into(), "there".into()),
        Some(bytes) => content(fact, bytes, beside)?,
    };
    Some((json!({ "path": path, "is": expected }), json!({ "path": path, "is": seen })))
}

fn content(fact: &FileFact, bytes: &[u8], beside: &Path) -> Difference {
    let content = String::from_utf8_lossy(bytes);
    let seen = || Value::from(shortened(&content));
    if let Some(expected) = &fact.text {
        let same = bytes == expected.as_bytes();
        return (!same).then(|| (shortened(expected).into(), seen()));
    }
    if let Some(part) = &fact.contains {
        return (!content.contains(part.as_str())).then(|| (json!({ "contains": part }), seen()));
    }
    if let Some(part) = &fact.lacks {
        return content.contains(part.as_str()).then(|| (json!({ "lacks": part }), seen()));
    }
    let Ok(json) = serde_json::from_slice::<Value>(bytes) else {
        return Some(("JSON".into(), seen()));
    };
    match json_or_rows(fact, &json, beside) {
        Ok(differs) => differs,
        Err(why) => Some((why.into(), Value::Null)),
    }
}

/// Compares the file as JSON, or as rows of values.
fn json_or_rows(fact: &FileFact, seen: &Value, beside: &Path) -> Result<Difference, String> {
    let rows = match (&fact.rows, &fact.rows_file) {
        (Some(rows), _) => Some(rows.clone()),
        (None, Some(name)) => Some(read(beside, name)?),
        (None, None) => None,
    };
    if let Some(rows) = rows {
        let fits = are_rows(seen, &rows);
        return Ok(
            (!fits).then(|| (shortened_json(&json!({ "rows": rows })), shortened_json(seen)))
        );
    }
    let expected = match &fact.json_file {
        Some(name) => read(beside, name)?,
        None => fact.json.clone().unwrap_or_default(),
    };
    let fits = same(seen, &expected);
    Ok((!fits).then(|| (shortened_json(&expected), shortened_json(seen))))
}

fn read<T: DeserializeOwned>(beside: &Path, name: &str) -> Result<T, String> {
    let message = |error: &dyn std::fmt::Display| format!("`{name}`: {error}");
    let bytes = std::fs::read(beside.join(name)).map_err(|error| message(&error))?;
    serde_json::from_slice(&bytes).map_err(|error| message(&error))
}

/// Whether each entry has a row of its own with its values, and no row is left over.
fn are_rows(seen: &Value, entries: &[Vec<Value>]) -> bool {
    let mut rows = rows(seen);
    let mut has_row = |entry: &Vec<Value>| {
        let holds = |row: &Vec<Value>| entry.iter().all(|v| row.iter().any(|own| same(own, v)));
        let at = rows.iter().position(holds);
        at.map(|at| rows.swap_remove(at)).is_some()
    };
    entries.iter().all(&mut has_row) && rows.is_empty()
}

/// The values of each row. A member of an object is a row, and its name is one of the values.
fn rows(seen: &Value) -> Vec<Vec<Value>> {
    match seen {
        Value::Array(rows) => rows.iter().map(leaves).collect(),
        Value::Object(members) => {
            let named = |(name, row): (&String, &Value)| {
                let name = Value::from(name.as_str());
                std::iter::once(name).chain(leaves(row)).collect()
            };
            members.iter().map(named).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

fn leaves(row: &Value) -> Vec<Value> {
    match row {
        Value::Array(items) => items.iter().flat_map(leaves).collect(),
        Value::Object(members) => members.values().flat_map(leaves).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => vec![row.clone()],
    }
}
