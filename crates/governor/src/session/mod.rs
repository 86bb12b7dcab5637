//! One session, one actor: it journals, steps the flow and performs its effects.

mod actor;
mod answer;
mod authorize;
mod book;
mod decide;
mod draw;
mod earlier;
mod earlier_result;
mod ended;
mod form;
mod held;
mod perform;
pub mod place;
mod prompt;
mod propose;
mod question;
mod recall;
mod registered;
mod restore;
mod shut;
mod state;
mod submit;
mod trial;
mod turn;
mod view;

pub use actor::{CancelRun, ReadState, Resolved, SessionActor, SessionArgs};
pub use answer::RunEnded;
pub use decide::{Decide, Expire};
pub use ended::Ended;
pub use shut::Shut;
pub use state::{Down, Session};
pub use submit::{Command, Submit};
pub use trial::{Gave, Trial, TrialError, TrialOf, Try};
pub use turn::{InFlight, Turn};
pub use view::{SessionView, TaskSummary};
