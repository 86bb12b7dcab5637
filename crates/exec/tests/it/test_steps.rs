//! Executors over a temporary folder and this machine's loopback, and steps for them.

use crate::permit::Gate;
use serde_json::json;
use std::net::SocketAddr;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{
    Arg, Binding, Effect, ExecutionId, HttpMethod, Node, NodeKind, Retry, Scheme, Source,
    StepFailure, StepId, StepOutcome, StepOutput, StepParams, UrlTemplate, ValueKind,
};
use wiiiv_exec::{Executors, SandboxProgram, StepReport, metas};
use wiiiv_net::{Resolver, ToolClient};
use wiiiv_workspace::Workspaces;

pub struct Bench {
    pub folder: TempDir,
    pub gate: Gate,
    pub executors: Executors,
}

/// Allowed: this service, private as it is.
pub fn bench_for(service: SocketAddr) -> Bench {
    bench(
        json!([{ "host": "127.0.0.1", "scheme": "http", "port": service.port(), "private": true }]),
    )
}

pub fn bench(hosts: serde_json::Value) -> Bench {
    bench_over(hosts, Resolver::System)
}

pub fn bench_over(hosts: serde_json::Value, resolver: Resolver) -> Bench {
    wiiiv_net::install_tls_provider();
    let folder = tempfile::tempdir().expect("a folder");
    let gate = Gate::open(metas(), hosts);
    let verifier = gate.opened.verifier.clone();
    let workspaces = Workspaces::new(folder.path(), verifier.clone()).expect("a base");
    let client = ToolClient::new(resolver);
    let sandbox = SandboxProgram { path: "/nowhere/wiiiv".into() };
    let executors = Executors::new(verifier, workspaces, client, sandbox);
    Bench { folder, gate, executors }
}

pub fn literal(text: &str) -> Arg {
    Arg::Literal(text.to_owned())
}

pub fn binding(select: &str, kind: ValueKind, max_bytes: u64) -> Binding {
    let execution = ExecutionId::from_uuid(uuid::Uuid::from_u128(9));
    let from = Source::Run { execution, step: StepId::parse("s").expect("a step id") };
    Binding { from, select: select.to_owned(), kind, max_bytes }
}

pub fn node(params: StepParams) -> Node {
    let (kind, effect) = match &params {
        StepParams::FileRead { .. } | StepParams::WebFetch { .. } => {
            (NodeKind::Observe, Effect::Read)
        }
        StepParams::FileWrite { .. } => (NodeKind::Act, Effect::Write),
        StepParams::FileDelete { .. } => (NodeKind::Act, Effect::Delete),
        StepParams::ApiCall { method, .. } if method.is_safe() => (NodeKind::Observe, Effect::Read),
        StepParams::ApiCall { .. } => (NodeKind::Act, Effect::Write),
        StepParams::Transform { .. } => (NodeKind::Transform, Effect::Read),
    };
    Node {
        id: StepId::parse("s").expect("a step id"),
        kind,
        params,
        depends_on: Vec::new(),
        when: None,
        retry: Retry::default(),
        effect,
        idempotent: true,
    }
}

pub fn call(service: SocketAddr, method: HttpMethod, path: &str) -> Node {
    let body = (!method.is_safe()).then(|| literal("{\"n\":1}"));
    node(StepParams::ApiCall {
        method,
        url: UrlTemplate {
            system: None,
            scheme: Scheme::Http,
            host: "127.0.0.1".to_owned(),
            port: Some(service.port()),
            segments: path.split('/').map(literal).collect(),
            query: Vec::new(),
        },
        content_type: body.as_ref().map(|_| "application/json".to_owned()),
        body,
    })
}

impl Bench {
    pub async fn run(&self, node: Node, values: &[(&str, &str)]) -> StepReport {
        let permit = self.gate.permit(node, values, None);
        self.executors.execute(permit, None, &CancellationToken::new()).await
    }
}

#[track_caller]
pub fn output(report: &StepReport) -> &StepOutput {
    match &report.outcome {
        StepOutcome::Success { output } => output,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
pub fn failure(report: &StepReport) -> &StepFailure {
    assert!(report.bytes.is_empty());
    match &report.outcome {
        StepOutcome::Failure { failure } => failure,
        other => panic!("{other:?}"),
    }
}
