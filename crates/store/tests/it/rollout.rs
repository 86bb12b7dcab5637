//! Rollout of a project's stage: one commit, two approvers, and what is on record of it.

use crate::{
    commits::new_policy,
    seals::{by_hand, looked},
    test_store::{TestStore, new_id, now, password, permissive},
};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use uuid::Uuid;
use wiiiv_domain::{
    Consensus, DacsStage, PolicyDocument, RulesHash, SpecDigest, TaskType, Timestamp, TurnId,
    UserId,
};
use wiiiv_gate::{
    PolicyVersion, Principal, Unrecorded, UserEventKind, policy,
    rollout::{RolloutFigures, earned},
};
use wiiiv_store::{
    AuditEntry, AuditFilter, AuditFit, AuditRow, Boundary, Chain, DivergenceVerdict, NewReview,
    NewUser, Point, ReviewCounts, Role, RolloutRefused, StageChange, TokenScope, Writer,
};

const WEEK_MS: i64 = 7 * 24 * 60 * 60 * 1000;
const RULES: [u8; 32] = [5; 32];

fn spec(nth: u8) -> SpecDigest {
    SpecDigest::from_bytes([nth; 32])
}

/// As builds before the one that tells turn, task type and model recorded a review; its number in the chain.
async fn evaluated(test: &TestStore, of: SpecDigest, consensus: Consensus, risky: bool) -> u64 {
    recorded(test, of, (consensus, risky), json!({})).await
}

/// The same with these members as well.
async fn recorded(
    test: &TestStore,
    of: SpecDigest,
    (consensus, risky): (Consensus, bool),
    more: Value,
) -> u64 {
    let rules = RulesHash::from_bytes(RULES);
    let vote = json!({"persona": "reviewer", "vote": "REJECT", "concerns": ["SECRET_NAME"]});
    let mut body = json!({
        "session": test.session, "task": new_id::<Uuid>(), "spec": of, "rules": rules,
        "source": "rules_only", "risky": risky, "binds": risky, "opinions": [vote],
        "consensus": consensus,
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let boundary = Boundary::new(Point::P).entry("dacs.evaluated", body);
    test.store.append(&Writer::Project(test.project), boundary).await.unwrap();
    test.store.audit_head(Chain::Project(test.project)).await.unwrap().records
}

fn figures(log: &wiiiv_store::RolloutLog) -> RolloutFigures {
    log.figures(RulesHash::from_bytes(RULES))
}

/// Another approver, and what they are let in as.
async fn approver(test: &TestStore, name: &str) -> (UserId, Principal) {
    let new = NewUser { name: name.to_owned(), password: password(), admin: false };
    let user = test.store.create_user(new, permissive()).await.unwrap().user;
    let roles = [Role::Approver].into();
    test.store.set_roles(test.project, user, roles, test.user).await.unwrap();
    let token = test.store.issue_token(user, TokenScope::Full, None).await.unwrap().text;
    let who = test.store.authenticate(token.expose_secret(), Some(test.project), now()).await;
    (user, who.unwrap())
}

fn review(test: &TestStore, evaluation: u64, verdict: DivergenceVerdict) -> NewReview {
    let note = "as I see it".to_owned();
    NewReview { project: test.project, evaluation, verdict, note, alarm: None }
}

/// The version that promotes from the one in force.
async fn promoted(test: &TestStore) -> (PolicyDocument, Unrecorded<PolicyVersion>) {
    let current = test.store.policy(test.project).await.unwrap();
    let mut document = current.body().document().clone();
    document.id = new_id();
    document.number += 1;
    document.author = Some(test.user);
    document.policy.dacs_stage = DacsStage::Enforce;
    let digest = policy::digest(&document).unwrap();
    let event = test.said(UserEventKind::Promote { digest }).await;
    let earned = earned(&RolloutFigures::default(), true, true).unwrap();
    let version = policy::promoted(&event, document.clone(), &current, earned).unwrap();
    (document, version)
}

fn change(document: &PolicyDocument, judged_to: u64, waiver: Option<Uuid>) -> StageChange {
    let body = json!({"policy": document.id, "waiver": waiver});
    let entry = AuditEntry::new("project.promoted", body);
    StageChange { entry, judged_to: Some(judged_to), waiver }
}

async fn records(test: &TestStore) -> Vec<AuditRow> {
    let all = AuditFilter::default();
    test.store.audit_search(Chain::Project(test.project), &all).await.unwrap()
}

async fn stage(test: &TestStore) -> DacsStage {
    test.store.policy(test.project).await.unwrap().body().document().policy.dacs_stage
}

#[tokio::test]
async fn the_same_request_counts_once_and_a_risky_one_not_at_all() {
    let test = TestStore::memory(permissive()).await;
    for nth in 0..3 {
        evaluated(&test, spec(nth), Consensus::Yes, false).await;
    }
    let first = evaluated(&test, spec(7), Consensus::No, false).await;
    let again = evaluated(&test, spec(7), Consensus::No, false).await;
    evaluated(&test, spec(8), Consensus::No, true).await;
    let open = evaluated(&test, spec(9), Consensus::Revision, false).await;
    let log = test.store.rollout_log(test.project).await.unwrap();
    assert_eq!(log.as_of, open);
    let due = RolloutFigures { evaluated: 5, divergences: 2, unreviewed: 2, wrong: 0 };
    assert_eq!(figures(&log), due);
    let divergences = log.divergences();
    let told: Vec<_> = divergences.iter().map(|one| (one.first.seq, one.times)).collect();
    assert_eq!(told, [(open, 1), (first, 2)]);
    assert_eq!(divergences[0].concerns(), ["SECRET_NAME"]);
    assert_eq!(log.figures(RulesHash::from_bytes([6; 32])), RolloutFigures::default());

    // A verdict on any of them is one on all; the newest counts, and the others stay.
    let who = test.principal().await;
    for (seq, verdict) in [(again, DivergenceVerdict::Wrong), (first, DivergenceVerdict::Right)] {
        assert!(test.store.is_divergence(test.project, seq).await.unwrap());
        test.store.review_divergence(&who, review(&test, seq, verdict)).await.unwrap();
        let log = test.store.rollout_log(test.project).await.unwrap();
        let wrong = u64::from(verdict == DivergenceVerdict::Wrong);
        assert_eq!(figures(&log), RolloutFigures { unreviewed: 1, wrong, ..due });
    }
    let notes = test.store.divergence_notes(test.project, &[first, again]).await.unwrap();
    assert_eq!(notes.len(), 2);
    assert_eq!(notes[0].note, "as I see it");
    let log = test.store.rollout_log(test.project).await.unwrap();
    assert_eq!(log.divergences()[1].reviews.len(), 2);
    for nobody in [1, 999_999, u64::MAX] {
        assert!(!test.store.is_divergence(test.project, nobody).await.unwrap(), "{nobody}");
    }
    let text = format!("{:?}", records(&test).await);
    assert!(!text.contains("as I see it"), "a person's text stays out of the audit");
}

#[tokio::test]
async fn a_record_tells_its_turn_and_what_reports_count_by() {
    const DAY_SECONDS: i64 = 24 * 60 * 60;
    let test = TestStore::memory(permissive()).await;
    let turn: TurnId = new_id();
    let told = json!({
        "turn": turn, "taskType": "FILE_WRITE",
        "governor": {"provider": "OFFLINE", "model": "offline"},
    });
    let denied = recorded(&test, spec(1), (Consensus::No, false), told.clone()).await;
    recorded(&test, spec(2), (Consensus::Yes, false), told).await;
    let older = evaluated(&test, spec(3), Consensus::Revision, false).await;
    let found = test.store.divergences(test.project).await.unwrap();
    let firsts = found.iter().map(|one| (one.first.seq, one.first.task_type, one.first.turn));
    let due = [(older, None, None), (denied, Some(TaskType::FileWrite), Some(turn))];
    assert_eq!(firsts.collect::<Vec<_>>(), due);

    let who = test.principal().await;
    let new = review(&test, denied, DivergenceVerdict::Wrong);
    test.store.review_divergence(&who, new).await.unwrap();
    let days = (now().plus_seconds(-DAY_SECONDS), now().plus_seconds(DAY_SECONDS));
    let rates = test.store.review_rates(test.project, days).await.unwrap();
    let due = ReviewCounts { evaluated: 3, divergences: 2, right: 0, wrong: 1, unreviewed: 1 };
    assert_eq!(rates.total, due);
    let written = ReviewCounts { evaluated: 2, divergences: 1, right: 0, wrong: 1, unreviewed: 0 };
    assert_eq!(rates.by_task_type[&Some(TaskType::FileWrite)], written);
    assert_eq!((rates.by_task_type.len(), rates.by_model.len()), (2, 2), "one is not told");
    assert!(!rates.truncated);
    let later = (days.1, days.1.plus_seconds(DAY_SECONDS));
    let later = test.store.review_rates(test.project, later).await.unwrap();
    assert_eq!(later.total, ReviewCounts::default());

    let own = test.store.sessions_begun_by(test.project, test.user).await.unwrap();
    assert!(own.contains(&test.session));
    let others = test.store.sessions_begun_by(test.project, new_id()).await.unwrap();
    assert!(others.is_empty());
}

#[tokio::test]
async fn a_waiver_takes_two_people_survives_a_restart_and_expires() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestStore::on_disk(folder.path(), permissive()).await;
    let project = test.project;
    let asked = test.store.ask_waiver(&test.principal().await, project, "a fair".into()).await;
    let asked = asked.unwrap();
    let test = {
        let again = test.clone();
        drop(test);
        again.reopened(folder.path()).await.unwrap()
    };
    assert_eq!(test.store.open_waiver(project, now()).await.unwrap(), Some(asked.clone()));
    let later = Timestamp::from_unix_ms(now().unix_ms() + WEEK_MS);
    assert_eq!(test.store.open_waiver(project, later).await.unwrap(), None);

    let own = test.principal().await;
    let twice = test.store.ask_waiver(&own, project, "another".into()).await;
    assert!(matches!(twice, Err(RolloutRefused::WaiverOpen)), "{twice:?}");
    // By another token it is the same person.
    let token = test.store.issue_token(test.user, TokenScope::Full, None).await.unwrap().text;
    let same = test.store.authenticate(token.expose_secret(), Some(project), now()).await.unwrap();
    let joined = test.store.join_waiver(&same, project, asked.id).await;
    assert!(matches!(joined, Err(RolloutRefused::SamePerson)), "{joined:?}");
    let (second, lee) = approver(&test, "lee").await;
    let other = test.store.join_waiver(&lee, project, new_id()).await;
    assert!(matches!(other, Err(RolloutRefused::WaiverGone)), "{other:?}");

    // Half of it is none.
    let (document, version) = promoted(&test).await;
    let expected = test.store.policy(project).await.unwrap().body().document().id;
    let half = change(&document, u64::MAX >> 4, Some(asked.id));
    let refused = test.store.record_stage(&own, expected, version, half).await;
    assert!(matches!(refused, Err(RolloutRefused::WaiverGone)), "{refused:?}");

    let whole = test.store.join_waiver(&lee, project, asked.id).await.unwrap();
    assert!(whole.is_whole());
    assert_eq!(test.store.open_waiver(project, now()).await.unwrap(), Some(whole));
    let late = test.store.join_waiver(&lee, project, asked.id).await;
    assert!(matches!(late, Err(RolloutRefused::WaiverGone)), "{late:?}");

    // Both have to be approvers still.
    let promote = async || {
        let (document, version) = promoted(&test).await;
        let change = change(&document, u64::MAX >> 4, Some(asked.id));
        test.store.record_stage(&own, expected, version, change).await
    };
    test.store.set_roles(project, second, [Role::Viewer].into(), test.user).await.unwrap();
    assert!(matches!(promote().await, Err(RolloutRefused::WaiverGone)));
    assert_eq!(stage(&test).await, DacsStage::Observe, "whole or not at all");
    test.store.set_roles(project, second, [Role::Approver].into(), test.user).await.unwrap();
    promote().await.unwrap();
    assert_eq!(stage(&test).await, DacsStage::Enforce);
    assert_eq!(test.store.open_waiver(project, now()).await.unwrap(), None, "it is used up");
    drop((own, same, lee));
    drop(test);
    assert_eq!(looked(folder.path()).await, AuditFit::Whole);
}

/// Of two who change the same version one is told that it has changed.
#[tokio::test]
async fn a_promotion_beside_an_edit_is_refused_and_so_is_one_that_judged_too_early() {
    let test = TestStore::memory(permissive()).await;
    let own = test.principal().await;
    let expected = test.store.policy(test.project).await.unwrap().body().document().id;
    let judged = evaluated(&test, spec(1), Consensus::Yes, false).await;
    let attempt = async |judged_to| {
        let (document, version) = promoted(&test).await;
        let change = change(&document, judged_to, None);
        test.store.record_stage(&own, expected, version, change).await
    };
    let divergence = evaluated(&test, spec(2), Consensus::No, false).await;
    let moved = attempt(judged).await;
    assert!(matches!(moved, Err(RolloutRefused::Moved)), "{moved:?}");
    let new = review(&test, divergence, DivergenceVerdict::Wrong);
    test.store.review_divergence(&own, new).await.unwrap();
    let moved = attempt(divergence).await;
    assert!(matches!(moved, Err(RolloutRefused::Moved)), "{moved:?}");
    let judged = test.store.rollout_log(test.project).await.unwrap().as_of;
    evaluated(&test, spec(3), Consensus::Yes, false).await;
    let (document, version) = promoted(&test).await;
    let change = change(&document, judged, None);
    new_policy(&test, permissive()).await;
    let stale = test.store.record_stage(&own, expected, version, change).await;
    assert!(matches!(stale, Err(RolloutRefused::Stale { .. })), "{stale:?}");
    let promoted = records(&test).await.into_iter().filter(|row| row.kind == "project.promoted");
    assert_eq!((promoted.count(), stage(&test).await), (0, DacsStage::Observe));
}

#[tokio::test]
async fn what_was_said_of_a_divergence_or_a_waiver_is_not_edited_unseen() {
    for done in [
        "UPDATE divergence_review SET verdict = 'right'",
        "UPDATE divergence_review SET note = 'as agreed'",
        "UPDATE divergence_review SET evaluation = evaluation + 1",
        "DELETE FROM divergence_review",
        "UPDATE rollout_waiver SET reason = 'as agreed'",
        "UPDATE rollout_waiver SET expires_at = expires_at + 1",
        "UPDATE rollout_waiver SET joined_by = NULL, joined_seq = NULL, joined_at = NULL",
        "UPDATE rollout_waiver SET joined_by = asked_by",
        "UPDATE rollout_waiver SET used_by = NULL",
        "DELETE FROM rollout_waiver",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let test = TestStore::on_disk(folder.path(), permissive()).await;
        let own = test.principal().await;
        let divergence = evaluated(&test, spec(2), Consensus::No, false).await;
        let new = review(&test, divergence, DivergenceVerdict::Wrong);
        test.store.review_divergence(&own, new).await.unwrap();
        let waiver = test.store.ask_waiver(&own, test.project, "why".into()).await.unwrap();
        let (_, lee) = approver(&test, "lee").await;
        test.store.join_waiver(&lee, test.project, waiver.id).await.unwrap();
        let expected = test.store.policy(test.project).await.unwrap().body().document().id;
        let (document, version) = promoted(&test).await;
        let change = change(&document, u64::MAX >> 4, Some(waiver.id));
        test.store.record_stage(&own, expected, version, change).await.unwrap();
        drop((own, lee));
        drop(test);
        assert_eq!(looked(folder.path()).await, AuditFit::Whole, "{done}");
        by_hand(folder.path(), done).await;
        let found = looked(folder.path()).await;
        assert!(matches!(found, AuditFit::Changed(_)), "{done}: {found:?}");
    }
}
