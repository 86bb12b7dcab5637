//! Leaving a task for another, and coming back.

use crate::session::{Pick, Session, edit, project, proposal, read_b, talk, write_a};
use expect_test::expect;
use wiiiv_domain::{
    Action, Asks, BlueprintDigest, Consensus, FlowEffect, FlowInput, JobName, Proposal, ReplyCode,
    RunOutcome, SignalKind, TaskId, TaskSwitch, TaskType,
};
use wiiiv_flow::StateName;

fn to(task: TaskId) -> SignalKind {
    SignalKind::Switch { task }
}

#[test]
fn returning_restores_exactly() {
    let asks: [fn(&mut Session) -> &mut Session; 4] = [
        |s| s.say().model(proposal(Action::Ask, TaskType::FileWrite, &[("targetPath", "a.md")])),
        |s| s.say().model(project()),
        |s| s.previewed(write_a(), Asks::Requester),
        |s| s.previewed(write_a(), Asks::AnotherPerson),
    ];
    for ask in asks {
        let mut session = Session::new();
        ask(&mut session);
        let left = session.state.clone();
        let task = session.active().unwrap();
        session.say().model(Proposal { task_switch: TaskSwitch::New, ..read_b() });
        assert_eq!(session.suspended(), [task]);
        session.dacs(Consensus::Yes).draw(Asks::Nothing).allowed();
        session.finished(RunOutcome::Succeeded).model(talk());
        assert_eq!(session.state.name(), StateName::Listening);
        session.signalled(to(task));
        // The message to the model set nothing but its count of drawings back, which was 0.
        assert_eq!(session.state.hash(), left.hash());
    }
}

/// `then don't delete it`, behind something else: its question is over, and it alone.
#[test]
fn what_was_put_aside_can_be_declined() {
    let mut session = Session::new();
    session.previewed(write_a(), Asks::Requester);
    let write = session.active().unwrap();
    session.previewed(Proposal { task_switch: TaskSwitch::New, ..read_b() }, Asks::Nothing);
    session.signalled(SignalKind::LeaveOut { task: write });
    assert_eq!(session.line(), "AUTHORIZING [withdraw, close refused, reply jobs_left_out]");
    session.allowed().finished(RunOutcome::Succeeded).model(talk());
    assert_eq!(session.line(), "LISTENING [reply facts, close done]");
    session.signalled(SignalKind::LeaveOut { task: write });
    assert_eq!(session.line(), "LISTENING [reply unknown_task]");
}

#[test]
fn two_tasks_change_places_even_where_no_more_fit() {
    let mut session = Session::new();
    session.limits.suspended_max = 1;
    session.say().model(proposal(Action::Ask, TaskType::FileWrite, &[]));
    let first = session.active().unwrap();
    session.say().model(proposal(Action::Ask, TaskType::FileRead, &[]));
    let second = session.active().unwrap();
    session.say().model(proposal(Action::Ask, TaskType::Command, &[]));
    let suspended = vec![first];
    let refused = ReplyCode::TooManyTasks { suspended };
    assert_eq!(session.effects, [FlowEffect::Reply { reply: refused }]);
    assert_eq!(session.active(), Some(second));
    session.signalled(to(first));
    assert_eq!((session.active(), session.suspended()), (Some(first), vec![second]));
    assert_eq!(session.line(), "INTERVIEWING [suspend, resume, reply resumed]");
}

#[test]
fn a_model_may_return_to_a_task_but_not_while_facts_are_shown() {
    let mut session = Session::new();
    session.previewed(write_a(), Asks::Requester);
    let first = session.active().unwrap();
    let back = || Proposal { task_switch: TaskSwitch::To(first), ..read_b() };
    session.previewed(Proposal { task_switch: TaskSwitch::New, ..read_b() }, Asks::Nothing);
    session.allowed().finished(RunOutcome::Succeeded).model(back());
    assert_eq!(session.line(), "LISTENING [reply facts, close done, reply still_waits]");
    session.say().model(back());
    assert_eq!(session.line(), "CONFIRMING [resume, reply resumed, reply waiting]");
}

#[test]
fn an_approval_of_a_suspended_task_is_kept_and_goes_on_when_nothing_else_does() {
    let mut session = Session::new();
    session.previewed(write_a(), Asks::AnotherPerson);
    let digest = session.digest(Pick::Current);
    session.previewed(read_b(), Asks::Nothing).allowed();
    session.give(FlowInput::Approved { digest });
    assert_eq!(session.line(), "RUNNING []");
    let mut cancelled = session.clone();
    cancelled.signalled(SignalKind::Cancel);
    // It goes on neither with the cancel nor with what comes too late after it.
    assert!(cancelled.clone().finished(RunOutcome::Succeeded).effects.is_empty());
    let line = "LISTENING [cancel_work, close cancelled, reply cancelled, reply still_waits]";
    assert_eq!(cancelled.line(), line);
    session.finished(RunOutcome::Succeeded).model(talk());
    expect!["AUTHORIZING [reply facts, close done, resume, authorize]"].assert_eq(&session.line());
}

/// Whoever stops what is active is told what else was approved or changed, and goes on behind the next message.
#[test]
fn what_a_stop_keeps_from_going_on_is_named() {
    let answers: [fn(BlueprintDigest) -> FlowInput; 2] = [
        |digest| FlowInput::Approved { digest },
        |digest| FlowInput::Edited { digest, edit: edit(&[("content", "two")]) },
    ];
    for answer in answers {
        let mut session = Session::new();
        session.previewed(write_a(), Asks::AnotherPerson);
        let digest = session.digest(Pick::Current);
        session.previewed(read_b(), Asks::Requester).give(answer(digest));
        let jobs = vec![JobName::of(write_a().task_type, &write_a().slots)];
        let reply = ReplyCode::StillWaits { jobs, aside: true };
        let named = Some(FlowEffect::Reply { reply });
        let mut declined = session.clone();
        let no = declined.digest(Pick::Current);
        declined.signalled(SignalKind::Deny { digest: Some(no) });
        assert_eq!(declined.effects.last(), named.as_ref(), "{}", declined.line());
        session.signalled(SignalKind::Cancel);
        assert_eq!(session.effects.last(), named.as_ref(), "{}", session.line());
        // Once more there is nothing to stop, and that still waits.
        session.signalled(SignalKind::Cancel);
        assert_eq!(session.line(), "LISTENING [reply nothing_to_cancel, reply still_waits]");
        session.say().model(talk());
        assert!(session.line().contains("resume"), "{}", session.line());
    }
}

#[test]
fn an_approval_that_finds_nothing_active_goes_on_at_once() {
    let mut session = Session::new();
    session.previewed(write_a(), Asks::AnotherPerson);
    let digest = session.digest(Pick::Current);
    session.say().model(proposal(Action::Ask, TaskType::FileRead, &[]));
    session.signalled(SignalKind::Cancel).give(FlowInput::Approved { digest });
    assert_eq!(session.line(), "AUTHORIZING [resume, authorize]");
}

#[test]
fn a_suspended_question_is_refused_or_expires_in_its_own_task() {
    let mut session = Session::new();
    session.previewed(write_a(), Asks::AnotherPerson);
    let digest = session.digest(Pick::Current);
    session.say().model(proposal(Action::Ask, TaskType::FileRead, &[]));
    for (input, line) in [
        (FlowInput::Refused { digest }, "INTERVIEWING [reply refused, close refused]"),
        (FlowInput::Expired { digest }, "INTERVIEWING [reply expired, close expired]"),
    ] {
        let mut session = session.clone();
        assert_eq!(session.give(input).line(), line);
        assert_eq!(session.suspended(), []);
    }
}

#[test]
fn a_reset_withdraws_and_closes_every_task() {
    let mut session = Session::new();
    for _ in 0..=session.limits.suspended_max {
        let write = Proposal { task_switch: TaskSwitch::New, ..write_a() };
        session.previewed(write, Asks::AnotherPerson);
    }
    assert_eq!(session.suspended().len(), 8);
    session.signalled(SignalKind::Reset);
    let each = 1 + session.limits.suspended_max;
    assert_eq!(session.effects.len(), 2 * each + 2);
    assert!(session.effects.len() <= session.limits.effects_max());
    assert!(session.state.is_quiet());
}

#[test]
fn a_turn_begins_one_task_at_most() {
    let mut session = Session::new();
    session.say().model(proposal(Action::Ask, TaskType::FileWrite, &[]));
    let again = session.inputs.first().cloned().unwrap();
    session.give(again).model(Proposal { task_switch: TaskSwitch::New, ..read_b() });
    assert_eq!(session.line(), "INTERVIEWING [reply unavailable]");
    assert_eq!(session.suspended(), []);
}
