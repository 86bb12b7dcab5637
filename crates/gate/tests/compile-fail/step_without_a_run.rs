//! Only a run makes its steps.
use wiiiv_gate::{Resolved, Step};

fn forge(resolved: Resolved) -> Step {
    Step::new(resolved)
}

fn main() {}
