//! What a person told of themselves in a project, as a prompt shows it: below the rules, slots of safety first, those
//! never left out. It is data, and nothing makes a rule of it.

use std::fmt::Write as _;
use wiiiv_domain::{ProfileAge, ProfileDocument, ProfileSchema, ProfileSlot, Timestamp};

/// The values of slots that are none of safety, in Unicode scalar values; those of safety are shown whole.
pub const PROFILE_SHOWN_CHARS_MAX: usize = 2_000;
const MORE: &str = "[…]";
/// In place of what was told.
const UNREADABLE: &str =
    "unreadable now: values are missing below, and some of them may be of safety";

/// Of one person, in one project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileBlock {
    lines: Lines,
    /// The values of safety alone, each with its slot.
    safety: Lines,
}

/// Hides its text: no log has the words of a person.
#[derive(Clone, PartialEq, Eq)]
struct Lines(String);

impl ProfileBlock {
    /// As it stands at this time. Every slot is named, so that a model knows what belongs there.
    #[must_use]
    pub fn of(schema: &ProfileSchema, document: &ProfileDocument, now: Timestamp) -> Self {
        let (mut text, mut safety) = (String::new(), String::new());
        let mut left = PROFILE_SHOWN_CHARS_MAX;
        for slot in &schema.slots {
            let mark = if slot.safety { " (safety)" } else { "" };
            let _ = writeln!(text, "{}{mark} | {} | {}", slot.name, slot.policy, slot.hint.en);
            for line in lines(slot, document, now) {
                let chars = line.chars().count();
                if slot.safety {
                    text.push_str(&line);
                    let _ = write!(safety, "{}: {}", slot.name, line.trim_start_matches("- "));
                } else if let Some(rest) = left.checked_sub(chars) {
                    left = rest;
                    text.push_str(&line);
                } else {
                    // Newest first: older ones are what is left out.
                    let _ = writeln!(text, "- {MORE}");
                    break;
                }
            }
        }
        text.truncate(text.trim_end().len());
        Self { lines: Lines(text), safety: Lines(safety) }
    }

    /// What was told cannot be read: the slots alone, and that.
    #[must_use]
    pub fn unreadable(schema: &ProfileSchema, now: Timestamp) -> Self {
        let empty = Self::of(schema, &ProfileDocument::default(), now);
        Self { lines: Lines(format!("{UNREADABLE}\n{}", empty.text())), ..empty }
    }

    pub(crate) fn text(&self) -> &str {
        &self.lines.0
    }

    /// What no summary leaves out.
    pub(crate) fn safety(&self) -> impl Iterator<Item = &str> {
        self.safety.0.lines()
    }
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} chars", self.0.chars().count())
    }
}

/// Newest first, earlier measurements as older ones; what is too old to count is left out where the slot is none of safety.
fn lines(slot: &ProfileSlot, document: &ProfileDocument, now: Timestamp) -> Vec<String> {
    let Some(content) = document.slots.get(&slot.name) else { return Vec::new() };
    let mut lines: Vec<String> = content
        .aged(slot, now)
        .filter(|(_, age)| slot.safety || *age != ProfileAge::Gone)
        .map(|(entry, age)| {
            let older = if age == ProfileAge::Current { "" } else { " (older)" };
            let mut line = format!("- {}", entry.text.as_str());
            if let Some(from) = &entry.from {
                let _ = write!(line, ", from {}", from.as_str());
            }
            if let Some(until) = &entry.until {
                let _ = write!(line, ", until {}", until.as_str());
            }
            line + older + "\n"
        })
        .collect();
    lines.reverse();
    lines
}
