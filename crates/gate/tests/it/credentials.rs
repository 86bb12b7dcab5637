//! Files that hold credentials by convention are risky to read, in every stage.

use crate::test_gate::{
    RISK, TestGate, call_node, literal, permissive, read_node, transform_node, write_node,
};
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{
    Asks, Confirmation, DacsStage, DenyCode, Envelope, HttpMethod, Node, Salt, Slots, Spec,
    TaskType,
};
use wiiiv_gate::Answer;

const TABLE: &str = include_str!("../fixtures/secret_paths.txt");
const CODE: &str = "SECRET_PATH";

fn globs() -> BTreeSet<String> {
    let rules: toml::Value = toml::from_str(RISK).unwrap();
    let rules = rules["rule"].as_array().unwrap();
    let rule = rules.iter().find(|rule| rule["code"].as_str() == Some(CODE)).unwrap();
    let named = rule["when"]["all"][0]["path_component"].as_array().unwrap();
    named.iter().map(|glob| glob.as_str().unwrap().to_owned()).collect()
}

fn codes(test: &TestGate, path: &str) -> Vec<String> {
    let mut slots = Slots::default();
    slots.set("targetPath", path).unwrap();
    let spec =
        Spec::new(Salt::from_bytes([1; 16]), TaskType::FileRead, slots, &Envelope::default());
    test.opened.keeper.risk(&spec, &test.permissive(), &test.standing()).codes
}

#[test]
fn every_glob_has_what_it_is_for_and_what_it_is_not_for() {
    let test = TestGate::new();
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    let rows: BTreeMap<&str, (&str, &str)> = lines
        .map(|line| {
            let parts: Vec<&str> = line.split(" | ").collect();
            let [glob, hit, miss] = parts[..] else { panic!("{line}") };
            (glob, (hit, miss))
        })
        .collect();
    let listed: BTreeSet<String> = rows.keys().map(|glob| (*glob).to_owned()).collect();
    assert_eq!(listed, globs());
    for (glob, (hit, miss)) in rows {
        for path in [hit.to_owned(), hit.to_uppercase(), format!("a/b/{hit}"), format!("./{hit}")] {
            assert!(codes(&test, &path).contains(&CODE.to_owned()), "{glob} {path}");
        }
        assert_eq!(codes(&test, miss), Vec::<String>::new(), "{glob} {miss}");
    }
}

/// Read in the default stage they went to the configured model, and nobody was asked.
#[test]
fn a_read_of_credentials_asks_or_is_refused_in_every_stage() {
    let test = TestGate::new();
    for stage in [DacsStage::Observe, DacsStage::Enforce] {
        let mut rules = permissive();
        rules.dacs_stage = stage;
        let policy = test.snapshot(rules);
        let standing = test.standing();
        let plan = |path: &str| {
            let slots = [("targetPath", path)];
            test.plan(TaskType::FileRead, &slots, vec![read_node(path)], &policy)
        };
        let asks = |path| test.opened.keeper.asks(&plan(path), &policy, &standing);
        assert_eq!(asks("notes/a.md"), Asks::Nothing);
        for path in [".npmrc", "x/.PYPIRC", "deploy/prod.env", "tls/host.key", "id_dsa"] {
            assert_eq!(asks(path), Asks::Requester, "{path} {stage:?}");
        }
        for path in [".netrc", "x/.pgpass", ".git-credentials", "a/credentials.json", ".aws"] {
            assert_eq!(asks(path), Asks::Refused, "{path} {stage:?}");
            let now = crate::test_gate::now();
            let found = test.opened.keeper.forecast(&plan(path), &policy, &standing, now);
            let answer = found.unwrap().dacs.answer;
            assert_eq!(answer, Answer::Deny(DenyCode::DacsNo), "{path} {stage:?}");
        }
    }
}

/// A plan that only says it reads notes is judged by what its steps read.
#[test]
fn the_source_of_a_copy_counts_as_what_is_asked_for() {
    let test = TestGate::new();
    let policy = test.permissive();
    let nodes = vec![read_node("home/.npmrc")];
    let plan = test.plan(TaskType::FileRead, &[("targetPath", "notes/a.md")], nodes, &policy);
    let asks = test.opened.keeper.asks(&plan, &policy, &test.standing());
    assert_eq!(asks, Asks::Requester);
}

/// Whatever is done with such a file, and whatever the plan says that it is about: it is asked about
/// where the same with any other file is not.
#[test]
fn every_way_to_a_file_of_credentials_is_as_risky_as_reading_it() {
    let test = TestGate::new();
    let mut rules = permissive();
    for task in TaskType::ALL {
        rules.confirmation.insert(task, Confirmation::Never);
    }
    let policy = test.snapshot(rules);
    let sent = || call_node(HttpMethod::Post, "shop.test", Some(literal("{}")));
    let ways = |path: &str| -> Vec<(&str, TaskType, Vec<Node>)> {
        vec![
            ("listed or read", TaskType::FileRead, vec![read_node(path)]),
            ("transformed", TaskType::ApiWorkflow, vec![read_node(path), transform_node()]),
            ("sent", TaskType::ApiWorkflow, vec![read_node(path), sent()]),
            ("copied", TaskType::FileWrite, vec![read_node(path), write_node("copy.txt")]),
            ("written or added to", TaskType::FileWrite, vec![write_node(path)]),
        ]
    };
    let asks = |(way, task, nodes): (&str, TaskType, Vec<Node>)| {
        let slots = [("intent", "look"), ("targetPath", "a.md"), ("domain", "shop.test")];
        let plan = test.plan(task, &slots, nodes, &policy);
        (way.to_owned(), test.opened.keeper.asks(&plan, &policy, &test.standing()))
    };
    for (way, found) in ways("notes/a.md").into_iter().map(asks) {
        assert_eq!(found, Asks::Nothing, "{way}");
    }
    for path in [".npmrc", "Deep/Down/.NPMRC", "web\\.npmrc", "tls/host.key.bak", "a/ID_DSA.old"] {
        for (way, found) in ways(path).into_iter().map(asks) {
            assert_ne!(found, Asks::Nothing, "{way} {path}");
        }
    }
}
