//! A policy's change before it is applied, from the command line.

use crate::changed::{log_in, open_question};
use crate::program::Home;
use crate::server::{start, with_key};
use std::fs;

#[test]
fn a_change_is_compared_with_what_was_ruled() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    let server = start(&home, "key");
    log_in(&home, &server);
    let (id, digest) = open_question(&home, "Write 'milk' to shopping.txt");
    home.run(&["approvals", "approve", &id, "--digest", &digest]).ended(0);
    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    fs::write(home.path("same.json"), version.to_string()).unwrap();
    let same = home.run(&["policy", "diff", "same.json", "--language", "en"]).ended(0).out;
    assert_eq!(same, "It changes nothing in the policy that is applied now.\n");

    version["policy"]["approval"]["normal"]["by"] = "another_person".into();
    fs::write(home.path("two.json"), version["policy"].to_string()).unwrap();
    let diff = ["policy", "diff", "two.json"];
    let told = home.run(&[&diff[..], &["--language", "en"]].concat()).ended(0).out;
    assert_eq!(told, "approval.normal.by: \"requester\" → \"another_person\"\n");
    let replay = [&diff[..], &["--replay", "30d"]].concat();
    let told = home.run(&[&replay[..], &["--language", "en"]].concat()).ended(0).out;
    assert!(told.contains("1 judged again, 1 would have been different"), "{told}");
    let kind = "1 × would be confirmed by somebody else: another person is asked";
    assert!(told.contains(kind), "{told}");
    assert!(told.contains("Write a file"), "{told}");
    let told = home.run(&[&replay[..], &["--language", "ko"]].concat()).ended(0).out;
    assert!(told.contains("1건이 달라졌을 것입니다"), "{told}");
    let told = home.run(&[&replay[..], &["--json"]].concat()).ended(0).json();
    assert_eq!((&told["judged"], &told["counts"][0]["count"]), (&1.into(), &1.into()));

    home.run(&["policy", "diff", "two.json", "--replay", "soon"]).ended(2);
    let far = home.run(&["policy", "diff", "two.json", "--replay", "91d"]).ended(2).err;
    assert!(far.contains("0..=90"), "{far}");
    fs::write(home.path("odd.json"), "{\"policy\":{}}").unwrap();
    home.run(&["policy", "diff", "odd.json"]).ended(2);
    assert_eq!(server.stop(), 0);
}

/// No plan and no ruling is on record of it, and a policy that allows more is not told to change nothing.
#[test]
fn what_was_refused_before_a_plan_is_told_by_its_code() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    let server = start(&home, "key");
    log_in(&home, &server);
    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    fs::write(home.path("wide.json"), version.to_string()).unwrap();
    version["policy"]["allowedStepTypes"] = vec!["FILE_READ"].into();
    fs::write(home.path("narrow.json"), version.to_string()).unwrap();
    home.run(&["policy", "set", "narrow.json", "--reason", "read only"]).ended(0);
    home.run(&["chat", "Write 'milk' to shopping.txt", "--language", "en"]).ended(6);
    let told = |file: &str, language: &str| {
        let diff = ["policy", "diff", file, "--replay", "30d", "--language", language];
        home.run(&diff).ended(0).out
    };
    for (file, language, line) in [
        ("wide.json", "en", "1 × STEP_TYPE_NOT_ALLOWED: a plan would have been drawn"),
        ("wide.json", "ko", "1 × STEP_TYPE_NOT_ALLOWED: 계획이 만들어지고"),
        ("narrow.json", "en", "1 × STEP_TYPE_NOT_ALLOWED: would have come to no plan"),
    ] {
        let told = told(file, language);
        assert!(told.contains(line), "{told}");
    }
    assert_eq!(server.stop(), 0);
}
