use crate::{Caller, status};
use serde_json::{Value, json};
use wiiiv_fakes::{Cassettes, ModelMode, Recorded};

const WHOLE: &str = r#"{"model":"m","messages":[{"role":"user","content":"안녕"}]}"#;
const OPINION: &str = r#"{"model":"m","messages":[{"role":"user","content":"skeptic"}]}"#;
const STREAM: &str = r#"{"model":"m","stream":true,"messages":[]}"#;

fn said(answer: Result<String, wiiiv_net::ProviderError>) -> String {
    let whole: Value = serde_json::from_str(&answer.unwrap()).unwrap();
    whole.pointer("/choices/0/message/content").unwrap().as_str().unwrap().to_owned()
}

fn marked(mark: &str, text: &str) -> Recorded {
    Recorded { mark: Some(mark.to_owned()), text: text.to_owned() }
}

#[tokio::test]
async fn each_run_hears_its_own_answers_until_there_are_none() {
    let cassettes = Cassettes::open().await.unwrap();
    let caller = Caller::to(&cassettes.origin());
    let path = |key: &str| format!("/{key}/v1/chat/completions");
    assert!(cassettes.base_url("c01").ends_with("/c01/v1"));
    cassettes.add("c01", [json!({"action": "ASK"}).into(), "둘".to_owned().into()]).unwrap();
    cassettes.add("c02", [marked("skeptic", "의심"), "그래".to_owned().into()]).unwrap();
    assert_eq!(said(caller.post(&path("c01"), WHOLE).await), r#"{"action":"ASK"}"#);
    assert_eq!(said(caller.post(&path("c02"), WHOLE).await), "그래", "the mark waits for its own");
    assert_eq!(said(caller.post(&path("c02"), OPINION).await), "의심");
    let streamed = caller.post(&path("c01"), STREAM).await.unwrap();
    assert!(streamed.contains("둘") && streamed.ends_with("data: [DONE]\n\n"));
    let told = caller.post(&path("c01"), WHOLE).await.unwrap_err();
    assert!(format!("{told:?}").contains("500"), "{told:?}");
    assert_eq!((cassettes.calls("c01"), cassettes.left("c01"), cassettes.left("c02")), (3, 0, 0));
    assert_eq!(cassettes.requests("c01"), [WHOLE, STREAM, WHOLE]);
    cassettes.remove("c01");
    assert_eq!(status(caller.post(&path("c01"), WHOLE).await), Some(500));
    assert!(cassettes.requests("c01").is_empty());
}

#[tokio::test]
async fn a_hostile_model_leaves_the_recorded_answers_where_they_are() {
    let cassettes = Cassettes::open().await.unwrap();
    let caller = Caller::to(&cassettes.origin());
    let path = "/k/v1/chat/completions";
    cassettes.add("k", ["좋아요".to_owned().into()]).unwrap();
    cassettes.set_hostile("k", Some(ModelMode::AlwaysExecute)).unwrap();
    assert!(said(caller.post(path, WHOLE).await).contains("pwned-1.txt"));
    assert!(said(caller.post(path, WHOLE).await).contains("pwned-2.txt"));
    cassettes.set_hostile("k", None).unwrap();
    assert_eq!(said(caller.post(path, WHOLE).await), "좋아요");
    cassettes.add("k", ["남음".to_owned().into()]).unwrap();
    cassettes.clear("k").unwrap();
    assert_eq!((cassettes.left("k"), cassettes.calls("k")), (0, 3));
}
