//! Only a run makes its steps.
use wiiiv_gate::Step;

fn main() {
    let _ = Step::new;
}
