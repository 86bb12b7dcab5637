//! Who reads and who changes documents, by scope.

use super::error::DocumentError;
use wiiiv_domain::{ProjectId, Scope};
use wiiiv_gate::{GateKeeper, Principal};

/// What is global everybody reads, a project's its members, a person's that person. An administrator reads nothing
/// more by being one.
pub fn may_read(keeper: &GateKeeper, who: &Principal, scope: Scope) -> bool {
    keeper.knows(who)
        && match scope {
            Scope::Global => true,
            Scope::User(user) => user == who.user(),
            Scope::Project(project) => is_member(who, project),
        }
}

/// A scope that somebody may not read is not there for them.
pub fn may_write(keeper: &GateKeeper, who: &Principal, scope: Scope) -> Result<(), DocumentError> {
    if !may_read(keeper, who, scope) {
        return Err(DocumentError::NotFound);
    }
    let rights = who.rights();
    let may = match scope {
        Scope::Global => rights.admin,
        Scope::User(_) => true,
        Scope::Project(_) => rights.owner || rights.editor,
    };
    may.then_some(()).ok_or(DocumentError::NotAllowed)
}

/// What a search of this person reads, whatever it is for. `project`: theirs, where they were authenticated for it.
pub fn scopes_of(keeper: &GateKeeper, who: &Principal, project: Option<ProjectId>) -> Vec<Scope> {
    let project = project.map(Scope::Project);
    let scopes = [Some(Scope::Global), Some(Scope::User(who.user())), project];
    scopes.into_iter().flatten().filter(|scope| may_read(keeper, who, *scope)).collect()
}

fn is_member(who: &Principal, project: ProjectId) -> bool {
    let rights = who.rights();
    let has_role = rights.owner || rights.editor || rights.approver || rights.viewer;
    who.project() == Some(project) && has_role
}
