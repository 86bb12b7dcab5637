//! A file more, beside a preview that waits: `also to b.txt`, `draft.md도`, `and todo.txt too`. What waits
//! stays as it is, and the other comes behind it.

use crate::{
    also,
    concept::Concept,
    content, jobs, paths,
    reading::{Job, Situation},
    signal::Whole,
    slots::{self, Said},
    token::Token,
};
use wiiiv_domain::{SlotName, TaskType};

/// Says that something is not instead of what waits.
const ALSO: char = '도';

/// What waits, and the same for the other file; `None` where none is added.
pub(crate) fn more(situation: &Situation, said: &Said<'_, '_>) -> Option<Vec<Job>> {
    let (task, _) = situation.active.as_ref().filter(|_| situation.is_confirming())?;
    let file = matches!(task, TaskType::FileWrite | TaskType::FileDelete);
    let known = situation.known.get(SlotName::TARGET_PATH).filter(|_| file)?;
    let at = paths::target(said.lexicon, said.tokens)?;
    let path = slots::target(said).filter(|path| path != known)?;
    if !is_added(said, at) || !is_plain(said, *task) {
        return None;
    }
    let mut slots = situation.known.clone();
    slots.set(SlotName::TARGET_PATH, &*path).ok()?;
    let text = content::content(said.lexicon, said.until(), said.tokens, Some(at));
    if let Some(text) = text.filter(|_| *task == TaskType::FileWrite) {
        slots.set(SlotName::CONTENT, said.source.as_written(text)).ok()?;
        slots.set(SlotName::SOURCE_RUN, "").ok()?;
        slots.set(SlotName::SELECT, "").ok()?;
    }
    let job = |slots| Job { task_type: *task, slots, text: said.part().to_owned() };
    Some(vec![job(situation.known.clone()), job(slots)])
}

/// `also`, `too`, `and ..`, `b.txt도`, `b.txt에도`
fn is_added(said: &Said<'_, '_>, at: usize) -> bool {
    let light = |t: &&Token<'_>| !t.is_word() || is_light(said, t);
    let opens = said.tokens.iter().find(|t| !light(t) || t.has(Concept::And));
    let particle = said.tokens.get(at + 1).filter(|t| t.attached && t.is_word());
    opens.is_some_and(|t| t.has(Concept::And))
        || said.signs.says(Concept::Too)
        || particle.is_some_and(|t| t.text.ends_with(ALSO))
}

fn is_light(said: &Said<'_, '_>, token: &Token<'_>) -> bool {
    said.lexicon.bare.closed.contains_key(&Whole::key(token.text))
}

/// Nothing else is asked for, and nothing is corrected.
fn is_plain(said: &Said<'_, '_>, task: TaskType) -> bool {
    let other = [
        Concept::Correct,
        Concept::NotThis,
        Concept::Unlike,
        Concept::Negate,
        Concept::Keep,
        Concept::Change,
        Concept::Result,
    ];
    let fits =
        |t: &Token<'_>| t.verb().is_none_or(|verb| verb.is_weak_verb() || jobs::fits(task, verb));
    let unknown =
        |t: &Token<'_>| t.is_word() && !t.attached && t.concepts.is_empty() && !is_light(said, t);
    let asks = said.tokens.last().is_some_and(|last| last.is_mark("?"));
    !asks
        && said.tokens.iter().all(fits)
        && !said.tokens.iter().any(|token| unknown(token) || also::tells(token))
        && !other.into_iter().any(|concept| said.signs.says(concept))
}
