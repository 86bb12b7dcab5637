//! The same for another file, beside a preview that waits: `and b.txt too`, `b.txt도`. What waits
//! stays, and the other is done behind it.

use crate::{
    concept::Concept,
    found::Told,
    jobs,
    keeping::{is_besides, previews_a_file, tells},
    lexicon::Sign,
    reading::{JOBS_LATER_MAX, Job, ReadSignal, Situation},
    said::Said,
    signal::Whole,
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;
use wiiiv_domain::{SlotName, Slots, TaskType};

/// As sure as an answer to our own question.
const CONFIDENCE: f32 = 0.9;
/// Says which one and where, and nothing of what is to be done.
const LIGHT: [Concept; 9] = [
    Concept::And,
    Concept::Too,
    Concept::Then,
    Concept::Both,
    Concept::Join,
    Concept::Vague,
    Concept::Dest,
    Concept::Within,
    Concept::File,
];

/// What waits, as it is known, and the same of each of the others; `None` where anything else is said.
pub(crate) fn also(situation: &Situation, said: &Said<'_, '_>) -> Option<Told> {
    let (task_type, _) = situation.active.as_ref().filter(|_| previews_a_file(situation))?;
    let known = situation.known.get(SlotName::TARGET_PATH)?;
    let files = said.tokens.iter().filter(|token| token.kind == TokenKind::Path);
    let files: BTreeSet<&str> = files.map(|token| token.text).collect();
    let named = files.contains(known);
    let others: Vec<&str> = files.into_iter().filter(|file| *file != known).collect();
    let plain = said.tokens.iter().all(|token| is_light(said, token, *task_type));
    let more = says_more(said.tokens) || named && says_both(said.tokens);
    let some = !others.is_empty() && others.len() <= JOBS_LATER_MAX;
    // `and 'bye' to b.txt`: another text, of the one file that is named with it.
    let mut texts = said.tokens.iter().filter(|token| token.kind == TokenKind::Quoted);
    let (text, second) = (texts.next(), texts.next());
    let some = some && second.is_none() && (text.is_none() || others.len() == 1 && !named);
    if !(some && plain && more) || asks(said) {
        return None;
    }
    let job = |file: &str| {
        let mut slots = situation.known.clone();
        slots.set(SlotName::TARGET_PATH, file).ok()?;
        if let Some(text) = text.filter(|_| file != known) {
            slots.set(SlotName::CONTENT, said.source.as_written(text.text)).ok()?;
            slots.set(SlotName::SOURCE_RUN, "").ok()?;
            slots.set(SlotName::SELECT, "").ok()?;
        }
        Some(Job { task_type: *task_type, slots, text: said.part().to_owned() })
    };
    let of_each = std::iter::once(known).chain(others).map(job);
    let mut jobs = of_each.collect::<Option<Vec<Job>>>()?;
    // What is known of it stays as it is.
    let mut slots = Slots::default();
    slots.set(SlotName::TARGET_PATH, known).ok()?;
    jobs.first_mut()?.slots = slots;
    let (signal, confidence) = (ReadSignal::Modify, CONFIDENCE);
    Some(Told { signal, jobs, confidence, lost: None, left: Vec::new() })
}

/// A file, what joins it to the one that waits, or the verb of that.
fn is_light(said: &Said<'_, '_>, token: &Token<'_>, task: TaskType) -> bool {
    let text = task == TaskType::FileWrite && token.kind == TokenKind::Quoted;
    let plain = text || matches!(token.kind, TokenKind::Path | TokenKind::Mark);
    let particle = || token.attached && token.is_ending();
    let light = || token.has_any(&LIGHT);
    let same = || token.verb().is_some_and(|verb| jobs::fits(task, verb) && !verb.is_weak_verb());
    let corrects = token.has(Concept::Correct) || token.has(Concept::Change);
    // `응 b.txt도`: the yes is not taken, as what it says yes to is put again.
    let yes = || {
        let wholes = said.lexicon.bare.closed.get(&Whole::key(token.text));
        let agrees = |whole: &Whole| {
            matches!(whole, Whole::Affirm | Whole::Murmur | Whole::Filler | Whole::Aside)
        };
        wholes.is_some_and(|wholes| wholes.iter().all(agrees))
    };
    plain
        || token.is_word()
            && !corrects
            && !tells(token)
            && (particle() || light() || same() || yes())
}

/// `and b.txt?`, `also, is b.txt there`
fn asks(said: &Said<'_, '_>) -> bool {
    let asks = |t: &Token<'_>| t.is_mark("?") || t.has(Concept::Question) || tells(t);
    said.signs.has(Sign::Asks) || said.tokens.iter().any(asks)
}

/// `also b.txt`, `and b.txt`, `b.txt도`, `b.txt에도`
fn says_more(tokens: &[Token<'_>]) -> bool {
    let joins = |token: &Token<'_>| token.has(Concept::And) && !token.attached;
    let opens = tokens.iter().find(|token| !token.has(Concept::Vague)).is_some_and(joins);
    opens || tokens.iter().any(|t| t.has(Concept::Too)) || is_besides(tokens)
}

/// `both a.txt and b.txt`, `a.txt랑 b.txt 둘 다`
fn says_both(tokens: &[Token<'_>]) -> bool {
    tokens.iter().any(|token| token.has(Concept::Both) || token.has(Concept::And))
}
