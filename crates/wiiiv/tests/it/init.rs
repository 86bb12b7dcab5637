//! A first run: from a setup token to an answered message, and taken up again where it broke off.

use crate::program::{Home, Server, eventually};
use crate::server::{PASSWORD, start, with_key};
use crate::terminal::Terminal;
use std::fs;
use tokio::runtime::Runtime;
use wiiiv_fakes::{FakeModel, ModelMode};

fn fresh(home: &Home) -> Server {
    with_key(home, "key", "ab");
    let server = start(home, "key");
    fs::write(home.path("setup"), server.text("setup_token")).unwrap();
    fs::write(home.path("password"), PASSWORD).unwrap();
    server
}

fn last_document(out: &str) -> serde_json::Value {
    serde_json::from_str(out.lines().last().unwrap()).unwrap()
}

#[test]
fn flags_alone_bring_a_server_to_its_first_answer() {
    let home = Home::new();
    let server = fresh(&home);
    let url = server.text("url");
    let missing = home.run(&["init", "--server", url, "--language", "en"]).ended(2);
    assert!(missing.err.contains("--setup-token-file"), "{missing:?}");
    let flags = ["init", "--server", url, "--name", "ann", "--setup-token-file", "setup"];
    let flags = [&flags[..], &["--password-file", "password", "--json"]].concat();
    let made = last_document(&home.run(&flags).ended(0).out);
    assert_eq!(made["administrator"], true);
    assert_eq!((&made["provider"], &made["test"]), (&"OFFLINE".into(), &true.into()));
    let sessions = home.run(&["sessions", "list", "--json"]).ended(0).json();
    assert_eq!(sessions.as_array().unwrap().len(), 1);

    let again = home.run(&["init", "--skip-test", "--language", "en"]).ended(0);
    assert!(again.out.contains("as ann already"), "{again:?}");
    home.run(&["logout"]).ended(0);
    let named = ["init", "--server", url, "--name", "ann", "--skip-test", "--provider", "offline"];
    home.run_with_input(&named, &format!("{PASSWORD}\n")).ended(0);
    let unknown = ["init", "--provider", "nobody", "--skip-test", "--language", "en"];
    let unknown = home.run(&unknown).ended(2);
    assert!(unknown.err.contains("no provider `nobody`"), "{unknown:?}");
    home.run(&["init", "--server", "http://127.0.0.1:1"]).ended(5);
}

#[test]
fn a_model_of_ones_own_is_chosen_and_tried() {
    let runtime = Runtime::new().unwrap();
    let model = runtime.block_on(FakeModel::spawn(ModelMode::Silent)).unwrap();
    let home = Home::new();
    let mut command = home.command(&["demo", "--json", "--port", "0"]);
    command.env("WIIIV__LLM__APPROVED_ORIGINS", model.origin());
    let _demo = Server::start(command);
    let url = model.base_url();
    let choose = ["init", "--provider", "mine", "--base-url", &url, "--model", "small"];
    let set = home.run(&[&choose[..], &["--skip-test", "--json"]].concat()).ended(0);
    let set = last_document(&set.out);
    assert_eq!((&set["provider"], &set["model"]), (&"CUSTOM".into(), &"small".into()));
    let project = set["project"].as_str().unwrap();
    let policy = home.run(&["policy", "show", "--project", project, "--json"]).ended(0).json();
    assert_eq!(policy["policy"]["llmBaseUrl"], url.as_str());
    assert_eq!(policy["policy"]["governorModel"], "small");

    let mut trial = home.command(&["init", "--skip-provider"]).spawn().unwrap();
    eventually(|| (!model.calls().is_empty()).then_some(()));
    trial.kill().unwrap();
    trial.wait().unwrap();
}

#[test]
fn a_person_is_asked_for_everything_and_the_language_stays() {
    let home = Home::new();
    let server = fresh(&home);
    let token = fs::read_to_string(home.path("setup")).unwrap();
    let mut sitting = Terminal::start(home.command(&["init", "--server", server.text("url")]));
    sitting.wait_for("[en]");
    sitting.type_line("ko");
    sitting.wait_for("설정 토큰:");
    sitting.type_line(&token);
    sitting.wait_for("계정 이름:");
    sitting.type_line("ann");
    sitting.wait_for("비밀번호:");
    sitting.type_line(PASSWORD);
    sitting.wait_for("비밀번호 다시:");
    sitting.type_line("another password");
    sitting.wait_for("두 비밀번호가 다릅니다");
    for question in ["비밀번호:", "비밀번호 다시:"] {
        sitting.wait_for(question);
        sitting.type_line(PASSWORD);
    }
    let offered = sitting.wait_for("OFFLINE 그대로):");
    assert!(offered.contains("1. "), "{offered}");
    sitting.type_line("1");
    let (code, screen) = sitting.end();
    assert_eq!(code, 0, "{screen}");
    assert!(!screen.contains(PASSWORD) && !screen.contains(token.trim()), "{screen}");
    assert!(screen.contains("안녕하세요") && screen.contains("준비되었습니다"), "{screen}");
    let list = home.run(&["approvals", "list"]).ended(0);
    assert!(list.out.contains("없습니다"), "{list:?}");
}
