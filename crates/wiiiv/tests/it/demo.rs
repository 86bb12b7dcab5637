//! The first minute: a question, a yes, a file, an answer from a service.

use crate::program::{Home, Ran, Server, eventually};
use serde_json::Value;
use std::fs;
use std::net::{TcpListener, TcpStream};

fn preview(asked: &Ran) -> Value {
    let events = asked.events();
    let preview = events.iter().find(|event| event["event"] == "preview");
    preview.unwrap_or_else(|| panic!("no preview: {asked:#?}")).clone()
}

fn newest_session(home: &Home) -> String {
    let sessions = home.run(&["sessions", "list", "--json"]).ended(0).json();
    sessions[0]["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_korean_request_is_asked_about_approved_and_done() {
    let home = Home::new();
    let demo = Server::demo(&home);
    let request = "노트 파일 notes/오늘.md 에 '회의 3시' 라고 써줘";
    let asked = home.run(&["chat", "--json", request]).ended(7);
    let preview = preview(&asked);
    let file = demo.workspace().join("notes/오늘.md");
    assert!(!file.exists());
    let (approval, digest) =
        (preview["approval"].as_str().unwrap(), preview["digest"].as_str().unwrap());

    let shown = home.run(&["approvals", "show", approval, "--language", "ko"]).ended(0).out;
    assert!(shown.contains("notes/오늘.md") && shown.contains("+ 회의 3시"), "{shown}");
    home.run(&["approvals", "approve", approval]).ended(2);
    home.run(&["approvals", "approve", approval, "--digest", "00000000"]).ended(2);
    home.run(&["approvals", "approve", approval, "--digest", &digest[..8]]).ended(0);
    let text = eventually(|| fs::read_to_string(&file).ok());
    assert_eq!(text, "회의 3시");
    eventually(|| {
        let runs = home.run(&["executions", "list", "--json"]).ended(0).json();
        (runs[0]["state"] == "succeeded").then_some(())
    });
    home.run(&["approvals", "approve", approval, "--digest", digest]).ended(9);
}

#[test]
fn an_english_request_is_answered_on_its_digest() {
    let home = Home::new();
    let demo = Server::demo(&home);
    home.run(&["chat", "Write 'meeting at 3' to notes/today.md"]).ended(7);
    let session = newest_session(&home);
    let unseen = home.run(&["chat", "--session", &session, "yes", "--language", "en"]).ended(7);
    assert!(unseen.err.contains("wiiiv approvals approve"), "{unseen:?}");
    assert!(!demo.workspace().join("notes/today.md").exists(), "nobody saw what it says yes to");
    home.approve().ended(0);
    let text = fs::read_to_string(demo.workspace().join("notes/today.md")).unwrap();
    assert_eq!(text, "meeting at 3");
    let typed = home.run_with_input(&["chat", "--continue"], "Delete notes/today.md\nn\n");
    typed.ended(0);
    assert!(demo.workspace().join("notes/today.md").exists());
}

/// One that was put before the person again, in words, takes a bare yes as the first one did.
#[test]
fn a_preview_that_is_shown_again_is_answered() {
    let home = Home::new();
    let demo = Server::demo(&home);
    let typed = "Write 'one' to p.txt\nhow are you?\ngo back to p.txt\ny\n";
    let told = home.run_with_input(&["chat", "--language", "en"], typed).ended(0);
    assert!(told.out.contains("Still waiting for your answer"), "{told:?}");
    assert_eq!(fs::read_to_string(demo.workspace().join("p.txt")).unwrap(), "one", "{told:?}");
    let long = "가".repeat(16_500);
    let refused = home.run(&["chat", &long, "--language", "ko"]).ended(2);
    assert!(refused.err.contains("`16000`자 이하"), "{}", refused.err);
}

fn saved(demo: &Server, file: &str) -> Value {
    let text = fs::read_to_string(demo.workspace().join(file)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn ids(rows: &Value) -> Vec<u64> {
    rows.as_array().unwrap().iter().map(|row| row["id"].as_u64().unwrap()).collect()
}

#[test]
fn a_registered_service_is_asked_once_and_its_products_are_saved() {
    let home = Home::new();
    let demo = Server::demo(&home);
    for (file, request, all) in [
        (
            "report.json",
            "skymall에서 상품 목록 뽑아서 /report.json에 저장해줘",
            (101..=125).collect(),
        ),
        (
            "products.json",
            "Get the product list from skymall and save it to products.json",
            (101..=125).collect(),
        ),
        (
            "싼것.json",
            "스카이몰 상품 목록 조회해서 price가 10000 미만인 것만 싼것.json 에 저장해줘",
            vec![112, 114, 122],
        ),
    ] {
        let asked = home.run(&["chat", "--json", request]).ended(7);
        let previews = asked.events().iter().filter(|event| event["event"] == "preview").count();
        assert_eq!(previews, 1, "{asked:?}");
        assert!(!demo.workspace().join(file).exists());
        home.approve().ended(0);
        assert_eq!(ids(&saved(&demo, file)), all, "{request}");
    }
}

#[test]
fn services_that_move_are_found_again_and_leave_no_rule_behind() {
    let home = Home::new();
    let ports = |demo: &Server| -> Vec<u64> {
        let url = |name: &str| demo.ready["services"][name].as_str().unwrap().to_owned();
        let port = |url: String| url.rsplit(':').next().unwrap().parse().unwrap();
        let mut ports = ["skymall", "skystock"].map(url).map(port).to_vec();
        ports.sort_unstable();
        ports
    };
    let allowed = |demo: &Server| {
        let project = demo.text("project");
        let policy = home.run(&["policy", "show", "--project", project, "--json"]).ended(0).json();
        let hosts = policy["policy"]["allowedHosts"].as_array().unwrap().clone();
        let mut ports: Vec<u64> = hosts.iter().filter_map(|rule| rule["port"].as_u64()).collect();
        // Rules have no order.
        ports.sort_unstable();
        ports
    };
    let restarted = |demo: Server| {
        assert_eq!(demo.stop(), 0);
        let demo = Server::demo(&home);
        assert_eq!(allowed(&demo), ports(&demo));
        demo
    };
    let mut demo = restarted(Server::demo(&home));
    let mut stayed = false;
    // Anybody may take a port between two starts, but hardly each time.
    for _ in 0..3 {
        let before = ports(&demo);
        demo = restarted(demo);
        stayed |= ports(&demo) == before;
    }
    assert!(stayed);

    let first = ports(&demo);
    assert_eq!(demo.stop(), 0);
    let taken = first.iter().map(|port| TcpListener::bind(("127.0.0.1", *port as u16)).ok());
    let _taken: Vec<_> = taken.collect();
    let demo = Server::demo(&home);
    let second = ports(&demo);
    assert!(first.iter().all(|port| !second.contains(port)));
    assert_eq!(allowed(&demo), second);
    home.run(&["chat", "skystock에서 재고 목록 조회해서 stock.json에 저장해줘"]).ended(7);
    home.approve().ended(0);
    assert_eq!(saved(&demo, "stock.json").as_array().unwrap().len(), 26);
}

#[test]
fn the_demo_services_run_by_themselves_too() {
    let home = Home::new();
    let services = Server::start(home.command(&["ghost", "services", "--json"]));
    for (at, name) in ["skymall", "skystock"].into_iter().enumerate() {
        let told = &services.ready[at];
        assert_eq!(told["system"]["name"], name);
        let port = told["system"]["baseUrl"]["port"].as_u64().unwrap();
        assert_eq!(told["url"], format!("http://127.0.0.1:{port}"));
        assert!(TcpStream::connect(("127.0.0.1", port as u16)).is_ok());
    }
    assert_ne!(services.ready[0]["password"], services.ready[1]["password"]);
    let site = services.ready[2]["url"].as_str().unwrap();
    assert!(TcpStream::connect(site.trim_start_matches("http://")).is_ok());
    assert_eq!(services.stop(), 0);
}

#[test]
fn a_place_that_policy_does_not_name_is_denied() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    let denied = home.run(&["chat", "GET http://example.com/items and save it to x.json"]).ended(6);
    assert!(denied.out.contains("HOST_NOT_"), "{denied:?}");
}

#[test]
fn a_second_start_finds_everything_again() {
    let home = Home::new();
    let first = Server::demo(&home);
    home.run(&["chat", "Write 'a' to a.txt"]).ended(7);
    let (project, token) =
        (first.text("project").to_owned(), fs::read(first.text("token_file")).unwrap());
    let held = home.run(&["demo", "--json", "--port", "0"]).ended(3);
    assert!(held.err.contains("in use by"), "{held:?}");
    assert_eq!(first.stop(), 0);

    let second = Server::demo(&home);
    assert_eq!(second.text("project"), project);
    assert_eq!(fs::read(second.text("token_file")).unwrap(), token);
    home.approve().ended(0);
    assert_eq!(fs::read_to_string(second.workspace().join("a.txt")).unwrap(), "a");
}

#[test]
fn what_was_written_for_one_owner_is_readable_by_no_other() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = Home::new();
    let demo = Server::demo(&home);
    let files = [home.path("state/wiiiv/demo/master.key"), home.path("state/wiiiv/credentials")];
    for file in files.iter().map(AsRef::as_ref).chain([demo.text("token_file").as_ref()]) {
        let file: &std::path::Path = file;
        let mode = fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.display());
    }
    let folder = fs::metadata(home.path("state/wiiiv/demo")).unwrap();
    assert_eq!(folder.permissions().mode() & 0o777, 0o700);
}

/// An empty one is closed, as `serve` closes it; one that holds somebody's things gets nothing of ours.
#[test]
fn a_folder_that_others_can_read_is_closed_or_left_as_it_is() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = Home::new();
    let folder = home.path("shared");
    fs::create_dir(&folder).unwrap();
    let open = || fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    let mode = || fs::metadata(&folder).unwrap().permissions().mode() & 0o777;
    let shared = folder.display().to_string();
    let demo = ["demo", "--json", "--port", "0", "--data-dir", &shared];
    open();
    fs::write(folder.join("photo.png"), "").unwrap();
    let refused = home.run(&demo).ended(3);
    assert!(refused.err.contains("a folder of its own"), "{refused:?}");
    assert_eq!((fs::read_dir(&folder).unwrap().count(), mode()), (1, 0o755), "left as it is");
    fs::remove_file(folder.join("photo.png")).unwrap();
    let server = Server::start(home.command(&demo));
    assert_eq!(mode(), 0o700);
    assert_eq!(server.stop(), 0);
}

/// Of the project's own systems; each of them is understood.
#[test]
fn what_can_be_said_is_listed_and_can_be_said() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    for (language, beside) in [("en", "what is refused, and why: "), ("ko", "그 사유를 보려면: ")]
    {
        let listed = home.run(&["chat", "--examples", "--language", language]).ended(0);
        let lines: Vec<&str> = listed.out.lines().collect();
        assert_eq!(lines.len(), 3, "{listed:?}");
        for (line, due) in lines.into_iter().zip([0, 7, 7]) {
            home.run(&["chat", line]).ended(due);
        }
        // What is refused is no example of what can be done: it is told apart.
        let (_, refused) = listed.err.trim_end().split_once(beside).expect("what is refused");
        home.run(&["chat", refused]).ended(6);
    }
}

/// Nobody is offered what the policy refuses, and whoever is offered nothing is told what to do.
#[test]
fn where_the_policy_allows_no_example_it_is_said_what_to_do() {
    let home = Home::new();
    let _demo = Server::demo(&home);
    let mut policy = home.run(&["policy", "show", "--json"]).ended(0).json()["policy"].clone();
    policy["allowedPaths"] = serde_json::json!(["reports"]);
    policy["allowedHosts"] = serde_json::json!([]);
    fs::write(home.path("policy.json"), policy.to_string()).unwrap();
    home.run(&["policy", "set", "policy.json", "--reason", "reports alone"]).ended(0);
    for (language, words) in [("en", "allows none of the examples"), ("ko", "예시가 없습니다")]
    {
        let listed = home.run(&["chat", "--examples", "--language", language]).ended(0);
        assert_eq!(listed.out, "", "{language}");
        assert!(
            listed.err.contains(words) && listed.err.contains("wiiiv policy set"),
            "{listed:?}"
        );
    }
}

/// The demo's systems are the demo's: no prompt, rule, lexicon or text of the product names them.
#[test]
fn nothing_of_the_product_names_the_demos_systems() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut looked = 0;
    let mut folders: Vec<std::path::PathBuf> =
        ["prompts", "policies", "config/lexicons", "web/src/i18n"]
            .map(|at| format!("{root}/{at}").into())
            .into();
    let mut files: Vec<std::path::PathBuf> =
        ["config/topics.toml", "config/messages/ko.toml", "config/messages/en.toml"]
            .map(|at| format!("{root}/{at}").into())
            .into();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    // Documentation of the lexicons explains them by the demo's words.
    files.retain(|path| !path.ends_with("config/lexicons/README.md"));
    for path in files {
        let text = fs::read_to_string(&path).unwrap().to_lowercase();
        for name in ["skymall", "skystock", "스카이몰", "testsite"] {
            assert!(!text.contains(name), "{}: {name}", path.display());
        }
        looked += 1;
    }
    assert!(looked > 30, "{looked}");
}
