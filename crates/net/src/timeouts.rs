//! Time limits of a call, part by part.

use std::fmt;
use std::time::Duration;

/// `first_byte` runs from the start of the call to the first byte of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    pub connect: Duration,
    pub first_byte: Duration,
    pub between_chunks: Duration,
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            first_byte: Duration::from_secs(60),
            between_chunks: Duration::from_secs(30),
            total: Duration::from_secs(300),
        }
    }
}

/// What was being waited for when the time was over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Connect,
    FirstByte,
    BetweenChunks,
    Total,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Connect => "connect",
            Self::FirstByte => "first byte",
            Self::BetweenChunks => "between chunks",
            Self::Total => "total",
        })
    }
}
