//! `ghost key` and `ghost keys`: the key that a runner signs results with, and those that a server knows.

use crate::connection::{Connection, path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::secret;
use crate::texts::fill;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use std::path::Path;
use wiiiv_net::ApiCall;
use wiiiv_vault::RunnerKey;

const KEYS: &str = "/ghost/keys";

/// The private half goes into that file and nowhere else.
pub fn make(context: &Context, file: &Path) -> Result<Exit, Failure> {
    if file.exists() {
        return Err(Failure::RunnerKeyThere { path: file.to_owned() });
    }
    let key = RunnerKey::generate().map_err(|error| std::io::Error::other(error.to_string()))?;
    secret::write(file, &key.expose_text())?;
    let (public, named) = (hex::encode(key.public()), file.display().to_string());
    let answer = json!({ "file": named, "public_key": public });
    context.done(&answer, &context.texts.ghost.key_made, &[("file", &named), ("public", &public)])
}

/// From a file that nobody else may read.
pub fn read(file: &Path) -> Result<RunnerKey, Failure> {
    let text = secret::from_private_file(file)?;
    RunnerKey::from_text(text.expose_secret())
        .map_err(|error| Failure::Document { path: file.to_owned(), reason: error.to_string() })
}

/// Said before anything is played: what another key signs would be refused behind it.
pub async fn known(connection: &Connection, key: &RunnerKey) -> Result<(), Failure> {
    let public = hex::encode(key.public());
    let keys = connection.all(KEYS).await?;
    let known = keys.iter().any(|row| text(row, "public_key") == public && in_force(row));
    if known { Ok(()) } else { Err(Failure::RunnerKeyUnknown { public }) }
}

fn in_force(row: &Value) -> bool {
    row.get("revoked_at").is_none_or(Value::is_null)
}

pub async fn add(context: &Context, name: &str, public_key: &str) -> Result<Exit, Failure> {
    let body = json!({ "name": name, "public_key": public_key });
    let answer = Connection::open(context)?.post(KEYS, body).await?;
    context.done(&answer, &context.texts.ghost.key_added, &[("name", name)])
}

/// Newest first, the revoked ones among them.
pub async fn list(context: &Context) -> Result<Exit, Failure> {
    let rows = Connection::open(context)?.all(KEYS).await?;
    context.output.document(&rows)?;
    let (texts, list) = (&context.texts.ghost, &context.texts.list);
    let cells = |row: &Value| {
        let state = match text(row, "revoked_at") {
            "" => texts.key_counts.clone(),
            at => fill(&texts.key_ended, &[("at", at)]),
        };
        let [name, public, at] = ["name", "public_key", "added_at"].map(|field| text(row, field));
        [name, public, at, &state].map(str::to_owned)
    };
    let heads = [&texts.key_name, &texts.public_key, &list.at, &texts.key_state];
    context.table(&rows, heads, cells)
}

/// The one of that name that is in force. What it has signed counts no more.
pub async fn revoke(context: &Context, name: &str) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let keys = connection.all(KEYS).await?;
    let named = keys.iter().find(|row| text(row, "name") == name && in_force(row));
    let named = named.ok_or_else(|| Failure::NoSuchRunnerKey { name: name.to_owned() })?;
    let call = ApiCall::delete(path(&format!("{KEYS}/{}", text(named, "id"))));
    let answer = connection.client.send(call).await?.body;
    context.done(&answer, &context.texts.ghost.key_revoked, &[("name", name)])
}
