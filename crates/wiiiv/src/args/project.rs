//! The option that names a command's project.

use crate::{connection::Connection, context::Context, failure::Failure};
use clap::Args;
use wiiiv_domain::ProjectId;

#[derive(Debug, Clone, Args)]
pub struct ProjectArg {
    #[arg(long, value_name = "PROJECT")]
    pub project: Option<String>,
}

impl ProjectArg {
    /// The server, and the project that is meant there.
    pub async fn open(&self, context: &Context) -> Result<(Connection, ProjectId), Failure> {
        let connection = Connection::open(context)?;
        let project = connection.project(self.project.as_deref()).await?;
        Ok((connection, project))
    }
}
