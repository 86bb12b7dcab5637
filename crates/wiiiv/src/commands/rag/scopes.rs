//! Scopes that a command of `rag` is about, and their names.

use crate::args::{RagScope, RagScopeArgs};
use crate::connection::{Connection, parsed, text};
use crate::context::Context;
use crate::document_scopes::DocumentScopes;
use crate::failure::Failure;
use crate::output::harmless;
use serde_json::Value;
use wiiiv_domain::Scope;

/// The scope that is named, as the server calls it. A project beside another scope would mean nothing.
pub async fn scope_of(
    connection: &Connection,
    scope: RagScope,
    of: &RagScopeArgs,
) -> Result<Scope, Failure> {
    if scope != RagScope::Project && of.project.project.is_some() {
        return Err(Failure::OtherScope);
    }
    Ok(match scope {
        RagScope::Global => Scope::Global,
        RagScope::Me => Scope::User(parsed(&connection.get("/auth/me").await?, "user")?),
        RagScope::Project => {
            Scope::Project(connection.project(of.project.project.as_deref()).await?)
        }
    })
}

/// Of the scope that is named, else of all that the user finds something in.
pub async fn rows(
    connection: &Connection,
    scopes: &DocumentScopes,
    (of, list): (&RagScopeArgs, &str),
) -> Result<Vec<Value>, Failure> {
    match of.named() {
        Some(scope) => {
            let scope = scope_of(connection, scope, of).await?;
            connection.rows(&format!("{list}?scope={scope}")).await
        }
        None => scopes.all(connection, list).await,
    }
}

/// Who finds what a row is of.
pub fn scope_name(context: &Context, scopes: &DocumentScopes, row: &Value) -> String {
    let texts = &context.texts.rag;
    harmless(scopes.name(text(row, "scope"), (&texts.everybody, &texts.mine)))
}
