//! The outer edge of a server: how many files it may have open, who may read its data, who comes in.

use crate::changed::{log_in, open_question};
use crate::doctor::{check, doctor};
use crate::program::{Home, Server};
use crate::server::{PASSWORD, serve, start, with_key};
use serde_json::{Value, json};
use std::fs::{self, Permissions};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;
use tokio::net::TcpSocket;

/// Longer than a body that does not come on may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// More than the server below may have files open.
const ATTACKERS: usize = 300;
const FILES: usize = 256;

/// Of loopback every address is this machine.
fn connect_from(source: [u8; 4], to: SocketAddr) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let stream = runtime.block_on(async {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from((source, 0))).unwrap();
        socket.connect(to).await.unwrap().into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    stream
}

fn address(server: &Server) -> SocketAddr {
    server.text("url").strip_prefix("http://").unwrap().parse().unwrap()
}

/// The attack: half a body on every connection, and no handle is left for the database and the steps.
#[test]
fn half_sent_bodies_of_one_address_leave_place_for_everybody_else() {
    let home = Home::new();
    let before = format!("ulimit -n {FILES}");
    let demo = Server::start(home.in_shell(&before, &["demo", "--json", "--port", "0"]));
    let mut held = Vec::new();
    for _ in 0..ATTACKERS {
        let mut stream = connect_from([127, 0, 0, 66], address(&demo));
        let half = "POST /api/v2/auth/login HTTP/1.1\r\nhost: x\r\n\
                    content-type: application/json\r\ncontent-length: 1000\r\n\r\n{\"name\":";
        // One that is turned away may be so before it has said anything.
        let _told = stream.write_all(half.as_bytes());
        held.push(stream);
    }
    home.run(&["chat", "Write 'safe' to safe.txt"]).ended(7);
    home.approve().ended(0);
    assert_eq!(fs::read_to_string(demo.workspace().join("safe.txt")).unwrap(), "safe");
    let open = fs::read_dir(format!("/proc/{}/fd", demo.process())).unwrap().count();
    assert!(open < FILES / 2, "{open} files are open");

    let first = held.first_mut().unwrap();
    first.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut answer = Vec::new();
    first.read_to_end(&mut answer).expect("it is cut off");
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(answer.contains("REQUEST_TIMEOUT"), "{answer}");
}

#[test]
fn too_few_open_files_are_said_and_a_server_without_a_reserve_does_not_start() {
    let home = Home::new();
    let few =
        home.in_shell("ulimit -n 100", &["demo", "--json", "--port", "0", "--language", "en"]);
    let few = Home::ran(few).ended(3);
    assert!(few.err.contains("only `100` files may be open"), "{few:?}");
    let looked = home.in_shell("ulimit -n 256", &["doctor", "--json"]);
    let (health, found) = check(&Home::ran(looked), "open_files");
    assert_eq!((health.as_str(), found.as_str()), ("warn", "256: 64 connections at a time"));
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn all_closed(folder: &Path) {
    assert_eq!(mode(folder), 0o700);
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            assert_eq!(mode(&path), 0o600, "{}", path.display());
        }
    }
}

/// The attack: whoever else has an account on the machine copies the database.
#[test]
fn the_data_is_its_owners_alone_whatever_the_umask() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    let arguments = serve(&home, "key");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let server = Server::start(home.in_shell("umask 000", &arguments));
    let data = home.path("data");
    for name in ["wiiiv.db", "wiiiv.db-wal", "wiiiv.db-shm"] {
        assert!(data.join(name).exists(), "{name}");
    }
    all_closed(&data);
    log_in(&home, &server);
    let (id, digest) = open_question(&home, "Write 'milk' to lists/shopping.txt");
    home.run(&["approvals", "approve", &id, "--digest", &digest]).ended(0);
    let mut written = 0;
    let mut folders = vec![data.join("workspaces")];
    while let Some(folder) = folders.pop() {
        all_closed(&folder);
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { written += 1 }
        }
    }
    assert_eq!(written, 1, "the file that was approved");
    assert_eq!(server.stop(), 0);

    // As an earlier build, a restored backup or a hand may have left it.
    let open = |name: &str, mode| {
        fs::set_permissions(data.join(name), Permissions::from_mode(mode)).unwrap();
    };
    fs::copy(data.join("wiiiv.db"), data.join("wiiiv.db.backup")).unwrap();
    open("wiiiv.db", 0o644);
    open("wiiiv.db.backup", 0o664);
    open("", 0o755);
    let (health, found) = check(&doctor(&home, "key"), "data_folder");
    assert!(health == "warn" && found.contains("wiiiv.db.backup"), "{found}");
    let server = start(&home, "key");
    all_closed(&data);
    assert_eq!(check(&doctor(&home, "key"), "data_folder").0, "ok");
    assert_eq!(server.stop(), 0);

    let shared = home.path("shared");
    fs::create_dir(&shared).unwrap();
    fs::write(shared.join("photo.png"), "").unwrap();
    fs::set_permissions(&shared, Permissions::from_mode(0o755)).unwrap();
    let shared = shared.display().to_string();
    let refused =
        home.run(&["serve", "--data-dir", &shared, "--master-key-file", "key", "--language", "en"]);
    let refused = refused.ended(3);
    assert!(refused.err.contains("a folder of its own"), "{refused:?}");
    assert_eq!(mode(shared.as_ref()), 0o755, "left as it is");
}

/// Status and body of a request as a browser on this machine sends it.
fn post(to: SocketAddr, path: &str, body: &Value) -> (u16, Value) {
    let body = body.to_string();
    let mut stream = TcpStream::connect(to).unwrap();
    write!(
        stream,
        "POST /api/v2{path} HTTP/1.0\r\nhost: {to}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(body).unwrap_or(Value::Null))
}

#[test]
fn the_demo_prints_a_link_that_opens_once_and_another_when_asked() {
    let home = Home::new();
    let demo = Server::demo(&home);
    let at = address(&demo);
    let enter = |link: &str| {
        let (_, secret) = link.split_once("/#demo=").unwrap();
        post(at, "/auth/demo", &json!({"link": secret}))
    };
    assert_eq!(post(at, "/auth/demo", &json!({"link": ""})).0, 401, "whoever comes");
    let first = demo.text("link").to_owned();
    let (status, told) = enter(&first);
    assert_eq!((status, &told["name"]), (200, &json!("guest")), "{told}");
    assert!(told["token"].is_null() && told["page_key"].is_string(), "{told}");
    assert_eq!(enter(&first).0, 401);
    let fresh = home.run(&["demo", "link", "--json"]).ended(0).json()["link"].clone();
    let fresh = fresh.as_str().unwrap();
    assert!(fresh.starts_with(demo.text("url")), "{fresh}");
    assert_eq!(enter(fresh).0, 200);
    let said = home.run(&["demo", "link", "--language", "en"]).ended(0).out;
    assert!(said.contains(demo.text("url")) && said.contains("/#demo="), "{said}");
}

/// The attack by name, while the owner logs in from where they have before.
#[test]
fn a_command_line_that_was_logged_in_is_known_again() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    let server = start(&home, "key");
    let url = server.text("url");
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    let login = ["login", "ann", "--server", url, "--setup-token-file", "setup"];
    home.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
    home.run(&["logout"]).ended(0);
    let guess = json!({"name": "ann", "password": "a wrong password"});
    let told: Vec<u16> = (0..12).map(|_| post(address(&server), "/auth/login", &guess).0).collect();
    assert_eq!(told.last(), Some(&429), "{told:?}");
    home.run_with_input(&["login", "ann", "--server", url], &format!("{PASSWORD}\n")).ended(0);
}
