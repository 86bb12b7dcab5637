//! What the server hands out verifies, and what was changed does not.

use crate::program::{Home, Server};
use std::fs;

#[test]
fn an_export_verifies_until_a_byte_is_changed() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    home.run(&["chat", "Write 'x' to x.txt"]).ended(7);
    home.approve().ended(0);
    home.run(&["audit", "export", "--output", "audit.jsonl"]).ended(0);
    home.run(&["audit", "key", "--output", "audit.pub"]).ended(0);
    let verify = ["audit", "verify", "audit.jsonl", "--key", "audit.pub", "--json"];
    let report = home.run(&verify).ended(0).json();
    assert_eq!(report["level"], "verified");
    assert_eq!(report["unsigned_tail"], 0);
    assert!(report["records"].as_u64().unwrap() > 5, "{report}");
    let unsigned = home.run(&["audit", "verify", "audit.jsonl", "--json"]).ended(1).json();
    assert_eq!(unsigned["level"], "internally_consistent");
    let enough = ["audit", "verify", "audit.jsonl", "--allow-unsigned"];
    assert!(home.run(&enough).ended(0).out.contains("internally consistent"));
    home.run(&[enough.as_slice(), &["--key", "audit.pub"]].concat()).ended(2);

    let good = fs::read(home.path("audit.jsonl")).unwrap();
    for at in [10, good.len() / 3, good.len() / 2, good.len() - 2] {
        let mut bad = good.clone();
        bad[at] ^= 1;
        fs::write(home.path("audit.jsonl"), bad).unwrap();
        let report = home.run(&verify).ended(8).json();
        assert!(!report["place"].as_str().unwrap().is_empty(), "{report}");
    }
}

#[test]
fn a_receipt_verifies_and_a_forged_one_does_not() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    home.run(&["chat", "Write 'x' to x.txt"]).ended(7);
    home.approve().ended(0);
    let runs = home.run(&["executions", "list", "--json"]).ended(0).json();
    let run = runs[0]["id"].as_str().unwrap();
    home.run(&["audit", "receipt", run, "--output", "receipt.json"]).ended(0);
    home.run(&["audit", "key", "--output", "audit.pub"]).ended(0);
    let verify = ["audit", "verify-receipt", "receipt.json", "--key", "audit.pub"];
    home.run(&verify).ended(0);
    home.run(&["audit", "verify-receipt", "receipt.json"]).ended(1);
    home.run(&["audit", "verify-receipt", "receipt.json", "--allow-unsigned"]).ended(0);
    let receipt = fs::read_to_string(home.path("receipt.json")).unwrap();
    fs::write(home.path("receipt.json"), receipt.replace("ALLOW", "DENIED")).unwrap();
    home.run(&verify).ended(8);
}

#[test]
fn the_servers_own_chain_is_not_for_everybody() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    let refused = home.run(&["audit", "export", "--server-chain", "--json"]).ended(2);
    assert!(refused.err.contains("NOT_FOUND"), "{refused:?}");
}
