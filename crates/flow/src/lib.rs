//! The conversation's state machine, ConversationFlowController: transitions only, pure.
//!
//! - [`step()`]: from a state and an input to the next state and a bounded list of effects
//!   ([`wiiiv_domain::FlowInput`], [`wiiiv_domain::FlowEffect`]). A model's proposal is one input.
//! - [`FlowState`]: at most one active task, in the state [`FlowState::name`]; suspended tasks,
//!   unchanged until they are resumed; queued jobs. [`TaskView`] shows one task.
//!
//! A closed task leaves the state: [`wiiiv_domain::FlowEffect::Close`] is its last effect. Memory,
//! profile and retrieved text are no inputs, and no dependency has types for them.
//! Begin reading at `step.rs`, then `states/listening.rs`; `tests/table.txt` lists all
//! transitions.

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
