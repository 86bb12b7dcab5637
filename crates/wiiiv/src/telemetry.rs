//! Telemetry in three forms: lines on standard error, metrics for Prometheus, and traces and
//! metrics by OTLP to a named collector. Ids, counts, codes and hashes, never texts of people or
//! models.

mod carrier;
mod destination;
mod export;
mod recorder;

use crate::config::{LogFormat, LogLevel, Settings};
use crate::start_error::StartError;
use destination::Destination;
use export::Export;
use metrics_exporter_prometheus::PrometheusHandle;
use recorder::Recorder;
use std::future::Future;
use std::io;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};
use tracing::Metadata;
use tracing_subscriber::filter::{FilterFn, LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, Registry, fmt};
use wiiiv_domain::telemetry::SPANS;
use wiiiv_governor::Governor;
use wiiiv_server::MetricsSource;

/// Targets of our own crates begin with it.
const OURS: &str = "wiiiv";
/// Samples of histograms are put into their buckets this often, whether somebody asks or not.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

pub struct Telemetry {
    served: PrometheusHandle,
    export: Option<Export>,
    open_on_loopback: bool,
}

/// Once a process, inside the runtime. Crates of others say warnings only: their finer levels print
/// headers and SQL.
pub fn start(settings: &Settings) -> Result<Telemetry, StartError> {
    let refuse = |error: &dyn std::error::Error| StartError::Telemetry(error.to_string());
    let destination = Destination::of(&settings.telemetry).map_err(|error| refuse(&error))?;
    let export = destination.map(|to| Export::start(to, &settings.telemetry)).transpose();
    let export = export.map_err(|error| refuse(&error))?;
    let spans = export.as_ref().map(|export| {
        let layer = tracing_opentelemetry::layer::<Registry>().with_tracer(export.tracer());
        let layer = layer.with_location(false).with_threads(false).with_target(false);
        layer.with_tracked_inactivity(false).with_filter(spans_only())
    });
    let registry = Registry::default().with(spans).with(log(settings));
    // A second start keeps the first one's.
    let _already = registry.try_init();
    let (recorder, served) =
        Recorder::new(export.as_ref().map(Export::meter)).map_err(|error| refuse(&error))?;
    recorder.describe();
    let _already = metrics::set_global_recorder(recorder);
    Ok(Telemetry { served, export, open_on_loopback: settings.telemetry.metrics_open })
}

fn log<S>(settings: &Settings) -> impl tracing_subscriber::Layer<S>
where
    S: tracing::Subscriber + for<'a> LookupSpan<'a>,
{
    let filter =
        Targets::new().with_default(LevelFilter::WARN).with_target(OURS, level(settings.log.level));
    let layer = match settings.log.format {
        LogFormat::Text => fmt::layer().with_writer(io::stderr).with_ansi(false).boxed(),
        LogFormat::Json => fmt::layer().with_writer(io::stderr).json().boxed(),
    };
    layer.with_filter(filter)
}

// INVARIANT: what is sent is the spans of our own list. An event may quote an error's text, and a
// span of others may hold anything: neither leaves.
fn spans_only() -> FilterFn {
    let ours: fn(&Metadata<'_>) -> bool = is_ours;
    FilterFn::new(ours).with_max_level_hint(LevelFilter::INFO)
}

fn is_ours(metadata: &Metadata<'_>) -> bool {
    metadata.is_span() && metadata.target() == SPANS
}

impl Telemetry {
    /// As the server serves them.
    pub fn figures(&self) -> MetricsSource {
        let served = self.served.clone();
        MetricsSource::new(move || served.render(), self.open_on_loopback)
    }

    /// As long as the server runs: keeps memory bounded where nobody scrapes, and what is looked at
    /// rather than counted up to date where figures are sent.
    pub fn keep(&self, governor: Governor) -> impl Future<Output = ()> + Send + use<> {
        let (served, sends) = (self.served.clone(), self.export.is_some());
        async move {
            let mut tick = interval(UPKEEP_EVERY);
            tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tick.tick().await;
                served.run_upkeep();
                if sends {
                    governor.observe().await;
                }
            }
        }
    }

    /// What is not sent yet is sent, within a bounded time.
    pub async fn close(self) {
        if let Some(export) = self.export {
            export.close().await;
        }
    }
}

const fn level(level: LogLevel) -> LevelFilter {
    match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    }
}
