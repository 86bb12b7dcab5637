//! Killed while a page is on its way: the receiver has it and nobody was told so. It comes again, and nothing is
//! missing.

use super::{Got, SECRET, demo, posted, same_as_the_chain, worked};
use crate::program::{Home, Server, eventually};
use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Takes what comes, and answers only from `answers` on: whoever waited before waits for ever.
fn silent() -> (Got, u16, Arc<AtomicBool>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (got, answers) = (Got::default(), Arc::new(AtomicBool::new(false)));
    let (taken, speaks) = (got.clone(), Arc::clone(&answers));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (taken, speaks, stream) = (taken.clone(), Arc::clone(&speaks), stream.unwrap());
            thread::spawn(move || {
                while let Some(lines) = posted(&stream) {
                    taken.add(lines);
                    while !speaks.load(Ordering::SeqCst) {
                        thread::park();
                    }
                    let head = "HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n";
                    (&stream).write_all(head.as_bytes()).unwrap();
                }
            });
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
    let home = Home::new();
    let (got, port, answers) = silent();
    let to = format!("http://127.0.0.1:{port}/audit");
    let first = demo(&home, &to);
    let on_its_way = eventually(|| arrived(&got));
    worked(&home, "a.txt");
    drop(first);
    answers.store(true, Ordering::SeqCst);
    let second = demo(&home, &to);
    let (chain, newest) = worked(&home, "b.txt");
    eventually(|| got.has(&chain, newest));
    same_as_the_chain(&home, &got, &chain);
    came_again(&got, on_its_way);
    assert_eq!(second.stop(), 0);
}

#[test]
fn a_page_that_was_on_its_way_when_the_command_was_killed_comes_again() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    let (chain, newest) = worked(&home, "a.txt");
    let (got, port, answers) = silent();
    fs::write(home.path("secret"), SECRET).unwrap();
    fs::set_permissions(home.path("secret"), fs::Permissions::from_mode(0o600)).unwrap();
    let to = format!("http://127.0.0.1:{port}/");
    let export =
        ["audit", "export", "--to", &to, "--resume", "feed.state", "--secret-file", "secret"];
    let mut command = home.command(&export);
    let mut killed = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let on_its_way = eventually(|| arrived(&got));
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(!home.path("feed.state").exists(), "nobody said that it was taken");
    answers.store(true, Ordering::SeqCst);
    home.run(&export).ended(0);
    got.has(&chain, newest).unwrap();
    same_as_the_chain(&home, &got, &chain);
    came_again(&got, on_its_way);
    let held = got.0.lock().unwrap().len();
    home.run(&export).ended(0);
    assert_eq!(got.0.lock().unwrap().len(), held, "nothing is new");
}
