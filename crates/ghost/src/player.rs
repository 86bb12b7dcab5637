//! Plays scenarios against a real server process: over REST like any client, with the workspace files
//! on disk and the services' own logs as further evidence.

mod act;
mod adversary;
mod benign_request;
mod crash_checks;
mod faults;
mod hostile;
mod interrupt;
mod kill_point;
mod meanwhile;
mod mode;
mod observer;
mod others;
mod prepare;
mod press;
mod recorded_answers;
mod replay;
mod resume;
mod run_report;
mod snapshot;
mod step_in_doubt;
mod suite;
mod suite_plan;
mod twins;
mod wording;
mod worker;

pub use hostile::Hostile;
pub use kill_point::Kill;
pub use mode::Mode;
pub use run_report::{Invariants, ResultRecord, RunReport};
pub use suite::{JOBS_MAX, play};
pub use suite_plan::SuitePlan;
