//! Replayed inputs give the same state, through the journal's own bytes.

use crate::{
    moves::any_move,
    session::{SALT, Session, grounds, proposal, write_a},
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use wiiiv_domain::{
    Action, Asks, FlowInput, RefusedSpecs, ReplaySeed, Salt, SpecDigest, StateHash, TaskType,
};
use wiiiv_flow::{FlowState, step};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn gives_the_same_hashes(moves in prop::collection::vec(any_move(), 1..80)) {
        let mut session = Session::new();
        let mut hashes: Vec<StateHash> = Vec::new();
        for one in moves {
            let input = one.input(&mut session);
            session.give(input);
            hashes.push(session.state.hash());
        }
        let mut state = FlowState::new(SALT);
        for (input, hash) in session.inputs.iter().zip(hashes) {
            let journalled = serde_json::to_vec(input).unwrap();
            let input: FlowInput = serde_json::from_slice(&journalled).unwrap();
            state = step(&session.limits, &state, input).0;
            prop_assert_eq!(state.hash(), hash);
        }
        prop_assert_eq!(state, session.state);
    }

    /// A replay may begin at any quiet point: nothing before it is needed but the refused specs, as their
    /// document keeps them.
    #[test]
    fn may_begin_where_it_is_quiet(moves in prop::collection::vec(any_move(), 1..80)) {
        let mut session = Session::new();
        let mut replayed = FlowState::new(SALT);
        for one in moves {
            if session.state.is_quiet() {
                let seed = ReplaySeed::new(session.state.refused().clone());
                let kept = serde_json::to_string(&seed).unwrap();
                replayed = FlowState::quiet(SALT, ReplaySeed::read(&kept).unwrap());
                prop_assert_eq!(&replayed, &session.state);
            }
            let input = one.input(&mut session);
            session.give(input.clone());
            replayed = step(&session.limits, &replayed, input).0;
            prop_assert_eq!(replayed.hash(), session.state.hash());
        }
    }

    /// Any other seed than the one that was kept is told by the hash of the state before it.
    #[test]
    fn another_seed_is_another_hash(moves in prop::collection::vec(any_move(), 1..80), other: [u8; 32]) {
        let mut session = Session::new();
        for one in moves {
            let input = one.input(&mut session);
            session.give(input);
        }
        let refused = session.state.refused();
        let of = |refused: &RefusedSpecs| FlowState::quiet(SALT, refused.clone()).hash();
        let mut more = refused.clone();
        more.closed.insert(SpecDigest::from_bytes(other), None);
        prop_assert_ne!(of(&more), of(refused));
        let mut fewer = refused.clone();
        if fewer.closed.pop_first().is_some() || fewer.reopened.pop_first().is_some() {
            prop_assert_ne!(of(&fewer), of(refused));
        }
        let mut moved = refused.clone();
        if let Some(under) = moved.closed.values_mut().next() {
            *under = if *under == Some(grounds(9)) { None } else { Some(grounds(9)) };
            prop_assert_ne!(of(&moved), of(refused));
        }
    }

    /// Equal hashes are equal states, over everything that one walk passes through.
    #[test]
    fn hashes_tell_states_apart(moves in prop::collection::vec(any_move(), 1..80)) {
        let mut session = Session::new();
        let mut seen: BTreeMap<StateHash, FlowState> = BTreeMap::new();
        for one in moves {
            let input = one.input(&mut session);
            session.give(input);
            let state = session.state.clone();
            let known = seen.entry(state.hash()).or_insert_with(|| state.clone());
            prop_assert_eq!(&*known, &state);
        }
    }
}

/// Of an interview, which holds no digest that would speak for the slots.
#[test]
fn the_salt_and_every_slot_are_in_the_hash() {
    let hash = |salt: u8, path: &str, content: &str| {
        let mut session = Session::new();
        session.state = FlowState::new(Salt::from_bytes([salt; 16]));
        let pairs = [("targetPath", path), ("content", content)];
        session.say().model(proposal(Action::Ask, TaskType::FileWrite, &pairs)).state.hash()
    };
    let base = hash(1, "a.md", "one");
    assert_eq!(base, hash(1, "a.md", "one"));
    assert_ne!(base, hash(2, "a.md", "one"));
    assert_ne!(base, hash(1, "a.md", "two"));
    assert_ne!(base, hash(1, "a.mdo", "ne"));
}

#[test]
fn debug_shows_no_content() {
    let mut session = Session::new();
    session.previewed(write_a(), Asks::Requester);
    let shown = format!("{:?}", session.state);
    assert!(shown.contains("Confirming") && !shown.contains("a.md") && !shown.contains("one"));
}
