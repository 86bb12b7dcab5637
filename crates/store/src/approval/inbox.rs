//! The questions that a person sees, and a list of them.

use crate::{
    account::role::Role,
    approval::{
        question::{ApprovalRow, read_all},
        state::ApprovalState,
    },
    database::{
        entity::{approval, approval_yes, member},
        page::Page,
        statement::query,
    },
    error::StoreError,
    store::Store,
};
use sea_orm::{
    ColumnTrait as _, Condition, EntityTrait as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _, QueryTrait as _,
};
use uuid::Uuid;
use wiiiv_domain::{ApprovalId, BlueprintId, ProjectId, SessionId, UserId};

/// Whose inbox: one's own questions in projects that one has a role in and, for a judge, all
/// those of projects that one owns or approves for, and what somebody who does lent the answer to; what was
/// escalated to administrators, for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visible {
    pub to: UserId,
    pub judges: bool,
    /// They administer the server: what was escalated to administrators is shown to them.
    pub administers: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ApprovalFilter {
    pub visible: Option<Visible>,
    pub project: Option<ProjectId>,
    pub session: Option<SessionId>,
    pub blueprint: Option<BlueprintId>,
    pub requester: Option<UserId>,
    /// Asked by anybody but this person.
    pub not_requester: Option<UserId>,
    pub state: Option<ApprovalState>,
    pub page: Page,
}

impl Store {
    /// Newest first.
    pub async fn approvals(&self, filter: &ApprovalFilter) -> Result<Vec<ApprovalRow>, StoreError> {
        use approval::Column;
        let mut query = approval::Entity::find();
        if let Some(visible) = filter.visible {
            let lent = match visible.judges {
                true => self.stands_in_for(visible.to).await?,
                false => Vec::new(),
            };
            query = query.filter(seen(visible, &lent));
        }
        if let Some(project) = filter.project {
            query = query.filter(Column::Project.eq(project.uuid()));
        }
        if let Some(session) = filter.session {
            query = query.filter(Column::Session.eq(session.uuid()));
        }
        if let Some(blueprint) = filter.blueprint {
            query = query.filter(Column::Blueprint.eq(blueprint.uuid()));
        }
        if let Some(requester) = filter.requester {
            query = query.filter(Column::Requester.eq(requester.uuid()));
        }
        if let Some(requester) = filter.not_requester {
            query = query.filter(Column::Requester.ne(requester.uuid()));
        }
        if let Some(state) = filter.state {
            query = query.filter(stands_at(state));
        }
        if let Some(before) = filter.page.before {
            query = query.filter(Column::Id.lt(before));
        }
        let query = query.order_by_desc(Column::Id).limit(filter.page.rows());
        read_all(query.all(self.reader()).await?)
    }

    /// Whether this person said a yes that others joined. The last one stands with the question.
    pub async fn has_joined(&self, id: ApprovalId, person: UserId) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM approval_yes WHERE approval = $1 AND approver = $2";
        let values = vec![id.uuid().into(), person.uuid().into()];
        Ok(query(self.direct(), sql, values).await?.is_some())
    }

    /// Whether such a yes was said on behalf of this person.
    pub async fn is_joined_for(&self, id: ApprovalId, person: UserId) -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM approval_yes WHERE approval = $1 AND on_behalf_of = $2";
        let values = vec![id.uuid().into(), person.uuid().into()];
        Ok(query(self.direct(), sql, values).await?.is_some())
    }
}

/// An edit is a rejection with what takes the place of what was asked about.
fn stands_at(state: ApprovalState) -> Condition {
    use approval::Column;
    let rejected = Condition::all().add(Column::State.eq(ApprovalState::Rejected));
    match state {
        ApprovalState::Edited => rejected.add(Column::EditedTo.is_not_null()),
        ApprovalState::Rejected => rejected.add(Column::EditedTo.is_null()),
        ApprovalState::Pending
        | ApprovalState::Approved
        | ApprovalState::Expired
        | ApprovalState::Withdrawn
        | ApprovalState::Consumed => Condition::all().add(Column::State.eq(state)),
    }
}

/// `lent`: in which projects whose right may be used.
fn seen(visible: Visible, lent: &[(Uuid, Uuid)]) -> Condition {
    use approval::Column;
    let Visible { to, judges, administers } = visible;
    let projects = |roles: &[Role]| {
        let mine = member::Entity::find()
            .select_only()
            .column(member::Column::Project)
            .filter(member::Column::Account.eq(to.uuid()))
            .filter(member::Column::Role.is_in(roles.iter().copied()));
        Column::Project.in_subquery(mine.into_query())
    };
    let own = Condition::all().add(Column::Requester.eq(to.uuid())).add(projects(&Role::ALL));
    let mut seen = Condition::any().add(own);
    if judges {
        seen = seen.add(projects(&[Role::Owner, Role::Approver]));
    }
    for (project, delegator) in lent {
        let standing_in = Condition::all()
            .add(Column::Project.eq(*project))
            .add(Column::Requester.is_not_in([to.uuid(), *delegator]))
            .add(waits_or_answered_by(to));
        seen = seen.add(standing_in);
    }
    if administers {
        let to = ["administrators", "owners_and_administrators"];
        let told = Condition::all().add(Column::EscalatedAt.is_not_null());
        seen = seen.add(told.add(Column::EscalatesTo.is_in(to)));
    }
    seen
}

/// What a delegation lends: what waits, and what the delegate has answered, with the last yes, a
/// no, or a yes that others joined.
fn waits_or_answered_by(delegate: UserId) -> Condition {
    use approval::Column;
    let joined = approval_yes::Entity::find()
        .select_only()
        .column(approval_yes::Column::Approval)
        .filter(approval_yes::Column::Approver.eq(delegate.uuid()));
    Condition::any()
        .add(Column::State.eq(ApprovalState::Pending))
        .add(Column::DecidedBy.eq(delegate.uuid()))
        .add(Column::Id.in_subquery(joined.into_query()))
}
