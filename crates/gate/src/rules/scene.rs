//! The input of a rule: the whole spec, the plan's outer bounds, the policy's lists and the
//! session's standing. It has no other field.

use crate::{base::policy::Policy, standing::Standing};
use std::borrow::Cow;
use wiiiv_domain::{Envelope, Spec};

#[derive(Debug)]
pub(crate) struct Scene<'a> {
    pub(super) spec: &'a Spec,
    pub(super) envelope: Cow<'a, Envelope>,
    pub(super) policy: &'a Policy,
    pub(super) standing: &'a Standing,
}

impl<'a> Scene<'a> {
    pub(crate) fn of_spec(spec: &'a Spec, policy: &'a Policy, standing: &'a Standing) -> Self {
        Self { spec, envelope: Cow::Borrowed(&spec.envelope), policy, standing }
    }
    /// The scene of a plan: the spec's envelope widened by what the plan touches, so that a wider
    /// plan is judged as what it is.
    pub(crate) fn of_plan(
        spec: &'a Spec,
        touched: &Envelope,
        policy: &'a Policy,
        standing: &'a Standing,
    ) -> Self {
        let envelope = Cow::Owned(spec.envelope.clone().widened(touched));
        Self { spec, envelope, policy, standing }
    }
}
