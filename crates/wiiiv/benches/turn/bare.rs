//! W-bare: a server that makes the two model calls of a turn and nothing else.

use crate::process::Process;
use serde_json::json;
use std::process::Command;
use wiiiv_fakes::FakeModel;
use wiiiv_net::{ApiCall, ApiClient};

/// Set in the process that is the bare server, to the model server's origin.
const UPSTREAM: &str = "WIIIV_BENCH_BARE";
const CALLS_PER_TURN: usize = 2;

pub fn upstream() -> Option<String> {
    std::env::var(UPSTREAM).ok()
}

pub async fn serve(upstream: &str) {
    let bare =
        wiiiv_fakes::BaselineServer::open(upstream, CALLS_PER_TURN).await.expect("it listens");
    println!("{}", json!({"url": bare.url()}));
    std::future::pending::<()>().await;
}

pub struct Bare {
    pub process: Process,
    client: ApiClient,
}

impl Bare {
    pub fn start(model: &FakeModel) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.env(UPSTREAM, model.origin());
        let process = Process::start(command);
        let client = ApiClient::new(process.url(), None).expect("a client");
        Self { process, client }
    }

    pub async fn turn(&self) {
        let call = ApiCall::post("/turn").json(json!({}));
        self.client.send(call).await.expect("an answer");
    }
}
