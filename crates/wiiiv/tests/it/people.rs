//! Accounts, projects and who is what in them.

use crate::program::{Home, Server};
use crate::server::{PASSWORD, start, with_key};
use std::fs;

/// A server whose administrator is logged in at `home`.
fn administrated(home: &Home) -> Server {
    with_key(home, "key", "ab");
    let server = start(home, "key");
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    let login = ["login", "ann", "--server", server.text("url"), "--setup-token-file", "setup"];
    home.run_with_input(&login, &format!("{PASSWORD}\n")).ended(0);
    server
}

#[test]
fn an_account_is_made_with_a_password_that_no_list_shows() {
    let home = Home::new();
    let server = administrated(&home);
    let create = ["users", "create", "bob", "--json"];
    let bob = home.run_with_input(&create, &format!("{PASSWORD} of bob\n")).ended(0).json();
    assert_eq!(bob["name"], "bob");
    let again = home.run_with_input(&create, &format!("{PASSWORD} of bob\n")).ended(1);
    assert!(again.err.contains("NAME_TAKEN"), "{again:?}");
    home.run(&["users", "create", "carl"]).ended(4);
    fs::write(home.path("password"), format!("{PASSWORD} of carl\n")).unwrap();
    home.run(&["users", "create", "carl", "--admin", "--password-file", "password"]).ended(0);
    let list = home.run(&["users", "list", "--language", "ko"]).ended(0).out;
    assert!(list.contains("bob") && list.contains("관리자"), "{list}");

    let other = Home::new();
    let login = ["login", "bob", "--server", server.text("url")];
    other.run_with_input(&login, &format!("{PASSWORD} of bob\n")).ended(0);
    other.run(&["users", "list"]).ended(6);
}

#[test]
fn members_are_added_changed_and_removed() {
    let home = Home::new();
    let server = administrated(&home);
    let create = ["users", "create", "bob", "--json"];
    let bob = home.run_with_input(&create, &format!("{PASSWORD} of bob\n")).ended(0).json();
    let id = bob["id"].as_str().unwrap();
    home.run(&["projects", "create", "warehouse"]).ended(0);
    let list = home.run(&["projects", "list", "--json"]).ended(0).json();
    assert_eq!(list.as_array().unwrap().len(), 2);

    let members = |more: &[&str]| {
        let all = [&["projects", "members", "--project", "warehouse"][..], more].concat();
        home.run(&all)
    };
    members(&["--add", "bob", "--role", "editor", "--role", "approver"]).ended(0);
    let rows = members(&["--json"]).ended(0).json();
    let row = rows.as_array().unwrap().iter().find(|row| row["name"] == "bob").unwrap();
    assert_eq!(row["roles"], serde_json::json!(["editor", "approver"]));
    members(&["--add", id, "--role", "viewer"]).ended(0);
    let shown = members(&["--language", "en"]).ended(0).out;
    assert!(shown.contains("viewer") && !shown.contains("editor"), "{shown}");

    let other = Home::new();
    let login = ["login", "bob", "--server", server.text("url")];
    other.run_with_input(&login, &format!("{PASSWORD} of bob\n")).ended(0);
    let denied = ["projects", "members", "--project", "warehouse", "--remove", "ann"];
    let denied = other.run(&[&denied[..], &["--language", "en"]].concat()).ended(6);
    assert!(denied.err.contains("an owner of the project") && denied.err.contains("`owner`"));
    let listed = other.run(&["users", "list", "--language", "en"]).ended(6);
    assert!(listed.err.contains("administrators of the server"), "{listed:?}");
    let unknown = ["projects", "members", "--add", "carl", "--role", "viewer", "--language", "en"];
    let unknown = other.run(&unknown).ended(2);
    assert!(unknown.err.contains("no user `carl`"), "{unknown:?}");

    members(&["--remove", "bob"]).ended(0);
    assert!(!members(&[]).ended(0).out.contains("bob"));
    let last = members(&["--remove", "ann"]).ended(1);
    assert!(last.err.contains("at least one owner"), "{last:?}");
    members(&["--add", "bob"]).ended(2);
    members(&["--role", "viewer"]).ended(2);
}

/// Four eyes: who asks is not told to approve, and reads who decided, and why.
#[test]
fn who_may_not_approve_is_not_told_to_and_reads_who_rejected_and_why() {
    let home = Home::new();
    let server = administrated(&home);
    let create = ["users", "create", "bob"];
    home.run_with_input(&create, &format!("{PASSWORD} of bob\n")).ended(0);
    home.run(&["projects", "create", "warehouse"]).ended(0);
    let member = ["projects", "members", "--project", "warehouse", "--add", "bob"];
    home.run(&[&member[..], &["--role", "editor"]].concat()).ended(0);
    let of = ["--project", "warehouse"];
    let show = [&["policy", "show", "--json"][..], &of].concat();
    let mut version = home.run(&show).ended(0).json();
    version["policy"]["approval"]["normal"]["by"] = "another_person".into();
    fs::write(home.path("policy.json"), version.to_string()).unwrap();
    let set = [&["policy", "set", "policy.json", "--reason", "four eyes"][..], &of].concat();
    home.run(&set).ended(0);

    let other = Home::new();
    let login = ["login", "bob", "--server", server.text("url")];
    other.run_with_input(&login, &format!("{PASSWORD} of bob\n")).ended(0);
    let en = ["--language", "en"];
    let chat = [&["chat", "Write 'x' to x.txt"][..], &of, &en].concat();
    let asked = other.run(&chat).ended(7);
    assert!(asked.err.contains("Another person has to approve it"), "{asked:?}");
    assert!(!asked.err.contains("approvals approve"), "{asked:?}");
    let how = [&["chat", "--continue", "how do I approve it?"][..], &of, &en].concat();
    let how = other.run(&how).ended(0);
    assert!(how.out.contains("An owner or an approver of this project"), "{how:?}");
    assert!(!how.out.contains("Answer 'yes'"), "{how:?}");

    let yes = other.run(&[&["chat", "--continue", "yes"][..], &of, &en].concat()).ended(7);
    assert!(yes.err.contains("Another person has to approve it"), "{yes:?}");
    assert!(!yes.err.contains("approvals approve"), "{yes:?}");

    let rows = home.run(&["approvals", "list", "--json"]).ended(0).json();
    let text = |field: &str| rows[0][field].as_str().unwrap().to_owned();
    let (id, digest) = (text("id"), text("digest"));
    let reject = ["approvals", "reject", &id, "--digest", &digest, "--reason", "Over the budget"];
    home.run(&reject).ended(0);
    let told = other.run(&["approvals", "show", &id, "--language", "en"]).ended(0).out;
    assert!(told.contains("requested by bob"), "{told}");
    assert!(told.contains("decided by ann at 20"), "{told}");
    assert!(told.contains("reason: Over the budget"), "{told}");
    let plan = rows[0]["blueprint"].as_str().unwrap();
    let why = other.run(&[&["why", plan][..], &of, &en].concat()).ended(0).out;
    assert!(why.contains("rejected by ann · 20") && why.contains("Over the budget"), "{why}");
    assert!(!why.contains("none yet"), "{why}");
    let listed = other.run(&[&["sessions", "list", "--json"][..], &of].concat()).ended(0).json();
    let session = listed[0]["id"].as_str().unwrap();
    let export = other.run(&["sessions", "export", session, "--language", "en"]).ended(0).out;
    assert!(export.contains("## Rejected by ann · 20"), "{export}");
    assert!(export.contains("Over the budget"), "{export}");
    let late = home.run(&["approvals", "approve", &id, "--digest", &digest, "--language", "en"]);
    assert!(late.err.contains("`ann` rejected it at 20"), "{late:?}");
    let list = home.run(&["approvals", "list", "--language", "en"]).ended(0).out;
    assert!(list.contains("bob") && list.contains("ann"), "{list}");
}

const OF: [&str; 2] = ["--project", "warehouse"];

/// Two people have to approve in that project: bob asks there, and cid approves beside its owner.
fn two_people(home: &Home, server: &Server) -> [Home; 2] {
    home.run(&["projects", "create", "warehouse"]).ended(0);
    let of = OF;
    let people = [("bob", "editor"), ("cid", "approver")].map(|(name, role)| {
        let password = format!("{PASSWORD} of {name}\n");
        home.run_with_input(&["users", "create", name], &password).ended(0);
        let member = ["projects", "members", "--add", name, "--role", role];
        home.run(&[&member[..], &of].concat()).ended(0);
        let other = Home::new();
        let login = ["login", name, "--server", server.text("url")];
        other.run_with_input(&login, &password).ended(0);
        other
    });
    let mut version = home.run(&[&["policy", "show", "--json"][..], &of].concat()).ended(0).json();
    version["policy"]["approval"]["normal"]["by"] = "another_person".into();
    version["policy"]["approval"]["normal"]["approvers"] = 2.into();
    fs::write(home.path("policy.json"), version.to_string()).unwrap();
    let set = ["policy", "set", "policy.json", "--reason", "two people"];
    home.run(&[&set[..], &of].concat()).ended(0);
    people
}

/// Of two people both are named, in the order of their answers.
#[test]
fn why_names_everybody_who_approved() {
    let home = Home::new();
    let server = administrated(&home);
    let ([bob, cid], of) = (two_people(&home, &server), OF);
    bob.run(&[&["chat", "Write 'x' to x.txt", "--language", "en"][..], &of].concat()).ended(7);
    let rows = home.run(&["approvals", "list", "--json"]).ended(0).json();
    let [id, digest, plan] =
        ["id", "digest", "blueprint"].map(|field| rows[0][field].as_str().unwrap());
    let approve = ["approvals", "approve", id, "--digest", digest];
    cid.run(&[&approve[..], &["--no-wait"]].concat()).ended(0);
    home.run(&approve).ended(0);
    let why = ["why", plan, "--language", "en"];
    let why = home.run(&[&why[..], &of].concat()).ended(0).out;
    let at = |line: &str| why.find(line).unwrap_or_else(|| panic!("{line}: {why}"));
    assert!(at("Approval   cid · 20") < at("Approval   ann · 20"), "{why}");
    let asked =
        |of: &[&str], id: &str| home.run(&[&["why", id, "--language", "en"][..], of].concat());
    // By the end of an id, as lists show it; of what no list shows the whole id is wanted.
    assert_eq!(asked(&of, &id[19..]).ended(0).out, why);
    let unknown = asked(&of, "ffff-ffff").ended(2).err;
    assert!(unknown.contains("`wiiiv sessions export"), "{unknown}");
    // Where no project is named it may be another one's, also of what is nowhere.
    let nowhere = "0190a000-0000-7000-8000-000000000001";
    let told = bob.run(&["why", nowhere, "--language", "en"]).ended(2).err;
    assert!(told.contains("name that: `--project NAME`"), "{told}");
    let told = asked(&of, nowhere).ended(2).err;
    assert!(!told.contains("--project"), "{told}");
    let runs = home.run(&[&["executions", "list", "--language", "en"][..], &of].concat());
    let runs = runs.ended(0).out;
    assert!(runs.contains("cid, ann"), "{runs}");
}

/// By whoever said it and by nobody else; they can say it again.
#[test]
fn a_yes_is_taken_back_with_a_reason_that_the_requester_reads() {
    let home = Home::new();
    let server = administrated(&home);
    let [bob, cid] = two_people(&home, &server);
    bob.run(&[&["chat", "Write 'x' to x.txt", "--language", "en"][..], &OF].concat()).ended(7);
    let rows = home.run(&["approvals", "list", "--json"]).ended(0).json();
    let [id, digest] = ["id", "digest"].map(|field| rows[0][field].as_str().unwrap());
    let approve = ["approvals", "approve", id, "--digest", digest, "--no-wait"];
    cid.run(&approve).ended(0);
    let revoke = ["approvals", "revoke", id, "--language", "en"];
    cid.run(&revoke).ended(2);
    let why = [&revoke[..], &["--reason", "wrong folder"]].concat();
    let others = home.run(&why).ended(6);
    assert!(others.err.contains("no yes of yours to take back"), "{others:?}");
    let back = cid.run(&why).ended(0).out;
    assert!(back.contains("taken back: 0 of 2 have approved"), "{back}");
    let shown = home.run(&["approvals", "show", id, "--language", "en"]).ended(0).out;
    assert!(shown.contains("0 of 2") && !shown.contains("approved by cid"), "{shown}");
    assert!(shown.contains("Approval taken back by cid · 20"), "{shown}");
    let listed = bob.run(&[&["sessions", "list", "--json"][..], &OF].concat()).ended(0).json();
    let session = listed[0]["id"].as_str().unwrap();
    let export = bob.run(&["sessions", "export", session, "--language", "en"]).ended(0).out;
    assert!(export.contains("## Approval taken back by cid · 20"), "{export}");
    assert!(export.contains("wrong folder"), "{export}");
    cid.run(&approve).ended(0);
    home.run(&["approvals", "approve", id, "--digest", digest]).ended(0);
    let late = cid.run(&why).ended(1);
    assert!(late.err.contains("nothing to take back any more"), "{late:?}");
}

/// A dismissed person's log-in, wherever it lies, is worth nothing from one command on.
#[test]
fn an_account_is_closed_and_opened_and_its_password_changed() {
    let home = Home::new();
    let server = administrated(&home);
    let create = ["users", "create", "bob", "--json"];
    home.run_with_input(&create, &format!("{PASSWORD} of bob\n")).ended(0);
    let [here, there] = [Home::new(), Home::new()];
    let login = ["login", "bob", "--server", server.text("url")];
    for other in [&here, &there] {
        other.run_with_input(&login, &format!("{PASSWORD} of bob\n")).ended(0);
    }
    let en = ["--language", "en"];
    let listed = here.run(&["tokens", "list", "--language", "en"]).ended(0).out;
    assert!(listed.contains("this one") && listed.contains("log-in"), "{listed}");

    // One's own: a wrong old one changes nothing, the right one logs the other place out.
    let own = ["users", "password", "--language", "en"];
    let wrong = here.run_with_input(&own, "not the password\nanother long one\n").ended(6);
    assert!(wrong.err.contains("The old password is wrong"), "{wrong:?}");
    let both = format!("{PASSWORD} of bob\nanother long one\n");
    let changed = here.run_with_input(&own, &both).ended(0).out;
    assert!(changed.contains("ended: 1"), "{changed}");
    there.run(&["projects", "list"]).ended(4);
    here.run(&["projects", "list"]).ended(0);
    there.run_with_input(&login, &format!("{PASSWORD} of bob\n")).ended(4);
    there.run_with_input(&login, "another long one\n").ended(0);

    // One token by the end of its id, then all but this one.
    let rows = here.run(&["tokens", "list", "--json"]).ended(0).json();
    let other = rows.as_array().unwrap().iter().find(|row| row["current"] == false);
    let other = other.and_then(|row| row["id"].as_str()).unwrap();
    here.run(&["tokens", "end", &other[other.len() - 8..]]).ended(0);
    there.run(&["projects", "list"]).ended(4);
    there.run_with_input(&login, "another long one\n").ended(0);
    let out = here.run(&[&["tokens", "end", "--others"][..], &en].concat()).ended(0).out;
    assert!(out.contains("ended: 1"), "{out}");
    there.run(&["projects", "list"]).ended(4);
    here.run(&["tokens", "end"]).ended(2);

    // An administrator's: a reset, then the end of it.
    here.run(&["users", "close", "ann"]).ended(6);
    let reset = [&["users", "password", "bob"][..], &en].concat();
    home.run_with_input(&reset, "a third long one\n").ended(0);
    here.run(&["projects", "list"]).ended(4);
    here.run_with_input(&login, "a third long one\n").ended(0);
    let closed = home.run(&[&["users", "close", "bob"][..], &en].concat()).ended(0).out;
    assert!(closed.contains("bob closed") && closed.contains("ended: 1"), "{closed}");
    here.run(&["projects", "list"]).ended(4);
    here.run_with_input(&login, "a third long one\n").ended(4);
    let listed = home.run(&["users", "list", "--json"]).ended(0).json();
    let bob = listed.as_array().unwrap().iter().find(|row| row["name"] == "bob").unwrap();
    assert!(bob["disabled_at"].is_string(), "{bob}");
    home.run(&["users", "open", "bob"]).ended(0);
    here.run(&["projects", "list"]).ended(4);
    here.run_with_input(&login, "a third long one\n").ended(0);
    let own = home.run(&[&["users", "close", "ann"][..], &en].concat()).ended(1);
    assert!(own.err.contains("your own account"), "{own:?}");
    let unknown = home.run(&[&["users", "close", "carl"][..], &en].concat()).ended(2);
    assert!(unknown.err.contains("no account `carl`"), "{unknown:?}");
}

#[test]
fn a_right_to_approve_is_lent_listed_and_taken_back() {
    let home = Home::new();
    let server = administrated(&home);
    home.run_with_input(&["users", "create", "bob"], &format!("{PASSWORD} of bob\n")).ended(0);
    home.run(&["projects", "create", "warehouse"]).ended(0);
    let members = ["projects", "members", "--project", "warehouse", "--add", "bob", "--role"];
    home.run(&[&members[..], &["viewer"]].concat()).ended(0);
    let on = |of: &Home, words: &[&str]| {
        of.run(&[&["approvals"][..], words, &["--project", "warehouse"]].concat())
    };
    let lend = |more: &[&str]| {
        let words = ["delegate", "bob", "--reason", "on leave"];
        on(&home, &[&words[..], more].concat())
    };
    lend(&["--until", "tomorrow"]).ended(2);
    lend(&["--until", "31d"]).ended(2);
    let lent = lend(&["--until", "7d", "--json"]).ended(0).json();
    assert_eq!((&lent["state"], &lent["delegate_name"]), (&"in_force".into(), &"bob".into()));
    let again = lend(&["--until", "7d", "--language", "en"]).ended(1);
    assert!(again.err.contains("lent this right to that person"), "{again:?}");
    for (language, state) in [("en", "in force"), ("ko", "진행 중")] {
        let listed = on(&home, &["delegations", "--language", language]).ended(0).out;
        assert!(listed.contains(state) && listed.contains("on leave"), "{listed}");
    }

    let other = Home::new();
    let login = ["login", "bob", "--server", server.text("url")];
    other.run_with_input(&login, &format!("{PASSWORD} of bob\n")).ended(0);
    let id = lent["id"].as_str().unwrap();
    let short = &id[id.len() - 8..];
    let ended = on(&other, &["undelegate", short, "--language", "en"]).ended(0).out;
    assert!(ended.contains("bob no longer approves on behalf of ann"), "{ended}");
    let twice = on(&home, &["undelegate", short, "--language", "en"]).ended(1);
    assert!(twice.err.contains("`wiiiv approvals delegations` lists what runs"), "{twice:?}");
    let nobody = ["delegate", "zed", "--reason", "on leave", "--until", "7d", "--language", "en"];
    let nobody = on(&home, &nobody).ended(2);
    assert!(nobody.err.contains("no member of the name `zed`"), "{nobody:?}");
    assert!(on(&home, &["delegations", "--language", "en"]).ended(0).out.contains("ended"));
}
