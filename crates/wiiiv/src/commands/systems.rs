//! `systems`: services of a project, registered from a file, tested, removed.

use crate::args::{SystemArg, project::ProjectArg};
use crate::connection::{Connection, flag, if_there, path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::json_file;
use crate::output::harmless;
use crate::secret::given;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use std::path::Path;
use wiiiv_domain::{ProjectId, SystemName};
use wiiiv_net::ApiCall;

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
        let (connection, project) = project.open(context).await?;
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
    fn done(&self, context: &Context, answer: &Value, template: &str) -> Result<Exit, Failure> {
        context.done(answer, template, &[("name", self.name.as_str())])
    }
}

pub async fn list(context: &Context, project: &ProjectArg) -> Result<Exit, Failure> {
    let (connection, project) = project.open(context).await?;
    let rows = connection.all(&format!("/projects/{project}/systems")).await?;
    let texts = &context.texts.systems;
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
    let heads = [&texts.name, &texts.origin, &texts.credential, &texts.allowed, &texts.aliases];
    context.list(&rows, heads, cells)
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
    context.say(&texts.head, &head)?;
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
    context.warn(&context.texts.systems.any_path, &[])
}

/// What the policy still has to take over, as it is written there.
fn tell_policy(context: &Context, row: &Value) -> Result<(), Failure> {
    let texts = &context.texts.systems;
    if flag(row, "allowed") {
        return context.output.line(&texts.covered);
    }
    context.warn(&texts.uncovered, &[])?;
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
        // A registration, or the whole answer of `systems show --json`.
        let document = json_file::read(self.file)?;
        let mut document = document.get("system").cloned().unwrap_or(document);
        let refuse = || {
            let reason = "not a JSON object".to_owned();
            Failure::Document { path: self.file.to_owned(), reason }
        };
        let members = document.as_object_mut().ok_or_else(refuse)?;
        if let Some(openapi) = self.openapi {
            members.remove("operations");
            members.insert("openapi".to_owned(), json_file::read(openapi)?);
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
    let call = match if_there(system.tag().await)? {
        Some(tag) => call.if_match(tag),
        None => call,
    };
    let row = system.send(call).await?;
    system.done(context, &row, &context.texts.systems.set)?;
    tell_reach(context, &row)?;
    tell_policy(context, &row)?;
    Ok(Exit::Done)
}

pub async fn remove(context: &Context, args: &SystemArg) -> Result<Exit, Failure> {
    let system = SystemPath::open(context, &args.project, args.system.clone()).await?;
    let call = ApiCall::delete(path(&system.below(""))).if_match(system.tag().await?);
    system.send(call).await?;
    let answer = json!({ "name": system.name, "removed": true });
    system.done(context, &answer, &context.texts.systems.removed)
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
    let values = [("name", system.name.as_str()), ("origin", text(&answer, "origin"))];
    context.done(&answer, &context.texts.systems.credential_set, &values)
}

pub async fn take_credential(context: &Context, args: &SystemArg) -> Result<Exit, Failure> {
    let system = SystemPath::open(context, &args.project, args.system.clone()).await?;
    let call = ApiCall::delete(path(&system.below("/credential"))).if_match(system.tag().await?);
    system.send(call).await?;
    let answer = json!({ "name": system.name, "has_credential": false });
    system.done(context, &answer, &context.texts.systems.credential_removed)
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
    context.say(template, &values)?;
    let origin = text(&report, "redirected_to");
    if !origin.is_empty() {
        context.say(&texts.redirected, &[("origin", &harmless(origin))])?;
    }
    Ok(if ok { Exit::Done } else { Exit::CheckFailed })
}
