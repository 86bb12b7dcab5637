//! An utterance that answers a question: it fills what is missing.

use crate::{content, paths, reading::Situation, request, slots, slots::Said, token::TokenKind};
use wiiiv_domain::{SlotName, Slots, Spec, TaskType};

/// The active task's missing slots as this utterance fills them; `None` where it fills none, or
/// is a whole task of its own.
pub(crate) fn fill(
    situation: &Situation,
    said: &Said<'_, '_>,
    read: Option<(TaskType, &Slots)>,
) -> Option<Slots> {
    let (task, missing) = situation.active.as_ref().filter(|_| situation.is_asked())?;
    if let Some((other, found)) = read {
        let whole = Spec::missing(other, found).is_empty() && !other.is_talk();
        if other == *task && (whole || missing.iter().any(|m| found.get(m.as_str()).is_some())) {
            return Some(without_gist(found, missing));
        }
        if other != *task && whole {
            return None;
        }
    }
    let mut filled = without_gist(&slots::slots(*task, said), missing);
    for name in missing {
        if filled.get(name.as_str()).is_none()
            && let Some(value) = value(name, missing.len(), said)
            && filled.set(name.as_str(), value).is_err()
        {
            return None;
        }
    }
    missing.iter().any(|name| filled.get(name.as_str()).is_some()).then_some(filled)
}

/// The active task as this utterance changes it; `None` where it changes nothing that is known, or
/// is a whole task of another kind.
pub(crate) fn change(
    situation: &Situation,
    said: &Said<'_, '_>,
    read: Option<(TaskType, &Slots)>,
) -> Option<Slots> {
    let (task, missing) = situation.active.as_ref()?;
    let whole = |(other, found): (TaskType, &Slots)| {
        other != *task && !other.is_talk() && Spec::missing(other, found).is_empty()
    };
    if read.is_some_and(whole) {
        return None;
    }
    let changed = without_gist(&slots::slots(*task, said), missing);
    (!changed.is_empty()).then_some(changed)
}

/// What the task is about was said when it began.
fn without_gist(slots: &Slots, missing: &[SlotName]) -> Slots {
    let mut kept = slots.clone();
    for name in [SlotName::INTENT, "instruction"] {
        if !missing.iter().any(|missing| missing.as_str() == name) {
            // Removing is never refused.
            let _ = kept.set(name, "");
        }
    }
    kept
}

/// A place is taken from its entity; anything else is what was said, where only that was asked.
fn value(name: &SlotName, asked: usize, said: &Said<'_, '_>) -> Option<String> {
    let target = paths::target(said.lexicon, said.tokens);
    match name.as_str() {
        SlotName::TARGET_PATH | "sources" => {
            target.and_then(|at| said.tokens.get(at)).map(|token| token.text.to_owned())
        }
        SlotName::DOMAIN | SlotName::URL => request::url(said.tokens).map(str::to_owned),
        SlotName::CONTENT => {
            let marked = content::content(said.lexicon, said.text, said.tokens, target);
            marked.map(str::to_owned).or_else(|| alone(asked, said))
        }
        // Names that are registered, and JSON: a sentence is neither.
        SlotName::OPERATION => said.named.operation(),
        SlotName::ARGUMENTS => {
            let json = said.tokens.iter().find(|token| token.kind == TokenKind::Json);
            json.map(|token| token.text.to_owned())
        }
        _ => alone(asked, said),
    }
}

fn alone(asked: usize, said: &Said<'_, '_>) -> Option<String> {
    let text = said.text.trim();
    (asked == 1 && !text.is_empty()).then(|| text.to_owned())
}
