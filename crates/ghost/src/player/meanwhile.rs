//! Changes by others between two turns: the owner changes the policy or halts the project, an
//! approver clears a hold, approves something beforehand or lends a right, both override the
//! policy, anybody changes the files.

use crate::{
    harness::{PlayError, ProjectSetup, Servers, required_text, write_files},
    merge,
    scenario::{Granted, Meanwhile},
};
use serde_json::{Value, json};
use std::time::SystemTime;
use wiiiv_domain::Timestamp;

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

/// Apart from [`change`]: under a halt nobody can ask for anything, a benign request included.
pub(super) async fn halt(
    servers: &Servers,
    setup: &ProjectSetup,
    meanwhile: &Meanwhile,
) -> Result<(), PlayError> {
    let word = match meanwhile.halted {
        None => return Ok(()),
        Some(true) => "halt",
        Some(false) => "resume",
    };
    let reason = json!({ "reason": "as the scenario has it" });
    servers.rest.post(&format!("/projects/{}/{word}", setup.project), reason).await?;
    Ok(())
}

/// Apart from [`change`]: nothing else changes the policy while one runs.
pub(super) async fn override_policy(
    servers: &Servers,
    setup: &ProjectSetup,
    meanwhile: &Meanwhile,
) -> Result<(), PlayError> {
    let below = format!("/projects/{}/overrides", setup.project);
    let open = async || -> Result<Option<String>, PlayError> {
        let open = servers.rest.get(&format!("{below}?open=true")).await?;
        let first = open.pointer("/items/0/id").and_then(Value::as_str);
        Ok(first.map(str::to_owned))
    };
    if meanwhile.override_ended
        && let Some(id) = open().await?
    {
        let reason = json!({ "reason": "as the scenario has it" });
        servers.rest.post(&format!("{below}/{id}/end"), reason).await?;
    }
    let Some(overridden) = &meanwhile.overridden else { return Ok(()) };
    let id = match open().await? {
        Some(id) => id,
        None => {
            let patch = setup.addresses.fill_json(&Value::Object(overridden.policy.clone()));
            let apply = |policy: &mut Value| merge::patch(policy, &patch);
            let scope = json!({ "scope": overridden.scope, "ttl_seconds": 3600 });
            servers.rest.propose_override(&setup.project, scope, apply).await?
        }
    };
    if !overridden.alone {
        let approver = setup.conversation().approver(&servers.rest)?;
        approver.post(&format!("{below}/{id}/approve"), json!({})).await?;
    }
    Ok(())
}

/// Apart from [`change`]: where a hostile model answers nothing may have been approved.
pub(super) async fn grant(
    servers: &Servers,
    setup: &ProjectSetup,
    meanwhile: &Meanwhile,
) -> Result<(), PlayError> {
    let below = format!("/projects/{}/approval-grants", setup.project);
    if let Some(Granted { step, uses }) = &meanwhile.granted {
        let approver = setup.conversation().approver(&servers.rest)?;
        let asked = servers.rest.rows(&format!("/approvals?project={}", setup.project)).await?;
        let newest = asked.first().ok_or_else(|| missing("a question"))?;
        let approval = required_text(newest, "id")?;
        let body = json!({ "approval": approval, "step": step, "uses": uses, "seconds": 3_600 });
        approver.post(&below, body).await?;
    }
    if meanwhile.revoked {
        let approver = setup.conversation().approver(&servers.rest)?;
        let given = servers.rest.rows(&below).await?;
        let newest = given.first().ok_or_else(|| missing("a grant"))?;
        approver.delete(&format!("{below}/{}", required_text(newest, "id")?)).await?;
    }
    Ok(())
}

fn missing(what: &str) -> PlayError {
    PlayError::Scenario(format!("there is no such thing yet: {what}"))
}

/// Apart from [`change`]: where a hostile model answers there may be no hold.
pub(super) async fn clear(
    servers: &Servers,
    setup: &ProjectSetup,
    meanwhile: &Meanwhile,
) -> Result<(), PlayError> {
    if !meanwhile.cleared {
        return Ok(());
    }
    let approver = setup.conversation().approver(&servers.rest)?;
    let reason = json!({ "reason": "as the scenario has it" });
    approver.post(&format!("/sessions/{}/risk/clear", setup.session), reason).await?;
    Ok(())
}

/// Apart from [`change`]: the approver does it, and whoever stands in has to be there.
pub(super) async fn delegate(
    servers: &Servers,
    setup: &ProjectSetup,
    meanwhile: &Meanwhile,
) -> Result<(), PlayError> {
    let Some(lends) = meanwhile.delegated else { return Ok(()) };
    let conversation = setup.conversation();
    let approver = conversation.approver(&servers.rest)?;
    let below = format!("/projects/{}/approval-delegations", setup.project);
    if lends {
        let (to, until) = (conversation.stand_in_id()?, in_an_hour());
        let body = json!({ "to": to, "until": until, "reason": "as the scenario has it" });
        return approver.post(&below, body).await.map(drop);
    }
    let open = |one: &&Value| one.get("may_end") == Some(&Value::Bool(true));
    for lent in approver.rows(&below).await?.iter().filter(open) {
        approver.delete(&format!("{below}/{}", required_text(lent, "id")?)).await?;
    }
    Ok(())
}

fn in_an_hour() -> Timestamp {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Timestamp::since_epoch(now).plus_seconds(60 * 60)
}
