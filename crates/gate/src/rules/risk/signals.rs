//! Signals that are found in texts: what a user writes, and what steps read.

use super::super::{error::RulesError, matcher::Reason};
use regex::RegexSet;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use wiiiv_domain::{RISK_TEXT_BYTES_MAX, RiskSource, risk_text};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Signal {
    pub(super) code: String,
    points: u32,
    /// Which texts it is looked for in.
    texts: Vec<RiskSource>,
    regex: Vec<String>,
    pub(super) reason: Reason,
}

/// Something that raises a session's score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RiskSignal {
    /// Its code in `policies/risk.toml`.
    pub code: String,
    /// Where it was found.
    pub source: RiskSource,
    /// What it adds to the session's score.
    pub points: u32,
}

/// All patterns at once: a text is read once, in time linear in its length.
#[derive(Debug, Clone)]
pub(super) struct Signals {
    list: Arc<[Signal]>,
    set: RegexSet,
    /// By pattern, the place of its signal in `list`.
    owners: Arc<[usize]>,
}

impl Signals {
    pub(super) fn of(list: Vec<Signal>) -> Result<Self, RulesError> {
        let all = list.iter().flat_map(|signal| &signal.regex);
        let set = RegexSet::new(all).map_err(|e| RulesError::Document(e.to_string()))?;
        let owners = list.iter().enumerate();
        let owners = owners.flat_map(|(at, signal)| signal.regex.iter().map(move |_| at)).collect();
        Ok(Self { list: list.into(), set, owners })
    }

    pub(super) fn list(&self) -> &[Signal] {
        &self.list
    }

    /// Each counts once, in file order.
    pub(super) fn in_text(&self, text: &str, source: RiskSource) -> Vec<RiskSignal> {
        let mut heard = vec![false; self.list.len()];
        self.mark(risk_text(text), &mut heard);
        self.heard(&heard, source)
    }

    /// The same in bytes that a step read. What JSON spells with escapes is read as what it says.
    pub(super) fn in_bytes(&self, bytes: &[u8]) -> Vec<RiskSignal> {
        let read = bytes.get(..RISK_TEXT_BYTES_MAX.min(bytes.len())).unwrap_or_default();
        let text = String::from_utf8_lossy(read);
        let mut heard = vec![false; self.list.len()];
        self.mark(&text, &mut heard);
        if read.contains(&b'\\')
            && let Ok(value) = serde_json::from_slice::<Value>(read)
        {
            let mut words = String::new();
            gather(&value, &mut words);
            self.mark(&words, &mut heard);
        }
        self.heard(&heard, RiskSource::Read)
    }

    fn mark(&self, text: &str, heard: &mut [bool]) {
        for pattern in &self.set.matches(text) {
            let owner = self.owners.get(pattern);
            if let Some(heard) = owner.and_then(|owner| heard.get_mut(*owner)) {
                *heard = true;
            }
        }
    }

    fn heard(&self, heard: &[bool], source: RiskSource) -> Vec<RiskSignal> {
        let signals = self.list.iter().zip(heard).filter(|(_, heard)| **heard);
        let here = signals.filter(|(signal, _)| signal.texts.contains(&source));
        here.map(|(s, _)| RiskSignal { code: s.code.clone(), source, points: s.points }).collect()
    }
}

/// Names and texts of a JSON value, one a line. `serde_json` bounds the depth.
fn gather(value: &Value, words: &mut String) {
    match value {
        Value::String(text) => {
            words.push_str(text);
            words.push('\n');
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, words)),
        Value::Object(members) => {
            for (name, value) in members {
                words.push_str(name);
                words.push('\n');
                gather(value, words);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
