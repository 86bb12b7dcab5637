//! Somebody swaps a directory or a file for a link while steps go through it.

use crate::test_folder::{files, path};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::symlink,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

/// Of each kind of access.
const ROUNDS: usize = 2000;
/// Where other work has the processors, few accesses fall between two swaps: there are more rounds until each kind had one.
const ROUNDS_MAX: usize = 100 * ROUNDS;

fn listing(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    let text = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path()).expect("a file");
        (entry.file_name().to_string_lossy().into_owned(), text)
    };
    entries.map(text).collect()
}

/// Swaps `root/d` between a directory and a link to the outside, and `root/d/f` likewise.
fn swap(root: &Path, outside: &Path, stop: &AtomicBool) -> usize {
    let (here, aside) = (root.join("d"), root.join("aside"));
    let mut swaps = 0;
    while !stop.load(Ordering::Relaxed) {
        let _ = fs::rename(&here, &aside);
        let _ = symlink(outside, &here);
        thread::yield_now();
        let _ = fs::remove_file(&here);
        let _ = fs::rename(&aside, &here);
        let _ = fs::remove_file(here.join("f"));
        let _ = symlink(outside.join("f"), here.join("f"));
        thread::yield_now();
        let _ = fs::remove_file(here.join("f"));
        let _ = fs::write(here.join("f"), "inside");
        swaps += 1;
    }
    swaps
}

#[test]
fn nothing_outside_is_read_written_or_deleted() {
    let files = files();
    files.put("d/f", "inside");
    fs::write(files.outside().join("f"), "secret").expect("a file");
    let before = listing(&files.outside());
    let (root, outside, stop) = (files.root(), files.outside(), AtomicBool::new(false));
    let mut done = [0_usize; 3];
    let swaps = thread::scope(|scope| {
        let swapping = scope.spawn(|| swap(&root, &outside, &stop));
        let workspace = files.workspace();
        for round in 0..ROUNDS_MAX {
            if round >= ROUNDS && done.iter().all(|done| *done > 0) {
                break;
            }
            if let Ok(read) = workspace.read(&path("d/f"), 999) {
                assert_ne!(read, b"secret");
                done[0] += 1;
            }
            done[1] += usize::from(files.write("d/f", &format!("new {round}"), None).is_ok());
            done[2] += usize::from(files.delete("d/f", None).is_ok());
        }
        stop.store(true, Ordering::Relaxed);
        swapping.join().expect("the swapping thread")
    });
    assert_eq!(listing(&files.outside()), before);
    assert!(swaps > 0 && done.iter().all(|done| *done > 0), "{swaps} swaps, {done:?}");
}
