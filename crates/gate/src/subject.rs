//! What is ruled on. A subject holds no `Arc`, cell or lock, so it cannot change after the ruling.

mod blueprint;
mod granted;
mod model_call;
mod node;
mod resolved;
pub(crate) mod sealed;
mod step;

pub use crate::subject::resolved::Resolved;
use crate::subject::sealed::Subject;
pub(crate) use blueprint::{approval_facts, plan_facts};
pub(crate) use granted::grant_facts;
pub use model_call::ModelCall;
pub(crate) use node::CONDITION;
pub use step::{Step, StepShape};
pub(crate) use step::{StepParts, step_facts};
use wiiiv_domain::Blueprint;

impl Subject for ModelCall {
    type Trail = crate::permit::cleared::CallTrail;
}
impl Subject for Blueprint {
    type Trail = crate::permit::cleared::PlanTrail;
}
impl Subject for Step {
    type Trail = crate::permit::cleared::StepTrail;
}
