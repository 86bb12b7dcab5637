//! Two at once: one effect at most, and one clear answer each.

use crate::test_governor::{Person, Setup, TestGovernor};
use std::time::Duration;
use wiiiv_domain::{SessionId, TurnId};
use wiiiv_fakes::ShopMode;
use wiiiv_governor::{Control, DecideError, Decided, Decision, GovernorConfig};

async fn asked(
    test: &TestGovernor,
) -> (SessionId, wiiiv_domain::ApprovalId, wiiiv_domain::BlueprintDigest) {
    let session = test.session().await;
    let text = format!("POST '{{\"sku\":\"A1\"}}' to {}", test.url("/orders"));
    let told = test.say(session, &text).await;
    let (approval, digest) = told.asked().expect("a preview");
    (session, approval, digest)
}

async fn approve(
    test: &TestGovernor,
    who: &Person,
    approval: wiiiv_domain::ApprovalId,
    digest: wiiiv_domain::BlueprintDigest,
) -> Result<Decided, DecideError> {
    let who = test.principal(who).await;
    test.governor.decide(&who, approval, Decision::Approve { digest }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_approvals_one_counts() {
    let test = TestGovernor::new().await;
    for _ in 0..8 {
        let before = test.shop.orders().len();
        let (session, approval, digest) = asked(&test).await;
        let (a, b) = tokio::join!(
            approve(&test, &test.owner, approval, digest),
            approve(&test, &test.owner, approval, digest),
        );
        let turns: Vec<TurnId> = [&a, &b].into_iter().flatten().map(|d| d.turn).collect();
        assert_eq!(turns.len(), 1, "{a:?} {b:?}");
        test.ended(session, turns[0]).await;
        assert_eq!(test.shop.orders().len(), before + 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn approve_against_cancel_has_one_effect_at_most() {
    let test = TestGovernor::new().await;
    for nth in 0..12 {
        let before = test.shop.orders().len();
        let (session, approval, digest) = asked(&test).await;
        let who = test.principal(&test.owner).await;
        let cancel = async {
            tokio::time::sleep(Duration::from_micros(200 * nth)).await;
            test.governor.control(&who, session, Control::Cancel).await
        };
        let (yes, cancelled) = tokio::join!(approve(&test, &test.owner, approval, digest), cancel);
        let cancelled = cancelled.expect("a cancel is always honoured");
        test.ended(session, cancelled).await;
        if let Ok(decided) = yes {
            test.ended(session, decided.turn).await;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(test.shop.orders().len() <= before + 1);
        let later = test.say(session, "hello").await;
        assert_ne!(later.outcome, "error", "the session goes on: {}", later.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_stops_a_step_in_flight() {
    let test = TestGovernor::new().await;
    test.shop.set_mode(ShopMode::Slow(Duration::from_secs(20)));
    let (session, approval, digest) = asked(&test).await;
    let decided = approve(&test, &test.owner, approval, digest).await.unwrap();
    while test.shop.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let who = test.principal(&test.owner).await;
    let turn = test.governor.control(&who, session, Control::Cancel).await.unwrap();
    test.ended(session, turn).await;
    test.ended(session, decided.turn).await;
    test.shop.set_mode(ShopMode::Answer);
    let next = test.say(session, "hello").await;
    assert_eq!(next.outcome, "done", "{}", next.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_has_expired_cannot_be_answered() {
    let test = TestGovernor::new().await;
    test.change_policy(|policy| policy.approval.normal.ttl_seconds = 1).await;
    let (session, approval, digest) = asked(&test).await;
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    let late = approve(&test, &test.owner, approval, digest).await;
    assert!(matches!(late, Err(DecideError::Expired)), "{late:?}");
    assert_eq!(test.shop.orders().len(), 0);
    assert_eq!(test.governor.state(session).await.unwrap().pending, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_comes_too_late_is_told_so_in_the_conversations_language() {
    let test = TestGovernor::new().await;
    test.change_policy(|policy| policy.approval.normal.ttl_seconds = 1).await;
    let session = test.session().await;
    let asked = test.say(session, "notes/a.md 에 '회의 3시' 라고 써줘").await;
    let digest = asked.asked().expect("a preview").1.short();
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    for yes in ["y", "ok"] {
        let late = test.say(session, yes).await;
        assert!(late.text().contains("만료") && late.text().contains(&digest), "{}", late.text());
    }
    let test = test.restarted().await;
    let late = test.say(session, "yes").await;
    assert!(late.text().contains("만료"), "{}", late.text());
    test.say(session, "hello").await;
    let nothing = test.say(session, "yes").await;
    assert!(nothing.text().contains("확인을 기다리는 일이 없습니다"), "{}", nothing.text());
    assert_eq!(test.file("notes/a.md"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bare_yes_does_not_change_the_language() {
    let test = TestGovernor::new().await;
    for (words, yes, said) in [
        ("notes/a.md 에 '회의 3시' 라고 써줘", "yes", "저장했습니다"),
        ("Write 'meeting at 3' to notes/b.md", "네", "Saved notes/b.md."),
    ] {
        let session = test.session().await;
        assert_eq!(test.say(session, words).await.outcome, "pending");
        let done = test.say(session, yes).await;
        assert!(done.text().contains(said), "{}", done.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_turns_share_their_commits() {
    let test = TestGovernor::new().await;
    let mut sessions = Vec::new();
    for _ in 0..64 {
        sessions.push(test.session().await);
    }
    let before = test.governor.store().counters();
    let turns = sessions.iter().map(|session| test.say(*session, "hello"));
    for told in futures::future::join_all(turns).await {
        assert_eq!(told.outcome, "done", "{}", told.text());
    }
    let after = test.governor.store().counters();
    let (commits, boundaries) =
        (after.commits - before.commits, after.boundaries - before.boundaries);
    assert!(boundaries >= 128, "{boundaries}");
    assert!(commits * 4 < boundaries, "{commits} commits for {boundaries} boundaries");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_queue_says_so() {
    let model = wiiiv_fakes::FakeModel::spawn(wiiiv_fakes::ModelMode::Silent).await.unwrap();
    let config = GovernorConfig { queue_max: 2, ..GovernorConfig::default() };
    let origins = vec![model.origin()];
    let test = TestGovernor::with(Setup { config, origins, ..Setup::default() }).await;
    let url = model.base_url();
    test.change_policy(|policy| {
        policy.llm_provider = wiiiv_domain::ProviderName::Custom;
        policy.llm_base_url = Some(url);
    })
    .await;
    let session = test.session().await;
    let sends = (0..6).map(|n| {
        let test = &test;
        async move {
            tokio::time::sleep(Duration::from_millis(20 * n)).await;
            tokio::time::timeout(Duration::from_millis(500), test.send(session, "hello")).await
        }
    });
    let answers = futures::future::join_all(sends).await;
    let full = answers.iter().flatten().filter(|a| a.is_err()).count();
    assert_eq!(full, 3, "one in progress, two waiting, three refused: {answers:?}");
}
