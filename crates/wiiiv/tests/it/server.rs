//! `serve`: a key, a setup token, an administrator, and no second process.

use crate::program::{Home, Server};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

pub const PASSWORD: &str = "correct horse battery";

pub fn with_key(home: &Home, name: &str, key: &str) {
    let path = home.path(name);
    fs::write(&path, key.repeat(32)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
}

pub fn serve(home: &Home, key: &str) -> Vec<String> {
    let data = home.path("data").display().to_string();
    let arguments = [
        "serve",
        "--json",
        "--listen",
        "127.0.0.1:0",
        "--data-dir",
        &data,
        "--master-key-file",
        key,
    ];
    arguments.map(str::to_owned).to_vec()
}

pub fn start(home: &Home, key: &str) -> Server {
    let arguments = serve(home, key);
    Server::start(home.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>()))
}

#[test]
fn the_setup_token_makes_the_administrator_once() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    let server = start(&home, "key");
    let url = server.text("url");
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    let login = ["login", "ann", "--server", url, "--setup-token-file", "setup"];
    home.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
    home.run(&["sessions", "list"]).ended(0);
    let again = home.run_with_input(&login, &format!("{PASSWORD}\n")).ended(1);
    assert!(again.err.contains("set up"), "{again:?}");
    let wrong = ["login", "ann", "--server", url, "--language", "en"];
    let wrong = home.run_with_input(&wrong, "wrong password\n").ended(4);
    assert!(wrong.err.contains("name or the password is wrong"), "{wrong:?}");
    home.run(&["audit", "export", "--server-chain", "--output", "server.jsonl"]).ended(0);
    home.run(&["audit", "verify", "server.jsonl", "--allow-unsigned"]).ended(0);

    home.run(&["logout"]).ended(0);
    home.run(&["sessions", "list", "--server", url]).ended(4);
    assert_eq!(server.stop(), 0);
}

#[test]
fn log_in_errors_say_what_they_are() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    let server = start(&home, "key");
    let url = server.text("url");
    fs::write(home.path("setup"), "wiiiv_not_the_token").unwrap();
    let token = ["login", "ann", "--server", url, "--setup-token-file", "setup"];
    let token = home.run_with_input(&token, &format!("{PASSWORD}\n")).ended(4);
    assert!(token.err.contains("setup token is wrong"), "{token:?}");
    let try_once = |language: &str| {
        let login = ["login", "nobody", "--server", url, "--language", language];
        home.run_with_input(&login, "some password\n")
    };
    let wrong = try_once("ko").ended(4);
    assert!(wrong.err.contains("비밀번호가 틀렸습니다"), "{wrong:?}");
    let waits = (0..20).map(|_| try_once("en")).find(|tried| tried.code != 4).unwrap();
    assert!(waits.err.contains("Too many log-ins") && waits.err.contains("seconds"), "{waits:?}");
    assert!(!waits.err.contains("Retry-After"), "{waits:?}");
}

#[test]
fn a_log_in_that_is_not_kept_leaves_no_token_alive() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    let server = start(&home, "key");
    let url = server.text("url");
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    let login = ["login", "ann", "--server", url, "--setup-token-file", "setup"];
    home.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
    let lost = ["login", "ann", "--server", url, "--project", "nowhere"];
    home.run_with_input(&lost, &format!("{PASSWORD}\n")).ended(2);
    home.run(&["audit", "export", "--server-chain", "--output", "server.jsonl"]).ended(0);
    let chain = fs::read_to_string(home.path("server.jsonl")).unwrap();
    let count = |kind: &str| chain.matches(kind).count();
    // The setup's, the first log-in's, and the one that named no project of hers.
    assert_eq!((count("token.issued"), count("token.revoked")), (3, 1), "{chain}");
}

/// Keys are open in memory while it runs: a crash writes none of it down.
#[test]
fn a_crash_leaves_no_copy_of_what_is_in_memory() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    let server = start(&home, "key");
    let limits = fs::read_to_string(format!("/proc/{}/limits", server.process())).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    let bounds: Vec<&str> = core.split_whitespace().skip(4).take(2).collect();
    assert_eq!(bounds, ["0", "0"], "{core}");
}

#[test]
fn the_folder_has_one_holder_and_one_key() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    with_key(&home, "other", "cd");
    let server = start(&home, "key");
    let arguments = serve(&home, "key");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let held = home.run(&arguments).ended(3);
    assert!(held.err.contains("in use by `process"), "{held:?}");
    assert_eq!(server.stop(), 0);

    let arguments = serve(&home, "other");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let wrong = home.run(&arguments).ended(3);
    assert!(wrong.err.contains("start again with the right key"), "{wrong:?}");
    assert_eq!(start(&home, "key").stop(), 0);
}

#[test]
fn aborting_on_purpose_names_the_point_it_reached() {
    let home = Home::new();
    let mut command = home.command(&["demo", "--json", "--port", "0"]);
    command.env("WIIIV__FAULTS__ABORT_AT", "T0:before:1");
    let errors = home.path("errors");
    command.stderr(fs::File::create(&errors).unwrap());
    let _demo = Server::start(command);
    assert_ne!(home.run(&["chat", "Write 'x' to x.txt"]).code, 0);
    assert!(fs::read_to_string(errors).unwrap().contains("fault reached: T0:before:1"));
}
