//! `audit list`: records of a project, one line each.

use crate::args::AuditListArgs;
use crate::connection::{number, text, words};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::query::Query;
use crate::short_id::short;
use crate::texts::{AuditTexts, fill, named};
use serde_json::Value;

/// What a body says by itself, in this order.
const TELLING: [&str; 13] = [
    "outcome",
    "consensus",
    "verdict",
    "step",
    "resolution",
    "code",
    "codes",
    "model",
    "system",
    "number",
    "window",
    "percent",
    "event",
];
/// Whose record it is, where it says nothing else.
const ABOUT: [&str; 12] = [
    "execution",
    "approval",
    "grant",
    "override",
    "waiver",
    "blueprint",
    "session",
    "task",
    "turn",
    "call",
    "delegation",
    // Of every record that is about none of these, such as a halt of all of it.
    "project",
];
/// Fewer hexadecimal digits may be a name.
const REFERENCE_DIGITS_MIN: usize = 32;

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
        let who = called(text(row, "person_name"), text(row, "person"));
        [seq, text(row, "at").to_owned(), told.to_owned(), who, content(audit, row)]
    };
    let at = &context.texts.list.at;
    context.list(&rows, [&audit.number, at, &audit.kind, &audit.who, &audit.content], cells)
}

/// By name, with the end of the id beside it: it is what the record holds, and other commands take it.
fn called(name: &str, id: &str) -> String {
    match (name, short(id)) {
        ("", id) => id.to_owned(),
        (name, "") => name.to_owned(),
        (name, id) => format!("{name} ({id})"),
    }
}

/// Every record says something, and names whoever it is about beside the person who acted: else whose it is, by
/// the end of an id.
fn content(texts: &AuditTexts, row: &Value) -> String {
    let Some(body) = row.get("body") else { return String::new() };
    let said = TELLING.iter().filter_map(|name| told(texts, body, name));
    let said = of_kept(texts, row).into_iter().chain(said).chain(others(texts, row));
    let said = said.collect::<Vec<_>>().join(" · ");
    if !said.is_empty() {
        return said;
    }
    let about = ABOUT.iter().find(|name| body.get(name).is_some_and(Value::is_string));
    about.map_or_else(
        || text(row, "hash").chars().take(8).collect(),
        |name| format!("{} {}", named(&texts.ids, name), whose(row, text(body, name), name)),
    )
}

/// A memory is told by whose it is and by its size, a profile by its schema and its slots: no text of theirs is in a
/// record.
fn of_kept(texts: &AuditTexts, row: &Value) -> Option<String> {
    let body = row.get("body")?;
    let (memory, schema) = (named(&texts.scopes, text(body, "scope")), text(body, "schema"));
    let (template, scope) = match text(row, "kind") {
        "memory.changed" => (&texts.memory_changed, memory),
        "memory.erased" => (&texts.memory_erased, memory),
        "profile.changed" => (&texts.profile_changed, schema),
        "profile.erased" => (&texts.memory_erased, schema),
        _ => return None,
    };
    let [version, chars, versions, up_to] =
        ["version", "chars", "versions", "upTo"].map(|name| number(body, name).to_string());
    let values = [
        ("scope", scope),
        ("schema", schema),
        ("version", &version),
        ("chars", &chars),
        ("versions", &versions),
        ("upTo", &up_to),
    ];
    let told = [fill(template, &values), words(body, "slots").join(", ")];
    Some(told.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · "))
}

/// Only a project has a name that all who read its records may know: what a conversation is called is its
/// founder's own words.
fn whose(row: &Value, id: &str, of: &str) -> String {
    let name = if of == "project" { text(row, "project_name") } else { "" };
    called(name, id)
}

/// A word, a number or codes, or the kind of a document with its code. An id, a digest and the number of another
/// record say nothing to people.
fn told(texts: &AuditTexts, body: &Value, name: &str) -> Option<String> {
    let said = |word: &str| in_words(texts, body, (name, word));
    match body.get(name)? {
        Value::String(word) => (!is_reference(name, word)).then(|| said(word)),
        Value::Number(number) => Some(said(&number.to_string())),
        Value::Array(_) => Some(words(body, name).join(" ")).filter(|codes| !codes.is_empty()),
        // Of a task its end is called `outcome`, of anything else `kind`.
        document @ Value::Object(_) => {
            let kind = ["kind", "outcome"].map(|field| text(document, field)).concat();
            let kind = (!kind.is_empty()).then(|| said(&kind));
            let code = Some(text(document, "code").to_owned()).filter(|code| !code.is_empty());
            let parts: Vec<String> = kind.into_iter().chain(code).collect();
            (!parts.is_empty()).then(|| parts.join(" "))
        }
        Value::Null | Value::Bool(_) => None,
    }
}

fn is_reference(name: &str, word: &str) -> bool {
    let digits = word.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    digits && (name == "event" || word.len() >= REFERENCE_DIGITS_MIN)
}

fn in_words(texts: &AuditTexts, body: &Value, (name, word): (&str, &str)) -> String {
    match name {
        "outcome" | "consensus" | "verdict" | "resolution" => judged(texts, word).to_owned(),
        // What a person did, or what a webhook was to tell of.
        "event" => {
            texts.events.get(word).map_or(named(&texts.kinds, word), String::as_str).to_owned()
        }
        "number" => fill(&texts.version, &[("number", word)]),
        "window" => {
            let own = text(body, "user").is_empty();
            let window = if own { word.to_owned() } else { format!("user_{word}") };
            named(&texts.windows, &window).to_owned()
        }
        "percent" => format!("{word}%"),
        _ => word.to_owned(),
    }
}

/// How something ended, or what it was found to be.
pub fn judged<'a>(texts: &'a AuditTexts, word: &'a str) -> &'a str {
    texts.outcomes.get(&word.to_lowercase()).map_or(word, String::as_str)
}

/// The people in it but whoever acted: as what each is in it, and who.
fn others(texts: &AuditTexts, row: &Value) -> impl Iterator<Item = String> {
    let (acted, people) = (text(row, "person"), row.get("people").and_then(Value::as_object));
    let others = people.into_iter().flatten().filter(move |(id, _)| id.as_str() != acted);
    others.filter_map(move |(id, name)| {
        let who = called(name.as_str()?, id);
        let role = row.get("body").and_then(|body| field_of(body, id));
        Some(match role.and_then(|role| texts.roles.get(role)) {
            Some(role) => format!("{role}: {who}"),
            None => who,
        })
    })
}

/// The first field that holds that id, at any depth.
fn field_of<'a>(body: &'a Value, id: &str) -> Option<&'a str> {
    match body {
        Value::Object(fields) => fields.iter().find_map(|(name, value)| {
            let is_here = value.as_str() == Some(id);
            if is_here { Some(name.as_str()) } else { field_of(value, id) }
        }),
        Value::Array(items) => items.iter().find_map(|item| field_of(item, id)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{called, content};
    use crate::texts::Texts;
    use serde_json::{Value, json};
    use wiiiv_domain::Lang;

    fn said(row: &Value) -> [String; 2] {
        [Lang::En, Lang::Ko].map(|language| content(&Texts::of(language).unwrap().audit, row))
    }

    #[test]
    fn every_record_says_something_in_the_readers_language() {
        let id = "01a1fdca-4b1e-75ab-899e-445f86db82bd";
        let digest = "0123456789abcdef".repeat(4);
        for (body, english, korean) in [
            (
                json!({"outcome": {"kind": "failed", "code": "TIMEOUT"}}),
                "failed TIMEOUT",
                "실패 TIMEOUT",
            ),
            (json!({"outcome": "done", "turn": "x"}), "done", "완료"),
            (json!({"outcome": "ALLOW"}), "allowed", "허용"),
            (json!({"outcome": {"outcome": "refused"}, "task": id}), "rejected", "거절됨"),
            (json!({"consensus": "REVISION", "model": {"by": id}}), "needs changes", "보완 필요"),
            (json!({"verdict": "wrong", "evaluation": "7"}), "wrong", "잘못됨"),
            (json!({"step": "call", "outcome": digest, "code": "OK"}), "call · OK", "call · OK"),
            (json!({"codes": ["A", "B"]}), "A B", "A B"),
            (json!({"number": 3}), "policy version 3", "정책 버전 3"),
            (json!({"window": "day", "percent": 80}), "project's day · 80%", "프로젝트 하루 · 80%"),
            (
                json!({"window": "day", "percent": 80, "user": id}),
                "one person's day · 80%",
                "한 사람의 하루 · 80%",
            ),
            (json!({"event": {"kind": "edit_policy"}}), "policy changed", "정책 변경"),
            (
                json!({"event": "approval.asked", "code": "X"}),
                "X · Approval requested",
                "X · 승인 요청",
            ),
            // The number of the record of an act says nothing.
            (
                json!({"event": "42", "approval": id, "by": null}),
                "request 86db82bd",
                "승인 요청 86db82bd",
            ),
            (json!({}), "01234567", "01234567"),
        ] {
            assert_eq!(said(&json!({"body": body, "hash": "0123456789"})), [english, korean]);
        }
    }

    #[test]
    fn a_halt_says_which_project_or_conversation_it_is_of() {
        let (id, by) =
            ("01a1fdca-4b1e-75ab-899e-445f86db82bd", "01a1fdca-0000-75ab-899e-44cafe0001");
        let body = json!({"by": by, "halt": by, "project": id, "reason": "ab"});
        let row =
            json!({"kind": "project.halted", "body": body, "person": by, "project_name": "demo"});
        assert_eq!(said(&row), ["project demo (86db82bd)", "프로젝트 demo (86db82bd)"]);
        let body = json!({"by": by, "halt": by, "project": by, "reason": "ab", "session": id});
        let row = json!({"kind": "session.halted", "body": body, "project_name": "demo"});
        assert_eq!(said(&row), ["conversation 86db82bd", "대화 86db82bd"]);
    }

    #[test]
    fn whoever_else_it_is_about_is_named_as_what_they_are() {
        let id = "01a1fdca-4b1e-75ab-899e-445f86db82bd";
        let body = json!({"delegation": "x", "delegator": "1", "delegate": id});
        let row = json!({"body": body, "person": "1", "people": {"1": "min", id: "vic"}});
        assert_eq!(said(&row), ["lent to: vic (86db82bd)", "대신하는 사람: vic (86db82bd)"]);
        assert_eq!(called("vic", id), "vic (86db82bd)");
        assert_eq!(called("", id), "86db82bd", "the account is gone");
        assert_eq!(called("", ""), "");
    }

    #[test]
    fn a_memory_is_told_by_whose_it_is_its_version_and_its_size() {
        let id = "01a1fdca-4b1e-75ab-899e-445f86db82bd";
        let body = json!({
            "beforeChars": 6, "by": id, "chars": 19, "holder": id, "scope": "project",
            "soleAuthor": null, "textHmac": "ab", "turn": id, "version": 2,
        });
        let row = json!({"kind": "memory.changed", "body": body, "person": id});
        let told =
            ["the project's memory · version 2 · 19 characters", "프로젝트 메모리 · 버전 2 · 19자"];
        assert_eq!(said(&row), told);
        let body = json!({
            "by": id, "erasure": id, "holder": id, "scope": "user", "upTo": 7, "versions": 3,
        });
        let row = json!({"kind": "memory.erased", "body": body, "person": id});
        let told = [
            "one person's memory · 3 versions erased, up to version 7",
            "개인 메모리 · 버전 7까지 3개 삭제",
        ];
        assert_eq!(said(&row), told);
    }

    #[test]
    fn a_profile_is_told_by_its_schema_its_version_and_its_slots() {
        let id = "01a1fdca-4b1e-75ab-899e-445f86db82bd";
        let changed = |slots: Value| {
            let body = json!({
                "by": id, "documentHmac": "ab", "holder": id, "how": "changed", "schema": "medical",
                "slots": slots, "version": 2, "waiting": 1,
            });
            json!({"kind": "profile.changed", "body": body, "person": id})
        };
        let told = ["medical · version 2 · age, weight", "medical · 버전 2 · age, weight"];
        assert_eq!(said(&changed(json!(["age", "weight"]))), told);
        assert_eq!(said(&changed(json!([]))), ["medical · version 2", "medical · 버전 2"]);
        let body = json!({
            "by": id, "erasure": null, "holder": id, "schema": "medical", "upTo": 7, "versions": 3,
        });
        let row = json!({"kind": "profile.erased", "body": body, "person": id});
        let told =
            ["medical · 3 versions erased, up to version 7", "medical · 버전 7까지 3개 삭제"];
        assert_eq!(said(&row), told);
    }

    #[test]
    fn a_record_of_any_kind_is_called_by_words() {
        for language in Lang::ALL {
            let kinds = Texts::of(language).unwrap().audit.kinds;
            for kind in [
                "approval.released",
                "approval.passed_on",
                "approval.taken_up",
                "ruling.requester_gone",
            ] {
                assert!(kinds.contains_key(kind), "{language}: {kind}");
            }
        }
    }
}
