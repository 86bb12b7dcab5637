//! `tokens`: the person's log-ins, here and on other machines.

use crate::connection::{Connection, flag, number, path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::short_id::{IdArg, Lists, short};
use crate::texts::fill;
use serde_json::{Value, json};
use wiiiv_domain::TokenId;
use wiiiv_net::ApiCall;

/// Newest first.
pub async fn list(context: &Context) -> Result<Exit, Failure> {
    let rows = Connection::open(context)?.rows("/auth/tokens").await?;
    context.output.document(&rows)?;
    let texts = &context.texts.tokens;
    let cells = |row: &Value| {
        let ended = text(row, "revoked_at");
        let note = match (flag(row, "current"), ended.is_empty()) {
            (true, _) => texts.current.clone(),
            (false, false) => fill(&texts.ended_at, &[("at", ended)]),
            (false, true) => String::new(),
        };
        let scope = match text(row, "scope") {
            "read" => &texts.read,
            _ => &texts.full,
        };
        let kind = match text(row, "kind") {
            "login" => &texts.login,
            "client" => &texts.client,
            _ => &texts.token,
        };
        let (id, at) = (short(text(row, "id")), text(row, "created_at"));
        [id, kind, scope, at, text(row, "expires_at"), &note].map(str::to_owned)
    };
    let list = &context.texts.list;
    let heads =
        [&list.id, &context.texts.people.kind, &texts.scope, &list.at, &texts.until, &texts.note];
    context.table(&rows, heads, cells)
}

pub async fn end(context: &Context, token: &IdArg) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: TokenId = token.of(&connection, Lists::Tokens).await?;
    connection.client.send(ApiCall::delete(path(&format!("/auth/tokens/{id}")))).await?;
    let answer = json!({ "id": id, "ended": true });
    context.done(&answer, &context.texts.tokens.ended, &[("token", short(&id.to_string()))])
}

/// Logged out everywhere else.
pub async fn end_others(context: &Context) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let ended = connection.client.send(ApiCall::delete(path("/auth/tokens"))).await?.body;
    let count = number(&ended, "tokens_ended").to_string();
    context.done(&ended, &context.texts.tokens.others_ended, &[("tokens", &count)])
}
