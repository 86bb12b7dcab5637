//! The audit goes on to receivers of others: real ones over TCP and HTTP, ended servers between.

pub mod in_flight;

use crate::program::{Home, Server, eventually};
use secrecy::SecretString;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use wiiiv_vault::webhook_signature;
use wiiiv_verify::{Level, PublicKey, verify_feed};

const SECRET: &str = "a secret of twenty-four";

/// Lines as they came, also those that came again.
#[derive(Clone, Default)]
struct Got(Arc<Mutex<Vec<String>>>);

impl Got {
    fn add(&self, lines: impl IntoIterator<Item = String>) {
        self.0.lock().unwrap().extend(lines);
    }

    /// The records of each chain by number, without repeats; none may come before the one it follows, and
    /// what comes again is the same.
    fn chains(&self) -> BTreeMap<String, BTreeMap<u64, String>> {
        let mut chains = BTreeMap::<String, BTreeMap<u64, String>>::new();
        for line in self.0.lock().unwrap().iter() {
            let value: Value = serde_json::from_str(line).unwrap();
            let Some(seq) = value["seq"].as_str() else { continue };
            let (seq, of) = (seq.parse().unwrap(), value["chain"].as_str().unwrap());
            let chain = chains.entry(of.to_owned()).or_default();
            let next = chain.keys().last().map_or(1, |last| last + 1);
            assert!(seq <= next, "record {seq} of {of} came before {next}");
            if let Some(before) = chain.insert(seq, line.clone()) {
                assert_eq!(before, *line, "another record {seq}");
            }
        }
        chains
    }

    fn has(&self, chain: &str, seq: u64) -> Option<()> {
        self.chains().get(chain)?.contains_key(&seq).then_some(())
    }
}

/// One connection at a time; `broken` first ones are dropped in the middle of what they bring.
fn syslog(broken: u32) -> (Got, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let got = Got::default();
    let taken = got.clone();
    thread::spawn(move || {
        let left = AtomicU32::new(broken);
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            if left.load(Ordering::SeqCst) > 0 {
                left.fetch_sub(1, Ordering::SeqCst);
                let _some = stream.read(&mut [0; 7]);
                continue;
            }
            let mut bytes = Vec::new();
            if stream.read_to_end(&mut bytes).is_ok() {
                taken.add(messages(&bytes));
            }
        }
    });
    (got, port)
}

/// By the octets that are counted before each.
fn messages(mut bytes: &[u8]) -> Vec<String> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let space = bytes.iter().position(|byte| *byte == b' ').unwrap();
        let count: usize = std::str::from_utf8(&bytes[..space]).unwrap().parse().unwrap();
        let message = std::str::from_utf8(&bytes[space + 1..][..count]).unwrap();
        let head: Vec<&str> = message.splitn(8, ' ').collect();
        assert_eq!((head[0], head[3], head[6]), ("<110>1", "wiiiv", "-"), "{message}");
        assert!(head[1].ends_with('Z') && !head[5].is_empty(), "{message}");
        all.push(head[7].to_owned());
        bytes = &bytes[space + 1 + count..];
    }
    all
}

/// A server that says 503 so often, and then takes what is signed.
fn webhook(refused: u32) -> (Got, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let got = Got::default();
    let (taken, left) = (got.clone(), Arc::new(AtomicU32::new(refused)));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (taken, left) = (taken.clone(), left.clone());
            thread::spawn(move || while answer(&mut stream.as_ref().unwrap(), &taken, &left) {});
        }
    });
    (got, port)
}

/// `false` at the end of the connection.
fn answer(stream: &mut &TcpStream, taken: &Got, left: &AtomicU32) -> bool {
    let Some(lines) = posted(stream) else { return false };
    let refuses = left.load(Ordering::SeqCst) > 0;
    let status = if refuses { "503 Service Unavailable" } else { "204 No Content" };
    if refuses {
        left.fetch_sub(1, Ordering::SeqCst);
    } else {
        taken.add(lines);
    }
    write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n").is_ok()
}

/// What one request brings, signed; `None` at the end of the connection.
fn posted(stream: &TcpStream) -> Option<Vec<String>> {
    let mut reader = BufReader::new(stream);
    let mut head = BTreeMap::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(": ") {
            head.insert(name.to_lowercase(), value.to_owned());
        }
    }
    let mut body = vec![0; head["content-length"].parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    let secret = SecretString::from(SECRET);
    let signed = webhook_signature(&secret, &head["wiiiv-timestamp"], &body).unwrap();
    assert_eq!(head["wiiiv-signature"], format!("v1={signed}"));
    let body = String::from_utf8(body).unwrap();
    assert!(body.lines().all(|line| line.contains(&head["wiiiv-chain"])));
    Some(body.lines().map(str::to_owned).collect())
}

fn demo(home: &Home, to: &str) -> Server {
    let mut command = home.command(&["demo", "--json", "--port", "0"]);
    command
        .env("WIIIV__AUDIT__EXPORT__TO", to)
        .env("WIIIV__AUDIT__EXPORT__SECRET", SECRET)
        .env("WIIIV__AUDIT__EXPORT__INTERVAL_SECONDS", "1")
        .env("WIIIV__TELEMETRY__METRICS_OPEN", "true");
    Server::start(command)
}

/// Writes a file, and says how the project's chain stands then.
fn worked(home: &Home, file: &str) -> (String, u64) {
    home.run(&["chat", &format!("Write 'x' to {file}")]).ended(7);
    home.approve().ended(0);
    let rows = home.run(&["audit", "list", "--json"]).ended(0).json();
    let newest = rows[0]["seq"].as_u64().unwrap();
    home.run(&["audit", "export", "--output", "whole.jsonl"]).ended(0);
    let whole = fs::read_to_string(home.path("whole.jsonl")).unwrap();
    let header: Value = serde_json::from_str(whole.lines().next().unwrap()).unwrap();
    (header["chain"].as_str().unwrap().to_owned(), newest)
}

/// All that the receiver has is the chain, byte by byte, up to there.
fn same_as_the_chain(home: &Home, got: &Got, chain: &str) {
    let whole = fs::read_to_string(home.path("whole.jsonl")).unwrap();
    let records = whole.lines().skip(1).filter(|line| line.starts_with("{\"at\""));
    let has = &got.chains()[chain];
    for (nth, record) in records.enumerate() {
        assert_eq!(has.get(&(nth as u64 + 1)).map(String::as_str), Some(record), "{nth}");
    }
}

#[test]
fn receivers_get_every_record_once_or_more_and_in_order_also_over_a_killed_server() {
    let home = Home::new();
    let ((lines, port), (posts, http)) = (syslog(2), webhook(2));
    let to = format!("syslog://127.0.0.1:{port},http://127.0.0.1:{http}/audit?team=CANARY");
    let first = demo(&home, &to);
    let (chain, newest) = worked(&home, "a.txt");
    eventually(|| lines.has(&chain, newest));
    eventually(|| posts.has(&chain, newest));
    // It was refused at first, and says so in figures; a query of its address is told nowhere.
    let figures = eventually(|| {
        let figures = scraped(&first);
        let counts = |name| figures.lines().any(|line: &str| line.starts_with(name));
        (counts("wiiiv_audit_exported_total{") && counts("wiiiv_audit_export_lag{"))
            .then_some(figures)
    });
    assert!(figures.contains("wiiiv_audit_export_failures_total{"), "{figures}");
    for label in
        ["wiiiv_audit_receiver=\"syslog1\"", "wiiiv_audit_receiver=\"webhook2\"", "error_type=\""]
    {
        assert!(figures.contains(label), "{label}: {figures}");
    }
    assert!(!figures.contains("CANARY"));
    // Killed, not stopped; what is written then reaches them after the next start.
    drop(first);
    let second = demo(&home, &to);
    let (_, newest) = worked(&home, "b.txt");
    eventually(|| lines.has(&chain, newest));
    eventually(|| posts.has(&chain, newest));
    same_as_the_chain(&home, &lines, &chain);
    same_as_the_chain(&home, &posts, &chain);
    // The server's own chain goes along.
    assert!(lines.chains().contains_key("server") && posts.chains().contains_key("server"));
    assert_eq!(second.stop(), 0);
}

fn scraped(server: &Server) -> String {
    let address = server.text("url").strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /metrics HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_file_goes_on_where_it_stopped_and_verifies_as_a_feed() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    worked(&home, "a.txt");
    home.run(&["audit", "key", "--output", "audit.pub"]).ended(0);
    let export =
        ["audit", "export", "--to", "file", "--output", "feed.jsonl", "--resume", "feed.state"];
    let first = home.run(&[export.as_slice(), &["--json"]].concat()).ended(0).json();
    assert!(first["records"].as_u64().unwrap() > 5, "{first}");
    let length = fs::metadata(home.path("feed.jsonl")).unwrap().len();
    // As a crash leaves it: with more in it than its state says.
    let mut half = fs::read(home.path("feed.jsonl")).unwrap();
    half.extend_from_slice(b"{\"at\":\"2026");
    fs::write(home.path("feed.jsonl"), half).unwrap();
    let again = home.run(&[export.as_slice(), &["--json"]].concat()).ended(0).json();
    assert_eq!((&again["seq"], again["records"].as_u64()), (&first["seq"], Some(0)));
    assert_eq!(fs::metadata(home.path("feed.jsonl")).unwrap().len(), length);
    let (_, newest) = worked(&home, "b.txt");
    let last = home.run(&[export.as_slice(), &["--json"]].concat()).ended(0).json();
    assert_eq!(last["seq"].as_u64(), Some(newest));
    let verify = ["audit", "verify", "feed.jsonl", "--feed", "--key", "audit.pub", "--json"];
    let report = home.run(&verify).ended(0).json();
    assert_eq!((&report["level"], report["records"].as_u64()), (&"verified".into(), Some(newest)));
    // With the checkpoint of a whole export as well, by the crate alone.
    let bytes = fs::read(home.path("feed.jsonl")).unwrap();
    let key = PublicKey::parse(&fs::read_to_string(home.path("audit.pub")).unwrap()).unwrap();
    let whole = verify_feed(bytes.as_slice(), Some(&key), None).unwrap();
    assert_eq!(whole.level, Level::Verified);
    // A state is of one chain and one receiver, and a file of something else is not written over.
    let other =
        ["audit", "export", "--to", "file", "--output", "other.jsonl", "--resume", "feed.state"];
    assert!(home.run(&other).ended(2).err.contains("receiver"));
    let over = ["audit", "export", "--to", "file", "--output", "audit.pub", "--resume", "fresh"];
    home.run(&over).ended(2);
    home.run(&["audit", "export", "--to", "file", "--resume", "fresh"]).ended(2);
}

#[test]
fn a_command_sends_what_is_new_to_a_receiver_and_says_what_it_lacks() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    let (chain, newest) = worked(&home, "a.txt");
    let (got, http) = webhook(1);
    let to = format!("http://127.0.0.1:{http}/");
    let export = ["audit", "export", "--to", &to, "--resume", "feed.state"];
    let lacking = home.run(&export).ended(2);
    assert!(lacking.err.contains("WIIIV_AUDIT_WEBHOOK_SECRET"), "{lacking:?}");
    fs::write(home.path("secret"), SECRET).unwrap();
    fs::set_permissions(home.path("secret"), fs::Permissions::from_mode(0o600)).unwrap();
    let export = [export.as_slice(), &["--secret-file", "secret"]].concat();
    // One delivery fails, and the same command goes on.
    let failed = home.run(&export).ended(1);
    assert!(failed.err.contains("503") && failed.err.contains("--resume"), "{failed:?}");
    home.run(&export).ended(0);
    got.has(&chain, newest).unwrap();
    let held = got.0.lock().unwrap().len();
    home.run(&export).ended(0);
    assert_eq!(got.0.lock().unwrap().len(), held, "nothing is new");
    let (lines, port) = syslog(0);
    let to = format!("syslog://127.0.0.1:{port}");
    home.run(&["audit", "export", "--to", &to]).ended(0);
    lines.has(&chain, newest).unwrap();
    for bad in ["syslog://logs.example.com", "ftp://127.0.0.1", "nowhere"] {
        home.run(&["audit", "export", "--to", bad]).ended(2);
    }
}

/// A server that was put back to an older copy gives out what is signed and whole, and lacks the end.
#[test]
fn a_checkpoint_that_the_verifier_keeps_shows_truncation_and_roll_back() {
    let home = Home::new();
    let demo = Server::demo(&home);
    worked(&home, "a.txt");
    home.run(&["audit", "key", "--output", "audit.pub"]).ended(0);
    fs::copy(home.path("whole.jsonl"), home.path("older.jsonl")).unwrap();
    let verify = |file| ["audit", "verify", file, "--key", "audit.pub", "--keep", "kept"];
    home.run(&verify("older.jsonl")).ended(0);
    let kept = fs::read_to_string(home.path("kept")).unwrap();
    home.run(&verify("older.jsonl")).ended(0);
    assert_eq!(fs::read_to_string(home.path("kept")).unwrap(), kept, "nothing is new");
    worked(&home, "b.txt");
    home.run(&verify("whole.jsonl")).ended(0);
    assert_eq!(fs::read_to_string(home.path("kept")).unwrap().lines().count(), 2);
    // The older export is signed and whole, and is found all the same.
    let found = home.run(&[&verify("older.jsonl")[..], &["--json"]].concat()).ended(8).json();
    assert!(found["fault"].as_str().unwrap().contains("missing"), "{found}");
    let anchored = ["audit", "verify", "older.jsonl", "--key", "audit.pub", "--checkpoint", "kept"];
    home.run(&anchored).ended(8);
    assert_eq!(demo.stop(), 0);
}
