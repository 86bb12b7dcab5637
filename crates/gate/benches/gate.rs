//! What a ruling's evaluation costs with 0, 20 and 100 fine rules, on one step and on a plan of three.
//!
//! `cargo xtask bench gate`

#![expect(clippy::expect_used, reason = "a benchmark that cannot go on ends with the reason")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    hint::black_box,
    time::Instant,
};
use wiiiv_domain::{
    Capability, Consensus, ContentDigest, DacsSource, DeliberationDigest, Effect, ExecutorId,
    HttpMethod, PriceTable, RulesHash, Scheme, SpecDigest, StepId, StepType, TaskType, Timestamp,
};
use wiiiv_gate::{
    BudgetView, DacsFacts, ExecutorFacts, FineRules, GateFacts, NodeFacts, PlanFacts, Policy,
    RiskFacts, Standing, StandingSeq, StepFacts, SubjectFacts, Target, evaluate, profile,
};

const DEFAULT: &str = include_str!("../../../policies/profiles/default.toml");
/// The aim of issue 26, in µs: at the median, and at the 99th percentile.
const AIMS: (f64, f64) = (50.0, 1_000.0);
const ROUNDS: usize = 20_000;

fn main() {
    let calls = |method, path: &str| {
        node(
            StepType::ApiCall,
            Target::Place {
                method,
                scheme: Scheme::Https,
                host: "shop.test".to_owned(),
                port: None,
                path: Some(path.to_owned()),
            },
        )
    };
    let file = Target::Path { directory: "notes".to_owned(), name: Some("today.md".to_owned()) };
    let step = calls(HttpMethod::Get, "/orders/7");
    let three =
        vec![step.clone(), node(StepType::FileWrite, file), calls(HttpMethod::Post, "/orders")];
    println!("{:<58} {:>10} {:>10}", "", "median", "p99");
    for (name, rules, is_aim) in [
        ("no rule", String::new(), true),
        ("20 rules, mixed", mixed(20), true),
        ("100 rules, mixed", mixed(100), true),
        ("100 rules about this action, told apart by facts", one_action(100), true),
        ("100 rules about this action that only Cedar can read", opaque(100), false),
    ] {
        let policy = policy(&rules);
        let of_step = facts(SubjectFacts::Step(Box::new(of_step(step.clone()))));
        let of_plan = facts(SubjectFacts::Blueprint(Box::new(of_plan(three.clone()))));
        for (subject, facts) in [("a step", of_step), ("a plan of three", of_plan)] {
            let (median, p99) = timed(&facts, &policy);
            let missed = is_aim && (median > AIMS.0 || p99 > AIMS.1);
            let note = if missed { "   above the aim" } else { "" };
            println!("{:<58} {median:>7.1} µs {p99:>7.1} µs{note}", format!("{name}, {subject}"));
        }
    }
    let text = mixed(100);
    let begun = Instant::now();
    black_box(FineRules::compile(&text).expect("valid"));
    let compiled = begun.elapsed().as_secs_f64() * 1e3;
    println!("reading and validating 100 rules, once for each version: {compiled:.1} ms");
}

/// µs of one evaluation.
fn timed(facts: &GateFacts, policy: &Policy) -> (f64, f64) {
    let now = Timestamp::from_unix_ms(1_795_232_682_000);
    let mut all: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let begun = Instant::now();
            black_box(evaluate(black_box(facts), black_box(policy), now));
            begun.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    all.sort_by(f64::total_cmp);
    let at = |share: usize| all.get(all.len() * share / 100).copied().unwrap_or_default();
    (at(50), at(99))
}

/// As projects have them: about files and hosts, by method, time and risk.
fn mixed(count: usize) -> String {
    let kinds: [fn(usize) -> String; 5] = [
        |n| {
            format!(
                "forbid (principal, action == Action::\"FILE_DELETE\", resource in Folder::\"kept/{n}\");"
            )
        },
        |n| {
            format!(
                "forbid (principal, action in Action::\"files\", resource) when {{ resource has path && resource.path like \"*/{n}.secret\" }};"
            )
        },
        |n| {
            format!(
                "forbid (principal, action == Action::\"API_CALL\", resource in Domain::\"s{n}.test\") when {{ context.method != Method::\"GET\" }};"
            )
        },
        |n| {
            format!(
                "forbid (principal, action in Action::\"network\", resource) when {{ resource has path && resource.path like \"/admin/{n}/*\" }};"
            )
        },
        |n| {
            format!(
                "forbid (principal, action, resource) when {{ context.effect != Effect::\"read\" && context.riskScore > {} && context.utcHour < 6 }};",
                40 + n
            )
        },
    ];
    text(kinds.into_iter().cycle().zip(0..count).map(|(kind, n)| kind(n)))
}

fn one_action(count: usize) -> String {
    text((0..count).map(|n| format!("forbid (principal, action == Action::\"API_CALL\", resource is Place) when {{ resource has path && resource.path like \"/orders/{n}00*\" && context.method != Method::\"GET\" }};")))
}

fn opaque(count: usize) -> String {
    text((0..count).map(|n| format!("forbid (principal, action == Action::\"API_CALL\", resource is Place) when {{ context.riskScore + {n} > 500 }};")))
}

fn text(rules: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    for (nth, rule) in rules.enumerate() {
        writeln!(text, "@id(\"r{nth}\") {rule}").expect("a string");
    }
    text
}

fn policy(rules: &str) -> Policy {
    let mut policy = profile(DEFAULT).expect("the default profile");
    let host = serde_json::json!({ "host": "shop.test" });
    policy.allowed_hosts.push(serde_json::from_value(host).expect("a line"));
    policy.fine_rules = rules.to_owned();
    Policy::compile(policy, &PriceTable::default()).expect("a policy")
}

fn id<T: From<uuid::Uuid>>(number: u128) -> T {
    uuid::Uuid::from_u128(number).into()
}

fn facts(subject: SubjectFacts) -> GateFacts {
    GateFacts {
        version: GateFacts::VERSION,
        project: id(1),
        standing: Standing {
            session: id(2),
            seq: StandingSeq::new(1),
            risk_score: 0,
            halted: false,
            tainted: false,
            unverified: false,
            ledger: None,
        },
        risk_hold: false,
        budget: BudgetView::default(),
        subject,
    }
}

fn node(step_type: StepType, target: Target) -> NodeFacts {
    let all = [Capability::Read, Capability::Write, Capability::Send, Capability::Delete];
    NodeFacts {
        step: StepId::parse("step").expect("a name"),
        step_type,
        effect: Effect::Write,
        acts: Effect::Write,
        needs: Capability::Write,
        executor: Some(ExecutorFacts {
            id: ExecutorId::new("executor"),
            contract: 1,
            capabilities: all.into(),
        }),
        contract: Some(1),
        target,
        bound: Vec::new(),
        foreign: BTreeSet::new(),
    }
}

fn of_step(node: NodeFacts) -> StepFacts {
    StepFacts {
        execution: id(3),
        blueprint: id(4),
        requester: id(5),
        attempt: 1,
        node,
        values: BTreeMap::from([("segment.0".to_owned(), ContentDigest::of_bytes(b"x"))]),
    }
}

fn of_plan(nodes: Vec<NodeFacts>) -> PlanFacts {
    let rules = RulesHash::of_bytes(b"rules");
    PlanFacts {
        blueprint: id(4),
        digest: wiiiv_domain::BlueprintDigest::of_bytes(b"plan"),
        task: id(6),
        task_type: TaskType::ApiWorkflow,
        requester: id(5),
        editors: BTreeSet::new(),
        risk: RiskFacts { risky: false, codes: Vec::new() },
        dacs: DacsFacts {
            spec: SpecDigest::of_bytes(b"spec"),
            deliberation: DeliberationDigest::of_bytes(b"review"),
            source: DacsSource::RulesOnly,
            judged_by: rules,
            rules,
            claimed: Consensus::Yes,
            counted: Consensus::Yes,
            recounted: Consensus::Yes,
            model: None,
            votes: Vec::new(),
        },
        nodes,
        approvals: Vec::new(),
        delegation_ended: false,
        grants: Vec::new(),
        resumes: None,
        estimate: wiiiv_domain::Amount::ZERO,
        faults: Vec::new(),
    }
}
