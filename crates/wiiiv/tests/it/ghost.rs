//! The scenarios, played by the program against itself.

use crate::host::MASTER_KEY;
use crate::program::{Home, Ran, Server};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const WRITES_A_NOTE: &str = "
id: Z90
title: { ko: 메모, en: A note }
language: ko
persona: someone
goal: a note
max_turns: 2
turns:
  - say: notes/a.txt 파일에 '안녕' 이라고 써줘
    model:
      - action: EXECUTE
        taskType: FILE_WRITE
        slots: { targetPath: notes/a.txt, content: 안녕 }
    expect:
      - outcome: pending
  - press: approve
    model:
      - { action: REPLY, taskType: CONVERSATION, message: 저장했습니다. }
expect:
  - file: { path: notes/a.txt, text: 안녕 }
  - files: [notes/a.txt]
  - executions: [succeeded]
  - audit: { kind: approval.given, count: 1 }
twins:
  - wrong: nobody was asked
    policy: { confirmation: { FILE_WRITE: never } }
    violates: { turn: 1, fact: outcome }
";

pub fn suite() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ghost-scenarios");
    folder.display().to_string()
}

/// The same, understood by the built-in model.
const SAYS_A_NOTE: &str = "
id: Z90
title: { ko: 메모, en: A note }
language: ko
provider: offline
persona: someone
goal: a note
max_turns: 2
turns:
  - say: notes/a.txt 파일에 '안녕' 이라고 써줘
    expect:
      - outcome: pending
  - say: 네
expect:
  - file: { path: notes/a.txt, text: 안녕 }
  - files: [notes/a.txt]
  - executions: [succeeded]
  - cost: { model_calls_max: 0 }
";

/// A folder with one scenario of ours.
fn own(home: &Home, text: &str) -> String {
    let folder: PathBuf = home.path("scenarios");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("Z90-note.yaml"), text).unwrap();
    folder.display().to_string()
}

fn ghost(home: &Home, arguments: &[&str], folder: &str) -> Ran {
    let fixed = ["--json", "--folder", folder];
    home.run(&[&["ghost"][..], arguments, &fixed[..]].concat())
}

/// Scenarios with stages that a later release brings.
const PARTIAL: [&str; 2] = ["C30", "Z02"];
/// Those that the built-in understanding drives, and how many people say each of them in their own words.
const SPOKEN: [&str; 20] = [
    "C13", "C15", "C16", "C20", "C21", "C23", "C24", "C26", "C27", "C30", "Y08", "Y11", "Y12",
    "Y14", "Y16", "W01", "W03", "W05", "W06", "Z02",
];
const PEOPLE: usize = 20;

fn is_good(report: &Value) -> bool {
    let partial = || PARTIAL.iter().any(|id| report["scenario"] == *id);
    report["verdict"] == "PASS" || (report["verdict"] == "PARTIAL" && partial())
}

fn why(results: &Value) -> Vec<String> {
    let reports = results["reports"].as_array().unwrap();
    let bad = reports.iter().filter(|report| !is_good(report));
    bad.map(|r| format!("{} {}: {} {}", r["scenario"], r["variant"], r["first"], r["why"]))
        .collect()
}

pub fn all_pass(arguments: &[&str], folder: &str) -> Value {
    let home = Home::new();
    let ran = ghost(&home, arguments, folder);
    let results = ran.json();
    assert_eq!(why(&results), Vec::<String>::new());
    ran.ended(0);
    results
}

/// A model is judged by it only under rules that allow its steps, so it says which ones these are.
#[test]
fn a_scenario_that_judges_models_names_its_steps() {
    let named =
        |steps: &str| format!("task_types: [FILE_WRITE]\nstep_types: [{steps}]\nlanguage: ko");
    for (steps, code) in [("FILE_WRITE", 0), ("FILE_READ", 1)] {
        let home = Home::new();
        let text = WRITES_A_NOTE.replacen("language: ko", &named(steps), 1);
        let ran = ghost(&home, &["run"], &own(&home, &text)).ended(code);
        let first = &ran.json()["reports"][0]["first"];
        assert_eq!(first["fact"] == "step_types", code == 1, "{first}");
    }
}

#[test]
fn every_scenario_passes_with_its_recorded_model() {
    let results = all_pass(&["run", "--repeat", "3", "--seed", "7"], &suite());
    assert_eq!(results["seed"], 7);
    assert!(results["reports"].as_array().unwrap().len() >= 3 * 39);
    everything_within_reach_is_visited(&results);
}

/// What is not visited is out of reach for a reason that is written down, and none of that is
/// visited all the same.
fn everything_within_reach_is_visited(results: &Value) {
    let home = Home::new();
    let file = home.path("results.json");
    fs::write(&file, results.to_string()).unwrap();
    let arguments = ["ghost", "coverage", "--json", "--results", &file.display().to_string()];
    let parts = home.run(&arguments).ended(0).json();
    for part in parts.as_array().unwrap() {
        let (missing, refuted) = (&part["missing"], &part["refuted"]);
        assert_eq!((missing, refuted), (&json!([]), &json!([])), "{}", part["name"]);
        let unreachable = part["unreachable"].as_array().unwrap();
        assert!(unreachable.iter().all(|item| item["why"].as_str().unwrap().len() > 20));
    }
}

#[test]
fn every_wrong_twin_fails_where_it_says() {
    let results = all_pass(&["run", "--mode", "twins"], &suite());
    assert!(results["reports"].as_array().unwrap().len() >= 100);
}

/// Nobody who comes back can tell a scenario that hangs on the clock where it stood.
#[test]
fn what_hangs_on_the_clock_is_not_ended_in_the_middle() {
    let home = Home::new();
    let timed = ["run", "--mode", "faults", "--scenario", "G03", "--scenario", "G09"];
    let ran = ghost(&home, &timed, &suite()).ended(2);
    assert!(ran.err.contains("none of the chosen scenarios"), "{}", ran.err);
    let without_twins = WRITES_A_NOTE.split("twins:").next().unwrap();
    let ran = ghost(&home, &["run", "--mode", "twins"], &own(&home, without_twins)).ended(2);
    assert!(ran.err.contains("none of the chosen scenarios"), "{}", ran.err);
}

#[test]
fn a_note_is_ended_at_every_boundary_and_taken_up_again() {
    let home = Home::new();
    let folder = own(&home, WRITES_A_NOTE);
    let results = all_pass(&["run", "--mode", "faults"], &folder);
    let reports = results["reports"].as_array().unwrap();
    let kills = reports.iter().flat_map(|report| report["kills"].as_array().unwrap());
    let points: Vec<&str> = kills.map(|kill| kill["point"].as_str().unwrap()).collect();
    for point in [
        "T0:before:1",
        "T0:after:1",
        "E:before:1",
        "E:after:1",
        "T1:after:2",
        "S1:after:1",
        "S2:before:1",
        "T2:after:1",
    ] {
        assert!(points.contains(&point), "{point} is not among {points:?}");
    }
}

#[test]
fn hostile_models_come_to_nothing_and_a_benign_request_is_served() {
    let home = Home::new();
    let results = all_pass(&["run", "--mode", "adversary"], &own(&home, WRITES_A_NOTE));
    assert!(results["reports"].as_array().unwrap().len() >= 12);
}

/// A step that may have acted waits for a person; one that can simply be tried again never does.
#[test]
#[ignore = "long: every boundary of four scenarios"]
fn every_kill_of_the_scenarios_for_it_is_taken_up() {
    let results = all_pass(&["run", "--mode", "faults", "--tag", "faults"], &suite());
    let waits = |of: &str| {
        let reports = results["reports"].as_array().unwrap().iter();
        let kills = reports.filter(|r| r["scenario"] == of).map(|r| r["kills"].as_array().unwrap());
        let kills: Vec<&Value> = kills.flatten().collect();
        assert!(kills.len() > 12, "{of}: {}", kills.len());
        kills.iter().filter(|kill| kill["then"] == "waits").count()
    };
    assert_eq!(["C04", "C09", "C17"].map(waits), [0, 0, 0], "all their steps are idempotent");
    assert!(waits("C16") > 0, "an order that may have gone out");
}

#[test]
#[ignore = "long: every hostile model in every scenario"]
fn no_hostile_model_comes_to_anything_in_any_scenario() {
    all_pass(&["run", "--mode", "adversary"], &suite());
}

#[test]
fn what_the_built_in_model_hears_can_be_said_otherwise() {
    let home = Home::new();
    let folder = own(&home, SAYS_A_NOTE);
    let results = all_pass(&["run"], &folder);
    let report = &results["reports"][0];
    assert_eq!((&report["provider"], &report["model"]), (&json!("OFFLINE"), &json!("offline")));
    let vary = ["run", "--vary", "12", "--seed", "7"];
    let ran = ghost(&home, &vary, &folder).json();
    let reports = ran["reports"].as_array().unwrap();
    let said = |report: &Value| report["said"].as_array().unwrap().clone();
    let different: std::collections::HashSet<String> =
        reports.iter().map(|report| Value::from(said(report)).to_string()).collect();
    assert!(reports.len() == 12 && different.len() >= 9, "{different:?}");
    let kept = |text: &Value| text.as_str().unwrap().contains("notes/a.txt");
    assert!(reports.iter().all(|r| kept(&said(r)[0]) && r["mode"] == "wording"));
    let passed = reports.iter().filter(|report| report["verdict"] == "PASS").count();
    assert!(passed >= 11, "{:?}", why(&ran));
    let again = ghost(&home, &vary, &folder).json();
    let all = |run: &Value| run["reports"].as_array().unwrap().iter().map(said).collect::<Vec<_>>();
    assert_eq!(all(&ran), all(&again), "the same seed says the same");
}

#[test]
#[ignore = "long: twenty scenarios in the words of twenty people each"]
fn each_scenario_can_be_said_in_the_words_of_twenty_people() {
    let home = Home::new();
    for id in SPOKEN {
        let vary = ["run", "--scenario", id, "--vary", "20", "--seed", "7"];
        let ran = ghost(&home, &vary, &suite()).json();
        let reports = ran["reports"].as_array().unwrap();
        let good = reports.iter().filter(|report| is_good(report)).count();
        println!("{id}: {good} of {}", reports.len());
        assert_eq!(reports.len(), PEOPLE, "{id}");
        assert!(good * 10 >= PEOPLE * 9, "{id}: {:?}", why(&ran));
    }
}

#[test]
fn a_recorded_model_is_deaf_to_other_words() {
    let home = Home::new();
    let ran = ghost(&home, &["run", "--vary", "2"], &own(&home, WRITES_A_NOTE)).ended(2);
    assert!(ran.err.contains("`provider: offline`"), "{}", ran.err);
}

#[test]
fn a_violated_expectation_is_named_and_ends_with_1() {
    let home = Home::new();
    let folder = own(&home, &WRITES_A_NOTE.replace("text: 안녕 }", "text: 잘 가 }"));
    let ran = ghost(&home, &["run"], &folder).ended(1);
    let first = &ran.json()["reports"][0]["first"];
    assert_eq!((first["fact"].as_str(), first["turn"].as_u64()), (Some("file"), None), "{first}");
    assert_eq!(first["expected"]["is"], "잘 가");
    assert_eq!(first["seen"]["is"], "안녕");
    let junit = home.path("junit.xml").display().to_string();
    let told = home.run(&["ghost", "run", "--folder", &folder, "--junit", &junit]).ended(1);
    let report = fs::read_to_string(junit).unwrap();
    assert!(report.contains("tests=\"1\" failures=\"1\"") && report.contains("잘 가"), "{report}");
    assert!(told.out.contains("FAIL Z90 #1: the run, `file`"), "{}", told.out);
}

#[test]
fn what_a_later_release_brings_is_partial() {
    let home = Home::new();
    let pending = "pending: [{ stage: a schedule, brings: workflows }]\nturns:";
    let folder =
        own(&home, &WRITES_A_NOTE.replace("turns:\n  - say", &format!("{pending}\n  - say")));
    let ran = ghost(&home, &["run"], &folder).ended(0);
    assert_eq!(ran.json()["reports"][0]["verdict"], "PARTIAL");
}

#[test]
fn a_broken_file_is_told_with_line_column_and_what_was_meant() {
    let home = Home::new();
    let folder = own(&home, &WRITES_A_NOTE.replace("max_turns", "max_turn"));
    let ran = home.run(&["ghost", "list", "--folder", &folder]).ended(2);
    assert!(ran.err.contains("Z90-note.yaml:7:1: unknown key `max_turn`"), "{}", ran.err);
    assert!(ran.err.contains("did you mean `max_turns`?"), "{}", ran.err);
}

#[test]
fn scenarios_are_listed_and_chosen() {
    let home = Home::new();
    let all = ghost(&home, &["list"], &suite()).ended(0).json();
    assert!(all.as_array().unwrap().len() >= 21, "{all}");
    let one = ghost(&home, &["list", "--scenario", "C01"], &suite()).ended(0).json();
    assert_eq!(one[0]["id"], "C01");
    ghost(&home, &["list", "--scenario", "C99"], &suite()).ended(2);
    ghost(&home, &["list", "--tag", "no-such-tag"], &suite()).ended(2);
}

#[test]
fn coverage_and_report_read_what_a_run_printed() {
    let home = Home::new();
    let folder = own(&home, WRITES_A_NOTE);
    let ran = ghost(&home, &["run"], &folder).ended(0);
    let file = home.path("results.json");
    fs::write(&file, &ran.out).unwrap();
    let file = file.display().to_string();
    let parts = home.run(&["ghost", "coverage", "--json", "--results", &file]).ended(0).json();
    let visited: Vec<&str> =
        parts[0]["visited"].as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect();
    assert!(visited.contains(&"RUNNING finished succeeded"), "{visited:?}");
    assert!(
        parts[1]["visited"].as_array().unwrap().iter().any(|gate| gate == "user_approval ALLOW")
    );
    let count = |kind: &str| parts[2][kind].as_array().unwrap().len();
    assert_eq!((count("visited"), count("missing") + count("unreachable")), (0, 27));
    let junit = home.path("junit.xml");
    let arguments =
        ["ghost", "report", "--results", &file, "--junit", &junit.display().to_string()];
    let told = home.run(&arguments).ended(0);
    assert!(told.out.contains("PASS 1, PARTIAL 0, FAIL 0, ERROR 0"), "{}", told.out);
    assert!(fs::read_to_string(junit).unwrap().contains("tests=\"1\" failures=\"0\""));
}

#[test]
fn a_server_keeps_results_and_shows_them_again() {
    let home = Home::new();
    let folder = own(&home, WRITES_A_NOTE);
    let data = home.path("data").display().to_string();
    let mut command =
        home.command(&["serve", "--json", "--listen", "127.0.0.1:0", "--data-dir", &data]);
    command.env("WIIIV__KEYS__MASTER", MASTER_KEY);
    let server = Server::start(command);
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    let url = server.text("url");
    let login = ["login", "ann", "--server", url, "--setup-token-file", "setup"];
    home.run_with_input(&login, "correct horse battery\n").ended(0);
    let run = ["ghost", "run", "--folder", &folder, "--server", url, "--repeat", "2"];
    home.run(&run).ended(0);
    let twins = [&run[..], &["--mode", "twins"][..]].concat();
    home.run(&twins).ended(0);
    let shown = home.run(&["ghost", "report"]).ended(0).out;
    assert!(shown.contains("Z90  ..  2/2"), "twins are not kept: {shown}");
    let kept = home.run(&["ghost", "report", "--json"]).ended(0).json();
    let printed = ghost(&home, &["run", "--repeat", "2"], &folder).ended(0).json();
    for (kept, printed) in [0, 1].map(|at| (&kept[at], &printed["reports"][at])) {
        for field in ["scenario", "mode", "repeat", "verdict", "build", "policy_hash", "visited"] {
            assert_eq!(kept[field], printed[field], "{field}");
        }
    }
    let junit = home.path("kept.xml").display().to_string();
    home.run(&["ghost", "report", "--junit", &junit]).ended(0);
    assert!(fs::read_to_string(junit).unwrap().contains("tests=\"2\" failures=\"0\""));
}
