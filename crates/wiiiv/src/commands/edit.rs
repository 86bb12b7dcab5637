//! `approvals edit`: other values of the plan that waits, in place of an answer.

use super::decide::{self, DIGEST_DIGITS_MIN};
use super::{approvals, edits};
use crate::args::EditArgs;
use crate::connection::{Connection, items, required, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::short_id::Lists;
use crate::terminal;
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs};
use wiiiv_domain::{ApprovalId, Lang};

/// As [`decide::decide`]: for a digest that is named, or that is read and answered on a terminal.
pub async fn edit(context: &Context, args: &EditArgs) -> Result<Exit, Failure> {
    let changes = changes(args)?;
    let connection = Connection::open(context)?;
    let id: ApprovalId = args.decide.approval.of(&connection, Lists::Approvals).await?;
    let asked = connection.get(&format!("/approvals/{id}")).await?;
    let digest = required(&asked, "digest")?;
    match args.decide.digest.as_deref() {
        Some(given) => decide::names(given, digest)?,
        None if asked.get("may_edit") == Some(&Value::Bool(false)) => {}
        None if context.output.is_json() || !terminal::is_interactive() => {
            return Err(Failure::NoDigest { min: DIGEST_DIGITS_MIN });
        }
        None => {
            approvals::print(context, &asked)?;
            wanted(context, &asked, &changes)?;
            if !terminal::agrees(&context.texts.approvals.ask)? {
                context.output.line(&context.texts.approvals.left)?;
                return Ok(Exit::Approval);
            }
        }
    }
    let language = context.chosen_language.map(Lang::as_str);
    let body = json!({
        "digest": digest, "changes": changes, "note": args.note, "language": language,
    });
    let answer = connection.post(&format!("/approvals/{id}/edit"), body).await?;
    let texts = &context.texts.approvals;
    let said = match text(&answer, "waits_for") {
        "" => &texts.edited,
        _ => &texts.edited_beside,
    };
    context.done(&answer, said, &[("turn", text(&answer, "turn"))])
}

/// A file's text is taken as it is: what a file will hold may end with a line break.
fn changes(args: &EditArgs) -> Result<BTreeMap<String, String>, Failure> {
    let mut changes: BTreeMap<_, _> = args.values.iter().cloned().collect();
    for (name, path) in &args.values_from {
        let value = fs::read_to_string(path).map_err(Failure::unreadable(path))?;
        changes.insert(name.clone(), value);
    }
    Ok(changes)
}

/// What an answer will change, beside what stands in the plan.
fn wanted(
    context: &Context,
    asked: &Value,
    changes: &BTreeMap<String, String>,
) -> Result<(), Failure> {
    for value in items(asked, "values") {
        if let Some(to) = changes.get(text(value, "slot")) {
            edits::changed(context, value, text(value, "value"), to)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::changes;
    use crate::args::{ApprovalsCommand, Arguments, Command, EditArgs};
    use clap::Parser as _;

    fn parsed(arguments: &[&str]) -> Result<EditArgs, clap::Error> {
        let id = "01890000-0000-7000-8000-000000000000";
        let start = ["wiiiv", "approvals", "edit", id];
        match Arguments::try_parse_from(start.iter().chain(arguments))?.command {
            Command::Approvals(ApprovalsCommand::Edit(args)) => Ok(args),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn values_are_named_and_may_come_from_a_file() {
        assert!(parsed(&["--note", "nothing"]).is_err());
        assert!(parsed(&["--set", "path"]).is_err());
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("note.md");
        std::fs::write(&file, "하나\n둘\n").unwrap();
        let from = format!("content={}", file.display());
        let args = parsed(&["--set", "path=a=b.md", "--set-file", &from]).unwrap();
        let changes = changes(&args).unwrap();
        assert_eq!(changes.get("path").unwrap(), "a=b.md");
        assert_eq!(changes.get("content").unwrap(), "하나\n둘\n");
        let absent = format!("content={}", folder.path().join("absent").display());
        let args = parsed(&["--set-file", &absent]).unwrap();
        assert!(super::changes(&args).unwrap_err().to_string().contains("absent"));
    }
}
