//! Killed while a page is on its way: the receiver has it and nobody was told so. It comes again, and nothing is
//! missing.

use super::{Got, SECRET, demo, messages, posted, same_as_the_chain, worked};
use crate::program::{Home, Server, eventually};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// Who sends a page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sender {
    Server,
    Command,
}

/// Where it goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum To {
    Webhook,
    Syslog,
    File,
}

/// The server sends to no file.
pub const CUTS: [(Sender, To); 5] = [
    (Sender::Server, To::Webhook),
    (Sender::Server, To::Syslog),
    (Sender::Command, To::Webhook),
    (Sender::Command, To::Syslog),
    (Sender::Command, To::File),
];

impl To {
    fn address(self, port: u16) -> String {
        match self {
            Self::Webhook => format!("http://127.0.0.1:{port}/audit"),
            Self::Syslog => format!("syslog://127.0.0.1:{port}"),
            Self::File => "file".to_owned(),
        }
    }

    /// Takes what this connection brings, and says that it has it once it may speak.
    fn take(self, mut stream: TcpStream, taken: &Got, speaks: &AtomicBool) {
        match self {
            Self::Webhook => {
                while let Some(lines) = posted(&stream) {
                    taken.add(lines);
                    wait_for(speaks);
                    let head = "HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n";
                    (&stream).write_all(head.as_bytes()).unwrap();
                }
            }
            // It acknowledges nothing but by closing its half.
            Self::Syslog => {
                let mut bytes = Vec::new();
                if stream.read_to_end(&mut bytes).is_ok() {
                    taken.add(messages(&bytes));
                    wait_for(speaks);
                }
            }
            Self::File => {}
        }
    }
}

/// Whoever waits before it is set waits for ever: nobody is woken up.
fn wait_for(speaks: &AtomicBool) {
    while !speaks.load(Ordering::SeqCst) {
        thread::park();
    }
}

/// Takes what comes, and answers only from `answers` on.
fn silent(to: To) -> (Got, u16, Arc<AtomicBool>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (got, answers) = (Got::default(), Arc::new(AtomicBool::new(false)));
    let (taken, speaks) = (got.clone(), Arc::clone(&answers));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (taken, speaks, stream) = (taken.clone(), Arc::clone(&speaks), stream.unwrap());
            thread::spawn(move || to.take(stream, &taken, &speaks));
        }
    });
    (got, port, answers)
}

fn arrived(got: &Got) -> Option<usize> {
    let count = got.0.lock().unwrap().len();
    (count > 0).then_some(count)
}

/// Every record that came at first came again; of a checkpoint, a later one may have come instead.
fn came_again(got: &Got, first: usize) {
    let lines = got.0.lock().unwrap();
    for line in lines[..first].iter().filter(|line| line.starts_with("{\"at\"")) {
        let times = lines.iter().filter(|other| *other == line).count();
        assert!(times >= 2, "{line}");
    }
}

#[test]
fn a_page_that_was_on_its_way_when_the_server_was_killed_comes_again() {
    for (_, to) in CUTS.into_iter().filter(|(sender, _)| *sender == Sender::Server) {
        let home = Home::new();
        let (got, port, answers) = silent(to);
        let first = demo(&home, &to.address(port));
        let on_its_way = eventually(|| arrived(&got));
        worked(&home, "a.txt");
        drop(first);
        answers.store(true, Ordering::SeqCst);
        let second = demo(&home, &to.address(port));
        let (chain, newest) = worked(&home, "b.txt");
        eventually(|| got.has(&chain, newest));
        same_as_the_chain(&home, &got, &chain);
        came_again(&got, on_its_way);
        assert_eq!(second.stop(), 0);
    }
}

#[test]
fn a_page_that_was_on_its_way_when_the_command_was_killed_comes_again() {
    for (_, to) in CUTS.into_iter().filter(|(sender, _)| *sender == Sender::Command) {
        let home = Home::new();
        let _demo = Server::demo(&home);
        match to {
            To::Webhook | To::Syslog => to_a_receiver(&home, to),
            To::File => to_a_file(&home),
        }
    }
}

fn begun(home: &Home, export: &[&str]) -> Child {
    let mut command = home.command(export);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn to_a_receiver(home: &Home, to: To) {
    let (chain, newest) = worked(home, "a.txt");
    let (got, port, answers) = silent(to);
    fs::write(home.path("secret"), SECRET).unwrap();
    fs::set_permissions(home.path("secret"), fs::Permissions::from_mode(0o600)).unwrap();
    let to = to.address(port);
    let export =
        ["audit", "export", "--to", &to, "--resume", "feed.state", "--secret-file", "secret"];
    let mut killed = begun(home, &export);
    let on_its_way = eventually(|| arrived(&got));
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(!home.path("feed.state").exists(), "nobody said that it was taken");
    answers.store(true, Ordering::SeqCst);
    home.run(&export).ended(0);
    got.has(&chain, newest).unwrap();
    same_as_the_chain(home, &got, &chain);
    came_again(&got, on_its_way);
    let held = got.0.lock().unwrap().len();
    home.run(&export).ended(0);
    assert_eq!(got.0.lock().unwrap().len(), held, "nothing is new");
}

/// Here the page comes again by being written over: the file holds each record once.
fn to_a_file(home: &Home) {
    let export =
        ["audit", "export", "--to", "file", "--output", "feed.jsonl", "--resume", "feed.state"];
    home.run(&["audit", "key", "--output", "audit.pub"]).ended(0);
    worked(home, "a.txt");
    home.run(&export).ended(0);
    let length = || fs::metadata(home.path("feed.jsonl")).unwrap().len();
    let (before, state) = (length(), fs::read(home.path("feed.state")).unwrap());
    let (chain, newest) = worked(home, "b.txt");
    // The state is written beside and then put in its place. Nobody reads from a pipe that lies there: the
    // command waits between the page and what it says of it.
    let beside = home.path("feed.state.new");
    assert!(Command::new("mkfifo").arg(&beside).status().unwrap().success());
    let mut killed = begun(home, &export);
    eventually(|| (length() > before).then_some(()));
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(fs::read(home.path("feed.state")).unwrap(), state, "nobody said that it was taken");
    fs::remove_file(&beside).unwrap();
    home.run(&export).ended(0);
    let verify = ["audit", "verify", "feed.jsonl", "--feed", "--key", "audit.pub", "--json"];
    let report = home.run(&verify).ended(0).json();
    assert_eq!((&report["level"], report["records"].as_u64()), (&"verified".into(), Some(newest)));
    let feed = fs::read_to_string(home.path("feed.jsonl")).unwrap();
    let once: BTreeSet<&str> = feed.lines().collect();
    assert_eq!(once.len(), feed.lines().count(), "a line stands there twice");
    let got = Got::default();
    got.add(feed.lines().map(str::to_owned));
    same_as_the_chain(home, &got, &chain);
}

/// What the server answers to the first request, up to its half: by then the server is killed.
fn half_of_an_answer(server: Server) -> (u16, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let passed = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let address = server.text("url").strip_prefix("http://").unwrap();
        let asked = head(&stream).replace(&format!("127.0.0.1:{port}"), address);
        let asked = asked.replacen("\r\n", "\r\nconnection: close\r\n", 1);
        let mut there = TcpStream::connect(address).unwrap();
        there.write_all(asked.as_bytes()).unwrap();
        let mut answer = Vec::new();
        there.read_to_end(&mut answer).unwrap();
        drop(server);
        let half = &answer[..answer.len() / 2];
        assert!(String::from_utf8_lossy(half).contains("{\"at\""), "it is cut within the page");
        stream.write_all(half).unwrap();
    });
    (port, passed)
}

/// Of a request without a body.
fn head(stream: &TcpStream) -> String {
    let (mut reader, mut head) = (BufReader::new(stream), String::new());
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0, "{head}");
    }
    head
}

/// A file with the token of the only log-in.
fn token(home: &Home) {
    let kept = fs::read_to_string(home.path("state/wiiiv/credentials")).unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    let login = kept["logins"].as_object().unwrap().values().next().unwrap();
    fs::write(home.path("token"), login["token"].as_str().unwrap()).unwrap();
    fs::set_permissions(home.path("token"), fs::Permissions::from_mode(0o600)).unwrap();
}

/// All that a receiver has, or the file.
fn lines_of(home: &Home, to: To, got: &Got) -> Vec<String> {
    match to {
        To::File => {
            let feed = fs::read_to_string(home.path("feed.jsonl")).unwrap();
            feed.lines().map(str::to_owned).collect()
        }
        To::Webhook | To::Syslog => got.0.lock().unwrap().clone(),
    }
}

#[test]
fn of_a_page_that_the_server_was_killed_in_nothing_is_sent_on() {
    for to in [To::Syslog, To::File] {
        let home = Home::new();
        let first = Server::demo(&home);
        let (got, port, answers) = silent(to);
        answers.store(true, Ordering::SeqCst);
        let address = to.address(port);
        let mut export = vec!["audit", "export", "--to", &address, "--resume", "feed.state"];
        if to == To::File {
            export.extend(["--output", "feed.jsonl"]);
        }
        worked(&home, "a.txt");
        home.run(&export).ended(0);
        let before = (fs::read(home.path("feed.state")).unwrap(), lines_of(&home, to, &got));
        let (chain, newest) = worked(&home, "b.txt");
        token(&home);
        let (port, passed) = half_of_an_answer(first);
        let url = format!("http://127.0.0.1:{port}");
        let torn = [&export[..], &["--project", &chain, "--server", &url]].concat();
        let mut torn = home.command(&torn);
        torn.env("WIIIV_TOKEN_FILE", home.path("token"));
        let torn = Home::ran(torn).ended(5);
        passed.join().unwrap();
        assert!(!torn.err.is_empty(), "{torn:?}");
        let after = (fs::read(home.path("feed.state")).unwrap(), lines_of(&home, to, &got));
        assert!(before == after, "nothing of it is told as taken: {after:?}");

        let _second = Server::demo(&home);
        home.run(&export).ended(0);
        let lines = lines_of(&home, to, &got);
        let once: BTreeSet<&String> = lines.iter().collect();
        assert_eq!(once.len(), lines.len(), "a line came twice");
        let all = Got::default();
        all.add(lines);
        all.has(&chain, newest).unwrap();
        same_as_the_chain(&home, &all, &chain);
    }
}
