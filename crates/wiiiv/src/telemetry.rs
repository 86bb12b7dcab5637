//! What happens, on standard error: ids, counts and codes, never the words of people or models.

use crate::config::{LogFormat, LogLevel, Settings};
use std::io;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, fmt};

/// Targets of our own rooms begin with it.
const OURS: &str = "wiiiv";

/// Once a process. Rooms of others say warnings only: their finer levels print headers and SQL.
pub fn start(settings: &Settings) {
    let filter =
        Targets::new().with_default(LevelFilter::WARN).with_target(OURS, level(settings.log.level));
    let layer = match settings.log.format {
        LogFormat::Text => fmt::layer().with_writer(io::stderr).with_ansi(false).boxed(),
        LogFormat::Json => fmt::layer().with_writer(io::stderr).json().boxed(),
    };
    // A second start keeps the first one's.
    let _already = tracing_subscriber::registry().with(layer.with_filter(filter)).try_init();
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
