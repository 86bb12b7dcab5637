//! The file of a preview that waits, looked at instead of or before what waits: `아니 지우지 말고 내용만
//! 보여줘`, `show me what's in it first`, `응 근데 먼저 보여줘`.

use crate::{
    concept::Concept,
    consent,
    found::Found,
    keeping::previews_a_file,
    morph,
    part::Part,
    reading::{Job, Situation},
    said::Said,
    signal::Whole,
    token::{Token, TokenKind},
};
use wiiiv_domain::{SlotName, Slots, TaskType};

/// As sure as a rule on the file that was just spoken of.
const CONFIDENCE: f32 = 0.85;
/// What says that it is to be seen, and nothing of another thing.
const LIGHT: [Concept; 18] = [
    Concept::Read,
    Concept::Tell,
    Concept::Question,
    Concept::Content,
    Concept::File,
    Concept::Pronoun,
    Concept::That,
    Concept::Only,
    Concept::Vague,
    Concept::Then,
    Concept::And,
    Concept::First,
    Concept::Correct,
    Concept::Within,
    Concept::There,
    Concept::Unlike,
    Concept::Saying,
    Concept::Beforehand,
];

/// `None` where anything else is named, or nothing is asked to be seen.
pub(crate) fn peek(situation: &Situation, said: &Said<'_, '_>) -> Option<Found> {
    let file = situation.known.get(SlotName::TARGET_PATH).filter(|_| previews_a_file(situation))?;
    let (task, _) = situation.active.as_ref()?;
    let closed = |t: &Token<'_>| said.lexicon.bare.closed.contains_key(&Whole::key(t.text));
    let light = |(at, t): (usize, &Token<'_>)| {
        let aside = matches!(t.kind, TokenKind::Mark | TokenKind::Dropped) || t.attached;
        let own = t.kind == TokenKind::Path && t.text == file;
        let known = own || t.has_any(&LIGHT);
        aside || known || closed(t) || t.concepts.is_empty() || is_put_off(said.tokens, at, *task)
    };
    let shows = said.signs.says_any(&[Concept::Read, Concept::Tell]);
    let points = [Concept::Content, Concept::Pronoun, Concept::File];
    let points = said.signs.says_any(&points);
    // `지우지 말고 보여줘`: what waits is spoken of, and not to be done.
    let waits = |t: &Token<'_>| {
        let meant = morph::concepts(said.lexicon, t.text);
        t.concepts.is_empty()
            && meant.into_iter().any(|verb| consent::fitting(*task).contains(&verb))
    };
    let points = points || said.tokens.iter().any(waits);
    // `먼저 보여줘`: what, is only said where nothing else is named.
    let named = |t: &Token<'_>| t.concepts.is_empty() && !t.attached && !closed(t);
    let named = || said.tokens.iter().any(|t| t.kind != TokenKind::Mark && named(t));
    let points = points || comes_first(said) && !named();
    if !(shows && points && said.tokens.iter().enumerate().all(light)) {
        return None;
    }
    let mut slots = Slots::default();
    slots.set(SlotName::TARGET_PATH, file).ok()?;
    let job = Job { task_type: TaskType::FileRead, slots, text: said.part().to_owned() };
    Some(Found { job, confidence: CONFIDENCE })
}

/// `ok but let me see it first` is no yes.
pub(crate) fn looks_first(said: &Said<'_, '_>, found: Option<&Found>) -> bool {
    found.is_some_and(|found| found.job.task_type == TaskType::FileRead) && comes_first(said)
}

/// The look comes before what waits: `먼저 보여줘`, `네 근데 한번 보여줘`, `yes but let me see it`.
fn comes_first(said: &Said<'_, '_>) -> bool {
    let yes = |t: &&Token<'_>| {
        let wholes = said.lexicon.bare.closed.get(&Whole::key(t.text));
        wholes.is_some_and(|wholes| wholes.contains(&Whole::Affirm))
    };
    let mut words = said.tokens.iter().filter(|token| token.is_word()).skip_while(yes);
    words.next().is_some_and(|t| t.is(Part::But)) || said.tokens.iter().any(is_before)
}

fn is_before(token: &Token<'_>) -> bool {
    let before = token.has(Concept::Awaiting) && token.has(Concept::Earlier);
    before || token.has(Concept::Beforehand)
}

/// `지우기 전에`, `before you delete it`: what waits, which comes after the look.
fn is_put_off(tokens: &[Token<'_>], at: usize, task: TaskType) -> bool {
    let own = |t: &Token<'_>| t.verb().is_some_and(|verb| consent::fitting(task).contains(&verb));
    let beside = |own: usize| {
        let before = own.checked_sub(1).and_then(|at| tokens.get(at));
        let earlier = own.checked_sub(2).and_then(|at| tokens.get(at));
        [before, earlier, tokens.get(own + 1)].into_iter().flatten().any(is_before)
    };
    let put_off = |at: usize| tokens.get(at).is_some_and(own) && beside(at);
    let here = tokens.get(at).is_some_and(is_before);
    put_off(at) || here && (at.saturating_sub(1)..=at + 2).any(put_off)
}
