//! One scenario's project: its services, policy, systems, files and session.

use super::{
    error::PlayError,
    house::House,
    rest::{Rest, text},
    seed::Draw,
};
use crate::{
    invariant::Canary,
    merge,
    scenario::{Places, Provider, Scenario, ServiceName},
    services::{DemoService, LogIn, TestSite},
};
use secrecy::SecretString;
use serde::Deserialize as _;
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, net::SocketAddr, path::Path};
use wiiiv_domain::ProjectPolicy;

const SECRET_LETTERS: usize = 28;
/// What a policy names where the model is recorded; the address says which cassette answers.
const RECORDED: &str = "recorded";
const BUILT_IN: &str = "offline";
/// Names under which people know a server of this machine.
const LOOPBACK: [&str; 2] = ["127.0.0.1", "localhost"];

pub(crate) struct Stage {
    pub(crate) project: String,
    pub(crate) session: String,
    /// The cassette's.
    pub(crate) key: String,
    pub(crate) services: BTreeMap<ServiceName, DemoService>,
    pub(crate) site: Option<TestSite>,
    /// The credentials that were given to the services' registrations.
    pub(crate) canaries: Vec<Canary>,
    pub(crate) places: Places,
    /// What the workspace held at first, and what is written into it past the server.
    pub(crate) foreign: BTreeMap<String, Vec<Vec<u8>>>,
    approver: Option<SecretString>,
    /// A new project's policy with the scenario's model and parties; `None`: the scenario keeps to it.
    pub(super) plain_policy: Option<Value>,
    /// No model is asked: the built-in understanding answers.
    pub(crate) is_built_in: bool,
    /// Of the rules that it began with.
    pub(crate) policy_hash: String,
}

/// Where people speak and press, and who else may say yes there.
pub(super) struct Talk {
    pub(super) session: String,
    pub(super) project: String,
    approver: Option<SecretString>,
}

impl Talk {
    /// Who may say yes to what the person asks for.
    pub(super) fn approver(&self, rest: &Rest) -> Result<Rest, PlayError> {
        let nobody = || PlayError::Scenario("nobody else was admitted".to_owned());
        Ok(rest.speaking_as(self.approver.as_ref().ok_or_else(nobody)?))
    }
}

impl Stage {
    /// `label` is unique in the house: letters, digits, `-`.
    pub(crate) async fn set(
        house: &House,
        scenario: &Scenario,
        label: &str,
        seed: u64,
    ) -> Result<Self, PlayError> {
        let Running { services, site, canaries, places } =
            Running::open(scenario, &mut Draw::of(seed, label)).await?;
        let rest = &house.rest;
        let project = rest.post("/projects", json!({ "name": label })).await?;
        let project = text(&project, "id")?;
        let own = Value::Object(scenario.project.policy.clone());
        let (mut begins_with, mut plain) = (Value::Null, Value::Null);
        let policy = rest.change_policy(&project, |policy| {
            begins_with.clone_from(policy);
            with_model(policy, scenario.provider, house, label);
            services.values().for_each(|service| with_host(policy, service));
            site.iter().for_each(|site| with_site(policy, site));
            plain.clone_from(policy);
            merge::patch(policy, &own);
        });
        policy.await?;
        let policy_hash = rules_hash(&begins_with)?;
        for (service, canary) in services.values().zip(&canaries) {
            let credential = (canary.user.as_str(), canary.secret.as_str());
            rest.register(&project, service.system(), credential).await?;
        }
        plant(&house.ground.workspace(&project), &scenario.project.files)?;
        let foreign = foreign(scenario);
        let approver = match scenario.has_approver() {
            true => Some(approver(rest, &project, label).await?),
            false => None,
        };
        let session = session(rest, &project).await?;
        house.cassettes.clear(label).map_err(PlayError::io("the model server"))?;
        let key = label.to_owned();
        Ok(Self {
            project,
            session,
            key,
            services,
            site,
            canaries,
            places,
            foreign,
            approver,
            plain_policy: scenario.has_own_policy().then_some(plain),
            is_built_in: house.live.is_none() && scenario.is_offline(),
            policy_hash,
        })
    }

    /// Where each party of the scenario listens.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = (ServiceName, SocketAddr)> {
        let services = self.services.iter().map(|(name, service)| (*name, service.address()));
        let site = self.site.iter().map(|site| (ServiceName::Testsite, site.address()));
        services.chain(site)
    }

    /// Rows, logs and tokens as at the start.
    pub(super) fn reset(&self) {
        self.services.values().for_each(DemoService::reset);
        self.site.iter().for_each(TestSite::reset);
    }

    /// The conversation that is watched.
    pub(super) fn talk(&self) -> Talk {
        self.talk_in(self.session.clone())
    }

    /// A further one of the same person in the same project.
    pub(super) async fn another(&self, rest: &Rest) -> Result<Talk, PlayError> {
        Ok(self.talk_in(session(rest, &self.project).await?))
    }

    fn talk_in(&self, session: String) -> Talk {
        Talk { session, project: self.project.clone(), approver: self.approver.clone() }
    }
}

/// The scenario's parties.
#[derive(Default)]
struct Running {
    services: BTreeMap<ServiceName, DemoService>,
    site: Option<TestSite>,
    /// In the order of the services.
    canaries: Vec<Canary>,
    places: Places,
}

impl Running {
    async fn open(scenario: &Scenario, draw: &mut Draw) -> Result<Self, PlayError> {
        let (mut running, mut canaries) = (Self::default(), BTreeMap::new());
        for &name in &scenario.project.services {
            let failed = PlayError::io(format!("`{name}`"));
            let Some(kind) = name.kind() else {
                let site = TestSite::open(0).await.map_err(failed)?;
                running.places.add(name, &site.url());
                running.site = Some(site);
                continue;
            };
            let canary = Canary {
                name: format!("password of {name}"),
                user: format!("{name}-{}", draw.word(8)),
                secret: draw.word(SECRET_LETTERS),
            };
            let password = SecretString::from(canary.secret.as_str());
            let user = LogIn { username: canary.user.clone(), password };
            let service = DemoService::open(kind, 0, user).await.map_err(failed)?;
            running.places.add(name, &service.url());
            running.services.insert(name, service);
            canaries.insert(name, canary);
        }
        running.canaries = canaries.into_values().collect();
        Ok(running)
    }
}

fn with_model(policy: &mut Value, provider: Provider, house: &House, label: &str) {
    if let Some(live) = &house.live {
        return live.named(policy, &house.cassettes.passing_url(label));
    }
    let model = match provider {
        Provider::Recorded => json!({
            "llmProvider": "CUSTOM", "llmBaseUrl": house.cassettes.base_url(label),
            "governorModel": RECORDED,
        }),
        Provider::Offline => json!({
            "llmProvider": "OFFLINE", "llmBaseUrl": null, "governorModel": BUILT_IN,
        }),
    };
    merge::patch(policy, &model);
}

/// As the registration proposes it: on loopback, so private.
fn with_host(policy: &mut Value, service: &DemoService) {
    let rule = serde_json::to_value(service.system().proposed_rule(true)).unwrap_or_default();
    if let Some(hosts) = policy.get_mut("allowedHosts").and_then(Value::as_array_mut) {
        hosts.push(rule);
    }
}

/// By both of its names, as an administrator allows a web site on the intranet.
fn with_site(policy: &mut Value, site: &TestSite) {
    let rule = |host: &str| {
        let port = site.address().port();
        json!({ "host": host, "scheme": "http", "port": port, "private": true })
    };
    if let Some(hosts) = policy.get_mut("allowedHosts").and_then(Value::as_array_mut) {
        hosts.extend(LOOPBACK.map(rule));
    }
}

/// Of the rules that a project begins with: what a scenario changes about them is a part of it.
fn rules_hash(policy: &Value) -> Result<String, PlayError> {
    let read = ProjectPolicy::deserialize(policy);
    let policy = read.map_err(|_| PlayError::answer("policy", policy))?;
    let hash = policy.rules_hash();
    Ok(hash.map_err(|error| PlayError::Scenario(error.to_string()))?.to_string())
}

/// Everything that files of the workspace may hold without an execution.
fn foreign(scenario: &Scenario) -> BTreeMap<String, Vec<Vec<u8>>> {
    let later = scenario.turns.iter().map(|turn| &turn.meanwhile.files);
    let mut foreign = BTreeMap::<String, Vec<Vec<u8>>>::new();
    for (path, value) in std::iter::once(&scenario.project.files).chain(later).flatten() {
        foreign.entry(path.trim_start_matches('/').to_owned()).or_default().push(bytes(value));
    }
    foreign
}

fn bytes(value: &Value) -> Vec<u8> {
    match value {
        Value::String(text) => text.clone().into_bytes(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.to_string().into_bytes()
        }
    }
}

pub(super) fn plant(workspace: &Path, files: &BTreeMap<String, Value>) -> Result<(), PlayError> {
    fs::create_dir_all(workspace).map_err(PlayError::path(workspace))?;
    for (path, value) in files {
        let path = Path::new(path.trim_start_matches('/'));
        if path.components().any(|part| !matches!(part, std::path::Component::Normal(_))) {
            let path = path.display();
            return Err(PlayError::Scenario(format!("the file `{path}` is outside the workspace")));
        }
        let path = workspace.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(PlayError::path(folder))?;
        }
        fs::write(&path, bytes(value)).map_err(PlayError::path(&path))?;
    }
    Ok(())
}

async fn approver(rest: &Rest, project: &str, label: &str) -> Result<SecretString, PlayError> {
    let name = format!("approver-{label}");
    let (user, token) = rest.enrol(&name, "an approver's password").await?;
    rest.admit(project, &user, "approver").await?;
    Ok(token)
}

async fn session(rest: &Rest, project: &str) -> Result<String, PlayError> {
    let made = rest.post(&format!("/projects/{project}/sessions"), json!({})).await?;
    text(&made, "id")
}
