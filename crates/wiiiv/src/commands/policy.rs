//! `policy`: the version in force, and a new version from a file.

use crate::args::project::ProjectArg;
use crate::connection::{path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json_file;
use serde_json::{Value, json};
use std::path::Path;
use wiiiv_net::ApiCall;

pub async fn show(context: &Context, project: &ProjectArg) -> Result<Exit, Failure> {
    let (connection, project) = project.open(context).await?;
    let version = connection.get(&format!("/projects/{project}/policy")).await?;
    context.output.document(&version)?;
    let number = version.get("number").map(Value::to_string).unwrap_or_default();
    let head =
        [("number", number.as_str()), ("id", text(&version, "id")), ("at", text(&version, "at"))];
    context.say(&context.texts.policy.version, &head)?;
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
    // As `policy show --json` prints it: the policy alone, or the whole version.
    let document = json_file::read(file)?;
    let policy = document.get("policy").unwrap_or(&document);
    let (connection, project) = project.open(context).await?;
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
    let number = version.get("number").map(Value::to_string).unwrap_or_default();
    let values = [("number", number.as_str()), ("id", text(&version, "id"))];
    context.done(&version, &context.texts.policy.set, &values)
}
