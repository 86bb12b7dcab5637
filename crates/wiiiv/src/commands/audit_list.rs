//! `audit list`: records of a project, one line each.

use crate::args::AuditListArgs;
use crate::connection::text;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::query::Query;
use crate::short_id::short;
use crate::texts::named;
use serde_json::Value;

/// What a body says by itself, in this order.
const TELLING: [&str; 9] =
    ["outcome", "consensus", "step", "code", "model", "system", "number", "percent", "event"];
/// Whose record it is, where it says nothing else.
const ABOUT: [&str; 9] = [
    "execution",
    "approval",
    "grant",
    "blueprint",
    "session",
    "task",
    "turn",
    "call",
    "delegation",
];

pub async fn list(context: &Context, args: &AuditListArgs) -> Result<Exit, Failure> {
    let (connection, project) = args.project.open(context).await?;
    let mut query = Query::of(format!("/projects/{project}/audit"));
    query.add("kind", args.record_kind.as_deref());
    query.add("outcome", args.ended.as_deref());
    query.add("system", args.of_system.as_deref());
    query.add("path", args.of_path.as_deref());
    query.add("from", args.first.as_deref());
    query.add("until", args.last.as_deref());
    query.add("q", args.words.as_deref());
    if let Some(actor) = &args.actor {
        query.add("actor", Some(&*connection.member(project, actor).await?));
    }
    let rows = connection.rows(&query.text()).await?;
    let audit = &context.texts.audit;
    let cells = |row: &Value| {
        let told = named(&audit.kinds, text(row, "kind"));
        let seq = row.get("seq").map(Value::to_string).unwrap_or_default();
        let [at, who] = ["at", "person_name"].map(|field| text(row, field).to_owned());
        [seq, at, told.to_owned(), who, content(row)]
    };
    let at = &context.texts.list.at;
    context.list(&rows, [&audit.number, at, &audit.kind, &audit.who, &audit.content], cells)
}

/// Every record says something, and names whoever it is about beside the person who acted: else whose it is, by
/// the end of an id.
fn content(row: &Value) -> String {
    let Some(body) = row.get("body") else { return String::new() };
    let told = TELLING.iter().filter_map(|name| word(body.get(name)?));
    let told = told.chain(others(row)).collect::<Vec<_>>().join(" · ");
    if !told.is_empty() {
        return told;
    }
    let about = ABOUT.iter().find(|name| body.get(name).is_some_and(Value::is_string));
    about.map_or_else(
        || text(row, "hash").chars().take(8).collect(),
        |name| format!("{name} {}", short(text(body, name))),
    )
}

/// Names of the people in it but whoever acted.
fn others(row: &Value) -> impl Iterator<Item = String> {
    let (person, people) = (text(row, "person"), row.get("people").and_then(Value::as_object));
    let others = people.into_iter().flatten().filter(move |(id, _)| id.as_str() != person);
    others.filter_map(|(_, name)| name.as_str().map(str::to_owned))
}

/// A word or number, or the kind of a document with its code.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(_) => {
            let parts = ["kind", "code"].map(|name| text(value, name));
            let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            (!parts.is_empty()).then(|| parts.join(" "))
        }
        Value::Null | Value::Bool(_) | Value::Array(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::content;
    use serde_json::json;

    #[test]
    fn every_record_says_something() {
        let said = |body| content(&json!({"body": body, "hash": "0123456789"}));
        assert_eq!(
            said(json!({"outcome": {"kind": "failed", "code": "TIMEOUT"}})),
            "failed TIMEOUT"
        );
        assert_eq!(said(json!({"outcome": "done", "turn": "x"})), "done");
        let id = "01a1fdca-4b1e-75ab-899e-445f86db82bd";
        assert_eq!(said(json!({"approval": id, "by": null})), "approval 86db82bd");
        assert_eq!(said(json!({})), "01234567");
    }

    #[test]
    fn whoever_else_it_is_about_is_named() {
        let body = json!({"delegation": "x", "delegator": "1", "delegate": "2"});
        let row = json!({"body": body, "person": "1", "people": {"1": "min", "2": "vic"}});
        assert_eq!(content(&row), "vic");
    }
}
