//! Cases: facts of a plan, a step or a model call, a policy and the server's prices. Only forms
//! whose meaning governance.md or the types fix.

use super::{draw::Draw, policies};
use crate::test_gate::{id, now};
use std::collections::BTreeSet;
use wiiiv_domain::{
    Amount, ArgPlace, BOUND_BYTES_MAX, BlueprintDigest, BudgetWindow, Capability, Consensus,
    ContentDigest, DacsSource, DeliberationDigest, Effect, ExecutorId, HttpMethod, ModelSlot,
    PriceTable, ProjectPolicy, RulesHash, Scheme, SpecDigest, StepId, StepType, TaskType,
};
use wiiiv_gate::{
    ApprovalFacts, AuditSeq, BoundFacts, BudgetLine, BudgetView, CallFacts, DacsFacts,
    DelegatedRight, ExecutorFacts, GateFacts, GrantCover, GrantFacts, NodeFacts, PlanFacts,
    PlanFault, Rights, RiskFacts, Standing, StandingSeq, StepFacts, SubjectFacts, Target,
};

const CONSENSUS: [Consensus; 3] = [Consensus::Yes, Consensus::Revision, Consensus::No];
const EFFECTS: [Effect; 4] = [Effect::Read, Effect::Write, Effect::Delete, Effect::Execute];
pub const CAPABILITIES: [Capability; 5] = [
    Capability::Read,
    Capability::Write,
    Capability::Send,
    Capability::Delete,
    Capability::Execute,
];
/// More than any cap here; two are still an exact integer of a document (RFC 8785).
const GREAT: u64 = 1 << 52;

/// All that the evaluator and the pages are asked about.
#[derive(Debug, Clone)]
pub struct Case {
    pub facts: GateFacts,
    pub policy: ProjectPolicy,
    /// The server's.
    pub prices: PriceTable,
}

impl Case {
    pub fn draw(draw: &mut Draw) -> Self {
        let policy = policies::policy(draw);
        let prices = PriceTable(policies::prices(draw));
        let subject = match draw.below(10) {
            0..=6 => SubjectFacts::Blueprint(Box::new(plan(draw))),
            7 | 8 => SubjectFacts::Step(Box::new(step(draw))),
            _ => SubjectFacts::ModelCall(call(draw)),
        };
        let standing = Standing {
            session: id(2),
            seq: StandingSeq::new(u64::from(draw.below(9))),
            risk_score: u32::from(draw.below(200)),
            halted: draw.odd(),
            tainted: draw.of(&[false, false, false, true]),
            unverified: draw.half(),
            ledger: None,
        };
        let (risk_hold, budget) = (draw.odd(), BudgetView { lines: lines(draw) });
        let facts = GateFacts {
            version: GateFacts::VERSION,
            project: id(1),
            standing,
            risk_hold,
            budget,
            subject,
        };
        Self { facts, policy, prices }
    }
}

fn plan(draw: &mut Draw) -> PlanFacts {
    let count = if draw.odd() { 0 } else { 1 + draw.of(&[0, 0, 1, 2]) };
    let nodes: Vec<NodeFacts> = (0..count).map(|at| node(draw, at, false)).collect();
    let names: BTreeSet<&StepId> = nodes.iter().map(|node| &node.step).collect();
    let mut faults = Vec::new();
    faults.extend(nodes.is_empty().then_some(PlanFault::NoNodes));
    faults.extend((names.len() < nodes.len()).then_some(PlanFault::RepeatedStep));
    faults.extend(draw.odd().then_some(PlanFault::Version));
    faults.extend(draw.odd().then_some(PlanFault::TooManyNodes));
    let risky = draw.of(&[false, false, true]);
    let count = if draw.half() { 1 + draw.below(4) } else { 0 };
    let grants = (0..count).map(|number| grant(draw, number, &nodes)).collect();
    PlanFacts {
        blueprint: id(20),
        digest: BlueprintDigest::of_bytes(b"a"),
        task: id(21),
        task_type: draw.of(&TaskType::ALL),
        requester: id(3),
        editors: draw.odd().then(|| id(4 + u128::from(draw.below(3)))).into_iter().collect(),
        risk: RiskFacts { risky, codes: Vec::new() },
        dacs: dacs(draw),
        nodes,
        approvals: (0..draw.below(5)).map(|number| approval(draw, number)).collect(),
        // It says why alone: `delegation` has it.
        delegation_ended: false,
        grants,
        resumes: draw.odd().then(|| (id(41), digest(draw))),
        estimate: amount(draw, 30),
        faults,
    }
}

fn dacs(draw: &mut Draw) -> DacsFacts {
    let counted = if draw.half() { draw.of(&CONSENSUS) } else { Consensus::Yes };
    let recounted = if draw.odd() { draw.of(&CONSENSUS) } else { Consensus::Yes };
    let claimed = if draw.odd() { draw.of(&CONSENSUS) } else { counted };
    let with_model = draw.half();
    let heard = with_model != draw.odd();
    let model = if draw.odd() { draw.of(&CONSENSUS) } else { Consensus::Yes };
    let of = |old: bool| RulesHash::of_bytes(if old { b"old" } else { b"new" });
    DacsFacts {
        spec: SpecDigest::of_bytes(b"s"),
        deliberation: DeliberationDigest::of_bytes(b"d"),
        source: if with_model { DacsSource::RulesAndModel } else { DacsSource::RulesOnly },
        judged_by: of(draw.odd()),
        rules: of(false),
        claimed,
        counted,
        recounted,
        model: heard.then_some(model),
        votes: Vec::new(),
    }
}

fn digest(draw: &mut Draw) -> BlueprintDigest {
    BlueprintDigest::of_bytes(if draw.odd() { b"b" } else { b"a" })
}

fn rights(draw: &mut Draw) -> Rights {
    let odd_rights = draw.odd();
    Rights {
        admin: draw.odd(),
        owner: odd_rights && draw.half(),
        editor: !odd_rights || draw.half(),
        approver: draw.half(),
        viewer: draw.half(),
    }
}

/// Of a plan's steps those that go to one target: here there are two, and nothing computed goes anywhere.
fn grant(draw: &mut Draw, number: u8, nodes: &[NodeFacts]) -> GrantFacts {
    let there = usize::from(draw.below(2));
    let going = nodes.iter().enumerate().filter(|(nth, _)| nth % 2 == there);
    let going = going.filter(|(_, node)| node.target != Target::Inside);
    let steps = going.map(|(_, node)| node.step.clone()).collect();
    GrantFacts {
        id: id(60 + u128::from(number)),
        granter: id(3 + u128::from(draw.below(2))),
        rights: rights(draw),
        covers: if draw.odd() { GrantCover::Whole } else { GrantCover::Steps(steps) },
        left: draw.of(&[5, 1, 2, 0]),
        not_before: draw.odd().then(|| now().plus_seconds(i64::from(draw.below(3)) - 1)),
        expires_at: now().plus_seconds(if draw.odd() { -i64::from(draw.below(3)) } else { 1 }),
        recorded_at: AuditSeq::new(1),
    }
}

fn approval(draw: &mut Draw, number: u8) -> ApprovalFacts {
    let rights = rights(draw);
    let on_behalf = (draw.below(4) == 3).then(|| DelegatedRight {
        delegation: id(60),
        delegator: id(3 + u128::from(draw.below(4))),
        rights: Rights { owner: draw.half(), approver: !draw.odd(), ..Rights::default() },
        from: now().plus_seconds(if draw.odd() { 1 } else { -5 }),
        until: now().plus_seconds(if draw.odd() { 0 } else { 1 }),
    });
    ApprovalFacts {
        id: id(if draw.odd() { 30 + u128::from(number) } else { 30 }),
        digest: digest(draw),
        approver: id(3 + u128::from(draw.below(4))),
        rights,
        at: now().plus_seconds(-10),
        expires_at: now().plus_seconds(if draw.odd() { -i64::from(draw.below(3)) } else { 1 }),
        recorded_at: AuditSeq::new(1),
        on_behalf,
    }
}

fn step(draw: &mut Draw) -> StepFacts {
    let node = node(draw, 0, true);
    let digest = |bound: &BoundFacts| (bound.arg.clone(), ContentDigest::of_bytes(b"v"));
    let values = node.bound.iter().map(digest).collect();
    let attempt = 1 + u32::from(draw.below(2));
    StepFacts { execution: id(41), blueprint: id(20), requester: id(3), attempt, node, values }
}

/// What a step of that type is when nothing is odd: its effect, and what it needs.
fn plain(step_type: StepType, method: HttpMethod) -> (Effect, Capability) {
    match step_type {
        StepType::FileRead | StepType::WebFetch | StepType::Transform => {
            (Effect::Read, Capability::Read)
        }
        StepType::FileWrite => (Effect::Write, Capability::Write),
        StepType::FileDelete => (Effect::Delete, Capability::Delete),
        StepType::ApiCall => match method {
            HttpMethod::Get | HttpMethod::Head => (Effect::Read, Capability::Read),
            HttpMethod::Delete => (Effect::Delete, Capability::Delete),
            HttpMethod::Post | HttpMethod::Put | HttpMethod::Patch => {
                (Effect::Write, Capability::Send)
            }
        },
    }
}

/// A resolved one knows every value.
fn node(draw: &mut Draw, at: u8, resolved: bool) -> NodeFacts {
    let step_type = draw.of(&StepType::ALL);
    let method = draw.of(&HttpMethod::ALL);
    let (effect, needs) = plain(step_type, method);
    let bound = bound(draw, step_type, resolved);
    let unnamed = !resolved && bound.iter().any(|bound| bound.arg == "name");
    let capabilities = if draw.odd() { draw.most(&CAPABILITIES) } else { CAPABILITIES.into() };
    let executor = ExecutorFacts { id: ExecutorId::new("e"), contract: 1, capabilities };
    NodeFacts {
        step: StepId::parse(&format!("s{}", if draw.odd() { 0 } else { at })).unwrap(),
        step_type,
        effect: if draw.odd() { draw.of(&EFFECTS) } else { effect },
        acts: if draw.odd() { draw.of(&EFFECTS) } else { effect },
        needs: if draw.odd() { draw.of(&CAPABILITIES) } else { needs },
        executor: (!draw.odd()).then_some(executor),
        contract: if draw.odd() { draw.of(&[None, Some(2)]) } else { Some(1) },
        target: target(draw, step_type, method, unnamed),
        bound,
        foreign: if draw.odd() { [draw.of(&ArgPlace::ALL)].into() } else { BTreeSet::new() },
    }
}

fn target(draw: &mut Draw, step_type: StepType, method: HttpMethod, unnamed: bool) -> Target {
    match step_type {
        StepType::Transform => Target::Inside,
        StepType::FileRead | StepType::FileWrite | StepType::FileDelete => {
            let usual = ["notes", "/notes", "notes/sub", "data/2026"];
            let odd =
                ["", "data", "notes2", "etc", "/etc", "lib/own", "x/..", "../x", "notes/x/.."];
            let directory = if draw.odd() { draw.of(&odd) } else { draw.of(&usual) };
            let odd = ["b.md", "..", "etc", "a\\b", "c:d", "con", "a.", "a\u{202e}b"];
            let name = if draw.odd() { draw.of(&odd) } else { "a.md" };
            let name = (!unnamed).then(|| name.to_owned());
            Target::Path { directory: directory.to_owned(), name }
        }
        StepType::ApiCall | StepType::WebFetch => {
            let odd = [
                "api.test",
                "www.shop.test",
                "old.test",
                "evilshop.test",
                "shop.test.evil",
                "test",
            ];
            let host = if draw.odd() { draw.of(&odd) } else { "shop.test" };
            let port = if draw.odd() { draw.of(&[80, 443, 8080]).into() } else { None };
            let scheme = draw.of(&[Scheme::Https, Scheme::Http]);
            Target::Place { method, scheme, host: host.to_owned(), port, path: None }
        }
    }
}

/// Arguments as `StepParams::args` names them.
fn bound(draw: &mut Draw, step_type: StepType, resolved: bool) -> Vec<BoundFacts> {
    let names: &[&str] = match step_type {
        StepType::FileRead | StepType::FileDelete => &["name", "when"],
        StepType::FileWrite => &["content", "name", "when"],
        StepType::ApiCall => &["body", "query.0", "segment.1", "when"],
        StepType::WebFetch => &["segment.0", "query.1", "when"],
        StepType::Transform => &["input", "beside.0", "when"],
    };
    let drawn: Vec<&str> = names.iter().copied().filter(|_| draw.below(8) == 7).collect();
    let one = |arg: &str| {
        let max_bytes =
            if draw.odd() { draw.of(&[BOUND_BYTES_MAX + 1, BOUND_BYTES_MAX]) } else { 10 };
        let known = resolved || draw.odd();
        let more = if draw.odd() { u64::from(draw.below(3)) } else { 0 };
        let (bytes, is_syntax) = (known.then_some(max_bytes + more), draw.odd());
        BoundFacts { arg: arg.to_owned(), max_bytes, bytes, is_syntax }
    };
    drawn.into_iter().map(one).collect()
}

fn call(draw: &mut Draw) -> CallFacts {
    CallFacts {
        call: id(50),
        user: id(3),
        task: id(21),
        turn: id(51),
        slot: draw.of(&[ModelSlot::Governor, ModelSlot::Generator, ModelSlot::Embedding]),
        provider: draw.of(&policies::PROVIDERS),
        model: draw.of(&["m", "n", "f", "e", "offline"]).to_owned(),
        max_input_tokens: 1 + u64::from(draw.below(40)),
        max_output_tokens: u64::from(draw.below(30)),
        attempts: 1 + u32::from(draw.below(2)),
    }
}

fn amount(draw: &mut Draw, end: u8) -> Amount {
    let tokens = u64::from(draw.below(end));
    let micros = draw.maybe(|draw| u64::from(draw.below(end)));
    Amount { tokens, micros }
}

/// A line for some windows that count, and for some that do not.
fn lines(draw: &mut Draw) -> Vec<BudgetLine> {
    let mut lines = Vec::new();
    let mut add = |window: BudgetWindow, settled: Amount, held: Amount| {
        lines.push(BudgetLine { window, settled, held });
    };
    for window in BudgetWindow::all(id(1), id(3), id(21), now()) {
        if draw.half() {
            let full = Amount { tokens: GREAT, micros: Some(GREAT) };
            let settled = if draw.odd() { full } else { amount(draw, 90) };
            let held = amount(draw, 40);
            add(window, settled, held);
        }
    }
    let yesterday = now().plus_seconds(-86_400 * 31);
    let others = [
        BudgetWindow::run(id(1), id(22)),
        BudgetWindow::run(id(9), id(21)),
        BudgetWindow::day(id(1), yesterday),
        BudgetWindow::month(id(1), yesterday),
        BudgetWindow::day(id(1), now()).of_user(id(4)),
    ];
    for other in others {
        if draw.odd() {
            add(other, Amount { tokens: GREAT, micros: Some(GREAT) }, Amount::ZERO);
        }
    }
    lines
}
