//! What was asked for and what was tried, to be compared with what is to be done. It is in memory, and what
//! was tried is told once more by the journal when the session comes back into it.

use std::collections::{BTreeSet, VecDeque};
use wiiiv_domain::{
    Consensus, Effect, Envelope, EventBody, FlowEffect, FlowInput, NotDrawn, RulingOutcome,
    SessionEvent, SlotName, Slots, TaskId, TaskType,
};
use wiiiv_gate::{Attempt, RiskRules, RiskSignal};
use wiiiv_language::{ReadSignal, Reading};

/// Attempts that are remembered.
const ATTEMPTS_MAX: usize = 16;
/// Tasks whose drift was counted.
const TASKS_MAX: usize = 64;

#[derive(Default)]
pub struct Conduct {
    /// The greatest effect that the user's last request asks for; `None`: its words do not say, as those for a
    /// service rarely do.
    asked: Option<Effect>,
    attempts: VecDeque<Attempt>,
    /// Their drift counted already.
    drifted: BTreeSet<TaskId>,
}

impl Conduct {
    pub const fn asked(&self) -> Option<Effect> {
        self.asked
    }

    /// A message that asks for nothing leaves what was asked for.
    pub fn hear(&mut self, reading: &Reading) {
        let first = reading.task_type.map(|task| effect_of(task, &reading.slots));
        let later = reading.later.iter().map(|job| effect_of(job.task_type, &job.slots));
        let asked = first.into_iter().chain(later).flatten().max();
        // Words for a service rarely say whether it is read or changed.
        let tasks =
            reading.task_type.into_iter().chain(reading.later.iter().map(|job| job.task_type));
        let calls = tasks.into_iter().any(|task| {
            matches!(task, TaskType::ApiWorkflow | TaskType::DbQuery | TaskType::WorkflowRun)
        });
        let unclear = calls || !reading.left.is_empty() || reading.lost.is_some();
        match (asked, reading.signal) {
            (Some(effect), _) if !unclear => self.asked = Some(effect),
            (Some(_), _) | (None, ReadSignal::Say) => self.asked = None,
            (None, _) => {}
        }
    }

    /// Whether this is the first time for the task.
    pub fn drifts(&mut self, task: TaskId) -> bool {
        if self.drifted.len() >= TASKS_MAX {
            self.drifted.pop_first();
        }
        self.drifted.insert(task)
    }

    /// What this attempt adds to the score, after those before it.
    pub fn attempt(&mut self, rules: &RiskRules, attempt: Attempt) -> Option<RiskSignal> {
        // The same once more takes the place of the one before, which no ladder needs.
        let repeats = |last: &Attempt| !last.refused && last.effect == attempt.effect;
        if self.attempts.back().is_some_and(repeats) {
            self.attempts.pop_back();
        } else if self.attempts.len() >= ATTEMPTS_MAX {
            self.attempts.pop_front();
        }
        self.attempts.push_back(attempt);
        let signal = rules.escalation(self.attempts.make_contiguous());
        if signal.is_some() {
            // A ladder counts once.
            self.forget_attempts();
        }
        signal
    }

    pub fn forget_attempts(&mut self) {
        self.attempts.clear();
    }

    /// An event of the journal, on a replay, oldest first. What it adds to the score was added when it
    /// happened.
    pub fn replay(&mut self, rules: &RiskRules, event: &SessionEvent) {
        if let EventBody::Input { input, reviews, .. } = &event.body {
            self.note(input);
            if let Some(effect) = *reviews {
                let _ = self.attempt(rules, Attempt { at: event.at, effect, refused: false });
            }
        } else if let EventBody::RiskCleared { .. } = &event.body {
            self.forget_attempts();
        }
    }

    /// What was tried last is refused. The user's own no is none: people change their minds.
    pub fn note(&mut self, input: &FlowInput) {
        let refused = match input {
            FlowInput::Verdict { consensus, .. } => *consensus == Consensus::No,
            FlowInput::NotDrawable { reasons, .. } => {
                reasons.iter().any(|reason| matches!(reason, NotDrawn::Denied { .. }))
            }
            FlowInput::Ruling { ruling, .. } => matches!(ruling, RulingOutcome::Deny { .. }),
            FlowInput::Refused { .. } => true,
            FlowInput::Signal(_)
            | FlowInput::Proposed { .. }
            | FlowInput::Shadowed { .. }
            | FlowInput::Drawn { .. }
            | FlowInput::Approved { .. }
            | FlowInput::Expired { .. }
            | FlowInput::Edited { .. }
            | FlowInput::Regrounded { .. }
            | FlowInput::Finished { .. } => false,
        };
        let Some(last) = self.attempts.back_mut().filter(|_| refused) else { return };
        last.refused = true;
        let effect = last.effect;
        // The same, refused just before it, is needed by no ladder.
        if let Some(at) = self.attempts.len().checked_sub(2)
            && self.attempts.get(at).is_some_and(|one| one.refused && one.effect == effect)
        {
            self.attempts.remove(at);
        }
    }
}

/// The greatest effect of the spec that these send to its review.
pub fn reviewed(effects: &[FlowEffect]) -> Option<Effect> {
    effects.iter().find_map(|effect| {
        let FlowEffect::Deliberate { spec, .. } = effect else { return None };
        spec.envelope.greatest_effect()
    })
}

fn effect_of(task: TaskType, slots: &Slots) -> Option<Effect> {
    let saves = slots.get(SlotName::SAVE) == Some("true");
    let effect = Envelope::narrowest(task, slots).greatest_effect();
    if saves { effect.max(Some(Effect::Write)) } else { effect }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wiiiv_domain::{BlueprintDigest, StateHash, Timestamp, TurnId, UserId, ValueSources};

    const RISK: &str = include_str!("../../../../policies/risk.toml");

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_unix_ms(minute * 60_000)
    }

    fn event(minute: i64, body: EventBody) -> SessionEvent {
        SessionEvent::new(TurnId::from_uuid(uuid::Uuid::nil()), at(minute), body)
    }

    /// One that refuses what was tried last, or does not.
    fn input(minute: i64, refused: bool, reviews: Option<Effect>) -> SessionEvent {
        let digest = BlueprintDigest::from_bytes([1; 32]);
        let input = match refused {
            true => FlowInput::Refused { digest },
            false => FlowInput::Expired { digest },
        };
        let (input, state) = (Box::new(input), StateHash::from_bytes([2; 32]));
        let memories = ValueSources::default();
        event(minute, EventBody::Input { input, state, reviews, memories })
    }

    #[test]
    fn the_journal_tells_what_was_tried_and_refused() {
        use Effect::{Delete, Read, Write};
        let rules = RiskRules::parse(RISK).unwrap();
        let tried = |minute, effect| input(minute, false, Some(effect));
        let no = |minute| input(minute, true, None);
        let cleared = |minute| {
            let by = UserId::from_uuid(uuid::Uuid::nil());
            event(minute, EventBody::RiskCleared { by, score: 100, reason: "seen".to_owned() })
        };
        for (told, due) in [
            (vec![tried(0, Read), no(1), tried(2, Write)], true),
            (vec![tried(0, Read), tried(1, Write), no(2)], true),
            // Nothing was refused, or it was longer ago.
            (vec![tried(0, Read), tried(1, Write)], false),
            (vec![input(0, false, None), no(1), tried(2, Write)], false),
            (vec![tried(-5, Read), no(-4), tried(2, Write)], false),
            // A ladder counts once, and a person who clears the score has seen it.
            (vec![tried(0, Read), no(1), tried(2, Write), tried(3, Delete)], false),
            (vec![tried(0, Read), no(1), tried(2, Write), cleared(3)], false),
        ] {
            let mut conduct = Conduct::default();
            told.iter().for_each(|event| conduct.replay(&rules, event));
            let last = Attempt { at: at(26), effect: Delete, refused: false };
            assert_eq!(conduct.attempt(&rules, last).is_some(), due, "{told:?}");
        }
    }

    /// However often the same is done in between, and though it is refused each time.
    #[test]
    fn what_is_repeated_pushes_nothing_out() {
        let rules = RiskRules::parse(RISK).unwrap();
        let no = FlowInput::Refused { digest: BlueprintDigest::from_bytes([1; 32]) };
        let many = [Effect::Write; 3 * ATTEMPTS_MAX];
        for always in [false, true] {
            let mut conduct = Conduct::default();
            let mut signal = None;
            let effects = [Effect::Read].into_iter().chain(many).chain([Effect::Delete]);
            for (nth, effect) in (0..).zip(effects) {
                let now = Timestamp::from_unix_ms(nth);
                signal = conduct.attempt(&rules, Attempt { at: now, effect, refused: nth == 0 });
                if always {
                    conduct.note(&no);
                }
            }
            assert!(signal.is_some(), "refused each time: {always}");
        }
    }
}
