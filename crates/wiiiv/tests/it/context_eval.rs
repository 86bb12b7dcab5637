//! Prompts of long conversations are measured on the committed set: they cost less than the whole history, and nothing
//! that has to be known is lost for it.

use crate::program::{Home, Ran};
use serde_json::{Value, json};
use std::fmt::Write as _;
use wiiiv_fakes::{FakeModel, ModelMode};

const CONVERSATIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../context-eval");
/// At least so much less than the whole history costs, in percent of a whole prompt.
const SAVED_PERCENT_MIN: u64 = 30;

fn pipelines(told: &Value) -> [&Value; 3] {
    let [whole, last, own] = told["pipelines"].as_array().unwrap().as_slice() else {
        panic!("{told}")
    };
    [whole, last, own]
}

#[test]
fn the_committed_conversations_cost_less_and_nothing_of_them_is_lost() {
    let home = Home::new();
    let told = home.run(&["context", "eval", CONVERSATIONS, "--json"]).ended(0).json();
    assert_eq!((&told["model"], &told["exact"]), (&"OPENAI:gpt-4o-mini".into(), &true.into()));
    let [whole, last, own] = pipelines(&told);
    let names = [whole, last, own].map(|of| of["name"].as_str().unwrap());
    assert_eq!(names, ["full_history", "last_messages", "context"]);
    assert_eq!(whole["facts"]["present"], whole["facts"]["asked"], "{told:#}");
    assert_eq!(own["facts"], whole["facts"], "{told:#}");
    assert_eq!(own["limits"]["present"], own["limits"]["asked"], "{told:#}");
    let present = |of: &Value| of["facts"]["present"].as_u64().unwrap();
    assert!(present(last) * 2 < present(own), "the last messages alone hold few of them");
    let saved = own["saved_percent"].as_u64().unwrap();
    assert!(saved >= SAVED_PERCENT_MIN, "{told:#}");
    assert_eq!(told["judge"]["relevance"], "not_run");
    let facts = (present(own), present(last), &whole["facts"]["asked"]);
    println!(
        "figure: prompts of long conversations take {saved} % fewer tokens than the whole history, {} of {} facts are there \
         ({} with the last 20 messages)",
        facts.0, facts.2, facts.1
    );
}

/// But for the time that it took.
#[test]
fn the_same_set_gives_the_same_figures() {
    let home = Home::new();
    let told = || {
        let mut told = home.run(&["context", "eval", CONVERSATIONS, "--json"]).ended(0).json();
        for of in told["pipelines"].as_array_mut().unwrap() {
            of.as_object_mut().unwrap().remove("micros_median");
        }
        told
    };
    assert_eq!(told(), told());
}

#[test]
fn it_is_told_in_both_languages_and_what_is_not_run_is_named() {
    let home = Home::new();
    for (language, words) in [
        ("en", ["prompt with", "the whole history", "not run, as no judge is named"]),
        ("ko", ["프롬프트에 넣은 것", "전체 대화", "재지 않았습니다"]),
    ] {
        let told = home.run(&["--language", language, "context", "eval", CONVERSATIONS]).ended(0);
        assert!(words.iter().all(|word| told.out.contains(word)), "{}", told.out);
        assert!(told.out.contains("--judge PROVIDER:MODEL"), "{}", told.out);
    }
}

#[test]
fn a_folder_of_ones_own_is_measured() {
    let home = Home::new();
    let one = "language = \"en\"\ntitle = \"t\"\nturns = [[\"It is Sage 214.\", \"ok\"], \
               [\"Which?\", \"Sage 214\"]]\n[[questions]]\nturn = 2\nfacts = [[\"Sage 214\"]]\n";
    std::fs::create_dir(home.path("one")).unwrap();
    std::fs::write(home.path("one/one.toml"), one).unwrap();
    let told = home.run(&["--language", "en", "context", "eval", "one"]).ended(0).out;
    assert!(told.contains("Conversations: 1, questions: 1; counted"), "{told}");
}

#[test]
fn a_folder_that_is_not_there_and_a_model_that_is_none_are_said_to_be_so() {
    let home = Home::new();
    std::fs::write(home.path("file"), "").unwrap();
    for (language, advice) in [("en", "context eval FOLDER"), ("ko", "context eval 폴더")] {
        // Without a name it is that of the source tree, which is not here.
        for (folder, named) in
            [(&["nowhere"][..], "`nowhere`"), (&["file"], "`file`"), (&[], "`context-eval`")]
        {
            let words = [&["--language", language, "context", "eval"][..], folder].concat();
            let gone = home.run(&words).ended(2);
            assert!(gone.err.contains(named) && gone.err.contains(advice), "{}", gone.err);
        }
    }
    let model = home.run(&["context", "eval", CONVERSATIONS, "--model", "gpt"]).ended(2);
    assert!(model.err.contains("OPENAI:gpt-4o-mini"), "{}", model.err);
    // Where nobody knows the vocabulary it is estimated, and says so.
    let other = ["context", "eval", CONVERSATIONS, "--model", "ANTHROPIC:any", "--json"];
    assert_eq!(home.run(&other).ended(0).json()["exact"], false);
}

/// In the rules of whoever judges, and in no other prompt's.
const JUDGE_MARK: &str = "# Judgement rules";

/// The same model answers, and judges with that text.
async fn judging(with: &str) -> FakeModel {
    let answer = json!({
        "action": "REPLY", "taskType": "CONVERSATION", "message": "It is Sage 214.", "slots": {},
    });
    let (mark, with) = (JUDGE_MARK.to_owned(), with.to_owned());
    let mode = ModelMode::OnMark { mark, with, without: answer.to_string() };
    FakeModel::spawn(mode).await.unwrap()
}

/// One conversation of so many turns; what is asked last was said first.
fn conversation(home: &Home, turns: usize) {
    let mut text = String::from("language = \"en\"\ntitle = \"t\"\nturns = [\n");
    text.push_str("[\"The colour of the wall is Sage 214.\", \"Noted.\"],\n");
    for nth in 2..turns {
        writeln!(text, "[\"Shelf {nth} takes {nth} jars.\", \"Noted.\"],").unwrap();
    }
    text.push_str("[\"Which colour does the wall have?\", \"Sage 214\"]]\n");
    write!(text, "[[questions]]\nturn = {turns}\nfacts = [[\"Sage 214\"]]\n").unwrap();
    std::fs::create_dir_all(home.path("one")).unwrap();
    std::fs::write(home.path("one/one.toml"), text).unwrap();
}

fn judged(home: &Home, model: &FakeModel, more: &[&str]) -> Ran {
    let base = model.base_url();
    let fixed =
        ["--language", "en", "context", "eval", "one", "--judge", "CUSTOM:m", "--base-url", &base];
    home.run(&[&fixed[..], more].concat())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_judge_gives_two_numbers_for_the_answer_to_each_prompt() {
    let (home, model) = (Home::new(), judging(r#"{"relevance":1,"faithfulness":0.5}"#).await);
    conversation(&home, 2);
    let ran = judged(&home, &model, &["--json"]).ended(0);
    assert!(ran.err.contains("6 calls") && ran.err.contains("than 200 requests"), "{}", ran.err);
    let told = ran.json();
    let judge = &told["judge"];
    let by = ["model", "answered_by"].map(|field| judge[field].as_str().unwrap());
    assert_eq!(by, ["CUSTOM:m", "CUSTOM:m"]);
    assert_eq!((&judge["calls"], &judge["calls_max"]), (&json!(6), &json!(200)));
    assert_eq!((model.answered(), &judge["prompts"]), (6, &json!(1)));
    for (of, laid_out) in judge["pipelines"].as_array().unwrap().iter().zip(pipelines(&told)) {
        assert_eq!(of["name"], laid_out["name"]);
        let numbers = (&of["judged"], &of["relevance"], &of["faithfulness"]);
        assert_eq!(numbers, (&json!(1), &json!(1.0), &json!(0.5)), "{judge:#}");
        assert_eq!(of["failures"], json!({"answer": {}, "judge": {}}));
        assert!(of["input_tokens"].as_u64().unwrap() > 0, "{judge:#}");
        assert!(of["answer_millis_median"].is_u64() && laid_out["micros_median"].is_u64());
    }
    let text = judged(&home, &model, &[]).ended(0).out;
    assert!(text.contains("1.00") && text.contains("0.50") && !text.contains("not run"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_judge_says_that_is_no_two_numbers_is_counted_and_never_guessed() {
    let home = Home::new();
    conversation(&home, 2);
    for garbage in ["It is fine: 0.9!", r#"{"relevance":7,"faithfulness":1}"#] {
        let model = judging(garbage).await;
        let told = judged(&home, &model, &["--json"]).ended(1).json();
        for of in told["judge"]["pipelines"].as_array().unwrap() {
            let numbers = (&of["judged"], &of["relevance"], &of["faithfulness"]);
            assert_eq!(numbers, (&json!(0), &Value::Null, &Value::Null), "{told:#}");
            let failures = json!({"answer": {}, "judge": {"invalid_output": 1}});
            assert_eq!(of["failures"], failures);
        }
        // Three answers, and three judgements that were asked for once more.
        assert_eq!((model.answered(), &told["judge"]["calls"]), (9, &json!(9)));
        let text = judged(&home, &model, &[]).ended(1).out;
        assert!(text.contains("1 × not judged: its answer cannot be used"), "{text}");
    }
    let model = FakeModel::spawn(ModelMode::Garbage).await.unwrap();
    let told = judged(&home, &model, &["--json"]).ended(1).json();
    let failures = &told["judge"]["pipelines"][0]["failures"];
    assert_eq!(*failures, json!({"answer": {"invalid_output": 1}, "judge": {}}), "{told:#}");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_is_sent_than_was_allowed() {
    let (home, model) = (Home::new(), judging(r#"{"relevance":1,"faithfulness":1}"#).await);
    conversation(&home, 2);
    let ran = judged(&home, &model, &["--calls", "3", "--json"]).ended(1);
    assert!(ran.err.contains("than 3 requests"), "{}", ran.err);
    let judge = &ran.json()["judge"];
    assert_eq!((model.answered(), &judge["calls"]), (3, &json!(3)));
    let failures = [0, 1, 2].map(|nth| judge["pipelines"][nth]["failures"].clone());
    let none = json!({});
    assert_eq!(failures[0], json!({"answer": none, "judge": none}));
    assert_eq!(failures[1], json!({"answer": none, "judge": {"calls_max": 1}}));
    assert_eq!(failures[2], json!({"answer": {"calls_max": 1}, "judge": none}));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_way_asks_with_its_own_prompt_and_the_key_goes_to_that_address_alone() {
    let (home, model) = (Home::new(), judging(r#"{"relevance":1,"faithfulness":1}"#).await);
    conversation(&home, 30);
    let base = model.base_url();
    let mut command = home.command(&["context", "eval", "one", "--json", "--judge", "CUSTOM:m"]);
    command.args(["--base-url", &base, "--answer-model", "small", "--key-env", "JUDGE_KEY"]);
    command.env("JUDGE_KEY", "sk-judge-0123456789");
    let ran = Home::ran(command);
    assert!(!ran.out.contains("sk-judge") && !ran.err.contains("sk-judge"));
    assert_eq!(ran.json()["judge"]["answered_by"], "CUSTOM:small");
    let calls = model.calls();
    let (judging, answering): (Vec<_>, Vec<_>) =
        calls.iter().partition(|call| call.body.to_string().contains(JUDGE_MARK));
    assert!(judging.iter().all(|call| call.body["model"] == "m"));
    assert!(answering.iter().all(|call| call.body["model"] == "small"));
    let knows = |text: &str| {
        let has = |call: &&wiiiv_fakes::ModelCall| call.body.to_string().contains(text);
        answering.iter().map(has).collect::<Vec<_>>()
    };
    assert_eq!(knows("The colour of the wall is Sage 214.")[..2], [true, false]);
    assert_eq!(knows("Which colour does the wall have?"), [true; 3]);
    let bearer = Some("Bearer sk-judge-0123456789");
    assert!(calls.iter().all(|call| call.authorization.as_deref() == bearer));
}

#[test]
fn a_judge_is_named_whole_and_what_goes_with_it_needs_one() {
    let home = Home::new();
    let refused = |arguments: &[&str], part: &str| {
        let words = [&["context", "eval", CONVERSATIONS, "--language", "en"][..], arguments];
        let ran = home.run(&words.concat()).ended(2);
        assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
    };
    refused(&["--judge", "gpt-4o"], "OPENAI:gpt-4o-mini");
    refused(&["--judge", "OFFLINE:offline"], "OPENAI:gpt-4o-mini");
    refused(&["--judge", "CUSTOM:m"], "--base-url");
    refused(&["--judge", "OPENAI:m"], "--key-file");
    refused(&["--judge", "OPENAI:m", "--key-env", "NOT_SET"], "NOT_SET");
    refused(&["--calls", "5"], "--judge");
    refused(&["--answer-model", "m"], "--judge");
}
