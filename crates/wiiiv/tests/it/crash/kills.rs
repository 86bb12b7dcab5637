//! Killed at moments that nobody chose, while people go on working.

use crate::host::{Client, Host, text, until};
use futures::future::join_all;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use tokio::time::sleep;
use wiiiv_fakes::ShopMode;
use wiiiv_net::ApiError;
use wiiiv_vault::random_bytes;

const KILLS: usize = 10;
const KILLS_LONG: usize = 100;
/// People at work at the same time.
const PEOPLE: usize = 3;
/// From the start to the kill, in milliseconds: the first requests are cut as well.
const LIFE_MIN: u64 = 20;
const LIFE_MAX: Duration = Duration::from_millis(600);
/// Or as long as so many orders of everybody take, if that is longer here.
const LIFE_ORDERS: u32 = 2;
/// Between an order's effect and its answer: a kill that falls in it leaves a step in doubt.
const ANSWER_TIME: Duration = Duration::from_millis(15);

/// What was promised to somebody.
#[derive(Default)]
struct Promised {
    /// Session and turn of what was said or decided.
    said: Vec<(String, String)>,
    /// Approvals that were given.
    approved: Vec<String>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_at_any_moment_doubles_nothing_and_loses_nothing() {
    let kills = if std::env::var_os("WIIIV_LONG").is_some() { KILLS_LONG } else { KILLS };
    let mut host = Host::start(None).await;
    host.shop.set_mode(ShopMode::Slow(ANSWER_TIME));
    let mut promised = Promised::default();
    let longest = first_orders(&host, &mut promised).await * LIFE_ORDERS;
    let mut lives = Vec::new();
    for round in 0..kills {
        let (client, orders) = (host.client(), format!("{}/orders", host.shop.url()));
        let people = (0..PEOPLE).map(|who| work(client.clone(), orders.clone(), (round, who)));
        let people = tokio::spawn(join_all(people));
        lives.push(life(longest));
        sleep(lives[round]).await;
        host.kill().await;
        for done in people.await.unwrap() {
            promised.said.extend(done.said);
            promised.approved.extend(done.approved);
        }
        host = host.again().await;
    }
    let runs = at_rest(&host.client()).await;
    println!(
        "{kills} kills after {lives:?}: {} turns and {} yeses acknowledged; {} runs, {} in doubt; \
         {} orders",
        promised.said.len(),
        promised.approved.len(),
        runs.len(),
        in_state(&runs, "indeterminate"),
        host.shop.orders().len()
    );
    assert!(host.shop.orders().len() > PEOPLE, "no order came through between the kills {lives:?}");
    no_order_is_doubled(&host, &runs);
    nothing_is_lost(&host.client(), &promised, &runs).await;
    host.client().verified().await;
}

/// How long one of each takes while nobody is killed.
async fn first_orders(host: &Host, promised: &mut Promised) -> Duration {
    let begun = Instant::now();
    let orders = (0..PEOPLE).map(async |who| {
        let order = format!("POST '{{\"order\":\"first-{who}\"}}' to {}/orders", host.shop.url());
        let mut kept = Promised::default();
        order_once(&host.client(), &order, false, &mut kept).await.unwrap();
        kept
    });
    for kept in join_all(orders).await {
        promised.said.extend(kept.said);
        promised.approved.extend(kept.approved);
    }
    begun.elapsed()
}

fn life(longest: Duration) -> Duration {
    let random = u64::from_le_bytes(*random_bytes::<8>().unwrap());
    let room = u64::try_from(longest.max(LIFE_MAX).as_millis()).unwrap();
    Duration::from_millis(LIFE_MIN + random % room)
}

/// One order after the other, each in a session of its own, until the server is gone.
async fn work(client: Client, orders: String, (round, who): (usize, usize)) -> Promised {
    let mut promised = Promised::default();
    for nth in 0.. {
        let order = format!("POST '{{\"order\":\"{round}-{who}-{nth}\"}}' to {orders}");
        let typed = who % 2 == 1;
        if order_once(&client, &order, typed, &mut promised).await.is_err() {
            break;
        }
    }
    promised
}

async fn order_once(
    client: &Client,
    words: &str,
    typed: bool,
    promised: &mut Promised,
) -> Result<(), ApiError> {
    let session = client.session().await?;
    let turn = client.say(&session, words).await?;
    promised.said.push((session.clone(), turn));
    let question = client.asked(&session).await?;
    let turn =
        if typed { client.say(&session, "yes").await? } else { client.approve(&question).await? };
    promised.said.push((session.clone(), turn));
    promised.approved.push(text(&question, "id"));
    client.over(&session).await.map(drop)
}

/// Every run, when what was decided has happened and what was begun has ended.
async fn at_rest(client: &Client) -> Vec<Value> {
    until("rest", async || {
        // First the questions: an answer that is used now has its run in the list that follows.
        let decided = client.questions("approved").await.unwrap();
        let runs = client.executions().await.unwrap();
        let idle = runs.iter().all(|run| run["state"] != "running");
        (idle && decided.is_empty()).then_some(runs)
    })
    .await
}

fn in_state(runs: &[Value], state: &str) -> usize {
    runs.iter().filter(|run| run["state"] == state).count()
}

/// As many effects as runs that succeeded; one in doubt may have had its effect, once.
fn no_order_is_doubled(host: &Host, runs: &[Value]) {
    let mut placed: BTreeMap<String, usize> = BTreeMap::new();
    for order in host.shop.orders() {
        *placed.entry(text(&order, "order")).or_default() += 1;
    }
    assert!(placed.values().all(|times| *times == 1), "{placed:?}");
    let (sure, doubtful) = (in_state(runs, "succeeded"), in_state(runs, "indeterminate"));
    assert_eq!(sure + doubtful, runs.len(), "{runs:?}");
    assert!((sure..=sure + doubtful).contains(&placed.len()), "{} orders, {runs:?}", placed.len());
}

async fn nothing_is_lost(client: &Client, promised: &Promised, runs: &[Value]) {
    for (session, turn) in &promised.said {
        let history = client.history(session).await.unwrap();
        let kept = |event: &Value| event["event"] == "accepted" && event["turn"] == **turn;
        assert!(history.iter().any(kept), "turn {turn} is not in {history:?}");
    }
    let used = client.questions("consumed").await.unwrap();
    let consumed: BTreeMap<String, String> =
        used.iter().map(|row| (text(row, "id"), text(row, "execution"))).collect();
    for approval in &promised.approved {
        let run = consumed.get(approval).unwrap_or_else(|| panic!("{approval} was given in vain"));
        assert!(runs.iter().any(|known| known["id"] == **run), "{run} of {approval} is missing");
    }
    let once: BTreeSet<&String> = consumed.values().collect();
    assert_eq!(once.len(), consumed.len(), "one run an approval: {consumed:?}");
}
