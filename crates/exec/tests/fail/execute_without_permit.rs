//! A step alone, taken back from its ruling, cannot be executed.

use tokio_util::sync::CancellationToken;
use wiiiv_exec::Executors;
use wiiiv_gate::{Ruled, Step};

async fn execute(executors: &Executors, ruled: Ruled<Step>) {
    let step: Step = ruled.withdraw();
    executors.execute(step, None, &CancellationToken::new()).await;
}

fn main() {}
