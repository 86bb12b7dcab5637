//! `projects`: projects and their members.

use crate::args::MembersArgs;
use crate::connection::{Connection, items, parsed, path, text, words};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use serde_json::{Value, json};
use wiiiv_domain::{ProjectId, UserId};
use wiiiv_net::ApiCall;

const FORBIDDEN: u16 = 403;

pub async fn list(context: &Context) -> Result<Exit, Failure> {
    let rows = Connection::open(context)?.rows("/projects").await?;
    context.output.document(&rows)?;
    let texts = &context.texts.people;
    let cells = |row: &Value| {
        let own = if text(row, "personal_of").is_empty() { "" } else { texts.personal.as_str() };
        [text(row, "id"), text(row, "name"), own, text(row, "created_at")].map(str::to_owned)
    };
    let heads = [&context.texts.list.id, &texts.name, &texts.kind, &context.texts.list.at];
    context.table(&rows, heads, cells)
}

pub async fn create(context: &Context, name: &str, stage: Option<&str>) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let created = connection.post("/projects", json!({ "name": name, "stage": stage })).await?;
    let values = [("name", text(&created, "name")), ("id", text(&created, "id"))];
    context.done(&created, &context.texts.people.project_created, &values)
}

/// Who is a member; or somebody becomes one, or is one no longer.
pub async fn members(context: &Context, args: &MembersArgs) -> Result<Exit, Failure> {
    let (connection, project) = args.project.open(context).await?;
    match (&args.add, &args.remove) {
        (Some(who), _) => change(context, &connection, project, (who, &args.role)).await,
        (None, Some(who)) => change(context, &connection, project, (who, &[])).await,
        (None, None) => show(context, &connection, project).await,
    }
}

async fn show(
    context: &Context,
    connection: &Connection,
    project: ProjectId,
) -> Result<Exit, Failure> {
    let rows = connection.all(&format!("/projects/{project}/members")).await?;
    context.output.document(&rows)?;
    let texts = &context.texts.people;
    let cells = |row: &Value| {
        let roles = words(row, "roles").join(", ");
        [text(row, "user").to_owned(), text(row, "name").to_owned(), roles]
    };
    context.table(&rows, [&context.texts.list.id, &texts.name, &texts.roles], cells)
}

/// All roles of one person, none of which ends the membership; over the list as it is now.
async fn change(
    context: &Context,
    connection: &Connection,
    project: ProjectId,
    (who, roles): (&str, &[String]),
) -> Result<Exit, Failure> {
    let below = format!("/projects/{project}/members");
    let list = connection.client.send(ApiCall::get(path(&below))).await?;
    let tag = list.etag.ok_or(Failure::Answer { field: "ETag" })?;
    let user = user(connection, &list.body, who).await?;
    let call = ApiCall::put(path(&format!("{below}/{user}"))).json(json!({ "roles": roles }));
    connection.client.send(call.if_match(tag)).await?;
    let texts = &context.texts.people;
    let values = [("user", who), ("roles", &roles.join(", "))];
    let said = if roles.is_empty() { &texts.member_removed } else { &texts.member_set };
    context.done(&json!({ "project": project, "user": user, "roles": roles }), said, &values)
}

/// By id, by the name of a member, or by the name of any account where an administrator asks.
pub async fn user(connection: &Connection, members: &Value, who: &str) -> Result<UserId, Failure> {
    if let Ok(id) = who.parse() {
        return Ok(id);
    }
    let unknown = || Failure::NoSuchUser { name: who.to_owned() };
    let is_meant = |row: &&Value| text(row, "name") == who;
    if let Some(member) = items(members, "items").iter().find(is_meant) {
        return parsed(member, "user");
    }
    let users = match connection.rows("/users").await {
        Ok(users) => users,
        Err(failure) if failure.status() == Some(FORBIDDEN) => return Err(unknown()),
        Err(failure) => return Err(failure),
    };
    parsed(users.iter().find(is_meant).ok_or_else(unknown)?, "id")
}
