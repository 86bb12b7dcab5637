//! Rollout by the command line: refused with its reasons, waived by two people, and earned by a live suite that
//! a scripted provider answers.

use crate::program::{Home, Ran, Server};
use crate::server::{PASSWORD, serve, with_key};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use wiiiv_fakes::{FakeProvider, PROVIDER_KEY};
use wiiiv_store::SUITE;

const MODEL: &str = "OPENAI:gpt-4o-mini";

/// What the fake provider says is right here.
fn greeting(id: &str) -> String {
    format!(
        "id: {id}\ntitle: {{ ko: 인사, en: A greeting }}\nlanguage: ko\npersona: someone\n\
         goal: to be greeted\nmax_turns: 1\nturns:\n  - say: 안녕하세요\n    model: \
         [ '{{\"action\":\"REPLY\",\"taskType\":\"CONVERSATION\",\"message\":\"네?\"}}' ]\n    expect:\n      \
         - outcome: done\nexpect:\n  - reply_contains: 무엇을 도와드릴까요\n  - executions: []\n"
    )
}

/// The project names the model that the suite is played with.
pub fn name_model(policy: &mut Value) {
    policy["llmProvider"] = "OPENAI".into();
    policy["governorModel"] = "gpt-4o-mini".into();
}

pub struct Shop {
    pub ann: Home,
    pub bob: Home,
    pub server: Server,
}

/// A server over ann's folder.
pub fn of_ann(ann: &Home) -> Command {
    let arguments = serve(ann, "key");
    let mut command = ann.command(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    command.env("WIIIV__LLM__APPROVED_ORIGINS", "https://api.openai.com");
    command
}

impl Shop {
    /// A project of an administrator's, and another approver there.
    pub fn open() -> Self {
        let (ann, bob) = (Home::new(), Home::new());
        with_key(&ann, "key", "ab");
        let server = Server::start(of_ann(&ann));
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
        Self { ann, bob, server }
    }

    pub fn rollout(&self, who: &Home, arguments: &[&str]) -> Ran {
        who.run(&[&["rollout"][..], arguments, &["--project", "shop"]].concat())
    }

    pub fn set_policy(&self, change: impl FnOnce(&mut Value)) -> Ran {
        let show = ["policy", "show", "--project", "shop", "--json"];
        let mut version = self.ann.run(&show).ended(0).json();
        change(&mut version["policy"]);
        fs::write(self.ann.path("policy.json"), version.to_string()).unwrap();
        let set = ["policy", "set", "policy.json", "--project", "shop", "--reason", "a test"];
        self.ann.run(&set)
    }

    /// Each scenario of the suite three times, in `live`.
    pub fn play_suite(&self, provider: &FakeProvider) {
        let folder = self.ann.path("scenarios");
        fs::create_dir_all(&folder).unwrap();
        for id in SUITE.scenarios {
            fs::write(folder.join(format!("{}-hello.yaml", id.id)), greeting(id.id)).unwrap();
        }
        let key = self.ann.path("provider-key");
        fs::write(&key, PROVIDER_KEY).unwrap();
        fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
        let base = format!("{}/k/good/openai/v1", provider.url());
        let made = self.ann.run(&["ghost", "key", "new", "runner-key", "--json"]).ended(0).json();
        let public = made["public_key"].as_str().unwrap();
        self.ann.run(&["ghost", "keys", "add", "ci", public]).ended(0);
        let live = ["ghost", "run", "--mode", "live", "--model", MODEL, "--base-url", &base];
        let sign = ["--sign", "runner-key", "--key-file", "provider-key"];
        let kept = [&sign[..], &["--server", self.server.text("url")]].concat();
        let suite = ["--repeat", "3", "--seed", "7", "--folder", "scenarios", "--json"];
        self.ann.run(&[&live[..], &kept, &suite].concat()).ended(0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_is_promoted_by_two_approvers_and_a_live_suite_and_demoted_by_a_person() {
    let (shop, provider) = (Shop::open(), FakeProvider::open(0).await.unwrap());
    let (ann, bob) = (&shop.ann, &shop.bob);
    ann.run(&["chat", "--project", "shop", "Write 'todo' to conf/shadow"]).ended(7);
    let shown = shop.rollout(ann, &["show", "--language", "en"]).ended(0);
    for part in ["Stage: observe", "Divergences: 1, not looked at: 1", "95.01 %", "built-in"] {
        assert!(shown.out.contains(part), "{part}: {}", shown.out);
    }
    let korean = shop.rollout(ann, &["show", "--language", "ko"]).ended(0).out;
    assert!(
        korean.contains("단계: 관찰") && korean.contains("면제로 대신할 수 없습니다"),
        "{korean}"
    );
    let reason = ["--reason", "it is time"];
    let refused = shop.rollout(ann, &[&["promote", "--language", "en"][..], &reason].concat());
    let refused = refused.ended(1);
    assert!(refused.err.contains("has not earned its promotion"), "{refused:?}");
    assert!(refused.err.contains("Review each divergence"), "{refused:?}");
    let edited = shop.set_policy(|policy| policy["dacsStage"] = "enforce".into()).ended(1);
    assert!(edited.err.contains("does not change the stage"), "{edited:?}");

    let rows = shop.rollout(bob, &["divergences", "--json"]).ended(0).json();
    let record = rows[0]["record"].to_string();
    let table = shop.rollout(bob, &["divergences", "--language", "en"]).ended(0).out;
    assert!(table.contains(&record) && table.contains("not looked at"), "{table}");
    let none = shop.rollout(bob, &["divergences", "--review", "wrong", "--json"]).ended(0).json();
    assert_eq!(none, serde_json::json!([]));
    shop.rollout(bob, &["review", &record, "right", "--note", "a secret's name"]).ended(0);
    let missing = shop.rollout(bob, &["review", "1", "right"]).ended(1);
    assert!(missing.err.contains("There is no such thing here"), "{missing:?}");
    shop.rollout(bob, &["review", &record, "maybe"]).ended(2);
    shop.rollout(bob, &["divergences", "--concern", "a&b"]).ended(2);
    shop.rollout(bob, &[&["promote"][..], &reason].concat()).ended(6);

    shop.rollout(ann, &["waive"]).ended(2);
    shop.rollout(ann, &["waive", "--join"]).ended(1);
    shop.rollout(ann, &[&["waive"][..], &reason].concat()).ended(0);
    let own = shop.rollout(ann, &["waive", "--join"]).ended(1);
    assert!(own.err.contains("A waiver takes two people"), "{own:?}");
    shop.rollout(bob, &["waive", "--join"]).ended(0);
    shop.set_policy(name_model).ended(0);
    let promote = [&["promote", "--language", "en"][..], &reason].concat();
    let refused = shop.rollout(ann, &promote).ended(1);
    assert!(refused.err.contains("does not stand in for it"), "{refused:?}");

    shop.play_suite(&provider);
    let shown = shop.rollout(ann, &["show", "--language", "en"]).ended(0).out;
    assert!(shown.contains("GHOST-verified for this build"), "{shown}");
    shop.rollout(ann, &promote).ended(0);
    let now = shop.rollout(ann, &["show", "--json"]).ended(0).json();
    assert_eq!((&now["stage"], &now["waiver"]), (&"enforce".into(), &Value::Null));
    assert_eq!(now["run"]["verified"], true, "the stage is no rule of the suite");

    // The alarm ends the command with 1, and nothing falls back.
    shop.rollout(bob, &["review", &record, "wrong"]).ended(0);
    let alarm = shop.rollout(ann, &["show", "--language", "en"]).ended(1).out;
    assert!(alarm.contains("ALARM") && alarm.contains("Stage: enforce"), "{alarm}");
    let back = shop.set_policy(|policy| policy["dacsStage"] = "observe".into()).ended(1);
    assert!(back.err.contains("does not change the stage"), "{back:?}");
    shop.rollout(ann, &["demote"]).ended(2);
    shop.rollout(ann, &["demote", "--reason", "the shop changed"]).ended(0);
    let now = shop.rollout(ann, &["show", "--json"]).ended(0).json();
    assert_eq!((&now["stage"], &now["alarm"]), (&"observe".into(), &false.into()));
    shop.rollout(ann, &promote).ended(1);
}
