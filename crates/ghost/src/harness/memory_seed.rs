//! Writes what the person and the project of a scenario keep in mind when it begins.

use super::{error::PlayError, rest_client::RestClient};
use crate::scenario::MemorySeed;

/// All scenarios of a server have the same person: what was kept in an earlier one is replaced.
pub(super) async fn seed_memory(
    rest: &RestClient,
    (person, project): (&str, &str),
    seed: &MemorySeed,
    label: &str,
) -> Result<(), PlayError> {
    rest.replace_memory(&format!("/users/{person}/memory"), &seed.user).await?;
    let below = format!("/projects/{project}/memory");
    if !seed.by_editor {
        return rest.replace_memory(&below, &seed.project).await;
    }
    let (editor, token) = rest.enrol(&format!("editor-{label}"), "an editor's password").await?;
    rest.add_member(project, &editor, "editor").await?;
    rest.as_person(&token).replace_memory(&below, &seed.project).await
}
