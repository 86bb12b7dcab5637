//! A yes with more behind it, beside a preview of what is done to a file: `yes, and delete b.txt too`,
//! `네 그리고 c.txt 보여줘`. What waits is shown once more, and the rest is done behind it: neither the yes
//! nor the rest is dropped.

use crate::{
    concept::Concept,
    heard::{Heard, Told},
    jobs,
    keeping::{self, CORRECTIONS},
    leftover,
    part::Part,
    reading::{JOBS_LATER_MAX, Job, ReadSignal},
    signal::{self, Bare},
    token::Token,
};
use wiiiv_domain::{SlotName, Slots, TaskType};

/// A yes of more words says more than that.
const YES_TOKENS_MAX: usize = 6;
/// What stands between the yes and the rest.
const JOINS: [Concept; 3] = [Concept::And, Concept::Then, Concept::Too];

/// `None` where it is no yes, nothing joins more to it, or the rest changes what waits.
pub(crate) fn agreed(heard: &Heard<'_>, tokens: &[Token<'_>]) -> Option<Told> {
    let situation = heard.situation;
    let (task, _) = situation.active.as_ref().filter(|_| keeping::previews_a_file(situation))?;
    let known = situation.known.get(SlotName::TARGET_PATH)?;
    let rest = behind(heard, *task, tokens)?;
    let corrects = |t: &Token<'_>| CORRECTIONS.into_iter().any(|concept| t.has(concept));
    if rest.iter().any(corrects) {
        return None;
    }
    let mut waits = Slots::default();
    waits.set(SlotName::TARGET_PATH, known).ok()?;
    let text = heard.source.text.clone().into_owned();
    let waits = Job { task_type: *task, slots: waits, text };
    // `it` is the file that waits.
    let situation = jobs::after(situation, &waits);
    let heard = heard.within(&situation);
    let told = jobs::told(&heard, rest, ReadSignal::Say, heard.part(rest));
    let told = leftover::checked(&heard, rest, told);
    let works = |job: &Job| !job.task_type.is_talk();
    if told.lost.is_some() {
        return Some(told);
    }
    if told.jobs.is_empty() || !told.jobs.iter().all(works) || told.jobs.len() > JOBS_LATER_MAX {
        return None;
    }
    let jobs = std::iter::once(waits).chain(told.jobs).collect();
    Some(Told { signal: ReadSignal::Modify, jobs, ..told })
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
    let joins = |t: &Token<'_>| JOINS.into_iter().any(|concept| t.has(concept));
    let own = |t: &Token<'_>| {
        let fits = t.verb().is_some_and(|verb| jobs::fits(task, verb) && !verb.is_weak_verb());
        fits && t.ends(Part::GoesOn)
    };
    let aside = |t: &&Token<'_>| t.is_mark(",") || t.is_mark(".") || t.is_mark("!") || joins(t);
    let from = rest.iter().take_while(aside).count();
    let done = rest.get(from).is_some_and(own);
    let joined = yes.iter().chain(rest.get(..from)?).any(joins);
    let rest = rest.get(from + usize::from(done)..)?;
    (joined || done).then_some(rest)
}
