//! The classes of the table: places in which a session can be, and inputs that can come there.

use crate::session::{
    Pick, Session, and, delete_c, edit, grounds, project, proposal, read_b, slots, talk, write_a,
};
use wiiiv_domain::{
    Action, Asks, Consensus, DenyCode, FlowInput, NotDrawn, Proposal, ProposalFailure,
    ProposalOutcome, Recall, RulingOutcome, RunOutcome, SignalKind, SlotName, TaskSwitch, TaskType,
};

/// A session with a past: a suspended task, a refused spec, an older preview, run and turn.
fn with_a_past() -> Session {
    let mut session = Session::new();
    session.say().model(proposal(Action::Ask, TaskType::Command, &[]));
    session
        .previewed(Proposal { slots: slots(&[("targetPath", "z.md")]), ..read_b() }, Asks::Nothing);
    session.allowed().finished(RunOutcome::Succeeded).model(talk());
    let pairs = [("targetPath", "a.md"), ("content", "refused")];
    let refused = Proposal { slots: slots(&pairs), ..write_a() };
    session.say().model(refused).dacs(Consensus::No);
    session
}

/// Left behind by a drive from the past.
fn at(drive: impl Fn(&mut Session) -> &mut Session) -> Session {
    let mut session = with_a_past();
    drive(&mut session);
    session
}

fn some() -> Proposal {
    proposal(Action::Ask, TaskType::FileWrite, &[("targetPath", "a.md")])
}
fn confirming(s: &mut Session) -> &mut Session {
    s.previewed(write_a(), Asks::Requester)
}
fn awaiting(s: &mut Session) -> &mut Session {
    s.previewed(write_a(), Asks::AnotherPerson)
}
fn drawing(s: &mut Session) -> &mut Session {
    s.say().model(write_a()).dacs(Consensus::Yes)
}
fn running(s: &mut Session) -> &mut Session {
    s.previewed(write_a(), Asks::Nothing).allowed()
}
fn undrawable(s: &mut Session) -> &mut Session {
    let spec = drawing(s).spec(Pick::Current);
    s.give(FlowInput::NotDrawable { spec, reasons: vec![outside()] })
}

pub fn places() -> Vec<(&'static str, Session)> {
    let mut all = proposing();
    all.extend([
        ("Listening", at(|s| s)),
        ("Interviewing", at(|s| s.say().model(some()))),
        ("Interviewing, revision", at(|s| s.say().model(write_a()).dacs(Consensus::Revision))),
        ("ConfirmingWorkOrder", at(|s| s.say().model(project()))),
        ("Deliberating", at(|s| s.say().model(write_a()))),
        ("Drawing", at(drawing)),
        ("Confirming", at(confirming)),
        ("AwaitingApproval", at(awaiting)),
        (
            "AwaitingApproval, approved",
            at(|s| awaiting(s).approved().ruled(RulingOutcome::Unavailable)),
        ),
        ("Authorizing, asked nobody", at(|s| s.previewed(write_a(), Asks::Nothing))),
        ("Authorizing, requester", at(|s| confirming(s).yes())),
        ("Authorizing, another", at(|s| awaiting(s).approved())),
        ("Running", at(running)),
        ("Confirming, jobs behind", at(|s| s.previewed(several(), Asks::Requester))),
        ("Running, jobs behind", at(|s| s.previewed(several(), Asks::Nothing).allowed())),
        ("Listening, a job left", at(left_behind)),
        ("Interviewing, jobs behind", at(|s| s.say().model(and(some(), &[read_b(), delete_c()])))),
    ]);
    all
}

fn proposing() -> Vec<(&'static str, Session)> {
    vec![
        ("Proposing, no task", at(Session::say)),
        ("Proposing, interview", at(|s| s.say().model(some()).say())),
        ("Proposing, work order", at(|s| s.say().model(project()).say())),
        ("Proposing, confirming", at(|s| confirming(s).say())),
        ("Proposing, awaiting", at(|s| awaiting(s).say())),
        ("Proposing, awaiting, approved", at(|s| awaiting(s).say().approved())),
        ("Proposing, undrawable", at(undrawable)),
        ("Proposing, facts", at(|s| running(s).finished(RunOutcome::Succeeded))),
    ]
}

fn several() -> Proposal {
    and(write_a(), &[read_b(), delete_c()])
}

/// The one before it was refused while another message was being answered.
fn left_behind(s: &mut Session) -> &mut Session {
    s.previewed(several(), Asks::AnotherPerson);
    let (asked, other) = (s.digest(Pick::Current), read_b());
    let other = Proposal { slots: slots(&[("targetPath", "y.md")]), ..other };
    s.say().model(Proposal { task_switch: TaskSwitch::New, ..other });
    s.dacs(Consensus::Yes).draw(Asks::Nothing).allowed().finished(RunOutcome::Succeeded);
    s.model(talk()).say().give(FlowInput::Refused { digest: asked }).model(talk())
}

fn outside() -> NotDrawn {
    NotDrawn::OutsideEnvelope { what: "x".into() }
}

pub fn inputs(s: &mut Session) -> Vec<(String, FlowInput)> {
    let mut all = signals(s);
    all.extend(proposals(s));
    for pick in Pick::ALL {
        all.extend(answers(s, pick));
    }
    all
}

fn signals(s: &mut Session) -> Vec<(String, FlowInput)> {
    let digests = [None, Some(Pick::Current), Some(Pick::Older), Some(Pick::Unknown)];
    let mut kinds = vec![
        ("Say".to_owned(), SignalKind::Say),
        ("Modify".to_owned(), SignalKind::Modify),
        ("FollowUp".to_owned(), SignalKind::FollowUp),
        ("Cancel".to_owned(), SignalKind::Cancel),
        ("CancelAll".to_owned(), SignalKind::CancelAll),
        ("Remember".to_owned(), SignalKind::Remember),
        ("Recall".to_owned(), SignalKind::Recall { recall: Recall::Again }),
        ("Reset".to_owned(), SignalKind::Reset),
    ];
    for pick in digests {
        let digest = pick.map(|pick| s.digest(pick));
        let named = pick.map_or("none".to_owned(), |pick| format!("{pick:?}").to_lowercase());
        kinds.push((format!("Affirm {named}"), SignalKind::Affirm { digest }));
        kinds.push((format!("Deny {named}"), SignalKind::Deny { digest }));
    }
    let unknown = s.turn(Pick::Unknown).into();
    for (name, task) in [
        ("suspended", s.suspended().first().copied().unwrap_or(unknown)),
        ("active", s.active().unwrap_or(unknown)),
        ("unknown", unknown),
    ] {
        kinds.push((format!("Switch {name}"), SignalKind::Switch { task }));
    }
    let queued = s.state.queued().last().map(|task| task.id);
    for (name, task) in [
        ("active", s.active().unwrap_or(unknown)),
        ("suspended", s.suspended().first().copied().unwrap_or(unknown)),
        ("queued", queued.unwrap_or(unknown)),
        ("unknown", unknown),
    ] {
        kinds.push((format!("LeaveOut {name}"), SignalKind::LeaveOut { task }));
    }
    kinds.into_iter().map(|(name, kind)| (name, s.signal(kind))).collect()
}

/// `complete`: every slot of a spec that is new; `same`: nothing new; `refused`: what DACS said
/// NO to; `incomplete`: of a type whose slots are missing.
fn proposals(s: &Session) -> Vec<(String, FlowInput)> {
    let own = s.state.active().map_or(TaskType::FileWrite, |task| task.task_type);
    let new = match own {
        TaskType::ProjectCreate => slots(&[("domain", "d"), ("techStack", "t"), ("scale", "new")]),
        _ => slots(&[("targetPath", "new.md"), ("content", "new")]),
    };
    let refused = slots(&[("targetPath", "a.md"), ("content", "refused")]);
    let suspended = s.suspended().first().copied().unwrap();
    let mut all = Vec::new();
    for action in [
        Action::Reply,
        Action::Ask,
        Action::Confirm,
        Action::Execute,
        Action::Cancel,
        Action::Again,
    ] {
        let of = |task_type, slots| Proposal { slots, ..proposal(action, task_type, &[]) };
        let to = |task_switch| Proposal { task_switch, ..of(own, new.clone()) };
        all.extend([
            (format!("{action:?} complete"), of(own, new.clone())),
            (format!("{action:?} same"), of(own, slots(&[]))),
            (format!("{action:?} refused"), of(TaskType::FileWrite, refused.clone())),
            (
                format!("{action:?} other type, complete"),
                of(TaskType::WebFetch, slots(&[("url", "http://x/")])),
            ),
            (format!("{action:?} other type, incomplete"), of(TaskType::DbQuery, slots(&[]))),
            (format!("{action:?} talk"), of(TaskType::Information, slots(&[]))),
            (format!("{action:?} new task"), to(TaskSwitch::New)),
            (format!("{action:?} several jobs"), and(to(TaskSwitch::New), &[read_b(), delete_c()])),
            (format!("{action:?} to suspended"), to(TaskSwitch::To(suspended))),
            (format!("{action:?} to unknown"), to(TaskSwitch::To(s.turn(Pick::Unknown).into()))),
        ]);
    }
    let mut inputs: Vec<(String, FlowInput)> =
        all.into_iter().map(|(name, proposal)| (name, s.proposed(proposal))).collect();
    for pick in [Pick::Older, Pick::Unknown] {
        let outcome = ProposalOutcome::Proposal { proposal: write_a() };
        let input = FlowInput::Proposed { turn: s.turn(pick), outcome };
        let named = format!("{pick:?}").to_lowercase();
        inputs.push((format!("Execute complete, {named} turn"), input));
    }
    inputs.push(("Regrounded".into(), FlowInput::Regrounded { under: grounds(2) }));
    let outcome = ProposalOutcome::Told { message: "as recorded".into() };
    inputs.push(("Told".into(), FlowInput::Proposed { turn: s.turn(Pick::Current), outcome }));
    let outcome = ProposalOutcome::Failed { failure: ProposalFailure::Timeout };
    inputs.push(("Failed".into(), FlowInput::Proposed { turn: s.turn(Pick::Current), outcome }));
    inputs
}

fn answers(s: &mut Session, pick: Pick) -> Vec<(String, FlowInput)> {
    let (spec, digest, execution) = (s.spec(pick), s.digest(pick), s.execution(pick));
    let mut all: Vec<(String, FlowInput)> = vec![
        ("Approved".into(), FlowInput::Approved { digest }),
        ("Refused".into(), FlowInput::Refused { digest }),
        ("Expired".into(), FlowInput::Expired { digest }),
        ("Edited".into(), FlowInput::Edited { digest, edit: edit(&[("content", "edited")]) }),
        ("Ruling allow".into(), s.allow(digest)),
    ];
    for consensus in [Consensus::Yes, Consensus::Revision, Consensus::No] {
        let verdict =
            FlowInput::Verdict { spec, consensus, concerns: vec!["C".into()], under: None };
        all.push((format!("Verdict {consensus:?}"), verdict));
        all.push((format!("Shadowed {consensus:?}"), FlowInput::Shadowed { spec, consensus }));
    }
    for asks in [Asks::Nothing, Asks::Requester, Asks::AnotherPerson, Asks::Refused] {
        all.push((format!("Drawn {asks:?}"), s.drawn(spec, asks)));
    }
    let slot = SlotName::parse(SlotName::TARGET_PATH).unwrap();
    for (name, reason) in [
        ("no executor", NotDrawn::NoExecutor { task_type: TaskType::Command }),
        ("slot", NotDrawn::Slot { name: slot, code: "X".into() }),
        ("outside", outside()),
        (
            "denied",
            NotDrawn::Denied { code: DenyCode::HostNotAllowed, what: "x".into(), rule: None },
        ),
    ] {
        let input = FlowInput::NotDrawable { spec, reasons: vec![reason] };
        all.push((format!("NotDrawable {name}"), input));
    }
    for codes in [
        vec![DenyCode::DacsNo],
        vec![DenyCode::DacsRevision],
        vec![DenyCode::ApprovalExpired],
        vec![DenyCode::HostNotAllowed],
    ] {
        let name = format!("Ruling {}", codes[0]);
        all.push((
            name,
            FlowInput::Ruling { digest, ruling: RulingOutcome::Deny { codes, under: None } },
        ));
    }
    let ruling = RulingOutcome::Unavailable;
    all.push(("Ruling unavailable".into(), FlowInput::Ruling { digest, ruling }));
    for outcome in [
        RunOutcome::Succeeded,
        RunOutcome::Failed { code: "X".into() },
        RunOutcome::Cancelled,
        RunOutcome::Indeterminate,
    ] {
        let name = format!("Finished {}", format!("{outcome:?}").split(' ').next().unwrap());
        all.push((name, FlowInput::Finished { execution, outcome }));
    }
    let named = format!("{pick:?}").to_lowercase();
    all.into_iter().map(|(name, input)| (format!("{name}, {named}"), input)).collect()
}
