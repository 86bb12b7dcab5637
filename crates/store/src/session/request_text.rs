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
    Action, EventBody, FlowInput, Proposal, ProposalOutcome, Recall, SessionEvent, SignalKind,
    TaskSwitch, TaskType, TurnId, UserId,
};

/// Events before the plan that are looked through.
const EVENTS_MAX: u64 = 200;
/// As the journal's documents are written.
const ACCEPTED: &str = "%\"event\":\"turn_accepted\"%";
const PROPOSED: &str = "%\"input\":\"proposed\"%";
const AGAIN: &str = "%\"recall\":\"again\"%";

/// What a plan was drawn for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestBehind {
    /// The person's messages, oldest first. Empty where the journal no longer holds them.
    pub texts: Vec<String>,
    /// How often the request was tried again before this plan, this time included.
    pub again: usize,
}

/// A turn whose message is looked for.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    turn: TurnId,
    /// The task began with it.
    begins: bool,
    /// It asked for the last request once more.
    again: bool,
}

impl Store {
    /// From the message that began the plan's task to the one that the plan was drawn of; of one that was
    /// tried again, from the request that was.
    pub async fn request_behind(&self, plan: &BlueprintRow) -> Result<RequestBehind, StoreError> {
        use session_event::Column;
        let of_session =
            || session_event::Entity::find().filter(Column::Session.eq(plan.session.uuid()));
        let named = format!("%\"blueprint\":\"{}\"%", plan.id);
        let drawn = of_session().filter(Column::Body.like(named)).order_by_asc(Column::Seq);
        let Some(drawn) = drawn.one(self.reader()).await? else {
            return Ok(RequestBehind::default());
        };
        let events = of_session()
            .filter(Column::Seq.lt(drawn.seq))
            .filter(
                [ACCEPTED, PROPOSED, AGAIN]
                    .into_iter()
                    .fold(Condition::any(), |any, kind| any.add(Column::Body.like(kind))),
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
fn told_by(events: &[SessionEvent], task: TaskType, owner: UserId) -> RequestBehind {
    let mut told = RequestBehind::default();
    let mut wanted: Option<Wanted> = None;
    for event in events {
        let here = wanted.filter(|wanted| wanted.turn == event.turn);
        match &event.body {
            EventBody::Input { input, .. } if asks_again(input) => {
                wanted = here.map(|here| Wanted { again: true, ..here }).or(wanted);
            }
            EventBody::Input { input, .. } => {
                if let Some(begins) = proposed(input, task) {
                    let here = here.unwrap_or(Wanted { turn: event.turn, begins, again: false });
                    wanted = Some(Wanted { begins: begins || here.begins, ..here });
                }
            }
            EventBody::TurnAccepted { .. } => match here {
                // Its words are no request: what was asked for before is tried again.
                Some(Wanted { again: true, .. }) => told.again += 1,
                Some(Wanted { begins, .. }) => {
                    // The reason of somebody else's decision is no request.
                    told.texts.extend(event.body.message_of(owner).map(str::to_owned));
                    if begins {
                        break;
                    }
                }
                None => {}
            },
            EventBody::Replied { .. }
            | EventBody::Asked { .. }
            | EventBody::Previewed { .. }
            | EventBody::StepStarted { .. }
            | EventBody::StepFinished { .. }
            | EventBody::RiskCleared { .. }
            | EventBody::ApprovalRevoked { .. }
            | EventBody::TurnEnded { .. } => {}
        }
    }
    told.texts.reverse();
    told
}

/// By a button or by words, or as a model read the words.
fn asks_again(input: &FlowInput) -> bool {
    let button = SignalKind::Recall { recall: Recall::Again };
    matches!(input, FlowInput::Signal(said) if said.signal == button)
        || matches!(
            input,
            FlowInput::Proposed { outcome: ProposalOutcome::Proposal { proposal }, .. }
                if proposal.action == Action::Again
        )
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
