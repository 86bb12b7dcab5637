//! What the server sends over its own interface, byte by byte, as nobody of ours has read it yet.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A turn on a loaded machine answers within it.
const ANSWERING: Duration = Duration::from_secs(60);
/// What of an endless stream has not come by then is not waited for.
const SILENCE: Duration = Duration::from_secs(1);

pub struct Wire {
    address: String,
    token: String,
}

/// A stream that somebody is listening to; what came of it so far.
pub struct Listening(Arc<Mutex<Vec<u8>>>);

impl Listening {
    pub fn came(&self) -> Vec<u8> {
        self.0.lock().unwrap().clone()
    }

    /// The documents of its events.
    fn events(&self) -> Vec<Value> {
        let came = self.came();
        let text = String::from_utf8_lossy(&came);
        let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
        data.filter_map(|data| serde_json::from_str(data.trim()).ok()).collect()
    }

    pub fn is_over(&self, turn: &str) -> bool {
        self.events().iter().any(|event| event["turn"] == turn && event["event"] == "ended")
    }

    /// What a model said as it said it: a key may come in pieces.
    pub fn words(&self) -> Vec<u8> {
        let events = self.events();
        let pieces = events.iter().filter(|event| event.get("event").is_none());
        let words: String = pieces.filter_map(|piece| piece["text"].as_str()).collect();
        assert!(words.contains("It is a fine day"), "{events:?}");
        words.into_bytes()
    }
}

impl Wire {
    /// With a token of its own.
    pub fn open(url: &str, name: &str, password: &str) -> Self {
        let address = url.strip_prefix("http://").unwrap().to_owned();
        let mut wire = Self { address, token: String::new() };
        let who = json!({"name": name, "password": password});
        wire.token = wire.post("/auth/login", &who)["token"].as_str().unwrap().to_owned();
        wire
    }

    /// `fields`: further ones of the head, each with its end of line.
    fn ask(&self, method: &str, path: &str, (fields, body): (&str, &str)) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let Self { address, token } = self;
        let length = body.len();
        // Of this version, so that no answer comes in chunks, which could part a key.
        write!(
            stream,
            "{method} /api/v2{path} HTTP/1.0\r\nhost: {address}\r\n\
             authorization: Bearer {token}\r\ncontent-type: application/json\r\n\
             {fields}content-length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        stream
    }

    /// Head and body, as they came.
    fn raw(&self, method: &str, path: &str, body: &str) -> Vec<u8> {
        Self::answered(self.ask(method, path, ("", body)))
    }

    /// Of a change of what was seen as this version.
    pub fn put(&self, path: &str, version: usize, body: &Value) -> Vec<u8> {
        let seen = format!("if-match: \"{version}\"\r\n");
        Self::answered(self.ask("PUT", path, (&seen, &body.to_string())))
    }

    /// Of a request that is refused.
    pub fn refused(&self, path: &str, body: &Value) -> Vec<u8> {
        self.raw("POST", path, &body.to_string())
    }

    fn answered(mut stream: TcpStream) -> Vec<u8> {
        stream.set_read_timeout(Some(ANSWERING)).unwrap();
        let (mut answer, mut part) = (Vec::new(), [0; 4_096]);
        while let Ok(read @ 1..) = stream.read(&mut part) {
            answer.extend_from_slice(&part[..read]);
            stream.set_read_timeout(Some(SILENCE)).unwrap();
        }
        assert!(!answer.is_empty(), "no answer");
        answer
    }

    pub fn post(&self, path: &str, body: &Value) -> Value {
        json_of(&self.raw("POST", path, &body.to_string()))
    }

    pub fn get(&self, path: &str) -> Value {
        json_of(&self.raw("GET", path, ""))
    }

    /// In a thread of its own, until the server ends.
    pub fn listen(&self, path: &str) -> Listening {
        let mut stream = self.ask("GET", path, ("", ""));
        let came = Arc::new(Mutex::new(Vec::new()));
        let kept = came.clone();
        std::thread::spawn(move || {
            let mut part = [0; 4_096];
            while let Ok(read @ 1..) = stream.read(&mut part) {
                kept.lock().unwrap().extend_from_slice(&part[..read]);
            }
        });
        Listening(came)
    }

    /// Each address of the interface that can be read, with what `known` has for its placeholders;
    /// what it has nothing for is left out.
    pub fn all(&self, known: &BTreeMap<&str, String>) -> Vec<(String, Vec<u8>)> {
        let described = self.get("/openapi.json");
        let readable = described["paths"].as_object().unwrap().iter();
        let readable = readable.filter(|(_, item)| item.get("get").is_some());
        let asked = |item: &Value| -> &str {
            let parameters = item["get"]["parameters"].as_array();
            let mut named =
                parameters.into_iter().flatten().map(|one| (&one["name"], &one["required"]));
            if named.any(|of| of == (&json!("scope"), &json!(true))) { "?scope=global" } else { "" }
        };
        let paths =
            readable.filter_map(|(path, item)| Some((path, filled(path, known)? + asked(item))));
        paths.map(|(path, at)| (path.clone(), self.raw("GET", &at, ""))).collect()
    }
}

/// `/sessions/{id}/turns/{turn}/why`: the id is that of `sessions`.
fn filled(path: &str, known: &BTreeMap<&str, String>) -> Option<String> {
    let (mut found, mut before) = (String::new(), "");
    for part in path.split('/').skip(1) {
        let name = part.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
        let text = match name {
            Some("id") => known.get(before)?,
            Some(other) => known.get(other)?,
            None => part,
        };
        found = format!("{found}/{text}");
        before = part;
    }
    Some(found)
}

fn json_of(answer: &[u8]) -> Value {
    let text = String::from_utf8_lossy(answer);
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.0 2"), "{text}");
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {text}"))
}
