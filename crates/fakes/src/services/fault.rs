//! Faults on demand.

use serde::{Deserialize, Serialize};
use std::{collections::VecDeque, time::Duration};

/// Faults of one service that are not used up yet.
const FAULTS_MAX: usize = 64;
/// Longer than any test waits.
const DELAY_MS_MAX: u64 = 120_000;
const EVERY_PATH: &str = "*";

/// When the connection is closed without an answer: before or after the effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dropped {
    Before,
    After,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// This path exactly, or `*` for all.
    pub path: String,
    /// `None` for all.
    #[serde(default)]
    pub method: Option<String>,
    /// This status is answered, without an effect.
    #[serde(default)]
    pub status: Option<u16>,
    /// Pause between the effect and the answer.
    #[serde(default)]
    pub delay_ms: u64,
    #[serde(default)]
    pub drop: Option<Dropped>,
    #[serde(default = "once")]
    pub times: u32,
}

const fn once() -> u32 {
    1
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FaultError {
    #[error("`{FAULTS_MAX}` faults wait already: reset the service first")]
    TooMany,
    #[error("`status` is a number from 400 to 599, not `{0}`")]
    Status(u16),
    #[error("`delay_ms` is at most `{DELAY_MS_MAX}`")]
    Delay,
    #[error("`status` has no effect and `drop` has no answer: name one of them")]
    Both,
}

impl Fault {
    fn check(&self) -> Result<(), FaultError> {
        if let Some(status) = self.status.filter(|status| !(400..600).contains(status)) {
            return Err(FaultError::Status(status));
        }
        if self.delay_ms > DELAY_MS_MAX {
            return Err(FaultError::Delay);
        }
        if self.status.is_some() && self.drop.is_some() { Err(FaultError::Both) } else { Ok(()) }
    }
    fn fits(&self, method: &str, path: &str) -> bool {
        let all_methods = self.method.as_deref().is_none_or(|own| own.eq_ignore_ascii_case(method));
        all_methods && (self.path == EVERY_PATH || self.path == path)
    }
    pub const fn delay(&self) -> Duration {
        Duration::from_millis(self.delay_ms)
    }
}

/// In the order in which they are used up.
#[derive(Default)]
pub struct Faults(VecDeque<Fault>);

impl Faults {
    pub fn add(&mut self, fault: Fault) -> Result<(), FaultError> {
        fault.check()?;
        if self.0.len() >= FAULTS_MAX {
            return Err(FaultError::TooMany);
        }
        self.0.push_back(fault);
        Ok(())
    }
    /// Uses up one fault that fits this call.
    pub fn take(&mut self, method: &str, path: &str) -> Option<Fault> {
        let at = self.0.iter().position(|fault| fault.times > 0 && fault.fits(method, path))?;
        let fault = self.0.get_mut(at)?;
        fault.times -= 1;
        let used = fault.clone();
        self.0.retain(|fault| fault.times > 0);
        Some(used)
    }
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
