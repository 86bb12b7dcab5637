//! Prepares a turn: the model's answers and the services' faults.

use crate::{
    harness::{PlayError, ProjectSetup, Servers},
    scenario::{Cut, ServiceFault, Turn},
};
use wiiiv_fakes::{Dropped, Fault, Recorded};

/// Sets the model's answers for this turn, and adds the services' faults from this turn on.
pub(super) fn prepare(
    servers: &Servers,
    setup: &ProjectSetup,
    turn: &Turn,
) -> Result<(), PlayError> {
    servers.set_answers(&setup.cassette, recorded(servers, setup, turn)?)?;
    turn.faults.iter().try_for_each(|fault| add_fault(setup, fault))
}

/// Personas whose review a crash cut off are asked again: what they say in this turn waits once more.
pub(super) fn prepare_personas(
    servers: &Servers,
    setup: &ProjectSetup,
    turn: &Turn,
) -> Result<(), PlayError> {
    let answers = recorded(servers, setup, turn)?;
    servers.add_answers(&setup.cassette, answers.into_iter().filter(|said| said.mark.is_some()))
}

/// A real model has none.
fn recorded(
    servers: &Servers,
    setup: &ProjectSetup,
    turn: &Turn,
) -> Result<Vec<Recorded>, PlayError> {
    if servers.live.is_some() {
        return Ok(Vec::new());
    }
    let answers = setup.addresses.fill_answers(turn);
    answers.map_err(|error| PlayError::Scenario(error.to_string()))
}

fn add_fault(setup: &ProjectSetup, fault: &ServiceFault) -> Result<(), PlayError> {
    let refused =
        |why: String| PlayError::Scenario(format!("a fault of `{}`: {why}", fault.service));
    let service = setup.services.get(&fault.service);
    let service = service.ok_or_else(|| refused("it is not started".to_owned()))?;
    let planned = Fault {
        path: fault.path.clone(),
        method: fault.method.clone(),
        status: fault.status,
        delay_ms: fault.delay_ms.unwrap_or_default(),
        drop: fault.drop.map(|cut| match cut {
            Cut::Before => Dropped::Before,
            Cut::After => Dropped::After,
        }),
        times: fault.times,
    };
    service.fault(planned).map_err(|error| refused(error.to_string()))
}
