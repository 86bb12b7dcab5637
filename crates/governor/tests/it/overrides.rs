//! Overrides of a policy: two people, a scope, an end by time whoever looks, one run for one request.

use crate::test_governor::{Person, TestGovernor, person, policy};
use std::{collections::BTreeSet, time::Duration};
use uuid::Uuid;
use wiiiv_domain::{
    ApprovalBy, Confirmation, OverrideId, OverrideMark, OverrideScope, PolicyDocument,
    ProjectPolicy, TaskType,
};
use wiiiv_gate::{EvidenceError, UserEvent, UserEventKind, policy_override};
use wiiiv_governor::{OverrideError, PolicyChangeError, ProposedOverride};
use wiiiv_store::{AuditFilter, Chain, HowEnded, NewOverride, OverrideRefused, OverrideRow, Role};
use wiiiv_testkit::{Setup, now};

/// Nobody looks by itself: what ends, ends by its time.
fn unwatched() -> Setup {
    let mut setup = Setup::default();
    setup.config.sweep = Duration::from_secs(3_600);
    setup
}

/// Files in `notes` alone, which are written without a question.
fn narrow(policy: &mut ProjectPolicy) {
    policy.allowed_paths = vec!["notes".into()];
    policy.confirmation.insert(TaskType::FileWrite, Confirmation::Never);
}

async fn approver(test: &TestGovernor, name: &str) -> Person {
    let store = test.governor.store();
    let (_, member) = person(store, name, policy(&test.shop)).await;
    let by = test.principal(&test.owner).await.user();
    let roles = BTreeSet::from([Role::Approver]);
    store.set_roles(test.project, member.user, roles, by).await.unwrap();
    member
}

/// One that opens `ops` for a minute, by the owner.
async fn proposed(test: &TestGovernor, scope: OverrideScope) -> Result<OverrideRow, OverrideError> {
    proposed_with(test, scope, |policy| policy.allowed_paths.push("ops".into())).await
}

async fn proposed_with(
    test: &TestGovernor,
    scope: OverrideScope,
    change: impl FnOnce(&mut ProjectPolicy),
) -> Result<OverrideRow, OverrideError> {
    let who = test.principal(&test.owner).await;
    let current = test.governor.store().policy(test.project).await.unwrap();
    let current = current.body().document();
    let mut policy = current.policy.clone();
    change(&mut policy);
    let reason = "the night shift".to_owned();
    let new = ProposedOverride { policy, scope, ttl_seconds: 60, reason };
    test.governor.overrides().propose(&who, test.project, current.id, new).await
}

async fn running(test: &TestGovernor, scope: OverrideScope) -> (OverrideId, Person) {
    let min = approver(test, "min").await;
    let id = proposed(test, scope).await.unwrap().proposal.id;
    let who = test.principal(&min).await;
    let row = test.governor.overrides().approve(&who, test.project, id).await.unwrap();
    assert!(row.runs(now()), "{row:?}");
    (id, min)
}

/// The second yes as it was said a while ago: so many seconds are left. The governor is told nothing of it.
async fn running_for(test: &TestGovernor, scope: OverrideScope, seconds_left: i64) -> OverrideId {
    let min = approver(test, "min").await;
    let id = proposed(test, scope).await.unwrap().proposal.id;
    let (who, store) = (test.principal(&min).await, test.governor.store());
    let (row, proposed) = store.proposed_override(test.project, id).await.unwrap().unwrap();
    let current = store.policy(test.project).await.unwrap();
    let (before, at) = (current.body().document(), now().plus_seconds(seconds_left - 60));
    let temporary = policy_override::temporary(&row.proposal, &before.policy, at);
    let document = PolicyDocument {
        id: Uuid::now_v7().into(),
        number: before.number + 1,
        author: Some(row.proposed_by),
        reason: row.proposal.reason.clone(),
        at,
        policy: row.proposal.policy.clone(),
        of_override: Some(OverrideMark::Temporary(temporary)),
        ..before.clone()
    };
    let digest = policy_override::proposal_digest(&row.proposal).unwrap();
    let kind = UserEventKind::ApproveOverride { digest };
    let said = UserEvent::of(&who, test.project, None, kind, at).unwrap();
    let new = NewOverride { proposed, proposal: row.proposal, current, document };
    store.approve_override(&who, said, new).await.unwrap();
    id
}

async fn row(test: &TestGovernor, id: OverrideId) -> OverrideRow {
    test.governor.store().policy_override(test.project, id).await.unwrap().unwrap()
}

async fn records(test: &TestGovernor, kind: &str) -> usize {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    test.governor.store().audit_search(chain, &filter).await.unwrap().len()
}

async fn writes(test: &TestGovernor, path: &str) -> String {
    let session = test.session().await;
    test.say(session, &format!("write 'x' to {path}")).await.outcome
}

async fn number(test: &TestGovernor) -> u32 {
    test.governor.store().policy(test.project).await.unwrap().body().document().number
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_open_a_folder_for_a_while() {
    let test = TestGovernor::under(unwatched(), narrow).await;
    assert_eq!(writes(&test, "ops/a.txt").await, "denied");
    let min = approver(&test, "min").await;
    let id = proposed(&test, OverrideScope::Window).await.unwrap().proposal.id;
    assert_eq!(writes(&test, "ops/b.txt").await, "denied", "one person is none");

    let own = test.principal(&test.owner).await;
    let overrides = test.governor.overrides();
    let twice = overrides.approve(&own, test.project, id).await;
    let same = EvidenceError::SamePerson;
    let due =
        matches!(&twice, Err(OverrideError::Refused(OverrideRefused::NotProven(e))) if *e == same);
    assert!(due, "{twice:?}");
    let who = test.principal(&min).await;
    overrides.approve(&who, test.project, id).await.unwrap();
    assert_eq!(writes(&test, "ops/c.txt").await, "done");
    assert_eq!(test.file("ops/c.txt").as_deref(), Some("x"));

    // Nothing else changes the policy meanwhile.
    let edit = test.try_policy(|policy| policy.allowed_paths.push("etc".into())).await;
    assert!(matches!(edit, Err(PolicyChangeError::OverrideRuns)), "{edit:?}");
    let another = proposed(&test, OverrideScope::Window).await;
    assert!(another.is_err(), "{another:?}");
    let no = overrides.end(&who, test.project, id, "enough".to_owned()).await;
    assert!(matches!(no, Err(OverrideError::NotAllowed(_))), "{no:?}");
    let ended = overrides.end(&own, test.project, id, "enough".to_owned()).await.unwrap();
    let ended = ended.ended.unwrap();
    assert_eq!((ended.how, ended.reason.as_deref()), (HowEnded::Ended, Some("enough")));
    assert_eq!(writes(&test, "ops/d.txt").await, "denied");
    assert_eq!(number(&test).await, 3, "the first, the override, and the first again");
    test.try_policy(|policy| policy.allowed_paths.push("etc".into())).await.unwrap();
    for (kind, count) in [("proposed", 1), ("approved", 1), ("began", 1), ("ended", 1)] {
        assert_eq!(records(&test, &format!("override.{kind}")).await, count, "{kind}");
    }
}

/// No look ends it, and no process was there: whoever asks first does.
#[tokio::test(flavor = "multi_thread")]
async fn its_time_ends_it_before_anybody_looks() {
    let test = TestGovernor::under(unwatched(), narrow).await;
    let id = running_for(&test, OverrideScope::Window, 5).await;
    assert_eq!(writes(&test, "ops/a.txt").await, "done");
    tokio::time::sleep(Duration::from_millis(5_200)).await;
    assert!(row(&test, id).await.ended.is_none(), "nobody has ended it");
    assert_eq!(writes(&test, "ops/b.txt").await, "denied");
    assert_eq!(test.file("ops/b.txt"), None);
    assert_eq!(row(&test, id).await.ended.map(|ended| ended.how), Some(HowEnded::Expired));
    assert_eq!((number(&test).await, records(&test, "override.ended").await), (3, 1));
    // Idempotent: who looks again finds nothing to end.
    test.governor.overrides().list(test.project).await.unwrap();
    assert_eq!(number(&test).await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_ran_out_while_the_server_was_down_is_ended_by_the_next() {
    let mut setup = unwatched();
    let test = TestGovernor::under(setup.clone(), narrow).await;
    let id = running_for(&test, OverrideScope::Window, 2).await;
    test.governor.shutdown().await;
    tokio::time::sleep(Duration::from_millis(2_200)).await;
    setup.config.sweep = Duration::from_millis(50);
    let test = test.restarted_with(setup).await;
    let ended = async {
        while row(&test, id).await.ended.is_none() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), ended).await.expect("it is to be ended");
    assert_eq!((number(&test).await, writes(&test, "ops/a.txt").await), (3, "denied".to_owned()));
}

/// What waits for a yes at its end is judged by the policy before it.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_behind_its_end_runs_nothing() {
    let test = TestGovernor::under(unwatched(), |policy| {
        policy.allowed_paths = vec!["notes".into()];
    })
    .await;
    running_for(&test, OverrideScope::Window, 6).await;
    let session = test.session().await;
    let asked = test.say(session, "write 'x' to ops/a.txt").await;
    assert_eq!(asked.outcome, "pending", "{}", asked.text());
    tokio::time::sleep(Duration::from_millis(6_200)).await;
    let late = test.say(session, "yes").await;
    assert_eq!(late.outcome, "denied", "{}", late.text());
    assert_eq!(test.file("ops/a.txt"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_request_takes_it_and_the_next_finds_the_policy_before() {
    let mut setup = Setup::default();
    setup.config.sweep = Duration::from_millis(50);
    let test = TestGovernor::under(setup, narrow).await;
    let (id, _) = running(&test, OverrideScope::Request).await;
    assert_eq!(writes(&test, "notes/a.txt").await, "done");
    assert!(row(&test, id).await.used_by.is_none(), "it needed none");
    assert_eq!(writes(&test, "ops/a.txt").await, "done");
    assert!(row(&test, id).await.used_by.is_some());
    assert_eq!(writes(&test, "ops/b.txt").await, "denied");
    let ended = async {
        while row(&test, id).await.ended.is_none() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), ended).await.expect("it is to be ended");
    assert_eq!(row(&test, id).await.ended.map(|ended| ended.how), Some(HowEnded::Used));
    assert_eq!((number(&test).await, test.file("ops/b.txt")), (3, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_type_is_opened_and_no_other() {
    let test = TestGovernor::under(unwatched(), narrow).await;
    running(&test, OverrideScope::Type { task_type: TaskType::FileWrite }).await;
    assert_eq!(writes(&test, "ops/a.txt").await, "done");
    let session = test.session().await;
    let read = test.say(session, "read ops/a.txt").await;
    assert_eq!(read.outcome, "denied", "{}", read.text());
    assert_eq!(test.file("ops/a.txt").as_deref(), Some("x"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_policy_and_a_weaker_quorum_are_refused_when_they_are_proposed() {
    let test = TestGovernor::under(unwatched(), |policy| {
        let rule = &mut policy.approval.normal;
        (rule.by, rule.approvers) = (ApprovalBy::AnotherPerson, 2);
    })
    .await;
    let window = OverrideScope::Window;
    let odd = proposed_with(&test, window, |policy| policy.allowed_hosts[0].host = "A B".into());
    let odd = odd.await;
    assert!(matches!(odd, Err(OverrideError::Policy(PolicyChangeError::Invalid(_)))), "{odd:?}");
    let rules = proposed_with(&test, window, |policy| policy.fine_rules = "permit".into()).await;
    let due = matches!(rules, Err(OverrideError::Policy(PolicyChangeError::FineRules(_))));
    assert!(due, "{rules:?}");
    let fewer = proposed_with(&test, window, |policy| policy.approval.normal.approvers = 1).await;
    let quorum = EvidenceError::QuorumLowered;
    let due = matches!(&fewer, Err(OverrideError::Refused(OverrideRefused::NotProven(e))) if *e == quorum);
    assert!(due, "{fewer:?}");
    assert_eq!(records(&test, "override.proposed").await, 0);
}

/// A halt is no part of a policy.
#[tokio::test(flavor = "multi_thread")]
async fn a_halted_project_stays_halted_under_an_override() {
    let test = TestGovernor::under(unwatched(), narrow).await;
    running(&test, OverrideScope::Window).await;
    let who = test.principal(&test.owner).await;
    let scope = wiiiv_domain::HaltScope::Project(test.project);
    test.governor.halts().halt(&who, scope, "stop").await.unwrap();
    let session = test.session().await;
    let refused = test.send(session, "write 'x' to ops/a.txt").await;
    let text = format!("{refused:?}");
    assert!(test.file("ops/a.txt").is_none(), "{text}");
}
