//! What a person stops at once: one session, one project, or the server.

use crate::{ProjectId, SessionId};

/// A reason to halt or to resume, in Unicode scalar values.
pub const HALT_REASON_CHARS_MAX: usize = 500;

/// What a halt is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HaltScope {
    /// One session.
    Session {
        /// The project that it belongs to.
        project: ProjectId,
        /// The session.
        session: SessionId,
    },
    /// Every session of one project.
    Project(ProjectId),
    /// Everything.
    Server,
}

impl HaltScope {
    /// The word for it in records, metrics and the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Session { .. } => "session",
            Self::Project(_) => "project",
            Self::Server => "server",
        }
    }

    /// The project that it belongs to; `None` for the server.
    #[must_use]
    pub const fn project(self) -> Option<ProjectId> {
        match self {
            Self::Session { project, .. } | Self::Project(project) => Some(project),
            Self::Server => None,
        }
    }

    /// Whether it stops this session of this project.
    #[must_use]
    pub fn covers(self, in_project: ProjectId, one: SessionId) -> bool {
        match self {
            Self::Session { session, .. } => session == one,
            Self::Project(project) => project == in_project,
            Self::Server => true,
        }
    }
}
