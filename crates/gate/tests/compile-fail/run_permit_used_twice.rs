//! One permit begins one run.
use wiiiv_domain::Blueprint;
use wiiiv_gate::{Authorized, RunPermit};

fn twice(permit: Authorized<Blueprint>) -> (RunPermit, RunPermit) {
    (permit.begin(), permit.begin())
}

fn main() {}
