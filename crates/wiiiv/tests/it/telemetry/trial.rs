//! A trial of embeddings and a call that fails, as they are told of.

use super::collector::{Collector, attributes};
use super::{dashboard, get, sum};
use crate::program::{Home, Server, eventually};
use opentelemetry_proto::tonic::trace::v1::Span;
use serde_json::json;
use std::fs;
use tokio::runtime::Runtime;
use wiiiv_fakes::{FakeProvider, PROVIDER_READS};

/// `conduct`: how the project's provider behaves from now on; under this key it reads a file unasked.
fn turn_to(home: &Home, provider: &FakeProvider, conduct: &str) {
    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    let policy = &mut version["policy"];
    policy["llmProvider"] = "CUSTOM".into();
    policy["llmBaseUrl"] = format!("{}/acts/{conduct}/local/v1", provider.url()).into();
    policy["governorModel"] = "small".into();
    policy["embeddingModel"] = "vectors".into();
    let tier = json!({"fromInputTokens": 0, "inputMicrosPerMillion": 1_000_000,
        "outputMicrosPerMillion": 1_000_000});
    policy["modelPrices"]["CUSTOM:small"] = json!({"currency": "USD", "tiers": [tier]});
    fs::write(home.path("policy.json"), version.to_string()).unwrap();
    home.run(&["policy", "set", "policy.json", "--reason", conduct]).ended(0);
}

fn demo(home: &Home, provider: &FakeProvider, collector: &Collector) -> Server {
    let mut command = home.command(&["demo", "--json", "--port", "0"]);
    command
        .env("WIIIV__LLM__APPROVED_ORIGINS", provider.url())
        .env("WIIIV__TELEMETRY__METRICS_OPEN", "true")
        .env("WIIIV__TELEMETRY__OTLP_ENDPOINT", format!("http://{}", collector.address))
        .env("WIIIV__TELEMETRY__INTERVAL_SECONDS", "1");
    Server::start(command)
}

/// A client's span, with these attributes among its own.
fn check_span(spans: &[Span], name: &str, expected: &[(&str, &str)]) {
    let holds = |span: &&Span| {
        let told = attributes(span);
        expected.iter().all(|(name, value)| told.get(*name).is_some_and(|told| told == value))
    };
    let mut named = spans.iter().filter(|span| span.name == name).peekable();
    assert!(named.peek().is_some(), "no span {name}");
    let told: Vec<_> = named.clone().map(attributes).collect();
    let found = named.find(holds).unwrap_or_else(|| panic!("{expected:?} in none of {told:?}"));
    assert_eq!(found.kind, 3, "a client's");
    let status = found.status.as_ref().map_or(0, |status| status.code);
    let fails = expected.iter().any(|(name, _)| *name == "error.type");
    assert_eq!(status, if fails { 2 } else { 0 }, "{name}");
}

#[test]
fn a_trial_and_a_failure_are_told_with_every_label_that_is_asked_for() {
    let (runtime, home, collector) = (Runtime::new().unwrap(), Home::new(), Collector::start());
    let provider = runtime.block_on(FakeProvider::open(0)).unwrap();
    let server = demo(&home, &provider, &collector);
    fs::create_dir_all(server.workspace()).unwrap();
    fs::write(server.workspace().join(PROVIDER_READS), "notes").unwrap();
    turn_to(&home, &provider, "good");
    home.run(&["models", "try", "--slot", "embedding"]).ended(0);
    home.run(&["chat", "Read notes.md"]);
    turn_to(&home, &provider, "broken");
    home.run(&["models", "try", "--slot", "embedding"]).ended(1);
    home.run(&["models", "try"]).ended(1);
    home.run(&["halt", "--project", "demo", "--reason", "smoke"]).ended(0);

    let failed = "error_type=\"unavailable\"";
    let figures = eventually(|| {
        let (_, figures) = get(&server, "/metrics");
        (sum(&figures, "wiiiv_runs_total", &[]) > 0.0).then_some(figures)
    });
    let calls =
        |labels: &[&str]| sum(&figures, "gen_ai_client_operation_duration_seconds_count", labels);
    let embeddings = ["embeddings", "custom", "vectors"];
    assert_eq!(calls(&embeddings), 2.0, "{figures}");
    assert_eq!(calls(&[&embeddings[..], &[failed]].concat()), 1.0, "{figures}");
    assert_eq!(calls(&["chat", "custom", "small", failed]), 1.0, "{figures}");
    let read = sum(&figures, "gen_ai_client_token_usage_sum", &["embeddings", "\"input\""]);
    assert_eq!(read, 7.0, "as the provider counted: {figures}");
    let told = sum(&figures, "gen_ai_client_token_usage_count", &["embeddings", "\"input\""]);
    assert_eq!(told, 1.0, "a call that failed was counted by nobody: {figures}");
    dashboard::check_labels(&figures);

    assert_eq!(server.stop(), 0);
    let spans = collector.spans();
    let (provider, error) = (("gen_ai.provider.name", "custom"), ("error.type", "unavailable"));
    let (operation, model) = ("gen_ai.operation.name", "gen_ai.request.model");
    let embeds = [(operation, "embeddings"), provider, (model, "vectors")];
    let counted = ("gen_ai.usage.input_tokens", "7");
    check_span(&spans, "embeddings vectors", &[&embeds[..], &[counted]].concat());
    check_span(&spans, "embeddings vectors", &[&embeds[..], &[error]].concat());
    check_span(&spans, "chat small", &[(operation, "chat"), provider, (model, "small"), error]);
}
