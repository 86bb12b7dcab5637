//! `users`: accounts, for an administrator, and the person's own password.

use crate::args::PasswordArgs;
use crate::connection::{Connection, path, required, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::secret::given;
use crate::texts::fill;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use std::path::Path;
use wiiiv_domain::UserId;
use wiiiv_net::ApiCall;

pub async fn list(context: &Context) -> Result<Exit, Failure> {
    let rows = Connection::open(context)?.rows("/users").await?;
    context.output.document(&rows)?;
    let texts = &context.texts.people;
    let cells = |row: &Value| {
        let admin = row.get("admin").and_then(Value::as_bool).unwrap_or_default();
        let role = if admin { texts.administrator.as_str() } else { "" };
        let disabled = text(row, "disabled_at");
        [text(row, "id"), text(row, "name"), role, disabled].map(str::to_owned)
    };
    let rows: Vec<_> = rows.iter().map(cells).collect();
    let heads = [&context.texts.list.id, &texts.name, &texts.roles, &texts.disabled];
    context.output.table(heads.map(String::as_str), &rows)?;
    Ok(Exit::Done)
}

/// The password comes from a file or standard input; it is asked for without being shown.
pub async fn create(
    context: &Context,
    name: &str,
    password_file: Option<&Path>,
    admin: bool,
) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let password = given(password_file, &context.texts.login.ask_password)?;
    let body = json!({ "name": name, "password": password.expose_secret(), "admin": admin });
    let created = connection.post("/users", body).await?;
    context.output.document(&created)?;
    let values = [("name", text(&created, "name")), ("id", text(&created, "id"))];
    context.output.line(&fill(&context.texts.people.user_created, &values))?;
    Ok(Exit::Done)
}

/// The person can do nothing more; what came of it is told.
pub async fn close(context: &Context, who: &str) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let user = named(&connection, who).await?;
    let closed = connection.post(&format!("/users/{user}/close"), json!({})).await?;
    context.output.document(&closed)?;
    let count = |field| closed.get(field).and_then(Value::as_u64).unwrap_or_default().to_string();
    let (tokens, asked) = (count("tokens_ended"), count("approvals_withdrawn"));
    let values = [("user", who), ("tokens", &tokens), ("asked", &asked)];
    context.output.line(&fill(&context.texts.people.user_closed, &values))?;
    Ok(Exit::Done)
}

pub async fn open(context: &Context, who: &str) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let user = named(&connection, who).await?;
    let opened = connection.post(&format!("/users/{user}/open"), json!({})).await?;
    context.output.document(&opened)?;
    context.output.line(&fill(&context.texts.people.user_opened, &[("user", who)]))?;
    Ok(Exit::Done)
}

/// One's own, by the old one; somebody else's, by an administrator.
pub async fn password(context: &Context, args: &PasswordArgs) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let texts = &context.texts;
    let new = args.new_password_file.as_deref();
    let done = match &args.user {
        Some(who) => {
            let user = named(&connection, who).await?;
            let new = given(new, &texts.people.ask_new_password)?;
            let body = json!({ "password": new.expose_secret() });
            let call = ApiCall::put(path(&format!("/users/{user}/password")));
            connection.client.send(call.json(body)).await?.body
        }
        None => {
            let old = given(args.old_password_file.as_deref(), &texts.people.ask_old_password)?;
            let new = given(new, &texts.people.ask_new_password)?;
            let (old, new) = (old.expose_secret(), new.expose_secret());
            let body = json!({ "old": old, "new": new, "keep_others": args.keep_others });
            connection.post("/auth/password", body).await?
        }
    };
    context.output.document(&done)?;
    let ended = done.get("tokens_ended").and_then(Value::as_u64).unwrap_or_default().to_string();
    context.output.line(&fill(&texts.people.password_changed, &[("tokens", &ended)]))?;
    Ok(Exit::Done)
}

/// By id, or by the name that an administrator sees.
async fn named(connection: &Connection, who: &str) -> Result<UserId, Failure> {
    if let Ok(id) = who.parse() {
        return Ok(id);
    }
    let users = connection.rows("/users").await?;
    let found = users.iter().find(|row| text(row, "name") == who);
    let found = found.ok_or_else(|| Failure::NoSuchAccount { name: who.to_owned() })?;
    required(found, "id")?.parse().map_err(|_| Failure::Answer { field: "id" })
}
