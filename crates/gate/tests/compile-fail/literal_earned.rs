//! A promotion is earned by its figures.
use wiiiv_gate::rollout::Earned;

fn forge() -> Earned {
    Earned(())
}

fn main() {}
