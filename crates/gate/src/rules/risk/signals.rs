//! Signals that are found in texts: what a user writes, and what steps read.

use super::super::{error::RulesError, matcher::Reason};
use regex::RegexSet;
use serde::Deserialize;
use std::{str::Chars, sync::Arc};
use wiiiv_domain::{RISK_TEXT_BYTES_MAX, RiskSource};

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

    /// In file order, each once. A message is bounded where it comes in.
    pub(super) fn in_text(&self, text: &str, source: RiskSource) -> Vec<RiskSignal> {
        let mut heard = vec![false; self.list.len()];
        self.mark(text, &mut heard);
        self.heard(&heard, source)
    }

    /// The same in what a step put out. What JSON spells with escapes is read as what it says.
    pub(super) fn in_bytes(&self, bytes: &[u8]) -> Vec<RiskSignal> {
        let read = bytes.get(..RISK_TEXT_BYTES_MAX.min(bytes.len())).unwrap_or_default();
        let text = String::from_utf8_lossy(read);
        let mut heard = vec![false; self.list.len()];
        self.mark(&text, &mut heard);
        if text.contains('\\') {
            self.mark(&unescaped(&text), &mut heard);
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

/// What the escapes of JSON stand for, in a text of any form: a part of a document and a list of values, one a
/// line, are no document that could be parsed.
fn unescaped(text: &str) -> String {
    let (mut words, mut rest) = (String::with_capacity(text.len()), text.chars());
    while let Some(letter) = rest.next() {
        words.push(if letter == '\\' { escape(&mut rest) } else { letter });
    }
    words
}

fn escape(rest: &mut Chars<'_>) -> char {
    match rest.next() {
        Some('n' | 'r') => '\n',
        Some('t' | 'b' | 'f') => ' ',
        Some('u') => by_number(rest).unwrap_or('u'),
        Some(letter) => letter,
        None => '\\',
    }
}

/// By four digits. Half of a pair is no letter that a pattern names.
fn by_number(rest: &mut Chars<'_>) -> Option<char> {
    let (digits, behind) = rest.as_str().split_at_checked(4)?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    *rest = behind.chars();
    Some(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER))
}
