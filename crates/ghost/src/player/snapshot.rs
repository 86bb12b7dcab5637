//! Everything that can be observed of a run from outside, at one moment.

use crate::{
    harness::{PlayError, ProjectSetup, RestClient, Servers, files_below, relative_name},
    scenario::{Fact, Scenario, ServiceName},
    verdict::{Call, KeptMemory, ModelUse, Record, Window, text_of},
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};
use wiiiv_domain::HttpMethod;
use wiiiv_fakes::{DemoService, LOG_IN_PATH, ServiceCall, TestSite};

/// Files of one workspace; further files are ignored.
const FILES_MAX: usize = 10_000;

#[derive(Default, Clone)]
pub(super) struct Snapshot {
    pub(super) calls: BTreeMap<ServiceName, Vec<Call>>,
    pub(super) rows: BTreeMap<(ServiceName, String), Vec<Value>>,
    pub(super) files: BTreeMap<String, Vec<u8>>,
    pub(super) audit: Vec<Record>,
    /// In the order in which they began.
    pub(super) runs: Vec<Value>,
    pub(super) model_calls: usize,
    /// The requests that the model got; none where no fact is about them.
    prompts: Vec<String>,
    memory: KeptMemory,
}

impl Snapshot {
    pub(super) async fn take(
        servers: &Servers,
        setup: &ProjectSetup,
        subjects: &Subjects,
    ) -> Result<Self, PlayError> {
        let (project, rest) = (&setup.project, &servers.rest);
        let mut audit = rest.rows(&format!("/projects/{project}/audit")).await?;
        audit.reverse();
        let mut runs = rest.rows(&format!("/projects/{project}/executions")).await?;
        runs.reverse();
        let services = setup.services.iter();
        let services = services.map(|(name, service)| (*name, calls(service)));
        let site = setup.site.iter().map(|site| (ServiceName::Testsite, visits(site)));
        let rows = subjects.tables.iter().filter_map(|(name, table)| {
            let service = setup.services.get(name)?;
            Some(((*name, table.clone()), service.rows(table)))
        });
        Ok(Self {
            calls: services.chain(site).collect(),
            rows: rows.collect(),
            files: files(&servers.home.workspace(project))?,
            audit: audit.into_iter().map(record).collect(),
            runs,
            model_calls: servers.cassettes.calls(&setup.cassette),
            prompts: match subjects.prompts {
                true => servers.cassettes.requests(&setup.cassette),
                false => Vec::new(),
            },
            memory: match subjects.memory {
                true => kept(rest, setup).await?,
                false => KeptMemory::default(),
            },
        })
    }

    /// What is new since another snapshot, with the events between them.
    pub(super) fn since(&self, before: &Self, events: Vec<Value>) -> Window {
        let new_calls = self.calls.iter().map(|(name, calls)| {
            let known = before.calls.get(name).map_or(0, Vec::len);
            (*name, calls.iter().skip(known).cloned().collect())
        });
        let audit: Vec<Record> = self.audit.iter().skip(before.audit.len()).cloned().collect();
        let runs = self.runs.iter().skip(before.runs.len());
        let model = ModelUse {
            calls: self.model_calls.saturating_sub(before.model_calls),
            tokens: audit.iter().filter(|r| r.kind == "model.called").map(tokens).sum(),
        };
        Window {
            events,
            calls: new_calls.collect(),
            rows: self.rows.clone(),
            files: self.files.clone(),
            runs: runs.map(|run| state(run).to_owned()).collect(),
            audit,
            model,
            prompts: self.prompts.iter().skip(before.prompts.len()).cloned().collect(),
            memory: self.memory.clone(),
            refused: Vec::new(),
            settled: Vec::new(),
        }
    }
}

/// What is looked at only where the scenario's facts are about it.
#[derive(Default)]
pub(super) struct Subjects {
    tables: BTreeSet<(ServiceName, String)>,
    prompts: bool,
    memory: bool,
}

impl Subjects {
    pub(super) fn of(scenario: &Scenario) -> Self {
        let facts = || scenario.turns.iter().flat_map(|turn| &turn.expect).chain(&scenario.expect);
        let table = |fact: &Fact| {
            let Fact::Rows(rows) = fact else { return None };
            Some((rows.service, rows.table.clone()))
        };
        Self {
            tables: facts().filter_map(table).collect(),
            prompts: facts()
                .any(|fact| matches!(fact, Fact::PromptContains(_) | Fact::PromptLacks(_))),
            memory: facts().any(|fact| matches!(fact, Fact::Memory(_))),
        }
    }
}

async fn kept(rest: &RestClient, setup: &ProjectSetup) -> Result<KeptMemory, PlayError> {
    let user = rest.get(&format!("/users/{}/memory", setup.person)).await?;
    let project = rest.get(&format!("/projects/{}/memory", setup.project)).await?;
    let text = |memory: &Value| text_of(memory, "text").to_owned();
    Ok(KeptMemory { user: text(&user), project: text(&project) })
}

pub(super) fn state(run: &Value) -> &str {
    text_of(run, "state")
}

fn record(mut row: Value) -> Record {
    let kind = text_of(&row, "kind").to_owned();
    Record { kind, body: row.get_mut("body").map(Value::take).unwrap_or_default() }
}

fn tokens(record: &Record) -> u64 {
    let of = |name: &str| record.body.pointer(name).and_then(Value::as_u64).unwrap_or_default();
    of("/usage/inputTokens").saturating_add(of("/usage/outputTokens"))
}

fn calls(service: &DemoService) -> Vec<Call> {
    let labelled = |call: &ServiceCall| {
        service.system().operations.iter().any(|operation| {
            let same = operation.path == call.path && operation.method.as_str() == call.method;
            operation.reads && same
        })
    };
    let service_call = |call: ServiceCall| {
        let (labelled, logs_in) = (labelled(&call), call.path == LOG_IN_PATH);
        Call { logs_in, ..observed(call, labelled) }
    };
    service.calls().into_iter().map(service_call).collect()
}

fn visits(site: &TestSite) -> Vec<Call> {
    site.calls().into_iter().map(|call| observed(call, false)).collect()
}

fn observed(call: ServiceCall, labelled: bool) -> Call {
    let safe = HttpMethod::parse(&call.method).is_some_and(HttpMethod::is_safe);
    Call {
        logs_in: false,
        reads: safe || labelled,
        method: call.method,
        path: call.path,
        query: call.query,
        body: call.body,
        token: call.token,
        key: call.idempotency_key,
        status: call.status,
    }
}

/// Every file below the folder by its relative path; none if the folder is missing.
fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, PlayError> {
    if !folder.exists() {
        return Ok(BTreeMap::new());
    }
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).map_err(PlayError::path(&path))?;
        Ok((relative_name(folder, &path), bytes))
    };
    files_below(folder, |_| false)?.into_iter().take(FILES_MAX).map(read).collect()
}
