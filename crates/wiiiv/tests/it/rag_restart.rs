//! Files that a server had taken when it was killed: the next start names them, and goes on with them.

use crate::program::{Home, Server, eventually};
use crate::server::{PASSWORD, serve, with_key};
use std::fs::{self, File};

/// More than are read before the server is gone.
const FILES: usize = 6;

/// Its log is kept.
fn started(home: &Home, log: &str) -> Server {
    let arguments = serve(home, "key");
    let mut command = home.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    command.stderr(File::create(home.path(log)).unwrap());
    Server::start(command)
}

/// The number behind that name in the line that says what a start goes on with.
fn counted(log: &str, name: &str) -> Option<usize> {
    let line = log.lines().find(|line| line.contains("what was interrupted goes on"))?;
    let (_, behind) = line.split_once(&format!("{name}="))?;
    behind.split_whitespace().next()?.parse().ok()
}

#[test]
fn a_start_names_the_files_that_wait_and_goes_on_with_them() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    let server = started(&home, "first.log");
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    let url = server.text("url");
    let login = ["login", "ann", "--server", url, "--setup-token-file", "setup"];
    home.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
    let names: Vec<String> = (0..FILES).map(|nth| format!("{nth}.txt")).collect();
    for (nth, name) in names.iter().enumerate() {
        let line = |row: usize| format!("Row {row} of file {nth} tells of the garage.\n");
        fs::write(home.path(name), (0..20_000).map(line).collect::<String>()).unwrap();
    }
    let mut add = vec!["rag", "add"];
    add.extend(names.iter().map(String::as_str));
    home.run(&add).ended(0);
    // As a kill ends it.
    drop(server);

    let _server = started(&home, "second.log");
    let waiting = eventually(|| {
        let log = fs::read_to_string(home.path("second.log")).unwrap();
        assert!(!log.contains("recovered="), "{log}");
        Some((counted(&log, "conversations")?, counted(&log, "ingests")?))
    });
    assert_eq!(waiting.0, 0, "no conversation was open");
    assert!((1..=FILES).contains(&waiting.1), "{waiting:?}");
}

#[test]
fn the_counts_of_a_start_are_read() {
    let log =
        "INFO serving; what was interrupted goes on address=127.0.0.1:1 conversations=2 ingests=6";
    assert_eq!([counted(log, "conversations"), counted(log, "ingests")], [Some(2), Some(6)]);
    assert_eq!(counted("INFO other ingests=1", "ingests"), None);
}
