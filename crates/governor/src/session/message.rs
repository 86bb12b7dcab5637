//! The way of one message, from top to bottom: accept, interpret, write down, step, perform,
//! commit.

use crate::{
    audit, clock,
    message::{Incoming, SubmitError},
    remember_text,
    session::{
        Answer, Conversation, Entry, Interpretation, LeftOut, Opening, Session, SessionFault,
        Wanted, Work,
        consultation::Asker,
        form::form,
        halt::answered_by_halt,
        memory,
        question::put_again,
        seen::{View, answers},
        task_position,
    },
};
use std::time::Instant;
use wiiiv_domain::{
    BlueprintDigest, EventBody, FlowInput, FormAnswer, Grounds, ReplyCode, SignalKind, Slots,
    TaskId, TurnId, UserSignal,
};
use wiiiv_flow::{FlowState, TaskView};
use wiiiv_gate::Principal;
use wiiiv_language::{ReadSignal, Reading, Situation};
use wiiiv_store::{Authority, Point, ProfileAuthor};

impl Session {
    /// A cancel overtakes the turn in progress; anything else waits behind it.
    pub async fn accept(&mut self, mut entry: Entry) -> Result<(), SessionFault> {
        self.work.touch();
        if self.work.turn.is_none() {
            return self.begin(entry).await;
        }
        if let Wanted::Words(message @ Incoming { form: None, .. }, read) = &mut entry.wanted {
            let interpretation = self.interpret(&message.text, None);
            if interpretation.reading.signal == ReadSignal::Cancel {
                let signal = signal_of(&self.flow, &interpretation.reading, None);
                let opening = Opening::Words(&message.text);
                return self.overtake(&entry.who, opening, signal, entry.ack).await;
            }
            *read = Some(interpretation);
        }
        let limit = self.runtime.config.queue_max;
        if self.work.queue.len() >= limit {
            let _ = entry.ack.send(Err(SubmitError::QueueFull { limit }));
        } else {
            self.work.queue.push_back(entry);
        }
        Ok(())
    }

    /// Refused where its author lost the right while it waited.
    pub async fn take_late(&mut self, entry: Entry) -> Result<(), SessionFault> {
        if self.runtime.deps.store.still_stands(&entry.who, clock::now()).await? {
            return self.begin(entry).await;
        }
        let _ = entry.ack.send(Err(SubmitError::RightGone));
        Ok(())
    }

    /// Begins a turn. INVARIANT: acknowledged only once the turn is durable.
    async fn begin(&mut self, entry: Entry) -> Result<(), SessionFault> {
        if let Wanted::Words(Incoming { form: Some(answer), seen, .. }, _) = &entry.wanted
            && let Err(refused) = self.fill(answer, View { seen: *seen, sent: entry.sent }).await?
        {
            let _ = entry.ack.send(Err(refused));
            return Ok(());
        }
        let turn = self.work.fresh_turn(&mut self.journal);
        let Entry { who, wanted, ack, sent, left_out } = entry;
        let done = self.run_turn(turn, &who, wanted, (sent, &left_out)).await;
        acknowledge(ack, turn, &done);
        done
    }

    async fn run_turn(
        &mut self,
        turn: TurnId,
        who: &Principal,
        wanted: Wanted,
        (sent, left_out): (Instant, &[LeftOut]),
    ) -> Result<(), SessionFault> {
        self.work.systems = self.journal.records.systems().await?;
        let mut words = None;
        let signal = match wanted {
            Wanted::Signal(signal) => {
                self.note_accepted(turn, who, Opening::Button).await?;
                Some(signal)
            }
            Wanted::Words(Incoming { text, language, form: Some(_), .. }, _) => {
                self.conversation.follow_form(language);
                self.note_accepted(turn, who, Opening::Words(&text)).await?;
                Some(SignalKind::Modify)
            }
            Wanted::Words(message, read) => {
                let signal = self.signal_in(turn, who, (&message, read, sent), left_out).await?;
                words = Some(message.text);
                signal
            }
        };
        match signal {
            None => self.rest().await?,
            Some(signal) if answered_by_halt(self, turn, &signal).await? => self.rest().await?,
            Some(signal) => {
                self.reground(turn).await?;
                if signal == SignalKind::Remember {
                    memory::remember(self, turn, who, words.as_deref()).await?;
                }
                let asked = task_position::confirming(&self.flow);
                match signal {
                    // The requester's yes to the preview.
                    SignalKind::Affirm { digest: Some(digest) } if asked == Some(digest) => {
                        self.affirm(turn, who, digest).await?;
                    }
                    signal => self.feed_signal(turn, signal).await?,
                }
            }
        }
        // T0, if the turn is not written yet: a model call, evidence and the end of the turn write
        // it with their own commit.
        self.flush(Point::T0).await
    }

    /// What a message is to the flow; `None`: it is answered.
    async fn signal_in(
        &mut self,
        turn: TurnId,
        who: &Principal,
        (message, read, sent): (&Incoming, Option<Interpretation>, Instant),
        left_out: &[LeftOut],
    ) -> Result<Option<SignalKind>, SessionFault> {
        let mut reading = self.interpret(&message.text, read).reading;
        // A question about it and somebody else's text go on as any other message.
        if reading.signal == ReadSignal::Remember && !remember_text::asks(&message.text) {
            reading.signal = ReadSignal::Say;
        }
        if memory::is_to_forget(self, &reading, &message.text).await? {
            let (signal, task_type) = (ReadSignal::Remember, None);
            reading = Reading { signal, task_type, slots: Slots::default(), lost: None, ..reading };
        }
        let mut systems = self.work.systems.list.iter();
        let is_name = systems.any(|system| system.is_called(&message.text));
        self.conversation.follow(message.language, &reading, is_name);
        self.work.conduct.hear(&reading);
        let shown = self.note_accepted(turn, who, Opening::Words(&message.text)).await?;
        if let Some(current) = &mut self.work.turn {
            current.profile_author = Some(ProfileAuthor::in_turn(who, turn));
            let (runtime, row) = (&self.runtime, &self.journal.row);
            current.asker = Asker::of(runtime, who, row, reading.task_type);
        }
        let ends_all = reading.everything || reading.signal == ReadSignal::Reset;
        if !left_out.is_empty() && !ends_all {
            return self.tell_left_out(turn, left_out).await;
        }
        let unseen = !self.conversation.sight.covers(View { seen: message.seen, sent });
        if answers(&reading) && unseen && put_again(self, turn).await? {
            return Ok(None);
        }
        let meant = taken_back(&self.flow, &reading, shown);
        Ok(Some(meant.unwrap_or_else(|| signal_of(&self.flow, &reading, shown))))
    }

    /// What it says no to was left out before its turn came. A task that was kept for the turn before ends now.
    async fn tell_left_out(
        &mut self,
        turn: TurnId,
        left_out: &[LeftOut],
    ) -> Result<Option<SignalKind>, SessionFault> {
        let is_kept = |left: &&LeftOut| {
            let mut tasks = self.flow.active().into_iter().chain(self.flow.suspended());
            tasks.any(|task| task.id == left.task)
        };
        if let Some(left) = left_out.iter().find(is_kept) {
            return Ok(Some(SignalKind::LeaveOut { task: left.task }));
        }
        let jobs = left_out.iter().map(|left| left.job.clone()).collect();
        self.reply(turn, ReplyCode::JobsLeftOut { jobs }).await?;
        Ok(None)
    }

    fn interpret(&self, text: &str, before: Option<Interpretation>) -> Interpretation {
        let (lexicon, situation) =
            (&self.runtime.deps.lexicon, situation(&self.flow, &self.conversation, &self.work));
        match before {
            Some(before) => before.again(lexicon, text, situation),
            None => Interpretation::of(lexicon, text, situation),
        }
    }

    /// Adds the turn's beginning to the journal. Returns the last preview, which a typed yes is
    /// about.
    pub async fn note_accepted(
        &mut self,
        turn: TurnId,
        who: &Principal,
        opening: Opening<'_>,
    ) -> Result<Option<BlueprintDigest>, SessionFault> {
        // Only a message counts for risk and goes into prompts.
        let (text, decision) = match opening {
            Opening::Words(text) => (text, None),
            Opening::Button => ("", None),
            Opening::Decision(note) => ("", Some(note)),
        };
        let written = decision.as_ref().map_or(text, |note| note.reason.as_str());
        self.journal.by = Some(Authority::of(who));
        // Beside another turn no turn begins whose rulings it is for: what that one has read stays.
        if self.work.turn.as_ref().is_none_or(|current| current.id == turn) {
            self.journal.judge(self.runtime.deps.keeper.risk_rules(), text).await?;
        }
        let language = self.conversation.language.to_string();
        let (store, project) = (&self.runtime.deps.store, self.journal.row.project);
        let hmac = store.hmac(project, written.as_bytes()).await?;
        self.journal.audit(audit::turn_accepted(turn, who.user(), &hmac, &language));
        self.conversation.note_message(who.user(), self.journal.row.owner, text);
        let (user, text) = (who.user(), text.to_owned());
        self.journal.event(turn, EventBody::TurnAccepted { user, text, language, decision });
        Ok(self.conversation.take_shown())
    }

    /// A refusal under another policy version or other rules is lifted; both are in memory.
    async fn reground(&mut self, turn: TurnId) -> Result<(), SessionFault> {
        if !self.flow.has_refused() {
            return Ok(());
        }
        let policy = self.journal.records.policy().await?.version();
        let under = Grounds { rules: self.runtime.deps.keeper.dacs_rules(), policy };
        if self.flow.refused_otherwise(under) {
            let stepped = self.stepped(FlowInput::Regrounded { under });
            self.flow = stepped.next;
            self.journal.event(turn, stepped.event);
        }
        Ok(())
    }

    /// Keeps a form's answer until the flow asks for it; refused where no such form waits, or its author
    /// has not seen the last question.
    async fn fill(
        &mut self,
        answer: &FormAnswer,
        view: View,
    ) -> Result<Result<(), SubmitError>, SessionFault> {
        if !self.conversation.sight.covers(view) {
            return Ok(Err(SubmitError::NotAsked));
        }
        self.work.systems = self.journal.records.systems().await?;
        let form =
            form(&self.flow, &self.work.systems.list).filter(|form| form.task == answer.task);
        let (Some(form), Some(task)) = (form, self.flow.active()) else {
            return Ok(Err(SubmitError::NotAsked));
        };
        let Ok(filled) = wiiiv_hlx::filled(task.slots, &form, answer) else {
            return Ok(Err(SubmitError::FormTooLong));
        };
        self.conversation.filled = Some(filled);
        Ok(Ok(()))
    }

    pub async fn feed_signal(
        &mut self,
        turn: TurnId,
        signal: SignalKind,
    ) -> Result<(), SessionFault> {
        self.feed(turn, FlowInput::Signal(UserSignal { turn, signal })).await
    }
}

pub fn situation(flow: &FlowState, conversation: &Conversation, work: &Work) -> Situation {
    let task = flow.active();
    let active = task.as_ref().map(|task| (task.task_type, task.missing.clone()));
    let shown = conversation.shown().is_some();
    Situation {
        awaiting_answer: shown || task_position::awaits_answer(flow),
        active,
        known: task.map(|task| task.slots.clone()).unwrap_or_default(),
        waiting: flow.queued().map(|job| (job.task_type, job.slots.clone())).collect(),
        aside: flow.suspended().map(|job| (job.task_type, job.slots.clone())).collect(),
        earlier_run: work.has_run,
        // Needed only to tell a follow-up from a message, which the flow treats alike.
        ran: Slots::default(),
        systems: work.systems.list.clone(),
    }
}

/// INVARIANT: nothing begins that its requester has just said no to, or cancelled.
fn taken_back(
    flow: &FlowState,
    reading: &Reading,
    shown: Option<BlueprintDigest>,
) -> Option<SignalKind> {
    match reading.signal {
        ReadSignal::Deny => going_on(flow, shown),
        ReadSignal::Cancel if !reading.everything => going_on(flow, None),
        // "Do not do that": nothing that a model could propose.
        ReadSignal::Say if reading.negated && reading.task_type.is_none() => going_on(flow, None),
        ReadSignal::Affirm
        | ReadSignal::Cancel
        | ReadSignal::LeaveOut(_)
        | ReadSignal::Modify
        | ReadSignal::FollowUp
        | ReadSignal::Remember
        | ReadSignal::Reset
        | ReadSignal::Say => None,
    }
}

/// To leave out what was approved or edited meanwhile and has not begun: what was named, or the only one. It is what a no
/// or a cancel is about with nothing at work.
pub fn going_on(flow: &FlowState, named: Option<BlueprintDigest>) -> Option<SignalKind> {
    if flow.active().is_some() || flow.queued().next().is_some() {
        return None;
    }
    let is_meant = |task: &TaskView<'_>| {
        task.goes_on && named.is_none_or(|named| task.question.is_some_and(|of| of.digest == named))
    };
    let mut meant = flow.suspended().filter(is_meant);
    let task = meant.next()?.id;
    meant.next().is_none().then_some(SignalKind::LeaveOut { task })
}

/// A reading numbers the active task, then queued, then suspended ones.
pub fn task_at(flow: &FlowState, at: usize) -> Option<TaskId> {
    let mut behind = flow.queued().chain(flow.suspended());
    let task = at.checked_sub(1).map_or_else(|| flow.active(), |at| behind.nth(at));
    task.map(|task| task.id)
}

/// A typed yes or no is about the last preview, only if nothing was shown since.
fn signal_of(flow: &FlowState, reading: &Reading, shown: Option<BlueprintDigest>) -> SignalKind {
    match reading.signal {
        ReadSignal::Affirm => SignalKind::Affirm { digest: shown },
        ReadSignal::Deny => SignalKind::Deny { digest: shown },
        ReadSignal::Cancel if reading.everything => SignalKind::CancelAll,
        ReadSignal::Cancel => SignalKind::Cancel,
        ReadSignal::LeaveOut(at) => {
            task_at(flow, at).map_or(SignalKind::Say, |task| SignalKind::LeaveOut { task })
        }
        ReadSignal::Modify => SignalKind::Modify,
        ReadSignal::FollowUp => SignalKind::FollowUp,
        ReadSignal::Remember => SignalKind::Remember,
        ReadSignal::Reset => SignalKind::Reset,
        ReadSignal::Say => SignalKind::Say,
    }
}

pub fn acknowledge(ack: Answer<TurnId>, turn: TurnId, done: &Result<(), SessionFault>) {
    let _ = ack.send(done.as_ref().map(|()| turn).map_err(SubmitError::from));
}
