//! Answers in words are looked at before they are given, and asked for once more, where the policy says so. Whatever keeps
//! a stage from being done leaves the answer as it is, with the reason on record; proposals to act are never touched.

use crate::{
    jobs::house_of,
    test_governor::{SeenTurn, Setup, TestGovernor},
};
use serde_json::{Value, json};
use std::time::Duration;
use wiiiv_domain::{
    AnswerCheck, AnswerFinding, AnswerPolicy, EventBody, HaltScope, Lang, ProposalFailure,
    ProviderName, SessionId,
};
use wiiiv_fakes::{FakeModel, ModelMode, Personas, findings};
use wiiiv_governor::Live;
use wiiiv_net::Timeouts;
use wiiiv_store::{AuditFilter, Chain};

/// Long past the end of each test.
const LATE: Duration = Duration::from_secs(600);
const ASKED: &str = "요금제가 뭐가 있어?";
/// In another language than is spoken.
const ENGLISH: &str = "There are three plans that you can choose from.";
const KOREAN: &str = "요금제는 알뜰, 기본, 최고 세 가지입니다.";

fn says(message: &str) -> String {
    let reply =
        json!({"action": "REPLY", "taskType": "INFORMATION", "message": message, "slots": {}});
    reply.to_string()
}

/// Answers to whoever asks for one, in order; `check`: to whoever looks at one.
fn models(answers: &[&str], check: ModelMode) -> ModelMode {
    let governor = ModelMode::Script(answers.iter().map(|message| says(message)).collect());
    of_governor(governor, check)
}

fn of_governor(governor: ModelMode, check: ModelMode) -> ModelMode {
    ModelMode::Personas(Box::new(Personas { check, ..Personas::approving(governor) }))
}

const fn only(check: AnswerCheck) -> AnswerPolicy {
    AnswerPolicy { check, refine: false }
}

const fn refining(check: AnswerCheck) -> AnswerPolicy {
    AnswerPolicy { check, refine: true }
}

async fn house(model: &FakeModel, answers: AnswerPolicy) -> TestGovernor {
    let test = house_of(model).await;
    test.change_policy(|policy| policy.answers = answers).await;
    test
}

/// Nobody gives up waiting for the model before the test is over.
async fn patient_house(model: &FakeModel, answers: AnswerPolicy) -> TestGovernor {
    let timeouts = Timeouts { connect: LATE, first_byte: LATE, between_chunks: LATE, total: LATE };
    let origins = vec![model.origin()];
    let test = TestGovernor::with(Setup { timeouts, origins, ..Setup::default() }).await;
    let url = model.base_url();
    test.change_policy(|policy| {
        policy.llm_provider = ProviderName::Custom;
        policy.llm_base_url = Some(url);
        policy.answers = answers;
    })
    .await;
    test
}

async fn recorded(test: &TestGovernor, kind: &str) -> Vec<Value> {
    let filter = AuditFilter { kind: Some(kind.to_owned()), ..AuditFilter::default() };
    let chain = Chain::Project(test.project);
    let mut rows = test.governor.store().audit_search(chain, &filter).await.unwrap();
    rows.sort_by_key(|row| row.seq);
    rows.into_iter().map(|row| row.body).collect()
}

/// The one record of a look, without the ids in it.
async fn look(test: &TestGovernor) -> Value {
    let [mut body] = <[Value; 1]>::try_from(recorded(test, "answer.checked").await).unwrap();
    let fields = body.as_object_mut().unwrap();
    assert!(fields.remove("turn").is_some() && fields.remove("call").is_some());
    body
}

fn record(by: &str, findings: &[&str], refined: bool, left_out: &[(&str, &str)]) -> Value {
    let left_out: Vec<Value> =
        left_out.iter().map(|(stage, reason)| json!({"stage": stage, "reason": reason})).collect();
    json!({"by": by, "findings": findings, "refined": refined, "leftOut": left_out})
}

/// What the conversation tells of the answer that was given.
fn marked(told: &SeenTurn) -> Vec<AnswerFinding> {
    let found = told.events.iter().filter_map(|event| match &event.body {
        EventBody::Replied { findings, .. } => Some(findings.iter().copied()),
        _ => None,
    });
    found.flatten().collect()
}

/// Rules and text of each prompt.
fn prompts(model: &FakeModel) -> Vec<(String, String)> {
    let text =
        |body: &Value, nth: usize| body["messages"][nth]["content"].as_str().unwrap().to_owned();
    model.calls().iter().map(|call| (text(&call.body, 0), text(&call.body, 1))).collect()
}

async fn all_there(model: &FakeModel, count: usize) {
    while model.calls().len() < count {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn asked(test: &TestGovernor) -> (SessionId, SeenTurn) {
    let session = test.session().await;
    let told = test.say(session, ASKED).await;
    assert_eq!(told.outcome, "done", "{}", told.text());
    assert_eq!(test.used().await.open, 0, "every hold is settled");
    (session, told)
}

#[tokio::test(flavor = "multi_thread")]
async fn off_is_the_turn_of_before() {
    let model = FakeModel::spawn(models(&[ENGLISH], findings(&["UNCLEAR"]))).await.unwrap();
    let test = house_of(&model).await;
    let (_, told) = asked(&test).await;
    assert_eq!((told.text().as_str(), model.calls().len()), (ENGLISH, 1));
    assert!(recorded(&test, "answer.checked").await.is_empty());
    assert!(recorded(&test, "model.called").await[0]["stage"].is_null());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_code_finds_is_on_record_and_asks_no_model() {
    let model = FakeModel::spawn(models(&[ENGLISH], findings(&["UNCLEAR"]))).await.unwrap();
    let test = house(&model, only(AnswerCheck::Rules)).await;
    let (_, told) = asked(&test).await;
    assert_eq!((told.text().as_str(), model.calls().len()), (ENGLISH, 1));
    assert_eq!(look(&test).await, record("rules", &["LANGUAGE"], false, &[]));
    assert_eq!(marked(&told), [AnswerFinding::Language], "it was given all the same");
    assert!(!recorded(&test, "answer.checked").await[0].to_string().contains("plans"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_better_answer_is_given_in_its_place_and_the_first_is_nowhere() {
    let model = FakeModel::spawn(models(&[ENGLISH, KOREAN, KOREAN], findings(&[]))).await.unwrap();
    let test = house(&model, refining(AnswerCheck::Rules)).await;
    let (session, told) = asked(&test).await;
    assert_eq!(told.text(), KOREAN);
    assert!(marked(&told).is_empty(), "the better one was given");
    assert_eq!(look(&test).await, record("rules", &["LANGUAGE"], true, &[]));
    let [first, second] = <[(String, String); 2]>::try_from(prompts(&model)).unwrap();
    assert_eq!(first.0, second.0, "the rules are the same");
    assert!(second.1.contains(&format!(" ANSWER\n{ENGLISH}\n")), "{}", second.1);
    assert!(second.1.contains(" FINDINGS\nLANGUAGE: "), "{}", second.1);
    // Each is a call of its own, with its own plan and charge.
    let called = recorded(&test, "model.called").await;
    let stages: Vec<&Value> = called.iter().map(|body| &body["stage"]).collect();
    assert_eq!(stages, [&Value::Null, &json!("refine")]);
    assert!(called.iter().all(|body| body["plan"]["parts"].is_array()), "{called:?}");
    let answered = recorded(&test, "answer.checked").await;
    assert_eq!(answered[0]["call"], called[0]["call"]);
    // What was not given is in no later prompt.
    test.say(session, "고마워요").await;
    let last = prompts(&model).pop().unwrap().1;
    assert!(last.contains(KOREAN) && !last.contains(ENGLISH), "{last}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_looks_where_code_finds_nothing_and_what_it_finds_is_made_better() {
    let first = "음성 통화는 어느 요금제나 무제한입니다.";
    let model =
        FakeModel::spawn(models(&[first, KOREAN], findings(&["UNANSWERED"]))).await.unwrap();
    let test = house(&model, refining(AnswerCheck::Model)).await;
    let (_, told) = asked(&test).await;
    assert_eq!(told.text(), KOREAN);
    assert_eq!(look(&test).await, record("model", &["UNANSWERED"], true, &[]));
    let [_, check, refine] = <[(String, String); 3]>::try_from(prompts(&model)).unwrap();
    assert!(check.0.starts_with("# Check rules") && !check.0.contains("# Governor rules"));
    assert!(check.1.contains(&format!(" ANSWER\n{first}\n")) && check.1.contains(ASKED));
    assert!(!check.1.contains("FINDINGS") && refine.1.contains(" FINDINGS\nUNANSWERED: "));
    let called = recorded(&test, "model.called").await;
    let stages: Vec<&Value> = called.iter().map(|body| &body["stage"]).collect();
    assert_eq!(stages, [&Value::Null, &json!("check"), &json!("refine")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nothing_is_found_the_answer_is_given_as_it_is() {
    let model = FakeModel::spawn(models(&[KOREAN], findings(&[]))).await.unwrap();
    let test = house(&model, refining(AnswerCheck::Model)).await;
    let (_, told) = asked(&test).await;
    assert_eq!((told.text().as_str(), model.calls().len()), (KOREAN, 2));
    assert_eq!(look(&test).await, record("model", &[], false, &[]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_check_that_cannot_be_made_is_left_out_with_its_reason() {
    let cases: [(ModelMode, &str); 6] = [
        (ModelMode::Garbage, "invalid_output"),
        (findings(&["APPROVED"]), "invalid_output"),
        (ModelMode::Declines, "refused"),
        (ModelMode::Broken, "unavailable"),
        (ModelMode::Silent, "timeout"),
        (ModelMode::Refuses(413, String::new()), "context_too_long"),
    ];
    for (check, reason) in cases {
        let model = FakeModel::spawn(models(&[KOREAN], check)).await.unwrap();
        let test = house(&model, refining(AnswerCheck::Model)).await;
        let (_, told) = asked(&test).await;
        assert_eq!(told.text(), KOREAN, "{reason}");
        assert_eq!(look(&test).await, record("rules", &[], false, &[("check", reason)]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_better_answer_that_cannot_be_had_leaves_the_first_one() {
    let acts = json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": KOREAN,
        "slots": {"targetPath": "a.txt", "content": "x"},
    });
    let cases: [(String, &str); 4] = [
        ("no JSON at all".to_owned(), "invalid_output"),
        (says(ENGLISH), "no_better"),
        (says(""), "no_better"),
        // A second look is no way to act.
        (acts.to_string(), "no_better"),
    ];
    for (second, reason) in cases {
        let script = ModelMode::Script(vec![says(ENGLISH), second]);
        let model = FakeModel::spawn(of_governor(script, findings(&[]))).await.unwrap();
        let test = house(&model, refining(AnswerCheck::Rules)).await;
        let (_, told) = asked(&test).await;
        assert_eq!(told.text(), ENGLISH, "{reason}");
        let due = record("rules", &["LANGUAGE"], false, &[("refine", reason)]);
        assert_eq!(look(&test).await, due);
        assert!(test.file("a.txt").is_none() && told.asked().is_none());
    }
}

/// Tokens that the last call was held at.
async fn worst_case(test: &TestGovernor) -> u64 {
    let decisions = recorded(test, "decision").await;
    let tokens =
        |answer: &Value| answer.pointer("/figures/estimate/tokens")?.as_str()?.parse().ok();
    let cost = |body: &Value| body["answers"].as_array()?.iter().find_map(tokens);
    decisions.iter().rev().find_map(cost).expect("the figures of a call")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_the_budget_is_left_out() {
    let model = FakeModel::spawn(models(&[KOREAN], findings(&[]))).await.unwrap();
    let test = house(&model, refining(AnswerCheck::Rules)).await;
    asked(&test).await;
    // Room for the answer, and for nothing behind it.
    let held = worst_case(&test).await;
    test.change_policy(|policy| policy.token_budget.per_run = Some(held + 50)).await;
    model.set_mode(models(&[ENGLISH, KOREAN], findings(&[])));
    let (_, told) = asked(&test).await;
    assert_eq!(told.text(), ENGLISH);
    let last = recorded(&test, "answer.checked").await.pop().unwrap();
    assert_eq!(last["leftOut"], json!([{"stage": "refine", "reason": "budget"}]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proposal_to_act_is_looked_at_by_nobody() {
    let acts = json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": ENGLISH,
        "slots": {"targetPath": "a.txt", "content": "x"}, "taskSwitch": {"kind": "new"},
    });
    let asks = json!({
        "action": "ASK", "taskType": "FILE_WRITE", "message": ENGLISH, "slots": {},
        "taskSwitch": {"kind": "new"},
    });
    for (proposal, outcome) in [(acts, "pending"), (asks, "done")] {
        let script = ModelMode::Script(vec![proposal.to_string()]);
        let model = FakeModel::spawn(of_governor(script, findings(&["UNCLEAR"]))).await.unwrap();
        let test = house(&model, refining(AnswerCheck::Model)).await;
        let session = test.session().await;
        let told = test.say(session, "a.txt 에 x 라고 써줘").await;
        assert_eq!((told.outcome.as_str(), model.calls().len()), (outcome, 1), "{}", told.text());
        assert!(recorded(&test, "answer.checked").await.is_empty());
    }
}

const fn ends(body: &EventBody) -> bool {
    matches!(body, EventBody::TurnEnded { .. })
}

/// What may still be said otherwise is not shown as it comes.
#[tokio::test(flavor = "multi_thread")]
async fn words_are_streamed_unless_they_may_be_replaced() {
    for (answers, streams) in [
        (AnswerPolicy::default(), true),
        (only(AnswerCheck::Rules), true),
        (refining(AnswerCheck::Rules), false),
    ] {
        let model = FakeModel::spawn(models(&[ENGLISH, KOREAN], findings(&[]))).await.unwrap();
        let test = house(&model, answers).await;
        let session = test.session().await;
        let mut told = test.governor.subscribe(session, None).await.unwrap();
        test.send(session, ASKED).await.unwrap();
        let mut words = String::new();
        loop {
            match told.next().await.unwrap() {
                Live::Delta { text, .. } => words.push_str(&text),
                Live::Journalled(row) if ends(&row.event.body) => break,
                Live::Journalled(_) | Live::Halts | Live::Down => {}
            }
        }
        assert_eq!(!words.is_empty(), streams, "{answers:?}: {words}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancel_cuts_a_look_off() {
    let model = FakeModel::spawn(models(&[KOREAN], ModelMode::Silent)).await.unwrap();
    let test = patient_house(&model, refining(AnswerCheck::Model)).await;
    let session = test.session().await;
    let first = test.send(session, ASKED).await.unwrap();
    all_there(&model, 2).await;
    let told = test.say(session, "취소").await;
    assert!(!told.text().contains(KOREAN), "{}", told.text());
    assert_eq!(test.ended(session, first).await.outcome, "cancelled");
    assert_eq!(test.used().await.open, 0, "every hold is settled");
    assert_eq!(recorded(&test, "model.cut_off").await[0]["stage"], "check");
    // The conversation goes on.
    model.set_mode(models(&[KOREAN], findings(&[])));
    assert_eq!(test.say(session, ASKED).await.text(), KOREAN);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_halt_cuts_a_look_off_and_what_was_said_is_given() {
    let model = FakeModel::spawn(models(&[KOREAN], ModelMode::Silent)).await.unwrap();
    let test = patient_house(&model, refining(AnswerCheck::Model)).await;
    let session = test.session().await;
    let turn = test.send(session, ASKED).await.unwrap();
    all_there(&model, 2).await;
    let who = test.principal(&test.owner).await;
    test.governor.halts().halt(&who, HaltScope::Project(test.project), "smoke").await.unwrap();
    let told = test.ended(session, turn).await;
    assert_eq!(told.text(), KOREAN);
    assert_eq!(look(&test).await, record("rules", &[], false, &[("check", "halted")]));
    assert_eq!(test.used().await.open, 0, "every hold is settled");
}

/// What was taken out before a run was reported on is told with the report.
#[tokio::test(flavor = "multi_thread")]
async fn a_halt_during_a_look_at_a_report_keeps_the_notice_of_removed_keys() {
    let reads = json!({
        "action": "EXECUTE", "taskType": "FILE_READ", "message": "",
        "slots": {"targetPath": "page.txt"}, "taskSwitch": {"kind": "new"},
    });
    let script = ModelMode::Script(vec![reads.to_string(), says("읽었습니다")]);
    let model = FakeModel::spawn(of_governor(script, ModelMode::Silent)).await.unwrap();
    let test = patient_house(&model, only(AnswerCheck::Model)).await;
    let key = concat!("ghp_", "0123456789abcdefghijABCDEFGHIJ012345");
    test.put("page.txt", format!("일정표\n{key}\n끝").as_bytes());
    let session = test.session().await;
    let turn = test.send(session, "page.txt 읽어줘").await.unwrap();
    all_there(&model, 3).await;
    let who = test.principal(&test.owner).await;
    test.governor.halts().halt(&who, HaltScope::Project(test.project), "smoke").await.unwrap();
    let told = test.ended(session, turn).await;
    assert!(told.text().contains("모델에 보이기 전에 비밀"), "{}", told.text());
    assert_eq!(look(&test).await, record("rules", &[], false, &[("check", "halted")]));
}

/// Nobody else is asked about an answer, or shown it, than the model that gave it.
#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_the_policy_names_since_is_not_asked_about_another_ones_answer() {
    let slow = ModelMode::Slow(Duration::from_secs(3), says(ENGLISH));
    let model = FakeModel::spawn(of_governor(slow, findings(&[]))).await.unwrap();
    let test = patient_house(&model, refining(AnswerCheck::Model)).await;
    let session = test.session().await;
    let turn = test.send(session, ASKED).await.unwrap();
    all_there(&model, 1).await;
    test.change_policy(|policy| policy.governor_model = Some("another".to_owned())).await;
    let told = test.ended(session, turn).await;
    assert_eq!((told.text().as_str(), model.calls().len()), (ENGLISH, 1));
    let due = record("rules", &["LANGUAGE"], false, &[("refine", "not_allowed")]);
    assert_eq!(look(&test).await, due);
    assert_eq!(test.used().await.open, 0, "every hold is settled");
}

/// As during the call itself: the answer is lost and asked for again, and nothing stays held or differs in the replay.
#[tokio::test(flavor = "multi_thread")]
async fn behind_a_stop_between_the_calls_the_turn_ends_and_the_conversation_goes_on() {
    let model = FakeModel::spawn(models(&[KOREAN], ModelMode::Silent)).await.unwrap();
    let test = patient_house(&model, refining(AnswerCheck::Model)).await;
    let session = test.session().await;
    let turn = test.send(session, ASKED).await.unwrap();
    all_there(&model, 2).await;
    model.set_mode(models(&[KOREAN], findings(&[])));
    let test = test.restarted().await;
    let told = test.ended(session, turn).await;
    assert_eq!(told.outcome, "error", "{}", told.text());
    assert!(!told.text().contains(KOREAN), "{}", told.text());
    assert_eq!(test.used().await.open, 0, "every hold is settled");
    assert!(recorded(&test, "session.replay_differed").await.is_empty());
    assert_eq!(recorded(&test, "call.healed").await.len(), 1);
    let again = test.say(session, ASKED).await;
    assert_eq!((again.outcome.as_str(), again.text().as_str()), ("done", KOREAN));
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_can_be_made_better_that_nobody_looks_at() {
    let test = TestGovernor::new().await;
    let alone = AnswerPolicy { check: AnswerCheck::Off, refine: true };
    let refused = test.try_policy(|policy| policy.answers = alone).await.unwrap_err();
    assert!(refused.to_string().contains("`answers.refine` needs a check"), "{refused}");
    // The built-in model's words are code's own: nobody looks at them.
    test.change_policy(|policy| policy.answers = refining(AnswerCheck::Model)).await;
    let session = test.session().await;
    assert_eq!(test.say(session, "안녕").await.outcome, "done");
    assert!(recorded(&test, "answer.checked").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn each_code_has_its_words_in_both_languages() {
    let test = TestGovernor::new().await;
    let messages = test.governor.messages();
    let reasons = ProposalFailure::ALL.map(|failure| failure.as_str()).into_iter();
    let reasons = reasons.chain(["no_better"]).map(|reason| format!("answer_reason.{reason}"));
    let codes = AnswerFinding::ALL.map(|finding| format!("answer_finding.{finding}"));
    for key in reasons.chain(codes) {
        for lang in Lang::ALL {
            assert!(messages.find(lang, &key).is_some(), "{key} in {lang}");
        }
    }
}
