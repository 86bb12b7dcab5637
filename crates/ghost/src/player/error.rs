//! Why a scenario could not be played: never a verdict on it.

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
    /// Behind an acknowledgement: what was done had been accepted, and these events were heard.
    #[error("the stream of events ended before its turn did")]
    CutOff(Vec<Value>),
    #[error("the server told of a fault: {0}")]
    Told(String),
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

    /// Of something that was acknowledged: what had been heard of it until then.
    pub(crate) fn heard(self) -> Option<Vec<Value>> {
        if let Self::CutOff(heard) = self { Some(heard) } else { None }
    }

    /// What a client sees when the server has ended: the connection is gone.
    pub(crate) const fn is_loss(&self) -> bool {
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
            | Self::Told(_)
            | Self::Answer { .. }
            | Self::Scenario(_) => false,
        }
    }
}
