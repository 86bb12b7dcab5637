//! A yes that was said beforehand: what it is to, whom it is for, and where it never counts.

use crate::test_gate::{
    APPROVER, EDITOR, OWNER, TestGate, VIEWER, call_node, delete_node, id, literal, now,
    permissive, read_node, write_node,
};
use std::sync::Arc;
use wiiiv_domain::{
    ApprovalBy, ArgPlace, ArgSources, Asks, Blueprint, Confirmation, Consensus, DenyCode,
    GRANT_SECONDS_MAX, GRANT_USES_MAX, GrantTerms, HttpMethod, ProjectPolicy, Salt, SourceKind,
    StepId, StepParams, TaskType, Timestamp, UserId, ValueSource, ValueSources,
};
use wiiiv_gate::{
    ApprovalBasis, Claim, EvidenceSet, GateBasis, GrantGiven, GrantKey, GrantUses, Known, Mismatch,
    NotGrantable, PastRuling, Policy, PolicySnapshot, Principal, Purpose, Recorded, UsedGrant,
    UserEventKind, grant,
};

fn step(name: &str) -> StepId {
    StepId::parse(name).unwrap()
}

fn moved(at: Timestamp, ms: i64) -> Timestamp {
    Timestamp::from_unix_ms(at.unix_ms() + ms)
}

fn terms(test: &TestGate, plan: &Blueprint, of: Option<&StepId>) -> GrantTerms {
    GrantTerms {
        id: id(60),
        project: test.project,
        holder: test.requester,
        scope: grant::scope_of(plan, of).unwrap(),
        uses: 3,
        not_before: None,
        expires_at: now().plus_seconds(3_600),
        made_from: id(30),
        salt: Salt::from_bytes([9; 16]),
    }
}

type Made = Result<Recorded<GrantGiven>, NotGrantable>;

fn made(
    test: &TestGate,
    who: &Principal,
    (plan, of): (&Blueprint, Option<&StepId>),
    (terms, policy): (GrantTerms, &PolicySnapshot),
) -> Made {
    let digest = terms.digest().unwrap();
    let event = test.event(who, UserEventKind::Grant { grant: terms.id, digest });
    let given = grant::given(&event, (plan, of), terms, policy)?;
    Ok(test.record(&test.opened.registrar.take(given).unwrap()))
}

/// By the requester, to the one step of that name.
fn own(test: &TestGate, plan: &Blueprint, name: &str, policy: &PolicySnapshot) -> GrantUses {
    let (who, of) = (test.person(test.requester, EDITOR), step(name));
    let terms = terms(test, plan, Some(&of));
    let given = made(test, &who, (plan, Some(&of)), (terms, policy)).unwrap();
    GrantUses { given, used: 0 }
}

fn ruled(
    test: &TestGate,
    plan: &Blueprint,
    policy: &Arc<PolicySnapshot>,
    grants: Vec<GrantUses>,
) -> Claim {
    let evidence = EvidenceSet { grants, ..test.evidence(Vec::new()) };
    test.opened.keeper.rule(test.gather(plan.clone(), policy, evidence), now()).0
}

fn basis(claim: &Claim) -> ApprovalBasis {
    match &claim.record().answers[1].figures {
        GateBasis::Approval { basis } => basis.clone(),
        other => panic!("{other:?}"),
    }
}

const MISSING: [DenyCode; 1] = [DenyCode::ApprovalMissing];

#[test]
fn the_same_target_is_covered_with_another_content_and_another_one_is_not() {
    let test = TestGate::new();
    let policy = test.permissive();
    let first = test.write("notes/a.md", &policy);
    let granted = || vec![own(&test, &first, "write", &policy)];
    let mut next = test.write("notes/a.md", &policy);
    if let StepParams::FileWrite { content, .. } = &mut next.nodes[0].params {
        *content = literal("something else");
    }
    assert_ne!(next.digest().unwrap(), first.digest().unwrap());
    let claim = ruled(&test, &next, &policy, granted());
    let used = UsedGrant { grant: id(60), granter: test.requester, taken: 1 };
    assert_eq!(basis(&claim), ApprovalBasis::PreApproved { grants: vec![used] });
    let (holder, blueprint, digest) = (test.requester, next.id, next.digest().unwrap());
    let key = GrantKey { id: id(60), holder, granter: test.requester, blueprint, digest, taken: 1 };
    let guard = claim.guard().unwrap();
    assert_eq!((guard.grants.as_slice(), guard.consume.len()), ([key].as_slice(), 0));
    let text = serde_json::to_string(claim.record()).unwrap();
    assert!(text.contains("pre_approved") && !text.contains("notes"), "{text}");
    for other in ["notes/b.md", "notes/sub/a.md", "a.md"] {
        let claim = ruled(&test, &test.write(other, &policy), &policy, granted());
        assert_eq!(claim.record().codes(), MISSING, "{other}");
    }
    let standing = test.standing();
    let known = |grants| Known { standing: &standing, opinions: None, grants };
    let grants = granted();
    assert_eq!(test.opened.keeper.asks(&next, &policy, known(&grants)), Asks::Nothing);
    assert_eq!(test.opened.keeper.asks(&next, &policy, known(&[])), Asks::Requester);
}

#[test]
fn a_request_is_the_same_by_method_address_query_and_recipients() {
    let test = TestGate::new();
    let policy = test.permissive();
    let call = |method, body: &str| {
        let nodes = vec![call_node(method, "shop.test", Some(literal(body)))];
        let slots = [("intent", "send"), ("domain", "shop.test")];
        test.plan(TaskType::ApiWorkflow, &slots, nodes, &policy)
    };
    let first = call(HttpMethod::Post, r#"{"to":"kim@shop.test","text":"one"}"#);
    let codes = |plan: &Blueprint| {
        ruled(&test, plan, &policy, vec![own(&test, &first, "call", &policy)]).record().codes()
    };
    assert_eq!(codes(&call(HttpMethod::Post, r#"{"text":"two","to":"kim@shop.test"}"#)), []);
    for (method, body) in [
        (HttpMethod::Put, r#"{"to":"kim@shop.test","text":"one"}"#),
        (HttpMethod::Post, r#"{"to":"lee@shop.test","text":"one"}"#),
        (HttpMethod::Post, r#"{"to":"kim@shop.test","cc":"lee@shop.test"}"#),
        (HttpMethod::Post, r#"{"to":"kim@shop.test","text":"one","amount":9}"#),
        (HttpMethod::Post, r#"{"to":"kim@shop.test","text":"one","title":"two"}"#),
        (HttpMethod::Post, r#"{"to":"kim@shop.test","text":1}"#),
        (HttpMethod::Post, r#"{"to":"kim@shop.test"}"#),
        (HttpMethod::Post, r#"{"to":"lee@shop.test","to":"kim@shop.test"}"#),
        (HttpMethod::Post, r#"["kim@shop.test"]"#),
        (HttpMethod::Post, "to=kim@shop.test"),
    ] {
        assert_eq!(codes(&call(method, body)), MISSING, "{body}");
    }
    let mut asks_more = first.clone();
    if let StepParams::ApiCall { url, .. } = &mut asks_more.nodes[0].params {
        url.query.push(("all".into(), literal("true")));
    }
    assert_eq!(codes(&asks_more), MISSING);
    let mut registered = first.clone();
    if let StepParams::ApiCall { url, .. } = &mut registered.nodes[0].params {
        url.system = Some(wiiiv_domain::SystemName::parse("shop").unwrap());
    }
    assert_eq!(codes(&registered), MISSING, "its credential would go along");
}

#[test]
fn each_step_that_changes_something_takes_one_use_and_all_have_to_be_covered() {
    let test = TestGate::new();
    let policy = test.permissive();
    let named = |name: &str| {
        let body = Some(literal("{}"));
        wiiiv_domain::Node { id: step(name), ..call_node(HttpMethod::Post, "shop.test", body) }
    };
    let slots = [("intent", "send"), ("domain", "shop.test")];
    let plan = |nodes| test.plan(TaskType::ApiWorkflow, &slots, nodes, &policy);
    let look = call_node(HttpMethod::Get, "shop.test", None);
    let two = plan(vec![look, named("one"), named("two")]);
    let with = |used| GrantUses { used, ..own(&test, &two, "one", &policy) };
    let claim = ruled(&test, &two, &policy, vec![with(1)]);
    let used = UsedGrant { grant: id(60), granter: test.requester, taken: 2 };
    assert_eq!(basis(&claim), ApprovalBasis::PreApproved { grants: vec![used] });
    assert_eq!(ruled(&test, &two, &policy, vec![with(2)]).record().codes(), MISSING, "one is left");
    assert_eq!(ruled(&test, &two, &policy, vec![with(9)]).record().codes(), MISSING);
    let beside = plan(vec![named("one"), write_node("notes/a.md")]);
    assert_eq!(ruled(&test, &beside, &policy, vec![with(0)]).record().codes(), MISSING);
}

#[test]
fn a_plan_of_exactly_the_same_steps_is_covered_as_a_whole() {
    let test = TestGate::new();
    let policy = test.permissive();
    let first = test.write("notes/a.md", &policy);
    let who = test.person(test.requester, EDITOR);
    let whole = || {
        let given = made(&test, &who, (&first, None), (terms(&test, &first, None), &policy));
        vec![GrantUses { given: given.unwrap(), used: 0 }]
    };
    let again = Blueprint { id: id(77), ..first.clone() };
    let claim = ruled(&test, &again, &policy, whole());
    assert!(matches!(basis(&claim), ApprovalBasis::PreApproved { .. }), "{:?}", basis(&claim));
    let mut more = first.clone();
    more.nodes.push(read_node("notes/b.md"));
    assert_eq!(ruled(&test, &more, &policy, whole()).record().codes(), MISSING);
    let mut other = first.clone();
    other.contracts.insert(wiiiv_domain::ExecutorId::new("file"), 9);
    assert!(ruled(&test, &other, &policy, whole()).guard().is_none());
}

#[test]
fn it_never_counts_for_what_people_are_asked_about_each_time() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("notes/a.md", &policy);
    let granted = || vec![own(&test, &plan, "write", &policy)];
    let refused = |plan: &Blueprint| grant::scope_of(plan, Some(&step("write"))).err();

    let mut risky = plan.clone();
    risky.spec_snapshot.deliberation.risky = true;
    assert_eq!(refused(&risky), Some(NotGrantable::Risky));
    assert_eq!(ruled(&test, &risky, &policy, granted()).record().codes(), MISSING);

    let mut doubted = plan.clone();
    doubted.spec_snapshot.deliberation.consensus = Consensus::Revision;
    assert_eq!(refused(&doubted), Some(NotGrantable::Review));
    assert!(ruled(&test, &doubted, &policy, granted()).guard().is_none());

    let mut edit = plan.clone();
    edit.spec_snapshot.spec.task_type = TaskType::CodeEdit;
    assert_eq!(refused(&edit), Some(NotGrantable::EachTime));
    assert!(ruled(&test, &edit, &policy, granted()).guard().is_none());

    let mut removes = plan.clone();
    removes.nodes.push(delete_node("notes/b.md"));
    assert_eq!(refused(&removes), Some(NotGrantable::EachTime));
    assert!(ruled(&test, &removes, &policy, granted()).guard().is_none());

    let mut calls = plan.clone();
    calls.nodes.push(call_node(HttpMethod::Delete, "shop.test", None));
    assert_eq!(refused(&calls), Some(NotGrantable::EachTime), "a service removes it");

    let source =
        ValueSource::Step { execution: id(41), step: step("page"), kind: SourceKind::Page };
    let foreign = |place| {
        let sources = ArgSources::from([(place, ValueSources::from_iter([source.clone()]))]);
        Blueprint { sources: [(step("write"), sources)].into(), ..plan.clone() }
    };
    assert_eq!(refused(&foreign(ArgPlace::Path)), Some(NotGrantable::Foreign));
    let claim = ruled(&test, &foreign(ArgPlace::Path), &policy, granted());
    assert_eq!(claim.record().codes(), MISSING);
    assert_eq!(refused(&foreign(ArgPlace::Content)), None, "it stays where the plan says");
    assert!(ruled(&test, &foreign(ArgPlace::Content), &policy, granted()).guard().is_some());
}

#[test]
fn a_tainted_turn_is_asked() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("notes/a.md", &policy);
    let standing = wiiiv_gate::Standing { tainted: true, ..test.standing() };
    let grants = vec![own(&test, &plan, "write", &policy)];
    let evidence = EvidenceSet { grants, standing, ..test.evidence(Vec::new()) };
    let cx = test.gather(plan, &policy, evidence);
    assert_eq!(test.opened.keeper.rule(cx, now()).0.record().codes(), MISSING);
}

#[test]
fn the_policy_of_the_use_decides_whose_yes_counts() {
    let test = TestGate::new();
    let lax = test.permissive();
    let plan = test.write("notes/a.md", &lax);
    let with = |change: fn(&mut ProjectPolicy)| {
        let mut rules = permissive();
        change(&mut rules);
        test.snapshot(rules)
    };
    let dual = with(|rules| rules.approval.normal.by = ApprovalBy::AnotherPerson);
    let two = with(|rules| {
        (rules.approval.normal.by, rules.approval.normal.approvers) =
            (ApprovalBy::AnotherPerson, 2);
    });
    let of = step("write");
    let by = |who: u128, rights, policy: &Arc<PolicySnapshot>| {
        let terms = terms(&test, &plan, Some(&of));
        made(&test, &test.person(id(who), rights), (&plan, Some(&of)), (terms, policy))
    };
    let own_id = test.requester.uuid().as_u128();
    assert_eq!(by(own_id, OWNER, &dual).err(), Some(NotGrantable::NotAllowed), "by another person");
    assert_eq!(by(5, EDITOR, &lax).err(), Some(NotGrantable::NotAllowed), "somebody else's plans");
    assert_eq!(by(own_id, VIEWER, &lax).err(), Some(NotGrantable::NotAllowed));
    assert_eq!(by(5, APPROVER, &two).err(), Some(NotGrantable::Several));
    let own = || GrantUses { given: by(own_id, EDITOR, &lax).unwrap(), used: 0 };
    let others = || GrantUses { given: by(5, APPROVER, &dual).unwrap(), used: 0 };
    let allowed = |policy, grant| ruled(&test, &plan, policy, vec![grant]).guard().is_some();
    assert!(allowed(&lax, own()) && !allowed(&dual, own()) && !allowed(&two, own()));
    assert!(allowed(&lax, others()) && allowed(&dual, others()) && !allowed(&two, others()));
    let always = with(|rules| {
        rules.confirmation.insert(TaskType::FileWrite, Confirmation::Never);
    });
    let claim = ruled(&test, &plan, &always, vec![own()]);
    assert!(claim.guard().unwrap().grants.is_empty(), "nothing is used where nobody is asked");
}

/// By the time of the ruling, as its end; whether a plan is asked about, by the time when it was drawn.
#[test]
fn before_its_beginning_it_covers_nothing() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("notes/a.md", &policy);
    let (who, write) = (test.person(test.requester, EDITOR), step("write"));
    let (begins, ends) = (now().plus_seconds(60), now().plus_seconds(3_600));
    let granted = |of: Option<&StepId>| {
        let terms = GrantTerms { not_before: Some(begins), ..terms(&test, &plan, of) };
        let given = made(&test, &who, (&plan, of), (terms, &policy)).unwrap();
        vec![GrantUses { given, used: 0 }]
    };
    let times = [
        (now(), false),
        (moved(begins, -1), false),
        (begins, true),
        (moved(ends, -1), true),
        (ends, false),
    ];
    for of in [None, Some(&write)] {
        for (at, counts) in times {
            let evidence = EvidenceSet { grants: granted(of), ..test.evidence(Vec::new()) };
            let cx = test.gather(plan.clone(), &policy, evidence);
            let claim = test.opened.keeper.rule(cx, at).0;
            assert_eq!(claim.guard().is_some(), counts, "{at}");
            assert_eq!(claim.record().codes() == MISSING, !counts, "{at}");
        }
    }
    let standing = test.standing();
    let asked_at = |at| {
        let mut plan = plan.clone();
        plan.spec_snapshot.at = at;
        let grants = granted(None);
        let known = Known { standing: &standing, opinions: None, grants: &grants };
        test.opened.keeper.asks(&plan, &policy, known)
    };
    assert_eq!(asked_at(moved(begins, -1)), Asks::Requester);
    assert_eq!(asked_at(begins), Asks::Nothing);
}

/// Its end is counted from the giving, whenever it begins.
#[test]
fn it_begins_now_or_later_and_before_its_end() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("notes/a.md", &policy);
    let who = test.person(test.requester, EDITOR);
    let refused = |not_before, expires_at| {
        let not_before = Some(not_before);
        let terms = GrantTerms { not_before, expires_at, ..terms(&test, &plan, None) };
        made(&test, &who, (&plan, None), (terms, &policy)).err()
    };
    let (end, latest) = (now().plus_seconds(3_600), now().plus_seconds(GRANT_SECONDS_MAX));
    for from in [now(), moved(end, -1)] {
        assert_eq!(refused(from, end), None, "{from}");
    }
    for from in [moved(now(), -1), end, moved(end, 1)] {
        assert_eq!(refused(from, end), Some(NotGrantable::Beginning), "{from}");
    }
    assert_eq!(refused(moved(latest, -1), latest), None);
    assert_eq!(refused(moved(latest, -1), moved(latest, 1)), Some(NotGrantable::Expiry));
}

#[test]
fn bounds_and_bindings_of_the_terms() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("notes/a.md", &policy);
    let (who, of) = (test.person(test.requester, EDITOR), step("write"));
    let with = |change: fn(&mut GrantTerms)| {
        let mut terms = terms(&test, &plan, Some(&of));
        change(&mut terms);
        made(&test, &who, (&plan, Some(&of)), (terms, &policy)).err()
    };
    assert_eq!(with(|terms| terms.uses = GRANT_USES_MAX), None);
    assert_eq!(with(|terms| terms.uses = GRANT_USES_MAX + 1), Some(NotGrantable::Uses));
    assert_eq!(with(|terms| terms.uses = 0), Some(NotGrantable::Uses));
    assert_eq!(with(|terms| terms.expires_at = now()), Some(NotGrantable::Expiry));
    let latest = |terms: &mut GrantTerms| terms.expires_at = now().plus_seconds(GRANT_SECONDS_MAX);
    assert_eq!(with(latest), None);
    let later =
        |terms: &mut GrantTerms| terms.expires_at = now().plus_seconds(GRANT_SECONDS_MAX + 1);
    assert_eq!(with(later), Some(NotGrantable::Expiry));
    assert!(with(|terms| terms.project = id(99)).is_some());
    // Terms that name another target than the step has.
    let elsewhere = test.write("notes/b.md", &policy);
    let odd = terms(&test, &elsewhere, Some(&of));
    assert!(made(&test, &who, (&plan, Some(&of)), (odd, &policy)).is_err());
    // An act that names other terms.
    let (said, meant) = (terms(&test, &plan, Some(&of)), terms(&test, &plan, None));
    let kind = UserEventKind::Grant { grant: said.id, digest: said.digest().unwrap() };
    let event = test.event(&who, kind);
    assert!(grant::given(&event, (&plan, None), meant, &policy).is_err());
    assert_eq!(grant::scope_of(&plan, Some(&step("other"))).err(), Some(NotGrantable::NoStep));
}

#[test]
fn evidence_of_somebody_else_or_of_another_opening_is_refused() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("notes/a.md", &policy);
    let gathered = |plan: Blueprint, grants| {
        let evidence = EvidenceSet { grants, ..test.evidence(Vec::new()) };
        let purpose = Purpose::Start(id(41));
        let policy = Arc::clone(&policy);
        let done = test.opened.keeper.gather(id(40), purpose, plan, policy, evidence);
        done.err().map(|error| error.why)
    };
    let there = TestGate::new();
    let foreign = vec![own(&there, &plan, "write", &there.permissive())];
    assert_eq!(gathered(plan.clone(), foreign), Some(Mismatch::Foreign));
    let mut others = plan.clone();
    others.spec_snapshot.requester = UserId::from_uuid(uuid::Uuid::from_u128(8));
    let granted = vec![own(&test, &plan, "write", &policy)];
    assert_eq!(gathered(others, granted), Some(Mismatch::OtherSubject));
}

#[test]
fn a_replay_rests_on_the_grants_that_the_record_names() {
    let test = TestGate::new();
    let policy = test.permissive();
    let plan = test.write("notes/a.md", &policy);
    let used = own(&test, &plan, "write", &policy);
    let claim = ruled(&test, &plan, &policy, vec![own(&test, &plan, "write", &policy)]);
    let grants = [used.given];
    let past = PastRuling {
        record: claim.record(),
        plan: &plan,
        approvals: &[],
        grants: &grants,
        inputs: None,
    };
    let judged = |past: &PastRuling<'_>, rules: &ProjectPolicy| {
        let policy = Policy::compile(rules.clone(), &wiiiv_domain::PriceTable::default()).unwrap();
        test.opened.keeper.replay(past, &policy)
    };
    let same = judged(&past, &permissive()).unwrap();
    assert!(same.is_as(claim.record()) && same.asks == Asks::Nothing);
    let mut dual = permissive();
    dual.approval.normal.by = ApprovalBy::AnotherPerson;
    let stricter = judged(&past, &dual).unwrap();
    assert_eq!(stricter.findings.approval.answer.denial(), Some(DenyCode::ApprovalMissing));
    assert_eq!(stricter.asks, Asks::AnotherPerson);
    let without = PastRuling { grants: &[], ..past };
    assert!(!judged(&without, &permissive()).unwrap().is_as(claim.record()));
    // A ruling that rests on none is not let through by one that is brought along.
    let denied = ruled(&test, &plan, &policy, Vec::new());
    let past = PastRuling { record: denied.record(), ..past };
    assert!(judged(&past, &permissive()).unwrap().is_as(denied.record()));
    let there = TestGate::new();
    let foreign = [own(&there, &plan, "write", &there.permissive()).given];
    let past = PastRuling { grants: &foreign, ..past };
    assert_eq!(judged(&past, &permissive()), Err(Mismatch::Foreign));
}

/// Nor from a plan of which they wrote a value in another's place.
#[test]
fn whoever_wrote_a_value_of_the_plan_gives_none_from_it() {
    let test = TestGate::new();
    let mut dual = permissive();
    dual.approval.normal.by = ApprovalBy::AnotherPerson;
    let policy = test.snapshot(dual);
    let plan = crate::edits::edited(&test, &policy, id(4));
    let give = |user: u128| {
        let who = test.person(id(user), APPROVER);
        made(&test, &who, (&plan, None), (terms(&test, &plan, None), &policy))
    };
    assert_eq!(give(4).err(), Some(NotGrantable::NotAllowed));
    assert!(give(5).is_ok());
}
