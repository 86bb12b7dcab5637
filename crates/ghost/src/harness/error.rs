//! Why a scenario could not be played. It is never a verdict on the scenario.

use serde_json::Value;
use std::{io, path::Path};
use wiiiv_net::ApiError;

#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    #[error("the server did not start: {0}")]
    Start(String),
    #[error(transparent)]
    Api(#[from] ApiError),
    #[error("{what}: {reason}")]
    Io { what: String, reason: String },
    #[error("no {what} within `{seconds}` seconds")]
    Late { what: &'static str, seconds: u64 },
    /// The server had accepted the request, and sent these events of it.
    #[error("the stream of events ended before its turn did")]
    CutOff(Vec<Value>),
    #[error("the server told of a fault: {0}")]
    ServerFault(String),
    #[error("an answer of the server has no usable `{field}`: {body}")]
    Answer { field: &'static str, body: String },
    #[error("the scenario cannot be played: {0}")]
    Scenario(String),
}

impl PlayError {
    pub(crate) fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |error| Self::Io { what, reason: error.to_string() }
    }
    pub(crate) fn path(path: &Path) -> impl FnOnce(io::Error) -> Self {
        Self::io(format!("`{}`", path.display()))
    }
    pub(crate) fn answer(field: &'static str, body: &Value) -> Self {
        Self::Answer { field, body: body.to_string() }
    }

    /// The events that came before the stream broke, if the request had been accepted.
    pub(crate) fn into_events(self) -> Option<Vec<Value>> {
        if let Self::CutOff(events) = self { Some(events) } else { None }
    }

    /// The error of a client whose server has ended.
    pub(crate) const fn is_connection_loss(&self) -> bool {
        match self {
            Self::Api(error) => match error {
                ApiError::Unreachable { .. }
                | ApiError::Interrupted { .. }
                | ApiError::Events { .. }
                | ApiError::Timeout { .. } => true,
                ApiError::Address(_)
                | ApiError::Path { .. }
                | ApiError::Header(_)
                | ApiError::Client(_)
                | ApiError::Problem(_)
                | ApiError::TooLarge { .. }
                | ApiError::NotJson { .. } => false,
            },
            Self::CutOff(_) => true,
            Self::Start(_)
            | Self::Io { .. }
            | Self::Late { .. }
            | Self::ServerFault(_)
            | Self::Answer { .. }
            | Self::Scenario(_) => false,
        }
    }
}
