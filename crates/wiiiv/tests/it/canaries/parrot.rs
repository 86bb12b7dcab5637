//! A provider that says the keys back that it is asked with.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

/// Characters of one piece of what is streamed: no key is in one of them.
const PIECE_CHARS: usize = 7;

/// Takes any key. Of three answers to talk one is good, one says the key in its words, and one as the
/// name of its model; every other one comes as a stream. Its list of models has the key among them.
pub struct Parrot {
    address: SocketAddr,
    heard: Arc<Mutex<Vec<u8>>>,
    streams: Arc<AtomicUsize>,
}

impl Parrot {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let parrot = Self { address, heard: Arc::default(), streams: Arc::default() };
        let (heard, streams) = (parrot.heard.clone(), parrot.streams.clone());
        let talks = AtomicUsize::new(0);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                answer(stream.unwrap(), &heard, (&talks, &streams));
            }
        });
        parrot
    }

    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Everything that it was sent.
    pub fn heard(&self) -> Vec<u8> {
        self.heard.lock().unwrap().clone()
    }

    /// How many of its answers were streams.
    pub fn streams(&self) -> usize {
        self.streams.load(Ordering::SeqCst)
    }

    pub fn was_asked_with(&self, key: &str) -> bool {
        let heard = self.heard();
        heard.windows(key.len()).any(|part| part == key.as_bytes())
    }
}

fn answer(stream: TcpStream, heard: &Mutex<Vec<u8>>, counts: (&AtomicUsize, &AtomicUsize)) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    // Whoever is killed says nothing more.
    while reader.read_line(&mut head).is_ok_and(|read| read > 2) {}
    let field = |name: &str| {
        let line = head.lines().find(|line| line.to_ascii_lowercase().starts_with(name));
        line.and_then(|line| line.split_once(": ")).map_or("", |(_, value)| value)
    };
    let length: usize = field("content-length").parse().unwrap_or(0);
    let mut body = vec![0; length];
    if reader.read_exact(&mut body).is_err() {
        return;
    }
    let mut all = heard.lock().unwrap();
    all.extend_from_slice(head.as_bytes());
    all.extend_from_slice(&body);
    drop(all);
    let key = field("authorization").trim_start_matches("Bearer ").trim();
    let (kind, said) = if head.starts_with("GET") {
        let models = json!({"data": [{"id": "small"}, {"id": key}, {"id": format!("m-{key}")}]});
        ("application/json", models.to_string())
    } else {
        talk(key, counts)
    };
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close");
    let length = said.len();
    let _gone = write!(reader.get_mut(), "{head}\r\ncontent-length: {length}\r\n\r\n{said}");
}

fn talk(key: &str, (talks, streams): (&AtomicUsize, &AtomicUsize)) -> (&'static str, String) {
    let nth = talks.fetch_add(1, Ordering::SeqCst);
    let words = if nth % 3 == 1 { key } else { "hello" };
    let model = if nth % 3 == 2 { key } else { "small" };
    let words = format!("It is a fine day to say {words} to all who are here and listen.");
    // In the order in which models write it: nothing is told before it is known to be talk.
    let proposal = format!(
        r#"{{"action":"REPLY","taskType":"CONVERSATION","message":{},"slots":{{}}}}"#,
        json!(words)
    );
    if nth % 2 == 1 {
        streams.fetch_add(1, Ordering::SeqCst);
        return ("text/event-stream", streamed(&proposal, model));
    }
    let document = json!({
        "id": "c", "object": "chat.completion", "model": model,
        "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": proposal}}],
        "usage": used(),
    });
    ("application/json", document.to_string())
}

fn streamed(text: &str, model: &str) -> String {
    let event = |choices: Value, usage: Value| {
        let chunk = json!({"id": "c", "object": "chat.completion.chunk", "model": model,
            "choices": choices, "usage": usage});
        format!("data: {chunk}\n\n")
    };
    let delta = |delta: Value, finish: Value| {
        event(json!([{"index": 0, "delta": delta, "finish_reason": finish}]), Value::Null)
    };
    let chars: Vec<char> = text.chars().collect();
    let pieces = chars.chunks(PIECE_CHARS).map(|piece| piece.iter().collect::<String>());
    let pieces = pieces.map(|piece| delta(json!({"content": piece}), Value::Null));
    let end = [delta(json!({}), json!("stop")), event(json!([]), used())].concat();
    pieces.chain([end, "data: [DONE]\n\n".to_owned()]).collect()
}

fn used() -> Value {
    json!({"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120})
}
