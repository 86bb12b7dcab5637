//! Overrides by the command line: proposed, shown with their impact, approved by another person, ended.

use crate::program::{Home, Ran, Server};
use crate::server::{PASSWORD, start, with_key};
use std::fs;

struct Project {
    ann: Home,
    bob: Home,
    /// It runs as long as this is there.
    _server: Server,
}

impl Project {
    /// Of ann's, with bob as its other approver.
    fn open() -> Self {
        let (ann, bob) = (Home::new(), Home::new());
        with_key(&ann, "key", "ab");
        let server = start(&ann, "key");
        fs::write(ann.path("setup"), server.text("setup_token")).unwrap();
        let login = ["login", "ann", "--server", server.text("url"), "--setup-token-file", "setup"];
        ann.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
        ann.run_with_input(&["users", "create", "bob"], &format!("{PASSWORD} of bob\n")).ended(0);
        ann.run(&["projects", "create", "shop"]).ended(0);
        let add =
            ["projects", "members", "--project", "shop", "--add", "bob", "--role", "approver"];
        ann.run(&add).ended(0);
        let login = ["login", "bob", "--server", server.text("url")];
        bob.run_with_input(&login, &format!("{PASSWORD} of bob\n")).ended(0);
        Self { ann, bob, _server: server }
    }

    fn of(&self, who: &Home, arguments: &[&str]) -> Ran {
        who.run(&[&["policy", "override"][..], arguments, &["--project", "shop"]].concat())
    }

    fn propose(&self, more: &[&str]) -> Ran {
        let show = ["policy", "show", "--project", "shop", "--json"];
        let mut version = self.ann.run(&show).ended(0).json();
        version["policy"]["allowedPaths"] = serde_json::json!(["", "etc"]);
        fs::write(self.ann.path("policy.json"), version.to_string()).unwrap();
        let propose = ["propose", "policy.json", "--reason", "the night shift"];
        self.of(&self.ann, &[&propose[..], more].concat())
    }
}

#[test]
fn an_override_is_proposed_shown_approved_and_ended() {
    let project = Project::open();
    let (ann, bob) = (&project.ann, &project.bob);
    for (scope, time) in [("everything", "1h"), ("window", "soon")] {
        project.propose(&["--scope", scope, "--for", time]).ended(2);
    }
    let far = project.propose(&["--scope", "window", "--for", "73h"]).ended(2).err;
    assert!(far.contains("1m..=72h"), "{far}");
    let made = project.propose(&["--scope", "FILE_WRITE", "--for", "90m", "--json"]);
    let made = made.ended(0).json();
    let id = made["id"].as_str().unwrap();
    let short = &id[id.len() - 8..];
    let told = project.of(bob, &["show", short, "--replay", "7d", "--language", "en"]).ended(0);
    for word in ["waits", "Write a file", "the night shift", "allowedPaths", "judged again"] {
        assert!(told.out.contains(word), "{word}: {}", told.out);
    }
    let own = project.of(ann, &["approve", short, "--language", "en"]).ended(1);
    assert!(own.err.contains("takes two people"), "{}", own.err);
    let begun = project.of(bob, &["approve", short, "--language", "ko"]).ended(0);
    assert!(begun.out.contains("임시 정책이 시행 중입니다"), "{}", begun.out);
    let list = project.of(bob, &["list", "--only-open", "--language", "en"]).ended(0);
    assert!(list.out.contains("runs") && list.out.contains(short), "{}", list.out);

    let set = ["policy", "set", "policy.json", "--project", "shop", "--reason", "x"];
    let refused = ann.run(&[&set[..], &["--language", "en"]].concat()).ended(1);
    assert!(refused.err.contains("An override of the policy runs"), "{}", refused.err);
    project.of(bob, &["end", short, "--reason", "enough"]).ended(6);
    let ended = project.of(ann, &["end", short, "--reason", "enough", "--language", "en"]).ended(0);
    assert!(ended.out.contains("in force again"), "{}", ended.out);
    ann.run(&set).ended(0);
    let none = project.of(ann, &["list", "--only-open", "--json"]).ended(0).json();
    assert_eq!(none.as_array().map(Vec::len), Some(0), "{none}");
}
