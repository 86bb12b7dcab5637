//! Makes the three parts of one opening, which share its seal.

use crate::{
    base::base_book::BaseBook,
    keeper::GateKeeper,
    log::registrar::Registrar,
    permit::{seal::Seal, verifier::Verifier},
};

/// The parts of one opening: the registrar moves into the store, the verifier to the executors.
#[derive(Debug)]
pub struct Opened {
    /// Gathers evidence and rules; may be cloned.
    pub keeper: GateKeeper,
    /// Records evidence and attests commits; goes into the store.
    pub registrar: Registrar,
    /// Redeems permits; goes to whoever executes.
    pub verifier: Verifier,
}

/// Called once, by `wiiiv::open`.
#[must_use]
pub fn open(base: BaseBook) -> Opened {
    let seal = Seal::of(base);
    Opened {
        keeper: GateKeeper::of(seal.clone()),
        registrar: Registrar::of(seal.clone()),
        verifier: Verifier::of(seal),
    }
}
