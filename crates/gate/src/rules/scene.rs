//! What a rule looks at: the whole spec, the outer bounds of the plan, the policy's lists and the
//! session's standing. Nothing else has a field here.

use crate::{snapshot::Policy, standing::Standing};
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
    /// With what the plan really touches laid over what its spec said: a plan that is wider than
    /// its spec is judged as wide as it is.
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
