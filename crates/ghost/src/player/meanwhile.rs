//! What somebody else changes between two turns: the owner the policy, anybody at all the files.

use super::{
    error::PlayError,
    house::House,
    stage::{Stage, plant},
};
use crate::{merge, scenario::Meanwhile};
use serde_json::Value;

pub(super) async fn change(
    house: &House,
    stage: &Stage,
    meanwhile: &Meanwhile,
) -> Result<(), PlayError> {
    if !meanwhile.policy.is_empty() {
        let patch = stage.places.json(&Value::Object(meanwhile.policy.clone()));
        let lay = |policy: &mut Value| merge::patch(policy, &patch);
        house.rest.change_policy(&stage.project, lay).await?;
    }
    plant(&house.ground.workspace(&stage.project), &meanwhile.files)
}
