//! An approver's edit: the plan that was asked about is void, and the changed spec goes its whole way again.

use crate::session::{Pick, Session, deliberated, edit, proposal, slots, talk, write_a};
use wiiiv_domain::{
    Action, Asks, Consensus, FlowInput, PlanEdit, Proposal, RulingOutcome, RunOutcome, SignalKind,
    SlotName, TaskSwitch, TaskType,
};
use wiiiv_flow::StateName;

const OTHER: &[(&str, &str)] = &[(SlotName::CONTENT, "two")];

fn awaiting() -> Session {
    let mut session = Session::new();
    session.previewed(write_a(), Asks::AnotherPerson);
    session
}

#[test]
fn an_edited_plan_goes_its_whole_way_again() {
    let mut session = awaiting();
    let old = session.digest(Pick::Current);
    let asked = session.spec(Pick::Current);
    session.edited(OTHER);
    assert_eq!(session.line(), "DELIBERATING [withdraw, reply edited, deliberate]");
    let spec = deliberated(&session);
    assert_eq!(spec.slots.get(SlotName::CONTENT), Some("two"));
    assert_eq!(spec.edits.people().into_iter().next(), edit(OTHER).by);
    assert_ne!(spec.digest().unwrap(), asked);
    session.dacs(Consensus::Yes).draw(Asks::AnotherPerson);
    assert_eq!(session.line(), "AWAITING_APPROVAL [seek_approval]");
    // A yes to the plan from before says nothing about this one.
    let digest = session.digest(Pick::Current);
    assert_eq!(session.give(FlowInput::Approved { digest: old }).line(), "AWAITING_APPROVAL []");
    session.give(FlowInput::Approved { digest });
    assert_eq!(session.line(), "AUTHORIZING [authorize]");
}

#[test]
fn the_spec_of_an_edit_can_be_told_from_the_one_that_was_asked_about() {
    let mut session = Session::new();
    session.say().model(write_a());
    let asked = deliberated(&session);
    session.dacs(Consensus::Yes).draw(Asks::Requester).edited(OTHER);
    let due = asked.edited(&edit(OTHER)).unwrap();
    assert_eq!(deliberated(&session).digest().unwrap(), due.digest().unwrap());
}

#[test]
fn a_requesters_own_edit_is_their_own_words() {
    let mut session = awaiting();
    let digest = session.digest(Pick::Current);
    session.give(FlowInput::Edited { digest, edit: PlanEdit { by: None, slots: slots(OTHER) } });
    assert!(deliberated(&session).edits.is_empty());
}

#[test]
fn an_edit_that_changes_nothing_or_comes_too_late_is_none() {
    let mut session = awaiting();
    assert_eq!(session.edited(&[(SlotName::CONTENT, "one")]).line(), "AWAITING_APPROVAL []");
    session.approved();
    assert_eq!(session.edited(OTHER).line(), "AUTHORIZING []");
    session.allowed();
    assert_eq!(session.edited(OTHER).line(), "RUNNING []");
}

/// Approved, and nothing could be decided then: the edit takes the yes with it.
#[test]
fn a_yes_to_the_plan_from_before_counts_no_more() {
    let mut session = awaiting();
    session.approved().ruled(RulingOutcome::Unavailable).edited(OTHER);
    session.dacs(Consensus::Yes).draw(Asks::AnotherPerson);
    assert_eq!(session.yes().line(), "AWAITING_APPROVAL [reply waiting]");
}

#[test]
fn what_the_review_refused_once_it_refuses_again() {
    let mut session = Session::new();
    let refused =
        Proposal { slots: slots(&[("targetPath", "a.md"), ("content", "two")]), ..write_a() };
    session.say().model(refused).dacs(Consensus::No);
    session.previewed(write_a(), Asks::Requester);
    let digest = session.digest(Pick::Current);
    session.give(FlowInput::Edited { digest, edit: PlanEdit { by: None, slots: slots(OTHER) } });
    let closed = "LISTENING [withdraw, reply edited, reply dacs_no, close denied]";
    assert_eq!(session.line(), closed);
}

fn another(session: &mut Session) -> &mut Session {
    let read = proposal(Action::Execute, TaskType::FileRead, &[("targetPath", "b.md")]);
    session.say().model(Proposal { task_switch: TaskSwitch::New, ..read })
}

#[test]
fn a_suspended_task_is_reviewed_when_it_becomes_active() {
    let mut session = awaiting();
    let (asked, task) = (session.digest(Pick::Current), session.active().unwrap());
    another(&mut session).dacs(Consensus::Yes).draw(Asks::Nothing).allowed();
    session.give(FlowInput::Edited { digest: asked, edit: edit(OTHER) });
    assert_eq!(session.line(), "RUNNING [withdraw, reply edited]");
    assert_eq!(session.state.suspended().next().unwrap().state, StateName::Deliberating);
    session.give(FlowInput::Approved { digest: asked });
    assert_eq!(session.line(), "RUNNING []");
    session.finished(RunOutcome::Succeeded).model(talk());
    assert_eq!(session.line(), "DELIBERATING [reply facts, close done, resume, deliberate]");
    assert_eq!(session.active(), Some(task));
    assert_eq!(deliberated(&session).slots.get(SlotName::CONTENT), Some("two"));
}

#[test]
fn while_a_message_is_answered_the_review_waits() {
    let mut session = awaiting();
    session.say().edited(OTHER);
    assert_eq!(session.line(), "PROPOSING [withdraw, reply edited]");
    session.model(talk());
    assert_eq!(session.line(), "DELIBERATING [reply model, deliberate]");
    // The requester says something else instead: what stayed of the edit is still its author's.
    let mut session = awaiting();
    session.say().edited(OTHER);
    session.model(proposal(Action::Execute, TaskType::FileWrite, &[("targetPath", "c.md")]));
    let spec = deliberated(&session);
    assert_eq!((spec.slots.get("targetPath"), spec.edits.iter().count()), (Some("c.md"), 1));
    let mut session = awaiting();
    session.edited(OTHER).dacs(Consensus::Revision);
    session.say().model(proposal(Action::Execute, TaskType::FileWrite, OTHER));
    assert_eq!(deliberated(&session).edits.iter().count(), 1, "the same value stays the editor's");
    session.dacs(Consensus::Revision).say();
    session.model(proposal(Action::Execute, TaskType::FileWrite, &[("content", "three")]));
    assert!(deliberated(&session).edits.is_empty());
}

#[test]
fn a_state_with_an_edit_has_a_hash_of_its_own() {
    let (mut edited, mut own) = (awaiting(), awaiting());
    let digest = own.digest(Pick::Current);
    edited.edited(OTHER);
    own.give(FlowInput::Edited { digest, edit: PlanEdit { by: None, slots: slots(OTHER) } });
    assert_ne!(edited.state.hash(), own.state.hash());
    edited.signalled(SignalKind::Cancel);
    assert_eq!(edited.state.name(), StateName::Listening);
}
