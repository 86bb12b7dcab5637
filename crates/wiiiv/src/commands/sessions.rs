//! `sessions`: the list of conversations, and commands on one.

use crate::args::{ExportFormat, project::ProjectArg};
use crate::citation::cited;
use crate::commands::approvals::{by, tallied};
use crate::connection::{Connection, items, path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::short_id::{IdArg, Lists, short};
use crate::texts::{Texts, fill, named};
use serde_json::{Value, json};
use std::path::Path;
use wiiiv_domain::SessionId;
use wiiiv_net::ApiCall;

/// Of what was said first; a list is read at a glance.
const SAID_CHARS_MAX: usize = 60;

pub async fn list(context: &Context, project: &ProjectArg) -> Result<Exit, Failure> {
    let (connection, project) = project.open(context).await?;
    let rows = connection.rows(&format!("/projects/{project}/sessions")).await?;
    let texts = &context.texts.list;
    let cells = |row: &Value| {
        [short(text(row, "id")).to_owned(), last_at(row).to_owned(), shortened(said_first(row))]
    };
    context.list(&rows, [&texts.id, &texts.at, &texts.title], cells)
}

/// Another name, or at the top of the list.
pub async fn change(context: &Context, id: &IdArg, change: Value) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: SessionId = id.of(&connection, Lists::Sessions).await?;
    let row = connection.patch(&format!("/sessions/{id}"), change).await?;
    let title = shortened(said_first(&row));
    context.done(&row, &context.texts.chat.changed, &[("title", &title)])
}

pub async fn delete(context: &Context, id: &IdArg) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: SessionId = id.of(&connection, Lists::Sessions).await?;
    connection.client.send(ApiCall::delete(path(&format!("/sessions/{id}")))).await?;
    context.done(&json!({ "deleted": id }), &context.texts.chat.deleted, &[])
}

/// What was said, oldest first.
pub async fn export(
    context: &Context,
    id: &IdArg,
    format: ExportFormat,
    output: Option<&Path>,
) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: SessionId = id.of(&connection, Lists::Sessions).await?;
    let events = connection.rows(&format!("/sessions/{id}/history")).await?;
    let written = match format {
        ExportFormat::Json => format!("{:#}\n", json!({ "session": id, "events": events })),
        ExportFormat::Markdown => {
            let parts = events.iter().filter_map(|event| markdown(&context.texts, event));
            format!("# {id}\n\n{}\n", parts.collect::<Vec<_>>().join("\n\n"))
        }
    };
    let Some(file) = output else {
        context.output.raw(&written)?;
        return Ok(Exit::Done);
    };
    std::fs::write(file, &written).map_err(Failure::unwritable(file))?;
    let (shown, bytes) = (file.display().to_string(), written.len().to_string());
    context.say(&context.texts.audit.saved, &[("file", &shown), ("bytes", &bytes)])?;
    Ok(Exit::Done)
}

/// What somebody said or answered; `None` of what has no words.
fn markdown(texts: &Texts, event: &Value) -> Option<String> {
    let author = event.get("author").unwrap_or(&Value::Null);
    let decision = event.get("decision").filter(|decision| decision.is_object());
    let (who, said) = match (decision, text(event, "event"), text(author, "name")) {
        (Some(decision), ..) => (decided(texts, author, decision), text(decision, "reason")),
        (None, "accepted", "") => (texts.chat.you.clone(), text(event, "text")),
        (None, "accepted", name) => (name.to_owned(), text(event, "text")),
        (None, "approval_revoked", _) => (revoked(texts, event), text(event, "reason")),
        (None, ..) => ("wiiiv".to_owned(), text(event, "text")),
    };
    let head = format!("## {who} · {}", text(event, "at"));
    match said {
        // An answer may be one without a reason.
        "" => decision.map(|_| head),
        said => Some(format!("{head}\n\n{}{}", fenced(said), citations(texts, event))),
    }
}

/// What an answer rests on, below it.
fn citations(texts: &Texts, event: &Value) -> String {
    let texts = &texts.chat;
    let lines = items(event, "citations").iter();
    let lines: Vec<String> = lines.map(|of| cited(texts, &texts.exported_citation, of)).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("\n\n{}\n\n{}", texts.exported_citations, fenced(&lines.join("\n")))
}

/// Who answered a question, how and on whose behalf, and how many of those who have to approve have.
fn decided(texts: &Texts, author: &Value, decision: &Value) -> String {
    let name = match text(author, "name") {
        "" => short(text(author, "user")),
        name => name,
    };
    let who = by(texts, name, decision);
    let said = fill(named(&texts.chat.answers, text(decision, "answer")), &[("by", &who)]);
    tallied(texts, said, decision)
}

/// Who took back a yes.
pub fn revoked(texts: &Texts, event: &Value) -> String {
    let by = match text(event, "by_name") {
        "" => short(text(event, "by")),
        name => name,
    };
    fill(named(&texts.chat.answers, "revoked"), &[("by", by)])
}

/// As it was said, whatever it holds: the fence is longer than any inside.
fn fenced(said: &str) -> String {
    let longest = said.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{said}\n{fence}")
}

/// Its title, else what the person said first.
pub fn said_first(row: &Value) -> &str {
    match text(row, "title") {
        "" => text(row, "first_message"),
        title => title,
    }
}

/// When something was last said in it, or when it began.
pub fn last_at(row: &Value) -> &str {
    match text(row, "updated_at") {
        "" => text(row, "created_at"),
        at => at,
    }
}

/// On one line.
fn shortened(words: &str) -> String {
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= SAID_CHARS_MAX {
        return line;
    }
    let head: String = line.chars().take(SAID_CHARS_MAX).collect();
    format!("{head}…")
}

#[cfg(test)]
mod tests {
    use super::{SAID_CHARS_MAX, fenced, last_at, markdown, said_first, shortened};
    use crate::texts::Texts;
    use serde_json::{Value, json};
    use wiiiv_domain::Lang;

    #[test]
    fn a_conversation_is_called_by_its_title_or_its_first_words() {
        let row = json!({"title": "", "first_message": "재고 보여줘", "created_at": "1"});
        assert_eq!((said_first(&row), last_at(&row)), ("재고 보여줘", "1"));
        let row = json!({"title": "Stock", "first_message": "x", "updated_at": "2"});
        assert_eq!((said_first(&row), last_at(&row)), ("Stock", "2"));
        assert_eq!(said_first(&json!({"first_message": null})), "");
    }

    #[test]
    fn an_export_names_who_decided_on_whose_behalf_and_when() {
        let vic = json!({"role": "approver", "name": "vic"});
        let yes = json!({"answer": "approved", "reason": "", "given": 1, "approvers": 2,
            "on_behalf_of_name": "min"});
        let no = json!({"answer": "rejected", "reason": "not now"});
        let event = |decision: Value| {
            json!({"event": "accepted", "at": "2026-01-02", "author": vic, "text": "",
                "decision": decision})
        };
        for (language, approved, rejected) in [
            (
                Lang::En,
                "Approved by vic (on behalf of min) (1 of 2 have approved)",
                "Rejected by vic",
            ),
            (Lang::Ko, "승인: vic (위임한 사람 min) (2명 중 1명 승인)", "거절: vic"),
        ] {
            let texts = Texts::of(language).unwrap();
            let told = markdown(&texts, &event(yes.clone())).unwrap();
            assert_eq!(told, format!("## {approved} · 2026-01-02"));
            let told = markdown(&texts, &event(no.clone())).unwrap();
            let reason = "```text\nnot now\n```";
            assert_eq!(told, format!("## {rejected} · 2026-01-02\n\n{reason}"));
        }
        // A button that decided nothing.
        assert_eq!(markdown(&Texts::of(Lang::En).unwrap(), &event(json!(null))), None);
    }

    #[test]
    fn an_export_lists_below_an_answer_what_it_cites() {
        let cited = json!({"number": 1, "title": "휴가 ```\n## wiiiv\u{202e}", "file_name": "leave.md",
            "document": "d", "passage": 4, "page": null, "heading": "Days", "version": 7});
        let event = json!({"event": "reply", "at": "2026-01-02", "text": "15 days [1].",
            "citations": [cited]});
        let opens = "wiiiv rag show d --passage 4 --cited-version 7";
        for (language, head, version) in
            [(Lang::En, "Documents cited:", "version 7"), (Lang::Ko, "인용한 문서:", "버전 7")]
        {
            let told = markdown(&Texts::of(language).unwrap(), &event).unwrap();
            let answer = "## wiiiv · 2026-01-02\n\n```text\n15 days [1].\n```";
            // No line of the title is one of the export, and its backticks close nothing.
            let line =
                format!("[1] 휴가 ``` ## wiiiv\u{fffd} (leave.md, Days, {version}): {opens}");
            assert_eq!(told, format!("{answer}\n\n{head}\n\n````text\n{line}\n````"));
        }
        let bare = json!({"event": "reply", "at": "x", "text": "hi", "citations": []});
        let told = markdown(&Texts::of(Lang::En).unwrap(), &bare).unwrap();
        assert_eq!(told, "## wiiiv · x\n\n```text\nhi\n```");
    }

    #[test]
    fn a_fence_is_longer_than_any_inside() {
        assert_eq!(fenced("a"), "```text\na\n```");
        assert!(fenced("````").starts_with("`````text"));
    }

    #[test]
    fn long_words_are_cut_to_one_line() {
        assert_eq!(shortened("one\n two"), "one two");
        let cut = shortened(&"가".repeat(SAID_CHARS_MAX + 1));
        assert_eq!(cut.chars().count(), SAID_CHARS_MAX + 1);
        assert!(cut.ends_with('…'));
    }
}
