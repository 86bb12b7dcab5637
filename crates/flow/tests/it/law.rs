//! The invariants of governance.md 3 as a witness: it sees inputs, effects and views alone, keeps
//! its own books, and panics at the first breach.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::Hash,
};
use wiiiv_domain::{
    Action, Asks, BlueprintDigest, Consensus, FlowEffect, FlowInput, FlowLimits, Grounds, Proposal,
    ProposalOutcome, ReplyCode, RulingOutcome, SignalKind, Slots, Spec, SpecDigest, TaskId,
    TaskOutcome, TaskType, Why,
};
use wiiiv_flow::{FlowState, StateName, TaskView};

/// One transition, as seen from outside.
pub struct Seen<'a> {
    pub limits: &'a FlowLimits,
    pub before: &'a FlowState,
    pub input: &'a FlowInput,
    pub effects: &'a [FlowEffect],
    pub after: &'a FlowState,
}

impl Seen<'_> {
    fn has(&self, wanted: impl Fn(&FlowEffect) -> bool) -> bool {
        self.effects.iter().any(wanted)
    }
    fn replies(&self, wanted: impl Fn(&ReplyCode) -> bool) -> bool {
        self.has(|e| matches!(e, FlowEffect::Reply { reply } if wanted(reply)))
    }
    fn proposal(&self) -> Option<&Proposal> {
        match self.input {
            FlowInput::Proposed { outcome: ProposalOutcome::Proposal { proposal }, .. } => {
                Some(proposal)
            }
            _ => None,
        }
    }
    /// It waited its turn, or the proposal has just brought it.
    fn is_a_further_job(&self, task: TaskId, spec: &Spec) -> bool {
        let FlowInput::Proposed { turn, .. } = self.input else {
            return self.waited(task);
        };
        let of_turn = (1..=7).any(|nth| TaskId::of_job(*turn, nth) == task);
        self.waited(task) || of_turn && self.brought(spec.task_type, &spec.slots)
    }
    /// The task whose question this input voids by changing values of its plan.
    fn edits(&self) -> Option<TaskId> {
        let FlowInput::Edited { digest, .. } = self.input else { return None };
        let mut held = self.before.active().into_iter().chain(self.before.suspended());
        let asked = held.find(|task| task.question.is_some_and(|q| q.digest == *digest))?;
        (self.before != self.after).then_some(asked.id)
    }
    /// It was edited while it could not be reviewed.
    fn waits_edited(&self, task: TaskId) -> bool {
        let active = self.before.active().is_some_and(|active| active.id == task)
            && self.before.name() == StateName::Proposing
            && self.before.rests_at() == StateName::Deliberating;
        let mut held = self.before.suspended();
        active || held.any(|held| held.id == task && held.state == StateName::Deliberating)
    }
    fn waited(&self, task: TaskId) -> bool {
        self.before.queued().any(|queued| queued.id == task)
    }
    /// Whether the proposal lists such a job behind its first.
    fn brought(&self, task_type: TaskType, slots: &Slots) -> bool {
        let mut later = self.proposal().into_iter().flat_map(|proposal| &proposal.later);
        later.any(|job| (job.task_type, &job.slots) == (task_type, slots))
    }
    /// Ended in this transition, as it says.
    fn closed(&self) -> impl Iterator<Item = (TaskId, &TaskOutcome)> {
        self.effects.iter().filter_map(|effect| match effect {
            FlowEffect::Close { task, outcome } => Some((*task, outcome)),
            _ => None,
        })
    }
    fn said(&self) -> Option<&SignalKind> {
        match self.input {
            FlowInput::Signal(signal) => Some(&signal.signal),
            _ => None,
        }
    }
}

#[derive(Clone, Default, PartialEq)]
pub struct Law {
    specs: BTreeMap<SpecDigest, Spec>,
    /// Deliberated in the active task and let through.
    passed: BTreeSet<(TaskId, SpecDigest)>,
    /// With what each was refused under.
    refused: BTreeMap<SpecDigest, Option<Grounds>>,
    drawn: BTreeMap<BlueprintDigest, (SpecDigest, Asks)>,
    requester_said_yes: BTreeSet<BlueprintDigest>,
    approved: BTreeSet<BlueprintDigest>,
    /// Plans whose values were changed in place of an answer.
    edited: BTreeSet<BlueprintDigest>,
    authorizing: Option<BlueprintDigest>,
    why: Option<Why>,
    proposals_unasked: u32,
    pub runs: u32,
}

impl Law {
    /// All that it has in its books; of a spec the digest.
    pub fn key(&self) -> impl Hash + use<> {
        let Self { specs, passed, refused, drawn, requester_said_yes, approved, edited, .. } =
            self.clone();
        let refused: Vec<_> = refused.into_iter().map(|no| format!("{no:?}")).collect();
        let drawn: Vec<_> = drawn.into_iter().map(|plan| format!("{plan:?}")).collect();
        let specs: Vec<SpecDigest> = specs.into_keys().collect();
        let asked =
            (self.authorizing, format!("{:?}", self.why), self.proposals_unasked, self.runs);
        ((specs, passed, refused, drawn), (requester_said_yes, approved, edited), asked)
    }

    pub fn check(&mut self, seen: &Seen<'_>) {
        self.keep_books(seen);
        self.runs_only_what_was_ruled(seen);
        self.authorizes_only_what_was_answered(seen);
        self.model_only_asks(seen);
        user_cancel_is_honoured(seen);
        user_cancels_all(seen);
        an_edit_is_decided_anew(seen);
        one_job_is_left_out(seen);
        self.model_cancel_keeps_the_task(seen);
        changes_void_and_stale_is_refused(seen);
        switching_restores(seen);
        jobs_wait_their_turn(seen);
        jobs_begin_behind_an_end(seen);
        no_job_waits_twice(seen);
        self.a_redraw_keeps_its_task(seen);
        nothing_is_inherited(seen);
        self.no_is_final_and_revision_asks(seen);
        self.bounded(seen);
        self.remember(seen);
    }

    /// What the input itself establishes.
    fn keep_books(&mut self, seen: &Seen<'_>) {
        match seen.input {
            FlowInput::Signal(signal) => {
                if let SignalKind::Affirm { digest: Some(digest) } = &signal.signal {
                    self.requester_said_yes.insert(*digest);
                }
            }
            FlowInput::Approved { digest } => {
                self.approved.insert(*digest);
            }
            FlowInput::Edited { digest, .. } if seen.edits().is_some() => {
                self.edited.insert(*digest);
            }
            FlowInput::Drawn { spec, digest, asks, .. } => {
                self.drawn.insert(*digest, (*spec, *asks));
            }
            FlowInput::Verdict { spec, consensus: Consensus::Yes, .. }
            | FlowInput::Shadowed { spec, .. }
                if seen.before.name() == StateName::Deliberating =>
            {
                let task = seen.before.active().unwrap().id;
                self.passed.insert((task, *spec));
            }
            _ => {}
        }
    }

    /// 1, first half.
    fn runs_only_what_was_ruled(&mut self, seen: &Seen<'_>) {
        let (was, is) = (seen.before.name(), seen.after.name());
        if is == StateName::Running && was != StateName::Running {
            assert_eq!(was, StateName::Authorizing);
            let FlowInput::Ruling { digest, ruling: RulingOutcome::Allow { execution } } =
                seen.input
            else {
                panic!("ran without a ruling: {:?}", seen.input)
            };
            assert_eq!(Some(*digest), self.authorizing);
            assert!(seen.has(|e| *e == FlowEffect::Run { execution: *execution, digest: *digest }));
            self.runs += 1;
        } else {
            assert!(!seen.has(|e| matches!(e, FlowEffect::Run { .. })));
        }
    }

    /// 1, second half.
    fn authorizes_only_what_was_answered(&mut self, seen: &Seen<'_>) {
        let asked: Vec<BlueprintDigest> = seen
            .effects
            .iter()
            .filter_map(|e| match e {
                FlowEffect::Authorize { digest, .. } => Some(*digest),
                _ => None,
            })
            .collect();
        let (was, is) = (seen.before.name(), seen.after.name());
        let Some(digest) = asked.first() else {
            assert!(is != StateName::Authorizing || was == is);
            return;
        };
        assert_eq!((asked.len(), is), (1, StateName::Authorizing));
        assert!(!self.edited.contains(digest), "a plan that was changed is authorized");
        let (spec, asks) = self.drawn[digest];
        let whole = &self.specs[&spec];
        assert_eq!(Spec::missing(whole.task_type, &whole.slots), Vec::<&str>::new());
        let task = seen.after.active().unwrap();
        assert!(self.passed.contains(&(task.id, spec)), "no DACS result");
        assert_eq!((task.task_type, task.slots), (whole.task_type, &whole.slots));
        match asks {
            Asks::Nothing => {}
            Asks::Requester => {
                assert!(self.requester_said_yes.contains(digest) || self.approved.contains(digest))
            }
            Asks::AnotherPerson => assert!(self.approved.contains(digest)),
            Asks::Refused => panic!("policy refused it"),
        }
        self.authorizing = Some(*digest);
    }

    /// 2. Deliberation is asked for by complete slots, never talk; the rest is not a model's.
    fn model_only_asks(&self, seen: &Seen<'_>) {
        if !matches!(seen.input, FlowInput::Proposed { .. }) {
            return;
        }
        for effect in seen.effects {
            match effect {
                FlowEffect::Deliberate { task, spec }
                | FlowEffect::ConfirmWorkOrder { task, spec } => {
                    let acts = seen
                        .proposal()
                        .is_some_and(|p| matches!(p.action, Action::Execute | Action::Confirm));
                    // What waits its turn was asked for by the user's own message, and an edit by a
                    // person.
                    assert!(acts || seen.is_a_further_job(*task, spec) || seen.waits_edited(*task));
                    assert!(!spec.task_type.is_talk());
                    assert!(Spec::missing(spec.task_type, &spec.slots).is_empty());
                }
                FlowEffect::Authorize { digest, .. } => assert!(self.approved.contains(digest)),
                FlowEffect::Draw { .. }
                | FlowEffect::Confirm { .. }
                | FlowEffect::SeekApproval { .. }
                | FlowEffect::Run { .. }
                | FlowEffect::CancelWork { .. } => panic!("a model did {effect:?}"),
                FlowEffect::Propose { .. }
                | FlowEffect::Reply { .. }
                | FlowEffect::Ask { .. }
                | FlowEffect::Withdraw { .. }
                | FlowEffect::Suspend { .. }
                | FlowEffect::Resume { .. }
                | FlowEffect::Close { .. } => {}
            }
        }
    }

    /// 3, second half. After facts a CANCEL ends a task that has done its work.
    fn model_cancel_keeps_the_task(&self, seen: &Seen<'_>) {
        let cancels = seen.proposal().is_some_and(|p| p.action == Action::Cancel);
        if cancels && !matches!(self.why, Some(Why::Facts { .. })) {
            assert_eq!(tasks(seen.before), tasks(seen.after));
        }
        if cancels {
            let ended = |e: &FlowEffect| matches!(e, FlowEffect::Close { outcome, .. } if *outcome != TaskOutcome::Done);
            assert!(!seen.has(ended));
        }
    }

    /// 6.
    fn no_is_final_and_revision_asks(&mut self, seen: &Seen<'_>) {
        for effect in seen.effects {
            if let FlowEffect::Deliberate { spec, .. } | FlowEffect::ConfirmWorkOrder { spec, .. } =
                effect
            {
                assert!(
                    !self.refused.contains_key(&spec.digest().unwrap()),
                    "deliberated after a NO"
                );
            }
        }
        let draws = seen.has(|e| matches!(e, FlowEffect::Draw { .. }));
        let heard = seen.before.name() == StateName::Deliberating && seen.before != seen.after;
        match seen.input {
            FlowInput::Regrounded { under } => {
                assert!(seen.effects.is_empty() && seen.before.active() == seen.after.active());
                self.refused.retain(|_, from| *from == Some(*under));
            }
            FlowInput::Verdict { spec, consensus, under, .. } if heard => {
                assert_eq!(draws, *consensus == Consensus::Yes);
                match consensus {
                    Consensus::Yes => assert_eq!(seen.after.name(), StateName::Drawing),
                    Consensus::Revision => assert_eq!(seen.after.name(), StateName::Interviewing),
                    Consensus::No => {
                        assert!(seen.has(|e| matches!(e, FlowEffect::Close { .. })));
                        self.refused.insert(*spec, *under);
                    }
                }
            }
            FlowInput::Shadowed { .. } => assert_eq!(draws, heard),
            _ => assert!(!draws),
        }
    }

    /// A plan that could not be drawn is answered with another of its kind, or not at all.
    fn a_redraw_keeps_its_task(&self, seen: &Seen<'_>) {
        if seen.proposal().is_none() || !matches!(self.why, Some(Why::Undrawable { .. })) {
            return;
        }
        let (Some(was), Some(is)) = (seen.before.active(), seen.after.active()) else { return };
        if was.id == is.id {
            assert_eq!(was.task_type, is.task_type);
        }
    }

    /// 8.
    fn bounded(&mut self, seen: &Seen<'_>) {
        let limits = seen.limits;
        assert!(seen.effects.len() <= limits.effects_max(), "{:?}", seen.effects);
        let aside = |state: &FlowState| state.suspended().len() + state.queued().len();
        // A limit that was lowered meanwhile takes nothing away.
        assert!(aside(seen.after) <= limits.suspended_max.max(aside(seen.before)));
        let proposals = |e: &&FlowEffect| matches!(e, FlowEffect::Propose { .. });
        let answered = matches!(seen.input, FlowInput::Approved { .. } | FlowInput::Edited { .. });
        if seen.said().is_some() || answered {
            self.proposals_unasked = 0;
        } else {
            let more = seen.effects.iter().filter(proposals).count();
            self.proposals_unasked += u32::try_from(more).unwrap();
        }
        let jobs = u32::try_from(limits.suspended_max + 1).unwrap();
        assert!(self.proposals_unasked <= limits.rounds_max * limits.drawings_max * jobs);
        let ids = tasks(seen.after);
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    }

    fn remember(&mut self, seen: &Seen<'_>) {
        for effect in seen.effects {
            match effect {
                FlowEffect::Deliberate { task, spec } => {
                    let digest = spec.digest().unwrap();
                    // A verdict of an earlier deliberation is none for this one.
                    self.passed.remove(&(*task, digest));
                    self.specs.insert(digest, spec.clone());
                }
                FlowEffect::Propose { why, .. } => self.why = Some(why.clone()),
                _ => {}
            }
        }
        if seen.after.is_quiet() {
            assert_eq!((seen.after.suspended().len(), seen.after.queued().len()), (0, 0));
            assert!(seen.after.active().is_none());
        }
    }
}

/// 3, first half.
fn user_cancel_is_honoured(seen: &Seen<'_>) {
    if seen.said() != Some(&SignalKind::Cancel) {
        return;
    }
    assert_eq!(seen.after.name(), StateName::Listening);
    assert_eq!(views(seen.before), views(seen.after));
    let batch = seen.before.active().and_then(|task| task.batch);
    let waits_for = |task: &TaskView<'_>| {
        task.batch != batch && seen.before.suspended().any(|held| held.batch == task.batch)
    };
    let (kept, dropped): (Vec<_>, Vec<_>) = seen.before.queued().partition(waits_for);
    if seen.before.name() == StateName::Listening && dropped.is_empty() {
        assert!(seen.replies(|r| *r == ReplyCode::NothingToCancel));
        return;
    }
    assert!(seen.replies(|r| *r == ReplyCode::Cancelled));
    let stops = seen.has(|e| matches!(e, FlowEffect::CancelWork { .. }));
    assert_eq!(stops, seen.before.name() != StateName::Listening);
    if let Some(task) = seen.before.active() {
        let outcome = TaskOutcome::Cancelled;
        assert!(seen.has(|e| *e == FlowEffect::Close { task: task.id, outcome: outcome.clone() }));
        let execution = task.execution;
        assert!(seen.has(|e| *e == FlowEffect::CancelWork { task: task.id, execution }));
    }
    assert!(kept.into_iter().eq(seen.after.queued()));
    let named =
        |r: &ReplyCode| matches!(r, ReplyCode::JobsDropped { jobs } if jobs.len() == dropped.len());
    assert_eq!(seen.replies(named), !dropped.is_empty());
    for task in dropped {
        let outcome = TaskOutcome::Cancelled;
        assert!(seen.has(|e| *e == FlowEffect::Close { task: task.id, outcome: outcome.clone() }));
    }
}

/// Nothing is left of what was active, put aside or waited.
fn user_cancels_all(seen: &Seen<'_>) {
    if seen.said() != Some(&SignalKind::CancelAll) {
        return;
    }
    assert_eq!(seen.after.name(), StateName::Listening);
    assert_eq!(tasks(seen.after), Vec::new());
    for task in tasks(seen.before) {
        let outcome = TaskOutcome::Cancelled;
        assert!(seen.has(|e| *e == FlowEffect::Close { task, outcome: outcome.clone() }));
    }
    let held = seen.before.active().into_iter().chain(seen.before.suspended());
    for question in held.filter_map(|task| task.question) {
        let (blueprint, digest) = (question.blueprint, question.digest);
        assert!(seen.has(|e| *e == FlowEffect::Withdraw { blueprint, digest }));
    }
}

/// The plan is void and its question withdrawn; nothing but a review follows from it, and whoever wrote a
/// value stands behind it.
fn an_edit_is_decided_anew(seen: &Seen<'_>) {
    let FlowInput::Edited { digest, edit } = seen.input else { return };
    let Some(edited) = seen.edits() else {
        assert_eq!(seen.before, seen.after);
        return;
    };
    assert!(seen.has(|e| matches!(e, FlowEffect::Withdraw { digest: of, .. } if of == digest)));
    assert!(seen.replies(|r| matches!(r, ReplyCode::Edited { .. })));
    let others = |e: &FlowEffect| {
        matches!(e, FlowEffect::Authorize { digest: of, .. } if of == digest)
            || matches!(e, FlowEffect::Run { .. } | FlowEffect::Draw { .. })
    };
    assert!(!seen.has(others));
    let mut after = seen.after.active().into_iter().chain(seen.after.suspended());
    let Some(task) = after.find(|task| task.id == edited) else {
        assert!(seen.closed().any(|(closed, _)| closed == edited));
        return;
    };
    assert!(task.question.is_none());
    for (name, value) in edit.slots.iter() {
        assert_eq!(task.slots.get(name.as_str()), Some(value));
    }
    assert_eq!(task.edits.people().iter().next(), edit.by.as_ref());
}

/// It goes alone: what is active stays as it is, unless it is the one.
fn one_job_is_left_out(seen: &Seen<'_>) {
    let Some(SignalKind::LeaveOut { task }) = seen.said() else { return };
    let closed: Vec<TaskId> = seen.closed().map(|(task, _)| task).collect();
    let active = seen.before.active().map(|task| task.id);
    if seen.waited(*task) {
        assert_eq!(closed, [*task]);
        assert_eq!(seen.before.active(), seen.after.active());
        let kept = seen.before.queued().filter(|queued| queued.id != *task);
        assert!(kept.eq(seen.after.queued()));
    } else if seen.before.suspended().any(|held| held.id == *task) {
        assert_eq!(closed.first(), Some(task));
        assert!(active.is_none() || seen.before.active() == seen.after.active());
        assert!(seen.after.suspended().all(|held| held.id != *task));
    } else if active != Some(*task) || seen.before.name().is_in_flight() {
        assert_eq!(seen.before, seen.after);
    } else {
        assert_eq!(closed.first(), Some(task));
    }
}

/// Of each message one job after the other: the next begins when the one before has ended, unless
/// the user goes to it; what waits is kept exactly as it was asked for.
fn jobs_wait_their_turn(seen: &Seen<'_>) {
    let ended = |task: TaskId| {
        seen.has(|e| matches!(e, FlowEffect::Close { task: closed, .. } if *closed == task))
    };
    let goes_to = seen.replies(|r| matches!(r, ReplyCode::Resumed { .. }));
    let begun = seen.after.active().filter(|task| seen.before.queued().any(|q| q.id == task.id));
    if let Some(begun) = begun.filter(|_| !goes_to) {
        let earlier = seen.before.queued().take_while(|queued| queued.id != begun.id);
        assert!(
            earlier.filter(|queued| queued.batch == begun.batch).all(|queued| ended(queued.id))
        );
        let beside = |held: TaskView<'_>| held.batch == begun.batch && held.batch.is_some();
        assert!(!seen.after.suspended().any(beside));
    }
    for queued in seen.after.queued() {
        assert!(queued.batch.is_some() && queued.question.is_none() && queued.execution.is_none());
        match seen.before.queued().find(|before| before.id == queued.id) {
            Some(before) => assert_eq!(before, queued),
            None => assert!(seen.brought(queued.task_type, queued.slots)),
        }
    }
    for queued in seen.before.queued() {
        let waits = seen.after.queued().any(|task| task.id == queued.id);
        let lives = seen.after.active().is_some_and(|task| task.id == queued.id);
        assert!(waits || lives || ended(queued.id), "a job got lost");
    }
}

/// Nothing begins by itself because somebody said something, because time ran out, or because a task
/// was stopped: what waits behind such an end is gone.
fn jobs_begin_behind_an_end(seen: &Seen<'_>) {
    let goes_to = seen.replies(|r| matches!(r, ReplyCode::Resumed { .. }));
    let sets_going = |outcome: &TaskOutcome| {
        !matches!(outcome, TaskOutcome::Expired | TaskOutcome::Cancelled | TaskOutcome::Abandoned)
    };
    let begun = seen.after.active().filter(|task| seen.waited(task.id));
    if begun.is_some() && !goes_to {
        assert!(seen.closed().any(|(_, outcome)| sets_going(outcome)), "nothing has ended");
        assert!(seen.closed().all(|(_, outcome)| sets_going(outcome)), "begun behind a stop");
    }
    let held = seen.before.active().into_iter().chain(seen.before.suspended());
    let batches: Vec<_> = held.filter_map(|task| Some((task.id, task.batch?))).collect();
    for (task, outcome) in seen.closed().filter(|(_, outcome)| !sets_going(outcome)) {
        let batch = batches.iter().find(|(id, _)| *id == task).map(|(_, batch)| *batch);
        let left = seen.after.queued().any(|job| batch.is_some() && job.batch == batch);
        assert!(!left, "still waits behind {outcome:?}");
    }
}

/// What a message asked for is not taken a second time because a model repeats it.
fn no_job_waits_twice(seen: &Seen<'_>) {
    let waiting: Vec<TaskView<'_>> = seen.after.queued().collect();
    for (nth, job) in waiting.iter().enumerate() {
        let same = |other: &TaskView<'_>| {
            (other.batch, other.task_type, other.slots) == (job.batch, job.task_type, job.slots)
        };
        assert!(!waiting.iter().take(nth).any(same), "twice in the queue");
    }
}

/// 4.
fn changes_void_and_stale_is_refused(seen: &Seen<'_>) {
    if let (Some(was), Some(is)) = (seen.before.active(), seen.after.active())
        && was.id == is.id
        && was.slots != is.slots
    {
        assert!(is.question.is_none(), "a question outlived its slots");
        if let Some(old) = was.question {
            assert!(seen.has(
                |e| *e == FlowEffect::Withdraw { blueprint: old.blueprint, digest: old.digest }
            ));
        }
    }
    if let Some(SignalKind::Affirm { digest: Some(digest) }) = seen.said() {
        let pending = seen.before.active().and_then(|task| task.question).map(|q| q.digest);
        if pending != Some(*digest) {
            assert_eq!(seen.before, seen.after);
            let busy = seen.before.name().is_in_flight();
            let stale = ReplyCode::Stale { digest: *digest };
            assert!(seen.replies(|r| *r == if busy { ReplyCode::Busy } else { stale.clone() }));
        }
    }
}

/// 5, first half.
fn switching_restores(seen: &Seen<'_>) {
    for effect in seen.effects {
        match effect {
            FlowEffect::Suspend { task } => {
                let was = seen.before.active().unwrap();
                assert_eq!(was.id, *task);
                let Some(is) = seen.after.suspended().find(|t| t.id == *task) else {
                    // What it made way for was refused at once.
                    assert!(seen.has(|e| *e == FlowEffect::Resume { task: *task }));
                    continue;
                };
                assert_eq!(
                    (was.slots, was.rounds, was.question),
                    (is.slots, is.rounds, is.question)
                );
            }
            FlowEffect::Resume { task } => {
                let mut before = seen.before.suspended().chain(seen.before.active());
                let was = before.find(|t| t.id == *task).unwrap();
                // The review had refused what it became.
                if seen.closed().any(|(closed, _)| closed == *task) {
                    assert!(seen.edits() == Some(*task) || seen.waits_edited(*task));
                    continue;
                }
                let is = seen.after.active().unwrap();
                if seen.edits() == Some(*task) {
                    assert_eq!((was.id, was.rounds), (is.id, is.rounds));
                    continue;
                }
                assert_eq!((was.id, was.slots, was.rounds), (is.id, is.slots, is.rounds));
                if is.state != StateName::Authorizing {
                    // Active it needs no word any more to go on.
                    assert_eq!(TaskView { goes_on: false, ..was }, is);
                }
            }
            _ => {}
        }
    }
}

/// 5, second half.
fn nothing_is_inherited(seen: &Seen<'_>) {
    let known = tasks(seen.before);
    if let Some(task) = seen.after.active().filter(|task| !known.contains(&task.id)) {
        let proposal = seen.proposal().unwrap();
        let first = (&proposal.slots, proposal.task_type);
        assert!((task.slots, task.task_type) == first || seen.brought(task.task_type, task.slots));
        assert_eq!((task.rounds, task.question), (0, None));
    }
}

fn tasks(state: &FlowState) -> Vec<TaskId> {
    let suspended = state.suspended().chain(state.queued()).map(|task| task.id);
    let mut all: Vec<TaskId> =
        state.active().map(|task| task.id).into_iter().chain(suspended).collect();
    all.sort();
    all
}

fn views(state: &FlowState) -> Vec<(TaskId, StateName, Slots)> {
    state.suspended().map(|task| (task.id, task.state, task.slots.clone())).collect()
}
