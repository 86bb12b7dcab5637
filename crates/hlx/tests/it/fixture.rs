//! Specs, policies and blueprints in one line each.

use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;
use wiiiv_domain::{
    Amount, ApprovalBy, ApprovalPolicy, ApprovalRule, Blueprint, BlueprintId, Consensus,
    DacsResult, DacsSource, DacsStage, Envelope, ExecutionId, HostRule, HttpMethod, ModelPersonas,
    Node, PolicyVersionId, ProjectId, ProjectPolicy, ProviderName, RulesHash, Salt, Scheme,
    SessionId, Slots, Spec, SpecSnapshot, StepId, StepType, TaskId, TaskType, Timestamp,
    TokenBudget, UserId,
};
use wiiiv_hlx::{EarlierRun, EarlierStep};

pub fn slots(pairs: &[(&str, &str)]) -> Slots {
    let mut slots = Slots::default();
    for (name, value) in pairs {
        slots.set(name, *value).expect("a slot that fits");
    }
    slots
}

pub fn spec(task: TaskType, pairs: &[(&str, &str)]) -> Spec {
    Spec::new(Salt::from_bytes([7; 16]), task, slots(pairs), &Envelope::default())
}

pub fn rule(host: &str) -> HostRule {
    HostRule {
        host: host.to_owned(),
        scheme: None,
        port: None,
        private: false,
        idempotent_methods: BTreeSet::new(),
        read_operations: BTreeSet::new(),
    }
}

/// Everything is allowed; `put.test` promises that PUT is idempotent, `plain.test` is HTTP alone.
pub fn policy() -> ProjectPolicy {
    let ttl = |by| ApprovalRule { by, ttl_seconds: 600 };
    ProjectPolicy {
        version: ProjectPolicy::VERSION,
        allowed_step_types: StepType::ALL.into_iter().collect(),
        allowed_plugins: BTreeSet::new(),
        allowed_hosts: vec![
            HostRule { idempotent_methods: BTreeSet::from([HttpMethod::Put]), ..rule("put.test") },
            HostRule { scheme: Some(Scheme::Http), ..rule("plain.test") },
        ],
        allowed_paths: vec![String::new()],
        allowed_databases: BTreeSet::new(),
        confirmation: BTreeMap::new(),
        approval: ApprovalPolicy {
            normal: ttl(ApprovalBy::Requester),
            risky: ttl(ApprovalBy::AnotherPerson),
        },
        dacs_stage: DacsStage::Observe,
        model_personas: ModelPersonas::Never,
        token_budget: TokenBudget { per_run: None, per_day: None },
        cost_limit: wiiiv_domain::CostLimit::default(),
        llm_provider: ProviderName::Offline,
        llm_base_url: None,
        governor_model: None,
        model_prices: BTreeMap::new(),
    }
}

pub fn execution(n: u128) -> ExecutionId {
    ExecutionId::from_uuid(Uuid::from_u128(n))
}

/// Two runs: the later one left JSON in `filter`.
pub fn earlier() -> Vec<EarlierRun> {
    let step = |id: &str, media: &str, size_bytes| EarlierStep {
        step: StepId::parse(id).expect("a step id"),
        media_type: media.to_owned(),
        size_bytes,
    };
    vec![
        EarlierRun {
            execution: execution(2),
            finished_at: Timestamp::from_unix_ms(2000),
            steps: vec![step("call", "application/json", 9), step("filter", "application/json", 5)],
        },
        EarlierRun {
            execution: execution(1),
            finished_at: Timestamp::from_unix_ms(1000),
            steps: vec![step("read", "text/plain; charset=utf-8", 2 * 1024 * 1024)],
        },
        EarlierRun {
            execution: execution(3),
            finished_at: Timestamp::from_unix_ms(3000),
            steps: Vec::new(),
        },
    ]
}

pub fn blueprint(spec: Spec, nodes: Vec<Node>) -> Blueprint {
    let id = |n: u128| Uuid::from_u128(n);
    Blueprint {
        version: Blueprint::VERSION,
        id: BlueprintId::from_uuid(id(10)),
        project: ProjectId::from_uuid(id(11)),
        session: SessionId::from_uuid(id(12)),
        task: TaskId::from_uuid(id(13)),
        policy: PolicyVersionId::from_uuid(id(14)),
        spec_snapshot: SpecSnapshot {
            spec,
            deliberation: DacsResult {
                version: DacsResult::VERSION,
                rules: RulesHash::of_bytes(b"rules"),
                source: DacsSource::RulesOnly,
                risky: false,
                opinions: Vec::new(),
                consensus: Consensus::Yes,
            },
            requester: UserId::from_uuid(id(15)),
            at: Timestamp::from_unix_ms(0),
        },
        nodes,
        contracts: BTreeMap::new(),
        pre_images: BTreeMap::new(),
        estimate: Amount::ZERO,
    }
}
