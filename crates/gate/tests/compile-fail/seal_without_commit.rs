//! Sealing needs the commit.
use wiiiv_domain::Blueprint;
use wiiiv_gate::{Authorized, Refusal, Ruled};

fn hurry(ruled: Ruled<Blueprint>) -> Result<Authorized<Blueprint>, Refusal> {
    ruled.seal()
}

fn main() {}
