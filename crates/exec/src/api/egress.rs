//! The egress rules of a step.

use crate::fault::contract;
use wiiiv_domain::{HostRule, StepFailure};
use wiiiv_net::EgressRule;

pub(crate) fn egress(rules: &[HostRule]) -> Result<Vec<EgressRule>, StepFailure> {
    let rules = rules.iter().map(EgressRule::try_from).collect::<Result<_, _>>();
    rules.map_err(|error| contract("EGRESS_RULE", error.to_string()))
}
