//! Everything that can be seen of a run from outside, at one moment.

use super::{error::PlayError, house::House, stage::Stage};
use crate::{
    scenario::{Fact, Scenario, ServiceName},
    services::{DemoService, ServiceCall, TestSite},
    verdict::{Call, ModelUse, Record, Window},
};
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};
use wiiiv_domain::HttpMethod;

/// Files of one workspace that are looked at.
const FILES_MAX: usize = 10_000;
const LOG_IN: &str = "/login";

#[derive(Default, Clone)]
pub(super) struct Sight {
    pub(super) calls: BTreeMap<ServiceName, Vec<Call>>,
    pub(super) rows: BTreeMap<(ServiceName, String), Vec<Value>>,
    pub(super) files: BTreeMap<String, Vec<u8>>,
    pub(super) audit: Vec<Record>,
    /// In the order in which they began.
    pub(super) runs: Vec<Value>,
    pub(super) model_calls: usize,
}

impl Sight {
    pub(super) async fn take(
        house: &House,
        stage: &Stage,
        tables: &Tables,
    ) -> Result<Self, PlayError> {
        let (project, rest) = (&stage.project, &house.rest);
        let mut audit = rest.rows(&format!("/projects/{project}/audit")).await?;
        audit.reverse();
        let mut runs = rest.rows(&format!("/projects/{project}/executions")).await?;
        runs.reverse();
        let services = stage.services.iter();
        let services = services.map(|(name, service)| (*name, calls(service)));
        let site = stage.site.iter().map(|site| (ServiceName::Testsite, visits(site)));
        let rows = tables.0.iter().filter_map(|(name, table)| {
            let service = stage.services.get(name)?;
            Some(((*name, table.clone()), service.rows(table)))
        });
        Ok(Self {
            calls: services.chain(site).collect(),
            rows: rows.collect(),
            files: files(&house.ground.workspace(project))?,
            audit: audit.into_iter().map(record).collect(),
            runs,
            model_calls: house.cassettes.asked(&stage.key),
        })
    }

    /// What has come since, with these events.
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
            refused: Vec::new(),
            rests: Vec::new(),
        }
    }
}

/// Those that the scenario's facts speak of.
#[derive(Default)]
pub(super) struct Tables(BTreeSet<(ServiceName, String)>);

impl Tables {
    pub(super) fn of(scenario: &Scenario) -> Self {
        let facts = scenario.turns.iter().flat_map(|turn| &turn.expect).chain(&scenario.expect);
        let table = |fact: &Fact| {
            let Fact::Rows(rows) = fact else { return None };
            Some((rows.service, rows.table.clone()))
        };
        Self(facts.filter_map(table).collect())
    }
}

pub(super) fn state(run: &Value) -> &str {
    run.get("state").and_then(Value::as_str).unwrap_or_default()
}

fn record(mut row: Value) -> Record {
    let kind = row.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
    Record { kind, body: row.get_mut("body").map(Value::take).unwrap_or_default() }
}

fn tokens(record: &Record) -> u64 {
    let of = |name: &str| record.body.pointer(&format!("/usage/{name}")).and_then(Value::as_u64);
    let sum = |one: Option<u64>, other: Option<u64>| {
        one.unwrap_or_default().saturating_add(other.unwrap_or_default())
    };
    sum(of("inputTokens"), of("outputTokens"))
}

fn calls(service: &DemoService) -> Vec<Call> {
    let labelled = |call: &ServiceCall| {
        service.system().operations.iter().any(|operation| {
            let same = operation.path == call.path && operation.method.as_str() == call.method;
            operation.reads && same
        })
    };
    let seen_here = |call: ServiceCall| {
        let (labelled, logs_in) = (labelled(&call), call.path == LOG_IN);
        Call { logs_in, ..seen(call, labelled) }
    };
    service.calls().into_iter().map(seen_here).collect()
}

fn visits(site: &TestSite) -> Vec<Call> {
    site.calls().into_iter().map(|call| seen(call, false)).collect()
}

fn seen(call: ServiceCall, labelled: bool) -> Call {
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

/// Every file below the folder by its relative path; none where there is no folder.
pub(super) fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, PlayError> {
    let mut found = BTreeMap::new();
    if folder.exists() {
        walk(folder, folder, &mut found)?;
    }
    Ok(found)
}

fn walk(
    root: &Path,
    folder: &Path,
    found: &mut BTreeMap<String, Vec<u8>>,
) -> Result<(), PlayError> {
    for entry in fs::read_dir(folder).map_err(PlayError::path(folder))? {
        let path = entry.map_err(PlayError::path(folder))?.path();
        let kind = fs::symlink_metadata(&path).map_err(PlayError::path(&path))?;
        if kind.is_dir() {
            walk(root, &path, found)?;
        } else if found.len() < FILES_MAX {
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            let bytes = fs::read(&path).map_err(PlayError::path(&path))?;
            found.insert(name, bytes);
        }
    }
    Ok(())
}
