use crate::test_models::{TestModels, assert_talk, parts, prompt, talk};
use tokio::sync::mpsc;
use wiiiv_context::{PROPOSAL_SCHEMA, Rendered as _, RuleBook};
use wiiiv_domain::{Action, Currency, ModelPrice, PriceTier, TaskType, Terms, Usage};
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_llm::token_bound;

async fn scripted(texts: &[&str]) -> (FakeModel, TestModels) {
    let script = texts.iter().map(|text| (*text).to_owned()).collect();
    let model = FakeModel::spawn(ModelMode::Script(script)).await.unwrap();
    let test = TestModels::asking(&model);
    (model, test)
}

#[tokio::test]
async fn a_streamed_proposal_is_put_together() {
    let text = r#"{"action":"EXECUTE","taskType":"FILE_WRITE","message":"",
        "slots":{"targetPath":"notes/오늘.md","content":"회의 3시"},"taskSwitch":{"kind":"new"}}"#;
    let (model, test) = scripted(&[text]).await;
    let done = test.ask("notes/오늘.md 에 '회의 3시' 라고 써줘").await.unwrap();
    assert_eq!((done.proposal.action, done.attempts), (Action::Execute, 1));
    assert_eq!(done.proposal.task_type, TaskType::FileWrite);
    assert_eq!(done.proposal.slots.get("content"), Some("회의 3시"));
    let output_tokens = u64::try_from(text.len() / 4).unwrap();
    assert_eq!(done.spent.total(), Usage { input_tokens: 100, output_tokens, estimated: false });
    let sent = &model.calls()[0].body;
    let prompt = prompt(parts("notes/오늘.md 에 '회의 3시' 라고 써줘"));
    assert_eq!(sent["messages"][0]["role"], "system");
    assert_eq!(sent["messages"][0]["content"], RuleBook::embedded().sheet().text());
    assert_eq!(sent["messages"][1]["content"], prompt.user());
    assert_eq!((sent["model"].as_str(), sent["max_tokens"].as_u64()), (Some("m"), Some(512)));
    let schema: serde_json::Value = serde_json::from_str(PROPOSAL_SCHEMA).unwrap();
    assert_eq!(sent["response_format"]["json_schema"]["schema"], schema);
    for bound in ["maxLength", "maxProperties", "propertyNames", "$ref"] {
        assert!(!sent["response_format"].to_string().contains(bound), "{bound}");
    }
}

#[tokio::test]
async fn talk_is_told_as_it_comes_and_nothing_else_is() {
    let long = "오늘은 날씨가 좋네요. 무엇을 도와드릴까요? 파일도 쓸 수 있습니다.";
    let (model, test) = scripted(&[&talk(long)]).await;
    let (deltas, mut told) = mpsc::channel(256);
    let done = test.ask_with(&prompt(parts("안녕")), Some(deltas)).await.unwrap();
    assert_talk(&done.proposal, long);
    let mut pieces = Vec::new();
    while let Some(piece) = told.recv().await {
        pieces.push(piece);
    }
    assert!(pieces.len() > 1 && pieces.concat() == long);
    model.set_mode(ModelMode::AlwaysExecute);
    let (deltas, mut told) = mpsc::channel(256);
    test.ask_with(&prompt(parts("안녕")), Some(deltas)).await.unwrap();
    assert_eq!(told.recv().await, None);
}

/// What was refused before anything was worked on has used up nothing of what was held.
#[tokio::test]
async fn the_repair_is_there_behind_a_refusal_that_cost_nothing() {
    let texts = vec!["Sure!".to_owned(), talk("왔어요")];
    let model = FakeModel::spawn(ModelMode::RateLimitedOnce(texts)).await.unwrap();
    let done = TestModels::asking(&model).ask("안녕").await.unwrap();
    assert_talk(&done.proposal, "왔어요");
    assert_eq!((done.attempts, done.spent.attempts(), model.calls().len()), (3, 2, 3));
}

#[tokio::test]
async fn one_repair_shows_what_was_wrong() {
    let (model, test) = scripted(&["Sure!", &talk("안녕하세요")]).await;
    let done = test.ask("안녕").await.unwrap();
    assert_talk(&done.proposal, "안녕하세요");
    assert_eq!((done.attempts, done.spent.total().input_tokens), (2, 200));
    // Each is priced for itself: together they would reach a tier that neither does.
    let tier = |from_input_tokens, micros| PriceTier {
        from_input_tokens,
        input_micros_per_million: micros,
        output_micros_per_million: 0,
    };
    let tiers = vec![tier(0, 1_000_000), tier(150, 9_000_000)];
    let price = ModelPrice { currency: Currency::USD, tiers };
    let cost = Terms::new(Some(&price), (100, 1), 2).cost(&done.spent);
    assert_eq!(cost.micros, Some(200));
    let second = model.calls()[1].body["messages"][1]["content"].as_str().unwrap().to_owned();
    assert!(second.contains("ANSWER\nSure!") && second.contains("FAULT\n"));
    assert_eq!(model.calls()[0].body["messages"][0], model.calls()[1].body["messages"][0]);
}

#[tokio::test]
async fn without_a_second_attempt_there_is_no_repair() {
    let (model, mut test) = scripted(&["Sure!", &talk("안녕하세요")]).await;
    test.attempts = 1;
    assert!(test.ask("안녕").await.is_err());
    assert_eq!(model.calls().len(), 1);
}

#[tokio::test]
async fn patience_is_kept_where_the_provider_asks_for_it() {
    let model = FakeModel::spawn(ModelMode::RateLimitedOnce(vec![talk("왔어요")])).await.unwrap();
    let test = TestModels::asking(&model);
    let start = std::time::Instant::now();
    assert_talk(&test.ask("안녕").await.unwrap().proposal, "왔어요");
    assert!(start.elapsed() >= std::time::Duration::from_secs(1), "Retry-After was one second");
}

#[tokio::test]
async fn a_server_without_schemas_is_asked_plainly_and_remembered() {
    let model = FakeModel::spawn(ModelMode::NoSchema(talk("네"))).await.unwrap();
    let test = TestModels::asking(&model);
    for _ in 0..2 {
        assert_talk(&test.ask("안녕").await.unwrap().proposal, "네");
    }
    assert_eq!(model.calls().len(), 3, "the refusal is met once");
    assert!(model.calls()[2].body.get("response_format").is_none());
}

/// Another model behind the same address may well take one.
#[tokio::test]
async fn one_models_dislike_of_schemas_is_not_anothers() {
    let model = FakeModel::spawn(ModelMode::NoSchema(talk("네"))).await.unwrap();
    let mut test = TestModels::asking(&model);
    test.ask("안녕").await.unwrap();
    test.turn_to("other");
    model.set_mode(ModelMode::Script(vec![talk("네")]));
    test.ask("안녕").await.unwrap();
    let last = model.calls().pop().unwrap().body;
    assert_eq!(last["model"], "other");
    assert!(last.get("response_format").is_some());
}

/// A request that is refused with and without a schema was not refused for the schema.
#[tokio::test]
async fn a_refusal_for_another_reason_is_no_dislike_of_schemas() {
    for status in [400, 422, 501] {
        let refuses = ModelMode::Refuses(status, "no such model".to_owned());
        let model = FakeModel::spawn(refuses).await.unwrap();
        let mut test = TestModels::asking(&model);
        test.attempts = 1;
        test.ask("안녕").await.unwrap_err();
        model.set_mode(ModelMode::Script(vec![talk("네")]));
        test.ask("안녕").await.unwrap();
        let last = model.calls().pop().unwrap().body;
        assert!(last.get("response_format").is_some(), "{status}");
    }
}

#[tokio::test]
async fn usage_that_is_not_told_is_estimated_and_marked() {
    let model = FakeModel::spawn(ModelMode::NoUsage(talk("네"))).await.unwrap();
    let usage = TestModels::asking(&model).ask("안녕").await.unwrap().spent.total();
    let prompt = prompt(parts("안녕"));
    let sent = token_bound(prompt.system()) + token_bound(prompt.user());
    let answered = token_bound(&talk("네"));
    assert_eq!(
        usage,
        Usage { input_tokens: sent, output_tokens: answered, estimated: true },
        "never less than it can have cost"
    );
}
