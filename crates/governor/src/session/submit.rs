//! A person's message or button enters a session.

use crate::{
    audit,
    message::{Control, Incoming, SubmitError},
    session::{
        actor::SessionActor,
        place,
        state::{Down, Session},
        turn::{Ack, Opening, Queued, Turn, Wanted, code},
    },
    systems::RegisteredSystems,
    telemetry,
};
use kameo::prelude::*;
use std::time::Instant;
use wiiiv_domain::{
    EventBody, FlowInput, FormAnswer, Grounds, Lang, SignalKind, Slots, TurnId, UserSignal,
};
use wiiiv_gate::Principal;
use wiiiv_language::{ReadSignal, Reading, Situation};
use wiiiv_store::Point;

pub struct Submit {
    pub who: Principal,
    pub message: Incoming,
    pub sent: Instant,
    pub ack: Ack,
}

impl Message<Submit> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, submit: Submit, _: &mut Context<Self, ()>) {
        let Submit { who, message, sent, ack } = submit;
        let Some(session) = self.session().await else {
            let _ = ack.send(Err(unavailable("the session store is not reachable")));
            return;
        };
        let done = session.accept(Queued { who, wanted: Wanted::Words(message), ack, sent }).await;
        self.after(done).await;
    }
}

pub struct Command {
    pub who: Principal,
    pub control: Control,
    pub ack: Ack,
}

impl Message<Command> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, command: Command, _: &mut Context<Self, ()>) {
        let Some(session) = self.session().await else {
            let _ = command.ack.send(Err(unavailable("the session store is not reachable")));
            return;
        };
        let Command { who, control, ack } = command;
        let done = match control {
            Control::Cancel => {
                session.overtake(&who, Opening::Button, SignalKind::Cancel, ack).await
            }
            Control::Reset => session.overtake(&who, Opening::Button, SignalKind::Reset, ack).await,
            Control::Switch(task) => session.press(who, SignalKind::Switch { task }, ack).await,
            Control::Recall(recall) => session.press(who, SignalKind::Recall { recall }, ack).await,
        };
        self.after(done).await;
    }
}

fn unavailable(why: &str) -> SubmitError {
    SubmitError::Unavailable(why.to_owned())
}

impl SessionActor {
    /// A fault puts the session down; otherwise the next waiting message gets its turn.
    pub async fn after(&mut self, done: Result<(), Down>) {
        let mut done = done;
        loop {
            if let Err(down) = done {
                self.fail(down);
                return;
            }
            let Some(session) = &mut self.live else { return };
            let free = session.turn.is_none();
            if let Some(ask) = session.waiting.pop_front_if(|_| free) {
                done = session.take_decision(ask).await;
                continue;
            }
            let Some(next) = session.queue.pop_front_if(|_| free) else { return };
            done = session.begin(next).await;
        }
    }
}

impl Session {
    /// A button that waits its turn.
    async fn press(&mut self, who: Principal, signal: SignalKind, ack: Ack) -> Result<(), Down> {
        let wanted = Wanted::Signal(signal);
        self.accept(Queued { who, wanted, ack, sent: Instant::now() }).await
    }

    async fn accept(&mut self, queued: Queued) -> Result<(), Down> {
        self.touch();
        if self.turn.is_none() {
            return self.begin(queued).await;
        }
        if let Wanted::Words(message) = &queued.wanted
            && message.form.is_none()
            && let reading = self.read(&message.text)
            && reading.signal == ReadSignal::Cancel
        {
            let signal = cancel(&reading);
            let opening = Opening::Words(&message.text);
            return self.overtake(&queued.who, opening, signal, queued.ack).await;
        }
        let limit = self.room.config.queue_max;
        if self.queue.len() >= limit {
            let _ = queued.ack.send(Err(SubmitError::QueueFull { limit }));
        } else {
            self.queue.push_back(queued);
        }
        Ok(())
    }

    pub fn read(&self, text: &str) -> Reading {
        let situation = self.situation();
        wiiiv_language::read(&self.room.deps.lexicon, text, &situation)
    }

    /// What its author has set, else what was first clearly spoken here: not the last word's. A bare
    /// yes or no, the name of a system, or nothing but a place, a file or a value is of no language.
    fn language_of(&mut self, message: &Incoming, reading: &Reading) -> Lang {
        let named = self.systems.iter().any(|system| system.is_called(&message.text));
        let bare = named
            || !reading.speaks
            || matches!(reading.signal, ReadSignal::Affirm | ReadSignal::Deny);
        if !bare {
            self.spoken.get_or_insert(message.language.unwrap_or(reading.language));
        }
        let quiet = self.history.is_empty();
        let fallback = if quiet { reading.language } else { self.language };
        message.language.or(self.spoken).unwrap_or(fallback)
    }

    /// What the project may talk to now: the turn reads and draws by it.
    pub async fn look_at_systems(&mut self) -> Result<(), Down> {
        let systems = self.room.systems.current(self.row.project).await;
        let RegisteredSystems { list, with_credential } =
            systems.map_err(|error| Down(error.to_string()))?;
        (self.systems, self.with_credential) = (list, with_credential);
        Ok(())
    }

    pub fn situation(&self) -> Situation {
        let task = self.flow.active();
        let active = task.as_ref().map(|task| (task.task_type, task.missing.clone()));
        Situation {
            awaiting_answer: self.shown.is_some() || place::awaits_answer(&self.flow),
            active,
            known: task.map(|task| task.slots.clone()).unwrap_or_default(),
            waiting: self.flow.queued().map(|job| (job.task_type, job.slots.clone())).collect(),
            aside: self.flow.suspended().map(|job| (job.task_type, job.slots.clone())).collect(),
            earlier_run: self.has_run,
            // Whether a file is pointed to makes a follow-up of what would be said: handled alike.
            ran: Slots::default(),
            systems: self.systems.clone(),
        }
    }

    /// A new turn. The acknowledgement goes out when the turn is durable, never before.
    async fn begin(&mut self, queued: Queued) -> Result<(), Down> {
        let Queued { who, wanted, ack, sent } = queued;
        if let Wanted::Words(Incoming { form: Some(answer), .. }) = &wanted
            && let Err(refused) = self.fill(answer).await?
        {
            let _ = ack.send(Err(refused));
            return Ok(());
        }
        let turn = self.fresh_turn();
        let done = self.begin_turn(turn, &who, wanted, sent).await;
        acknowledge(ack, turn, &done);
        done
    }

    async fn begin_turn(
        &mut self,
        turn: TurnId,
        who: &Principal,
        wanted: Wanted,
        sent: Instant,
    ) -> Result<(), Down> {
        self.look_at_systems().await?;
        let signal = match wanted {
            Wanted::Words(message) if message.form.is_some() => {
                self.language = message.language.or(self.spoken).unwrap_or(self.language);
                self.note_accepted(turn, who, Opening::Words(&message.text)).await?;
                self.shown = None;
                SignalKind::Modify
            }
            Wanted::Words(message) => {
                let reading = self.read(&message.text);
                self.language = self.language_of(&message, &reading);
                self.note_accepted(turn, who, Opening::Words(&message.text)).await?;
                let answers = matches!(reading.signal, ReadSignal::Affirm | ReadSignal::Deny);
                let unseen = self.asked.is_some_and(|asked| sent < asked);
                if answers && unseen && self.put_again(turn).await? {
                    self.rest().await?;
                    return self.flush(Point::T0).await;
                }
                self.signal(&reading)
            }
            Wanted::Signal(signal) => {
                self.note_accepted(turn, who, Opening::Button).await?;
                self.shown = None;
                signal
            }
        };
        self.reground(turn).await?;
        let yes = match &signal {
            SignalKind::Affirm { digest: Some(d) } if place::confirming(&self.flow) == Some(*d) => {
                Some(*d)
            }
            _ => None,
        };
        match yes {
            Some(digest) => self.affirm(turn, who, digest).await?,
            None => {
                let input = FlowInput::Signal(UserSignal { turn, signal });
                self.feed(turn, input).await?;
            }
        }
        self.flush(Point::T0).await
    }

    /// What was refused under another policy version or other rules is another question now. Both
    /// are at hand: nothing is read for it, and nothing journalled where nothing has changed.
    async fn reground(&mut self, turn: TurnId) -> Result<(), Down> {
        if !self.flow.has_refused() {
            return Ok(());
        }
        let policy = self.room.policies.current(self.row.project).await;
        let policy = policy.map_err(|error| Down(error.to_string()))?.version();
        let under = Grounds { rules: self.room.deps.keeper.dacs_rules(), policy };
        if self.flow.refused_otherwise(under) {
            let input = FlowInput::Regrounded { under };
            let limits = self.room.config.flow;
            let (next, _) = wiiiv_flow::step(&limits, &self.flow, input.clone());
            self.flow = next;
            let body = EventBody::Input { input: Box::new(input), state: self.flow.hash() };
            self.book.event(turn, body);
        }
        Ok(())
    }

    /// What the answer sets, kept until the flow asks for it; refused where no such form waits.
    async fn fill(&mut self, answer: &FormAnswer) -> Result<Result<(), SubmitError>, Down> {
        self.look_at_systems().await?;
        let Some(form) = self.form().filter(|form| form.task == answer.task) else {
            return Ok(Err(SubmitError::NotAsked));
        };
        let Some(task) = self.flow.active() else { return Ok(Err(SubmitError::NotAsked)) };
        let filled = wiiiv_hlx::filled(task.slots, &form, answer);
        let Ok(filled) = filled else { return Ok(Err(SubmitError::FormTooLong)) };
        self.filled = Some(filled);
        Ok(Ok(()))
    }

    /// A typed yes or no speaks of the last preview, only if nothing was shown since.
    fn signal(&mut self, reading: &Reading) -> SignalKind {
        let shown = self.shown.take();
        match reading.signal {
            ReadSignal::Affirm => SignalKind::Affirm { digest: shown },
            ReadSignal::Deny => SignalKind::Deny { digest: shown },
            ReadSignal::Cancel => cancel(reading),
            ReadSignal::LeaveOut(at) => self.left_out(at),
            ReadSignal::Modify => SignalKind::Modify,
            ReadSignal::FollowUp => SignalKind::FollowUp,
            ReadSignal::Remember => SignalKind::Remember,
            ReadSignal::Reset => SignalKind::Reset,
            ReadSignal::Say => SignalKind::Say,
        }
    }

    /// By its place as it was read: the active task, those that wait behind it, those put aside.
    fn left_out(&self, at: usize) -> SignalKind {
        let mut behind = self.flow.queued().chain(self.flow.suspended());
        let task = match at.checked_sub(1) {
            None => self.flow.active(),
            Some(at) => behind.nth(at),
        };
        task.map_or(SignalKind::Say, |task| SignalKind::LeaveOut { task: task.id })
    }

    pub async fn note_accepted(
        &mut self,
        turn: TurnId,
        who: &Principal,
        opening: Opening<'_>,
    ) -> Result<(), Down> {
        // Only the owner's words are judged as the conversation's, and go on into a prompt.
        let (text, decision) = match opening {
            Opening::Words(text) => (text, None),
            Opening::Button => ("", None),
            Opening::Decision(note) => ("", Some(note)),
        };
        let written = decision.as_ref().map_or(text, |note| note.reason.as_str());
        self.judge(text).await?;
        let language = code(self.language).to_owned();
        let hmac = self.room.deps.store.hmac(self.row.project, written.as_bytes()).await?;
        self.book.audit(audit::turn_accepted(turn, who.user(), &hmac, &language));
        let (user, text_kept) = (who.user(), text.to_owned());
        let body = EventBody::TurnAccepted { user, text: text_kept, language, decision };
        self.book.event(turn, body);
        if !text.is_empty() {
            self.said(true, text);
        }
        Ok(())
    }

    /// A signal that does not wait behind the turn in progress.
    async fn overtake(
        &mut self,
        who: &Principal,
        opening: Opening<'_>,
        signal: SignalKind,
        ack: Ack,
    ) -> Result<(), Down> {
        self.touch();
        let interrupted = self.turn.take();
        let turn = self.fresh_turn();
        let done = self.overtake_turn(turn, who, opening, signal, interrupted).await;
        acknowledge(ack, turn, &done);
        done
    }

    async fn overtake_turn(
        &mut self,
        turn: TurnId,
        who: &Principal,
        opening: Opening<'_>,
        signal: SignalKind,
        interrupted: Option<Turn>,
    ) -> Result<(), Down> {
        self.note_accepted(turn, who, opening).await?;
        self.shown = None;
        if let Some(old) = &interrupted {
            self.settle_in_full(old);
            let body = EventBody::TurnEnded { outcome: "cancelled".to_owned() };
            self.book.event(old.id, body);
            self.book.audit(audit::turn_ended(old.id, "cancelled"));
            telemetry::turn_ended(&old.span, old.begun, "cancelled");
        }
        let input = FlowInput::Signal(UserSignal { turn, signal });
        self.feed(turn, input).await?;
        self.flush(Point::T0).await
    }
}

const fn cancel(reading: &Reading) -> SignalKind {
    if reading.everything { SignalKind::CancelAll } else { SignalKind::Cancel }
}

pub fn acknowledge(ack: Ack, turn: TurnId, done: &Result<(), Down>) {
    let answer = match done {
        Ok(()) => Ok(turn),
        Err(down) => Err(SubmitError::Unavailable(down.to_string())),
    };
    let _ = ack.send(answer);
}
