//! Policies of a test's projects.

use std::collections::BTreeSet;
use wiiiv_domain::{HostRule, ProjectPolicy, Scheme};
use wiiiv_fakes::Shop;
use wiiiv_gate::profile;

const PROFILE: &str = include_str!("../../../policies/profiles/default.toml");

/// What a new project may do.
#[must_use]
pub fn default_profile() -> ProjectPolicy {
    profile(PROFILE).unwrap()
}

/// The same, and this shop may be called.
#[must_use]
pub fn policy(shop: &Shop) -> ProjectPolicy {
    let mut policy = default_profile();
    policy.allowed_hosts.push(HostRule {
        host: shop.address().ip().to_string(),
        scheme: Some(Scheme::Http),
        port: Some(shop.address().port()),
        private: true,
        idempotent_methods: BTreeSet::new(),
        idempotent_operations: BTreeSet::new(),
        read_operations: BTreeSet::new(),
    });
    policy
}
