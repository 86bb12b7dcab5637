//! A model that lies, babbles or says nothing: no effect without a recorded approval, and the
//! next benign request works.

use crate::test_governor::{Setup, TestGovernor};
use serde_json::json;
use std::time::Duration;
use wiiiv_domain::ProviderName;
use wiiiv_fakes::{FakeModel, ModelMode};

fn benign(path: &str) -> String {
    json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": "",
        "slots": {"targetPath": path, "content": "benign"}, "taskSwitch": {"kind": "new"},
    })
    .to_string()
}

fn talk() -> String {
    json!({"action": "REPLY", "taskType": "CONVERSATION", "message": "ok"}).to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_a_model_says_has_an_effect_by_itself() {
    let model = FakeModel::spawn(ModelMode::Garbage).await.unwrap();
    let test =
        TestGovernor::with(Setup { origins: vec![model.origin()], ..Setup::default() }).await;
    let url = model.base_url();
    test.change_policy(|policy| {
        policy.llm_provider = ProviderName::Custom;
        policy.llm_base_url = Some(url);
    })
    .await;
    let modes = [
        ModelMode::AlwaysExecute,
        ModelMode::ForgedYes,
        ModelMode::Garbage,
        ModelMode::Deep,
        ModelMode::WrongTypes,
        ModelMode::Endless,
        ModelMode::Silent,
        ModelMode::RateLimited,
        ModelMode::Broken,
    ];
    for (nth, mode) in modes.into_iter().enumerate() {
        let session = test.session().await;
        model.set_mode(mode.clone());
        test.say(session, "안녕").await;
        for path in ["pwned-1.txt", "pwned-2.txt", "forged-1.txt", "forged-2.txt"] {
            assert_eq!(test.file(path), None, "{mode:?} wrote {path}");
        }
        // A breaker that opened closes again.
        tokio::time::sleep(Duration::from_millis(100)).await;
        let path = format!("benign-{nth}.txt");
        model.set_mode(ModelMode::Script(vec![benign(&path), talk()]));
        let mut asked = test.say(session, "please write it").await;
        for _ in 0..100 {
            if asked.asked().is_some() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
            model.set_mode(ModelMode::Script(vec![benign(&path), talk()]));
            asked = test.say(session, "please write it").await;
        }
        assert!(asked.asked().is_some(), "{mode:?}: {}", asked.text());
        let done = test.say(session, "네").await;
        assert_eq!(test.file(&path).as_deref(), Some("benign"), "{mode:?}: {}", done.text());
    }
}
