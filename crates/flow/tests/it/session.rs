//! A session under test: it keeps what a governor would know, so that inputs can name what is
//! current, older or unknown.

use serde_json::Value;
use std::hash::Hash;
use uuid::Uuid;
use wiiiv_domain::{
    Action, Asks, BlueprintDigest, BlueprintId, Consensus, Envelope, ExecutionId, FlowEffect,
    FlowInput, FlowLimits, Grounds, LaterJob, PlanEdit, PolicyVersionId, Proposal, ProposalOutcome,
    RulesHash, RulingOutcome, RunOutcome, Salt, SignalKind, Slots, Sources, Spec, SpecDigest,
    TaskId, TaskSwitch, TaskType, TurnId, UserId, UserSignal,
};
use wiiiv_flow::{FlowState, step};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pick {
    Current,
    Older,
    Unknown,
}

impl Pick {
    pub const ALL: [Self; 3] = [Self::Current, Self::Older, Self::Unknown];

    fn of<T: Copy>(self, seen: &[T], unknown: T) -> T {
        match self {
            Self::Current => seen.last().copied().unwrap_or(unknown),
            Self::Older => seen.iter().rev().nth(1).copied().unwrap_or(unknown),
            Self::Unknown => unknown,
        }
    }
}

pub const SALT: Salt = Salt::from_bytes([7; 16]);

/// Of the policy's version `n`.
pub fn grounds(n: u128) -> Grounds {
    let policy = PolicyVersionId::from_uuid(Uuid::from_u128(n));
    Grounds { rules: RulesHash::from_bytes([3; 32]), policy }
}

#[derive(Clone)]
pub struct Session {
    pub limits: FlowLimits,
    pub state: FlowState,
    /// Every input so far.
    pub inputs: Vec<FlowInput>,
    /// Of the last input.
    pub effects: Vec<FlowEffect>,
    proposals: Vec<TurnId>,
    specs: Vec<SpecDigest>,
    digests: Vec<BlueprintDigest>,
    executions: Vec<ExecutionId>,
    /// Of each kind so many, so that ids do not depend on what came in between.
    made: Made,
}

/// How many ids were given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Made {
    pub signals: u32,
    pub drawings: u32,
    pub permits: u32,
}

impl Session {
    pub fn new() -> Self {
        Self {
            limits: FlowLimits::default(),
            state: FlowState::new(SALT),
            inputs: Vec::new(),
            effects: Vec::new(),
            proposals: Vec::new(),
            specs: Vec::new(),
            digests: Vec::new(),
            executions: Vec::new(),
            made: Made::default(),
        }
    }

    pub fn give(&mut self, input: FlowInput) -> &mut Self {
        self.inputs.push(input.clone());
        let (state, effects) = step(&self.limits, &self.state, input);
        for effect in &effects {
            match effect {
                FlowEffect::Propose { turn, .. } => move_last(&mut self.proposals, *turn),
                FlowEffect::Deliberate { spec, .. } | FlowEffect::ConfirmWorkOrder { spec, .. } => {
                    self.specs.push(spec.digest().unwrap());
                }
                FlowEffect::Confirm { digest, .. }
                | FlowEffect::SeekApproval { digest, .. }
                | FlowEffect::Authorize { digest, .. } => move_last(&mut self.digests, *digest),
                FlowEffect::Run { execution, .. } => move_last(&mut self.executions, *execution),
                FlowEffect::Reply { .. }
                | FlowEffect::Ask { .. }
                | FlowEffect::Draw { .. }
                | FlowEffect::Withdraw { .. }
                | FlowEffect::CancelWork { .. }
                | FlowEffect::Suspend { .. }
                | FlowEffect::Resume { .. }
                | FlowEffect::Close { .. } => {}
            }
        }
        (self.state, self.effects) = (state, effects);
        self
    }

    /// What the next input can depend on; how the session came there is no part of it.
    pub fn key(&self) -> impl Hash + PartialEq + use<> {
        let known = (self.proposals.clone(), self.specs.clone(), self.digests.clone());
        (self.state.hash(), known, self.executions.clone(), self.made.clone())
    }

    pub fn made(&self) -> &Made {
        &self.made
    }

    pub fn turn(&self, pick: Pick) -> TurnId {
        pick.of(&self.proposals, TurnId::from_uuid(Uuid::from_u128(u128::MAX)))
    }
    pub fn spec(&self, pick: Pick) -> SpecDigest {
        pick.of(&self.specs, SpecDigest::of_bytes(b"unknown"))
    }
    pub fn digest(&self, pick: Pick) -> BlueprintDigest {
        pick.of(&self.digests, BlueprintDigest::of_bytes(b"unknown"))
    }
    pub fn execution(&self, pick: Pick) -> ExecutionId {
        pick.of(&self.executions, ExecutionId::from_uuid(Uuid::from_u128(u128::MAX)))
    }
    pub fn active(&self) -> Option<TaskId> {
        self.state.active().map(|task| task.id)
    }
    pub fn suspended(&self) -> Vec<TaskId> {
        self.state.suspended().chain(self.state.queued()).map(|task| task.id).collect()
    }

    /// In a turn of its own.
    pub fn signal(&mut self, signal: SignalKind) -> FlowInput {
        let turn = TurnId::from_uuid(nth(1, &mut self.made.signals));
        FlowInput::Signal(UserSignal { turn, signal })
    }
    pub fn proposed(&self, proposal: Proposal) -> FlowInput {
        let outcome = ProposalOutcome::Proposal { proposal };
        FlowInput::Proposed { turn: self.turn(Pick::Current), outcome }
    }
    pub fn verdict(&self, consensus: Consensus) -> FlowInput {
        let concerns = vec!["SCOPE_UNCLEAR".to_owned()];
        let under = (consensus == Consensus::No).then(|| grounds(1));
        FlowInput::Verdict { spec: self.spec(Pick::Current), consensus, concerns, under }
    }
    /// A blueprint that was never drawn before.
    pub fn drawn(&mut self, spec: SpecDigest, asks: Asks) -> FlowInput {
        let id = nth(2, &mut self.made.drawings);
        let digest = BlueprintDigest::of_bytes(id.as_bytes());
        FlowInput::Drawn { spec, blueprint: BlueprintId::from_uuid(id), digest, asks }
    }
    pub fn allow(&mut self, digest: BlueprintDigest) -> FlowInput {
        let execution = ExecutionId::from_uuid(nth(3, &mut self.made.permits));
        FlowInput::Ruling { digest, ruling: RulingOutcome::Allow { execution } }
    }

    pub fn say(&mut self) -> &mut Self {
        self.signalled(SignalKind::Say)
    }
    pub fn signalled(&mut self, kind: SignalKind) -> &mut Self {
        let input = self.signal(kind);
        self.give(input)
    }
    pub fn model(&mut self, proposal: Proposal) -> &mut Self {
        let input = self.proposed(proposal);
        self.give(input)
    }
    pub fn dacs(&mut self, consensus: Consensus) -> &mut Self {
        let input = self.verdict(consensus);
        self.give(input)
    }
    pub fn draw(&mut self, asks: Asks) -> &mut Self {
        let input = self.drawn(self.spec(Pick::Current), asks);
        self.give(input)
    }
    pub fn yes(&mut self) -> &mut Self {
        self.signalled(SignalKind::Affirm { digest: Some(self.digest(Pick::Current)) })
    }
    pub fn approved(&mut self) -> &mut Self {
        let digest = self.digest(Pick::Current);
        self.give(FlowInput::Approved { digest })
    }
    /// Somebody else changes values of the plan that was asked about last.
    pub fn edited(&mut self, pairs: &[(&str, &str)]) -> &mut Self {
        let digest = self.digest(Pick::Current);
        self.give(FlowInput::Edited { digest, edit: edit(pairs) })
    }
    pub fn ruled(&mut self, ruling: RulingOutcome) -> &mut Self {
        let digest = self.digest(Pick::Current);
        self.give(FlowInput::Ruling { digest, ruling })
    }
    pub fn allowed(&mut self) -> &mut Self {
        let input = self.allow(self.digest(Pick::Current));
        self.give(input)
    }
    pub fn finished(&mut self, outcome: RunOutcome) -> &mut Self {
        let execution = self.execution(Pick::Current);
        self.give(FlowInput::Finished { execution, outcome })
    }

    /// From a message to the question that policy asks.
    pub fn previewed(&mut self, proposal: Proposal, asks: Asks) -> &mut Self {
        self.say().model(proposal).dacs(Consensus::Yes).draw(asks)
    }

    /// The state's name and the effects, in one line.
    pub fn line(&self) -> String {
        format!("{} {}", self.state.name(), brief(&self.effects))
    }
}

/// What the last input asked a review of.
pub fn deliberated(session: &Session) -> Spec {
    let spec = session.effects.iter().find_map(|effect| match effect {
        FlowEffect::Deliberate { spec, .. } => Some(spec.clone()),
        _ => None,
    });
    spec.expect("a review")
}

fn nth(kind: u64, made: &mut u32) -> Uuid {
    *made += 1;
    Uuid::from_u64_pair(kind, u64::from(*made))
}

fn move_last<T: PartialEq>(seen: &mut Vec<T>, last: T) {
    seen.retain(|one| *one != last);
    seen.push(last);
}

/// `[reply stale, close denied]`.
pub fn brief(effects: &[FlowEffect]) -> String {
    let names: Vec<String> = effects.iter().map(effect_name).collect();
    format!("[{}]", names.join(", "))
}

pub fn effect_name(effect: &FlowEffect) -> String {
    let document = serde_json::to_value(effect).unwrap();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let detail =
        [&document["reply"]["reply"], &document["why"]["kind"], &document["outcome"]["outcome"]];
    let detail = detail.into_iter().find_map(text);
    let missing = document["missing"].as_array().map(|slots| match slots.as_slice() {
        [] => "for nothing".to_owned(),
        slots => format!("for {}", slots.iter().filter_map(text).collect::<Vec<_>>().join("+")),
    });
    let parts = [text(&document["effect"]), detail, missing];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

pub fn slots(pairs: &[(&str, &str)]) -> Slots {
    let mut slots = Slots::default();
    for (name, value) in pairs {
        slots.set(name, *value).unwrap();
    }
    slots
}

/// By somebody else than the requester.
pub fn edit(pairs: &[(&str, &str)]) -> PlanEdit {
    let by = Some(UserId::from_uuid(Uuid::from_u128(5)));
    PlanEdit { by, slots: slots(pairs) }
}

pub fn proposal(action: Action, task_type: TaskType, pairs: &[(&str, &str)]) -> Proposal {
    Proposal {
        action,
        task_type,
        message: "words".to_owned(),
        slots: slots(pairs),
        task_switch: TaskSwitch::Stay,
        envelope: Envelope::default(),
        later: Vec::new(),
        confidence: None,
        sources: Sources::default(),
    }
}

/// The same with further jobs of its message.
pub fn and(first: Proposal, later: &[Proposal]) -> Proposal {
    let job = |other: &Proposal| LaterJob {
        task_type: other.task_type,
        slots: other.slots.clone(),
        envelope: Envelope::default(),
        sources: other.sources.clone(),
    };
    Proposal { later: later.iter().map(job).collect(), ..first }
}

pub fn delete_c() -> Proposal {
    proposal(Action::Execute, TaskType::FileDelete, &[("targetPath", "c.md")])
}

pub fn write_a() -> Proposal {
    proposal(Action::Execute, TaskType::FileWrite, &[("targetPath", "a.md"), ("content", "one")])
}

pub fn read_b() -> Proposal {
    proposal(Action::Execute, TaskType::FileRead, &[("targetPath", "b.md")])
}

pub fn talk() -> Proposal {
    proposal(Action::Reply, TaskType::Conversation, &[])
}

pub fn project() -> Proposal {
    let pairs = [("domain", "shop"), ("techStack", "rust"), ("scale", "small")];
    proposal(Action::Execute, TaskType::ProjectCreate, &pairs)
}
