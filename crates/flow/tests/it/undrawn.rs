//! What this build cannot do is said at once: nobody is asked for its details.

use crate::session::{Session, proposal};
use wiiiv_domain::{Action, FlowLimits, TaskType, TaskTypes};

#[test]
fn the_details_of_what_cannot_be_done_are_not_asked_for() {
    let drawable = TaskTypes::of(&[TaskType::FileWrite]);
    for action in [Action::Ask, Action::Confirm, Action::Execute] {
        let mut session = Session::new();
        session.limits = FlowLimits { drawable, ..FlowLimits::default() };
        session.say();
        let line = session.model(proposal(action, TaskType::Command, &[])).line();
        assert_eq!(line, "LISTENING [reply not_drawable, close denied]");
        session.say();
        let line = session.model(proposal(action, TaskType::FileWrite, &[])).line();
        assert!(line.starts_with("INTERVIEWING"), "{line}");
    }
}

#[test]
fn a_set_has_what_it_was_made_of() {
    for one in TaskType::ALL {
        let only = TaskTypes::of(&[one]);
        assert!(TaskType::ALL.into_iter().all(|task| only.has(task) == (task == one)));
        assert!(TaskTypes::ALL.has(one));
    }
}
