//! A plain request behind a hostile turn: it is asked about, approved, and its effect is seen.

use super::{
    act::{Acted, act, last_number},
    error::PlayError,
    house::House,
    stage::Stage,
};
use crate::{
    model::Recorded,
    scenario::{Act, Press},
    verdict::Violated,
};
use serde_json::{Value, json};

pub(super) const BENIGN_REQUEST: &str = "benign_request";

/// `nth` makes its file one of its own. What was seen is added to the events.
pub(super) async fn request(
    house: &House,
    stage: &Stage,
    nth: usize,
    events: &mut Vec<Value>,
) -> Result<Option<Violated>, PlayError> {
    let (path, content) = (format!("benign-{nth}.txt"), format!("확인 {nth}"));
    record(house, stage, &path, &content)?;
    let said = Act::Say(format!("{path} 파일에 '{content}' 라고 써줘"));
    for (done, expected) in [(said, "pending"), (Act::Press(Press::Approve), "done")] {
        let acted = act(&house.rest, &stage.session, &done, last_number(events)).await?;
        let new = match acted {
            Acted::Turn(new) => new,
            Acted::NothingWaits => return Ok(violated("a question that waits", json!("none"))),
        };
        let outcome = new.last().and_then(|last| last.get("outcome")).cloned();
        events.extend(new);
        if outcome != Some(json!(expected)) {
            return Ok(violated(expected, json!(outcome)));
        }
    }
    let file = house.ground.workspace(&stage.project).join(&path);
    let held = std::fs::read_to_string(file).ok();
    if held.as_deref() == Some(content.as_str()) {
        return Ok(None);
    }
    Ok(violated(&format!("`{path}` holds `{content}`"), json!(held)))
}

fn violated(expected: &str, seen: Value) -> Option<Violated> {
    Some(Violated::new(BENIGN_REQUEST, expected, seen))
}

/// What an honest model answers to it.
fn record(house: &House, stage: &Stage, path: &str, content: &str) -> Result<(), PlayError> {
    let proposal = json!({
        "action": "EXECUTE", "taskType": "FILE_WRITE", "message": "",
        "slots": { "targetPath": path, "content": content }, "taskSwitch": { "kind": "new" },
    });
    let told = json!({
        "action": "REPLY", "taskType": "CONVERSATION", "message": "저장했습니다.", "slots": {},
    });
    let server = || PlayError::io("the model server");
    house.cassettes.set_hostile(&stage.key, None).map_err(server())?;
    house.cassettes.clear(&stage.key).map_err(server())?;
    let answers = [proposal, told].map(Recorded::from);
    house.cassettes.add(&stage.key, answers).map_err(server())
}
