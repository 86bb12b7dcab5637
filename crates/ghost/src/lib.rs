//! GHOST: plays scenarios over REST against a server process of the product, and judges what happened.
//!
//! - [`Scenario`]: what a person wants and does, what the recorded model answers, the facts that must
//!   hold. One YAML file a scenario, in `ghost-scenarios/`.
//! - [`SuitePlan`] and [`play`]: which scenarios are played, how ([`Mode`]), and a [`RunReport`] a run.
//! - `harness`: the server process, its home, the model server, the project and the REST client.
//! - [`Verdict`]: PASS, FAIL with the first violated fact, ERROR or PARTIAL.
//! - `invariant`: what must hold in every run ([`INVARIANTS`]); [`Scanner`] searches for leaked secrets.
//! - [`Visited`]: coverage of transitions, gate answers and deny codes; `report`: matrix and JUnit.
//!
//! The other parties are in the crate `fakes`. Begin reading at `player/suite.rs`, then
//! `player/worker.rs` and `player/replay.rs`; facts are in `scenario/fact.rs` and `verdict/fact_check.rs`.

mod coverage;
mod harness;
mod invariant;
mod merge;
mod player;
mod report;
mod scanner;
mod scenario;
mod schema;
mod seeded_random;
mod verdict;

pub use coverage::{Part, Unreachable, Visited};
pub use harness::{LiveModel, PlayError, PlayedRules};
pub use invariant::INVARIANTS;
pub use player::{
    Hostile, Invariants, JOBS_MAX, Kill, Mode, ResultRecord, RunReport, SuitePlan, play,
};
pub use report::{Tally, junit, matrix, sort};
pub use scanner::{Canary, Scanner};
pub use scenario::{Scenario, ScenarioError, read_file, read_folder, read_text, with_answers};
pub use schema::scenario_schema;
pub use verdict::{Verdict, Violated};
