//! The rotation of the master key over HTTP: begun by an administrator, followed, and certified.

use crate::{
    call::{Answer, TestRequest},
    test_server::{Person, TestServer},
};
use secrecy::SecretString;
use serde_json::json;
use std::sync::{Arc, Mutex};
use wiiiv_server::{NextKey, ServerConfig};
use wiiiv_vault::MasterKey;

const NEXT: &str = "CAFE0123CAFE0123CAFE0123CAFE0123CAFE0123CAFE0123CAFE0123CAFE0123";
const SECRET: &str = "sk-CANARY-0123456789";

/// What lies beside the master key: nothing, a text, or a file that cannot be used.
type Beside = Arc<Mutex<Result<Option<&'static str>, String>>>;

async fn test(beside: &Beside) -> TestServer {
    let lies = Arc::clone(beside);
    let look = move || {
        let text = lies.lock().unwrap().clone()?;
        Ok(text.map(|text| MasterKey::parse(text).unwrap()))
    };
    TestServer::with(|config| ServerConfig { next_key: NextKey::new(look), ..config }).await
}

async fn rotate(test: &TestServer, who: &Person) -> Answer {
    test.send(TestRequest::new("POST", "/keys/rotate").by(&who.token)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_rotates_and_reads_the_certificate() {
    let beside = Beside::new(Mutex::new(Ok(None)));
    let test = test(&beside).await;
    let (admin, owner) = (test.admin.clone(), test.owner.clone());
    let set = TestRequest::new("PUT", "/keys/openai").by(&owner.token);
    assert_eq!(test.status(set.json(&json!({ "secret": SECRET }))).await, 201);
    assert_eq!(rotate(&test, &owner).await.status, 403);
    assert_eq!(test.get(&owner, "/keys/rotation").await.status, 403);
    let none = rotate(&test, &admin).await;
    assert_eq!((none.status, &none.body["code"]), (409, &json!("NO_NEXT_KEY")));
    *beside.lock().unwrap() = Err("`next` can be read by others: run `chmod 600 next`".to_owned());
    let open = rotate(&test, &admin).await;
    assert_eq!((open.status, &open.body["code"]), (422, &json!("NEXT_KEY_REFUSED")));
    assert!(open.body["params"]["reason"].as_str().unwrap().contains("chmod 600"), "{}", open.body);
    let before = test.get(&admin, "/keys/rotation").await.body;
    assert_eq!(before, json!({ "version": 1, "rotation": null }));

    *beside.lock().unwrap() = Ok(Some(NEXT));
    let begun = rotate(&test, &admin).await;
    assert_eq!((begun.status, &begun.body["version"]), (202, &json!(2)), "{}", begun.body);
    let ended = loop {
        let told = test.get(&admin, "/keys/rotation").await.body;
        if told["rotation"]["finished_at"].is_string() {
            break told;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    };
    let certificate = &ended["rotation"]["certificate"];
    assert_eq!((&certificate["from"], &certificate["to"]), (&json!(1), &json!(2)));
    assert_eq!(certificate["sealed"]["model_key"], 1);
    assert!(certificate["checkpoint"]["signature"].is_string(), "{certificate}");
    let again = rotate(&test, &admin).await;
    assert_eq!((again.status, &again.body), (200, &ended));
    let shown = format!("{} {} {ended}", begun.body, open.body).to_uppercase();
    assert!(!shown.contains(&NEXT[..8]) && !shown.contains("CANARY"), "{shown}");
    let holder = wiiiv_domain::KeyHolder::User(owner.user);
    let key = test.store().open_model_key(holder, wiiiv_domain::ProviderName::OpenAi).await;
    let secret: SecretString = key.unwrap().unwrap().secret;
    assert_eq!(secrecy::ExposeSecret::expose_secret(&secret), SECRET);
}

#[tokio::test]
async fn a_key_that_was_left_is_refused_with_what_to_do() {
    let beside = Beside::new(Mutex::new(Ok(Some(NEXT))));
    let test = test(&beside).await;
    let admin = test.admin.clone();
    let until = async |version: u32| loop {
        let told = test.get(&admin, "/keys/rotation").await.body;
        if told["rotation"]["to"] == version && told["rotation"]["finished_at"].is_string() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    };
    assert_eq!(rotate(&test, &admin).await.status, 202);
    until(2).await;
    *beside.lock().unwrap() =
        Ok(Some("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"));
    assert_eq!(rotate(&test, &admin).await.status, 202);
    until(3).await;
    *beside.lock().unwrap() = Ok(Some(NEXT));
    let asked = TestRequest::new("POST", "/keys/rotate").by(&admin.token);
    let back = test.send(asked.header("accept-language", "ko")).await;
    assert_eq!((back.status, &back.body["code"]), (422, &json!("NEXT_KEY_REFUSED")));
    assert!(back.body["params"]["reason"].as_str().unwrap().contains("버전 `2`"), "{}", back.body);
}
