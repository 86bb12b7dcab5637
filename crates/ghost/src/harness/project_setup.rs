//! Sets up the project of one scenario: its services, policy, systems, files and session.

use super::{
    document_seed::seed_documents,
    error::PlayError,
    memory_seed::seed_memory,
    rest_client::{RestClient, required_text},
    servers::Servers,
};
use crate::{
    merge,
    scanner::Canary,
    scenario::{ProjectSeed, Provider, Scenario, ServiceAddresses, ServiceName},
    seeded_random::SeededRandom,
};
use secrecy::SecretString;
use serde::Deserialize as _;
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, net::SocketAddr, path::Path};
use wiiiv_domain::ProjectPolicy;
use wiiiv_fakes::{DemoService, LogIn, TestSite};

const SECRET_LETTERS: usize = 28;
/// The policy's model name for a recorded model; the address selects the cassette.
const RECORDED: &str = "recorded";
const BUILT_IN: &str = "offline";
/// The names of this machine.
const LOOPBACK: [&str; 2] = ["127.0.0.1", "localhost"];

/// One scenario's project while it is played.
pub(crate) struct ProjectSetup {
    /// Who plays it.
    pub(crate) person: String,
    pub(crate) project: String,
    pub(crate) session: String,
    /// The key of the scenario's cassette.
    pub(crate) cassette: String,
    pub(crate) services: BTreeMap<ServiceName, DemoService>,
    pub(crate) site: Option<TestSite>,
    /// The credentials of the services' registrations.
    pub(crate) canaries: Vec<Canary>,
    pub(crate) addresses: ServiceAddresses,
    /// Contents that files of the workspace may have without an execution: those at the start, and those
    /// that the scenario writes past the server.
    pub(crate) scenario_contents: BTreeMap<String, Vec<Vec<u8>>>,
    /// What documents say that the person finds.
    pub(crate) document_texts: Vec<String>,
    approvers: Vec<SecretString>,
    stand_in: Option<StandIn>,
    /// A new project's policy with the scenario's model and services; `None`: the scenario does not
    /// change it.
    pub(crate) plain_policy: Option<Value>,
    /// The built-in understanding answers, without a model.
    pub(crate) is_built_in: bool,
    /// The hash of the rules of a new project, or of those that are played in their place.
    pub(crate) policy_hash: String,
    /// How many others say yes where the person of the scenario does, by those rules.
    pub(crate) others: usize,
}

/// A session in which the person acts, and other people who may approve there.
pub(crate) struct Conversation {
    pub(crate) session: String,
    pub(crate) project: String,
    approvers: Vec<SecretString>,
    stand_in: Option<StandIn>,
}

/// Somebody who may only read, and stands in for the approver where that lends the right.
#[derive(Clone)]
struct StandIn {
    user: String,
    token: SecretString,
}

impl Conversation {
    /// A client of the other person, who may approve.
    pub(crate) fn approver(&self, rest: &RestClient) -> Result<RestClient, PlayError> {
        self.nth_approver(rest, 0)
    }

    pub(crate) fn second_approver(&self, rest: &RestClient) -> Result<RestClient, PlayError> {
        self.nth_approver(rest, 1)
    }

    /// A client of the one who stands in.
    pub(crate) fn stand_in(&self, rest: &RestClient) -> Result<RestClient, PlayError> {
        Ok(rest.as_person(&self.standing_in()?.token))
    }

    pub(crate) fn stand_in_id(&self) -> Result<&str, PlayError> {
        Ok(&self.standing_in()?.user)
    }

    fn standing_in(&self) -> Result<&StandIn, PlayError> {
        let nobody = || PlayError::Scenario("nobody stands in for anybody".to_owned());
        self.stand_in.as_ref().ok_or_else(nobody)
    }

    /// `nth`: from 0.
    pub(crate) fn nth_approver(
        &self,
        rest: &RestClient,
        nth: usize,
    ) -> Result<RestClient, PlayError> {
        let nobody = || PlayError::Scenario("nobody else was admitted".to_owned());
        Ok(rest.as_person(self.approvers.get(nth).ok_or_else(nobody)?))
    }
}

impl ProjectSetup {
    /// `label` is unique on the server: letters, digits, `-`.
    pub(crate) async fn create(
        servers: &Servers,
        scenario: &Scenario,
        label: &str,
        seed: u64,
    ) -> Result<Self, PlayError> {
        let Parties { services, site, canaries, addresses } =
            Parties::open(scenario, &mut SeededRandom::new(seed, label)).await?;
        let rest = &servers.rest;
        let own = Value::Object(scenario.project.policy.clone());
        // No edit of a policy changes the stage: an administrator begins the project in it.
        let stage = own.get("dacsStage").cloned().unwrap_or_default();
        let project = rest.post("/projects", json!({ "name": label, "stage": stage })).await?;
        let project = required_text(&project, "id")?;
        let (mut new_policy, mut plain) = (Value::Null, Value::Null);
        let policy = rest.change_policy(&project, |policy| {
            new_policy.clone_from(policy);
            if let Some(rules) = &servers.rules {
                rules.write_into(policy, scenario);
            }
            set_model(policy, scenario.provider, servers, label);
            allow(policy, services.values().map(service_rule));
            allow(policy, site.iter().flat_map(site_rules));
            plain.clone_from(policy);
            merge::patch(policy, &own);
        });
        policy.await?;
        let policy_hash = match &servers.rules {
            Some(rules) => rules.hash.clone(),
            None => rules_hash(&new_policy)?,
        };
        for (service, canary) in services.values().zip(&canaries) {
            let credential = (canary.user.as_str(), canary.secret.as_str());
            rest.register(&project, service.system(), credential).await?;
        }
        write_files(&servers.home.workspace(&project), &scenario.project.files)?;
        let person = required_text(&rest.get("/auth/me").await?, "user")?;
        seed_texts(rest, (&person, &project), scenario, label).await?;
        let others = servers.rules.as_ref().map_or(0, |rules| rules.others(scenario));
        let mut approvers = Vec::new();
        for nth in 1..=scenario.approvers().max(others) {
            approvers.push(approver(rest, &project, &format!("approver-{nth}-{label}")).await?);
        }
        let stand_in = match scenario.has_stand_in() {
            true => Some(stand_in(rest, &project, &format!("stand-in-{label}")).await?),
            false => None,
        };
        let session = session(rest, &project).await?;
        servers.set_answers(label, [])?;
        let cassette = label.to_owned();
        Ok(Self {
            person,
            project,
            session,
            cassette,
            services,
            site,
            canaries,
            addresses,
            scenario_contents: scenario_contents(scenario),
            document_texts: document_texts(scenario),
            approvers,
            stand_in,
            plain_policy: scenario.has_own_policy().then_some(plain),
            is_built_in: servers.live.is_none() && scenario.is_offline(),
            policy_hash,
            others,
        })
    }

    /// The address of each party of the scenario.
    pub(crate) fn socket_addresses(&self) -> impl Iterator<Item = (ServiceName, SocketAddr)> {
        let services = self.services.iter().map(|(name, service)| (*name, service.address()));
        let site = self.site.iter().map(|site| (ServiceName::Testsite, site.address()));
        services.chain(site)
    }

    /// Resets the rows, logs and tokens of the services.
    pub(crate) fn reset(&self) {
        self.services.values().for_each(DemoService::reset);
        self.site.iter().for_each(TestSite::reset);
    }

    /// The conversation of the scenario.
    pub(crate) fn conversation(&self) -> Conversation {
        self.conversation_in(self.session.clone())
    }

    /// Starts a second conversation of the same person in the same project.
    pub(crate) async fn second_conversation(
        &self,
        rest: &RestClient,
    ) -> Result<Conversation, PlayError> {
        Ok(self.conversation_in(session(rest, &self.project).await?))
    }

    fn conversation_in(&self, session: String) -> Conversation {
        let (approvers, stand_in) = (self.approvers.clone(), self.stand_in.clone());
        Conversation { session, project: self.project.clone(), approvers, stand_in }
    }
}

/// The running services and web site of a scenario.
#[derive(Default)]
struct Parties {
    services: BTreeMap<ServiceName, DemoService>,
    site: Option<TestSite>,
    /// In the order of the services.
    canaries: Vec<Canary>,
    addresses: ServiceAddresses,
}

impl Parties {
    async fn open(scenario: &Scenario, random: &mut SeededRandom) -> Result<Self, PlayError> {
        let (mut parties, mut canaries) = (Self::default(), BTreeMap::new());
        for &name in &scenario.project.services {
            let failed = PlayError::io(format!("`{name}`"));
            let Some(kind) = name.kind() else {
                let site = TestSite::open(0).await.map_err(failed)?;
                parties.addresses.add(name, &site.url());
                parties.site = Some(site);
                continue;
            };
            let canary = Canary {
                name: format!("password of {name}"),
                user: format!("{name}-{}", random.word(8)),
                secret: random.word(SECRET_LETTERS),
            };
            let password = SecretString::from(canary.secret.as_str());
            let user = LogIn { username: canary.user.clone(), password };
            let service = DemoService::open(kind, 0, user).await.map_err(failed)?;
            parties.addresses.add(name, &service.url());
            parties.services.insert(name, service);
            canaries.insert(name, canary);
        }
        parties.canaries = canaries.into_values().collect();
        Ok(parties)
    }
}

fn set_model(policy: &mut Value, provider: Provider, servers: &Servers, label: &str) {
    if let Some(live) = &servers.live {
        return live.write_into(policy, &servers.cassettes.passing_url(label));
    }
    let model = match provider {
        Provider::Recorded => json!({
            "llmProvider": "CUSTOM", "llmBaseUrl": servers.cassettes.base_url(label),
            "governorModel": RECORDED,
        }),
        Provider::Offline => json!({
            "llmProvider": "OFFLINE", "llmBaseUrl": null, "governorModel": BUILT_IN,
        }),
    };
    merge::patch(policy, &model);
}

fn allow(policy: &mut Value, rules: impl Iterator<Item = Value>) {
    if let Some(hosts) = policy.get_mut("allowedHosts").and_then(Value::as_array_mut) {
        hosts.extend(rules);
    }
}

/// For the service's host, as the registration proposes it; a loopback host is private.
fn service_rule(service: &DemoService) -> Value {
    serde_json::to_value(service.system().proposed_rule(true)).unwrap_or_default()
}

/// For both names of the site's host, as an administrator allows an intranet site.
fn site_rules(site: &TestSite) -> [Value; 2] {
    let port = site.address().port();
    LOOPBACK.map(|host| json!({ "host": host, "scheme": "http", "port": port, "private": true }))
}

/// The hash of the rules that a new project has. A scenario's own changes belong to the scenario.
fn rules_hash(policy: &Value) -> Result<String, PlayError> {
    let read = ProjectPolicy::deserialize(policy);
    let policy = read.map_err(|_| PlayError::answer("policy", policy))?;
    let hash = policy.rules_hash();
    Ok(hash.map_err(|error| PlayError::Scenario(error.to_string()))?.to_string())
}

/// What is kept in mind and found when it begins.
async fn seed_texts(
    rest: &RestClient,
    (person, project): (&str, &str),
    scenario: &Scenario,
    label: &str,
) -> Result<(), PlayError> {
    let ProjectSeed { memory, documents, .. } = &scenario.project;
    seed_memory(rest, (person, project), memory, label).await?;
    seed_documents(rest, project, documents, label).await
}

fn document_texts(scenario: &Scenario) -> Vec<String> {
    let own = scenario.project.documents.iter().filter(|seed| !seed.elsewhere);
    own.map(|seed| seed.text.clone()).collect()
}

/// Contents that files of the workspace may have without an execution.
fn scenario_contents(scenario: &Scenario) -> BTreeMap<String, Vec<Vec<u8>>> {
    let later = scenario.turns.iter().map(|turn| &turn.meanwhile.files);
    let mut scenario_contents = BTreeMap::<String, Vec<Vec<u8>>>::new();
    for (path, value) in std::iter::once(&scenario.project.files).chain(later).flatten() {
        scenario_contents
            .entry(path.trim_start_matches('/').to_owned())
            .or_default()
            .push(bytes(value));
    }
    scenario_contents
}

fn bytes(value: &Value) -> Vec<u8> {
    match value {
        Value::String(text) => text.clone().into_bytes(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.to_string().into_bytes()
        }
    }
}

pub(crate) fn write_files(
    workspace: &Path,
    files: &BTreeMap<String, Value>,
) -> Result<(), PlayError> {
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

async fn approver(rest: &RestClient, project: &str, name: &str) -> Result<SecretString, PlayError> {
    let (user, token) = rest.enrol(name, "an approver's password").await?;
    rest.add_member(project, &user, "approver").await?;
    Ok(token)
}

async fn stand_in(rest: &RestClient, project: &str, name: &str) -> Result<StandIn, PlayError> {
    let (user, token) = rest.enrol(name, "a stand-in's password").await?;
    rest.add_member(project, &user, "viewer").await?;
    Ok(StandIn { user, token })
}

async fn session(rest: &RestClient, project: &str) -> Result<String, PlayError> {
    let made = rest.post(&format!("/projects/{project}/sessions"), json!({})).await?;
    required_text(&made, "id")
}
