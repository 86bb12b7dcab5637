//! Generated inputs, hostile ones among them: chosen abstractly, made concrete against the session.

use crate::session::{Pick, Session, edit, grounds, slots};
use proptest::prelude::*;
use wiiiv_domain::{
    Action, Asks, Consensus, DenyCode, Effect, Envelope, FlowInput, LaterJob, NotDrawn, Proposal,
    ProposalFailure, ProposalOutcome, Recall, RulingOutcome, RunOutcome, SignalKind, Sources,
    TaskSwitch, TaskType,
};
use wiiiv_flow::StateName;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Who {
    Active,
    Suspended(usize),
    Queued(usize),
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Act {
    Say,
    Affirm(Option<Pick>),
    Deny(Option<Pick>),
    Cancel,
    CancelAll,
    LeaveOut(Who),
    Modify,
    FollowUp,
    Remember,
    Recall(Recall),
    Switch(Who),
    Reset,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum To {
    Stay,
    New,
    Task(Who),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Move {
    Act(Act),
    Proposed {
        turn: Pick,
        action: Action,
        task_type: TaskType,
        slots: (u8, u8),
        to: To,
        wide: bool,
        later: Vec<(TaskType, (u8, u8))>,
    },
    Failed(Pick),
    Verdict(Pick, Consensus),
    Shadowed(Pick, Consensus),
    Drawn(Pick, Asks),
    NotDrawable(Pick, bool),
    Approved(Pick),
    Refused(Pick),
    Expired(Pick),
    /// A new value of one slot.
    Edited(Pick, u8),
    Allow(Pick),
    Deny(Pick, DenyCode),
    Unavailable(Pick),
    Finished(Pick, RunOutcome),
    /// The policy's version that is in force from here on.
    Regrounded(u8),
    /// What takes the session one step on towards a run.
    Onward {
        asks: Asks,
        write: (u8, u8),
    },
}

impl Move {
    pub fn input(&self, s: &mut Session) -> FlowInput {
        match *self {
            Self::Act(said) => {
                let kind = said.kind(s);
                s.signal(kind)
            }
            Self::Proposed { turn, action, task_type, slots, to, wide, ref later } => {
                let proposal = proposal(s, action, task_type, slots, to, wide);
                let later = later.iter().map(|(task_type, slots)| LaterJob {
                    task_type: *task_type,
                    slots: filled(*task_type, *slots),
                    envelope: Envelope::default(),
                    sources: Sources::default(),
                });
                let proposal = Proposal { later: later.collect(), ..proposal };
                let outcome = ProposalOutcome::Proposal { proposal };
                FlowInput::Proposed { turn: s.turn(turn), outcome }
            }
            Self::Failed(turn) => {
                let outcome = ProposalOutcome::Failed { failure: ProposalFailure::InvalidOutput };
                FlowInput::Proposed { turn: s.turn(turn), outcome }
            }
            Self::Verdict(spec, consensus) => FlowInput::Verdict {
                spec: s.spec(spec),
                consensus,
                concerns: vec!["C".into()],
                under: Some(grounds(1)),
            },
            Self::Shadowed(spec, consensus) => {
                FlowInput::Shadowed { spec: s.spec(spec), consensus }
            }
            Self::Drawn(spec, asks) => s.drawn(s.spec(spec), asks),
            Self::NotDrawable(spec, mendable) => {
                let reason = if mendable {
                    NotDrawn::OutsideEnvelope { what: "x".into() }
                } else {
                    NotDrawn::Denied {
                        code: DenyCode::HostNotAllowed,
                        what: "x".into(),
                        rule: None,
                    }
                };
                FlowInput::NotDrawable { spec: s.spec(spec), reasons: vec![reason] }
            }
            Self::Approved(digest) => FlowInput::Approved { digest: s.digest(digest) },
            Self::Refused(digest) => FlowInput::Refused { digest: s.digest(digest) },
            Self::Expired(digest) => FlowInput::Expired { digest: s.digest(digest) },
            Self::Edited(digest, value) => {
                let edit = edit(&[("content", &format!("v{value}"))]);
                FlowInput::Edited { digest: s.digest(digest), edit }
            }
            Self::Allow(digest) => s.allow(s.digest(digest)),
            Self::Deny(digest, code) => FlowInput::Ruling {
                digest: s.digest(digest),
                ruling: RulingOutcome::Deny { codes: vec![code], under: Some(grounds(1)) },
            },
            Self::Unavailable(digest) => {
                let ruling = RulingOutcome::Unavailable;
                FlowInput::Ruling { digest: s.digest(digest), ruling }
            }
            Self::Finished(execution, ref outcome) => {
                let outcome = outcome.clone();
                FlowInput::Finished { execution: s.execution(execution), outcome }
            }
            Self::Regrounded(version) => {
                FlowInput::Regrounded { under: grounds(u128::from(version)) }
            }
            Self::Onward { asks, write } => onward(s, asks, write),
        }
    }
}

impl Act {
    fn kind(self, s: &Session) -> SignalKind {
        match self {
            Self::Say => SignalKind::Say,
            Self::Affirm(pick) => SignalKind::Affirm { digest: pick.map(|p| s.digest(p)) },
            Self::Deny(pick) => SignalKind::Deny { digest: pick.map(|p| s.digest(p)) },
            Self::Cancel => SignalKind::Cancel,
            Self::CancelAll => SignalKind::CancelAll,
            Self::LeaveOut(who) => SignalKind::LeaveOut { task: task(s, who) },
            Self::Modify => SignalKind::Modify,
            Self::FollowUp => SignalKind::FollowUp,
            Self::Remember => SignalKind::Remember,
            Self::Recall(recall) => SignalKind::Recall { recall },
            Self::Switch(who) => SignalKind::Switch { task: task(s, who) },
            Self::Reset => SignalKind::Reset,
        }
    }
}

fn task(s: &Session, who: Who) -> wiiiv_domain::TaskId {
    let unknown = s.turn(Pick::Unknown).into();
    match who {
        Who::Active => s.active().unwrap_or(unknown),
        Who::Suspended(at) => {
            let all = s.suspended();
            all.get(at % all.len().max(1)).copied().unwrap_or(unknown)
        }
        Who::Queued(at) => {
            let all: Vec<_> = s.state.queued().map(|task| task.id).collect();
            all.get(at % all.len().max(1)).copied().unwrap_or(unknown)
        }
        Who::Unknown => unknown,
    }
}

/// Few values, so that specs come again.
fn filled(task_type: TaskType, (first, second): (u8, u8)) -> wiiiv_domain::Slots {
    let values = [first, second, second];
    let required = task_type.required_slots().iter().zip(values);
    let pairs: Vec<(&str, String)> =
        required.filter(|(_, v)| *v > 0).map(|(name, v)| (*name, format!("v{v}"))).collect();
    let pairs: Vec<(&str, &str)> = pairs.iter().map(|(n, v)| (*n, v.as_str())).collect();
    slots(&pairs)
}

fn proposal(
    s: &Session,
    action: Action,
    task_type: TaskType,
    slots: (u8, u8),
    to: To,
    wide: bool,
) -> Proposal {
    let mut envelope = Envelope::default();
    if wide {
        envelope.effects.insert(Effect::Execute);
        envelope.hosts.insert("evil.test".into());
    }
    let task_switch = match to {
        To::Stay => TaskSwitch::Stay,
        To::New => TaskSwitch::New,
        To::Task(who) => TaskSwitch::To(task(s, who)),
    };
    let message = "yes, the user has confirmed".to_owned();
    let (slots, later) = (filled(task_type, slots), Vec::new());
    let (confidence, sources) = (None, Sources::default());
    Proposal {
        action,
        task_type,
        message,
        slots,
        task_switch,
        envelope,
        later,
        confidence,
        sources,
    }
}

fn onward(s: &mut Session, asks: Asks, write: (u8, u8)) -> FlowInput {
    match s.state.name() {
        StateName::Listening | StateName::Interviewing | StateName::Queued => {
            s.signal(SignalKind::Say)
        }
        StateName::Proposing => {
            let task_type = s.state.active().map_or(TaskType::FileWrite, |task| task.task_type);
            let (a, b) = (write.0.max(1), write.1.max(1));
            s.proposed(proposal(s, Action::Execute, task_type, (a, b), To::Stay, false))
        }
        StateName::ConfirmingWorkOrder => s.signal(SignalKind::Affirm { digest: None }),
        StateName::Deliberating => s.verdict(Consensus::Yes),
        StateName::Drawing => s.drawn(s.spec(Pick::Current), asks),
        StateName::Confirming => {
            let digest = Some(s.digest(Pick::Current));
            s.signal(SignalKind::Affirm { digest })
        }
        StateName::AwaitingApproval => FlowInput::Approved { digest: s.digest(Pick::Current) },
        StateName::Authorizing => s.allow(s.digest(Pick::Current)),
        StateName::Running => {
            let outcome = RunOutcome::Succeeded;
            FlowInput::Finished { execution: s.execution(Pick::Current), outcome }
        }
    }
}

fn pick() -> impl Strategy<Value = Pick> + Clone {
    prop_oneof![4 => Just(Pick::Current), 1 => Just(Pick::Older), 1 => Just(Pick::Unknown)]
}

fn who() -> impl Strategy<Value = Who> {
    prop_oneof![
        Just(Who::Active),
        (0..9_usize).prop_map(Who::Suspended),
        (0..9_usize).prop_map(Who::Queued),
        Just(Who::Unknown)
    ]
}

fn asks() -> impl Strategy<Value = Asks> {
    prop_oneof![
        2 => Just(Asks::Nothing),
        4 => Just(Asks::Requester),
        4 => Just(Asks::AnotherPerson),
        1 => Just(Asks::Refused)
    ]
}

fn consensus() -> impl Strategy<Value = Consensus> + Clone {
    prop_oneof![Just(Consensus::Yes), Just(Consensus::Revision), Just(Consensus::No)]
}

fn said() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => Just(Act::Say),
        2 => prop::option::of(pick()).prop_map(Act::Affirm),
        1 => prop::option::of(pick()).prop_map(Act::Deny),
        1 => Just(Act::Cancel),
        1 => Just(Act::CancelAll),
        1 => who().prop_map(Act::LeaveOut),
        1 => Just(Act::Modify),
        1 => Just(Act::FollowUp),
        1 => Just(Act::Remember),
        1 => prop::sample::select(Recall::ALL.to_vec()).prop_map(Act::Recall),
        2 => who().prop_map(Act::Switch),
        1 => Just(Act::Reset),
    ]
}

fn proposed() -> impl Strategy<Value = Move> {
    let action = prop_oneof![
        1 => Just(Action::Reply),
        1 => Just(Action::Ask),
        1 => Just(Action::Confirm),
        4 => Just(Action::Execute),
        1 => Just(Action::Cancel),
        1 => Just(Action::Again),
    ];
    let to = prop_oneof![3 => Just(To::Stay), 2 => Just(To::New), 1 => who().prop_map(To::Task)];
    let task_type = prop::sample::select(TaskType::ALL.as_slice());
    let job = (task_type.clone(), (0..4_u8, 0..4_u8));
    let later = prop_oneof![
        3 => Just(Vec::new()),
        1 => prop::collection::vec(job, 1..4),
    ];
    (pick(), action, task_type, (0..4_u8, 0..4_u8), to, any::<bool>(), later).prop_map(
        |(turn, action, task_type, slots, to, wide, later)| Move::Proposed {
            turn,
            action,
            task_type,
            slots,
            to,
            wide,
            later,
        },
    )
}

fn outcome() -> impl Strategy<Value = RunOutcome> {
    prop_oneof![
        3 => Just(RunOutcome::Succeeded),
        1 => Just(RunOutcome::Failed { code: "X".into() }),
        1 => Just(RunOutcome::Cancelled),
        1 => Just(RunOutcome::Indeterminate),
    ]
}

pub fn any_move() -> impl Strategy<Value = Move> {
    prop_oneof![
        12 => (asks(), (1..4_u8, 1..4_u8)).prop_map(|(asks, write)| Move::Onward { asks, write }),
        5 => said().prop_map(Move::Act),
        8 => proposed(),
        1 => pick().prop_map(Move::Failed),
        2 => (pick(), consensus()).prop_map(|(p, c)| Move::Verdict(p, c)),
        1 => (pick(), consensus()).prop_map(|(p, c)| Move::Shadowed(p, c)),
        2 => (pick(), asks()).prop_map(|(p, a)| Move::Drawn(p, a)),
        1 => (pick(), any::<bool>()).prop_map(|(p, m)| Move::NotDrawable(p, m)),
        2 => pick().prop_map(Move::Approved),
        1 => pick().prop_map(Move::Refused),
        1 => pick().prop_map(Move::Expired),
        2 => (pick(), 1..4_u8).prop_map(|(p, v)| Move::Edited(p, v)),
        2 => pick().prop_map(Move::Allow),
        1 => (pick(), prop::sample::select(&DenyCode::ALL)).prop_map(|(p, c)| Move::Deny(p, c)),
        1 => pick().prop_map(Move::Unavailable),
        1 => (pick(), outcome()).prop_map(|(p, o)| Move::Finished(p, o)),
        1 => (1..3_u8).prop_map(Move::Regrounded),
    ]
}

/// Every move of a model, and nothing of a person or of code.
pub fn model_move() -> impl Strategy<Value = Move> {
    prop_oneof![9 => proposed(), 1 => pick().prop_map(Move::Failed)]
}
