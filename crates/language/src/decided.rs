//! What is decided of an utterance: what waits is answered or changed, or jobs are taken.

use crate::{
    agreed, also, answer,
    found::{Found, Told},
    heard::{Heard, clearness},
    jobs, keeping, leftover, peek,
    reading::{Job, Lost, ReadSignal},
    replied::{self, Reply},
    reworded,
    said::Said,
    sent,
    token::Token,
};
use wiiiv_domain::{Slots, TaskType};

/// An answer to our own question.
const ANSWERED: f32 = 0.9;

impl Heard<'_> {
    pub(crate) fn told(&self, tokens: &[Token<'_>]) -> Told {
        self.with(tokens, |said| {
            let found = self.found(said);
            if let Some(told) = also::also(self.situation, said).filter(|_| !self.negated) {
                return told;
            }
            let agrees = !self.negated && !peek::looks_first(said, found.as_ref());
            if let Some(told) = agreed::agreed(self, tokens).filter(|_| agrees) {
                return told;
            }
            let signal = self.signal(said, found.as_ref());
            let read = found.as_ref().map(|found| (found.job.task_type, &found.job.slots));
            let reply = replied::reply(self.situation, said, read);
            if reply == Some(Reply::Either) || reworded::is_either(self.situation, tokens) {
                return Told::none(ReadSignal::Say, Some(Lost::Either));
            }
            if keeping::declines(self.situation, said) {
                let own = keeping::names_target(self.situation, said);
                return Told::none(if own { ReadSignal::Deny } else { ReadSignal::Say }, None);
            }
            let silent = matches!(signal, ReadSignal::Cancel | ReadSignal::Deny);
            let other = || sent::completed(self.situation, said).is_none();
            if !silent && sent::is_beside(self.situation, said, found.as_ref()) && other() {
                return Told::none(ReadSignal::Say, Some(Lost::Half));
            }
            if let Some(slots) = self.answered(said, signal, found.as_ref())
                && let Some((task_type, _)) = self.situation.active
            {
                let clear = clearness(&slots, said, task_type);
                let job = Job { task_type, slots, text: said.part().to_owned() };
                let confidence = ANSWERED * clear;
                return Told { signal, jobs: vec![job], confidence, lost: None, left: Vec::new() };
            }
            let found = found.filter(|found| !self.only_corrects(signal, found));
            let silent =
                matches!(signal, ReadSignal::Cancel | ReadSignal::Deny | ReadSignal::Remember);
            if silent || self.negated || keeping::spares(self.situation, said) {
                return Told::none(signal, None);
            }
            if found.is_none() && said.signs.is_declined(said.lexicon) {
                return Told::none(signal, Some(Lost::Undone));
            }
            leftover::checked(self, tokens, jobs::told(self, tokens, signal, found))
        })
    }

    /// `점심 약속으로 바꿔줘` greets nobody.
    fn only_corrects(&self, signal: ReadSignal, found: &Found) -> bool {
        let greets = found.job.task_type == TaskType::Conversation;
        greets && signal == ReadSignal::Modify && self.situation.is_confirming()
    }

    fn answered(
        &self,
        said: &Said<'_, '_>,
        signal: ReadSignal,
        found: Option<&Found>,
    ) -> Option<Slots> {
        let found = found.map(|found| (found.job.task_type, &found.job.slots));
        match signal {
            ReadSignal::Modify if sent::waiting(self.situation).is_some() => {
                sent::completed(self.situation, said)
            }
            ReadSignal::Modify => answer::change(self.situation, said, found),
            ReadSignal::Cancel
            | ReadSignal::Deny
            | ReadSignal::LeaveOut(_)
            | ReadSignal::Remember => None,
            ReadSignal::Affirm | ReadSignal::FollowUp | ReadSignal::Reset | ReadSignal::Say => {
                answer::fill(self.situation, said, found)
            }
        }
    }
}
