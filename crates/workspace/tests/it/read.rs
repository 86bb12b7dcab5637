//! What can be read, and what is refused.

use crate::test_folder::{files, path, present, refused};
use std::{
    fs,
    os::unix::{
        ffi::OsStrExt as _,
        fs::{FileTypeExt as _, symlink},
    },
    process::Command,
};
use wiiiv_domain::{PreImage, WorkspacePath};
use wiiiv_workspace::EntryKind;

#[test]
fn a_file_is_read_whole_or_not_at_all() {
    let files = files();
    files.put("notes/오늘.md", "회의 3시");
    let workspace = files.workspace();
    let read = |max| workspace.read(&path("/notes/오늘.md"), max);
    assert_eq!(read(1000).expect("read"), "회의 3시".as_bytes());
    assert_eq!(read(11).expect("read").len(), 11);
    refused(read(10), "FILE_TOO_LARGE");
    refused(workspace.read(&path("notes/gestern.md"), 9), "FILE_NOT_FOUND");
    refused(workspace.read(&path("nowhere/x"), 9), "FILE_NOT_FOUND");
    refused(workspace.read(&path("notes"), 9), "PATH_IS_DIRECTORY");
    refused(workspace.read(&path("notes/오늘.md/x"), 9), "PATH_BELOW_FILE");
    fs::write(files.root().join("raw"), [0xff, 0xfe]).expect("a file");
    assert_eq!(workspace.read(&path("raw"), 9).expect("read"), [0xff, 0xfe]);
}

#[test]
fn a_folder_is_listed_by_name_without_what_leads_elsewhere() {
    let files = files();
    files.put("notes/b.md", "22");
    files.put("notes/a.md", "1");
    files.put("notes/deeper/c.md", "333");
    symlink(files.outside(), files.root().join("notes/out")).expect("a link");
    symlink(files.outside(), files.root().join("away")).expect("a link");
    let workspace = files.workspace();
    let listed = |raw| workspace.list(&WorkspacePath::parse_to_read(raw).expect("a path"));
    let names = |raw| -> Vec<String> {
        listed(raw).expect("a folder").into_iter().map(|entry| entry.name).collect()
    };
    assert_eq!(names("notes/"), ["a.md", "b.md", "deeper"]);
    assert_eq!(names("."), ["notes"]);
    let kinds = listed("notes").expect("a folder");
    assert_eq!(kinds[1].kind, EntryKind::File { size_bytes: 2 });
    assert_eq!(kinds[2].kind, EntryKind::Folder);
    refused(listed("away"), "SYMBOLIC_LINK");
    refused(listed("notes/a.md"), "PATH_BELOW_FILE");
    refused(listed("nowhere"), "FILE_NOT_FOUND");
    for nth in 0..=1_000 {
        files.put(&format!("many/{nth}"), "");
    }
    refused(listed("many"), "FOLDER_TOO_LARGE");
}

/// Its other name may be one outside of every workspace.
#[test]
fn a_file_of_two_names_is_not_read() {
    let files = files();
    fs::write(files.outside().join("secret"), "secret").expect("a file");
    fs::hard_link(files.outside().join("secret"), files.root().join("hard")).expect("a link");
    let workspace = files.workspace();
    refused(workspace.read(&path("hard"), 9), "HARD_LINK");
    refused(workspace.size_bytes(&path("hard")), "HARD_LINK");
    refused(workspace.pre_image(&path("hard")), "HARD_LINK");
    refused(files.delete("hard", None), "HARD_LINK");
    fs::remove_file(files.outside().join("secret")).expect("removed");
    assert_eq!(workspace.read(&path("hard"), 9).expect("read"), b"secret");
}

#[test]
fn links_are_not_followed_wherever_they_lead() {
    let files = files();
    files.put("real/x", "inside");
    fs::write(files.outside().join("secret"), "secret").expect("a file");
    symlink(files.outside(), files.root().join("out")).expect("a link");
    symlink(files.outside().join("secret"), files.root().join("secret")).expect("a link");
    symlink("real", files.root().join("in")).expect("a link");
    symlink("nowhere", files.root().join("dangling")).expect("a link");
    let workspace = files.workspace();
    for at in ["out/secret", "secret", "in/x", "dangling"] {
        refused(workspace.read(&path(at), 99), "SYMBOLIC_LINK");
        refused(workspace.pre_image(&path(at)), "SYMBOLIC_LINK");
    }
}

#[test]
fn what_is_no_regular_file_is_refused_without_waiting() {
    let files = files();
    let pipe = files.root().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    assert!(fs::metadata(&pipe).expect("a pipe").file_type().is_fifo());
    refused(files.workspace().read(&path("pipe"), 9), "NOT_A_FILE");
    let socket = std::os::unix::net::UnixListener::bind(files.root().join("socket"));
    refused(files.workspace().read(&path("socket"), 9), "NOT_A_FILE");
    drop(socket);
}

#[test]
fn system_directories_are_never_re_rooted() {
    let files = files();
    refused(files.workspace().read(&path("/etc/hostname"), 999), "PATH_NOT_ALLOWED");
    refused(files.workspace().pre_image(&path("/lib")), "PATH_NOT_ALLOWED");
    assert!(files.workspace().own_directories().is_empty());
    files.put("etc/hostname", "mine");
    let read = files.workspace().read(&path("/etc/hostname"), 999);
    assert_eq!(read.expect("the workspace's own"), b"mine");
    assert_eq!(files.workspace().own_directories(), ["etc".to_owned()].into());
}

#[test]
fn a_pre_image_says_what_is_there() {
    let files = files();
    files.put("a/x", "text");
    let workspace = files.workspace();
    assert_eq!(workspace.pre_image(&path("a/x")).expect("there"), present("text"));
    assert_eq!(workspace.pre_image(&path("a/y")).expect("absent"), PreImage::Absent);
    assert_eq!(workspace.pre_image(&path("b/y")).expect("absent"), PreImage::Absent);
    refused(workspace.pre_image(&path("a")), "PATH_IS_DIRECTORY");
}

#[test]
fn names_that_are_no_utf_8_stay_where_they_are() {
    let files = files();
    let odd = files.root().join(std::ffi::OsStr::from_bytes(b"odd\xff"));
    fs::write(&odd, "odd").expect("a file");
    refused(files.workspace().read(&path("odd\u{fffd}"), 9), "FILE_NOT_FOUND");
    files.write("odd\u{fffd}", "new", Some(PreImage::Absent)).expect("another file");
    assert_eq!(fs::read_to_string(odd).expect("still there"), "odd");
}
