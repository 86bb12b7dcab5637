//! `users`: accounts, for an administrator.

use crate::connection::{Connection, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::secret::given;
use crate::texts::fill;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use std::path::Path;

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
