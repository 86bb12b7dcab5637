//! The fake providers as a child process: this test binary, run again.

use serde_json::Value;
use std::{
    io::{BufRead as _, BufReader},
    process::{Child, ChildStdout, Command, Stdio},
    sync::OnceLock,
};
use wiiiv_net::{Bytes, Origin, ProviderClient, ProviderRequest, Timeouts, Url};

const CHILD: &str = "WIIIV_TEST_PROVIDER";
const SERVES: &str = "provider::program::it_is_a_program_of_its_own";

pub struct Program {
    url: String,
    /// Its standard input closes with this process, and it ends with that.
    _child: Child,
    _output: BufReader<ChildStdout>,
}

impl Program {
    /// One for all tests of this process.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Program> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    fn start() -> Self {
        wiiiv_net::install_tls_provider();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", SERVES, "--nocapture"])
            .env(CHILD, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        let url = loop {
            line.clear();
            assert!(output.read_line(&mut line).unwrap() > 0, "it ended before it listened");
            if let Some((_, url)) = line.split_once("listening at ") {
                break url.trim().to_owned();
            }
        };
        Self { url, _child: child, _output: output }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    /// What was asked under this key.
    pub async fn calls(&self, key: &str) -> Vec<Value> {
        let origin = Origin::parse(&self.url).unwrap();
        let client = ProviderClient::new([origin], Timeouts::default()).unwrap();
        let url = Url::parse(&format!("{}/{key}/calls", self.url)).unwrap();
        let answer = client.get(ProviderRequest::new(url, None, Bytes::new())).await.unwrap();
        serde_json::from_slice(&answer.body).unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_a_program_of_its_own() {
    if std::env::var(CHILD).is_ok() {
        wiiiv_fakes::run_provider().await.unwrap();
        // Nobody reads any more what the harness would tell of it.
        std::process::exit(0);
    }
    let mut program = Program::start();
    assert_ne!(program._child.id(), std::process::id());
    assert!(program.calls("nobody").await.is_empty());
    drop(program._child.stdin.take());
    assert!(program._child.wait().unwrap().success(), "it ends when nobody holds it any more");
}
