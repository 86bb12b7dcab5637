//! Reads operations from an OpenAPI 3 document; nothing is fetched.
//!
//! Labels come from `x-labels`, an array in any languages, else from the summary. `x-reads` and
//! `x-idempotent` declare what an operation's method does not. The document's `servers` are
//! ignored: the administrator registers the address.

mod body;

use serde_json::{Map, Value};
use std::collections::BTreeSet;
use wiiiv_domain::{
    HttpMethod, LABEL_CHARS_MAX, OPERATIONS_MAX, Operation, Parameter, ParameterPlace,
};

const METHODS: [(&str, HttpMethod); 6] = [
    ("get", HttpMethod::Get),
    ("head", HttpMethod::Head),
    ("post", HttpMethod::Post),
    ("put", HttpMethod::Put),
    ("patch", HttpMethod::Patch),
    ("delete", HttpMethod::Delete),
];
/// Headers that a client sets by itself: OpenAPI has them ignored where they are parameters.
const OWN_HEADERS: [&str; 3] = ["accept", "content-type", "authorization"];
/// Of a place in an error, in Unicode scalar values.
const PLACE_CHARS_MAX: usize = 80;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ImportError {
    #[error("not an OpenAPI 3 document: `openapi` is a text such as `3.1.0`")]
    Version,
    #[error("the document has no `paths`")]
    NoPaths,
    #[error(
        "the document has more than `{OPERATIONS_MAX}` operations: leave out what plans need not"
    )]
    TooMany,
    #[error("at `{place}`: {why}")]
    At { place: String, why: &'static str },
}

/// In the order of their paths.
pub(super) fn operations(document: &Value) -> Result<Vec<Operation>, ImportError> {
    let version = document.get("openapi").and_then(Value::as_str);
    version.filter(|version| version.starts_with("3.")).ok_or(ImportError::Version)?;
    let paths = document.get("paths").and_then(Value::as_object).ok_or(ImportError::NoPaths)?;
    let mut paths: Vec<(&String, &Value)> =
        paths.iter().filter(|(path, _)| !path.starts_with("x-")).collect();
    paths.sort_unstable_by_key(|(path, _)| *path);
    let mut found: Vec<Operation> = Vec::new();
    let mut ids = BTreeSet::new();
    for (path, item) in paths {
        let at = |why| fault(path, why);
        let item = item.as_object().ok_or_else(|| at("a path item is an object"))?;
        if item.contains_key("$ref") {
            return Err(at("a path item elsewhere (`$ref`) is not read: write it here"));
        }
        for (name, method) in METHODS {
            let Some(described) = item.get(name) else { continue };
            let place = format!("{} {path}", method.as_str());
            let described =
                described.as_object().ok_or_else(|| fault(&place, "an operation is an object"))?;
            if found.len() == OPERATIONS_MAX {
                return Err(ImportError::TooMany);
            }
            let reader = Reader { document, place };
            let operation = reader.operation((method, path), item, described)?;
            let id = unlike(&operation.id, &ids);
            ids.insert(id.clone());
            found.push(Operation { id, ..operation });
        }
    }
    Ok(found)
}

fn fault(place: &str, why: &'static str) -> ImportError {
    ImportError::At { place: place.chars().take(PLACE_CHARS_MAX).collect(), why }
}

/// One operation at its place.
struct Reader<'a> {
    document: &'a Value,
    place: String,
}

impl Reader<'_> {
    fn fault(&self, why: &'static str) -> ImportError {
        fault(&self.place, why)
    }

    fn operation(
        &self,
        (method, path): (HttpMethod, &str),
        item: &Map<String, Value>,
        described: &Map<String, Value>,
    ) -> Result<Operation, ImportError> {
        Ok(Operation {
            id: id(described, method, path),
            method,
            path: path.to_owned(),
            labels: self.labels(described)?,
            reads: self.flag(described, "x-reads")?,
            idempotent: self.flag(described, "x-idempotent")?,
            parameters: self.parameters(item, described)?,
            fields: Vec::new(),
            body: self.body(method, described)?,
        })
    }

    fn labels(&self, described: &Map<String, Value>) -> Result<Vec<String>, ImportError> {
        let Some(labels) = described.get("x-labels") else {
            let summary = described.get("summary").and_then(Value::as_str);
            return Ok(summary.map(spoken).filter(|text| !text.is_empty()).into_iter().collect());
        };
        let label = |label: &Value| label.as_str().map(str::to_owned);
        let labels = labels.as_array().and_then(|labels| labels.iter().map(label).collect());
        labels.ok_or_else(|| self.fault("`x-labels` is an array of texts"))
    }

    fn flag(&self, described: &Map<String, Value>, name: &str) -> Result<bool, ImportError> {
        match described.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.fault("`x-reads` and `x-idempotent` are true or false")),
        }
    }

    /// The operation's own stand for the path item's of the same name and place.
    fn parameters(
        &self,
        item: &Map<String, Value>,
        described: &Map<String, Value>,
    ) -> Result<Vec<Parameter>, ImportError> {
        let mut all: Vec<Parameter> = Vec::new();
        for holder in [item, described] {
            let listed = match holder.get("parameters") {
                None => continue,
                Some(Value::Array(listed)) => listed,
                Some(_) => return Err(self.fault("`parameters` is an array")),
            };
            for parameter in listed {
                let Some(read) = self.parameter(self.resolved(parameter)?)? else { continue };
                all.retain(|kept| kept.name != read.name || kept.place != read.place);
                all.push(read);
            }
        }
        Ok(all)
    }

    /// `None`: one that a call can do without and a plan cannot give.
    fn parameter(&self, described: &Value) -> Result<Option<Parameter>, ImportError> {
        let text = |name| described.get(name).and_then(Value::as_str);
        let name = text("name").ok_or_else(|| self.fault("a parameter has a `name`"))?;
        let required = described.get("required").and_then(Value::as_bool).unwrap_or_default();
        let place = match text("in") {
            Some("path") => ParameterPlace::Path,
            Some("query") => ParameterPlace::Query,
            Some("header") if OWN_HEADERS.iter().any(|own| name.eq_ignore_ascii_case(own)) => {
                return Ok(None);
            }
            Some("header" | "cookie") if !required => return Ok(None),
            Some("header" | "cookie") => {
                return Err(self.fault("it needs a header or cookie, which a plan cannot give"));
            }
            Some(_) | None => {
                return Err(self.fault("a parameter is `in` `path`, `query`, `header` or `cookie`"));
            }
        };
        Ok(Some(Parameter { name: name.to_owned(), place, required }))
    }

    /// One step into the document's own components.
    fn resolved<'v>(&'v self, parameter: &'v Value) -> Result<&'v Value, ImportError> {
        let Some(reference) = parameter.get("$ref") else { return Ok(parameter) };
        let pointer = reference.as_str().and_then(|text| text.strip_prefix('#'));
        let there = pointer.and_then(|pointer| self.document.pointer(pointer));
        there
            .filter(|there| there.get("$ref").is_none())
            .ok_or_else(|| self.fault("a parameter's `$ref` leads to one in this document"))
    }
}

/// The `operationId` as far as its letters fit, else one out of method and path.
fn id(described: &Map<String, Value>, method: HttpMethod, path: &str) -> String {
    let given = described.get("operationId").and_then(Value::as_str).map(plain);
    let tells = |id: &String| id.contains(|c: char| c.is_ascii_alphanumeric());
    given
        .filter(tells)
        .unwrap_or_else(|| plain(&format!("{}{path}", method.as_str().to_lowercase())))
}

/// Letters of an id; whatever lies between becomes one `-`.
fn plain(text: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let words: Vec<&str> = text.split(|c| !fits(c)).filter(|word| !word.is_empty()).collect();
    words.join("-").chars().take(LABEL_CHARS_MAX).collect()
}

/// The same id again gets a number.
fn unlike(id: &str, taken: &BTreeSet<String>) -> String {
    let numbered = |n: usize| {
        let number = format!("-{n}");
        let room = LABEL_CHARS_MAX.saturating_sub(number.len());
        let start: String = id.chars().take(room).collect();
        format!("{start}{number}")
    };
    let mut others = (2..).map(numbered);
    let first = Some(id.to_owned()).filter(|id| !taken.contains(id));
    first.or_else(|| others.find(|other| !taken.contains(other))).unwrap_or_default()
}

/// A sentence as a label: one line, no comma, not too long.
fn spoken(text: &str) -> String {
    let parted = |c: char| c.is_whitespace() || c.is_control() || c == ',';
    let words: Vec<&str> = text.split(parted).filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().take(LABEL_CHARS_MAX).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests;
