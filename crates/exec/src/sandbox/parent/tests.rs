use super::{Sandbox, SandboxProgram, read};
use crate::{
    jq::{JqFault, Values},
    sandbox::wire::INPUT_BYTES_MAX,
};
use std::{fs, os::unix::fs::symlink, path::Path, time::Duration};
use tokio::time::sleep;

/// How long a process may take to appear or to go, in steps of 20 ms.
const STEPS_MAX: usize = 500;

#[test]
fn an_answer_is_read_back_or_refused() {
    let values = read(b"{\"answer\":\"values\",\"count\":2}\n1\n2", 10);
    assert_eq!(values, Ok(Values { lines: b"1\n2".to_vec(), count: 2 }));
    let fault = read(b"{\"answer\":\"fault\",\"fault\":\"limit\"}\n", 10);
    assert_eq!(fault, Err(JqFault::Limit));
    assert_eq!(read(b"{\"answer\":\"values\",\"count\":1}\n123", 2), Err(JqFault::TooLarge));
    assert_eq!(read(b"", 2), Err(JqFault::Sandbox));
    assert_eq!(read(b"hello\n", 2), Err(JqFault::Sandbox));
}

#[tokio::test]
async fn a_program_that_is_not_there_or_says_nothing_evaluates_nothing() {
    let at = |path: &str| Sandbox::new(SandboxProgram { path: path.into() });
    let missing = at("/nowhere/wiiiv").evaluate(".", "1", 10).await;
    assert_eq!(missing, Err(JqFault::Sandbox));
    let failing = at("/bin/false").evaluate(".", "1", 10).await;
    assert_eq!(failing, Err(JqFault::Limit));
    let silent = at("/bin/true").evaluate(".", "1", 10).await;
    assert_eq!(silent, Err(JqFault::Sandbox));
}

/// Whether a process runs under this path.
fn runs(program: &Path) -> bool {
    let own = program.as_os_str().as_encoded_bytes();
    let processes = fs::read_dir("/proc").expect("the list of processes").flatten();
    let mut lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.any(|line| line.starts_with(own))
}

async fn becomes(program: &Path, running: bool) -> bool {
    for _ in 0..STEPS_MAX {
        if runs(program) == running {
            return true;
        }
        sleep(Duration::from_millis(20)).await;
    }
    false
}

#[tokio::test]
async fn whoever_stops_waiting_ends_the_child() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("endless");
    symlink("/usr/bin/yes", &program).expect("a link");
    let sandbox = Sandbox::new(SandboxProgram { path: program.clone() });
    let waiting = tokio::spawn(async move { sandbox.evaluate(".", "1", 10).await });
    assert!(becomes(&program, true).await, "the child never ran");
    waiting.abort();
    assert!(becomes(&program, false).await, "the child outlived its parent's interest");
}

/// A program that is not there is met before none: it was never started.
#[tokio::test]
async fn what_is_longer_than_the_bound_is_too_large_and_not_an_absent_sandbox() {
    let sandbox = Sandbox::new(SandboxProgram { path: "/nowhere/wiiiv".into() });
    let long = "a".repeat(INPUT_BYTES_MAX + 1);
    assert_eq!(sandbox.page(&long, 10).await, Err(JqFault::TooLarge));
}

#[tokio::test]
async fn pages_that_take_their_time_keep_no_expression_waiting() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("silent-page");
    symlink("/usr/bin/yes", &program).expect("a link");
    let pages = Sandbox::new(SandboxProgram { path: program });
    let sandbox = Sandbox { program: SandboxProgram { path: "/bin/true".into() }, ..pages.clone() };
    let endless: Vec<_> = (0..8)
        .map(|_| {
            let pages = pages.clone();
            tokio::spawn(async move { pages.page("<p>", usize::MAX / 2).await })
        })
        .collect();
    for _ in 0..STEPS_MAX {
        if pages.pages.available_permits() == 0 {
            break;
        }
        sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(pages.pages.available_permits(), 0);
    let soon = Duration::from_secs(5);
    let told = tokio::time::timeout(soon, sandbox.evaluate(".", "1", 10)).await;
    assert_eq!(told.expect("it waits for no page"), Err(JqFault::Sandbox));
    endless.iter().for_each(tokio::task::JoinHandle::abort);
}
