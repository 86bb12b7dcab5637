//! Halts as a person sees them, with who halted and whether that person may resume.

use crate::{access::caller::Caller, dto::halt::HaltView, problem::Problem};
use wiiiv_domain::{HaltScope, ProjectId, SessionId};
use wiiiv_store::Halt;

/// Over the server, this project and this session.
pub(crate) async fn halts_over(
    caller: &Caller,
    project: ProjectId,
    session: Option<SessionId>,
) -> Result<Vec<HaltView>, Problem> {
    let halts = caller.state.store().halts(Some(project), session).await?;
    halt_views(caller, halts).await
}

pub(crate) async fn halt_views(
    caller: &Caller,
    halts: Vec<Halt>,
) -> Result<Vec<HaltView>, Problem> {
    let state = &caller.state;
    let names = state.names().of(state.store(), halts.iter().map(|halt| halt.by)).await?;
    let mut views = Vec::with_capacity(halts.len());
    for halt in halts {
        let name = names.get(&halt.by).map(ToString::to_string);
        let may_resume = may_resume(caller, &halt).await?;
        views.push(HaltView::of(halt, name, may_resume));
    }
    Ok(views)
}

async fn may_resume(caller: &Caller, halt: &Halt) -> Result<bool, Problem> {
    let Some(project) = halt.scope.project() else {
        return Ok(caller.account.rights().may_halt());
    };
    let rights = caller.rights_in(project).await?;
    let own = matches!(halt.scope, HaltScope::Session { .. }) && halt.by == caller.user();
    Ok(rights.may_halt() || (own && rights.may_request()))
}
