use super::*;
use crate::schema::scenario_schema;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ghost-scenarios")
}

fn file(name: &str) -> String {
    std::fs::read_to_string(folder().join(name)).unwrap()
}

fn wrong(edit: impl Fn(String) -> String) -> ScenarioError {
    read_text(Path::new("x.yaml"), &edit(file("C01-hurried-buyer.yaml"))).unwrap_err()
}

#[test]
fn every_scenario_reads_and_fits_the_schema() {
    let scenarios = read_folder(&folder()).unwrap();
    assert!(!scenarios.is_empty());
    let validator = jsonschema::validator_for(&scenario_schema()).unwrap();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            let text = std::fs::read_to_string(&path).unwrap();
            let value: Value = read::yaml(&text).unwrap();
            let faults: Vec<String> = validator
                .iter_errors(&value)
                .map(|e| format!("{}: {e}", e.instance_path()))
                .collect();
            assert!(faults.is_empty(), "{}: {faults:#?}", path.display());
        }
    }
}

/// `WIIIV_WRITE_SCHEMA=1 cargo test -p wiiiv-ghost schema` writes it anew.
#[test]
fn the_published_schema_is_current() {
    let current = format!("{:#}\n", scenario_schema());
    if std::env::var_os("WIIIV_WRITE_SCHEMA").is_some() {
        std::fs::write(folder().join("schema.json"), &current).unwrap();
    }
    assert!(file("schema.json") == current, "write `ghost-scenarios/schema.json` anew");
}

#[test]
fn the_schema_refuses_what_the_reader_refuses() {
    let validator = jsonschema::validator_for(&scenario_schema()).unwrap();
    let good: Value = read::yaml(&file("C01-hurried-buyer.yaml")).unwrap();
    assert!(validator.is_valid(&good));
    let spoiled = |edit: fn(&mut Value)| {
        let mut bad = good.clone();
        edit(&mut bad);
        bad
    };
    let bad = [
        spoiled(|s| s["maxturns"] = 1.into()),
        spoiled(|s| s["turns"][0]["sayy"] = "x".into()),
        spoiled(|s| s["turns"][0]["expect"][0] = serde_json::json!({"outcum": "done"})),
        spoiled(|s| s["expect"][0]["calls"]["exactly"][0]["status"] = 200.into()),
        spoiled(|s| s["project"]["services"][0] = "skymal".into()),
        spoiled(|s| s["task_types"] = serde_json::json!(["CONVERSATION"])),
        spoiled(|s| s["task_types"] = serde_json::json!(["FILE_WRIT"])),
        spoiled(|s| s["step_types"] = serde_json::json!(["API_WORKFLOW"])),
        spoiled(|s| s["project"]["memory"] = serde_json::json!({"editor": "x"})),
        spoiled(|s| s["expect"][0] = serde_json::json!({"memory": {"of": "x"}})),
    ];
    for value in bad {
        assert!(!validator.is_valid(&value), "{value}");
        let text = value.to_string();
        assert!(read_text(Path::new("x.yaml"), &text).is_err(), "{text}");
    }
}

#[test]
fn where_nobody_asks_a_recorded_model_none_is_recorded() {
    let error = wrong(|text| text.replacen("language: ko", "language: ko\nprovider: offline", 1));
    assert!(error.what.contains("`provider: recorded`"), "{error}");
}

#[test]
fn the_readme_shows_the_example_as_it_is() {
    let readme = file("README.md");
    let example = file("C01-hurried-buyer.yaml");
    assert!(readme.contains(&format!("```yaml\n{example}```")));
}

#[test]
fn an_unknown_key_is_told_with_its_place_and_what_was_meant() {
    let error = wrong(|text| text.replacen("max_turns:", "max_turn:", 1));
    assert_eq!(error.suggestion.as_deref(), Some("max_turns"), "{error}");
    let line =
        file("C01-hurried-buyer.yaml").lines().position(|l| l.starts_with("max_turns")).unwrap();
    let message =
        format!("x.yaml:{}:1: unknown key `max_turn`; did you mean `max_turns`?", line + 1);
    assert_eq!(error.to_string(), message);
    let error = wrong(|text| text.replacen("      - asked:", "      - askt:", 1));
    assert_eq!(error.suggestion.as_deref(), Some("asked"), "{error}");
    assert!(error.line.is_some() && error.column.is_some(), "{error}");
    let error = wrong(|text| text.replacen("taskType: API", "tasktype: API", 1));
    assert_eq!(error.suggestion.as_deref(), Some("taskType"), "{error}");
    assert!(error.line.is_some(), "{error}");
}

/// The first turn is this in place of its words.
fn button(text: &str, act: &str) -> String {
    text.replacen("say: 급해요 상품 목록 좀 빨리", act, 1)
}

#[test]
fn what_a_button_cannot_be_about_is_told_with_its_place() {
    let error = wrong(|text| button(&text, "press: cancel\n    question: 1"));
    let line =
        1 + file("C01-hurried-buyer.yaml").lines().position(|l| l.starts_with("turns")).unwrap();
    assert_eq!(error.line, u64::try_from(line + 1).ok(), "{error}");
    assert!(error.column.is_some(), "{error}");
    let error = wrong(|text| button(&text, "press: aprove"));
    assert_eq!(error.suggestion.as_deref(), Some("approve"), "{error}");
    let error = wrong(|text| button(&text, "press: approve\n    by: aprover"));
    assert_eq!(error.suggestion.as_deref(), Some("approver"), "{error}");
    let error = wrong(|text| button(&text, "say: x\n    meanwhile: { file: { a: b } }"));
    assert_eq!(error.suggestion.as_deref(), Some("files"), "{error}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    type Edit = fn(String) -> String;
    let cases: [(Edit, &str); 19] = [
        (|t| t.replacen("id: C01", "id: C1", 1), "not like `C01`"),
        (|t| t.replacen("max_turns: 4", "max_turns: 2", 1), "`turns` are 1 to `2`, not `3`"),
        (|t| t.replacen("  - say: 급", "  - press: approve\n    say: 급", 1), "not two"),
        (|t| t.replacen("  - say: 급", "  - by: approver\n    say: 급", 1), "go with `press`"),
        (|t| t.replacen("  - say: 급", "  - wait: expiry\n    say: 급", 1), "not two"),
        (|t| button(&t, "press: cancel\n    by: approver"), "goes with `approve`, `reject`"),
        (|t| button(&t, "press: switch"), "`switch` with it"),
        (|t| button(&t, "press: approve\n    question: 0"), "count from 1"),
        (|t| button(&t, "press: approve\n    reason: x"), "`reason` goes with `reject`"),
        (|t| button(&t, "press: edit"), "`edit` with it"),
        (|t| button(&t, "press: approve\n    changes: { content: x }"), "`changes` goes with"),
        (
            |t| button(&t, "wait: expiry\n    interrupt: { at: model, press: cancel }"),
            "`interrupt` goes with",
        ),
        (|t| t.replacen("outcome: done", "outcome: fine", 1), "`fine` is none of"),
        (|t| t.replacen("files: []", "file: { path: a }", 1), "one of `json`"),
        (|t| t.replacen("files: []", "memory: {}", 1), "`user`, `project` or both"),
        (
            |t| t.replacen("project:\n", "project:\n  memory: { by_editor: true }\n", 1),
            "`by_editor` goes with",
        ),
        (|t| t.replacen("{ turn: 2, fact", "{ turn: 9, fact", 1), "a turn that is not there"),
        (|t| t.replacen("    turn: 2\n", "", 1), "`turn` goes with"),
        (|t| t.replacen("action: ASK", "action: OBEY", 1), "`OBEY` is none of"),
    ];
    for (edit, what) in cases {
        let error = wrong(edit);
        assert!(error.to_string().contains(what), "{what}: {error}");
    }
}

#[test]
fn a_file_is_named_after_its_scenario() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("C02-hurried-buyer.yaml");
    std::fs::write(&path, file("C01-hurried-buyer.yaml")).unwrap();
    let error = read_folder(folder.path()).unwrap_err();
    assert!(error.to_string().contains("`C01-<slug>.yaml`"), "{error}");
}

#[test]
fn a_twin_changes_what_it_says_and_nothing_else() {
    let scenario = read_text(Path::new("x.yaml"), &file("C01-hurried-buyer.yaml")).unwrap();
    let first = &scenario.twins[0];
    let wrong = scenario.with_twin(first);
    assert_ne!(wrong.turns[1].model, scenario.turns[1].model);
    assert_eq!(wrong.turns[1].act, scenario.turns[1].act);
    assert_eq!(wrong.turns[0], scenario.turns[0]);
    assert_eq!(wrong.expect, scenario.expect);
}

#[test]
fn places_are_filled_in_everywhere() {
    let mut addresses = ServiceAddresses::default();
    addresses.add(ServiceName::Skymall, "http://127.0.0.1:4321");
    let act = Act::Say("{{skymall.url}}/products {{skymall.port}} {{skystock.url}}".to_owned());
    let expected = "http://127.0.0.1:4321/products 4321 {{skystock.url}}";
    assert_eq!(addresses.fill_act(&act), Act::Say(expected.to_owned()));
    let fact = Fact::ReplyContains("{{skymall.port}}".to_owned());
    assert_eq!(addresses.fill_fact(&fact), Fact::ReplyContains("4321".to_owned()));
}
