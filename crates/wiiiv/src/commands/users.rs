//! `users`: accounts, for an administrator, and the person's own password.

use crate::args::PasswordArgs;
use crate::connection::{Connection, flag, number, parsed, path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::secret::given;
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
        let role = if flag(row, "admin") { texts.administrator.as_str() } else { "" };
        let disabled = text(row, "disabled_at");
        [text(row, "id"), text(row, "name"), role, disabled].map(str::to_owned)
    };
    let heads = [&context.texts.list.id, &texts.name, &texts.roles, &texts.disabled];
    context.table(&rows, heads, cells)
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
    let values = [("name", text(&created, "name")), ("id", text(&created, "id"))];
    context.done(&created, &context.texts.people.user_created, &values)
}

/// The person can do nothing more; what came of it is told.
pub async fn close(context: &Context, who: &str) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let user = named(&connection, who).await?;
    let closed = connection.post(&format!("/users/{user}/close"), json!({})).await?;
    let [tokens, asked] =
        ["tokens_ended", "approvals_withdrawn"].map(|field| number(&closed, field).to_string());
    let values = [("user", who), ("tokens", &tokens), ("asked", &asked)];
    context.done(&closed, &context.texts.people.user_closed, &values)
}

pub async fn open(context: &Context, who: &str) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let user = named(&connection, who).await?;
    let opened = connection.post(&format!("/users/{user}/open"), json!({})).await?;
    context.done(&opened, &context.texts.people.user_opened, &[("user", who)])
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
    let ended = number(&done, "tokens_ended").to_string();
    context.done(&done, &texts.people.password_changed, &[("tokens", &ended)])
}

/// By id, or by the name that an administrator sees.
pub async fn named(connection: &Connection, who: &str) -> Result<UserId, Failure> {
    if let Ok(id) = who.parse() {
        return Ok(id);
    }
    let users = connection.rows("/users").await?;
    let found = users.iter().find(|row| text(row, "name") == who);
    parsed(found.ok_or_else(|| Failure::NoSuchAccount { name: who.to_owned() })?, "id")
}
