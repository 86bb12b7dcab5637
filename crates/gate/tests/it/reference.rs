//! The evaluator against the pages: `page` is written from them alone, and both are asked the same
//! cases. And: adding a deny never allows.

mod cases;
mod draw;
mod page;
mod policies;
mod tightenings;

use crate::test_gate::now;
use cases::Case;
use draw::{Draw, mixed, shrunk};
use proptest::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{BuildHasher as _, RandomState},
    num::NonZero,
    thread,
};
use wiiiv_domain::{DenyCode, GateName};
use wiiiv_gate::{Answer, Findings, GateFacts, Policy, PolicyError, evaluate};

/// Issue 26: the model is read as a whole, beside governance.md.
const PAGE_LINES_MAX: usize = 300;
const CASES: u64 = 100_000;
const CASES_LONG: u64 = 10_000_000;
/// Of 16: how many of the cases are also tightened.
const TIGHTENED: u64 = 4;
/// Repeats a run that printed its seed.
const SEED: &str = "WIIIV_REFERENCE_SEED";

/// Every code that facts can lead to. The others need plugins, databases, requests or the world.
const CODES: [DenyCode; 20] = [
    DenyCode::DacsNo,
    DenyCode::DacsRevision,
    DenyCode::DacsMissing,
    DenyCode::ApprovalMissing,
    DenyCode::ApprovalExpired,
    DenyCode::ApprovalStaleDigest,
    DenyCode::ApproverNotAllowed,
    DenyCode::TaintedArgument,
    DenyCode::StepTypeNotAllowed,
    DenyCode::HostNotAllowed,
    DenyCode::PathNotAllowed,
    DenyCode::PolicyForbids,
    DenyCode::BindingNotAllowed,
    DenyCode::EvidenceMismatch,
    DenyCode::Halted,
    DenyCode::SessionRiskHold,
    DenyCode::ModelUnverified,
    DenyCode::TokenBudgetExceeded,
    DenyCode::CostLimitExceeded,
    DenyCode::ModelUnpriced,
];

type Codes = BTreeSet<DenyCode>;

/// What the page says of each gate, `None` where it is not asked, and what is only recorded.
type Expected = ([Option<Codes>; 4], Codes);

/// The codes of those causes that are there.
fn against<const N: usize>(causes: [(bool, DenyCode); N]) -> Codes {
    causes.into_iter().filter_map(|(speaks, code)| speaks.then_some(code)).collect()
}

fn judged(case: &Case) -> Result<Findings, PolicyError> {
    let policy = Policy::compile(case.policy.clone(), &case.prices)?;
    Ok(evaluate(&case.facts, &policy, now()))
}

/// Where they disagree, if they do.
fn disagreement(findings: &Findings, (gates, would_deny): &Expected) -> Option<String> {
    for (gate, codes) in GateName::ALL.into_iter().zip(gates) {
        let agrees = match (findings.answer(gate), codes) {
            (Answer::NotAsked, None) => true,
            (Answer::Allow, Some(codes)) => codes.is_empty(),
            (Answer::Deny(code), Some(codes)) => codes.contains(&code),
            (Answer::NotAsked, Some(_)) | (Answer::Allow | Answer::Deny(_), None) => false,
        };
        if !agrees {
            return Some(format!("{gate}: {:?}, and the page {codes:?}", findings.answer(gate)));
        }
    }
    let refusals: Codes = findings.permission.refusals.iter().map(|r| r.code).collect();
    if gates[2].as_ref().is_some_and(|codes| *codes != refusals) {
        return Some(format!("permission refuses {refusals:?}, and the page {:?}", gates[2]));
    }
    let shadow: Codes = findings.would_deny().into_iter().map(|(_, code)| code).collect();
    if shadow.is_empty() != would_deny.is_empty() || !shadow.is_subset(would_deny) {
        return Some(format!("would deny {shadow:?}, and the page {would_deny:?}"));
    }
    let first = GateName::ALL
        .into_iter()
        .zip(gates)
        .find(|(_, codes)| codes.as_ref().is_some_and(|codes| !codes.is_empty()));
    let reported = findings.denials().first().map(|(gate, _)| *gate);
    if reported != first.map(|(gate, _)| gate) || findings.allowed() != first.is_none() {
        return Some(format!("{reported:?} is reported, and the page has {first:?}"));
    }
    None
}

/// What some cases came to.
#[derive(Default)]
struct Seen {
    cases: u64,
    allowed: u64,
    codes: BTreeMap<DenyCode, u64>,
    tightened: BTreeMap<&'static str, u64>,
    failure: Option<String>,
}

impl Seen {
    fn add(&mut self, other: Self) {
        self.cases += other.cases;
        self.allowed += other.allowed;
        other.codes.into_iter().for_each(|(code, n)| *self.codes.entry(code).or_default() += n);
        other
            .tightened
            .into_iter()
            .for_each(|(how, n)| *self.tightened.entry(how).or_default() += n);
        self.failure = self.failure.take().or(other.failure);
    }
    fn count(&mut self, findings: &Findings) {
        self.cases += 1;
        self.allowed += u64::from(findings.allowed());
        for (_, code) in findings.denials() {
            *self.codes.entry(code).or_default() += 1;
        }
    }
}

/// One case, checked; `None` where no policy comes of it.
fn differs(draw: &mut Draw, seen: &mut Seen) -> Option<String> {
    let case = Case::draw(draw);
    let findings = match judged(&case) {
        Ok(findings) => findings,
        Err(e) => return Some(format!("{e}: {:#?}", case.policy)),
    };
    seen.count(&findings);
    disagreement(&findings, &case.expected()).map(|how| format!("{how}\n{case:#?}"))
}

fn milder(draw: &mut Draw, seen: &mut Seen) -> Option<String> {
    let case = Case::draw(draw);
    let (name, tighten) = draw.of(tightenings::ALL);
    let mut tighter = case.clone();
    if !tighten(&mut tighter, draw) {
        return None;
    }
    let (before, after) = (judged(&case).ok()?, judged(&tighter).ok()?);
    seen.count(&before);
    *seen.tightened.entry(name).or_default() += 1;
    let milder = GateName::ALL.into_iter().find(|gate| {
        before.answer(*gate).denial().is_some() && after.answer(*gate) == Answer::Allow
    });
    let allowed = !before.allowed() && after.allowed();
    let milder = milder.map(|gate| gate.to_string()).or(allowed.then(|| "the chain".to_owned()));
    milder.map(|gate| format!("{name}: {gate} allows now\n{case:#?}\n{before:#?}"))
}

type Check = fn(&mut Draw, &mut Seen) -> Option<String>;

/// Runs the check over that many cases, on every processor.
fn over(count: u64, check: Check) -> Seen {
    let given = std::env::var(SEED).ok().and_then(|text| text.parse().ok());
    let seed: u64 = given.unwrap_or_else(|| RandomState::new().hash_one(count));
    let threads = thread::available_parallelism().map_or(1, NonZero::get) as u64;
    let part = |nth: u64| {
        let mut seen = Seen::default();
        for at in (nth..count).step_by(threads as usize) {
            let mut draw = Draw::seeded(mixed(seed.wrapping_add(at)));
            if check(&mut draw, &mut seen).is_some() {
                let fails = |tape: &[u8]| {
                    check(&mut Draw::from_tape(tape.to_vec()), &mut Seen::default()).is_some()
                };
                let tape = shrunk(draw.into_tape(), fails);
                let plainest = check(&mut Draw::from_tape(tape), &mut Seen::default());
                let text = plainest.unwrap_or_default();
                seen.failure = Some(format!("{SEED}={seed}, case {at}: {text}"));
                break;
            }
        }
        seen
    };
    let mut all = Seen::default();
    thread::scope(|scope| {
        let parts: Vec<_> = (0..threads).map(|nth| scope.spawn(move || part(nth))).collect();
        parts.into_iter().for_each(|part| all.add(part.join().unwrap()));
    });
    println!("figure: reference model, seed {seed}, {} cases, {} allowed", all.cases, all.allowed);
    if let Some(failure) = &all.failure {
        panic!("{failure}");
    }
    all
}

fn count() -> u64 {
    if std::env::var_os("WIIIV_LONG").is_some() { CASES_LONG } else { CASES }
}

/// No rule of it stands elsewhere: what it uses of ours is the case, and how an answer is written.
#[test]
fn the_model_is_one_page() {
    let page = include_str!("reference/page.rs");
    let lines = page.lines().count();
    println!("figure: reference model, {lines} lines");
    assert!(lines <= PAGE_LINES_MAX, "{lines} lines, at most {PAGE_LINES_MAX}: say it shorter");
    let is_ours = |line: &&str| ["super::", "crate::", "mod "].iter().any(|of| line.contains(of));
    let ours: Vec<&str> = page.lines().filter(is_ours).collect();
    assert_eq!(
        ours,
        ["use super::{Codes, Expected, against, cases::Case};", "use crate::test_gate::now;"]
    );
}

#[test]
fn the_evaluator_and_the_pages_agree() {
    let seen = over(count(), differs);
    println!("denials: {:?}", seen.codes);
    assert!(seen.allowed > seen.cases / 20, "{} of {} are allowed", seen.allowed, seen.cases);
    for code in CODES {
        let denied = seen.codes.get(&code).copied().unwrap_or_default();
        assert!(denied > seen.cases / 1_000, "{code}: {denied} of {} cases", seen.cases);
    }
}

#[test]
fn adding_a_deny_never_allows() {
    let seen = over(count() * TIGHTENED / 16, milder);
    println!("tightenings: {:?}", seen.tightened);
    for (name, _) in tightenings::ALL {
        assert!(seen.tightened.contains_key(name), "{name} was never tried");
    }
}

fn case() -> impl Strategy<Value = Case> {
    prop::collection::vec(any::<u8>(), 400).prop_map(|tape| Case::draw(&mut Draw::from_tape(tape)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]
    #[test]
    fn the_same_facts_have_the_same_findings_also_after_the_log(case in case()) {
        let policy = Policy::compile(case.policy, &case.prices).unwrap();
        let text = serde_json::to_vec(&case.facts).unwrap();
        let read: GateFacts = serde_json::from_slice(&text).unwrap();
        prop_assert_eq!(evaluate(&case.facts, &policy, now()), evaluate(&read, &policy, now()));
    }

    #[test]
    fn every_answer_is_given_and_a_denial_has_its_code(case in case()) {
        let findings = judged(&case).unwrap();
        let refused = findings.permission.refusals.first().map(|r| r.code);
        prop_assert_eq!(findings.permission.answer.denial(), refused);
        let mine = [
            DenyCode::DacsNo, DenyCode::DacsRevision, DenyCode::DacsMissing, DenyCode::EvidenceMismatch,
        ];
        prop_assert!(findings.dacs.answer.denial().is_none_or(|code| mine.contains(&code)));
        let denied = GateName::ALL.into_iter().filter(|gate| findings.answer(*gate).denial().is_some());
        prop_assert_eq!(denied.count(), findings.denials().len());
    }
}
