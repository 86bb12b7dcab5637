//! GHOST: scenarios, the player that plays them over REST against a server process, and what is
//! concluded from what it saw. Beside it the other parties, played for real: model servers that can
//! misbehave, the demo services and a small shop, each with a call log. They speak HTTP on loopback;
//! none knows anything of the product.

mod bare;
mod coverage;
mod invariant;
mod merge;
mod model;
mod player;
mod provider;
mod report;
mod room;
mod scenario;
mod schema;
mod served;
mod services;
mod shop;
mod verdict;

pub use bare::Bare;
pub use coverage::{Part, Unreachable, Visited};
pub use invariant::{Canary, INVARIANTS, Scanner};
pub use model::{Cassettes, FakeModel, ModelCall, ModelMode, Recorded};
pub use player::{
    Hostile, Invariants, JOBS_MAX, Kill, LiveModel, Mode, PlayError, RunReport, SuitePlan, play,
};
pub use provider::{
    Conduct, Dialect, FakeProvider, PROVIDER_KEY, PROVIDER_READS, PROVIDER_SAYS, PROVIDER_USED,
    run_provider,
};
pub use report::{Tally, junit, matrix, sort};
pub use scenario::{Scenario, ScenarioError, read_file, read_folder, read_text, with_answers};
pub use schema::scenario_schema;
pub use services::{
    DemoService, Doors, Dropped, Fault, FaultError, LogIn, ServiceCall, ServiceKind, TestSite,
    TokenState,
};
pub use shop::{Item, Shop, ShopCall, ShopMode};
pub use verdict::{Verdict, Violated};
