//! Wire forms of halts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::HaltScope;
use wiiiv_hlx::neutralise;
use wiiiv_store::Halt;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HaltReason {
    /// 1 to 500 characters on one line, for everybody concerned.
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HaltScopeName {
    Server,
    Project,
    Session,
}

/// A halt in force.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HaltView {
    pub scope: HaltScopeName,
    /// Of a project or of a conversation.
    pub project: Option<Uuid>,
    /// Of a conversation.
    pub session: Option<Uuid>,
    pub by: Uuid,
    pub by_name: Option<String>,
    /// A person's own words.
    pub reason: String,
    pub at: String,
    /// By the caller.
    pub may_resume: bool,
}

impl HaltView {
    pub(crate) fn of(halt: Halt, by_name: Option<String>, may_resume: bool) -> Self {
        let (scope, session) = match halt.scope {
            HaltScope::Server => (HaltScopeName::Server, None),
            HaltScope::Project(_) => (HaltScopeName::Project, None),
            HaltScope::Session { session, .. } => (HaltScopeName::Session, Some(session.uuid())),
        };
        Self {
            scope,
            project: halt.scope.project().map(|project| project.uuid()),
            session,
            by: halt.by.uuid(),
            by_name,
            reason: neutralise(&halt.reason),
            at: halt.at.to_string(),
            may_resume,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HaltList {
    /// The server's first, then those of projects, then those of conversations.
    pub items: Vec<HaltView>,
}
