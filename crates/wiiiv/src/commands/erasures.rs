//! `audit erase` and `audit erasures`: an administrator has texts and salts erased, and looks at what was.

use super::users::named;
use crate::args::EraseArgs;
use crate::connection::{Connection, number, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use serde_json::{Value, json};

pub async fn erase(context: &Context, args: &EraseArgs) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let of = args.project.project.as_deref();
    let (whose, id) = match &args.erase_user {
        Some(user) => ("user", named(&connection, user).await?.to_string()),
        None => ("project", connection.project(of).await?.to_string()),
    };
    let body = json!({ "reason": args.reason, "before": args.before, whose: id });
    let erased = connection.post("/erasures", body).await?;
    let told = |name: &str| number(&erased, name).to_string();
    let [sessions, plans, busy] = ["sessions", "plans", "busy"].map(told);
    let [memories, versions] = ["memories", "memory_versions"].map(told);
    let documents = told("documents");
    let [profiles, profile_versions] = ["profiles", "profile_versions"].map(told);
    let texts = &context.texts.erasures;
    let values = [
        ("sessions", &*sessions),
        ("plans", &plans),
        ("memories", &memories),
        ("versions", &versions),
        ("profiles", &profiles),
        ("profile_versions", &profile_versions),
        ("documents", &documents),
    ];
    context.done(&erased, &texts.done, &values)?;
    if busy != "0" {
        context.warn(&texts.busy, &[("sessions", &busy)])?;
    }
    if erased.get("more").and_then(Value::as_bool) == Some(true) {
        context.warn(&texts.more, &[])?;
    }
    Ok(Exit::Done)
}

pub async fn list(context: &Context) -> Result<Exit, Failure> {
    let rows = Connection::open(context)?.all("/erasures").await?;
    let texts = &context.texts.erasures;
    let cells = |row: &Value| {
        let whose = [text(row, "project"), text(row, "user")].concat();
        [
            text(row, "at").to_owned(),
            text(row, "by_name").to_owned(),
            whose,
            number(row, "sessions").to_string(),
            number(row, "plans").to_string(),
            number(row, "memory_versions").to_string(),
            number(row, "profile_versions").to_string(),
            text(row, "reason").to_owned(),
        ]
    };
    let at = &context.texts.list.at;
    let heads = [
        at,
        &texts.by,
        &texts.whose,
        &texts.conversations,
        &texts.plans,
        &texts.memory_versions,
        &texts.profile_versions,
        &texts.reason,
    ];
    context.list(&rows, heads, cells)
}
