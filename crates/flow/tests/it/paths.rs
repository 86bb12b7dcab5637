//! The main paths, one line an input.

use crate::session::{
    Pick, Session, deliberated, grounds, project, proposal, read_b, talk, write_a,
};
use expect_test::{Expect, expect};
use wiiiv_domain::{
    Action, Asks, Consensus, DenyCode, Envelope, FlowEffect, FlowInput, NotDrawn, Proposal,
    ProposalFailure, ProposalOutcome, ReplyCode, RulingOutcome, RunOutcome, SignalKind, SlotName,
    TaskSwitch, TaskType,
};
use wiiiv_flow::StateName;

type Move = fn(&mut Session) -> &mut Session;

fn check(script: &[Move], expected: Expect) {
    let mut session = Session::new();
    let lines: Vec<String> = script.iter().map(|one| one(&mut session).line()).collect();
    expected.assert_eq(&lines.join("\n"));
}

const WRITE: Move = |s| s.model(write_a());
const YES: Move = |s| s.dacs(Consensus::Yes);
const ASKS: Move = |s| s.draw(Asks::Requester);
const OTHER: Move = |s| s.draw(Asks::AnotherPerson);
const DONE: Move = |s| s.finished(RunOutcome::Succeeded);

fn not_drawable(session: &mut Session, reasons: Vec<NotDrawn>) -> &mut Session {
    let spec = session.spec(Pick::Current);
    session.give(FlowInput::NotDrawable { spec, reasons })
}

fn outside(session: &mut Session) -> &mut Session {
    not_drawable(session, vec![NotDrawn::OutsideEnvelope { what: "c.md".into() }])
}

fn with_content(content: &str) -> Proposal {
    proposal(Action::Execute, TaskType::FileWrite, &[("content", content)])
}

#[test]
fn a_write_is_asked_about_once_and_run_after_the_yes() {
    check(
        &[Session::say, WRITE, YES, ASKS, Session::yes, Session::allowed, DONE, |s| {
            s.model(talk())
        }],
        expect![[r#"
            PROPOSING [propose message]
            DELIBERATING [deliberate]
            DRAWING [draw]
            CONFIRMING [confirm]
            AUTHORIZING [authorize]
            RUNNING [run]
            PROPOSING [propose facts]
            LISTENING [reply facts, close done]"#]],
    );
}

#[test]
fn what_is_missing_is_asked_for_and_merged() {
    check(
        &[
            Session::say,
            |s| s.model(proposal(Action::Execute, TaskType::FileWrite, &[("targetPath", "a.md")])),
            Session::say,
            |s| s.model(proposal(Action::Confirm, TaskType::FileWrite, &[("content", "one")])),
        ],
        expect![[r#"
            PROPOSING [propose message]
            INTERVIEWING [ask for content]
            PROPOSING [propose message]
            DELIBERATING [deliberate]"#]],
    );
}

#[test]
fn a_read_that_asks_nobody_runs_straight_on_and_may_go_another_round() {
    check(
        &[
            Session::say,
            |s| s.model(read_b()),
            YES,
            |s| s.draw(Asks::Nothing),
            Session::allowed,
            DONE,
            WRITE,
            YES,
            ASKS,
        ],
        expect![[r#"
            PROPOSING [propose message]
            DELIBERATING [deliberate]
            DRAWING [draw]
            AUTHORIZING [authorize]
            RUNNING [run]
            PROPOSING [propose facts]
            DELIBERATING [reply facts, deliberate]
            DRAWING [draw]
            CONFIRMING [confirm]"#]],
    );
}

/// What was written is no slot of what is read next, although both are rounds of one task.
#[test]
fn a_round_of_another_type_begins_with_its_own_slots() {
    let mut session = Session::new();
    session.previewed(write_a(), Asks::Nothing).allowed().finished(RunOutcome::Succeeded);
    session.model(proposal(Action::Execute, TaskType::FileRead, &[]));
    assert_eq!(session.line(), "INTERVIEWING [reply facts, ask for targetPath]");
}

#[test]
fn the_same_spec_is_not_run_again_by_the_models_wish() {
    check(
        &[Session::say, WRITE, YES, ASKS, Session::yes, Session::allowed, DONE, WRITE],
        expect![[r#"
            PROPOSING [propose message]
            DELIBERATING [deliberate]
            DRAWING [draw]
            CONFIRMING [confirm]
            AUTHORIZING [authorize]
            RUNNING [run]
            PROPOSING [propose facts]
            LISTENING [reply facts, close done]"#]],
    );
}

#[test]
fn somebody_else_approves() {
    check(
        &[
            Session::say,
            WRITE,
            YES,
            OTHER,
            Session::yes,
            Session::say,
            |s| s.model(talk()),
            Session::approved,
            |s| s.ruled(RulingOutcome::Unavailable),
            Session::yes,
            Session::allowed,
            |s| s.finished(RunOutcome::Failed { code: "PREIMAGE_CHANGED".into() }),
        ],
        expect![[r#"
            PROPOSING [propose message]
            DELIBERATING [deliberate]
            DRAWING [draw]
            AWAITING_APPROVAL [seek_approval]
            AWAITING_APPROVAL [reply waiting]
            PROPOSING [propose message]
            AWAITING_APPROVAL [reply model]
            AUTHORIZING [authorize]
            AWAITING_APPROVAL [reply unavailable]
            AUTHORIZING [authorize]
            RUNNING [run]
            LISTENING [reply run_failed, close failed]"#]],
    );
}

#[test]
fn an_approval_during_talk_goes_on_after_it_and_is_void_after_a_change() {
    let changed: Move = |s| s.model(with_content("two"));
    check(
        &[Session::say, WRITE, YES, OTHER, Session::say, Session::approved, |s| s.model(talk())],
        expect![[r#"
            PROPOSING [propose message]
            DELIBERATING [deliberate]
            DRAWING [draw]
            AWAITING_APPROVAL [seek_approval]
            PROPOSING [propose message]
            PROPOSING []
            AUTHORIZING [reply model, authorize]"#]],
    );
    check(
        &[Session::say, WRITE, YES, OTHER, Session::say, Session::approved, changed],
        expect![[r#"
            PROPOSING [propose message]
            DELIBERATING [deliberate]
            DRAWING [draw]
            AWAITING_APPROVAL [seek_approval]
            PROPOSING [propose message]
            PROPOSING []
            DELIBERATING [withdraw, deliberate]"#]],
    );
}

/// Nothing could be decided on the yes that came meanwhile: the requester is asked for it again.
#[test]
fn a_yes_that_was_kept_for_the_requester_counts_once() {
    check(
        &[
            Session::say,
            WRITE,
            YES,
            ASKS,
            Session::say,
            Session::approved,
            |s| s.model(talk()),
            |s| s.ruled(RulingOutcome::Unavailable),
            Session::say,
            |s| s.model(talk()),
        ],
        expect![[r#"
            PROPOSING [propose message]
            DELIBERATING [deliberate]
            DRAWING [draw]
            CONFIRMING [confirm]
            PROPOSING [propose message]
            PROPOSING []
            AUTHORIZING [reply model, authorize]
            CONFIRMING [reply unavailable]
            PROPOSING [propose message]
            CONFIRMING [reply model, reply still_waits]"#]],
    );
}

/// What an earlier proposal asked for beside its slots is no part of the next one.
#[test]
fn a_spec_is_as_wide_as_the_last_proposal_asks() {
    let mut session = Session::new();
    session.previewed(write_a(), Asks::Requester);
    for (content, due) in [("two", vec!["shop.test"]), ("three", vec![])] {
        let hosts = due.iter().map(|host| (*host).to_owned()).collect();
        let envelope = Envelope { hosts, ..Envelope::default() };
        session.say().model(Proposal { envelope, ..with_content(content) });
        assert_eq!(deliberated(&session).envelope.hosts.into_iter().collect::<Vec<_>>(), due);
        session.dacs(Consensus::Yes).draw(Asks::Requester);
    }
}

#[test]
fn a_changed_slot_voids_the_preview_and_its_yes_is_stale() {
    check(
        &[
            Session::say,
            WRITE,
            YES,
            ASKS,
            |s| s.signalled(SignalKind::Modify),
            |s| s.model(with_content("two")),
            YES,
            ASKS,
            |s| {
                let digest = Some(s.digest(Pick::Older));
                s.signalled(SignalKind::Affirm { digest })
            },
            |s| s.signalled(SignalKind::Affirm { digest: None }),
            Session::yes,
        ],
        expect![[r#"
            PROPOSING [propose message]
            DELIBERATING [deliberate]
            DRAWING [draw]
            CONFIRMING [confirm]
            PROPOSING [propose message]
            DELIBERATING [withdraw, deliberate]
            DRAWING [draw]
            CONFIRMING [confirm]
            CONFIRMING [reply stale]
            CONFIRMING [reply waiting]
            AUTHORIZING [authorize]"#]],
    );
}

#[test]
fn a_work_order_buys_drawing_and_nothing_else() {
    check(
        &[
            Session::say,
            |s| s.model(project()),
            |s| s.signalled(SignalKind::FollowUp),
            |s| s.model(project()),
            |s| s.signalled(SignalKind::Affirm { digest: None }),
            YES,
            |s| not_drawable(s, vec![NotDrawn::NoExecutor { task_type: TaskType::ProjectCreate }]),
        ],
        expect![[r#"
            PROPOSING [propose message]
            CONFIRMING_WORK_ORDER [confirm_work_order]
            PROPOSING [propose message]
            CONFIRMING_WORK_ORDER [confirm_work_order]
            DELIBERATING [deliberate]
            DRAWING [draw]
            LISTENING [reply not_drawable, close denied]"#]],
    );
}

#[test]
fn no_closes_the_spec_and_revision_asks_the_user() {
    let no: Move = |s| s.dacs(Consensus::No);
    check(
        &[Session::say, WRITE, no, Session::say, WRITE],
        expect![[r#"
            PROPOSING [propose message]
            DELIBERATING [deliberate]
            LISTENING [reply dacs_no, close denied]
            PROPOSING [propose message]
            LISTENING [reply dacs_no, close denied]"#]],
    );
    check(
        &[Session::say, WRITE, |s| s.dacs(Consensus::Revision), Session::say, WRITE],
        expect![[r#"
            PROPOSING [propose message]
            DELIBERATING [deliberate]
            INTERVIEWING [reply needs_revision]
            PROPOSING [propose revision]
            DELIBERATING [deliberate]"#]],
    );
}

#[test]
fn a_plan_is_drawn_three_times_and_then_the_user_is_asked() {
    check(
        &[
            Session::say,
            WRITE,
            YES,
            outside,
            |s| s.model(with_content("two")),
            YES,
            outside,
            |s| s.model(with_content("three")),
            YES,
            outside,
        ],
        expect![[r#"
            PROPOSING [propose message]
            DELIBERATING [deliberate]
            DRAWING [draw]
            PROPOSING [propose undrawable]
            DELIBERATING [deliberate]
            DRAWING [draw]
            PROPOSING [propose undrawable]
            DELIBERATING [deliberate]
            DRAWING [draw]
            INTERVIEWING [reply not_drawable, ask for nothing]"#]],
    );
    check(
        &[
            Session::say,
            WRITE,
            YES,
            |s| {
                let name = SlotName::parse(SlotName::TARGET_PATH).unwrap();
                not_drawable(s, vec![NotDrawn::Slot { name, code: "PATH".into() }])
            },
            WRITE,
        ],
        expect![[r#"
            PROPOSING [propose message]
            DELIBERATING [deliberate]
            DRAWING [draw]
            PROPOSING [propose undrawable]
            INTERVIEWING [reply not_drawable, ask for targetPath]"#]],
    );
}

/// A plan that could not be drawn, and the next one, which a model mended.
fn mended() -> Session {
    let mut session = Session::new();
    session.limits.drawings_max = 2;
    outside(session.say().model(write_a()).dacs(Consensus::Yes));
    session.model(with_content("two")).dacs(Consensus::Yes);
    session
}

/// After a run and after an edit the plan is another one.
#[test]
fn failed_drawings_of_an_earlier_plan_do_not_count() {
    let asks_the_model = |mut session: Session| {
        session.dacs(Consensus::Yes);
        outside(&mut session).state.name() == StateName::Proposing
    };
    let mut ran = mended();
    ran.draw(Asks::Nothing).allowed().finished(RunOutcome::Succeeded);
    ran.model(with_content("three"));
    assert!(asks_the_model(ran));
    let mut edited = mended();
    edited.draw(Asks::AnotherPerson).edited(&[(SlotName::CONTENT, "three")]);
    assert!(asks_the_model(edited));
    assert!(!asks_the_model(mended()), "the second of two");
}

#[test]
fn rulings_deny_expire_and_revise() {
    let deny = |codes: &[DenyCode]| RulingOutcome::Deny { codes: codes.to_vec(), under: None };
    let after = |ruling| {
        let mut session = Session::new();
        session.previewed(write_a(), Asks::Requester).yes().ruled(ruling).line()
    };
    let lines = [
        after(deny(&[DenyCode::ApprovalExpired])),
        after(deny(&[DenyCode::ApprovalExpired, DenyCode::Halted])),
        after(deny(&[DenyCode::DacsRevision])),
        after(deny(&[DenyCode::DacsNo, DenyCode::DacsRevision])),
        after(deny(&[])),
        after(RulingOutcome::Unavailable),
    ];
    expect![[r#"
        LISTENING [reply denied, close expired]
        LISTENING [reply denied, close denied]
        INTERVIEWING [reply denied]
        LISTENING [reply denied, close denied]
        LISTENING [reply denied, close denied]
        CONFIRMING [reply unavailable]"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn a_run_in_doubt_waits_for_a_person() {
    check(
        &[
            Session::say,
            WRITE,
            YES,
            ASKS,
            Session::yes,
            Session::allowed,
            |s| s.finished(RunOutcome::Indeterminate),
            Session::say,
            DONE,
        ],
        expect![[r#"
            PROPOSING [propose message]
            DELIBERATING [deliberate]
            DRAWING [draw]
            CONFIRMING [confirm]
            AUTHORIZING [authorize]
            RUNNING [run]
            RUNNING [reply run_indeterminate]
            RUNNING [reply busy]
            PROPOSING [propose facts]"#]],
    );
}

#[test]
fn rounds_are_limited() {
    let mut session = Session::new();
    session.say();
    let mut runs = 0;
    for round in 0..20 {
        let content = format!("round {round}");
        let pairs = [("targetPath", "a.md"), ("content", content.as_str())];
        session.model(proposal(Action::Execute, TaskType::FileWrite, &pairs));
        session.dacs(Consensus::Yes).draw(Asks::Nothing).allowed().finished(RunOutcome::Succeeded);
        runs += 1;
        if session.active().is_none() {
            break;
        }
    }
    assert_eq!(runs, session.limits.rounds_max);
    expect!["LISTENING [reply facts, reply round_limit, close done]"].assert_eq(&session.line());
}

#[test]
fn a_silent_model_leaves_everything_as_it_was_but_facts_are_reported() {
    let fails: Move = |s| {
        let outcome = ProposalOutcome::Failed { failure: ProposalFailure::Timeout };
        s.give(FlowInput::Proposed { turn: s.turn(Pick::Current), outcome })
    };
    check(
        &[Session::say, fails, Session::say, WRITE, YES, ASKS, Session::say, fails],
        expect![[r#"
            PROPOSING [propose message]
            LISTENING [reply model_failed]
            PROPOSING [propose message]
            DELIBERATING [deliberate]
            DRAWING [draw]
            CONFIRMING [confirm]
            PROPOSING [propose message]
            CONFIRMING [reply model_failed]"#]],
    );
    check(
        &[Session::say, WRITE, YES, ASKS, Session::yes, Session::allowed, DONE, fails],
        expect![[r#"
            PROPOSING [propose message]
            DELIBERATING [deliberate]
            DRAWING [draw]
            CONFIRMING [confirm]
            AUTHORIZING [authorize]
            RUNNING [run]
            PROPOSING [propose facts]
            LISTENING [reply facts, close done]"#]],
    );
}

#[test]
fn talk_never_reaches_a_deliberation() {
    for task_type in [TaskType::Conversation, TaskType::Information] {
        for action in [Action::Reply, Action::Ask, Action::Confirm, Action::Execute, Action::Cancel]
        {
            let mut session = Session::new();
            session.say().model(proposal(action, task_type, &[]));
            assert_eq!(session.line(), "LISTENING [reply model]");
        }
    }
}

#[test]
fn nothing_is_pending_while_listening() {
    check(
        &[
            |s| s.signalled(SignalKind::Affirm { digest: None }),
            |s| s.signalled(SignalKind::Cancel),
            |s| s.signalled(SignalKind::Remember),
            |s| s.signalled(SignalKind::Reset),
            Session::say,
            |s| s.model(Proposal { task_switch: TaskSwitch::New, ..read_b() }),
            Session::say,
        ],
        expect![[r#"
            LISTENING [reply nothing_to_confirm]
            LISTENING [reply nothing_to_cancel]
            LISTENING [reply remember]
            LISTENING [reply reset]
            PROPOSING [propose message]
            DELIBERATING [deliberate]
            DELIBERATING [reply busy]"#]],
    );
}

/// A NO closes the spec under the grounds that it was said under, and under no others.
#[test]
fn a_no_is_asked_again_under_another_policy_and_says_so() {
    let mut session = Session::new();
    assert!(!session.state.has_refused());
    session.say().model(write_a()).dacs(Consensus::No);
    session.say().model(write_a());
    assert_eq!(session.line(), "LISTENING [reply dacs_no, close denied]");
    assert!(session.state.has_refused());
    // The same grounds: it stays closed.
    assert!(!session.state.refused_otherwise(grounds(1)));
    session.give(FlowInput::Regrounded { under: grounds(1) });
    session.say().model(write_a());
    assert_eq!(session.line(), "LISTENING [reply dacs_no, close denied]");

    assert!(session.state.refused_otherwise(grounds(2)));
    session.give(FlowInput::Regrounded { under: grounds(2) });
    assert!(session.effects.is_empty() && !session.state.has_refused());
    session.say().model(write_a());
    let (from, to) = (grounds(1), grounds(2));
    let told = FlowEffect::Reply { reply: ReplyCode::Reopened { from, to } };
    assert_eq!(session.effects.first(), Some(&told));
    assert_eq!(session.line(), "DELIBERATING [reply reopened, deliberate]");
    // It is told once: the next NO closes it anew.
    session.dacs(Consensus::No);
    session.say().model(write_a());
    assert_eq!(session.line(), "LISTENING [reply dacs_no, close denied]");
}
