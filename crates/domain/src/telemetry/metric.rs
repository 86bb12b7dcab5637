//! The list of all metrics. Nothing outside it is served or sent.

use super::metric_name as name;

/// How a metric is counted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MetricKind {
    /// A sum that only rises.
    Counter,
    /// A value that rises and falls.
    Gauge,
    /// Upper bounds of its buckets.
    Histogram(&'static [f64]),
}

/// A unit in UCUM notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricUnit {
    /// Seconds of elapsed time.
    Seconds,
    /// Something that is counted, in braces.
    Of(&'static str),
}

impl MetricUnit {
    /// The unit as UCUM writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Of(what) => what,
        }
    }
}

/// One metric that is served.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Metric {
    /// Its OpenTelemetry name.
    pub name: &'static str,
    /// How it is counted.
    pub kind: MetricKind,
    /// Its unit.
    pub unit: MetricUnit,
    /// Its help text.
    pub about: &'static str,
}

/// As the conventions advise, in tokens.
const TOKENS: &[f64] = &[
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1_024.0,
    4_096.0,
    16_384.0,
    65_536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];
/// As the conventions advise for operations of models, in seconds.
const OPERATIONS: &[f64] =
    &[0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
/// Of a search in memory, in seconds: from words alone in one scope to many scopes with a model.
const SEARCHES: &[f64] =
    &[0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0];
/// As the conventions advise for HTTP, in seconds.
const REQUESTS: &[f64] =
    &[0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0];

const fn counter(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Counter, unit: MetricUnit::Of(unit), about }
}

const fn gauge(name: &'static str, unit: &'static str, about: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Gauge, unit: MetricUnit::Of(unit), about }
}

const fn seconds(name: &'static str, bounds: &'static [f64], about: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Histogram(bounds), unit: MetricUnit::Seconds, about }
}

/// Every metric, in the order in which they are served.
pub const METRICS: &[Metric] = &[
    Metric {
        name: name::TOKEN_USAGE,
        kind: MetricKind::Histogram(TOKENS),
        unit: MetricUnit::Of("{token}"),
        about: "Tokens of one model call, as its provider counted them.",
    },
    seconds(name::OPERATION_DURATION, OPERATIONS, "One model call, retries and repair included."),
    seconds(name::HTTP_DURATION, REQUESTS, "From a request to the head of its answer."),
    counter(name::TURNS, "{turn}", "Turns that ended."),
    seconds(name::TURN_DURATION, OPERATIONS, "From the begin of a turn to its end."),
    counter(name::RULINGS, "{ruling}", "Answers of each gate in rulings that were committed."),
    counter(name::VERDICTS, "{verdict}", "Deliberations on a spec."),
    counter(
        name::PERSONAS,
        "{opinion}",
        "Opinions of model personas, by vote and by why none was heard.",
    ),
    gauge(name::APPROVALS_WAITING, "{approval}", "Questions that wait for a person."),
    counter(name::RUNS, "{run}", "Runs that ended."),
    counter(name::STEPS, "{step}", "Attempts at steps that ended."),
    counter(name::HALTS, "{halt}", "Halts and resumes of sessions, projects and the server."),
    counter(
        name::ROLLOUTS,
        "{change}",
        "Promotions and demotions of projects, and verdicts that put a project over its bound.",
    ),
    counter(name::OVERRIDES, "{change}", "Overrides of policies: proposed, begun and ended."),
    counter(name::RISK_SIGNALS, "{signal}", "Signals of risk that raised a session's score."),
    counter(name::GRANTS_USED, "{use}", "Yeses said beforehand that plans began by."),
    counter(name::WEBHOOKS_DELIVERED, "{attempt}", "What webhooks were told and took."),
    counter(name::WEBHOOKS_FAILED, "{attempt}", "Attempts to tell webhooks something that failed."),
    counter(
        name::APPROVALS_ESCALATED,
        "{approval}",
        "Questions that nobody answered for a while, shown to more people.",
    ),
    counter(
        name::APPROVALS_EDITED,
        "{approval}",
        "Questions that were answered by changing values of the plan.",
    ),
    counter(
        name::APPROVALS_ON_BEHALF,
        "{answer}",
        "Answers to questions that were given on behalf of somebody else.",
    ),
    counter(name::RISK_CLEARS, "{clear}", "Sessions on hold that a person cleared."),
    counter(
        name::FOREIGN_VALUES,
        "{value}",
        "Values of drawn plans that did not come from the user's words, by their place.",
    ),
    gauge(name::BREAKERS_OPEN, "{origin}", "Model servers that are left alone after failures."),
    counter(name::HELD, "{micro}", "Held before model calls, in millionths of the currency."),
    counter(name::SETTLED, "{micro}", "Spent on model calls, in millionths of the currency."),
    gauge(name::SESSIONS_AWAKE, "{session}", "Sessions in memory."),
    counter(name::GHOST_RESULTS, "{result}", "GHOST results that the ledger took, by who vouches."),
    gauge(name::AUDIT_RECORDS, "{record}", "Records in all audit chains."),
    counter(name::AUDIT_EXPORTED, "{record}", "Audit records that a receiver has taken."),
    gauge(name::AUDIT_EXPORT_LAG, "{record}", "Audit records that a receiver has not got yet."),
    counter(
        name::AUDIT_EXPORT_FAILURES,
        "{failure}",
        "Deliveries of the audit that failed, by why.",
    ),
    counter(name::SECRETS_REMOVED, "{secret}", "Keys taken out of what models were shown."),
    counter(
        name::PROMPT_TOKENS,
        "{token}",
        "Tokens of prompts that were sent, by part, as they were counted before.",
    ),
    counter(
        name::PROMPT_STAGES,
        "{prompt}",
        "Prompts that show less of older turns than they could, by stage and why.",
    ),
    counter(name::PROFILE_CHANGES, "{value}", "Values for profiles that models found in messages."),
    counter(name::INGESTS, "{file}", "Files that were ingested, or not, by how that ended."),
    gauge(name::INGESTS_OPEN, "{file}", "Files that wait to be ingested, or are."),
    gauge(name::DOCUMENTS, "{document}", "Documents of everybody, of people and of projects."),
    gauge(name::DOCUMENT_CHUNKS, "{chunk}", "Chunks of all documents."),
    seconds(
        name::DOCUMENT_SEARCH,
        SEARCHES,
        "One search in documents, the question's vector included.",
    ),
    counter(
        name::CONSULTS,
        "{turn}",
        "Turns that documents were looked through for, by the outcome.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_name_is_there_once_and_bounds_ascend() {
        let names: BTreeSet<&str> = METRICS.iter().map(|metric| metric.name).collect();
        assert_eq!(names.len(), METRICS.len());
        for metric in METRICS {
            if let MetricKind::Histogram(bounds) = metric.kind {
                assert!(bounds.is_sorted_by(|a, b| a < b), "{}", metric.name);
            }
        }
    }
}
