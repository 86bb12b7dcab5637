//! The form of a request that lacks values, on the command line.

use crate::program::{Home, Server, eventually};
use serde_json::json;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc;

const WANTED: &str = "Create an employee in hr named Choi in team Ops";

/// A personnel service that is registered and allowed; what it is sent comes out of the channel.
fn personnel(home: &Home) -> mpsc::Receiver<String> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sent, received) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(&stream);
            let (mut line, mut length) = (String::new(), 0);
            while reader.read_line(&mut line).is_ok() && !line.trim().is_empty() {
                let lower = line.to_lowercase();
                if let Some(count) = lower.strip_prefix("content-length:") {
                    length = count.trim().parse().unwrap();
                }
                line.clear();
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let head = "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n";
            let answer =
                format!("{head}content-length: 8\r\nconnection: close\r\n\r\n{{\"id\":7}}");
            (&stream).write_all(answer.as_bytes()).unwrap();
            if sent.send(String::from_utf8(body).unwrap()).is_err() {
                return;
            }
        }
    });
    let schema = json!({
        "type": "object", "required": ["name", "team"],
        "properties": {"name": {"type": "string"}, "team": {"enum": ["Ops", "Sales"]}},
    });
    let system = json!({
        "baseUrl": format!("http://127.0.0.1:{port}"),
        "operations": [{"id": "createEmployee", "method": "POST", "path": "/employees",
                        "labels": ["Create an employee"],
                        "body": {"required": true, "schema": schema}}],
    });
    let named = json!({"name": "hr"}).as_object().cloned().unwrap();
    let mut whole = system.as_object().cloned().unwrap();
    whole.extend(named);
    fs::write(home.path("hr.json"), json!(whole).to_string()).unwrap();
    home.run(&["systems", "set", "hr.json"]).ended(0);
    let shown = home.run(&["systems", "show", "hr", "--json"]).ended(0).json();
    let mut policy = home.run(&["policy", "show", "--json"]).ended(0).json()["policy"].clone();
    policy["allowedHosts"].as_array_mut().unwrap().push(shown["proposed_rule"].clone());
    fs::write(home.path("policy.json"), policy.to_string()).unwrap();
    home.run(&["policy", "set", "policy.json", "--reason", "hr"]).ended(0);
    received
}

#[test]
fn what_a_request_lacks_is_given_by_fields_and_sent_as_it_was_shown() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    let sent = personnel(&home);
    let asked = home.run(&["chat", WANTED, "--language", "en"]).ended(0);
    assert!(asked.out.contains("- name · required"), "{asked:?}");
    assert!(asked.err.contains("--field name=… --field team=…"), "{asked:?}");
    let unseen = home.run(&["chat", "--continue", "--field", "name=Choi"]).ended(2);
    assert!(unseen.err.contains("--seen"), "{unseen:?}");
    let (_, told) = asked.err.split_once("--seen ").unwrap();
    let seen = told.split(' ').next().unwrap();
    let chat = ["chat", "--continue", "--seen", seen];
    let none = home.run(&[&chat[..], &["--field", "nickname=x"]].concat()).ended(2);
    assert!(none.err.contains("nickname"), "{none:?}");
    let given = ["--field", "name=Choi", "--field", "team=Ops"];
    let early = home.run(&[&["chat", "--continue", "--seen", "1"][..], &given].concat());
    assert_ne!(early.code, 0, "what was asked came later: {early:?}");
    let fields = [&chat[..], &given].concat();
    let shown = home.run(&fields).ended(7);
    assert!(shown.out.contains(r#"{"name":"Choi","team":"Ops"}"#), "{shown:?}");
    assert!(sent.try_recv().is_err(), "nothing is sent before the yes");
    home.approve().ended(0);
    let body = eventually(|| sent.try_recv().ok());
    assert_eq!(body, r#"{"name":"Choi","team":"Ops"}"#);
    let closed = home.run(&fields).ended(2);
    assert!(closed.err.contains("--field"), "{closed:?}");
}
