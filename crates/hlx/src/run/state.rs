//! The state of a run. It is not stored: recorded attempts restore it.

use super::{
    CancelSource, PARALLEL_STEPS_MAX, RunEffect,
    step_position::{Progress, StepPosition},
};
use std::collections::BTreeMap;
use wiiiv_domain::{ExecutionId, Node, RunOutcome, StepId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunState {
    pub(super) execution: ExecutionId,
    /// Plan order.
    pub(super) order: Vec<StepId>,
    pub(super) steps: BTreeMap<StepId, Progress>,
    pub(super) cancelled: bool,
    /// Code of the first failure.
    pub(super) failure: Option<String>,
    /// Those under way have been told to stop.
    pub(super) told: bool,
    pub(super) begun: bool,
    pub(super) ended: bool,
}

impl RunState {
    /// Of a validated plan.
    #[must_use]
    pub fn new(execution: ExecutionId, nodes: &[Node]) -> Self {
        Self {
            execution,
            order: nodes.iter().map(|node| node.id.clone()).collect(),
            steps: nodes.iter().map(|node| (node.id.clone(), Progress::of(node))).collect(),
            cancelled: false,
            failure: None,
            told: false,
            begun: false,
            ended: false,
        }
    }
    /// Attempts that are under way.
    #[must_use]
    pub fn in_flight(&self) -> Vec<(StepId, u32)> {
        let flying = |step: &StepId| Some((step.clone(), self.steps.get(step)?.in_flight()?));
        self.order.iter().filter_map(flying).collect()
    }
    /// Steps that wait for a person.
    #[must_use]
    pub fn indeterminate(&self) -> Vec<StepId> {
        self.steps_at(&StepPosition::InDoubt)
    }
    #[must_use]
    pub fn succeeded(&self) -> Vec<StepId> {
        self.steps_at(&StepPosition::Done)
    }
    /// Steps whose condition, or one before it, did not hold.
    #[must_use]
    pub fn skipped(&self) -> Vec<StepId> {
        self.steps_at(&StepPosition::Skipped)
    }

    fn steps_at(&self, place: &StepPosition) -> Vec<StepId> {
        let here = |step: &&StepId| self.steps.get(*step).is_some_and(|p| p.place == *place);
        self.order.iter().filter(here).cloned().collect()
    }
    fn has(&self, place: &StepPosition) -> bool {
        self.steps.values().any(|progress| progress.place == *place)
    }
    /// Nothing new is started. A step in doubt stops the run without stopping its peers.
    pub(super) fn is_stopping(&self) -> bool {
        self.cancelled || self.failure.is_some() || self.has(&StepPosition::InDoubt)
    }
    pub(super) fn put(&mut self, step: &StepId, place: StepPosition) {
        if let Some(progress) = self.steps.get_mut(step) {
            progress.place = place;
        }
    }
    pub(super) fn fail(&mut self, code: &str) {
        self.failure.get_or_insert_with(|| code.to_owned());
    }

    /// What follows from where everything stands: stop, start or end.
    pub(super) fn settle(&mut self, effects: &mut Vec<RunEffect>) {
        self.skip_dependants(effects);
        if self.cancelled || self.failure.is_some() {
            self.tell_to_stop(effects);
        } else if self.begun && !self.is_stopping() {
            self.start_ready(effects);
        }
        if self.begun && !self.ended && self.in_flight().is_empty() {
            self.ended = true;
            effects.push(RunEffect::End { outcome: self.outcome() });
        }
    }

    fn tell_to_stop(&mut self, effects: &mut Vec<RunEffect>) {
        if self.told {
            return;
        }
        self.told = true;
        let is_code = |source: &CancelSource| source.code() == self.failure.as_deref();
        let source = match CancelSource::FAILING.into_iter().find(is_code) {
            _ if self.cancelled => CancelSource::User,
            Some(source) => source,
            None => CancelSource::Run,
        };
        let flying = self.in_flight().into_iter();
        effects.extend(flying.map(|(step, attempt)| RunEffect::CancelStep {
            step,
            attempt,
            source,
        }));
    }

    /// INVARIANT: nothing that depends on a skipped step ever starts.
    fn skip_dependants(&mut self, effects: &mut Vec<RunEffect>) {
        // Each round skips at least one step, or none is left to be skipped.
        for _ in 0..self.order.len() {
            let Some(step) = self.order.iter().find(|step| self.is_cut_off(step)).cloned() else {
                return;
            };
            self.put(&step, StepPosition::Skipped);
            effects.push(RunEffect::Skipped { step });
        }
    }

    fn is_cut_off(&self, step: &StepId) -> bool {
        let skipped =
            |on: &StepId| self.steps.get(on).is_some_and(|p| p.place == StepPosition::Skipped);
        self.steps.get(step).is_some_and(|progress| {
            matches!(progress.place, StepPosition::Waiting { .. })
                && progress.depends_on.iter().any(skipped)
        })
    }

    fn start_ready(&mut self, effects: &mut Vec<RunEffect>) {
        let free = PARALLEL_STEPS_MAX.saturating_sub(self.in_flight().len());
        let ready: Vec<_> =
            self.order.iter().filter_map(|step| self.ready(step)).take(free).collect();
        for (step, attempt) in ready {
            self.put(&step, StepPosition::Starting { attempt });
            effects.push(RunEffect::Start { step, attempt });
        }
    }

    /// INVARIANT: no step starts before everything that it depends on has succeeded.
    fn ready(&self, step: &StepId) -> Option<(StepId, u32)> {
        let progress = self.steps.get(step)?;
        let StepPosition::Waiting { attempt } = progress.place else { return None };
        let done = |on: &StepId| self.steps.get(on).is_some_and(|p| p.place == StepPosition::Done);
        progress.depends_on.iter().all(done).then(|| (step.clone(), attempt))
    }

    /// What it comes to if nothing more of it begins.
    #[must_use]
    pub fn stopped(mut self) -> RunOutcome {
        self.cancelled = true;
        self.outcome()
    }

    /// Doubt before success, success before a cancel that came too late.
    fn outcome(&self) -> RunOutcome {
        if self.has(&StepPosition::InDoubt) {
            return RunOutcome::Indeterminate;
        }
        let is_over =
            |place: &StepPosition| matches!(place, StepPosition::Done | StepPosition::Skipped);
        if self.steps.values().all(|progress| is_over(&progress.place)) {
            return RunOutcome::Succeeded;
        }
        match &self.failure {
            _ if self.cancelled => RunOutcome::Cancelled,
            Some(code) => RunOutcome::Failed { code: code.clone() },
            None => RunOutcome::Failed { code: "PLAN_STUCK".to_owned() },
        }
    }
}
