//! Removes keys from files, services' answers and pages, by `policies/secrets.toml`, before a model
//! over a connection gets the text.

use crate::parts::PromptParts;
use regex::{Captures, Regex, RegexSet, RegexSetBuilder};
use serde::Deserialize;
use std::{borrow::Cow, sync::LazyLock};
use wiiiv_domain::{MemoryText, ProfileChange, ProfileEdit, Speaker};

const FILE: &str = include_str!("../../../policies/secrets.toml");
/// What stands where a key stood.
pub const SECRET_MARK: &str = "[secret]";
const GROUP: &str = "secret";
/// How each line of a memory begins.
const LIST_MARK: &str = "- ";
/// A step's output as it is shown, in bytes.
const OUTPUT_SHOWN_BYTES_MAX: usize = 4_096;
/// And as it is looked through: far enough that a key which begins in what is shown ends here.
pub const OUTPUT_READ_BYTES_MAX: usize = OUTPUT_SHOWN_BYTES_MAX + 16 * 1024;

/// What a thread's search for all patterns may keep in memory: in less, it falls back to one that takes
/// a hundred times as long.
const SEARCH_BYTES_MAX: usize = 8 * 1024 * 1024;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    pattern: Vec<Pattern>,
    told: Vec<Pattern>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    pub name: String,
    pub regex: String,
    /// A text that holds one, once every `¦` is left out.
    pub example: String,
}

#[derive(Debug, thiserror::Error)]
#[error("`policies/secrets.toml`: {0}")]
pub struct SecretsError(String);

/// Which texts hold keys, and where.
#[derive(Debug, Clone)]
pub struct SecretPatterns {
    listed: Vec<Pattern>,
    /// One pass for the many texts that hold none.
    any: RegexSet,
    each: Vec<Regex>,
    /// What is looked for in a text that a person wants kept, besides.
    told: RegexSet,
}

impl SecretPatterns {
    pub fn parse(text: &str) -> Result<Self, SecretsError> {
        let fault = |error: &dyn std::fmt::Display| SecretsError(error.to_string());
        let file: File = toml::from_str(text).map_err(|error| fault(&error))?;
        if file.version != 1 {
            return Err(fault(&"`version` is not 1"));
        }
        let sources = || file.pattern.iter().map(|pattern| pattern.regex.as_str());
        let any = RegexSetBuilder::new(sources()).dfa_size_limit(SEARCH_BYTES_MAX).build();
        let any = any.map_err(|error| fault(&error))?;
        let each = sources().map(Regex::new).collect::<Result<_, _>>();
        let each = each.map_err(|error| fault(&error))?;
        let told = RegexSet::new(file.told.iter().map(|pattern| pattern.regex.as_str()));
        let told = told.map_err(|error| fault(&error))?;
        for (nth, Pattern { name, example, .. }) in file.told.iter().enumerate() {
            if !told.matches(&example.replace('¦', "")).matched(nth) {
                return Err(fault(&format!("`{name}` does not find its example")));
            }
        }
        Ok(Self { listed: file.pattern, any, each, told })
    }

    #[must_use]
    pub fn listed(&self) -> &[Pattern] {
        &self.listed
    }

    /// Whether a key or a password stands in a text that is to be kept for good.
    fn holds_secret(&self, text: &str) -> bool {
        self.told.is_match(text) || self.taken_out(text).1 > 0
    }

    /// The text with a mark in the place of each key, and how many there were.
    #[must_use]
    pub fn taken_out<'t>(&self, text: &'t str) -> (Cow<'t, str>, usize) {
        let (mut shown, mut count) = (Cow::Borrowed(text), 0);
        for nth in self.any.matches(text) {
            let Some(regex) = self.each.get(nth) else { continue };
            let without = regex.replace_all(&shown, |found: &Captures<'_>| {
                let (marked, is_key) = marked(found);
                count += usize::from(is_key);
                marked
            });
            if let Cow::Owned(without) = without {
                shown = Cow::Owned(without);
            }
        }
        (shown, count)
    }
}

/// What a match leaves. One that an earlier pattern has marked already is not counted twice.
fn marked(found: &Captures<'_>) -> (String, bool) {
    let Some(whole) = found.get(0) else { return (String::new(), false) };
    let secret = found.name(GROUP).unwrap_or(whole);
    if secret.as_str().contains(SECRET_MARK) {
        return (whole.as_str().to_owned(), false);
    }
    let (from, to) = (secret.start() - whole.start(), secret.end() - whole.start());
    let before = whole.as_str().get(..from).unwrap_or_default();
    let behind = whole.as_str().get(to..).unwrap_or_default();
    (format!("{before}{SECRET_MARK}{behind}"), true)
}

/// As they were at build; a test holds that they can be read.
static PATTERNS: LazyLock<Option<SecretPatterns>> =
    LazyLock::new(|| SecretPatterns::parse(FILE).ok());

/// What a model is shown of what people did not say: outputs of steps, earlier answers of ours that
/// told of them, reasons that quote them. A person's own words stay as they are: what somebody wants
/// written is written so.
// INVARIANT: every text from a file, a service or a page that enters a prompt goes through here.
pub(crate) fn screened(parts: &PromptParts) -> (Cow<'_, PromptParts>, usize) {
    let mut shown = Cow::Borrowed(parts);
    let mut count = 0;
    for (nth, step) in parts.facts.iter().flat_map(|facts| &facts.steps).enumerate() {
        let Some(text) = beginning(&step.text, &mut count) else { continue };
        let steps = shown.to_mut().facts.as_mut().and_then(|facts| facts.steps.get_mut(nth));
        if let Some(step) = steps {
            step.text = text;
        }
    }
    // A person's own memory is that person's words; a project's has those of others too.
    if let Some(text) = changed(parts.memory.project.as_str(), &mut count) {
        shown.to_mut().memory.project = MemoryText::parse(&text).unwrap_or_default();
    }
    for (nth, (speaker, said)) in parts.history.iter().enumerate() {
        if *speaker == Speaker::User {
            continue;
        }
        let Some(text) = changed(said, &mut count) else { continue };
        if let Some((_, said)) = shown.to_mut().history.get_mut(nth) {
            *said = text;
        }
    }
    if let Some(long_term) = &parts.long_term
        && long_term.of_others().any(|text| changed(text, &mut 0).is_some())
    {
        let mut without = long_term.clone();
        for text in without.of_others_mut() {
            if let Some(other) = changed(text, &mut count) {
                *text = other;
            }
        }
        shown.to_mut().long_term = Some(without);
    }
    if let Some(passages) = &parts.documents
        && passages.texts().any(|text| changed(text, &mut 0).is_some())
    {
        let mut without = passages.clone();
        for text in without.texts_mut() {
            if let Some(other) = changed(text, &mut count) {
                *text = other;
            }
        }
        shown.to_mut().documents = Some(without);
    }
    for (nth, reason) in parts.revision.iter().enumerate() {
        let Some(text) = changed(reason, &mut count) else { continue };
        if let Some(reason) = shown.to_mut().revision.get_mut(nth) {
            *reason = text;
        }
    }
    if let Some(answer) = &parts.checked
        && let Some(text) = changed(&answer.text, &mut count)
        && let Some(answer) = &mut shown.to_mut().checked
    {
        answer.text = text;
    }
    (shown, count)
}

/// What of an output is shown: cut off only behind its keys, of which one that stands at the end would
/// not be known by its half. `None`: all of it, as it is.
fn beginning(text: &str, count: &mut usize) -> Option<String> {
    let mut found = 0;
    let without = changed(text, &mut found);
    let whole = without.as_deref().unwrap_or(text);
    let end = whole.floor_char_boundary(OUTPUT_SHOWN_BYTES_MAX);
    let shown = whole.get(..end).unwrap_or_default().to_owned();
    *count += found.min(shown.matches(SECRET_MARK).count());
    (without.is_some() || end < text.len()).then_some(shown)
}

/// `None` where the text may be shown as it is. Without a way to look, nothing of it is.
fn changed(text: &str, count: &mut usize) -> Option<String> {
    // The patterns are compiled by the first text that needs them: an empty memory is none.
    if text.is_empty() {
        return None;
    }
    let Some(patterns) = PATTERNS.as_ref() else { return Some(String::new()) };
    let (shown, found) = patterns.taken_out(text);
    *count += found;
    match shown {
        Cow::Borrowed(_) => None,
        Cow::Owned(shown) => Some(shown),
    }
}

/// A text as a model may be shown it.
pub(crate) fn without_keys(text: &str) -> Cow<'_, str> {
    changed(text, &mut 0).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Whether a key or a password stands in a text that is to be kept for good; of a list, each line is looked at
/// without its mark. Without a way to look, it counts as one that does.
#[must_use]
pub fn holds_secret(text: &str) -> bool {
    let own = text.strip_prefix(LIST_MARK).unwrap_or(text).replace(&format!("\n{LIST_MARK}"), "\n");
    !own.is_empty() && PATTERNS.as_ref().is_none_or(|patterns| patterns.holds_secret(&own))
}

/// Whether a change would put a key into a profile. What takes one away may name it.
#[must_use]
pub fn keeps_secret(change: &ProfileChange) -> bool {
    match &change.edit {
        ProfileEdit::Set { text, .. } => holds_secret(text.as_str()),
        ProfileEdit::End { .. }
        | ProfileEdit::Remove { .. }
        | ProfileEdit::Clear
        | ProfileEdit::Restore { .. } => false,
    }
}

/// The list as it was at build.
pub fn secret_patterns() -> Result<SecretPatterns, SecretsError> {
    SecretPatterns::parse(FILE)
}
