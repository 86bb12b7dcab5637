//! Receives every metric that a crate counts, for the served text and for a collector. It drops
//! names that are not in the list, because frameworks count their own.

use metrics::{
    Counter, CounterFn, Gauge, GaugeFn, Histogram, HistogramFn, Key, KeyName, Metadata,
    SharedString,
};
use metrics_exporter_prometheus::{
    BuildError, Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder,
};
use opentelemetry::KeyValue;
use opentelemetry::metrics::{self as otel, Meter};
use std::collections::HashMap;
use std::sync::Arc;
use wiiiv_domain::telemetry::{METRICS, Metric, MetricKind, MetricUnit};

enum Instrument {
    Counter(otel::Counter<u64>),
    Gauge(otel::Gauge<f64>),
    Histogram(otel::Histogram<f64>),
}

pub struct Recorder {
    served: PrometheusRecorder,
    /// Empty where nothing is sent.
    sent: HashMap<&'static str, Instrument>,
}

impl Recorder {
    pub fn new(meter: Option<Meter>) -> Result<(Self, PrometheusHandle), BuildError> {
        let mut builder = PrometheusBuilder::new().with_recommended_naming(true);
        for metric in METRICS {
            if let MetricKind::Histogram(bounds) = metric.kind {
                let named = Matcher::Full(metric.name.to_owned());
                builder = builder.set_buckets_for_metric(named, bounds)?;
            }
        }
        let served = builder.build_recorder();
        let handle = served.handle();
        let made = |meter: &Meter| {
            METRICS.iter().map(|metric| (metric.name, instrument(meter, metric))).collect()
        };
        let sent = meter.as_ref().map(made).unwrap_or_default();
        Ok((Self { served, sent }, handle))
    }

    /// What each metric means, where it is served.
    pub fn describe(&self) {
        for metric in METRICS {
            let (name, about) = (KeyName::from(metric.name), SharedString::from(metric.about));
            let unit = match metric.unit {
                MetricUnit::Seconds => Some(metrics::Unit::Seconds),
                MetricUnit::Of(_) => None,
            };
            let served: &dyn metrics::Recorder = &self.served;
            match metric.kind {
                MetricKind::Counter => served.describe_counter(name, unit, about),
                MetricKind::Gauge => served.describe_gauge(name, unit, about),
                MetricKind::Histogram(_) => served.describe_histogram(name, unit, about),
            }
        }
    }
}

fn instrument(meter: &Meter, metric: &Metric) -> Instrument {
    let (unit, about) = (metric.unit.as_str(), metric.about);
    match metric.kind {
        MetricKind::Counter => {
            let counter = meter.u64_counter(metric.name);
            Instrument::Counter(counter.with_unit(unit).with_description(about).build())
        }
        MetricKind::Gauge => {
            let gauge = meter.f64_gauge(metric.name);
            Instrument::Gauge(gauge.with_unit(unit).with_description(about).build())
        }
        MetricKind::Histogram(bounds) => {
            let histogram = meter.f64_histogram(metric.name).with_boundaries(bounds.to_vec());
            Instrument::Histogram(histogram.with_unit(unit).with_description(about).build())
        }
    }
}

fn is_listed(key: &Key) -> bool {
    METRICS.iter().any(|metric| metric.name == key.name())
}

fn attributes(key: &Key) -> Vec<KeyValue> {
    let value =
        |label: &metrics::Label| KeyValue::new(label.key().to_owned(), label.value().to_owned());
    key.labels().map(value).collect()
}

/// One series at both places.
struct Both<T, I> {
    served: T,
    sent: I,
    attributes: Vec<KeyValue>,
}

impl<T, I: Clone> Both<T, I> {
    fn of(served: T, sent: &I, key: &Key) -> Arc<Self> {
        Arc::new(Self { served, sent: sent.clone(), attributes: attributes(key) })
    }
}

impl CounterFn for Both<Counter, otel::Counter<u64>> {
    fn increment(&self, value: u64) {
        self.served.increment(value);
        self.sent.add(value, &self.attributes);
    }
    // INVARIANT: nothing of ours counts in absolute terms; a collector could not be told so.
    fn absolute(&self, value: u64) {
        self.served.absolute(value);
    }
}

impl GaugeFn for Both<Gauge, otel::Gauge<f64>> {
    // INVARIANT: ours are set, never moved; a collector could not be told so.
    fn increment(&self, value: f64) {
        self.served.increment(value);
    }
    fn decrement(&self, value: f64) {
        self.served.decrement(value);
    }
    fn set(&self, value: f64) {
        self.served.set(value);
        self.sent.record(value, &self.attributes);
    }
}

impl HistogramFn for Both<Histogram, otel::Histogram<f64>> {
    fn record(&self, value: f64) {
        self.served.record(value);
        self.sent.record(value, &self.attributes);
    }
}

impl metrics::Recorder for Recorder {
    /// Ours are described at the start; what others say of theirs is dropped with it.
    fn describe_counter(&self, _: KeyName, _: Option<metrics::Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<metrics::Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<metrics::Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, metadata: &Metadata<'_>) -> Counter {
        if !is_listed(key) {
            return Counter::noop();
        }
        let served = self.served.register_counter(key, metadata);
        match self.sent.get(key.name()) {
            Some(Instrument::Counter(sent)) => Counter::from_arc(Both::of(served, sent, key)),
            Some(Instrument::Gauge(_) | Instrument::Histogram(_)) | None => served,
        }
    }

    fn register_gauge(&self, key: &Key, metadata: &Metadata<'_>) -> Gauge {
        if !is_listed(key) {
            return Gauge::noop();
        }
        let served = self.served.register_gauge(key, metadata);
        match self.sent.get(key.name()) {
            Some(Instrument::Gauge(sent)) => Gauge::from_arc(Both::of(served, sent, key)),
            Some(Instrument::Counter(_) | Instrument::Histogram(_)) | None => served,
        }
    }

    fn register_histogram(&self, key: &Key, metadata: &Metadata<'_>) -> Histogram {
        if !is_listed(key) {
            return Histogram::noop();
        }
        let served = self.served.register_histogram(key, metadata);
        match self.sent.get(key.name()) {
            Some(Instrument::Histogram(sent)) => Histogram::from_arc(Both::of(served, sent, key)),
            Some(Instrument::Counter(_) | Instrument::Gauge(_)) | None => served,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use metrics::with_local_recorder;
    use wiiiv_domain::telemetry::metric_name as name;

    #[test]
    fn what_is_listed_is_served_and_nothing_else() {
        let (recorder, served) = Recorder::new(None).unwrap();
        recorder.describe();
        with_local_recorder(&recorder, || {
            metrics::counter!(name::TURNS, "wiiiv.turn.outcome" => "done").increment(2);
            metrics::counter!("kameo_messages", "actor" => "CANARY").increment(1);
            metrics::histogram!(name::TOKEN_USAGE).record(5.0);
            metrics::histogram!(name::OPERATION_DURATION).record(0.5);
            metrics::gauge!(name::SESSIONS_AWAKE).set(3.0);
        });
        let text = served.render();
        assert!(text.contains("wiiiv_turns_total{wiiiv_turn_outcome=\"done\"} 2"), "{text}");
        assert!(text.contains("gen_ai_client_token_usage_bucket{le=\"16\"} 1"), "{text}");
        assert!(text.contains("gen_ai_client_operation_duration_seconds_count 1"), "{text}");
        assert!(text.contains("wiiiv_sessions_awake 3"), "{text}");
        assert!(text.contains("# HELP wiiiv_turns_total Turns that ended."), "{text}");
        assert!(!text.contains("kameo") && !text.contains("CANARY"), "{text}");
    }
}
