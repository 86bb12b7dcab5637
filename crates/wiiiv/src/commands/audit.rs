//! `audit export`, `key` and `receipt`: files from a server, for others to verify.

use crate::args::AuditExportArgs;
use crate::connection::{Connection, path, required};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::short_id::{IdArg, Lists};
use futures::StreamExt as _;
use serde_json::json;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use wiiiv_domain::ExecutionId;
use wiiiv_net::ApiCall;

pub async fn export(context: &Context, args: &AuditExportArgs) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let chain = chain_of(&connection, args).await?;
    let below = format!("/audit/{chain}/export");
    save(context, &connection, &below, args.output.as_deref()).await
}

/// A project's, or the server's own.
pub async fn chain_of(connection: &Connection, args: &AuditExportArgs) -> Result<String, Failure> {
    if args.server_chain {
        return Ok("server".to_owned());
    }
    Ok(connection.project(args.project.project.as_deref()).await?.to_string())
}

pub async fn receipt(
    context: &Context,
    execution: &IdArg,
    output: Option<&Path>,
) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let execution: ExecutionId = execution.of(&connection, Lists::Executions).await?;
    save(context, &connection, &format!("/executions/{execution}/receipt"), output).await
}

/// One line of 64 hex digits: what `--key` takes.
pub async fn key(context: &Context, output: Option<&Path>) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let keys = connection.get("/audit/keys").await?;
    let newest = keys.pointer("/items/0").ok_or(Failure::Answer { field: "items" })?;
    let key = format!("{}\n", required(newest, "public_key")?);
    let Some(path) = output else {
        context.output.document(&keys)?;
        context.output.part(&key)?;
        return Ok(Exit::Done);
    };
    std::fs::write(path, &key).map_err(Failure::unwritable(path))?;
    saved(context, path, key.len() as u64)
}

/// Byte for byte, to the file or to standard output.
pub async fn save(
    context: &Context,
    connection: &Connection,
    below: &str,
    output: Option<&Path>,
) -> Result<Exit, Failure> {
    let mut bytes = connection.client.download(ApiCall::get(path(below))).await?;
    let mut sink: Box<dyn Write> = match output {
        Some(path) => Box::new(File::create(path).map_err(Failure::unwritable(path))?),
        None => Box::new(io::stdout().lock()),
    };
    let refuse = |error: io::Error| match output {
        Some(path) => Failure::unwritable(path)(error),
        None => Failure::Output(error),
    };
    let mut length = 0_u64;
    while let Some(chunk) = bytes.next().await {
        let chunk = chunk?;
        length += chunk.len() as u64;
        sink.write_all(&chunk).map_err(refuse)?;
    }
    sink.flush().map_err(refuse)?;
    match output {
        Some(path) => saved(context, path, length),
        None => Ok(Exit::Done),
    }
}

fn saved(context: &Context, path: &Path, bytes: u64) -> Result<Exit, Failure> {
    let shown = path.display().to_string();
    let values = [("file", shown.as_str()), ("bytes", &bytes.to_string())];
    let answer = json!({ "file": shown, "bytes": bytes });
    context.done(&answer, &context.texts.audit.saved, &values)
}
