//! Export of traces and metrics to a collector: with bounded queues and time, and nothing waits for
//! it.

use super::carrier::{Carrier, DELIVERY_TIME_MAX};
use super::destination::Destination;
use crate::config::TelemetrySettings;
use opentelemetry::KeyValue;
use opentelemetry::metrics::{Meter, MeterProvider as _};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{
    ExporterBuildError, MetricExporter, Protocol, RetryPolicy, SpanExporter, WithExportConfig as _,
    WithHttpConfig as _,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::{PeriodicReader, SdkMeterProvider};
use opentelemetry_sdk::trace::{
    BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracer, SdkTracerProvider,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use wiiiv_net::ClientUnavailable;

/// Our instrumentation's own name.
const SCOPE: &str = "wiiiv";
/// Spans that wait to be sent; beyond, a span is dropped.
const QUEUE_SPANS_MAX: usize = 2_048;
/// Spans of one delivery.
const BATCH_SPANS_MAX: usize = 512;
/// How long a stopping server waits for the last delivery.
const CLOSE_TIME_MAX: Duration = Duration::from_secs(5);
const WHOLE_PERCENT: f64 = 100.0;

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Client(#[from] ClientUnavailable),
    #[error("the exporter cannot be built: {0}")]
    Exporter(#[from] ExporterBuildError),
}

pub struct Export {
    traces: SdkTracerProvider,
    metrics: SdkMeterProvider,
}

impl Export {
    /// Inside the runtime.
    pub fn start(to: Destination, settings: &TelemetrySettings) -> Result<Self, ExportError> {
        let carrier = Arc::new(Carrier::new(to.origin)?);
        let spans = SpanExporter::builder()
            .with_http()
            .with_shared_http_client(carrier.clone())
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(to.traces.as_str())
            .with_headers(to.headers.clone())
            .with_timeout(DELIVERY_TIME_MAX)
            .with_retry_policy(RetryPolicy::disabled())
            .build()?;
        let figures = MetricExporter::builder()
            .with_http()
            .with_shared_http_client(carrier)
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(to.metrics.as_str())
            .with_headers(to.headers)
            .with_timeout(DELIVERY_TIME_MAX)
            .with_retry_policy(RetryPolicy::disabled())
            .build()?;
        let batch = BatchConfigBuilder::default()
            .with_max_queue_size(QUEUE_SPANS_MAX)
            .with_max_export_batch_size(BATCH_SPANS_MAX)
            .with_scheduled_delay(settings.interval_seconds)
            .build();
        let share = f64::from(settings.sampling_percent) / WHOLE_PERCENT;
        let traces = SdkTracerProvider::builder()
            .with_span_processor(
                BatchSpanProcessor::builder(spans).with_batch_config(batch).build(),
            )
            .with_sampler(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(share))))
            .with_resource(resource(settings))
            .build();
        let reader =
            PeriodicReader::builder(figures).with_interval(settings.interval_seconds).build();
        let metrics = SdkMeterProvider::builder()
            .with_reader(reader)
            .with_resource(resource(settings))
            .build();
        Ok(Self { traces, metrics })
    }

    pub fn tracer(&self) -> SdkTracer {
        self.traces.tracer(SCOPE)
    }

    pub fn meter(&self) -> Meter {
        self.metrics.meter(SCOPE)
    }

    /// Their threads end by themselves where the time is over.
    pub async fn close(self) {
        let Self { traces, metrics } = self;
        let traces =
            tokio::task::spawn_blocking(move || traces.shutdown_with_timeout(CLOSE_TIME_MAX));
        let metrics = tokio::task::spawn_blocking(move || metrics.shutdown());
        let closed = timeout(CLOSE_TIME_MAX, async { (traces.await, metrics.await) }).await;
        let whole = matches!(closed, Ok((Ok(Ok(())), Ok(Ok(())))));
        if !whole {
            tracing::warn!("the last telemetry could not be delivered");
        }
    }
}

/// The name that was chosen and the version: nothing of the machine.
fn resource(settings: &TelemetrySettings) -> Resource {
    Resource::builder_empty()
        .with_service_name(settings.service_name.clone())
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build()
}
