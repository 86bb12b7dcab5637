//! Specs, policies and blueprints in one line each.

use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;
use wiiiv_domain::{
    Amount, ApprovalBy, ApprovalPolicy, ApprovalRule, Blueprint, BlueprintId, Consensus,
    DacsResult, DacsSource, DacsStage, Envelope, ExecutionId, HostRule, HttpMethod, ModelPersonas,
    Node, PolicyVersionId, ProjectId, ProjectPolicy, ProviderName, RulesHash, Salt, Scheme,
    SessionId, Slots, Spec, SpecSnapshot, StepId, StepType, System, TaskId, TaskType, Timestamp,
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
        idempotent_operations: BTreeSet::new(),
        read_operations: BTreeSet::new(),
    }
}

/// Everything is allowed; `put.test` promises that PUT is idempotent, `plain.test` is HTTP alone,
/// a search of `mall.test` is labelled READ, and filling a cart there is promised to be idempotent.
pub fn policy() -> ProjectPolicy {
    let ttl = |by| ApprovalRule { by, approvers: 1, ttl_seconds: 600 };
    ProjectPolicy {
        version: ProjectPolicy::VERSION,
        allowed_step_types: StepType::ALL.into_iter().collect(),
        allowed_plugins: BTreeSet::new(),
        allowed_hosts: vec![
            HostRule { idempotent_methods: BTreeSet::from([HttpMethod::Put]), ..rule("put.test") },
            HostRule { scheme: Some(Scheme::Http), ..rule("plain.test") },
            HostRule {
                idempotent_operations: BTreeSet::from(["POST /carts/{}/items".to_owned()]),
                read_operations: BTreeSet::from([
                    "POST /api/products/search".to_owned(),
                    "DELETE /inventory/{}".to_owned(),
                ]),
                ..rule("mall.test")
            },
        ],
        allowed_paths: vec![String::new()],
        allowed_databases: BTreeSet::new(),
        confirmation: BTreeMap::new(),
        approval: ApprovalPolicy {
            normal: ttl(ApprovalBy::Requester),
            risky: ttl(ApprovalBy::AnotherPerson),
            foreign_targets: wiiiv_domain::ForeignTargets::Ask,
            escalation: None,
        },
        dacs_stage: DacsStage::Observe,
        model_personas: ModelPersonas::Never,
        token_budget: TokenBudget::default(),
        cost_limit: wiiiv_domain::CostLimit::default(),
        llm_provider: ProviderName::Offline,
        llm_base_url: None,
        model_fallbacks: Vec::new(),
        require_verified_model: BTreeSet::new(),
        minimum_green: ProjectPolicy::MINIMUM_GREEN,
        governor_model: None,
        generator_model: None,
        embedding_model: None,
        key_sources: std::collections::BTreeSet::new(),
        model_prices: BTreeMap::new(),
        fine_rules: String::new(),
        profile_schema: None,
        guardrails: BTreeSet::new(),
        rag_for_information: false,
        answers: wiiiv_domain::AnswerPolicy::default(),
    }
}

/// Two systems of a project: `mall` under a base path, `stock` at a port of its own.
pub fn systems() -> Vec<System> {
    let document = json!([
        {
            "version": 1, "name": "mall", "aliases": ["스카이몰", "Sky Mall"],
            "baseUrl": { "scheme": "https", "host": "mall.test", "port": null, "segments": ["api"] },
            "operations": [
                { "id": "products", "method": "GET", "path": "/products", "labels": ["상품 목록"],
                  "parameters": [
                      { "name": "category", "in": "query" },
                      { "name": "page", "in": "query" } ] },
                { "id": "product", "method": "GET", "path": "/products/{id}", "labels": ["상품"],
                  "parameters": [{ "name": "id", "in": "path", "required": true }] },
                { "id": "find", "method": "POST", "path": "/products/search", "reads": true },
                { "id": "lookup", "method": "POST", "path": "/products/{id}/lookup", "reads": true },
                { "id": "order", "method": "POST", "path": "/orders", "labels": ["주문"] },
                { "id": "root", "method": "GET", "path": "/" }
            ],
            "authentication": { "kind": "none" }, "risk": "LOW",
        },
        {
            "version": 1, "name": "stock", "aliases": ["재고 시스템"],
            "baseUrl": { "scheme": "http", "host": "127.0.0.1", "port": 8081 },
            "operations": [
                { "id": "inventory", "method": "GET", "path": "/inventory", "labels": ["재고"],
                  "parameters": [{ "name": "below", "in": "query", "required": true }] },
                { "id": "all", "method": "GET", "path": "/inventory/" },
                { "id": "drop", "method": "DELETE", "path": "/inventory/{id}" }
            ],
            "authentication": { "kind": "bearer" }, "risk": "LOW",
        },
    ]);
    let systems: Vec<System> = serde_json::from_value(document).expect("systems");
    systems.iter().for_each(|system| system.check().expect("a system that fits"));
    systems
}

pub fn execution(n: u128) -> ExecutionId {
    ExecutionId::from_uuid(Uuid::from_u128(n))
}

/// Two runs that left something: the later one JSON in `filter`, which it saved. Later ones left
/// nothing, or the report of a write alone.
pub fn earlier() -> Vec<EarlierRun> {
    let step = |id: &str, media: &str, size_bytes| EarlierStep {
        step: StepId::parse(id).expect("a step id"),
        media_type: media.to_owned(),
        size_bytes,
        foreign: id != "save",
    };
    vec![
        EarlierRun {
            execution: execution(2),
            finished_at: Timestamp::from_unix_ms(2000),
            steps: vec![
                step("call", "application/json", 9),
                step("filter", "application/json", 5),
                step("save", "application/json", 99),
            ],
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
        EarlierRun {
            execution: execution(4),
            finished_at: Timestamp::from_unix_ms(4000),
            steps: vec![step("save", "application/json", 99)],
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
                model: None,
                consensus: Consensus::Yes,
            },
            requester: UserId::from_uuid(id(15)),
            at: Timestamp::from_unix_ms(0),
        },
        nodes,
        contracts: BTreeMap::new(),
        pre_images: BTreeMap::new(),
        systems: BTreeMap::new(),
        sources: BTreeMap::new(),
        estimate: Amount::ZERO,
    }
}
