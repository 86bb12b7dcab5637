//! Overrides as people see them: names, what each changes, and the time that is left.

use crate::{
    access::caller::Caller,
    dto::{
        override_mark::scope_parts,
        policy_override::{OverrideState, OverrideView},
    },
    policy::changes,
    problem::{Problem, refusal::internal},
};
use std::collections::BTreeMap;
use wiiiv_domain::{PolicyVersionId, ProjectId, ProjectPolicy, Timestamp, UserId};
use wiiiv_hlx::neutralise;
use wiiiv_store::OverrideRow;

pub(crate) async fn override_view(
    caller: &Caller,
    project: ProjectId,
    row: OverrideRow,
) -> Result<OverrideView, Problem> {
    let views = override_views(caller, project, vec![row]).await?;
    views.into_iter().next().ok_or_else(|| internal(&"an override without a view"))
}

pub(crate) async fn override_views(
    caller: &Caller,
    project: ProjectId,
    rows: Vec<OverrideRow>,
) -> Result<Vec<OverrideView>, Problem> {
    let (store, now) = (caller.state.store(), caller.state.governor().now());
    let current = store.policy(project).await?.body().document().id;
    let mut made_on: BTreeMap<PolicyVersionId, ProjectPolicy> = BTreeMap::new();
    for on in rows.iter().map(|row| row.proposal.on) {
        if !made_on.contains_key(&on)
            && let Some(version) = store.policy_version(project, on).await?
        {
            made_on.insert(on, version.body().document().policy.clone());
        }
    }
    let people = rows.iter().flat_map(|row| {
        let approved = row.approval.map(|approval| approval.by);
        let ended = row.ended.as_ref().and_then(|ended| ended.by);
        std::iter::once(row.proposed_by).chain(approved).chain(ended)
    });
    let names = caller.state.names().of(store, people).await?;
    let name = |user: UserId| names.get(&user).map(ToString::to_string);
    rows.into_iter()
        .map(|row| {
            let before = made_on.get(&row.proposal.on);
            view(row, (before, current), name, now)
        })
        .collect()
}

fn state(row: &OverrideRow, current: PolicyVersionId, now: Timestamp) -> OverrideState {
    if row.runs(now) {
        return OverrideState::Running;
    }
    match row.waits(now) {
        true if row.proposal.on == current => OverrideState::Waiting,
        true => OverrideState::Lapsed,
        false if row.ended.is_none() && row.approval.is_none() => OverrideState::Lapsed,
        false => OverrideState::Ended,
    }
}

fn view(
    row: OverrideRow,
    (before, current): (Option<&ProjectPolicy>, PolicyVersionId),
    name: impl Fn(UserId) -> Option<String>,
    now: Timestamp,
) -> Result<OverrideView, Problem> {
    let json = |policy: &ProjectPolicy| serde_json::to_value(policy).map_err(|e| internal(&e));
    let changes = match before {
        Some(before) => changes(&json(before)?, &json(&row.proposal.policy)?),
        None => Vec::new(),
    };
    let state = state(&row, current, now);
    let (scope, task_type) = scope_parts(row.proposal.scope);
    let until = row.approval.map(|approval| approval.until);
    let left = until.filter(|_| state == OverrideState::Running);
    let ended_by = row.ended.as_ref().and_then(|ended| ended.by);
    Ok(OverrideView {
        id: row.proposal.id.uuid(),
        state,
        scope,
        task_type,
        ttl_seconds: row.proposal.ttl_seconds,
        reason: neutralise(&row.proposal.reason),
        on: row.proposal.on.uuid(),
        policy: row.proposal.policy,
        changes,
        proposed_by: row.proposed_by.uuid(),
        proposed_by_name: name(row.proposed_by),
        proposed_at: row.proposed_at.to_string(),
        expires_at: row.expires_at.to_string(),
        approved_by: row.approval.map(|approval| approval.by.uuid()),
        approved_by_name: row.approval.and_then(|approval| name(approval.by)),
        approved_at: row.approval.map(|approval| approval.at.to_string()),
        version: row.approval.map(|approval| approval.version.uuid()),
        until: until.map(|until| until.to_string()),
        seconds_left: left.map(|until| until.since_ms(now).div_ceil(1_000)),
        used_by: row.used_by.map(|run| run.uuid()),
        ended: row.ended.as_ref().map(|ended| ended.how.into()),
        ended_by: ended_by.map(|user| user.uuid()),
        ended_by_name: ended_by.and_then(name),
        ended_reason: row.ended.as_ref().and_then(|e| e.reason.as_deref().map(neutralise)),
        ended_at: row.ended.as_ref().map(|ended| ended.at.to_string()),
    })
}
