//! Rollout by the command line: refused with its reasons, waived by two people, and earned by a live suite that
//! a scripted provider answers.

use crate::program::{Home, Ran, Server};
use crate::server::{PASSWORD, serve, with_key};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use wiiiv_fakes::{FakeModel, FakeProvider, ModelMode, PROVIDER_KEY, Personas};
use wiiiv_store::SUITE;

const MODEL: &str = "OPENAI:gpt-4o-mini";
const ORIGIN: &str = "https://api.openai.com";

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
    command.env("WIIIV__LLM__APPROVED_ORIGINS", ORIGIN);
    command
}

impl Shop {
    /// A project of an administrator's, and another approver there.
    pub fn open() -> Self {
        Self::approving(ORIGIN)
    }

    /// Models of that origin may be named.
    fn approving(origin: &str) -> Self {
        let (ann, bob) = (Home::new(), Home::new());
        with_key(&ann, "key", "ab");
        let mut command = of_ann(&ann);
        command.env("WIIIV__LLM__APPROVED_ORIGINS", origin);
        let server = Server::start(command);
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
        self.register_runner();
        let live = ["ghost", "run", "--mode", "live", "--model", MODEL, "--base-url", &base];
        let sign = ["--sign", "runner-key", "--key-file", "provider-key"];
        let kept = [&sign[..], &["--server", self.server.text("url")]].concat();
        let suite = ["--repeat", "3", "--seed", "7", "--folder", "scenarios", "--json"];
        self.ann.run(&[&live[..], &kept, &suite].concat()).ended(0);
    }

    fn register_runner(&self) {
        let made = self.ann.run(&["ghost", "key", "new", "runner-key", "--json"]).ended(0).json();
        let public = made["public_key"].as_str().unwrap();
        self.ann.run(&["ghost", "keys", "add", "ci", public]).ended(0);
    }
}

/// Of the one divergence that there is.
fn narrowed_and_counted(shop: &Shop) {
    let of_ann = ["--type", "FILE_WRITE", "--actor", "ann", "--model", "OFFLINE:offline"];
    let since = ["--from", "2020-01-01", "--json"];
    let found = [&["divergences"][..], &of_ann, &since].concat();
    let found = shop.rollout(&shop.bob, &found).ended(0).json();
    assert_eq!(found.as_array().map(Vec::len), Some(1), "{found}");
    for other in [["--type", "FILE_READ"], ["--actor", "bob"], ["--until", "2020-01-01"]] {
        let none = [&["divergences", "--json"][..], &other].concat();
        let none = shop.rollout(&shop.bob, &none).ended(0).json();
        assert_eq!(none, serde_json::json!([]), "{other:?}");
    }
    shop.rollout(&shop.bob, &["divergences", "--type", "WRITE"]).ended(2);
    let shown = shop.rollout(&shop.bob, &["figures", "--language", "en"]).ended(0).out;
    for part in ["not let through", "DID NOT RUN", "Write a file", "OFFLINE:offline", "100.00%"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let korean = shop.rollout(&shop.bob, &["figures", "--language", "ko"]).ended(0).out;
    assert!(korean.contains("통과하지 못함") && korean.contains("실행되지 않음"), "{korean}");
    let long = ["figures", "--language", "en", "--from", "2020-01-01", "--until", "2020-12-31"];
    let long = shop.rollout(&shop.bob, &long).ended(2);
    assert!(long.err.contains("at most `90` days at once"), "{long:?}");
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
    let edited = shop.set_policy(|policy| policy["dacsStage"] = "enforce".into()).ended(2);
    assert!(edited.err.contains("does not change the stage"), "{edited:?}");

    let rows = shop.rollout(bob, &["divergences", "--json"]).ended(0).json();
    let record = rows[0]["record"].to_string();
    let table = shop.rollout(bob, &["divergences", "--language", "en"]).ended(0).out;
    assert!(table.contains(&record) && table.contains("not looked at"), "{table}");
    assert!(table.contains(rows[0]["blueprint"].as_str().unwrap()), "what `why` takes: {table}");
    let none = shop.rollout(bob, &["divergences", "--review", "wrong", "--json"]).ended(0).json();
    assert_eq!(none, serde_json::json!([]));
    narrowed_and_counted(&shop);
    shop.rollout(bob, &["review", &record, "right", "--note", "a secret's name"]).ended(0);
    let missing = shop.rollout(bob, &["review", "1", "right"]).ended(2);
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
    let named = shop.set_policy(name_model).ended(0).out;
    assert!(named.contains("no model reviews what is risky"), "{named}");
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
    let back = shop.set_policy(|policy| policy["dacsStage"] = "observe".into()).ended(2);
    assert!(back.err.contains("does not change the stage"), "{back:?}");
    shop.rollout(ann, &["demote"]).ended(2);
    shop.rollout(ann, &["demote", "--reason", "the shop changed"]).ended(0);
    let now = shop.rollout(ann, &["show", "--json"]).ended(0).json();
    assert_eq!((&now["stage"], &now["alarm"]), (&"observe".into(), &false.into()));
    shop.rollout(ann, &promote).ended(1);
}

/// One person asks for a note and says yes, in words or by the button.
fn note(id: &str, yes: &str) -> String {
    format!(
        "id: {id}\ntitle: {{ ko: 메모, en: A note }}\nlanguage: ko\npersona: someone\ngoal: a note\n\
         max_turns: 2\nturns:\n  - say: notes/a.txt 파일에 '안녕' 이라고 써줘\n    expect:\n      \
         - outcome: pending\n      - flow: [{{ input: drawn, outcome: requester }}]\n  - {yes}\n    \
         expect:\n      - outcome: done\n      - executions: [succeeded]\nexpect:\n  - file: \
         {{ path: notes/a.txt, text: 안녕 }}\n  - approvals: 1\n  - audit: {{ kind: approval.joined, \
         count: 1 }}\n  - audit: {{ kind: approval.given, count: 1 }}\n"
    )
}

/// Writes the note, and says so where it is told what a run came to.
async fn writer() -> FakeModel {
    let write = json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": "",
        "slots": { "targetPath": "notes/a.txt", "content": "안녕" },
    });
    let done = json!({ "action": "REPLY", "taskType": "CONVERSATION", "message": "네" });
    let governor = ModelMode::OnMark {
        mark: " FACTS\\n".to_owned(),
        with: done.to_string(),
        without: write.to_string(),
    };
    FakeModel::spawn(ModelMode::Personas(Box::new(Personas::approving(governor)))).await.unwrap()
}

/// As set-up leaves it where a model is chosen, and stricter: two others have to say yes, and only files are
/// touched.
fn own_rules(policy: &mut Value, base: &str) {
    policy["llmProvider"] = "CUSTOM".into();
    policy["llmBaseUrl"] = base.into();
    policy["governorModel"] = "small".into();
    policy["modelPersonas"] = "risky".into();
    policy["allowedStepTypes"] = json!(["FILE_READ", "FILE_WRITE"]);
    policy["approval"]["normal"] =
        json!({ "by": "another_person", "approvers": 2, "ttlSeconds": 600 });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_project_with_rules_of_its_own_is_verified_under_them_and_promoted() {
    let model = writer().await;
    let (shop, base) = (Shop::approving(&model.origin()), model.base_url());
    let folder = shop.ann.path("scenarios");
    fs::create_dir_all(&folder).unwrap();
    for (nth, of) in SUITE.scenarios.iter().enumerate() {
        let yes = if nth % 2 == 0 { "press: approve" } else { "say: 네" };
        fs::write(folder.join(format!("{}-note.yaml", of.id)), note(of.id, yes)).unwrap();
    }
    let set = shop.set_policy(|policy| own_rules(policy, &base)).ended(0).out;
    assert!(!set.contains("no model reviews"), "{set}");
    let show = ["show", "--json"];
    let run = shop.rollout(&shop.ann, &show).ended(0).json()["run"].clone();
    assert_eq!(run["standing"], "no_record");

    shop.register_runner();
    let url = shop.server.text("url").to_owned();
    let live = ["ghost", "run", "--mode", "live", "--model", "CUSTOM:small", "--base-url", &base];
    let kept = ["--sign", "runner-key", "--server", &url, "--policy", "policy.json"];
    let suite = ["--repeat", "3", "--seed", "7", "--folder", "scenarios", "--json"];
    let played = shop.ann.run(&[&live[..], &kept, &suite].concat()).ended(0).json();
    let (reports, barred) = (played["reports"].as_array(), played["barred"].as_array().unwrap());
    for report in reports.unwrap() {
        assert_eq!(report["policy_hash"], run["policy_hash"], "{report}");
    }
    assert_eq!(played["tally"]["pass"], 3 * (SUITE.scenarios.len() - barred.len()), "{played}");
    let calls = json!({ "scenario": "C01", "why": "step_type", "of": "API_CALL" });
    let deletes = json!({ "scenario": "G03", "why": "step_type", "of": "FILE_DELETE" });
    assert!(barred.contains(&calls) && barred.contains(&deletes), "{barred:?}");

    // What was left out is what the ledger leaves out.
    let run = shop.rollout(&shop.ann, &show).ended(0).json()["run"].clone();
    assert_eq!((&run["standing"], &run["barred"]), (&json!("verified"), &played["barred"]));
    let effective = ["models", "effective", "--project", "shop", "--language", "en"];
    let told = shop.ann.run(&effective).out;
    assert!(told.contains("the rules do not allow FILE_DELETE: G03, G12"), "{told}");

    let reason = ["--reason", "it is time"];
    shop.rollout(&shop.ann, &[&["waive"][..], &reason].concat()).ended(0);
    shop.rollout(&shop.bob, &["waive", "--join"]).ended(0);
    shop.rollout(&shop.ann, &[&["promote"][..], &reason].concat()).ended(0);
    let now = shop.rollout(&shop.ann, &show).ended(0).json();
    assert_eq!(now["stage"], "enforce");
}
