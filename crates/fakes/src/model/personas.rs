//! Who a request speaks to: the governor, one of the personas of a review, or whoever checks an answer.

use serde_json::Value;

/// Who is spoken to: by the rules that stand above a prompt.
const MARKS: [(&str, Addressee); 3] = [
    ("# You are the Architect", Addressee::Architect),
    ("# You are the Reviewer", Addressee::Reviewer),
    ("# You are the Adversary", Addressee::Adversary),
];

/// In the rules of whoever looks at an answer before it is given.
const CHECK_MARK: &str = "# Check rules";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Addressee {
    Governor,
    Architect,
    Reviewer,
    Adversary,
    Check,
}

impl Addressee {
    pub(super) fn of(request: &Value) -> Self {
        let text = request.to_string();
        if text.contains(CHECK_MARK) {
            return Self::Check;
        }
        let marked = MARKS.into_iter().find(|(mark, _)| text.contains(mark));
        marked.map_or(Self::Governor, |(_, addressee)| addressee)
    }
}

/// Whether a request, as text, asks a persona for an opinion.
pub(super) fn is_for_persona(body: &str) -> bool {
    MARKS.into_iter().any(|(mark, _)| body.contains(mark))
}

/// What stands in the rules of that persona, and in no other prompt's.
#[must_use]
pub fn persona_mark(name: &str) -> Option<&'static str> {
    let is_it = |mark: &&str| mark.to_lowercase().ends_with(name);
    MARKS.into_iter().map(|(mark, _)| mark).find(is_it)
}
