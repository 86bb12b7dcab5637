//! Random fences around untrusted text: whoever wrote it could not know the number.

use crate::neutral::neutralise;
use std::fmt;

/// Of one request: 128 random bits, drawn at the edge and handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a fence is 32 lower case hexadecimal digits")]
pub struct FenceError;

impl Fence {
    pub const DIGITS: usize = 32;

    pub fn parse(digits: &str) -> Result<Self, FenceError> {
        let fits = digits.len() == Self::DIGITS
            && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if fits { Ok(Self(digits.to_owned())) } else { Err(FenceError) }
    }
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Untrusted text between fences, fence and role markers in it broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fenced(String);

impl Fenced {
    #[must_use]
    pub fn new(fence: &Fence, name: &'static str, untrusted: &str) -> Self {
        let text = neutralise(untrusted, fence);
        Self(format!("=== begin {name} {fence} ===\n{text}\n=== end {name} {fence} ===\n"))
    }
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
