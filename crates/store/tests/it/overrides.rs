//! Overrides of a policy: two people, one commit, an end that is enforced by time, and one run for one request.

use crate::{
    commits::{begun, commit, moved, new_policy},
    plan::{step, success, write_plan},
    seals::{by_hand, looked},
    test_store::{TestStore, new_id, now, password, permissive},
};
use secrecy::ExposeSecret as _;
use std::time::Duration;
use wiiiv_domain::{
    Blueprint, DenyCode, OverrideEnd, OverrideMark, OverrideProposal, OverrideScope,
    PolicyDocument, ProjectPolicy, RunOutcome, Timestamp, UserId,
};
use wiiiv_gate::{
    EvidenceError, Principal, Resolved, Unrecorded, UserEvent, UserEventKind, policy_override,
};
use wiiiv_store::{
    AuditFilter, AuditFit, Boundary, Chain, CommitRefused, EndOverride, HowEnded, Moved,
    NewOverride, NewUser, OverrideRefused, Point, Role, StoreError, TokenScope, Write,
};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Files in `other` alone: a plan of `notes/a.md` is denied.
fn narrow() -> ProjectPolicy {
    ProjectPolicy { allowed_paths: vec!["other".into()], ..permissive() }
}

/// Another person of that role, and what they are let in as.
async fn member(test: &TestStore, name: &str, role: Role) -> (UserId, Principal) {
    let new = NewUser { name: name.to_owned(), password: password(), admin: false };
    let user = test.store.create_user(new, permissive()).await.unwrap().user;
    test.store.set_roles(test.project, user, [role].into(), test.user).await.unwrap();
    (user, of(test, user).await)
}

async fn of(test: &TestStore, user: UserId) -> Principal {
    let token = test.store.issue_token(user, TokenScope::Full, None).await.unwrap().text;
    let who = test.store.authenticate(token.expose_secret(), Some(test.project), now()).await;
    who.unwrap()
}

fn event(
    test: &TestStore,
    who: &Principal,
    kind: UserEventKind,
    at: Timestamp,
) -> Unrecorded<UserEvent> {
    UserEvent::of(who, test.project, None, kind, at).unwrap()
}

async fn proposal(test: &TestStore, scope: OverrideScope) -> OverrideProposal {
    OverrideProposal {
        version: OverrideProposal::VERSION,
        id: new_id(),
        project: test.project,
        on: test.store.policy(test.project).await.unwrap().body().document().id,
        scope,
        ttl_seconds: 60,
        reason: "the night shift".into(),
        policy: permissive(),
    }
}

async fn propose(
    test: &TestStore,
    who: &Principal,
    proposal: &OverrideProposal,
) -> Result<(), OverrideRefused> {
    let digest = policy_override::proposal_digest(proposal).unwrap();
    let said = event(test, who, UserEventKind::ProposeOverride { digest }, now());
    test.store.propose_override(who, said, proposal.clone()).await.map(drop)
}

/// With the yes said at that time: it lasts a minute from there on.
async fn approve(
    test: &TestStore,
    who: &Principal,
    proposal: &OverrideProposal,
    at: Timestamp,
) -> Result<(), OverrideRefused> {
    let found = test.store.proposed_override(test.project, proposal.id).await.unwrap();
    let (row, proposed) = found.unwrap();
    let current = test.store.policy(test.project).await.unwrap();
    let before = current.body().document();
    let temporary = policy_override::temporary(proposal, &before.policy, at);
    let document = PolicyDocument {
        id: new_id(),
        number: before.number + 1,
        author: Some(row.proposed_by),
        reason: proposal.reason.clone(),
        at,
        policy: proposal.policy.clone(),
        of_override: Some(OverrideMark::Temporary(temporary)),
        ..before.clone()
    };
    let digest = policy_override::proposal_digest(proposal).unwrap();
    let said = event(test, who, UserEventKind::ApproveOverride { digest }, at);
    let new = NewOverride { proposed, proposal: proposal.clone(), current, document };
    test.store.approve_override(who, said, new).await
}

/// One that is in force for so many seconds more.
async fn running(
    test: &TestStore,
    scope: OverrideScope,
    seconds_left: i64,
) -> (OverrideProposal, Principal) {
    let (_, lee) = member(test, "lee", Role::Approver).await;
    let proposal = proposal(test, scope).await;
    propose(test, &test.principal().await, &proposal).await.unwrap();
    let at = now().plus_seconds(seconds_left - 60);
    approve(test, &lee, &proposal, at).await.unwrap();
    (proposal, lee)
}

async fn end(test: &TestStore, end: OverrideEnd) -> Result<(), OverrideRefused> {
    let current = test.store.policy(test.project).await.unwrap();
    let now_in_force = current.body().document();
    let temporary = now_in_force.temporary().unwrap();
    let document = PolicyDocument {
        id: new_id(),
        number: now_in_force.number + 1,
        author: None,
        reason: String::new(),
        at: now(),
        policy: temporary.before.as_ref().clone(),
        of_override: Some(OverrideMark::Restored { id: temporary.id, end }),
        ..now_in_force.clone()
    };
    test.store.end_override(EndOverride { current, document }).await
}

async fn kinds(test: &TestStore) -> Vec<String> {
    let all = AuditFilter::default();
    let rows = test.store.audit_search(Chain::Project(test.project), &all).await.unwrap();
    let kinds = rows.into_iter().map(|row| row.kind).filter(|kind| kind.starts_with("override."));
    kinds.collect()
}

async fn drawn(test: &TestStore, path: &str) -> Blueprint {
    let plan = write_plan(test, path).await;
    let body = serde_json::json!({"task": plan.task, "blueprint": plan.id, "policy": plan.policy,
        "digest": plan.digest().unwrap()});
    let write = Write::Blueprint(Box::new(plan.clone()));
    let boundary = Boundary::new(Point::T1).write(write).entry("blueprint.drawn", body);
    test.store.append(&test.writer(), boundary).await.unwrap();
    plan
}

async fn allowed_paths(test: &TestStore) -> Vec<String> {
    let current = test.store.policy(test.project).await.unwrap();
    current.body().document().policy.allowed_paths.clone()
}

#[tokio::test]
async fn it_takes_two_people_outlives_a_restart_and_leaves_a_whole_audit() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), narrow()).await;
    let (user, lee) = member(&test, "lee", Role::Approver).await;
    let own = test.principal().await;
    let proposal = proposal(&test, OverrideScope::Window).await;
    propose(&test, &own, &proposal).await.unwrap();
    assert_eq!(allowed_paths(&test).await, ["other"], "nothing is in force by a proposal");
    let second = OverrideProposal { id: new_id(), ..proposal.clone() };
    let twice = propose(&test, &own, &second).await;
    assert!(matches!(twice, Err(OverrideRefused::Open)), "{twice:?}");

    // By another token it is the same person.
    let same = approve(&test, &of(&test, test.user).await, &proposal, now()).await;
    let due = matches!(same, Err(OverrideRefused::NotProven(EvidenceError::SamePerson)));
    assert!(due, "{same:?}");
    // Both have to be approvers at that moment.
    test.store.set_roles(test.project, user, [Role::Viewer].into(), test.user).await.unwrap();
    let lost = approve(&test, &lee, &proposal, now()).await;
    assert!(matches!(lost, Err(OverrideRefused::Store(StoreError::AuthorityGone))), "{lost:?}");
    test.store.set_roles(test.project, user, [Role::Approver].into(), test.user).await.unwrap();
    assert_eq!(kinds(&test).await, ["override.proposed"]);

    let test = {
        let again = test.clone();
        drop((test, own, lee));
        again.reopened(folder.path()).await.unwrap()
    };
    let lee = of(&test, user).await;
    approve(&test, &lee, &proposal, now()).await.unwrap();
    assert_eq!(allowed_paths(&test).await, [""]);
    let due = ["override.proposed", "override.approved", "override.began"];
    let mut told = kinds(&test).await;
    told.reverse();
    assert_eq!(told, due);
    let row = test.store.policy_override(test.project, proposal.id).await.unwrap().unwrap();
    assert!(row.runs(now()) && !row.waits(now()));
    assert_eq!(row.approval.map(|approval| approval.by), Some(user));
    let late = approve(&test, &lee, &proposal, now()).await;
    assert!(late.is_err(), "once");
    let elsewhere = test.store.policy_override(new_id(), proposal.id).await.unwrap();
    assert_eq!(elsewhere, None, "somebody else's is a missing one");
    drop((test, lee));
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
}

#[tokio::test]
async fn a_proposal_over_an_older_policy_or_of_yesterday_is_none() {
    let test = TestStore::memory(narrow()).await;
    let (_, lee) = member(&test, "lee", Role::Approver).await;
    let own = test.principal().await;
    let first = proposal(&test, OverrideScope::Window).await;
    propose(&test, &own, &first).await.unwrap();
    new_policy(&test, narrow()).await;
    let stale = approve(&test, &lee, &first, now()).await;
    let due = matches!(stale, Err(OverrideRefused::NotProven(EvidenceError::OtherSubject)));
    assert!(due, "{stale:?}");
    let again = propose(&test, &own, &OverrideProposal { id: new_id(), ..first.clone() }).await;
    assert!(matches!(again, Err(OverrideRefused::Stale { .. })), "{again:?}");

    // The first can begin no more, so it is in nobody's way. Of those that still can there is one.
    let second = proposal(&test, OverrideScope::Window).await;
    propose(&test, &own, &second).await.unwrap();
    let third = OverrideProposal { id: new_id(), ..second.clone() };
    let twice = propose(&test, &own, &third).await;
    assert!(matches!(twice, Err(OverrideRefused::Open)), "{twice:?}");

    let reason = || "as I see it".to_owned();
    test.store.withdraw_override(&own, (test.project, first.id), reason()).await.unwrap();
    let twice = test.store.withdraw_override(&own, (test.project, first.id), reason()).await;
    assert!(matches!(twice, Err(OverrideRefused::Gone)), "{twice:?}");
    let row = test.store.policy_override(test.project, first.id).await.unwrap().unwrap();
    assert_eq!(row.ended.map(|ended| ended.how), Some(HowEnded::Withdrawn));
    let text = format!("{:?}", kinds(&test).await);
    assert!(!text.contains("as I see it"), "a person's text stays out of the audit");

    let row = test.store.policy_override(test.project, second.id).await.unwrap().unwrap();
    let tomorrow = Timestamp::from_unix_ms(now().unix_ms() + DAY_MS);
    assert!(row.waits(now()) && !row.waits(tomorrow));
}

/// Nobody has put the policy before it back: neither a process nor a look.
#[tokio::test]
async fn a_commit_after_its_end_is_refused_by_time_alone() {
    let test = TestStore::memory(narrow()).await;
    running(&test, OverrideScope::Window, 4).await;
    let plan = drawn(&test, "notes/a.md").await;
    let late = drawn(&test, "notes/b.md").await;
    let (in_time, _) = test.rule(&plan).await;
    let (too_late, _) = test.rule(&late).await;
    assert!(in_time.guard().is_some() && too_late.guard().is_some());
    let mut run = begun(&test, &plan).await;
    assert!(matches!(commit(&test, in_time).await, Err(CommitRefused::Moved(..))), "it has begun");
    let (policy, standing) =
        (test.snapshot().await, test.store.standing(test.session).await.unwrap());
    let inputs = Resolved::default();
    let (claim, _) = run.rule_step(&step(), 1, inputs, &policy, &standing, now()).unwrap();
    assert!(claim.guard().is_some());
    tokio::time::sleep(Duration::from_millis(4_100)).await;
    assert_eq!(allowed_paths(&test).await, [""], "it is still the newest version");
    assert_eq!(moved(commit(&test, too_late).await), Moved::PolicyChanged);
    assert_eq!(moved(commit(&test, claim).await), Moved::PolicyChanged, "of a step as well");
    let (claim, _) = test.rule(&late).await;
    assert_eq!(claim.record().codes(), [DenyCode::EvidenceMismatch], "nor does a ruling allow it");

    assert_eq!(test.store.overrides_due(now(), 10).await.unwrap().len(), 1);
    end(&test, OverrideEnd::Expired).await.unwrap();
    assert_eq!(allowed_paths(&test).await, ["other"]);
    assert!(test.store.overrides_due(now(), 10).await.unwrap().is_empty());
    let (claim, _) = test.rule(&late).await;
    assert_eq!(claim.record().codes(), [DenyCode::PathNotAllowed]);
}

#[tokio::test]
async fn an_override_of_one_request_is_for_one_run_and_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), narrow()).await;
    let (proposal, lee) = running(&test, OverrideScope::Request, 60).await;
    let of = (test.project, proposal.id);
    let plain = drawn(&test, "other/a.md").await;
    drop(begun(&test, &plain).await);
    assert!(!test.store.is_override_taken(of.0, of.1).await.unwrap(), "it needed none");

    let (plan, other) = (drawn(&test, "notes/a.md").await, drawn(&test, "notes/b.md").await);
    let (first, ruled) = test.rule(&plan).await;
    let (second, _) = test.rule(&other).await;
    let done = commit(&test, first).await.unwrap();
    let mut run = ruled.seal(done).unwrap().begin();
    assert_eq!(run.took(), Some(proposal.id));
    assert!(test.store.is_override_taken(of.0, of.1).await.unwrap());
    assert_eq!(moved(commit(&test, second).await), Moved::PolicyChanged, "it is taken");
    let early = end(&test, OverrideEnd::Used).await;
    assert!(matches!(early, Err(OverrideRefused::Gone)), "its run goes on: {early:?}");
    assert!(test.store.overrides_due(now(), 10).await.unwrap().is_empty());

    // Its steps go on by it, also behind a restart.
    let execution = run.execution();
    let started = test.store.execution_started(execution).await.unwrap().unwrap();
    assert_eq!(started.body().took(), Some(proposal.id));
    let policy = test.keeper.compile(&test.store.policy(test.project).await.unwrap());
    let (policy, standing) =
        (policy.unwrap().taken(), test.store.standing(test.session).await.unwrap());
    let inputs = Resolved::default();
    let (claim, _) = run.rule_step(&step(), 1, inputs, &policy, &standing, now()).unwrap();
    drop(test.store.commit(&test.writer(), Boundary::new(Point::S1), claim).await.unwrap());
    let finished = Write::StepFinished {
        execution,
        step: step(),
        attempt: 1,
        outcome: success(b"done"),
        bytes: Some(b"done".to_vec()),
    };
    let over = Write::ExecutionFinished { execution, outcome: RunOutcome::Succeeded };
    let told = serde_json::json!({"execution": execution, "step": step(), "attempt": 1,
        "outcome": wiiiv_store::outcome_digest(&success(b"done"))});
    let ended = serde_json::json!({"execution": execution, "outcome": RunOutcome::Succeeded});
    let s2 = Boundary::new(Point::S2).write(finished).write(over).entry("step.finished", told);
    let s2 = s2.entry("execution.finished", ended);
    test.store.append(&test.writer(), s2).await.unwrap();
    let due = test.store.overrides_due(now(), 10).await.unwrap();
    assert_eq!(due, [(test.project, OverrideEnd::Used)]);
    end(&test, OverrideEnd::Used).await.unwrap();
    assert_eq!(allowed_paths(&test).await, ["other"]);
    let row = test.store.policy_override(of.0, of.1).await.unwrap().unwrap();
    assert_eq!(row.used_by, Some(execution));
    assert_eq!(row.ended.map(|ended| ended.how), Some(HowEnded::Used));
    drop((test, lee));
}

#[tokio::test]
async fn what_was_agreed_on_is_not_edited_unseen() {
    for done in [
        "UPDATE policy_override SET proposal = x'00'",
        "UPDATE policy_override SET proposed_by = approved_by",
        "UPDATE policy_override SET expires_at = expires_at + 1",
        "UPDATE policy_override SET approved_by = proposed_by",
        "UPDATE policy_override SET approved_at = approved_at + 1",
        "UPDATE policy_override SET ends_at = ends_at + 1",
        "UPDATE policy_override SET version = (SELECT id FROM policy_version WHERE number = 1)",
        "UPDATE policy_override SET ends_at = NULL",
        "UPDATE policy_override SET used_by = NULL",
        "UPDATE policy_override SET ended_how = 'ended', ended_seq = 1, ended_at = 1",
        "UPDATE policy_version SET evidence = x'7b7d' WHERE number = 2",
        "DELETE FROM policy_override",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), narrow()).await;
        let (_, lee) = running(&test, OverrideScope::Request, 60).await;
        let plan = drawn(&test, "notes/a.md").await;
        drop(begun(&test, &plan).await);
        drop((test, lee));
        assert_eq!(looked(folder.path()).await, AuditFit::Whole, "{done}");
        by_hand(folder.path(), done).await;
        let found = looked(folder.path()).await;
        assert!(matches!(found, AuditFit::Changed(_)), "{done}: {found:?}");
    }
}
