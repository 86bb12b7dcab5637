//! A body has one maker, and it rests on an authenticated event.

use crate::test_gate::{
    APPROVER, EDITOR, OWNER, TestGate, VIEWER, execution, id, now, permissive, ruling,
};
use std::sync::Arc;
use wiiiv_domain::{
    ApprovalBy, ContentDigest, DacsStage, ProviderName, ReviewingModel, SpecDigest, Vote,
};
use wiiiv_gate::{
    ApprovalGiven, Corrupt, EvidenceError, EvidenceSet, ExecutionStarted, Mismatch, PolicyError,
    PolicyVersion, Purpose, Resolution, UserEvent, UserEventKind, approval, consensus, dacs,
    policy,
    rollout::{self, RolloutFigures},
};

#[test]
fn an_event_that_says_something_else_is_no_approval() {
    let test = TestGate::new();
    let snapshot = test.permissive();
    let asked = test.request(&test.write("a.md", &snapshot), ApprovalBy::Requester);
    let who = test.person(test.requester, EDITOR);
    let (ours, blueprint, digest) = (asked.id, asked.blueprint, asked.digest);
    let delegation = None;
    let other = test.write("b.md", &snapshot).digest().unwrap();
    let cases = [
        (UserEventKind::Said { turn: id(50) }, EvidenceError::OtherSubject),
        (
            UserEventKind::Reject { approval: ours, blueprint, digest, delegation },
            EvidenceError::OtherSubject,
        ),
        (
            UserEventKind::Approve { approval: id(99), blueprint, digest, delegation },
            EvidenceError::OtherSubject,
        ),
        (
            UserEventKind::Approve { approval: ours, blueprint: id(99), digest, delegation },
            EvidenceError::OtherSubject,
        ),
        (
            UserEventKind::Approve { approval: ours, blueprint, digest: other, delegation },
            EvidenceError::StaleDigest,
        ),
        // Said on behalf of somebody: it needs their delegation.
        (
            UserEventKind::Approve { approval: ours, blueprint, digest, delegation: Some(id(60)) },
            EvidenceError::OtherSubject,
        ),
        (
            UserEventKind::Resolve {
                execution: execution(),
                step: wiiiv_domain::StepId::parse("x").unwrap(),
                resolution: Resolution::Happened,
            },
            EvidenceError::OtherSubject,
        ),
    ];
    let asked = test.opened.registrar.asked(asked);
    for (kind, expected) in cases {
        let event = test.event(&who, kind);
        assert_eq!(approval::given(&event, &asked).err(), Some(expected));
    }
}

#[test]
fn who_may_say_yes_follows_the_rule() {
    let test = TestGate::new();
    let snapshot = test.permissive();
    let plan = test.write("a.md", &snapshot);
    let (requester, other) = (test.requester, id(4));
    let cases = [
        (ApprovalBy::Requester, requester, EDITOR, true),
        (ApprovalBy::Requester, requester, VIEWER, false),
        (ApprovalBy::Requester, other, EDITOR, false),
        (ApprovalBy::Requester, other, APPROVER, true),
        (ApprovalBy::AnotherPerson, requester, OWNER, false),
        (ApprovalBy::AnotherPerson, other, APPROVER, true),
        (ApprovalBy::AnotherPerson, other, EDITOR, false),
        (ApprovalBy::AnotherPerson, other, OWNER, true),
    ];
    for (by, user, rights, allowed) in cases {
        let said = test.yes(&test.person(user, rights), &test.request(&plan, by));
        let expected = if allowed { None } else { Some(EvidenceError::NotAllowed) };
        assert_eq!(said.err(), expected, "{by:?} {rights:?}");
    }
}

#[test]
fn a_yes_after_the_question_expired_is_none() {
    let test = TestGate::new();
    let snapshot = test.permissive();
    let mut asked = test.request(&test.write("a.md", &snapshot), ApprovalBy::Requester);
    asked.expires_at = now();
    let said = test.yes(&test.person(test.requester, EDITOR), &asked);
    assert_eq!(said.err(), Some(EvidenceError::Expired { at: now().to_string() }));
}

#[test]
fn rights_looked_up_for_one_project_are_not_used_in_another() {
    let test = TestGate::new();
    let who = test.opened.registrar.principal(
        (id(3), uuid::Uuid::nil()),
        "somebody",
        Some(id(98)),
        OWNER,
    );
    let said = UserEventKind::Said { turn: id(50) };
    let event = UserEvent::of(&who, test.project, None, said.clone(), now());
    assert_eq!(event.err(), Some(EvidenceError::OtherProject));
    let nowhere =
        test.opened.registrar.principal((id(3), uuid::Uuid::nil()), "somebody", None, OWNER);
    assert!(UserEvent::of(&nowhere, test.project, None, said, now()).is_err());
}

#[test]
fn a_policy_version_needs_an_edit_of_that_very_document_by_somebody_who_may() {
    let test = TestGate::new();
    let owner = test.person(id(5), OWNER);
    let mut document = test.document(permissive());
    (document.number, document.author) = (2, Some(id(5)));
    let digest = policy::digest(&document).unwrap();
    let edit = |who, digest| test.event(who, UserEventKind::EditPolicy { digest });
    let first = test.record(&policy::initial(test.document(permissive())).unwrap());
    let made = policy::edited(&edit(&owner, digest), document.clone(), &first).unwrap();
    let made = test.opened.registrar.take(made).unwrap();
    assert_eq!(made.document(), &document);
    assert!(made.event().is_some());

    let mut kinder = document.clone();
    kinder.policy.allowed_paths.push("etc".into());
    let refused = policy::edited(&edit(&owner, digest), kinder, &first);
    assert_eq!(refused.err(), Some(EvidenceError::StaleDigest));
    let editor = test.person(id(5), EDITOR);
    let refused = policy::edited(&edit(&editor, digest), document.clone(), &first);
    assert_eq!(refused.err(), Some(EvidenceError::NotAllowed));
    let said = test.event(&owner, UserEventKind::Said { turn: id(50) });
    let refused = policy::edited(&said, document.clone(), &first);
    assert_eq!(refused.err(), Some(EvidenceError::OtherSubject));
    let foreign = TestGate::new();
    let foreign = foreign.record(&policy::initial(test.document(permissive())).unwrap());
    let refused = policy::edited(&edit(&owner, digest), document.clone(), &foreign);
    assert_eq!(refused.err(), Some(EvidenceError::Foreign));
    assert_eq!(policy::initial(document.clone()).err(), Some(EvidenceError::OtherSubject));
    document.project = id(98);
    let digest = policy::digest(&document).unwrap();
    let refused = policy::edited(&edit(&owner, digest), document, &first);
    assert_eq!(refused.err(), Some(EvidenceError::OtherProject));
}

#[test]
fn the_stage_changes_by_promote_and_demote_alone() {
    let test = TestGate::new();
    let owner = test.person(id(5), OWNER);
    let first = test.record(&policy::initial(test.document(permissive())).unwrap());
    let next = |number, stage| {
        let mut document = test.document(permissive());
        (document.number, document.author) = (number, Some(id(5)));
        document.policy.dacs_stage = stage;
        let digest = policy::digest(&document).unwrap();
        (document, digest)
    };
    let earned = || {
        let figures = RolloutFigures { evaluated: 150, ..RolloutFigures::default() };
        rollout::earned(&figures, true, false).unwrap()
    };
    let (enforcing, digest) = next(2, DacsStage::Enforce);
    let edit = test.event(&owner, UserEventKind::EditPolicy { digest });
    let refused = policy::edited(&edit, enforcing.clone(), &first);
    assert_eq!(refused.err(), Some(EvidenceError::StageEdited));

    let promote = test.event(&owner, UserEventKind::Promote { digest });
    let made = policy::promoted(&promote, enforcing.clone(), &first, earned()).unwrap();
    let second = test.record(&test.opened.registrar.take(made).unwrap());
    let other = |refused: Result<_, EvidenceError>| {
        assert_eq!(refused.map(drop).err(), Some(EvidenceError::OtherSubject));
    };
    other(policy::promoted(&edit, enforcing.clone(), &first, earned()));
    let mut wider = enforcing.clone();
    wider.policy.allowed_paths.push("elsewhere".into());
    other(policy::promoted(&promote, wider, &first, earned()));
    other(policy::promoted(&promote, enforcing.clone(), &second, earned()));
    let editor = test.event(&test.person(id(5), EDITOR), UserEventKind::Promote { digest });
    let refused = policy::promoted(&editor, enforcing.clone(), &first, earned());
    assert_eq!(refused.err(), Some(EvidenceError::NotAllowed));

    let (watching, digest) = next(3, DacsStage::Observe);
    other(policy::demoted(&promote, watching.clone(), &second));
    let edit = test.event(&owner, UserEventKind::EditPolicy { digest });
    let refused = policy::edited(&edit, watching.clone(), &second);
    assert_eq!(refused.err(), Some(EvidenceError::StageEdited));
    let demote = test.event(&owner, UserEventKind::Demote { digest });
    other(policy::demoted(&demote, watching.clone(), &first));
    assert!(policy::demoted(&demote, watching, &second).is_ok());
}

#[test]
fn a_policy_that_does_not_compile_is_no_version() {
    let test = TestGate::new();
    let refused = |change: fn(&mut wiiiv_domain::ProjectPolicy)| {
        let mut policy = permissive();
        change(&mut policy);
        match policy::initial(test.document(policy)) {
            Err(EvidenceError::Policy(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        refused(|p| p.allowed_paths = vec!["../up".into()]),
        PolicyError::Path("../up".into())
    );
    for host in [
        "*",
        "Shop.test",
        "https://shop.test",
        "",
        "*.",
        "shop.test/x",
        "shop.test.",
        "a:b",
        "[::1].x",
    ] {
        let mut policy = permissive();
        policy.allowed_hosts = vec![crate::test_gate::host(host)];
        let made = policy::initial(test.document(policy));
        let expected = EvidenceError::Policy(PolicyError::Host(host.into()));
        assert_eq!(made.err(), Some(expected));
    }
    assert_eq!(refused(|p| p.version = 2), PolicyError::Version(2));
    assert_eq!(
        refused(|p| p.llm_provider = wiiiv_domain::ProviderName::Custom),
        PolicyError::BaseUrl
    );
    assert_eq!(refused(|p| p.approval.risky.ttl_seconds = 0), PolicyError::TimeToLive("risky"));
    assert_eq!(refused(|p| p.minimum_green = 89), PolicyError::MinimumGreen);
    assert_eq!(refused(|p| p.minimum_green = 101), PolicyError::MinimumGreen);
    assert_eq!(
        refused(|p| p.token_budget.per_day = Some(1 << 53)),
        PolicyError::TooLarge("tokenBudget.perDay")
    );
}

fn digest(bytes: &[u8]) -> ContentDigest {
    ContentDigest::of_bytes(bytes)
}

#[test]
fn bytes_that_the_audit_does_not_name_are_no_evidence() {
    let test = TestGate::new();
    let policy = test.record(&policy::initial(test.document(permissive())).unwrap());
    let bytes = serde_json::to_vec(policy.body()).unwrap();
    let changed = String::from_utf8(bytes.clone()).unwrap().replace("allowedHosts", "deniedHosts");
    let at = test.next();
    let registrar = &test.opened.registrar;
    let refused = registrar.restore::<PolicyVersion>(at, changed.as_bytes(), digest(&bytes));
    assert_eq!(refused.unwrap_err(), Corrupt::Changed { at: at.get() });
}

#[test]
fn a_row_that_is_something_else_is_corrupt_and_its_text_stays_out() {
    let test = TestGate::new();
    let event =
        test.event(&test.person(test.requester, EDITOR), UserEventKind::Said { turn: id(50) });
    let bytes = serde_json::to_vec(event.body()).unwrap();
    let registrar = &test.opened.registrar;
    let at = test.next();
    let corrupt = registrar.restore::<ApprovalGiven>(at, &bytes, digest(&bytes)).unwrap_err();
    assert_eq!(corrupt, Corrupt::Shape { at: at.get(), kind: "approval" });
    assert!(
        registrar
            .restore::<PolicyVersion>(at, b"{\"secret\":1}", digest(b"{\"secret\":1}"))
            .is_err()
    );
    let newer = String::from_utf8(bytes).unwrap().replace("\"version\":1", "\"version\":2");
    let corrupt =
        registrar.restore::<UserEvent>(at, newer.as_bytes(), digest(newer.as_bytes())).unwrap_err();
    assert_eq!(corrupt, Corrupt::Version { at: at.get(), kind: "user event", version: 2 });
}

#[test]
fn a_persona_that_is_missing_malformed_or_heard_twice_abstains() {
    let spec = SpecDigest::of_bytes(b"spec");
    let votes = |text: &str| -> Vec<Vote> {
        dacs::parse(spec, text.as_bytes()).unwrap().opinions().iter().map(|o| o.vote).collect()
    };
    let one = r#"{"persona":"architect","vote":"APPROVE","concerns":[],"reason":""}"#;
    let three = format!(
        "{one},{},{}",
        one.replace("architect", "reviewer"),
        one.replace("architect", "adversary")
    );
    assert_eq!(votes(&format!("{{\"opinions\":[{three}]}}")), [Vote::Approve; 3]);
    assert_eq!(
        votes(&format!("{{\"opinions\":[{one}]}}")),
        [Vote::Approve, Vote::Abstain, Vote::Abstain]
    );
    assert_eq!(votes(&format!("{{\"opinions\":[{three},{one}]}}"))[0], Vote::Abstain);
    let coded = one.replace("\"concerns\":[]", "\"concerns\":[\"free text\"]");
    assert_eq!(votes(&format!("{{\"opinions\":[{coded}]}}")), [Vote::Abstain; 3]);
    for bad in ["", "[]", "{\"opinions\":1}", "{\"opinions\":[],\"allow\":true}"] {
        assert!(dacs::parse(spec, bad.as_bytes()).is_err(), "{bad}");
    }
    let long = vec![b' '; dacs::OPINIONS_BYTES_MAX + 1];
    assert!(dacs::parse(spec, &long).is_err());
    assert_eq!(consensus([]), wiiiv_domain::Consensus::Revision);
}

#[test]
fn an_answer_of_personas_is_bounded_and_names_their_model() {
    let spec = SpecDigest::of_bytes(b"spec");
    let one = |code: &str| {
        format!(
            "{{\"opinions\":[{{\"persona\":\"architect\",\"vote\":\"APPROVE\",\
             \"concerns\":[\"{code}\"],\"reason\":\"\"}}]}}"
        )
    };
    let vote = |code: &str| dacs::parse(spec, one(code).as_bytes()).unwrap().opinions()[0].vote;
    for code in ["A", "9", "_", "Z9_", &"A".repeat(64)] {
        assert_eq!(vote(code), Vote::Approve, "{code}");
    }
    for code in ["", "a", "A B", "A-B", "가", &"A".repeat(65)] {
        assert_eq!(vote(code), Vote::Abstain, "{code}");
    }
    let padded = |bytes: usize| {
        let mut text = one("A").into_bytes();
        text.resize(bytes, b' ');
        dacs::parse(spec, &text)
    };
    for more in [1, 2] {
        let found = padded(dacs::OPINIONS_BYTES_MAX + more);
        assert_eq!(found.err(), Some(EvidenceError::Opinions("too long")));
    }
    let heard = padded(dacs::OPINIONS_BYTES_MAX).unwrap();
    assert_eq!(heard.model(), None);
    let model = ReviewingModel { provider: ProviderName::Ollama, model: "m".into() };
    assert_eq!(heard.by(model.clone()).model(), Some(&model));
}

#[test]
fn records_about_another_subject_are_refused() {
    let test = TestGate::new();
    let snapshot = test.permissive();
    let plan = test.write("a.md", &snapshot);
    let gather = |evidence: EvidenceSet, purpose| {
        let keeper = &test.opened.keeper;
        let cx = keeper.gather(ruling(), purpose, plan.clone(), Arc::clone(&snapshot), evidence);
        cx.err().map(|e| e.why)
    };
    let start = || Purpose::Start(execution());
    let mut other = plan.clone();
    other.id = id(97);
    let theirs = test.evidence(vec![test.own_yes(&other)]);
    assert_eq!(gather(theirs, start()), Some(Mismatch::OtherSubject));
    let opinions = dacs::parse(SpecDigest::of_bytes(b"other"), b"{\"opinions\":[]}").unwrap();
    let deliberation = Some(test.record(&opinions));
    let theirs = EvidenceSet { deliberation, ..test.evidence(Vec::new()) };
    assert_eq!(gather(theirs, start()), Some(Mismatch::OtherSubject));
    let mut elsewhere = test.evidence(Vec::new());
    elsewhere.standing.session = id(96);
    assert_eq!(gather(elsewhere, start()), Some(Mismatch::OtherSession));
    let started = started(&test, &other, &snapshot);
    let purpose = Purpose::Resume(test.record(&started));
    assert_eq!(gather(test.evidence(Vec::new()), purpose), Some(Mismatch::OtherSubject));
}

fn started(
    test: &TestGate,
    plan: &wiiiv_domain::Blueprint,
    snapshot: &Arc<wiiiv_gate::PolicySnapshot>,
) -> ExecutionStarted {
    let (claim, _) = test.rule(plan.clone(), snapshot, vec![test.own_yes(plan)]);
    claim.started().unwrap()
}

#[test]
fn the_policy_of_another_project_is_refused() {
    let test = TestGate::new();
    let snapshot = test.permissive();
    let mut plan = test.write("a.md", &snapshot);
    plan.project = id(95);
    let given = test.evidence(Vec::new());
    let keeper = &test.opened.keeper;
    let refused = keeper.gather(ruling(), Purpose::Start(execution()), plan, snapshot, given);
    assert_eq!(refused.unwrap_err().why, Mismatch::OtherProject);
}
