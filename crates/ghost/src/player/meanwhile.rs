//! Changes by others between two turns: the owner changes the policy, anybody the files.

use crate::{
    harness::{PlayError, ProjectSetup, Servers, write_files},
    merge,
    scenario::Meanwhile,
};
use serde_json::Value;

pub(super) async fn change(
    servers: &Servers,
    setup: &ProjectSetup,
    meanwhile: &Meanwhile,
) -> Result<(), PlayError> {
    if !meanwhile.policy.is_empty() {
        let patch = setup.addresses.fill_json(&Value::Object(meanwhile.policy.clone()));
        let apply = |policy: &mut Value| merge::patch(policy, &patch);
        servers.rest.change_policy(&setup.project, apply).await?;
    }
    write_files(&servers.home.workspace(&setup.project), &meanwhile.files)
}
