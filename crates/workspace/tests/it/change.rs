//! What a permit changes, and what it does not.

use crate::test_folder::{delete_node, files, gate, path, present, refused, write_node};
use std::{
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink},
};
use wiiiv_domain::{ContentDigest, PreImage};
use wiiiv_workspace::{Deleted, Workspaces};

#[test]
fn a_file_is_made_with_its_directories() {
    let files = files();
    let written = files.write("notes/2026/오늘.md", "회의 3시", Some(PreImage::Absent));
    let written = written.expect("written");
    assert_eq!(written.digest, ContentDigest::of_bytes("회의 3시".as_bytes()));
    assert_eq!(written.size_bytes, 11);
    assert_eq!(files.text("notes/2026/오늘.md").as_deref(), Some("회의 3시"));
    let staging = files.folder.path().join("base/.staging");
    assert_eq!(fs::read_dir(staging).expect("the staging folder").count(), 0);
}

#[test]
fn a_file_is_replaced_where_it_holds_what_the_plan_was_drawn_for() {
    let files = files();
    files.put("a.txt", "old");
    let at = files.root().join("a.txt");
    fs::set_permissions(&at, fs::Permissions::from_mode(0o640)).expect("a mode");
    files.write("a.txt", "new", Some(present("old"))).expect("written");
    assert_eq!(files.text("a.txt").as_deref(), Some("new"));
    assert_eq!(fs::metadata(&at).expect("a file").mode() & 0o777, 0o640);
    files.write("a.txt", "newer", None).expect("a name that was not known when it was drawn");
}

#[test]
fn a_file_that_changed_since_is_left_alone() {
    let files = files();
    files.put("a.txt", "edited by hand");
    refused(files.write("a.txt", "new", Some(present("old"))), "PREIMAGE_CHANGED");
    refused(files.write("a.txt", "new", Some(PreImage::Absent)), "PREIMAGE_CHANGED");
    refused(files.write("gone.txt", "new", Some(present("old"))), "PREIMAGE_CHANGED");
    refused(files.write("gone/x.txt", "new", Some(present("old"))), "PREIMAGE_CHANGED");
    refused(files.delete("a.txt", Some(present("old"))), "PREIMAGE_CHANGED");
    assert_eq!(files.text("a.txt").as_deref(), Some("edited by hand"));
    assert!(!files.root().join("gone").exists());
}

#[test]
fn what_is_done_already_is_done() {
    let files = files();
    files.put("a.txt", "new");
    let inode = || fs::metadata(files.root().join("a.txt")).expect("a file").ino();
    let before = inode();
    files.write("a.txt", "new", Some(present("old"))).expect("written by an earlier attempt");
    files.write("a.txt", "new", Some(PreImage::Absent)).expect("made by an earlier attempt");
    assert_eq!(inode(), before);
    assert_eq!(files.delete("gone", Some(present("old"))).expect("deleted before"), Deleted);
    assert_eq!(files.delete("no/where", Some(present("old"))).expect("deleted before"), Deleted);
    refused(files.delete("never", Some(PreImage::Absent)), "FILE_NOT_FOUND");
}

#[test]
fn a_file_is_deleted_and_nothing_else() {
    let files = files();
    files.put("d/a.txt", "a");
    files.put("d/b.txt", "b");
    assert_eq!(files.delete("d/a.txt", Some(present("a"))).expect("deleted"), Deleted);
    assert_eq!(files.text("d/a.txt"), None);
    assert_eq!(files.text("d/b.txt").as_deref(), Some("b"));
    refused(files.delete("d", None), "PATH_IS_DIRECTORY");
}

#[test]
fn directories_links_and_hard_links_are_not_replaced() {
    let files = files();
    files.put("d/a.txt", "a");
    fs::write(files.outside().join("secret"), "secret").expect("a file");
    symlink(files.outside().join("secret"), files.root().join("link")).expect("a link");
    symlink(files.outside(), files.root().join("out")).expect("a link");
    fs::hard_link(files.outside().join("secret"), files.root().join("hard")).expect("a link");
    refused(files.write("d", "x", None), "PATH_IS_DIRECTORY");
    refused(files.write("d/a.txt/b", "x", None), "PATH_BELOW_FILE");
    refused(files.write("link", "x", None), "SYMBOLIC_LINK");
    refused(files.write("out/new", "x", None), "SYMBOLIC_LINK");
    refused(files.write("out/deeper/new", "x", None), "SYMBOLIC_LINK");
    refused(files.write("hard", "x", None), "HARD_LINK");
    refused(files.delete("link", None), "SYMBOLIC_LINK");
    refused(files.delete("out/secret", None), "SYMBOLIC_LINK");
    let outside = fs::read_dir(files.outside()).expect("a folder").count();
    assert_eq!(outside, 1);
    let secret = fs::read_to_string(files.outside().join("secret"));
    assert_eq!(secret.expect("untouched"), "secret");
}

#[test]
fn system_directories_are_not_made() {
    let files = files();
    refused(files.write("etc/passwd", "x", Some(PreImage::Absent)), "PATH_NOT_ALLOWED");
    assert!(!files.root().join("etc").exists());
    fs::create_dir(files.root().join("lib")).expect("a folder");
    files.write("lib/x.rs", "x", Some(PreImage::Absent)).expect("the workspace's own");
}

#[test]
fn a_permit_of_another_opening_or_for_another_step_permits_nothing() {
    let files = files();
    files.put("a.txt", "old");
    let foreign = gate().permit(write_node(&path("a.txt")), &[("content", "x")], None);
    refused(files.workspaces.write(foreign), "FOREIGN_PERMIT");
    let foreign = gate().permit(delete_node(&path("a.txt")), &[], None);
    refused(files.workspaces.delete(foreign), "FOREIGN_PERMIT");
    let to_write = files.gate.permit(write_node(&path("a.txt")), &[("content", "x")], None);
    refused(files.workspaces.delete(to_write), "WRONG_STEP");
    let to_delete = files.gate.permit(delete_node(&path("a.txt")), &[], None);
    refused(files.workspaces.write(to_delete), "WRONG_STEP");
    assert_eq!(files.text("a.txt").as_deref(), Some("old"));
}

#[test]
fn what_an_interrupted_write_has_left_is_swept() {
    let files = files();
    let base = files.folder.path().join("base");
    fs::write(base.join(".staging/left"), "half").expect("a file");
    Workspaces::new(&base, files.gate.opened.verifier.clone()).expect("a base");
    assert_eq!(fs::read_dir(base.join(".staging")).expect("a folder").count(), 0);
}
