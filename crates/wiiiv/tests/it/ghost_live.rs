//! Scenarios with a real provider behind them: the fake one, which follows the published interfaces.

use crate::host::MASTER_KEY;
use crate::keys::demo_at;
use crate::program::{Home, Ran, Server};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use wiiiv_domain::{StepType, TaskType};
use wiiiv_fakes::{FakeModel, FakeProvider, ModelMode, PROVIDER_KEY, PROVIDER_SAYS};
use wiiiv_ghost::read_folder;
use wiiiv_store::SUITE;

/// What the fake provider says is right here.
const GREETS: &str = "
id: Z91
title: { ko: 인사, en: A greeting }
language: ko
persona: someone
goal: to be greeted
max_turns: 1
turns:
  - say: 안녕하세요
    model: [ '{\"action\":\"REPLY\",\"taskType\":\"CONVERSATION\",\"message\":\"네?\"}' ]
    expect:
      - outcome: done
expect:
  - reply_contains: 무엇을 도와드릴까요
  - executions: []
";

/// And it is wrong here.
const WRITES: &str = "
id: Z90
title: { ko: 메모, en: A note }
language: ko
persona: someone
goal: a note
max_turns: 2
turns:
  # What is asked for.
  - say: notes/a.txt 파일에 '안녕' 이라고 써줘
    expect:
      - outcome: pending
  - press: approve
expect:
  - file: { path: notes/a.txt, text: 안녕 }
  - executions: [succeeded]
";

/// A scenario of the built-in model, which a real one is held to as well.
const OFFLINE: &str = "
id: Z92
title: { ko: 인사, en: A greeting }
language: ko
provider: offline
persona: someone
goal: to be greeted
max_turns: 1
turns:
  - say: 안녕하세요
expect:
  - reply_contains: 무엇을 도와드릴까요
  - cost: { model_calls_max: 0 }
";

struct Table {
    home: Home,
    folder: String,
}

impl Table {
    fn new() -> Self {
        let home = Home::new();
        let folder = home.path("scenarios");
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in [("Z90-note", WRITES), ("Z91-hello", GREETS), ("Z92-hello", OFFLINE)] {
            fs::write(folder.join(format!("{name}.yaml")), text).unwrap();
        }
        let key = home.path("key");
        fs::write(&key, PROVIDER_KEY).unwrap();
        fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
        Self { folder: folder.display().to_string(), home }
    }

    fn ghost(&self, arguments: &[&str]) -> Ran {
        let fixed = ["--json", "--folder", self.folder.as_str()];
        self.home.run(&[&["ghost"][..], arguments, &fixed[..]].concat())
    }

    fn live(&self, model: &str, base: &str, arguments: &[&str]) -> Ran {
        let live = ["run", "--mode", "live", "--model", model, "--base-url", base];
        self.ghost(&[&live[..], &["--key-file", "key"], arguments].concat())
    }
}

fn reports(ran: &Ran) -> Vec<Value> {
    ran.json()["reports"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_real_model_is_judged_by_the_same_facts_in_every_repeat() {
    let (table, provider) = (Table::new(), FakeProvider::open(0).await.unwrap());
    for (model, end) in [
        ("OPENAI:gpt-4o-mini", "openai/v1"),
        ("anthropic:claude-haiku-4-5", "anthropic"),
        ("GOOGLE:gemini-3.5-flash-lite", "google/v1beta"),
    ] {
        let base = format!("{}/k/good/{end}", provider.url());
        let ran = table.live(model, &base, &["--repeat", "3", "--seed", "7"]).ended(1);
        assert!(!ran.out.contains(PROVIDER_KEY) && !ran.err.contains(PROVIDER_KEY));
        let all = reports(&ran);
        assert_eq!(all.len(), 9);
        for report in &all {
            let passes = report["scenario"] != "Z90";
            assert_eq!(report["verdict"], if passes { "PASS" } else { "FAIL" }, "{report}");
            let (provider, name) = model.split_once(':').unwrap();
            assert_eq!(report["provider"], provider.to_uppercase());
            assert_eq!((&report["model"], &report["revision"]), (&json!(name), &json!("m")));
            assert_eq!((&report["mode"], &report["invariants"]), (&json!("live"), &json!("held")));
            let hash = |field: &str| report[field].as_str().unwrap().len();
            assert_eq!((hash("policy_hash"), hash("prompt_hash")), (64, 64));
        }
        let wrong = all.iter().find(|report| report["scenario"] == "Z90").unwrap();
        assert_eq!(wrong["first"]["fact"], "outcome", "a reply in place of a proposal");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_model_of_a_projects_slot_is_played() {
    let (table, provider) = (Table::new(), FakeProvider::open(0).await.unwrap());
    let base = format!("{}/k/good/local/v1", provider.url());
    let _demo = demo_at(&table.home, &provider.url(), &base, |policy| {
        policy["generatorModel"] = "other".into();
    });
    for (slot, model) in [("governor", "small"), ("generator", "other")] {
        let play = ["ghost", "run", "--mode", "live", "--slot", slot, "--scenario", "Z91"];
        let ran = table.home.run(&[&play[..], &["--json", "--folder", &table.folder]].concat());
        let report = &reports(&ran.ended(0))[0];
        // A key goes nowhere because a policy says so.
        let keyed = table
            .home
            .run(&[&play[..], &["--folder", &table.folder, "--key-file", "key"]].concat());
        assert!(keyed.ended(2).err.contains("--base-url"), "{slot}");
        assert_eq!((&report["provider"], &report["model"]), (&json!("CUSTOM"), &json!(model)));
        let output = table.home.path(slot).display().to_string();
        let record = ["ghost", "record", "--slot", slot, "--scenario", "Z91", "--output", &output];
        table.home.run(&[&record[..], &["--folder", &table.folder]].concat()).ended(0);
        let written = fs::read_to_string(output).unwrap();
        assert!(written.contains(PROVIDER_SAYS), "{slot}: {written}");
    }
}

#[test]
fn a_slot_with_the_built_in_model_is_none_to_be_played() {
    let table = Table::new();
    let _demo = Server::start(table.home.command(&["demo", "--json", "--port", "0"]));
    let play = ["ghost", "run", "--mode", "live", "--slot", "governor", "--folder", &table.folder];
    let refused = table.home.run(&play).ended(2);
    assert!(refused.err.contains("`governor`") && refused.err.contains("--model"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_cannot_be_reached_passes_nobody() {
    let (table, provider) = (Table::new(), FakeProvider::open(0).await.unwrap());
    for conduct in ["wrong-key", "broken", "ends-early"] {
        let base = format!("{}/k/{conduct}/openai/v1", provider.url());
        let ran = table.live("OPENAI:gpt-4o-mini", &base, &["--scenario", "Z91"]).ended(1);
        let report = &reports(&ran)[0];
        assert_ne!(report["verdict"], "PASS", "{conduct}: {report}");
        assert_eq!(report["revision"], Value::Null, "{conduct}: nobody answered");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_model_said_is_replayed_as_it_was_said() {
    let table = Table::new();
    let execute = json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": "쓰겠습니다: 'a' - # {x}",
        "slots": { "targetPath": "notes/a.txt", "content": "안녕" },
    });
    let reply = r#"{"action":"REPLY","taskType":"CONVERSATION","message":"저장했습니다."}"#;
    let script = ModelMode::Script(vec![execute.to_string(), reply.to_owned()]);
    let model = FakeModel::spawn(script).await.unwrap();
    let (base, output) = (model.base_url(), table.home.path("out/Z90-note.yaml"));
    fs::create_dir_all(output.parent().unwrap()).unwrap();
    let output = output.display().to_string();
    let record = ["record", "--scenario", "Z90", "--model", "CUSTOM:any", "--base-url", &base];
    let to = [&record[..], &["--output", &output]].concat();
    table.ghost(&to).ended(0);
    drop(model);
    let again = table.ghost(&to).ended(2);
    assert!(again.err.contains("--force"), "nothing is asked, nothing replaced: {}", again.err);
    let written = fs::read_to_string(&output).unwrap();
    assert!(written.contains("# What is asked for."), "{written}");
    assert!(written.contains("저장했습니다.") && written.contains("FILE_WRITE"), "{written}");
    let folder = Path::new(&output).parent().unwrap().display().to_string();
    let ran = table.home.run(&["ghost", "run", "--json", "--folder", &folder]).ended(0);
    assert_eq!(reports(&ran)[0]["verdict"], "PASS");
    let own = fs::read_to_string(format!("{}/Z90-note.yaml", table.folder)).unwrap();
    assert_eq!(own, WRITES, "the scenario itself was left alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_may_replace_what_was_recorded_and_a_failed_run_may_not() {
    let (table, provider) = (Table::new(), FakeProvider::open(0).await.unwrap());
    let base = format!("{}/k/good/openai/v1", provider.url());
    let fixed = ["--model", "OPENAI:m", "--base-url", &base, "--key-file", "key", "--write"];
    let record = |id: &str| table.ghost(&[&["record", "--scenario", id], &fixed[..]].concat());
    let replay = |code: i32| table.ghost(&["run", "--scenario", "Z91"]).ended(code);
    replay(1);
    record("Z91").ended(0);
    replay(0);
    let written = fs::read_to_string(format!("{}/Z91-hello.yaml", table.folder)).unwrap();
    assert!(written.contains(PROVIDER_SAYS) && !written.contains("네?"), "{written}");
    let refused = record("Z90").ended(1);
    assert!(refused.err.contains("FAIL and nothing was written"), "{}", refused.err);
    assert_eq!(fs::read_to_string(format!("{}/Z90-note.yaml", table.folder)).unwrap(), WRITES);
    let silent = record("Z92").ended(2);
    assert!(silent.err.contains("`record`"), "the built-in model has no cassette: {}", silent.err);
}

#[test]
fn a_model_is_named_whole_and_its_key_is_no_argument() {
    let table = Table::new();
    let refused = |arguments: &[&str], part: &str| {
        let ran = table.ghost(&[&["run", "--mode", "live"], arguments].concat()).ended(2);
        assert!(ran.err.contains(part), "{arguments:?}: {}", ran.err);
    };
    let nowhere = table.home.run(&["ghost", "list", "--folder", "nowhere"]).ended(2);
    assert!(nowhere.err.contains("`nowhere`") && nowhere.err.contains("--folder"), "{nowhere:?}");
    refused(&[], "--model");
    refused(&["--model", "gpt-4o-mini"], "OPENAI:gpt-4o-mini");
    refused(&["--model", "OFFLINE:offline"], "the providers are");
    refused(&["--model", "CUSTOM:m"], "--base-url");
    refused(&["--model", "OPENAI:m"], "--key-file");
    refused(&["--model", "OPENAI:m", "--key-env", "NOT_SET"], "NOT_SET");
    refused(&["--model", "OLLAMA:m", "--slot", "governor"], "--slot");
    refused(&["--slot", "embedding"], "generator");
    let other = table.ghost(&["run", "--model", "OLLAMA:m"]).ended(2);
    assert!(other.err.contains("--mode live"), "{}", other.err);
    let key = table.home.path("key");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    let exposed = table.live("OPENAI:m", "http://127.0.0.1:9/v1", &[]);
    assert!(exposed.err.contains("can be read by others"), "{}", exposed.err);
}

/// What the ledger has to know of a scenario.
#[derive(Debug, PartialEq)]
struct InSuite<'a> {
    id: &'a str,
    task_types: BTreeSet<TaskType>,
    step_types: BTreeSet<StepType>,
    partial: bool,
}

#[test]
fn the_suite_of_the_ledger_is_what_lies_in_the_folder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ghost-scenarios");
    let all = read_folder(&folder).unwrap();
    let live = all.iter().filter(|scenario| !scenario.recorded_only);
    let live: Vec<InSuite<'_>> = live
        .map(|of| InSuite {
            id: &of.id,
            task_types: of.task_types.clone(),
            step_types: of.step_types.clone(),
            partial: !of.pending.is_empty(),
        })
        .collect();
    let mut listed: Vec<InSuite<'_>> = SUITE
        .scenarios
        .iter()
        .map(|one| InSuite {
            id: one.id,
            task_types: one.task_types.iter().copied().collect(),
            step_types: one.step_types.iter().copied().collect(),
            partial: one.partial,
        })
        .collect();
    listed.sort_unstable_by_key(|one| one.id);
    assert_eq!(listed, live);
    for of in &live {
        assert!(!of.task_types.is_empty(), "{} speaks for no kind of task", of.id);
        assert!(!of.step_types.is_empty(), "{} is barred by no step", of.id);
    }
    assert!(live.iter().any(|of| of.id == SUITE.smoke));
}

/// Player and server agree on build, prompts and rules; what was played is no suite.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_finds_what_its_own_player_reports_of_a_model() {
    let (table, provider) = (Table::new(), FakeProvider::open(0).await.unwrap());
    let home = &table.home;
    let data = home.path("data").display().to_string();
    let mut command =
        home.command(&["serve", "--json", "--listen", "127.0.0.1:0", "--data-dir", &data]);
    command.env("WIIIV__KEYS__MASTER", MASTER_KEY);
    let server = Server::start(command);
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    let url = server.text("url");
    let login = ["login", "ann", "--server", url, "--setup-token-file", "setup"];
    home.run_with_input(&login, "correct horse battery\n").ended(0);
    let ghost = || {
        let rows = home.run(&["models", "list", "--json"]).ended(0).json();
        let of = |rows: &Value, field: &str, name: &str| {
            rows.as_array().unwrap().iter().find(|row| row[field] == name).unwrap().clone()
        };
        of(&of(&rows, "provider", "OPENAI")["models"], "name", "gpt-4o-mini")["ghost"].clone()
    };
    assert_eq!(ghost()["standing"], "no_record");
    let base = format!("{}/k/good/openai/v1", provider.url());
    let more = ["--scenario", "Z91", "--server", url];
    // Without a signature it is claimed, and counts for nothing.
    table.live("OPENAI:gpt-4o-mini", &base, &more).ended(0);
    assert_eq!(ghost()["standing"], "no_record");
    let told = home.run(&["ghost", "report", "--language", "en"]).ended(0).out;
    assert!(told.contains("1 results are claimed"), "{told}");
    let public = registered(home, &base, &table, url);
    let signed = [&more[..], &["--sign", "runner-key"]].concat();
    table.live("OPENAI:gpt-4o-mini", &base, &signed).ended(0);
    let found = ghost();
    assert_eq!((&found["standing"], &found["verified"]), (&json!("incomplete"), &json!(false)));
    // What counts, and the smoke scenario.
    let counted = SUITE.scenarios.iter().filter(|one| !one.partial || one.id == SUITE.smoke);
    assert_eq!(found["of"], counted.count());
    let listed = home.run(&["ghost", "keys", "list", "--language", "en"]).ended(0).out;
    assert!(listed.contains(&public) && listed.contains("counts"), "{listed}");
    let told = home.run(&["models", "list"]).ended(0).out;
    assert!(told.contains("not verified"), "{told}");
    table.live("OPENAI:gpt-4o", &base, &["--scenario", "Z91"]).ended(0);
    let kept = home.run(&["ghost", "report", "--json"]).ended(0).json();
    assert_eq!(kept.as_array().unwrap().len(), 1, "without --server nothing is kept");
    assert_eq!((&kept[0]["provider"], &kept[0]["revision"]), (&json!("OPENAI"), &json!("m")));

    home.run(&["ghost", "keys", "revoke", "ci"]).ended(0);
    assert_eq!(ghost()["standing"], "no_record", "what a revoked key signed counts no more");
    let refused = table.live("OPENAI:gpt-4o-mini", &base, &signed).ended(2);
    assert!(refused.err.contains(&public), "said before anything is played: {refused:?}");
    home.run(&["ghost", "keys", "revoke", "ci"]).ended(2);
}

/// A runner's key: its private half is in no output, and what is unknown to the server is not played.
fn registered(home: &Home, base: &str, table: &Table, url: &str) -> String {
    let made = home.run(&["ghost", "key", "new", "runner-key", "--json"]).ended(0);
    let private = fs::read_to_string(home.path("runner-key")).unwrap();
    assert!(!made.out.contains(private.trim()) && !made.err.contains(private.trim()));
    let mode = fs::metadata(home.path("runner-key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let public = made.json()["public_key"].as_str().unwrap().to_owned();
    let again = home.run(&["ghost", "key", "new", "runner-key", "--language", "ko"]).ended(2);
    assert!(again.err.contains("덮어쓰지"), "{again:?}");
    assert_eq!(fs::read_to_string(home.path("runner-key")).unwrap(), private);
    let play = |more: &[&str]| {
        let sign = [&["--scenario", "Z91", "--sign", "runner-key"][..], more].concat();
        table.live("OPENAI:gpt-4o-mini", base, &sign)
    };
    assert!(play(&[]).ended(2).err.contains("--server"), "nothing is sent that is signed");
    let unknown = play(&["--server", url]).ended(2);
    assert!(unknown.err.contains(&public), "{unknown:?}");
    home.run(&["ghost", "keys", "add", "two words", &public]).ended(2);
    home.run(&["ghost", "keys", "add", "ci", &public]).ended(0);
    public
}
