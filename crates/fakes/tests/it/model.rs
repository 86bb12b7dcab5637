use crate::{Caller, status};
use serde_json::Value;
use wiiiv_fakes::{FakeModel, ModelMode};

const PATH: &str = "/v1/chat/completions";
const STREAM: &str = r#"{"model":"m","stream":true,"messages":[]}"#;
const WHOLE: &str = r#"{"model":"m","messages":[]}"#;

#[tokio::test]
async fn it_follows_its_script_streamed_or_not() {
    let script = vec!["하나".to_owned(), "둘".to_owned()];
    let model = FakeModel::spawn(ModelMode::Script(script)).await.unwrap();
    let caller = Caller::to(&model.origin());
    let streamed = caller.post(PATH, STREAM).await.unwrap();
    assert!(streamed.contains("하나") && streamed.ends_with("data: [DONE]\n\n"));
    assert!(streamed.contains("prompt_tokens"));
    for _ in 0..2 {
        let whole: Value = serde_json::from_str(&caller.post(PATH, WHOLE).await.unwrap()).unwrap();
        assert_eq!(whole["choices"][0]["message"]["content"], "둘", "the last one stays");
    }
    assert_eq!(model.calls().len(), 3);
    assert_eq!(model.calls()[0].body["stream"], true);
}

#[tokio::test]
async fn it_refuses_as_told() {
    let model = FakeModel::spawn(ModelMode::RateLimited).await.unwrap();
    let caller = Caller::to(&model.origin());
    assert_eq!(status(caller.post(PATH, STREAM).await), Some(429));
    model.set_mode(ModelMode::Broken);
    assert_eq!(status(caller.post(PATH, STREAM).await), Some(500));
    model.set_mode(ModelMode::Refuses(401, "who?".to_owned()));
    assert_eq!(status(caller.post(PATH, STREAM).await), Some(401));
    model.set_mode(ModelMode::RateLimitedOnce(vec!["그래".to_owned()]));
    assert_eq!(status(caller.post(PATH, STREAM).await), Some(429));
    assert!(caller.post(PATH, STREAM).await.unwrap().contains("그래"));
    assert_eq!(status(caller.post(PATH, "no json").await), Some(400));
}
