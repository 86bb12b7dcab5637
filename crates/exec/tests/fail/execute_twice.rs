//! A permit is taken by value: it permits once.

use tokio_util::sync::CancellationToken;
use wiiiv_exec::Executors;
use wiiiv_gate::{Authorized, Step};

async fn execute(executors: &Executors, permit: Authorized<Step>, cancel: &CancellationToken) {
    executors.execute(permit, None, cancel).await;
    executors.execute(permit, None, cancel).await;
}

fn main() {}
