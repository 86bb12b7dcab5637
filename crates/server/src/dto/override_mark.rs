//! Wire forms of what an override is: its scope, how it ended, and what a policy version says of one.

use super::mirror::mirror;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{OverrideEnd, OverrideMark, OverrideScope, TemporaryPolicy};
use wiiiv_store::HowEnded;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OverrideScopeName {
    /// The first run of a plan that the policy before would deny.
    Request,
    /// Plans of one task type, and their runs.
    Type,
    /// Everything.
    Window,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OverrideEndName {
    /// Its time was over.
    Expired,
    /// The one run that it was for has ended.
    Used,
    /// A person ended it.
    Ended,
    /// A person took the proposal back.
    Withdrawn,
}

mirror!(HowEnded => OverrideEndName: Expired, Used, Ended, Withdrawn);
mirror!(OverrideEnd => OverrideEndName: Expired, Used, Ended);

/// What a policy version has to do with an override.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OverrideMarkView {
    pub id: Uuid,
    /// The version is the override; else it has the rules before it again.
    pub temporary: bool,
    pub scope: Option<OverrideScopeName>,
    pub task_type: Option<String>,
    pub until: Option<String>,
    pub ended: Option<OverrideEndName>,
}

/// In the parts that the wire has.
pub(crate) fn scope_parts(scope: OverrideScope) -> (OverrideScopeName, Option<String>) {
    match scope {
        OverrideScope::Request => (OverrideScopeName::Request, None),
        OverrideScope::Type { task_type } => (OverrideScopeName::Type, Some(task_type.to_string())),
        OverrideScope::Window => (OverrideScopeName::Window, None),
    }
}

impl From<OverrideMark> for OverrideMarkView {
    fn from(mark: OverrideMark) -> Self {
        match mark {
            OverrideMark::Temporary(TemporaryPolicy { id, scope, until, .. }) => {
                let (scope, task_type) = scope_parts(scope);
                let (scope, until) = (Some(scope), Some(until.to_string()));
                Self { id: id.uuid(), temporary: true, scope, task_type, until, ended: None }
            }
            OverrideMark::Restored { id, end } => Self {
                id: id.uuid(),
                temporary: false,
                scope: None,
                task_type: None,
                until: None,
                ended: Some(end.into()),
            },
        }
    }
}
