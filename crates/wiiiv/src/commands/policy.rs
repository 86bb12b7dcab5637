//! `policy`: the version in force, and a new version from a file.

use crate::args::project::ProjectArg;
use crate::connection::{Connection, path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::texts::fill;
use serde_json::{Value, json};
use std::path::Path;
use wiiiv_net::ApiCall;

/// A longer file is no policy.
const POLICY_BYTES_MAX: u64 = 1_048_576;

pub async fn show(context: &Context, project: &ProjectArg) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let project = connection.project(project.project.as_deref()).await?;
    let version = connection.get(&format!("/projects/{project}/policy")).await?;
    context.output.document(&version)?;
    let number = version.get("number").map(Value::to_string).unwrap_or_default();
    let head =
        [("number", number.as_str()), ("id", text(&version, "id")), ("at", text(&version, "at"))];
    context.output.line(&fill(&context.texts.policy.version, &head))?;
    let policy = version.get("policy").unwrap_or(&version);
    let pretty = serde_json::to_string_pretty(policy).map_err(std::io::Error::from)?;
    context.output.line(&pretty)?;
    Ok(Exit::Done)
}

/// A new version over the one that `expected` names, or over the one that is current now.
pub async fn set(
    context: &Context,
    file: &Path,
    reason: &str,
    expected: Option<&str>,
    project: &ProjectArg,
) -> Result<Exit, Failure> {
    let policy = read(file)?;
    let connection = Connection::open(context)?;
    let project = connection.project(project.project.as_deref()).await?;
    let below = path(&format!("/projects/{project}/policy"));
    let tag = match expected {
        Some(version) => format!("\"{version}\""),
        None => {
            let current = connection.client.send(ApiCall::get(&below)).await?;
            current.etag.ok_or(Failure::Answer { field: "ETag" })?
        }
    };
    let body = json!({ "policy": policy, "reason": reason });
    let call = ApiCall::put(&below).json(body).if_match(tag);
    let version = connection.client.send(call).await?.body;
    context.output.document(&version)?;
    let number = version.get("number").map(Value::to_string).unwrap_or_default();
    let values = [("number", number.as_str()), ("id", text(&version, "id"))];
    context.output.line(&fill(&context.texts.policy.set, &values))?;
    Ok(Exit::Done)
}

/// JSON, as `policy show --json` prints it: the policy alone or the whole version.
fn read(file: &Path) -> Result<Value, Failure> {
    let unreadable = |reason: String| Failure::Unreadable { path: file.to_owned(), reason };
    let size = std::fs::metadata(file).map_err(|error| unreadable(error.to_string()))?.len();
    if size > POLICY_BYTES_MAX {
        return Err(unreadable(format!("it is longer than `{POLICY_BYTES_MAX}` bytes")));
    }
    let bytes = std::fs::read(file).map_err(|error| unreadable(error.to_string()))?;
    let document: Value = serde_json::from_slice(&bytes).map_err(|error| {
        let reason = format!("not JSON at line `{}`, column `{}`", error.line(), error.column());
        Failure::Document { path: file.to_owned(), reason }
    })?;
    Ok(document.get("policy").cloned().unwrap_or(document))
}
