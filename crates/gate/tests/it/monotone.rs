//! Making any vote more severe never makes the result milder.

use crate::test_gate::{TestGate, execution, now, permissive, ruling};
use proptest::prelude::*;
use std::sync::Arc;
use wiiiv_domain::{Consensus, DacsStage, Persona, Vote};
use wiiiv_gate::{Answer, EvidenceSet, Purpose, consensus, dacs};

fn votes() -> impl Strategy<Value = Vec<Vote>> {
    let vote = prop_oneof![Just(Vote::Approve), Just(Vote::Abstain), Just(Vote::Reject)];
    prop::collection::vec(vote, 1..7)
}

fn more_severe(vote: Vote) -> Vote {
    match vote {
        Vote::Approve => Vote::Abstain,
        Vote::Abstain | Vote::Reject => Vote::Reject,
    }
}

fn text(votes: &[Vote]) -> String {
    let answer = |(persona, vote): (Persona, &Vote)| {
        format!(
            "{{\"persona\":{},\"vote\":{},\"concerns\":[],\"reason\":\"\"}}",
            serde_json::to_string(&persona).unwrap(),
            serde_json::to_string(vote).unwrap()
        )
    };
    let answers: Vec<String> = Persona::ALL.into_iter().zip(votes).map(answer).collect();
    format!("{{\"opinions\":[{}]}}", answers.join(","))
}

/// Whether DACS lets it pass, with these recorded votes and these model votes.
fn severity(recorded: &[Vote], model: &[Vote]) -> (bool, Option<Consensus>) {
    let test = TestGate::new();
    let mut rules = permissive();
    rules.dacs_stage = DacsStage::Enforce;
    let policy = test.snapshot(rules);
    let mut plan = test.write("a.md", &policy);
    let deliberation = &mut plan.spec_snapshot.deliberation;
    deliberation.opinions.iter_mut().zip(recorded).for_each(|(o, vote)| o.vote = *vote);
    deliberation.consensus = consensus(deliberation.opinions.iter().map(|o| o.vote));
    let rules = deliberation.clone();
    let digest = plan.spec_snapshot.spec.digest().unwrap();
    let heard = test.record(&dacs::parse(digest, text(model).as_bytes()).unwrap());
    let keeper = &test.opened.keeper;
    plan.spec_snapshot.deliberation = keeper.joined(rules, digest, &heard).unwrap();
    let given = EvidenceSet { deliberation: Some(heard), ..test.evidence(Vec::new()) };
    let start = Purpose::Start(execution());
    let cx = keeper.gather(ruling(), start, plan, Arc::clone(&policy), given).unwrap();
    let findings = wiiiv_gate::evaluate(cx.facts(), policy.policy(), now());
    (findings.dacs.answer != Answer::Allow, findings.dacs.consensus)
}

proptest! {
    #[test]
    fn a_consensus_never_grows_milder(votes in votes(), at in 0_usize..7) {
        let mut worse = votes.clone();
        let at = at % worse.len();
        worse[at] = more_severe(worse[at]);
        prop_assert!(consensus(worse.clone()) >= consensus(votes.clone()));
        let mut longer = votes.clone();
        longer.push(Vote::Abstain);
        prop_assert!(consensus(longer) >= consensus(votes));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn an_answer_never_grows_milder(
        recorded in prop::collection::vec(votes(), 2..3),
        at in 0_usize..3,
        in_model in any::<bool>(),
    ) {
        let pad = |votes: &Vec<Vote>| -> Vec<Vote> {
            votes.iter().copied().chain([Vote::Approve; 3]).take(3).collect()
        };
        let (mut rule, mut model) = (pad(&recorded[0]), pad(&recorded[1]));
        let before = severity(&rule, &model);
        let worse = if in_model { &mut model } else { &mut rule };
        worse[at] = more_severe(worse[at]);
        prop_assert!(severity(&rule, &model) >= before);
    }
}
