//! One file and function a state. Each names every input; what does not name the current turn,
//! digest or execution stays without effect.

pub(crate) mod authorizing;
pub(crate) mod closed;
pub(crate) mod confirming;
pub(crate) mod confirming_work_order;
pub(crate) mod deliberating;
pub(crate) mod drawing;
pub(crate) mod edited;
pub(crate) mod interviewing;
pub(crate) mod listening;
pub(crate) mod proposing;
pub(crate) mod running;
pub(crate) mod suspended;
