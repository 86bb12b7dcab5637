//! What is ruled on. A subject holds no `Arc`, cell or lock: what was judged is what is executed.

mod blueprint;
mod model_call;
mod node;
pub(crate) mod sealed;
mod step;

pub use model_call::ModelCall;
pub use step::{Resolved, Step, StepShape};

pub(crate) use blueprint::plan_facts;
pub(crate) use node::{CONDITION, node_facts};
pub(crate) use step::StepParts;

use wiiiv_domain::Blueprint;

/// Sealed: ModelCall, Blueprint and Step.
pub trait Subject: sealed::Sealed {
    /// Which gates this kind is asked, as witnesses: see [`crate::Cleared`].
    type Trail: std::fmt::Debug;
}

impl Subject for ModelCall {
    type Trail = crate::cleared::CallTrail;
}
impl Subject for Blueprint {
    type Trail = crate::cleared::PlanTrail;
}
impl Subject for Step {
    type Trail = crate::cleared::StepTrail;
}
