//! What the dashboard asks for is there to be asked for: each metric, and each label.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use wiiiv_domain::telemetry::{METRICS, MetricKind};

const PAGE: &str = include_str!("../../../../../docs/operator.md");
const DASHBOARD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/grafana/wiiiv.json");
/// Of the scraper's own making.
const JOB: &str = "job";

/// What no plain turn comes to, by the labels that queries ask for: counted where it is done, in tests of its own.
const RARE: [(&str, &[&str]); 8] = [
    ("wiiiv_approvals_escalated_total", &[]),
    ("wiiiv_webhooks_delivered_total", &[]),
    ("wiiiv_webhooks_failed_total", &[]),
    ("wiiiv_audit_export_lag", &["wiiiv_audit_receiver"]),
    ("wiiiv_audit_exported_total", &["wiiiv_audit_receiver"]),
    ("wiiiv_audit_export_failures_total", &["wiiiv_audit_receiver", "error_type"]),
    ("wiiiv_ghost_results_total", &["wiiiv_ghost_standing"]),
    ("wiiiv_rollouts_total", &["wiiiv_rollout_change"]),
];

fn rare(metric: &str) -> Option<&'static [&'static str]> {
    RARE.iter().find(|(name, _)| *name == metric).map(|(_, labels)| *labels)
}

fn is_ours(name: &str) -> bool {
    METRICS.iter().any(|metric| {
        let plain = metric.name.replace('.', "_");
        match metric.kind {
            MetricKind::Counter => name.strip_suffix("_total") == Some(plain.as_str()),
            MetricKind::Gauge => name == plain,
            MetricKind::Histogram(_) => false,
        }
    })
}

/// As it is served, where that is no histogram.
#[test]
fn every_metric_stands_on_the_operators_page() {
    for metric in METRICS {
        let plain = metric.name.replace('.', "_");
        let named = match metric.kind {
            MetricKind::Counter => format!("`{plain}_total`"),
            MetricKind::Gauge => format!("`{plain}`"),
            MetricKind::Histogram(_) => format!("`{plain}"),
        };
        assert!(PAGE.contains(&named), "{named}");
    }
}

/// The names of what is served, as a query writes them.
fn served(figures: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in figures.lines().filter_map(|line| line.strip_prefix("# TYPE ")) {
        let (name, kind) = line.split_once(' ').unwrap();
        if kind == "histogram" {
            names.extend(["bucket", "sum", "count"].map(|part| format!("{name}_{part}")));
        } else {
            names.insert(name.to_owned());
        }
    }
    names
}

fn queries() -> Vec<String> {
    let text = fs::read_to_string(DASHBOARD).unwrap();
    let dashboard: serde_json::Value = serde_json::from_str(&text).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let targets = panels.filter_map(|panel| panel["targets"].as_array()).flatten();
    targets.map(|target| target["expr"].as_str().unwrap().to_owned()).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(move |c| !word(c)).filter(|word| !word.is_empty())
}

/// Metrics of a query, and the labels by which it chooses and groups. Labels stand in brackets or
/// behind `by`; metrics carry their prefix.
fn asked(query: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut bare, mut labels) = (String::new(), BTreeSet::new());
    let mut rest = query;
    while let Some((before, behind)) = rest.split_once('{') {
        let (matchers, behind) = behind.split_once('}').unwrap();
        labels.extend(matchers.split(',').filter_map(words_first));
        bare.push_str(before);
        rest = behind;
    }
    bare.push_str(rest);
    let mut metrics = BTreeSet::new();
    for (nth, part) in bare.split(" by (").enumerate() {
        let (grouped, part) = if nth == 0 { ("", part) } else { part.split_once(')').unwrap() };
        labels.extend(words(grouped).map(str::to_owned));
        let metric = |w: &&str| ["wiiiv_", "gen_ai_", "http_"].iter().any(|p| w.starts_with(p));
        metrics.extend(words(part).filter(metric).map(str::to_owned));
    }
    labels.remove(JOB);
    (metrics, labels)
}

fn words_first(text: &str) -> Option<String> {
    words(text).next().map(str::to_owned)
}

pub fn check_metrics(figures: &str) {
    let asked: BTreeSet<String> = queries().iter().flat_map(|query| asked(query).0).collect();
    let there = served(figures);
    for (name, _) in RARE {
        assert!(asked.contains(name) && is_ours(name), "{name}");
    }
    let lacking: Vec<_> = asked.difference(&there).filter(|name| rare(name).is_none()).collect();
    assert!(asked.len() > 10 && lacking.is_empty(), "{lacking:?} of {asked:?}, served: {there:?}");
}

/// Each on a series of the very metric that it is asked of.
pub fn check_labels(figures: &str) {
    let mut labels: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (metrics, found) in queries().iter().map(|query| asked(query)) {
        for metric in metrics {
            labels.entry(metric).or_default().extend(found.iter().cloned());
        }
    }
    let mut count = 0;
    for (metric, labels) in labels {
        if let Some(known) = rare(&metric) {
            let known: BTreeSet<String> = known.iter().map(|label| (*label).to_owned()).collect();
            assert_eq!(labels, known, "{metric}");
            continue;
        }
        let series = |line: &&str| line.strip_prefix(&metric).is_some_and(|l| l.starts_with('{'));
        for label in labels {
            let has =
                |line: &str| ["{", ","].iter().any(|c| line.contains(&format!("{c}{label}=")));
            assert!(figures.lines().filter(series).any(has), "{metric} by {label}:\n{figures}");
            count += 1;
        }
    }
    assert!(count > 15, "{count}");
}
