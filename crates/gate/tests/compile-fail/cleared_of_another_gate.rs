//! One gate's answer is not another's.
use wiiiv_gate::{Cleared, Cost, PlanTrail};

fn settle(_: &Cleared<Cost>) {}

fn confuse(trail: &PlanTrail) {
    settle(trail.permission());
}

fn main() {}
