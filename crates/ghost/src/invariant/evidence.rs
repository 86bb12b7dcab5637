//! The evidence for the invariants: the server's own records, and everything that it sent out.

use crate::{
    harness::{LiveModel, PlayError, ProjectSetup, RestClient, Servers, required_text},
    scanner::Canary,
    scenario::ServiceName,
    verdict::{Call, Window},
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{Blueprint, Consensus, Effect, Node, ProjectPolicy};

pub(crate) struct Evidence {
    pub(super) runs: Vec<Run>,
    pub(super) calls: BTreeMap<ServiceName, Vec<Call>>,
    /// Host and port of each service.
    pub(super) hosts: BTreeMap<ServiceName, (String, u16)>,
    /// Files with a content that no scenario wrote, by path; `None`: the file is gone.
    pub(super) changed: BTreeMap<String, Option<Vec<u8>>>,
    /// Journal events of the session.
    pub(super) events: Vec<Value>,
    pub(super) export: Vec<u8>,
    pub(super) audit_key: String,
    /// Everything that the server sent out, with its source.
    pub(super) sent: Vec<(String, Vec<u8>)>,
    pub(super) canaries: Vec<Canary>,
    /// The project names no model: the built-in understanding answers every turn.
    pub(super) is_built_in: bool,
    /// Texts of documents that prompts may show passages of.
    pub(super) documents: Vec<String>,
}

/// One execution with the records that justify it.
pub(super) struct Run {
    pub(super) id: String,
    pub(super) blueprint: Blueprint,
    /// The policy version of its plan.
    pub(super) policy: ProjectPolicy,
    /// Who approved its digest, if the approval was used for this run, also where it was given back.
    pub(super) approved: Option<String>,
    /// How many different people have, but the requester and whoever wrote values of it.
    pub(super) others: usize,
    pub(super) attempts: Vec<Value>,
    /// By step.
    pub(super) outputs: BTreeMap<String, Vec<u8>>,
}

impl Evidence {
    pub(crate) async fn gather(
        servers: &Servers,
        setup: &ProjectSetup,
        window: &Window,
    ) -> Result<Self, PlayError> {
        let (rest, project) = (&servers.rest, &setup.project);
        let mut sent = Vec::new();
        let runs = runs(rest, project, &mut sent).await?;
        for listed in ["systems", "blueprints", "policy/versions", "sessions"] {
            let answer = rest.get(&format!("/projects/{project}/{listed}")).await?;
            sent.push((format!("REST {listed}"), answer.to_string().into_bytes()));
        }
        let history = rest.rows(&format!("/sessions/{}/history", setup.session)).await?;
        sent.push(("history".to_owned(), Value::from(history).to_string().into_bytes()));
        let events = Value::from(window.events.clone()).to_string().into_bytes();
        sent.push(("events".to_owned(), events));
        let prompts = servers.cassettes.requests(&setup.cassette).into_iter();
        sent.extend(prompts.map(|prompt| ("prompt".to_owned(), prompt.into_bytes())));
        let export = rest.bytes(&format!("/audit/{project}/export")).await?;
        sent.push(("audit export".to_owned(), export.clone()));
        let keys = rest.get("/audit/keys").await?;
        let audit_key = keys.pointer("/items/0").unwrap_or(&Value::Null);
        Ok(Self {
            runs,
            calls: window.calls.clone(),
            hosts: setup
                .socket_addresses()
                .map(|(name, address)| (name, (address.ip().to_string(), address.port())))
                .collect(),
            changed: changed(&setup.scenario_contents, &window.files),
            events: window.events.clone(),
            audit_key: required_text(audit_key, "public_key")?,
            export,
            sent,
            canaries: canaries(servers, setup),
            is_built_in: setup.is_built_in,
            documents: setup.document_texts.clone(),
        })
    }
}

async fn runs(
    rest: &RestClient,
    project: &str,
    sent: &mut Vec<(String, Vec<u8>)>,
) -> Result<Vec<Run>, PlayError> {
    let policies = rest.rows(&format!("/projects/{project}/policy/versions")).await?;
    let questions = rest.rows(&format!("/approvals?project={project}")).await?;
    let grants = rest.rows(&format!("/projects/{project}/approval-grants")).await?;
    sent.push(("grants".to_owned(), Value::from(grants.clone()).to_string().into_bytes()));
    let mut runs = Vec::new();
    for listed in rest.rows(&format!("/projects/{project}/executions")).await? {
        let id = required_text(&listed, "id")?;
        let detail = rest.get(&format!("/executions/{id}")).await?;
        let plan =
            rest.get(&format!("/blueprints/{}", required_text(&listed, "blueprint")?)).await?;
        sent.push(("execution".to_owned(), detail.to_string().into_bytes()));
        sent.push(("plan".to_owned(), plan.to_string().into_bytes()));
        let document = plan.get("document").cloned().unwrap_or_default();
        let blueprint: Blueprint =
            serde_json::from_value(document).map_err(|_| PlayError::answer("document", &plan))?;
        let policy = policy_of(&policies, &blueprint)?;
        let given_back = gave_back(&detail, &blueprint);
        let used = |approval: &&Value| {
            let of = |name: &str| approval.get(name).and_then(Value::as_str);
            let own = |name: &'static str| listed.get(name).and_then(Value::as_str);
            let here = match of("execution") {
                Some(run) => run == id && of("state") == Some("consumed"),
                None => given_back && of("state") != Some("rejected"),
            };
            here && of("decided_by").is_some()
                && of("digest") == own("digest")
                && of("blueprint") == own("blueprint")
        };
        let approved = questions.iter().find(used);
        let granter = granter(&grants, (&id, &listed), &blueprint);
        let own = blueprint.spec_snapshot.requester.to_string();
        let by_grant = usize::from(granter.as_ref().is_some_and(|granter| *granter != own));
        let others = others_of(approved, &blueprint).max(by_grant);
        if let Some(approval) = approved {
            let question =
                rest.get(&format!("/approvals/{}", required_text(approval, "id")?)).await?;
            sent.push(("preview".to_owned(), question.to_string().into_bytes()));
        }
        let approved =
            approved.map(|approval| required_text(approval, "decided_by")).transpose()?.or(granter);
        let attempts =
            detail.get("attempts").and_then(Value::as_array).cloned().unwrap_or_default();
        let outputs = outputs(rest, &id, &attempts).await?;
        let steps = outputs.iter();
        sent.extend(steps.map(|(step, bytes)| (format!("output of `{step}`"), bytes.clone())));
        runs.push(Run { id, blueprint, policy, approved, others, attempts, outputs });
    }
    Ok(runs)
}

/// Who approved it beforehand: for this requester, in time, before it was revoked, and no more often than they
/// said. Never a risky plan, nor one that the review did not let through.
fn granter(grants: &[Value], (run, listed): (&str, &Value), plan: &Blueprint) -> Option<String> {
    let review = &plan.spec_snapshot.deliberation;
    if review.risky || review.consensus != Consensus::Yes {
        return None;
    }
    let own = |of: &Value, name: &str| of.get(name).and_then(Value::as_str).map(str::to_owned);
    let count = |of: &Value, name: &str| of.get(name).and_then(Value::as_u64);
    let grant = grants.iter().find(|grant| {
        let uses = grant.get("used_by").and_then(Value::as_array);
        let used =
            uses.into_iter().flatten().find(|of| own(of, "execution").as_deref() == Some(run));
        let Some(used) = used else { return false };
        // Times in UTC compare as texts, and none is before all of them.
        let at = own(used, "at");
        own(used, "digest") == own(listed, "digest")
            && own(grant, "holder") == Some(plan.spec_snapshot.requester.to_string())
            && at >= own(grant, "not_before")
            && at < own(grant, "expires_at")
            && own(grant, "revoked_at").is_none_or(|revoked| at <= Some(revoked))
            && count(grant, "used") <= count(grant, "uses")
    })?;
    own(grant, "granter")
}

/// People, and those whose rights they used: whoever asked for it or wrote values of it is none of either.
fn others_of(approval: Option<&Value>, plan: &Blueprint) -> usize {
    let proposers = plan.spec_snapshot.editors().into_iter().chain([plan.spec_snapshot.requester]);
    let proposers: BTreeSet<String> = proposers.map(|who| who.to_string()).collect();
    let yeses = approval.and_then(|approval| approval.get("approved_by")?.as_array());
    let others = yeses.into_iter().flatten().filter_map(|yes| {
        let who = yes.get("user")?.as_str()?;
        let whose = yes.get("on_behalf_of").and_then(Value::as_str).unwrap_or(who);
        let apart = !proposers.contains(who) && !proposers.contains(whose);
        apart.then_some((who, whose))
    });
    let (people, rights): (BTreeSet<&str>, BTreeSet<&str>) = others.unzip();
    people.len().min(rights.len())
}

/// It failed, and no step of it that acts was begun: the yes to it may stand again.
fn gave_back(run: &Value, plan: &Blueprint) -> bool {
    let attempts = run.get("attempts").and_then(Value::as_array).into_iter().flatten();
    let acted = |attempt: &Value| {
        let step = attempt.get("step").and_then(Value::as_str);
        let reads = |node: &Node| step == Some(node.id.as_str()) && node.effect == Effect::Read;
        let not_started = attempt.get("not_started") == Some(&Value::Bool(true));
        !not_started && !plan.nodes.iter().any(reads)
    };
    run.get("state").and_then(Value::as_str) == Some("failed") && !attempts.into_iter().any(acted)
}

fn policy_of(versions: &[Value], blueprint: &Blueprint) -> Result<ProjectPolicy, PlayError> {
    let id = blueprint.policy.to_string();
    let version = versions.iter().find(|v| v.get("id").and_then(Value::as_str) == Some(&id));
    let document = version.and_then(|version| version.get("policy")).cloned().unwrap_or_default();
    serde_json::from_value(document.clone()).map_err(|_| PlayError::answer("policy", &document))
}

async fn outputs(
    rest: &RestClient,
    run: &str,
    attempts: &[Value],
) -> Result<BTreeMap<String, Vec<u8>>, PlayError> {
    let mut outputs = BTreeMap::new();
    for attempt in
        attempts.iter().filter(|attempt| attempt.get("output").is_some_and(Value::is_object))
    {
        let step = required_text(attempt, "step")?;
        let bytes = rest.bytes(&format!("/executions/{run}/output/{step}")).await?;
        outputs.insert(step, bytes);
    }
    Ok(outputs)
}

/// Existing and removed files whose content did not come from the scenario.
fn changed(
    scenario_contents: &BTreeMap<String, Vec<Vec<u8>>>,
    after: &BTreeMap<String, Vec<u8>>,
) -> BTreeMap<String, Option<Vec<u8>>> {
    let paths: BTreeSet<&String> = scenario_contents.keys().chain(after.keys()).collect();
    let own = |path: &&String| match (scenario_contents.get(*path), after.get(*path)) {
        (Some(known), Some(content)) => !known.contains(content),
        (known, content) => known.is_some() || content.is_some(),
    };
    paths.into_iter().filter(own).map(|path| (path.clone(), after.get(path).cloned())).collect()
}

/// The passwords of the registrations, every token that a service issued, and the key of a real model.
pub(crate) fn canaries(servers: &Servers, setup: &ProjectSetup) -> Vec<Canary> {
    let tokens = setup.services.iter().flat_map(|(name, service)| {
        let tokens = service.tokens().into_iter();
        tokens.map(move |secret| Canary {
            name: format!("token of {name}"),
            user: String::new(),
            secret,
        })
    });
    let key = servers.live.iter().filter_map(LiveModel::canary);
    setup.canaries.iter().cloned().chain(tokens).chain(key).collect()
}
