//! ConversationFlowController: a pure Mealy machine from a state and an input to a state and a
//! bounded list of effects. The model's chosen action is only one more input.
//!
//! A session has at most one active task, in the state that [`FlowState::name`] tells, and a few
//! suspended ones, each held at rest exactly as it was left. A closed task is no longer in the
//! state: [`wiiiv_domain::FlowEffect::Close`] is the last that is heard of it.
//!
//! Memory, profile and retrieved text are no inputs, and nothing here can name them.

#![warn(missing_docs)]

mod authorize;
mod closing;
mod jobs;
mod order;
mod proposal;
mod queue;
mod refusals;
mod rendering;
mod signals;
mod state;
mod states;
mod step;
mod take_up;
mod task;
mod task_position;
mod transition;
mod view;
mod waiting;

pub use state::FlowState;
pub use step::step;
pub use view::{PendingQuestion, TaskView};
pub use wiiiv_domain::StateName;
