//! The master key is exchanged under a running server, as the operator's guide has it.

mod kills;

use crate::doctor::{check, doctor};
use crate::program::{Home, Server};
use crate::server::{PASSWORD, serve, start, with_key};
use serde_json::json;
use std::fs::{self, File};

const SECRET: &str = "sk-CANARY-before-the-rotation";
const LATER: &str = "sk-CANARY-after-the-rotation";
/// As they stand in their files, and as nothing else may have them.
const OLD: &str = "ab";
const NEW: &str = "cd";

fn home() -> (Home, Server) {
    let home = Home::new();
    with_key(&home, "master.key", OLD);
    let server = logged(&home, "errors-1");
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    let login = ["login", "ann", "--server", server.text("url"), "--setup-token-file", "setup"];
    home.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
    (home, server)
}

/// With all that it logs kept in a file.
fn logged(home: &Home, errors: &str) -> Server {
    let arguments = serve(home, "master.key");
    let mut command = home.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    command.env("WIIIV__LOG__LEVEL", "debug").stderr(File::create(home.path(errors)).unwrap());
    Server::start(command)
}

/// The address is another one after each start; the log-in is the same account's.
fn log_in(home: &Home, server: &Server) {
    let login = ["login", "ann", "--server", server.text("url")];
    home.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
}

fn refused(home: &Home) -> String {
    let arguments = serve(home, "master.key");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    home.run(&arguments).ended(3).err
}

fn set(home: &Home, provider: &str, secret: &str) {
    home.run_with_input(&["keys", "set", provider, "--json"], &format!("{secret}\n")).ended(0);
}

fn masked(home: &Home) -> Vec<String> {
    let rows = home.run(&["keys", "list", "--json"]).ended(0).json();
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| row["masked"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_operator_s_steps_exchange_the_key_and_nothing_is_lost() {
    let (home, server) = home();
    set(&home, "openai", SECRET);
    let none = home.run(&["keys", "rotate", "--language", "en"]).ended(1);
    assert!(none.err.contains("master.key.next"), "{none:?}");
    let never = home.run(&["keys", "rotation", "--language", "en"]).ended(0);
    assert!(never.out.contains("version 1 and was never rotated"), "{never:?}");
    with_key(&home, "master.key.next", NEW);
    let waits = check(&doctor(&home, "master.key"), "master_key");
    assert!(waits.0 == "ok" && waits.1.contains("waits for `wiiiv keys rotate`"), "{waits:?}");

    let done = home.run(&["keys", "rotate", "--language", "en"]).ended(0);
    assert!(done.out.contains("from version 1 to 2") && done.out.contains("mv "), "{done:?}");
    let told = home.run(&["keys", "rotation", "--json"]).ended(0).json();
    assert_eq!(
        (&told["version"], &told["rotation"]["certificate"]["left"]),
        (&json!(2), &json!(0))
    );
    home.run(&["keys", "rotate"]).ended(0);
    set(&home, "anthropic", LATER);
    assert_eq!(server.stop(), 0);

    // Before it is put away: a start needs the new one alone, and says so of the old one.
    let lies = check(&doctor(&home, "master.key"), "master_key");
    assert!(lies.0 == "warn" && lies.1.contains("opens nothing any more"), "{lies:?}");
    let data = home.path("data").display().to_string();
    let looks = ["doctor", "--data-dir", &data, "--master-key-file", "master.key"];
    let advised = home.run(&[&looks[..], &["--language", "en"]].concat());
    assert!(advised.out.contains("mv master.key.next master.key"), "{advised:?}");
    assert!(!advised.out.contains("Name the right key file"), "{advised:?}");
    assert_eq!(logged(&home, "errors-2").stop(), 0);
    fs::rename(home.path("master.key.next"), home.path("new")).unwrap();
    let old = refused(&home);
    assert!(old.contains("was rotated away from") && old.contains("right key"), "{old}");
    fs::rename(home.path("new"), home.path("master.key")).unwrap();
    let fits = check(&doctor(&home, "master.key"), "master_key");
    assert!(fits.0 == "ok" && fits.1.contains("opens the data"), "{fits:?}");
    let server = logged(&home, "errors-3");
    log_in(&home, &server);
    assert_eq!(masked(&home), ["sk-****tion", "sk-****tion"]);
    // Both open: the provider is not approved, which is seen once the key is there.
    for provider in ["openai", "anthropic"] {
        let asked = home.run(&["keys", "verify", provider, "--json"]).ended(1).json();
        assert_eq!(asked["verdict"], "NOT_APPROVED");
    }
    let export = ["audit", "export", "--server-chain", "--output", "server.jsonl"];
    home.run(&export).ended(0);
    home.run(&["audit", "verify", "server.jsonl", "--allow-unsigned"]).ended(0);
    assert_eq!(server.stop(), 0);

    let mut said = format!("{none:?}{never:?}{waits:?}{done:?}{told}{lies:?}{old}{fits:?}");
    for file in ["errors-1", "errors-2", "errors-3", "server.jsonl"] {
        said += &fs::read_to_string(home.path(file)).unwrap();
    }
    for key in [OLD.repeat(8), NEW.repeat(8), "CANARY".to_owned()] {
        assert!(!said.contains(&key), "{key} stands in: {said}");
    }
}

#[test]
fn a_rotation_that_was_cut_off_goes_on_at_the_next_start_and_needs_both_keys() {
    let (home, server) = home();
    set(&home, "openai", SECRET);
    assert_eq!(server.stop(), 0);
    with_key(&home, "master.key.next", NEW);
    let arguments = serve(&home, "master.key");
    let mut command = home.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    // Log-in and the beginning, then it ends between two rows.
    command.env("WIIIV__FAULTS__ABORT_AT", "P:before:5");
    command.stderr(File::create(home.path("errors")).unwrap());
    let server = Server::start(command);
    log_in(&home, &server);
    let cut = home.run(&["keys", "rotate"]);
    assert_ne!(cut.code, 0, "{cut:?}");
    let errors = fs::read_to_string(home.path("errors")).unwrap();
    assert!(errors.contains("fault reached: P:before:5"), "{errors}");
    drop(server);
    let half = check(&doctor(&home, "master.key"), "master_key");
    assert!(half.0 == "warn" && half.1.contains("wait to be moved"), "{half:?}");
    fs::rename(home.path("master.key.next"), home.path("away")).unwrap();
    let missing = refused(&home);
    assert!(missing.contains("only version `1` was given"), "{missing}");
    fs::rename(home.path("away"), home.path("master.key.next")).unwrap();

    let server = start(&home, "master.key");
    log_in(&home, &server);
    let done = home.run(&["keys", "rotate", "--json"]).ended(0).json();
    assert_eq!((&done["version"], &done["rotation"]["to"]), (&json!(2), &json!(2)));
    assert!(done["rotation"]["finished_at"].is_string(), "{done}");
    assert_eq!(masked(&home), ["sk-****tion"]);
    assert_eq!(server.stop(), 0);
}
