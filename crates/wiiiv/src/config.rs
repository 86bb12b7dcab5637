//! Configuration: built-in defaults, files, environment, flags. An invalid one stops the start.

mod error;
mod layer;
mod schema;
mod settings;
mod show;
mod source_position;
mod sources;

pub use error::ConfigError;
pub use settings::{
    AuditExportSettings, DocumentSettings, EmbedderChoice, KeySettings, LogFormat, LogLevel,
    Settings, Synchronous, TelemetrySettings,
};
pub use show::shown;
pub use sources::{Flags, load};

#[cfg(test)]
mod tests;
