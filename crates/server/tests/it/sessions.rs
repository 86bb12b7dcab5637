//! A person's own conversations: by activity, by what was said.

use crate::house::{House, Person};
use serde_json::{Value, json};
use wiiiv_store::Role;

async fn list(house: &House, who: &Person, query: &str) -> (Vec<String>, Value) {
    let path = format!("/projects/{}/sessions{query}", house.project);
    let page = house.get(who, &path).await;
    assert_eq!(page.status, 200, "{}", page.text);
    let items = page.body["items"].as_array().unwrap().clone();
    let ids = items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect();
    (ids, page.body)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_said_last_comes_first() {
    let house = House::new().await;
    let mut sessions = Vec::new();
    for _ in 0..3 {
        sessions.push(house.session(&house.owner, house.project).await);
    }
    let long = format!("안녕하세요 {}", "길".repeat(300));
    house.say(&house.owner, &sessions[0], &long).await;
    house.say(&house.owner, &sessions[0], "a second one").await;
    let (ids, body) = list(&house, &house.owner, "").await;
    assert_eq!(ids, [sessions[0].clone(), sessions[2].clone(), sessions[1].clone()]);
    let first = body["items"][0]["first_message"].as_str().unwrap();
    assert!(first.starts_with("안녕하세요 길") && first.chars().count() == 200, "{first}");
    assert_eq!(body["items"][1]["first_message"], Value::Null);
    let moved = body["items"][0]["updated_at"].as_str().unwrap();
    assert!(moved > body["items"][0]["created_at"].as_str().unwrap());
    let one = house.get(&house.owner, &format!("/sessions/{}", sessions[0])).await;
    assert_eq!(one.body["first_message"], first);

    let mut walked = Vec::new();
    let mut query = "?limit=1".to_owned();
    loop {
        let (ids, body) = list(&house, &house.owner, &query).await;
        walked.extend(ids);
        match body["next_cursor"].as_str() {
            Some(cursor) => query = format!("?limit=1&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(walked, ids);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_looks_at_titles_and_at_the_persons_own_words() {
    let house = House::new().await;
    let path = format!("/projects/{}/sessions", house.project);
    let titled = house.post(&house.owner, &path, json!({"title": "Über 창고"})).await;
    let titled = titled.body["id"].as_str().unwrap().to_owned();
    let spoken = house.session(&house.owner, house.project).await;
    house.say(&house.owner, &spoken, "hello").await;
    house.say(&house.owner, &spoken, "write 'Ünique words' to the file w.txt").await;
    let find = async |who: &Person, q: &str| list(&house, who, &format!("?q={q}")).await.0;
    assert_eq!(find(&house.owner, "%C3%BCber").await, [titled.as_str()], "in any case");
    assert_eq!(find(&house.owner, "%EC%B0%BD%EA%B3%A0").await, [titled.as_str()]);
    assert_eq!(find(&house.owner, "%C3%BCNIQUE%20WORDS").await, [spoken.as_str()]);
    assert_eq!(find(&house.owner, "HELLO&limit=1").await, [spoken.as_str()]);
    assert!(find(&house.owner, "turn_accepted").await.is_empty(), "our words are not searched");
    assert!(find(&house.owner, "%25").await.is_empty(), "no pattern");
    let editor = house.member("editor", Role::Editor).await;
    assert!(find(&editor, "hello").await.is_empty(), "somebody else's are not");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_and_a_place_are_checked() {
    let house = House::new().await;
    let path = format!("/projects/{}/sessions", house.project);
    for (query, parameter) in [
        (format!("q={}", "x".repeat(201)), "q"),
        ("cursor=7".to_owned(), "cursor"),
        ("cursor=7.x".to_owned(), "cursor"),
        ("order=id".to_owned(), "order"),
    ] {
        let refused = house.get(&house.owner, &format!("{path}?{query}")).await;
        assert_eq!((refused.status, refused.code()), (400, "INVALID_QUERY"), "{query}");
        assert_eq!(refused.body["params"]["parameter"], parameter);
    }
    let stranger = house.person("stranger").await;
    assert_eq!(house.get(&stranger, &format!("{path}?q=x")).await.status, 404);
}
