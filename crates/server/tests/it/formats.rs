//! A file's ending decides what a result is written as; what cannot be written so is a question.

use crate::test_server::TestServer;
use serde_json::{Value, json};

type Events = [(String, Value)];

fn told(events: &Events) -> String {
    let texts = events.iter().filter_map(|(_, data)| data["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

fn question(events: &Events) -> Option<(String, String)> {
    let (_, preview) = events.iter().find(|(name, _)| name == "preview")?;
    let of = |name: &str| preview[name].as_str().expect("text").to_owned();
    Some((of("approval"), of("digest")))
}

/// Asks for it, says yes to what is shown, and gives the preview's text.
async fn save(test: &TestServer, session: &str, text: &str) -> String {
    let events = test.say(&test.owner, session, text).await;
    let (approval, digest) = question(&events).unwrap_or_else(|| panic!("{events:#?}"));
    let preview = test.get(&test.owner, &format!("/approvals/{approval}")).await;
    let steps = preview.body["preview"]["steps"].to_string();
    let answer = test.approve(&test.owner, &approval, &digest).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    test.executed(&test.owner).await;
    format!("{}\n{steps}", told(&events))
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_are_saved_as_the_ending_of_the_file_says() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let items = format!("{}/items", test.shop.url());
    let shown = save(&test, &session, &format!("GET {items} and save it to items.csv")).await;
    assert!(shown.contains("(CSV, at most 1 MB)"), "{shown}");
    assert!(!shown.to_lowercase().contains("left out"), "{shown}");
    let csv = test.file("items.csv").expect("a file");
    let (head, rows) = csv.split_once("\r\n").expect("a header row");
    assert_eq!(head, "sku,name,name_ko,price,stock");
    assert!(rows.ends_with("\r\n") && !rows.contains(['{', '[']), "{rows}");
    let plain = save(&test, &session, &format!("GET {items} and save it to items.json")).await;
    assert!(plain.contains("(JSON, at most 1 MB)"), "{plain}");
    let json: Vec<Value> = serde_json::from_str(&test.file("items.json").expect("a file")).unwrap();
    assert_eq!(json.len(), rows.matches("\r\n").count());
    let lines = save(&test, &session, &format!("GET {items} and save it to items.jsonl")).await;
    assert!(lines.contains("(JSON Lines, at most 1 MB)"), "{lines}");
    let lines = test.file("items.jsonl").expect("a file");
    let lines: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines, json);
}

/// What is there already is shown as it will be written.
#[tokio::test(flavor = "multi_thread")]
async fn an_earlier_result_is_shown_as_the_rows_that_are_written() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let items = format!("{}/items", test.shop.url());
    test.say(&test.owner, &session, &format!("GET {items}")).await;
    let shown = save(&test, &session, "save the last result to again.csv").await;
    assert!(shown.contains("sku,name,name_ko,price,stock"), "{shown}");
    assert!(test.file("again.csv").expect("a file").starts_with("sku,name,"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_format_that_nothing_is_written_in_is_a_question_before_any_plan() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let items = format!("{}/items", test.shop.url());
    for file in ["items.xlsx", "items.pdf", "items.tsv"] {
        let asked =
            test.say(&test.owner, &session, &format!("GET {items} and save it to {file}")).await;
        assert_eq!(question(&asked), None, "{asked:#?}");
        assert!(told(&asked).contains("cannot be saved in that format"), "{}", told(&asked));
        assert!(asked.iter().any(|(name, _)| name == "ask"), "{asked:#?}");
    }
    assert_eq!(test.shop.count("GET", "/items"), 0, "nothing was asked for");
    let named = test.say(&test.owner, &session, "items.csv").await;
    assert!(question(&named).is_some(), "{named:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nested_values_are_refused_with_the_reason_and_nothing_is_written() {
    let test = TestServer::new().await;
    let session = test.session(&test.owner, test.project).await;
    let orders = format!("{}/orders", test.shop.url());
    let orders_made = ordered(&test, &json!({"sku": "A1", "to": {"city": "서울"}})).await;
    assert_eq!(orders_made, 1);
    // Not known before the run: its write fails, and the file is not made.
    save(&test, &session, &format!("GET {orders} and save it to orders.csv")).await;
    assert_eq!(test.file("orders.csv"), None);
    // Known: it is asked about, and there is no plan.
    test.say(&test.owner, &session, &format!("GET {orders}")).await;
    let asked = test.say(&test.owner, &session, "save the last result to orders.csv").await;
    assert_eq!(question(&asked), None, "{asked:#?}");
    assert!(told(&asked).contains("a cell of CSV cannot hold"), "{}", told(&asked));
    let lines = save(&test, &session, "orders.jsonl").await;
    assert!(lines.contains("JSON Lines"), "{lines}");
    let saved = test.file("orders.jsonl").expect("a file");
    assert_eq!(saved, "{\"sku\":\"A1\",\"to\":{\"city\":\"서울\"}}\n");
}

/// An order in the shop's books, as a plan of this house puts it there.
async fn ordered(test: &TestServer, body: &Value) -> usize {
    let session = test.session(&test.owner, test.project).await;
    save(test, &session, &format!("POST '{body}' to {}/orders", test.shop.url())).await;
    test.shop.orders().len()
}
