//! A yes with more behind it, beside a preview of what is done to a file: `yes, and delete b.txt too`,
//! `네 그리고 c.txt 보여줘`. What waits is shown once more, and the rest is done behind it: neither the yes
//! nor the rest is dropped.

use crate::{
    concept::Concept,
    found::Told,
    heard::Heard,
    jobs,
    keeping::{self, CORRECTIONS},
    leftover, morph,
    part::Part,
    reading::{JOBS_LATER_MAX, Job, Lost, ReadSignal},
    signal::{self, Bare},
    token::Token,
};
use wiiiv_domain::{SlotName, Slots, TaskType};

/// A yes of more words says more than that.
const YES_TOKENS_MAX: usize = 6;
/// What stands between the yes and the rest.
const JOINS: [Concept; 3] = [Concept::And, Concept::Then, Concept::Too];

/// `None` where it is no yes, nothing joins more to it, or the rest changes what waits. A rest that nothing
/// reads or that only says what is not to be done (`응 쓰고 b.txt는 그대로 둬`) changes nothing.
pub(crate) fn agreed(heard: &Heard<'_>, tokens: &[Token<'_>]) -> Option<Told> {
    let situation = heard.situation;
    let (task, _) = situation.active.as_ref().filter(|_| keeping::previews_a_file(situation))?;
    let known = situation.known.get(SlotName::TARGET_PATH)?;
    let rest = behind(heard, *task, tokens)?;
    let corrects = |t: &Token<'_>| t.has_any(&CORRECTIONS);
    let unread = || Some(Told::none(ReadSignal::Say, None));
    if is_denied(rest) {
        return unread();
    }
    if rest.iter().any(corrects) {
        return None;
    }
    let mut waits = Slots::default();
    waits.set(SlotName::TARGET_PATH, known).ok()?;
    let text = heard.source.text.clone().into_owned();
    let waits = Job { task_type: *task, slots: waits, text };
    // `it` is the file that waits.
    let after = situation.after(&waits);
    let within = heard.within(&after);
    let told = jobs::told(&within, rest, ReadSignal::Say, within.part(rest));
    let told = leftover::checked(&within, rest, told);
    let works = |job: &Job| !job.task_type.is_talk();
    if told.lost.is_some() {
        return Some(told);
    }
    if told.jobs.is_empty() || !told.jobs.iter().all(works) || told.jobs.len() > JOBS_LATER_MAX {
        return unread();
    }
    // What waits behind it would not be shown with the rest.
    if !heard.situation.waiting.is_empty() {
        return Some(Told::none(ReadSignal::Say, Some(Lost::Half)));
    }
    let jobs = std::iter::once(waits).chain(told.jobs).collect();
    Some(Told { signal: ReadSignal::Modify, jobs, ..told })
}

/// `not to b.txt`: opens with what it is not.
fn is_denied(rest: &[Token<'_>]) -> bool {
    let not = [Concept::Unlike, Concept::Negate, Concept::Except];
    let first = rest.iter().find(|t| !t.has(Concept::Vague));
    first.is_some_and(|t| t.text.is_ascii() && t.has_any(&not))
}

/// What stands behind `yes, and`, `ok go ahead and also`, `응 그리고`, and behind `응 지우고`.
fn behind<'a, 't>(
    heard: &Heard<'_>,
    task: TaskType,
    tokens: &'a [Token<'t>],
) -> Option<&'a [Token<'t>]> {
    let text: &str = &heard.source.text;
    let first = tokens.first()?.start;
    let affirm = Some(Bare::Signal(ReadSignal::Affirm));
    let is_yes = |end: &usize| {
        let last = end.checked_sub(1).and_then(|last| tokens.get(last));
        let said = last.and_then(|last| text.get(first..last.end));
        said.is_some_and(|said| signal::whole(heard.lexicon, said, heard.situation) == affirm)
    };
    let end = (1..=YES_TOKENS_MAX.min(tokens.len())).rev().find(is_yes)?;
    let (yes, rest) = tokens.split_at_checked(end)?;
    let joins = |t: &Token<'_>| t.has_any(&JOINS);
    let own = |t: &Token<'_>| {
        let fits = t.verb().is_some_and(|verb| jobs::fits(task, verb) && !verb.is_weak_verb());
        fits && t.ends(Part::GoesOn)
    };
    let aside = |t: &&Token<'_>| t.is_mark(",") || t.is_mark(".") || t.is_mark("!") || joins(t);
    let from = rest.iter().take_while(aside).count();
    // `지우고 싶지만 ..` agrees to nothing.
    let wishes = rest.get(from + 1).is_some_and(|t| {
        t.ends(Part::But) || morph::concepts(heard.lexicon, t.text).contains(&Concept::Wish)
    });
    let done = rest.get(from).is_some_and(own) && !wishes;
    // `yes but not to b.txt`
    let behind = rest.get(from + 1..).unwrap_or_default();
    let but = rest.get(from).is_some_and(|t| t.is(Part::But) && is_denied(behind));
    let denied = is_denied(rest.get(from..).unwrap_or_default());
    let joined = but || denied || yes.iter().chain(rest.get(..from)?).any(joins);
    let rest = rest.get(from + usize::from(done || but)..)?;
    (joined || done).then_some(rest)
}
