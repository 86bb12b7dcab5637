//! The option that names a command's project.

use crate::{connection::Connection, context::Context, failure::Failure};
use clap::Args;
use wiiiv_domain::ProjectId;

/// ` --project NAME`; nothing where none was named.
pub fn option(project: Option<&str>) -> String {
    project.map(|project| format!(" --project {project}")).unwrap_or_default()
}

#[derive(Debug, Clone, Args)]
pub struct ProjectArg {
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
}

impl ProjectArg {
    /// As it was given, behind a command that is advised.
    pub fn option(&self) -> String {
        option(self.project.as_deref())
    }

    /// The server, and the project that is meant there.
    pub async fn open(&self, context: &Context) -> Result<(Connection, ProjectId), Failure> {
        let connection = Connection::open(context)?;
        let project = connection.project(self.project.as_deref()).await?;
        Ok((connection, project))
    }
}
