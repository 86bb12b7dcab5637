//! What scripts read, where no server is needed.

use crate::program::Home;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

/// Nothing listens there: the port is reserved.
const NOWHERE: &str = "http://127.0.0.1:1";

#[test]
fn the_command_line_is_refused_with_2_and_explained_with_0() {
    let home = Home::new();
    home.run(&["frobnicate"]).ended(2);
    home.run(&["approvals", "show", "not-an-id"]).ended(2);
    assert!(home.run(&["--version"]).ended(0).out.starts_with("wiiiv "));
    let same = |by_name: &[&str], by_option: &[&str]| {
        let [by_name, by_option] = [by_name, by_option].map(|words| home.run(words).ended(0).out);
        assert_eq!(by_name, by_option);
    };
    same(&["help"], &["--help"]);
    same(
        &["help", "keys", "set", "--language", "ko"],
        &["keys", "set", "--help", "--language", "ko"],
    );
    home.run(&["help", "frobnicate"]).ended(2);
    assert!(home.run(&["--help", "--language", "ko"]).ended(0).out.contains("서버를 실행합니다"));
    assert!(home.run(&["--help", "--language", "en"]).ended(0).out.contains("Run the server"));
    assert!(!home.run(&["--help"]).ended(0).out.contains("sandbox-exec"));
}

#[test]
fn a_mistake_is_named_in_the_language_of_the_locale() {
    let home = Home::new();
    let said = |locale: &str, arguments: &[&str]| {
        let asked = home.command(arguments).env("LC_ALL", locale).output().unwrap();
        assert_eq!(asked.status.code(), Some(2), "{asked:?}");
        String::from_utf8(asked.stderr).unwrap()
    };
    for arguments in [&["chat", "--nope"][..], &["policy", "set"], &["approvals", "show", "x"]] {
        let korean = said("ko_KR.UTF-8", arguments);
        assert!(korean.contains("오류:") && korean.contains("자세히: --help"), "{korean}");
        assert!(!korean.contains("Usage") && !korean.contains("error"), "{korean}");
        let english = said("C", arguments);
        assert!(english.contains("error:") && english.contains("More: --help"), "{english}");
    }
    let help = home.command(&["approvals"]).env("LANG", "ko_KR.UTF-8").output().unwrap();
    let help = String::from_utf8(help.stderr).unwrap();
    assert!(help.contains("명령:") && !help.contains("Commands:"), "{help}");
}

#[test]
fn nobody_is_4_and_nowhere_is_5() {
    let home = Home::new();
    let nobody = home.run(&["sessions", "list", "--server", NOWHERE, "--language", "en"]).ended(4);
    assert!(nobody.err.contains("wiiiv login NAME"), "{nobody:?}");
    fs::write(home.path("token"), "wiiiv_x\n").unwrap();
    fs::set_permissions(home.path("token"), fs::Permissions::from_mode(0o600)).unwrap();
    let mut command = home.command(&["sessions", "list", "--server", NOWHERE, "--json"]);
    let nowhere = command.env("WIIIV_TOKEN_FILE", home.path("token")).output().unwrap();
    assert_eq!(nowhere.status.code(), Some(5));
    let said: serde_json::Value = serde_json::from_slice(&nowhere.stderr).unwrap();
    assert_eq!(said["exit"], 5);
    home.run_with_input(&["login", "ann", "--server", NOWHERE], "a password\n").ended(5);
}

#[test]
fn an_approval_beforehand_without_time_is_refused_before_anything_is_sent() {
    let home = Home::new();
    for language in ["en", "ko"] {
        // Nobody is logged in: 4, if it were tried.
        let grant = ["approvals", "grant", "abcd", "--uses", "1", "--server", NOWHERE];
        let window = |lasts| ["--from", "1h", "--lasts", lasts, "--language", language];
        let refused = home.run(&[&grant[..], &window("60m")].concat()).ended(2);
        let names = ["--from", "--lasts"];
        assert!(names.iter().all(|name| refused.err.contains(name)), "{refused:?}");
        home.run(&[&grant[..], &window("62m")].concat()).ended(4);
    }
}

#[test]
fn an_export_that_is_none_is_8_and_a_file_that_is_not_there_2() {
    let home = Home::new();
    fs::write(home.path("export"), "{}\n").unwrap();
    home.run(&["audit", "verify", "export"]).ended(8);
    home.run(&["audit", "verify-receipt", "export"]).ended(8);
    home.run(&["audit", "verify", "absent"]).ended(2);
    fs::write(home.path("key"), "no key").unwrap();
    home.run(&["audit", "verify", "export", "--key", "key"]).ended(2);
}

#[test]
fn completions_are_made_for_a_shell() {
    let home = Home::new();
    let script = home.run(&["completions", "bash"]).ended(0).out;
    assert!(script.contains("_wiiiv") && !script.contains("sandbox-exec"));
}

#[test]
fn a_reader_that_goes_away_is_no_complaint() {
    let home = Home::new();
    let mut command = home.command(&["config", "show"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let ended = command.stdout(writer).output().unwrap();
    assert!(ended.stderr.is_empty(), "{}", String::from_utf8_lossy(&ended.stderr));
}

#[test]
fn fine_rules_are_checked_without_a_server_in_both_languages() {
    let home = Home::new();
    let names = home.run(&["policy", "profile"]).ended(0).out;
    assert_eq!(
        names.lines().collect::<Vec<_>>(),
        ["read-only", "no-outside-writes", "office-hours"]
    );
    home.run(&["policy", "profile", "nonsense"]).ended(2);
    let rules = home.path("rules.cedar");
    let file = rules.to_str().unwrap();
    fs::write(&rules, home.run(&["policy", "profile", "read-only"]).ended(0).out).unwrap();
    let good = home.run(&["policy", "check", file, "--language", "en"]).ended(0);
    assert_eq!(good.out.trim(), "2 fine rules, all valid.");
    fs::write(&rules, "@id(\"a\")\npermit (principal, action, resource);\n@id(\"b\")\nforbid (principal, action, resource) when { context.taintd };\n").unwrap();
    let english = home.run(&["policy", "check", file, "--language", "en"]).ended(1).out;
    assert!(english.contains("rules.cedar:1:1: a rule forbids"), "{english}");
    assert!(english.contains("rules.cedar:4:45: the schema does not know this"), "{english}");
    let korean = home.run(&["policy", "check", file, "--language", "ko"]).ended(1).out;
    assert!(korean.contains("rules.cedar:1:1: 규칙은 금지만 합니다"), "{korean}");
    let json = home.run(&["policy", "check", file, "--json"]).ended(1).out;
    let told: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&told["faults"][0]["code"], &told["faults"][1]["line"]),
        (&"permit".into(), &4.into())
    );
    // Refused before anybody is asked.
    let set = ["policy", "rules", file, "--reason", "x", "--server", NOWHERE, "--language", "en"];
    assert!(home.run(&set).ended(1).out.contains("a rule forbids"));
    fs::write(&rules, "x".repeat(70_000)).unwrap();
    home.run(&["policy", "check", file]).ended(2);
}
