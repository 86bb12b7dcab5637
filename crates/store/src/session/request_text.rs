//! The person's messages that led to a plan, from the journal.

use crate::{
    database::{column::document, entity::session_event},
    error::StoreError,
    run::blueprint::BlueprintRow,
    store::Store,
};
use sea_orm::{
    ColumnTrait as _, Condition, EntityTrait as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _,
};
use wiiiv_domain::{
    EventBody, FlowInput, Proposal, ProposalOutcome, SessionEvent, TaskSwitch, TaskType, TurnId,
    UserId,
};

/// Events before the plan that are looked through.
const EVENTS_MAX: u64 = 200;
/// As the journal's documents are written.
const ACCEPTED: &str = "%\"event\":\"turn_accepted\"%";
const PROPOSED: &str = "%\"input\":\"proposed\"%";

impl Store {
    /// From the message that began the plan's task to the one that the plan was drawn of, oldest
    /// first. Empty where the journal no longer holds them.
    pub async fn request_behind(&self, plan: &BlueprintRow) -> Result<Vec<String>, StoreError> {
        use session_event::Column;
        let of_session =
            || session_event::Entity::find().filter(Column::Session.eq(plan.session.uuid()));
        let named = format!("%\"blueprint\":\"{}\"%", plan.id);
        let drawn = of_session().filter(Column::Body.like(named)).order_by_asc(Column::Seq);
        let Some(drawn) = drawn.one(self.reader()).await? else { return Ok(Vec::new()) };
        let events = of_session()
            .filter(Column::Seq.lt(drawn.seq))
            .filter(
                Condition::any().add(Column::Body.like(ACCEPTED)).add(Column::Body.like(PROPOSED)),
            )
            .order_by_desc(Column::Seq)
            .limit(EVENTS_MAX)
            .all(self.reader())
            .await?;
        let events = events.iter().map(|row| document(&row.body, "a session event"));
        let events = events.collect::<Result<Vec<SessionEvent>, StoreError>>()?;
        Ok(told_by(&events, plan.task_type, plan.requester))
    }
}

/// Newest first, as they are read; the texts come oldest first.
fn told_by(events: &[SessionEvent], task: TaskType, owner: UserId) -> Vec<String> {
    let mut texts = Vec::new();
    // The turn whose message is wanted, and whether the task began with it.
    let mut wanted: Option<(TurnId, bool)> = None;
    for event in events {
        match (&event.body, wanted) {
            (EventBody::Input { input, .. }, _) => {
                if let Some(begins) = proposed(input, task) {
                    let began = wanted.is_some_and(|(turn, began)| turn == event.turn && began);
                    wanted = Some((event.turn, begins || began));
                }
            }
            (EventBody::TurnAccepted { .. }, Some((turn, begins))) if turn == event.turn => {
                // The reason of somebody else's decision is no request.
                texts.extend(event.body.message_of(owner).map(str::to_owned));
                if begins {
                    break;
                }
            }
            (
                EventBody::TurnAccepted { .. }
                | EventBody::Replied { .. }
                | EventBody::Asked { .. }
                | EventBody::Previewed { .. }
                | EventBody::StepStarted { .. }
                | EventBody::StepFinished { .. }
                | EventBody::RiskCleared { .. }
                | EventBody::ApprovalRevoked { .. }
                | EventBody::TurnEnded { .. },
                _,
            ) => {}
        }
    }
    texts.reverse();
    texts
}

/// Whether it is about a task of that type, and begins it.
fn proposed(input: &FlowInput, task: TaskType) -> Option<bool> {
    let FlowInput::Proposed { outcome: ProposalOutcome::Proposal { proposal }, .. } = input else {
        return None;
    };
    let Proposal { task_type, task_switch, later, .. } = proposal;
    let is_later = later.iter().any(|job| job.task_type == task);
    match task_switch {
        TaskSwitch::New if *task_type == task || is_later => Some(true),
        TaskSwitch::Stay if *task_type == task => Some(false),
        TaskSwitch::New | TaskSwitch::Stay | TaskSwitch::To(_) => None,
    }
}
