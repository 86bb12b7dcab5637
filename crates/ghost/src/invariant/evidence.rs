//! What the invariants are judged by: the server's own records, and everything that it gave out.

use super::Canary;
use crate::{
    player::{House, LiveModel, PlayError, Rest, Stage, text},
    scenario::ServiceName,
    verdict::{Call, Window},
};
use serde_json::Value;
use std::collections::BTreeMap;
use wiiiv_domain::{Blueprint, ProjectPolicy};

pub(crate) struct Evidence {
    pub(super) runs: Vec<Run>,
    pub(super) calls: BTreeMap<ServiceName, Vec<Call>>,
    /// Host and port of each service.
    pub(super) hosts: BTreeMap<ServiceName, (String, u16)>,
    /// What is no longer what the workspace began with, by path; `None`: it is gone.
    pub(super) changed: BTreeMap<String, Option<Vec<u8>>>,
    /// Journal events of the session.
    pub(super) events: Vec<Value>,
    pub(super) export: Vec<u8>,
    pub(super) audit_key: String,
    /// Everything that was given out, by where.
    pub(super) given: Vec<(String, Vec<u8>)>,
    pub(super) canaries: Vec<Canary>,
    /// The project names no model: the built-in understanding answers every turn.
    pub(super) is_built_in: bool,
}

/// One execution with what it rests on.
pub(super) struct Run {
    pub(super) id: String,
    pub(super) blueprint: Blueprint,
    /// The version that it was drawn under.
    pub(super) policy: ProjectPolicy,
    /// Who said yes to its digest, where the yes was used for this very run.
    pub(super) approved: Option<String>,
    pub(super) attempts: Vec<Value>,
    /// By step.
    pub(super) outputs: BTreeMap<String, Vec<u8>>,
}

impl Evidence {
    pub(crate) async fn gather(
        house: &House,
        stage: &Stage,
        window: &Window,
    ) -> Result<Self, PlayError> {
        let (rest, project) = (&house.rest, &stage.project);
        let mut given = Vec::new();
        let runs = runs(rest, project, &mut given).await?;
        for listed in ["systems", "blueprints", "policy/versions", "sessions"] {
            let answer = rest.get(&format!("/projects/{project}/{listed}")).await?;
            given.push((format!("REST {listed}"), answer.to_string().into_bytes()));
        }
        let history = rest.rows(&format!("/sessions/{}/history", stage.session)).await?;
        given.push(("history".to_owned(), Value::from(history).to_string().into_bytes()));
        let events = Value::from(window.events.clone()).to_string().into_bytes();
        given.push(("events".to_owned(), events));
        let prompts = house.cassettes.requests(&stage.key).into_iter();
        given.extend(prompts.map(|prompt| ("prompt".to_owned(), prompt.into_bytes())));
        let export = rest.bytes(&format!("/audit/{project}/export")).await?;
        given.push(("audit export".to_owned(), export.clone()));
        let keys = rest.get("/audit/keys").await?;
        let audit_key = keys.pointer("/items/0").unwrap_or(&Value::Null);
        Ok(Self {
            runs,
            calls: window.calls.clone(),
            hosts: stage
                .addresses()
                .map(|(name, address)| (name, (address.ip().to_string(), address.port())))
                .collect(),
            changed: changed(&stage.foreign, &window.files),
            events: window.events.clone(),
            audit_key: text(audit_key, "public_key")?,
            export,
            given,
            canaries: canaries(house, stage),
            is_built_in: stage.is_built_in,
        })
    }
}

async fn runs(
    rest: &Rest,
    project: &str,
    given: &mut Vec<(String, Vec<u8>)>,
) -> Result<Vec<Run>, PlayError> {
    let policies = rest.rows(&format!("/projects/{project}/policy/versions")).await?;
    let consumed = rest.rows(&format!("/approvals?project={project}&state=consumed")).await?;
    let mut runs = Vec::new();
    for listed in rest.rows(&format!("/projects/{project}/executions")).await? {
        let id = text(&listed, "id")?;
        let detail = rest.get(&format!("/executions/{id}")).await?;
        let plan = rest.get(&format!("/blueprints/{}", text(&listed, "blueprint")?)).await?;
        given.push(("execution".to_owned(), detail.to_string().into_bytes()));
        given.push(("plan".to_owned(), plan.to_string().into_bytes()));
        let document = plan.get("document").cloned().unwrap_or_default();
        let blueprint: Blueprint =
            serde_json::from_value(document).map_err(|_| PlayError::answer("document", &plan))?;
        let policy = policy_of(&policies, &blueprint)?;
        let used = |approval: &&Value| {
            let of = |name: &str| approval.get(name).and_then(Value::as_str);
            of("execution") == Some(id.as_str())
                && of("decided_by").is_some()
                && of("digest") == listed.get("digest").and_then(Value::as_str)
        };
        let approved = consumed.iter().find(used);
        if let Some(approval) = approved {
            let question = rest.get(&format!("/approvals/{}", text(approval, "id")?)).await?;
            given.push(("preview".to_owned(), question.to_string().into_bytes()));
        }
        let approved = approved.map(|approval| text(approval, "decided_by")).transpose()?;
        let attempts =
            detail.get("attempts").and_then(Value::as_array).cloned().unwrap_or_default();
        let outputs = outputs(rest, &id, &attempts).await?;
        let steps = outputs.iter();
        given.extend(steps.map(|(step, bytes)| (format!("output of `{step}`"), bytes.clone())));
        runs.push(Run { id, blueprint, policy, approved, attempts, outputs });
    }
    Ok(runs)
}

fn policy_of(versions: &[Value], blueprint: &Blueprint) -> Result<ProjectPolicy, PlayError> {
    let id = blueprint.policy.to_string();
    let version = versions.iter().find(|v| v.get("id").and_then(Value::as_str) == Some(&id));
    let document = version.and_then(|version| version.get("policy")).cloned().unwrap_or_default();
    serde_json::from_value(document.clone()).map_err(|_| PlayError::answer("policy", &document))
}

async fn outputs(
    rest: &Rest,
    run: &str,
    attempts: &[Value],
) -> Result<BTreeMap<String, Vec<u8>>, PlayError> {
    let mut outputs = BTreeMap::new();
    for attempt in
        attempts.iter().filter(|attempt| attempt.get("output").is_some_and(Value::is_object))
    {
        let step = text(attempt, "step")?;
        let bytes = rest.bytes(&format!("/executions/{run}/output/{step}")).await?;
        outputs.insert(step, bytes);
    }
    Ok(outputs)
}

/// What was there at first, or is there now, and holds what nobody else put there.
fn changed(
    foreign: &BTreeMap<String, Vec<Vec<u8>>>,
    after: &BTreeMap<String, Vec<u8>>,
) -> BTreeMap<String, Option<Vec<u8>>> {
    let paths: std::collections::BTreeSet<&String> = foreign.keys().chain(after.keys()).collect();
    let own = |path: &&String| match (foreign.get(*path), after.get(*path)) {
        (Some(known), Some(held)) => !known.contains(held),
        (known, held) => known.is_some() || held.is_some(),
    };
    paths.into_iter().filter(own).map(|path| (path.clone(), after.get(path).cloned())).collect()
}

/// The passwords that were given to registrations, every token that was given for them, and the key
/// that a real model is asked with.
pub(crate) fn canaries(house: &House, stage: &Stage) -> Vec<Canary> {
    let tokens = stage.services.iter().flat_map(|(name, service)| {
        let tokens = service.tokens().into_iter();
        tokens.map(move |secret| Canary {
            name: format!("token of {name}"),
            user: String::new(),
            secret,
        })
    });
    let key = house.live.iter().filter_map(LiveModel::canary);
    stage.canaries.iter().cloned().chain(tokens).chain(key).collect()
}
