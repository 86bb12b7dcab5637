//! `sessions list`.

use crate::args::ProjectArg;
use crate::connection::{Connection, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

pub async fn list(context: &Context, project: &ProjectArg) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let project = connection.project(project.project.as_deref()).await?;
    let rows = connection.rows(&format!("/projects/{project}/sessions")).await?;
    context.output.document(&rows)?;
    let texts = &context.texts.list;
    if rows.is_empty() {
        context.output.line(&texts.none)?;
        return Ok(Exit::Done);
    }
    let cells = |row: &serde_json::Value| {
        ["id", "created_at", "title"].map(|field| text(row, field).to_owned())
    };
    let rows: Vec<_> = rows.iter().map(cells).collect();
    context.output.table([&texts.id, &texts.at, &texts.title], &rows)?;
    Ok(Exit::Done)
}
