//! One result of the doctor.

use crate::commands::doctor::subject::Subject;
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    Ok,
    Warn,
    Fail,
}

#[derive(Debug, Clone, Serialize)]
pub struct Check {
    pub subject: Subject,
    pub health: Health,
    pub found: String,
    /// Which text says what to do, where it is not well.
    #[serde(skip)]
    pub advice: &'static str,
}

pub fn check(subject: Subject, health: Health, found: impl Into<String>) -> Check {
    Check { subject, health, found: found.into(), advice: subject.as_str() }
}
