//! A policy's change before it is applied, from the command line.

use crate::changed::{log_in, open_question};
use crate::program::Home;
use crate::server::{start, with_key};
use std::fs;

#[test]
fn a_change_is_compared_with_what_was_ruled() {
    let home = Home::new();
    with_key(&home, "key", "ab");
    let server = start(&home, "key");
    log_in(&home, &server);
    let (id, digest) = open_question(&home, "Write 'milk' to shopping.txt");
    home.run(&["approvals", "approve", &id, "--digest", &digest]).ended(0);
    let mut version = home.run(&["policy", "show", "--json"]).ended(0).json();
    fs::write(home.path("same.json"), version.to_string()).unwrap();
    let same = home.run(&["policy", "diff", "same.json", "--language", "en"]).ended(0).out;
    assert_eq!(same, "It changes nothing in the policy that is applied now.\n");

    version["policy"]["approval"]["normal"]["by"] = "another_person".into();
    fs::write(home.path("two.json"), version["policy"].to_string()).unwrap();
    let diff = ["policy", "diff", "two.json"];
    let told = home.run(&[&diff[..], &["--language", "en"]].concat()).ended(0).out;
    assert_eq!(told, "approval.normal.by: \"requester\" → \"another_person\"\n");
    let replay = [&diff[..], &["--replay", "30d"]].concat();
    let told = home.run(&[&replay[..], &["--language", "en"]].concat()).ended(0).out;
    assert!(told.contains("1 judged again, 1 would have been different"), "{told}");
    let kind = "1 × would be confirmed by somebody else: another person is asked";
    assert!(told.contains(kind), "{told}");
    assert!(told.contains("FILE_WRITE"), "{told}");
    let told = home.run(&[&replay[..], &["--language", "ko"]].concat()).ended(0).out;
    assert!(told.contains("1건이 달라졌을 것입니다"), "{told}");
    let told = home.run(&[&replay[..], &["--json"]].concat()).ended(0).json();
    assert_eq!((&told["judged"], &told["counts"][0]["count"]), (&1.into(), &1.into()));

    home.run(&["policy", "diff", "two.json", "--replay", "soon"]).ended(2);
    let far = home.run(&["policy", "diff", "two.json", "--replay", "91d"]).ended(1).err;
    assert!(far.contains("90"), "{far}");
    fs::write(home.path("odd.json"), "{\"policy\":{}}").unwrap();
    home.run(&["policy", "diff", "odd.json"]).ended(1);
    assert_eq!(server.stop(), 0);
}
