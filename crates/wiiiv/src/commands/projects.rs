//! `projects`: projects and their members.

use crate::args::{MembersArgs, RoleArg};
use crate::connection::{Connection, path, required, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::texts::fill;
use serde_json::{Value, json};
use wiiiv_domain::{ProjectId, UserId};
use wiiiv_net::{ApiCall, ApiError};

const FORBIDDEN: u16 = 403;

pub async fn list(context: &Context) -> Result<Exit, Failure> {
    let rows = Connection::open(context)?.rows("/projects").await?;
    context.output.document(&rows)?;
    let texts = &context.texts.people;
    let cells = |row: &Value| {
        let own = if text(row, "personal_of").is_empty() { "" } else { texts.personal.as_str() };
        [text(row, "id"), text(row, "name"), own, text(row, "created_at")].map(str::to_owned)
    };
    let rows: Vec<_> = rows.iter().map(cells).collect();
    let heads = [&context.texts.list.id, &texts.name, &texts.kind, &context.texts.list.at];
    context.output.table(heads.map(String::as_str), &rows)?;
    Ok(Exit::Done)
}

pub async fn create(context: &Context, name: &str) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let created = connection.post("/projects", json!({ "name": name })).await?;
    context.output.document(&created)?;
    let values = [("name", text(&created, "name")), ("id", text(&created, "id"))];
    context.output.line(&fill(&context.texts.people.project_created, &values))?;
    Ok(Exit::Done)
}

/// Who is a member; or somebody becomes one, or is one no longer.
pub async fn members(context: &Context, args: &MembersArgs) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let project = connection.project(args.project.project.as_deref()).await?;
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
    let list = connection.get(&format!("/projects/{project}/members")).await?;
    let rows = list.get("items").and_then(Value::as_array);
    let rows = rows.ok_or(Failure::Answer { field: "items" })?;
    context.output.document(rows)?;
    let texts = &context.texts.people;
    let cells = |row: &Value| {
        let roles = row.get("roles").and_then(Value::as_array).into_iter().flatten();
        let roles: Vec<&str> = roles.filter_map(Value::as_str).collect();
        [text(row, "user").to_owned(), text(row, "name").to_owned(), roles.join(", ")]
    };
    let rows: Vec<_> = rows.iter().map(cells).collect();
    context.output.table([&context.texts.list.id, &texts.name, &texts.roles], &rows)?;
    Ok(Exit::Done)
}

/// All roles of one person, none of which ends the membership; over the list as it is now.
async fn change(
    context: &Context,
    connection: &Connection,
    project: ProjectId,
    (who, roles): (&str, &[RoleArg]),
) -> Result<Exit, Failure> {
    let below = format!("/projects/{project}/members");
    let list = connection.client.send(ApiCall::get(path(&below))).await?;
    let tag = list.etag.ok_or(Failure::Answer { field: "ETag" })?;
    let user = user(connection, &list.body, who).await?;
    let names: Vec<&str> = roles.iter().map(|role| role.as_str()).collect();
    let call = ApiCall::put(path(&format!("{below}/{user}"))).json(json!({ "roles": names }));
    connection.client.send(call.if_match(tag)).await?;
    context.output.document(&json!({ "project": project, "user": user, "roles": names }))?;
    let texts = &context.texts.people;
    let values = [("user", who), ("roles", &names.join(", "))];
    let said = if names.is_empty() { &texts.member_removed } else { &texts.member_set };
    context.output.line(&fill(said, &values))?;
    Ok(Exit::Done)
}

/// By id, by the name of a member, or by the name of any account where an administrator asks.
async fn user(connection: &Connection, members: &Value, who: &str) -> Result<UserId, Failure> {
    if let Ok(id) = who.parse() {
        return Ok(id);
    }
    let unknown = || Failure::NoSuchUser { name: who.to_owned() };
    let rows = members.get("items").and_then(Value::as_array).into_iter().flatten();
    let member = rows.filter(|row| text(row, "name") == who).map(|row| text(row, "user")).next();
    if let Some(id) = member {
        return id.parse().map_err(|_| Failure::Answer { field: "user" });
    }
    let users = match connection.rows("/users").await {
        Ok(users) => users,
        Err(Failure::Api(ApiError::Problem(problem))) if problem.status == FORBIDDEN => {
            return Err(unknown());
        }
        Err(failure) => return Err(failure),
    };
    let found = users.iter().find(|row| text(row, "name") == who).ok_or_else(unknown)?;
    required(found, "id")?.parse().map_err(|_| Failure::Answer { field: "id" })
}
