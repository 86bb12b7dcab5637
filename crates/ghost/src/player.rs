//! Plays scenarios against a real server process: over REST like any client, with workspace files
//! on disk and the services' own logs beside it.

mod act;
mod adversary;
mod aftermath;
mod benign;
mod crash;
mod doubt;
mod error;
mod events;
mod faults;
mod ground;
mod hostile;
mod house;
mod interrupt;
mod keep;
mod live;
mod meanwhile;
mod mode;
mod press;
mod replay;
mod rest;
mod resume;
mod run;
mod seed;
mod server;
mod sight;
mod stage;
mod suite;
mod twins;
mod wording;
mod worker;

pub use crash::Kill;
pub use error::PlayError;
pub use hostile::Hostile;
pub use live::LiveModel;
pub use mode::Mode;
pub use run::{Invariants, RunReport};
pub use suite::{JOBS_MAX, SuitePlan, play};

pub(crate) use events::DELTA;
pub(crate) use ground::Ground;
pub(crate) use house::House;
pub(crate) use rest::{Rest, text};
pub(crate) use stage::Stage;
