//! A provider that says the keys back that it is asked with.

use super::dialect::Dialect;
use serde_json::json;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

/// Takes any key. Of three answers to talk one is good, one says the key in its words, and one as the
/// name of its model; every other one comes as a stream. Its list of models has the key among them. As
/// another provider than a CUSTOM one it answers in that one's way, and says the key in a refusal too.
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
    let dialect = Dialect::of(head.split(' ').nth(1).unwrap_or_default());
    let bearer = field("authorization").trim_start_matches("Bearer ");
    let keys = [field("x-api-key"), field("x-goog-api-key"), bearer].map(str::trim);
    let key = keys.into_iter().find(|key| !key.is_empty()).unwrap_or_default();
    let (status, kind, said) = if head.starts_with("GET") {
        (200, "application/json", dialect.list(key))
    } else {
        talk(dialect, key, counts)
    };
    let head = format!("HTTP/1.1 {status} As told\r\ncontent-type: {kind}\r\nconnection: close");
    let length = said.len();
    let _gone = write!(reader.get_mut(), "{head}\r\ncontent-length: {length}\r\n\r\n{said}");
}

fn talk(
    dialect: Dialect,
    key: &str,
    (talks, streams): (&AtomicUsize, &AtomicUsize),
) -> (u16, &'static str, String) {
    let nth = talks.fetch_add(1, Ordering::SeqCst);
    let of = if dialect == Dialect::Chat { 3 } else { 4 };
    let words = if nth % of == 1 { key } else { "hello" };
    let model = if nth % of == 2 { key } else { "small" };
    let words = format!("It is a fine day to say {words} to all who are here and listen.");
    // In the order in which models write it: nothing is told before it is known to be talk.
    let proposal = format!(
        r#"{{"action":"REPLY","taskType":"CONVERSATION","message":{},"slots":{{}}}}"#,
        json!(words)
    );
    if dialect != Dialect::Chat {
        return if nth % of == 3 {
            (401, "application/json", dialect.refusal(key))
        } else {
            streams.fetch_add(1, Ordering::SeqCst);
            (200, "text/event-stream", dialect.streamed(&proposal, model))
        };
    }
    if nth % 2 == 1 {
        streams.fetch_add(1, Ordering::SeqCst);
        return (200, "text/event-stream", dialect.streamed(&proposal, model));
    }
    let document = json!({
        "id": "c", "object": "chat.completion", "model": model,
        "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": proposal}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    });
    (200, "application/json", document.to_string())
}
