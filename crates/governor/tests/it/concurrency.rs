//! Two at once: one effect at most, and one clear answer each.

use crate::house::{House, Options, Person};
use std::time::Duration;
use wiiiv_domain::{SessionId, TurnId};
use wiiiv_fakes::ShopMode;
use wiiiv_governor::{Control, DecideError, Decided, Decision, GovernorConfig};

async fn asked(
    house: &House,
) -> (SessionId, wiiiv_domain::ApprovalId, wiiiv_domain::BlueprintDigest) {
    let session = house.session().await;
    let text = format!("POST '{{\"sku\":\"A1\"}}' to {}", house.url("/orders"));
    let told = house.say(session, &text).await;
    let (approval, digest) = told.asked().expect("a preview");
    (session, approval, digest)
}

async fn approve(
    house: &House,
    who: &Person,
    approval: wiiiv_domain::ApprovalId,
    digest: wiiiv_domain::BlueprintDigest,
) -> Result<Decided, DecideError> {
    let who = house.principal(who).await;
    house.governor.decide(&who, approval, Decision::Approve { digest }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_approvals_one_counts() {
    let house = House::new().await;
    for _ in 0..8 {
        let before = house.shop.orders().len();
        let (session, approval, digest) = asked(&house).await;
        let (a, b) = tokio::join!(
            approve(&house, &house.owner, approval, digest),
            approve(&house, &house.owner, approval, digest),
        );
        let turns: Vec<TurnId> = [&a, &b].into_iter().flatten().map(|d| d.turn).collect();
        assert_eq!(turns.len(), 1, "{a:?} {b:?}");
        house.ended(session, turns[0]).await;
        assert_eq!(house.shop.orders().len(), before + 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn approve_against_cancel_has_one_effect_at_most() {
    let house = House::new().await;
    for nth in 0..12 {
        let before = house.shop.orders().len();
        let (session, approval, digest) = asked(&house).await;
        let who = house.principal(&house.owner).await;
        let cancel = async {
            tokio::time::sleep(Duration::from_micros(200 * nth)).await;
            house.governor.control(&who, session, Control::Cancel).await
        };
        let (yes, cancelled) =
            tokio::join!(approve(&house, &house.owner, approval, digest), cancel);
        let cancelled = cancelled.expect("a cancel is always honoured");
        house.ended(session, cancelled).await;
        if let Ok(decided) = yes {
            house.ended(session, decided.turn).await;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert!(house.shop.orders().len() <= before + 1);
        let later = house.say(session, "hello").await;
        assert_ne!(later.outcome, "error", "the session goes on: {}", later.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_stops_a_step_in_flight() {
    let house = House::new().await;
    house.shop.set_mode(ShopMode::Slow(Duration::from_secs(20)));
    let (session, approval, digest) = asked(&house).await;
    let decided = approve(&house, &house.owner, approval, digest).await.unwrap();
    while house.shop.calls().is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let who = house.principal(&house.owner).await;
    let turn = house.governor.control(&who, session, Control::Cancel).await.unwrap();
    house.ended(session, turn).await;
    house.ended(session, decided.turn).await;
    house.shop.set_mode(ShopMode::Answer);
    let next = house.say(session, "hello").await;
    assert_eq!(next.outcome, "done", "{}", next.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_has_expired_cannot_be_answered() {
    let house = House::new().await;
    house.change_policy(|policy| policy.approval.normal.ttl_seconds = 1).await;
    let (session, approval, digest) = asked(&house).await;
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    let late = approve(&house, &house.owner, approval, digest).await;
    assert!(matches!(late, Err(DecideError::Expired)), "{late:?}");
    assert_eq!(house.shop.orders().len(), 0);
    assert_eq!(house.governor.state(session).await.unwrap().pending, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_comes_too_late_is_told_so_in_the_conversations_language() {
    let house = House::new().await;
    house.change_policy(|policy| policy.approval.normal.ttl_seconds = 1).await;
    let session = house.session().await;
    let asked = house.say(session, "notes/a.md 에 '회의 3시' 라고 써줘").await;
    let digest = asked.asked().expect("a preview").1.short();
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    for yes in ["y", "ok"] {
        let late = house.say(session, yes).await;
        assert!(late.text().contains("만료") && late.text().contains(&digest), "{}", late.text());
    }
    let house = house.restarted().await;
    let late = house.say(session, "yes").await;
    assert!(late.text().contains("만료"), "{}", late.text());
    house.say(session, "hello").await;
    let nothing = house.say(session, "yes").await;
    assert!(nothing.text().contains("확인을 기다리는 일이 없습니다"), "{}", nothing.text());
    assert_eq!(house.file("notes/a.md"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bare_yes_does_not_change_the_language() {
    let house = House::new().await;
    for (words, yes, said) in [
        ("notes/a.md 에 '회의 3시' 라고 써줘", "yes", "저장했습니다"),
        ("Write 'meeting at 3' to notes/b.md", "네", "Saved notes/b.md."),
    ] {
        let session = house.session().await;
        assert_eq!(house.say(session, words).await.outcome, "pending");
        let done = house.say(session, yes).await;
        assert!(done.text().contains(said), "{}", done.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_turns_share_their_commits() {
    let house = House::new().await;
    let mut sessions = Vec::new();
    for _ in 0..64 {
        sessions.push(house.session().await);
    }
    let before = house.governor.store().counters();
    let turns = sessions.iter().map(|session| house.say(*session, "hello"));
    for told in futures::future::join_all(turns).await {
        assert_eq!(told.outcome, "done", "{}", told.text());
    }
    let after = house.governor.store().counters();
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
    let house = House::with(Options { config, origins, ..Options::default() }).await;
    let url = model.base_url();
    house
        .change_policy(|policy| {
            policy.llm_provider = wiiiv_domain::ProviderName::Custom;
            policy.llm_base_url = Some(url);
        })
        .await;
    let session = house.session().await;
    let sends = (0..6).map(|n| {
        let house = &house;
        async move {
            tokio::time::sleep(Duration::from_millis(20 * n)).await;
            tokio::time::timeout(Duration::from_millis(500), house.send(session, "hello")).await
        }
    });
    let answers = futures::future::join_all(sends).await;
    let full = answers.iter().flatten().filter(|a| a.is_err()).count();
    assert_eq!(full, 3, "one in progress, two waiting, three refused: {answers:?}");
}
