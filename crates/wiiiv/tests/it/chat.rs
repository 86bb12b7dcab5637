//! A conversation across broken connections, odd input and Ctrl-C.

use crate::program::{Home, Ran, Server, eventually};
use serde_json::json;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Command, Stdio};
use std::time::Duration;

const SESSION: &str = "0190a000-0000-7000-8000-000000000001";
const TURN: &str = "0190a000-0000-7000-8000-000000000002";

/// The head of a request and, behind it, the body.
pub fn asked(stream: &TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).unwrap();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let lower = line.to_lowercase();
        if let Some(count) = lower.strip_prefix("content-length:") {
            length = count.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    std::io::copy(&mut std::io::Read::take(reader, length), &mut std::io::sink()).unwrap();
    first
}

/// One event, and then the connection ends.
fn tell(mut stream: TcpStream, name: &str, seq: u64) {
    let data = format!(r#"{{"seq":{seq},"turn":"{TURN}","event":"{name}","text":"{name} told"}}"#);
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    write!(stream, "{head}id: {TURN}:{seq}\nevent: {name}\ndata: {data}\n\n").unwrap();
}

#[test]
fn a_server_that_is_away_for_a_moment_does_not_end_the_turn() {
    let home = Home::new();
    fs::write(home.path("token"), "wiiiv_x\n").unwrap();
    fs::set_permissions(home.path("token"), fs::Permissions::from_mode(0o600)).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let first = asked(&stream);
        assert!(first.starts_with("POST "), "{first}");
        tell(stream, "accepted", 1);
        drop(listener);
        // The first tries to come back find nobody.
        std::thread::sleep(Duration::from_secs(2));
        let listener = TcpListener::bind(address).unwrap();
        let (stream, _) = listener.accept().unwrap();
        let again = asked(&stream);
        assert!(again.contains("/events?after=1 "), "{again}");
        tell(stream, "done", 2);
    });
    let url = format!("http://{address}");
    let mut chat = home.command(&["chat", "--server", &url, "--session", SESSION, "hello"]);
    let chat = chat.env("WIIIV_TOKEN_FILE", home.path("token")).output().unwrap();
    assert_eq!(chat.status.code(), Some(0), "{chat:?}");
    server.join().unwrap();
}

/// The answer to one message, event by event.
fn answered(mut stream: TcpStream, events: &[(&str, serde_json::Value)]) {
    asked(&stream);
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    write!(stream, "{head}").unwrap();
    for (seq, (name, data)) in (1..).zip(events) {
        let mut data = data.clone();
        (data["seq"], data["turn"], data["event"]) = (json!(seq), json!(TURN), json!(name));
        write!(stream, "id: {TURN}:{seq}\nevent: {name}\ndata: {data}\n\n").unwrap();
    }
}

/// What is said of an answer stands between its words as they came and the same words as they count.
#[test]
fn an_answer_that_was_streamed_is_printed_once() {
    let home = Home::new();
    fs::write(home.path("token"), "wiiiv_x\n").unwrap();
    fs::set_permissions(home.path("token"), fs::Permissions::from_mode(0o600)).unwrap();
    let told = "This answer cites no document.";
    let said =
        |message: &str, text: &str| json!({"reply": "model", "message": message, "text": text});
    let delta = |text: &str| ("delta", json!({ "text": text }));
    let (not_cited, done) =
        (("reply", json!({"reply": "told", "text": told})), ("done", json!({})));
    for (streamed, reply, out, err) in [
        ("15 days.", said("15 days.", "15 days."), format!("15 days.\n{told}\n"), ""),
        (
            "15 days.",
            said("15 days.", "15 days.\n\nMore."),
            format!("15 days.\n{told}\nMore.\n"),
            "",
        ),
        ("15 [1, 2].", said("15 [1][2].", "15 [1][2]."), format!("15 [1, 2].\n{told}\n"), ""),
        (
            "15 [9].",
            said("15.", "15."),
            format!("15 [9].\n{told}\n15.\n"),
            "The answer as it counts:\n",
        ),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (head, rest) = streamed.split_at(3);
        let events = [delta(head), delta(rest), not_cited.clone(), ("reply", reply), done.clone()];
        let server = std::thread::spawn(move || answered(listener.accept().unwrap().0, &events));
        let ask = ["chat", "--server", &url, "--session", SESSION, "hello", "--language", "en"];
        let mut chat = home.command(&ask);
        let chat = Ran::of(chat.env("WIIIV_TOKEN_FILE", home.path("token")).output().unwrap());
        let chat = chat.ended(0);
        assert_eq!((chat.out.as_str(), chat.err.as_str()), (out.as_str(), err), "{streamed}");
        server.join().unwrap();
    }
}

fn states(home: &Home) -> Vec<String> {
    let rows = home.run(&["approvals", "list", "--json"]).ended(0).json();
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| row["state"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn ctrl_c_at_a_question_withdraws_it() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    let mut chat = home.command(&["chat", "--language", "en"]);
    let chat = chat.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut chat = chat.spawn().unwrap();
    let mut typed = chat.stdin.take().unwrap();
    typed.write_all(b"\xff\xfe\nWrite 'x' to x.txt\n").unwrap();
    eventually(|| (states(&home) == ["pending"]).then_some(()));
    // The question is asked once the turn's last event is read.
    std::thread::sleep(Duration::from_secs(1));
    Command::new("kill").args(["-INT", &chat.id().to_string()]).status().unwrap();
    assert_eq!(chat.wait().unwrap().code(), Some(130));
    assert_eq!(states(&home), ["withdrawn"]);
}

const REASON: &str = "smoke in the hall";

#[test]
fn who_halted_and_why_is_told_where_a_message_is_answered_by_it() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    home.run(&["chat", "hello there"]).ended(0);
    home.run(&["halt", "--project", "demo", "--reason", REASON]).ended(0);
    for (language, halted, resumable) in [
        ("en", "Halted: project, by ", "can be resumed by an owner of the project"),
        ("ko", "정지됨: 프로젝트 · 정지한 사람 ", "재개할 수 있는 사람: 프로젝트 소유자"),
    ] {
        let said = home.run(&["chat", "--continue", "thanks", "--language", language]).ended(6);
        for part in [halted, REASON, resumable, "wiiiv resume --project "] {
            assert!(said.err.contains(part), "{part}: {said:?}");
        }
    }
    let told = home.run(&["chat", "--continue", "thanks", "--json"]).ended(6).events();
    let halts = told.iter().find(|event| event["event"] == "halts").expect("what is halted");
    assert_eq!(halts["halts"][0]["reason"], REASON);
}

/// While a run is under way that was confirmed in this conversation.
#[test]
fn a_halt_is_told_as_it_comes_and_once() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    silent.set_nonblocking(true).unwrap();
    let port = silent.local_addr().unwrap().port();
    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    let rule = json!({"host": "127.0.0.1", "port": port, "private": true});
    version["policy"]["allowedHosts"].as_array_mut().unwrap().push(rule);
    fs::write(home.path("policy.json"), version.to_string()).unwrap();
    home.run(&["policy", "set", "policy.json", "--reason", "a test"]).ended(0);
    let mut command = home.command(&["chat", "--language", "en"]);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut chat = piped.spawn().unwrap();
    let talk = format!("GET http://127.0.0.1:{port}/x and save it to x.json\nyes\n");
    chat.stdin.take().unwrap().write_all(talk.as_bytes()).unwrap();
    // It is connected to, and does not answer.
    let _held = eventually(|| silent.accept().ok());
    home.run(&["halt", "--project", "demo", "--reason", REASON]).ended(0);
    let said = Ran::of(chat.wait_with_output().unwrap()).ended(0);
    assert_eq!(said.err.matches(REASON).count(), 1, "{said:?}");
    assert!(said.err.contains("Halted: project, by "), "{said:?}");
}
