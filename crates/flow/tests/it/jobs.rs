//! Several jobs of one message: one after the other, each asked about by itself.

use crate::session::{Pick, Session, and, brief, delete_c, proposal, read_b, talk, write_a};
use expect_test::{Expect, expect};
use wiiiv_domain::{
    Action, Asks, Consensus, FlowEffect, FlowInput, FlowLimits, NotDrawn, Proposal, ReplyCode,
    RunOutcome, SignalKind, SlotName, TaskOutcome, TaskSwitch, TaskType, TaskTypes,
};

fn check(session: &Session, expected: Expect) {
    expected.assert_eq(&session.line());
}

fn three() -> Proposal {
    and(write_a(), &[read_b(), delete_c()])
}

/// At the preview of the first of three.
fn asked() -> Session {
    let mut session = Session::new();
    session.previewed(three(), Asks::Requester);
    session
}

fn replies(session: &Session) -> Vec<ReplyCode> {
    let reply = |effect: &FlowEffect| match effect {
        FlowEffect::Reply { reply } => Some(reply.clone()),
        _ => None,
    };
    session.effects.iter().filter_map(reply).collect()
}

#[test]
fn are_done_one_after_the_other() {
    let mut session = Session::new();
    session.say().model(three());
    check(&session, expect!["DELIBERATING [reply jobs_taken, deliberate]"]);
    assert_eq!(session.state.queued().len(), 2);
    session.dacs(Consensus::Yes).draw(Asks::Requester).yes().allowed();
    session.finished(RunOutcome::Succeeded);
    check(&session, expect!["PROPOSING [propose facts]"]);
    session.model(talk());
    check(
        &session,
        expect!["DELIBERATING [reply facts, close done, reply job_closed, deliberate]"],
    );
    let named = |reply: &ReplyCode| match reply {
        ReplyCode::JobClosed { job, outcome, next: Some(next), left } => {
            assert_eq!((job.object.as_str(), next.object.as_str()), ("a.md", "b.md"));
            assert_eq!((outcome, *left), (&TaskOutcome::Done, 1));
            true
        }
        _ => false,
    };
    assert!(replies(&session).iter().any(named));
    session.dacs(Consensus::Yes).draw(Asks::Nothing).allowed();
    session.finished(RunOutcome::Failed { code: "X".into() });
    check(
        &session,
        expect!["DELIBERATING [reply run_failed, close failed, reply job_closed, deliberate]"],
    );
    session.dacs(Consensus::Yes).draw(Asks::Requester).yes().allowed();
    session.finished(RunOutcome::Succeeded).model(talk());
    check(&session, expect!["LISTENING [reply facts, close done, reply job_closed]"]);
}

/// They came with a message that asked for the same thing again.
#[test]
fn jobs_that_come_beside_the_same_preview_wait_for_its_answer() {
    let mut session = Session::new();
    session.previewed(write_a(), Asks::Requester);
    session.say().model(and(write_a(), &[read_b()]));
    check(&session, expect!["CONFIRMING [reply jobs_taken, reply waiting]"]);
    let behind = session.state.queued().next().unwrap().batch;
    assert!(behind.is_some() && session.state.active().unwrap().batch == behind);
}

#[test]
fn a_no_declines_the_one_and_goes_on() {
    let mut session = asked();
    session.signalled(SignalKind::Deny { digest: None });
    check(
        &session,
        expect![
            "DELIBERATING [withdraw, reply refused, close refused, reply job_closed, deliberate]"
        ],
    );
    assert_eq!(session.state.active().unwrap().task_type, TaskType::FileRead);
    session.dacs(Consensus::No);
    check(
        &session,
        expect!["DELIBERATING [reply dacs_no, close denied, reply job_closed, deliberate]"],
    );
}

#[test]
fn a_cancel_drops_them_all() {
    let mut session = asked();
    session.signalled(SignalKind::Cancel);
    check(
        &session,
        expect![
            "LISTENING [withdraw, cancel_work, close cancelled, close cancelled, close cancelled, reply cancelled, reply jobs_dropped]"
        ],
    );
    assert_eq!(session.state.queued().len(), 0);
}

/// A request beside them does not lose them, and its own end does not set them going.
#[test]
fn they_wait_for_the_one_that_was_put_aside() {
    let mut session = asked();
    let first = session.active().unwrap();
    let other = proposal(Action::Execute, TaskType::FileRead, &[("targetPath", "z.md")]);
    session.say().model(Proposal { task_switch: TaskSwitch::New, ..other });
    session.dacs(Consensus::Yes).draw(Asks::Nothing).allowed();
    session.finished(RunOutcome::Succeeded).model(talk());
    check(&session, expect!["LISTENING [reply facts, close done, reply still_waits]"]);
    session.signalled(SignalKind::Switch { task: first });
    check(&session, expect!["CONFIRMING [resume, reply resumed, reply waiting]"]);
    session.signalled(SignalKind::Deny { digest: None });
    assert_eq!(session.state.active().unwrap().task_type, TaskType::FileRead);
}

#[test]
fn one_of_them_can_be_taken_before_its_turn() {
    let mut session = asked();
    let last = session.state.queued().last().unwrap().id;
    session.signalled(SignalKind::Switch { task: last });
    check(&session, expect!["DELIBERATING [suspend, reply resumed, deliberate]"]);
    assert_eq!(session.state.active().unwrap().task_type, TaskType::FileDelete);
    assert_eq!((session.state.suspended().len(), session.state.queued().len()), (1, 1));
}

#[test]
fn too_many_are_refused_whole() {
    let mut session = Session::new();
    session.limits = FlowLimits { suspended_max: 1, ..FlowLimits::default() };
    session.say().model(three());
    check(&session, expect!["LISTENING [reply too_many_jobs]"]);
    assert!(session.state.is_quiet());
    session.say().model(and(write_a(), &[read_b()]));
    check(&session, expect!["DELIBERATING [reply jobs_taken, deliberate]"]);
}

#[test]
fn what_nothing_executes_is_declined_by_name_at_once() {
    let drawable = TaskTypes::of(&[TaskType::FileRead, TaskType::FileWrite]);
    let mut session = Session::new();
    session.limits = FlowLimits { drawable, ..FlowLimits::default() };
    session.say().model(three());
    check(&session, expect!["DELIBERATING [reply jobs_taken, reply jobs_declined, deliberate]"]);
    assert_eq!(session.state.queued().len(), 1);
    session.signalled(SignalKind::Reset);
    session.say().model(and(delete_c(), &[read_b()]));
    check(
        &session,
        expect![
            "DELIBERATING [reply jobs_taken, reply not_drawable, close denied, reply job_closed, deliberate]"
        ],
    );
}

/// `skip the delete`: of three, the one that is not wanted goes alone.
#[test]
fn one_that_is_left_out_goes_alone() {
    let mut session = asked();
    let last = session.state.queued().last().unwrap().id;
    session.signalled(SignalKind::LeaveOut { task: last });
    check(
        &session,
        expect!["CONFIRMING [close cancelled, reply jobs_left_out, reply still_waits]"],
    );
    assert_eq!(session.state.queued().len(), 1);
    let first = session.state.active().unwrap().id;
    session.signalled(SignalKind::LeaveOut { task: first });
    check(
        &session,
        expect![
            "DELIBERATING [withdraw, reply refused, close refused, reply job_closed, deliberate]"
        ],
    );
    session.signalled(SignalKind::LeaveOut { task: first });
    check(&session, expect!["DELIBERATING [reply unknown_task]"]);
}

#[test]
fn a_cancel_of_everything_reaches_what_was_put_aside() {
    let mut session = asked();
    session.previewed(beside_them(), Asks::Requester);
    session.signalled(SignalKind::CancelAll);
    check(
        &session,
        expect![
            "LISTENING [withdraw, close cancelled, withdraw, cancel_work, close cancelled, close cancelled, close cancelled, reply cancelled, reply jobs_dropped]"
        ],
    );
    assert!(session.state.is_quiet());
    session.signalled(SignalKind::CancelAll);
    check(&session, expect!["LISTENING [reply nothing_to_cancel]"]);
}

#[test]
fn an_answer_may_bring_more() {
    let mut session = Session::new();
    let ask = proposal(Action::Ask, TaskType::FileWrite, &[("targetPath", "a.md")]);
    session.say().model(ask);
    let answer = proposal(Action::Execute, TaskType::FileWrite, &[("content", "one")]);
    session.say().model(and(answer, &[read_b()]));
    check(&session, expect!["DELIBERATING [reply jobs_taken, deliberate]"]);
    let active = session.state.active().unwrap();
    assert_eq!(active.slots.get("targetPath"), Some("a.md"));
    assert_eq!(session.state.queued().next().unwrap().slots.get("content"), None);
}

#[test]
fn a_model_alone_brings_none_after_a_run() {
    let mut session = Session::new();
    session.previewed(write_a(), Asks::Requester).yes().allowed();
    session.finished(RunOutcome::Succeeded).model(and(talk(), &[delete_c()]));
    assert_eq!(brief(&session.effects), "[reply facts, close done]");
    assert_eq!(session.state.queued().len(), 0);
}

/// Nobody may be there: what ran out, or was stopped by no word of theirs, sets nothing going.
#[test]
fn what_ran_out_or_was_stopped_begins_nothing() {
    let mut session = asked();
    let digest = session.digest(Pick::Current);
    session.give(FlowInput::Expired { digest });
    check(
        &session,
        expect![
            "LISTENING [reply expired, close expired, close cancelled, close cancelled, reply jobs_dropped]"
        ],
    );
    let mut session = asked();
    session.yes().allowed().finished(RunOutcome::Cancelled);
    check(
        &session,
        expect![
            "LISTENING [reply run_cancelled, close cancelled, close cancelled, close cancelled, reply jobs_dropped]"
        ],
    );
    assert!(session.state.is_quiet());
}

/// Also of one that was put aside, while another stands.
#[test]
fn what_ran_out_aside_takes_those_behind_it_with_it() {
    let mut session = asked();
    let digest = session.digest(Pick::Current);
    session.previewed(beside_them(), Asks::Requester);
    session.give(FlowInput::Expired { digest });
    check(
        &session,
        expect![
            "CONFIRMING [reply expired, close expired, close cancelled, close cancelled, reply jobs_dropped]"
        ],
    );
}

fn beside_them() -> Proposal {
    let other = proposal(Action::Execute, TaskType::FileRead, &[("targetPath", "z.md")]);
    Proposal { task_switch: TaskSwitch::New, ..other }
}

/// The one before them was refused while a message was being answered: a word begins none of them.
fn left_behind() -> Session {
    let mut session = Session::new();
    session.previewed(three(), Asks::AnotherPerson);
    let digest = session.digest(Pick::Current);
    session.previewed(beside_them(), Asks::Nothing).allowed();
    session.finished(RunOutcome::Succeeded).model(talk()).say();
    session.give(FlowInput::Refused { digest });
    check(&session, expect!["PROPOSING [reply refused, close refused]"]);
    session.model(talk());
    check(&session, expect!["LISTENING [reply model]"]);
    session
}

#[test]
fn what_waits_behind_nothing_is_begun_by_no_talk_and_can_be_cancelled() {
    let mut session = left_behind();
    session.say().model(talk());
    check(&session, expect!["LISTENING [reply model]"]);
    assert_eq!(session.state.queued().len(), 2);
    session.signalled(SignalKind::Cancel);
    check(
        &session,
        expect![
            "LISTENING [close cancelled, close cancelled, reply cancelled, reply jobs_dropped]"
        ],
    );
    session.signalled(SignalKind::Cancel);
    check(&session, expect!["LISTENING [reply nothing_to_cancel]"]);
}

#[test]
fn a_cancel_of_another_task_leaves_none_that_would_be_next() {
    let mut session = left_behind();
    session.previewed(beside_them(), Asks::Requester);
    session.signalled(SignalKind::Cancel);
    assert_eq!(session.state.queued().len(), 0);
    check(
        &session,
        expect![
            "LISTENING [withdraw, cancel_work, close cancelled, close cancelled, close cancelled, reply cancelled, reply jobs_dropped]"
        ],
    );
}

/// What stood in their way is done: they go on, and it is said what is next.
#[test]
fn what_waits_behind_nothing_follows_the_next_that_ends() {
    let mut session = left_behind();
    session.previewed(beside_them(), Asks::Nothing).allowed();
    session.finished(RunOutcome::Succeeded).model(talk());
    check(
        &session,
        expect!["DELIBERATING [reply facts, close done, reply job_closed, deliberate]"],
    );
    assert_eq!(session.state.active().unwrap().slots.get("targetPath"), Some("b.md"));
}

/// The last of the queue is not the last of the message while its first is put aside.
#[test]
fn the_last_is_not_told_while_one_is_put_aside() {
    let mut session = Session::new();
    session.previewed(and(write_a(), &[read_b()]), Asks::Requester);
    let last = session.state.queued().last().unwrap().id;
    session.signalled(SignalKind::Switch { task: last }).dacs(Consensus::Yes);
    session.draw(Asks::Nothing).allowed().finished(RunOutcome::Succeeded).model(talk());
    check(&session, expect!["LISTENING [reply facts, close done, reply still_waits]"]);
}

#[test]
fn what_waits_already_is_not_taken_twice() {
    let mut session = Session::new();
    let ask = proposal(Action::Ask, TaskType::FileWrite, &[("targetPath", "a.md")]);
    session.say().model(and(ask, &[read_b(), delete_c()]));
    let answer = proposal(Action::Execute, TaskType::FileWrite, &[("content", "one")]);
    session.say().model(and(answer, &[write_a(), read_b(), delete_c()]));
    check(&session, expect!["DELIBERATING [deliberate]"]);
    assert_eq!(session.state.queued().len(), 2);
    // Another one is.
    let mut session = asked();
    let other = proposal(Action::Execute, TaskType::FileRead, &[("targetPath", "z.md")]);
    session.say().model(and(write_a(), &[read_b(), other]));
    check(&session, expect!["CONFIRMING [reply jobs_taken, reply waiting]"]);
    assert_eq!(session.state.queued().len(), 3);
}

/// No user spoke: what cannot be drawn does not become something else.
#[test]
fn a_redraw_keeps_its_task_type() {
    let mut session = Session::new();
    session.say().model(read_b()).dacs(Consensus::Yes);
    let name = SlotName::parse(SlotName::TARGET_PATH).unwrap();
    let reasons = vec![NotDrawn::Slot { name, code: "X".into() }];
    let spec = session.spec(Pick::Current);
    session.give(FlowInput::NotDrawable { spec, reasons });
    check(&session, expect!["PROPOSING [propose undrawable]"]);
    session.model(delete_c());
    check(&session, expect!["INTERVIEWING [reply not_drawable, ask for targetPath]"]);
    assert_eq!(session.state.active().unwrap().task_type, TaskType::FileRead);
}
