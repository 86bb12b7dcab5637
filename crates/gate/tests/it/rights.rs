//! What each role may do, and who may answer a question.

use crate::test_gate::{APPROVER, EDITOR, OWNER, TestGate, VIEWER, id};
use wiiiv_domain::ApprovalBy;
use wiiiv_gate::Rights;

const NOBODY: Rights = Rights { editor: false, ..EDITOR };

const fn admin(rights: Rights) -> Rights {
    Rights { admin: true, ..rights }
}

#[test]
fn each_role_may_do_its_part_and_no_more() {
    let all = "see request approve halt switch_stage edit_policy";
    for (rights, due) in [
        (NOBODY, ""),
        (VIEWER, "see"),
        (EDITOR, "see request"),
        (APPROVER, "see approve"),
        (OWNER, all),
        (admin(NOBODY), all),
    ] {
        let may = [
            ("see", rights.may_see()),
            ("request", rights.may_request()),
            ("approve", rights.may_approve()),
            ("halt", rights.may_halt()),
            ("switch_stage", rights.may_switch_stage()),
            ("edit_policy", rights.may_edit_policy()),
        ];
        let may: Vec<&str> = may.iter().filter(|(_, may)| *may).map(|(name, _)| *name).collect();
        assert_eq!(may.join(" "), due, "{rights:?}");
    }
}

/// By a role in the project: the flag of an administrator is none.
#[test]
fn a_question_is_answered_by_its_requester_and_by_whoever_approves() {
    let test = TestGate::new();
    let plan = test.write("a.md", &test.permissive());
    let asked = test.request(&plan, ApprovalBy::Requester);
    let (requester, other) = (test.requester, id(4));
    for (user, rights, due) in [
        (requester, EDITOR, true),
        (requester, VIEWER, false),
        (requester, admin(VIEWER), false),
        (other, EDITOR, false),
        (other, APPROVER, true),
        (other, OWNER, true),
        (other, admin(EDITOR), false),
        (other, admin(NOBODY), false),
    ] {
        let may = asked.may_be_answered_by(&test.person(user, rights));
        assert_eq!(may, due, "{user} {rights:?}");
    }
}
