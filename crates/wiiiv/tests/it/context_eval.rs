//! Prompts of long conversations are measured on the committed set: they cost less than the whole history, and nothing
//! that has to be known is lost for it.

use crate::program::Home;
use serde_json::Value;

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
        ("en", ["prompt with", "the whole history", "not run, no judge is configured"]),
        ("ko", ["프롬프트에 넣은 것", "전체 대화", "재지 않았습니다"]),
    ] {
        let told = home.run(&["--language", language, "context", "eval", CONVERSATIONS]).ended(0);
        assert!(words.iter().all(|word| told.out.contains(word)), "{}", told.out);
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
