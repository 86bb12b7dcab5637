//! `systems`: services of a project, registered from a file, tested, removed.

use crate::args::{SystemArg, project::ProjectArg};
use crate::connection::{Connection, path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Tone, harmless};
use crate::secret::given;
use crate::texts::fill;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use std::path::Path;
use wiiiv_domain::{ProjectId, SystemName};
use wiiiv_net::{ApiCall, ApiError};

/// A longer file is no registration.
const FILE_BYTES_MAX: u64 = 1_048_576;

/// One system of one project at the server.
struct SystemPath {
    connection: Connection,
    project: ProjectId,
    name: SystemName,
}

impl SystemPath {
    async fn open(
        context: &Context,
        project: &ProjectArg,
        name: SystemName,
    ) -> Result<Self, Failure> {
        let connection = Connection::open(context)?;
        let project = connection.project(project.project.as_deref()).await?;
        Ok(Self { connection, project, name })
    }
    fn below(&self, end: &str) -> String {
        format!("/projects/{}/systems/{}{end}", self.project, self.name)
    }
    async fn send(&self, call: ApiCall) -> Result<Value, Failure> {
        Ok(self.connection.client.send(call).await?.body)
    }
    /// As it is now: what a change is made to.
    async fn tag(&self) -> Result<String, Failure> {
        let current = self.connection.client.send(ApiCall::get(path(&self.below("")))).await?;
        current.etag.ok_or(Failure::Answer { field: "ETag" })
    }
    /// `None`: there is none by that name.
    async fn tag_if_any(&self) -> Result<Option<String>, Failure> {
        match self.tag().await {
            Ok(tag) => Ok(Some(tag)),
            Err(Failure::Api(ApiError::Problem(problem))) if problem.status == 404 => Ok(None),
            Err(failure) => Err(failure),
        }
    }
    fn said(&self, context: &Context, template: &str) -> Result<Exit, Failure> {
        context.output.line(&fill(template, &[("name", self.name.as_str())]))?;
        Ok(Exit::Done)
    }
}

pub async fn list(context: &Context, project: &ProjectArg) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let project = connection.project(project.project.as_deref()).await?;
    let mut answer = connection.get(&format!("/projects/{project}/systems")).await?;
    let rows = answer.get_mut("items").map(Value::take).unwrap_or_default();
    context.output.document(&rows)?;
    let rows = rows.as_array().ok_or(Failure::Answer { field: "items" })?;
    let texts = &context.texts.systems;
    if rows.is_empty() {
        context.output.line(&context.texts.list.none)?;
        return Ok(Exit::Done);
    }
    let cells = |row: &Value| {
        let aliases = row.pointer("/system/aliases").and_then(Value::as_array);
        let aliases = aliases.into_iter().flatten().filter_map(Value::as_str);
        [
            text(row, "name").to_owned(),
            text(row, "origin").to_owned(),
            word(context, flag(row, "has_credential")),
            word(context, flag(row, "allowed")),
            aliases.collect::<Vec<_>>().join(", "),
        ]
    };
    let rows: Vec<_> = rows.iter().map(cells).collect();
    let heads = [&texts.name, &texts.origin, &texts.credential, &texts.allowed, &texts.aliases];
    context.output.table(heads.map(String::as_str), &rows)?;
    Ok(Exit::Done)
}

fn flag(row: &Value, field: &str) -> bool {
    row.get(field).and_then(Value::as_bool).unwrap_or_default()
}

fn word(context: &Context, holds: bool) -> String {
    let texts = &context.texts.systems;
    if holds { texts.yes.clone() } else { texts.no.clone() }
}

pub async fn show(context: &Context, args: &SystemArg) -> Result<Exit, Failure> {
    let system = SystemPath::open(context, &args.project, args.system.clone()).await?;
    let row = system.connection.get(&system.below("")).await?;
    context.output.document(&row)?;
    let texts = &context.texts.systems;
    let head = [
        ("name", text(&row, "name")),
        ("origin", text(&row, "origin")),
        ("credential", &word(context, flag(&row, "has_credential"))),
        ("at", text(&row, "updated_at")),
    ];
    context.output.line(&fill(&texts.head, &head))?;
    tell_reach(context, &row)?;
    pretty(context, row.get("system"))?;
    tell_policy(context, &row)?;
    Ok(Exit::Done)
}

/// Where its credential may go, if that is more than its operations.
fn tell_reach(context: &Context, row: &Value) -> Result<(), Failure> {
    if row.pointer("/system/anyPath").and_then(Value::as_bool) != Some(true) {
        return Ok(());
    }
    let text = &context.texts.systems.any_path;
    context.output.line(&context.output.toned(Tone::Doubtful, text))
}

/// What the policy still has to take over, as it is written there.
fn tell_policy(context: &Context, row: &Value) -> Result<(), Failure> {
    let texts = &context.texts.systems;
    if flag(row, "allowed") {
        return context.output.line(&texts.covered);
    }
    context.output.line(&context.output.toned(Tone::Doubtful, &texts.uncovered))?;
    pretty(context, row.get("proposed_rule"))
}

fn pretty(context: &Context, value: Option<&Value>) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(&value).map_err(std::io::Error::from)?;
    context.output.line(&text)
}

/// Where a registration is read from.
pub struct Source<'a> {
    pub file: &'a Path,
    /// In place of the operations in the file.
    pub openapi: Option<&'a Path>,
    /// Whatever the file says.
    pub any_path: bool,
}

impl Source<'_> {
    fn document(&self) -> Result<Value, Failure> {
        let mut document = registration(self.file)?;
        let refuse = || {
            let reason = "not a JSON object".to_owned();
            Failure::Document { path: self.file.to_owned(), reason }
        };
        let members = document.as_object_mut().ok_or_else(refuse)?;
        if let Some(openapi) = self.openapi {
            members.remove("operations");
            members.insert("openapi".to_owned(), read(openapi)?);
        }
        if self.any_path {
            members.insert("anyPath".to_owned(), json!(true));
        }
        Ok(document)
    }
}

/// Registers what the file says, or replaces what is there now.
pub async fn set(
    context: &Context,
    source: &Source<'_>,
    called: Option<SystemName>,
    project: &ProjectArg,
) -> Result<Exit, Failure> {
    let mut document = source.document()?;
    let refuse = |reason: String| Failure::Document { path: source.file.to_owned(), reason };
    let named = text(&document, "name").to_owned();
    let name = called.map_or_else(|| SystemName::parse(&named), Ok);
    let name = name.map_err(|error| refuse(error.to_string()))?;
    if let Some(members) = document.as_object_mut() {
        members.remove("name");
    }
    let system = SystemPath::open(context, project, name).await?;
    let call = ApiCall::put(path(&system.below(""))).json(document);
    let call = match system.tag_if_any().await? {
        Some(tag) => call.if_match(tag),
        None => call,
    };
    let row = system.send(call).await?;
    context.output.document(&row)?;
    system.said(context, &context.texts.systems.set)?;
    tell_reach(context, &row)?;
    tell_policy(context, &row)?;
    Ok(Exit::Done)
}

pub async fn remove(context: &Context, args: &SystemArg) -> Result<Exit, Failure> {
    let system = SystemPath::open(context, &args.project, args.system.clone()).await?;
    let call = ApiCall::delete(path(&system.below(""))).if_match(system.tag().await?);
    system.send(call).await?;
    context.output.document(&json!({ "name": system.name, "removed": true }))?;
    system.said(context, &context.texts.systems.removed)
}

/// The secret comes from a file or standard input; it is asked for without being shown.
pub async fn credential(
    context: &Context,
    args: &SystemArg,
    username: Option<&str>,
    secret_file: Option<&Path>,
) -> Result<Exit, Failure> {
    let system = SystemPath::open(context, &args.project, args.system.clone()).await?;
    let tag = system.tag().await?;
    let secret = given(secret_file, &context.texts.systems.ask_secret)?;
    let mut body = json!({ "secret": secret.expose_secret() });
    if let (Some(username), Some(members)) = (username, body.as_object_mut()) {
        members.insert("username".to_owned(), json!(username));
    }
    let call = ApiCall::put(path(&system.below("/credential"))).json(body).if_match(tag);
    let answer = system.send(call).await?;
    context.output.document(&answer)?;
    let values = [("name", system.name.as_str()), ("origin", text(&answer, "origin"))];
    context.output.line(&fill(&context.texts.systems.credential_set, &values))?;
    Ok(Exit::Done)
}

pub async fn take_credential(context: &Context, args: &SystemArg) -> Result<Exit, Failure> {
    let system = SystemPath::open(context, &args.project, args.system.clone()).await?;
    let call = ApiCall::delete(path(&system.below("/credential"))).if_match(system.tag().await?);
    system.send(call).await?;
    context.output.document(&json!({ "name": system.name, "has_credential": false }))?;
    system.said(context, &context.texts.systems.credential_removed)
}

/// A connection that does not come about is a check that failed.
pub async fn test(context: &Context, args: &SystemArg) -> Result<Exit, Failure> {
    let system = SystemPath::open(context, &args.project, args.system.clone()).await?;
    let report = system.connection.post(&system.below("/test"), json!({})).await?;
    context.output.document(&report)?;
    let texts = &context.texts.systems;
    let status = report.get("status").filter(|status| !status.is_null());
    let values = [
        ("name", system.name.as_str()),
        ("code", text(&report, "code")),
        ("status", &status.map_or_else(|| "-".to_owned(), Value::to_string)),
        ("logged_in", &word(context, flag(&report, "logged_in"))),
    ];
    let ok = flag(&report, "ok");
    let template = if ok { &texts.reached } else { &texts.not_reached };
    context.output.line(&fill(template, &values))?;
    let origin = text(&report, "redirected_to");
    if !origin.is_empty() {
        context.output.line(&fill(&texts.redirected, &[("origin", &harmless(origin))]))?;
    }
    Ok(if ok { Exit::Done } else { Exit::CheckFailed })
}

/// A registration, or the whole answer of `systems show --json`.
fn registration(file: &Path) -> Result<Value, Failure> {
    let document = read(file)?;
    Ok(document.get("system").cloned().unwrap_or(document))
}

fn read(file: &Path) -> Result<Value, Failure> {
    let unreadable = |reason: String| Failure::Unreadable { path: file.to_owned(), reason };
    let size = std::fs::metadata(file).map_err(|error| unreadable(error.to_string()))?.len();
    if size > FILE_BYTES_MAX {
        return Err(unreadable(format!("it is longer than `{FILE_BYTES_MAX}` bytes")));
    }
    let bytes = std::fs::read(file).map_err(|error| unreadable(error.to_string()))?;
    serde_json::from_slice(&bytes).map_err(|error| {
        let reason = format!("not JSON at line `{}`, column `{}`", error.line(), error.column());
        Failure::Document { path: file.to_owned(), reason }
    })
}
