//! What is read of an utterance, or of a part of it.

use crate::reading::{Job, Lost, ReadSignal};

pub(crate) struct Told {
    pub(crate) signal: ReadSignal,
    pub(crate) jobs: Vec<Job>,
    pub(crate) confidence: f32,
    pub(crate) lost: Option<Lost>,
    /// What of it is not done, as it was said.
    pub(crate) left: Vec<String>,
}

impl Told {
    /// Nothing is to be done.
    pub(crate) const fn none(signal: ReadSignal, lost: Option<Lost>) -> Self {
        Self { signal, jobs: Vec::new(), confidence: 0.0, lost, left: Vec::new() }
    }
}

/// One part of an utterance, by the rules.
pub(crate) struct Found {
    pub(crate) job: Job,
    pub(crate) confidence: f32,
}
