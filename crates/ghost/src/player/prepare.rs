//! Prepares a turn: the model's answers and the services' faults.

use crate::{
    harness::{PlayError, ProjectSetup, Servers},
    scenario::{Cut, ServiceFault, Turn},
};
use wiiiv_fakes::{Dropped, Fault};

/// Sets the model's answers for this turn, and adds the services' faults from this turn on.
pub(super) fn prepare(
    servers: &Servers,
    setup: &ProjectSetup,
    turn: &Turn,
) -> Result<(), PlayError> {
    let answers = setup.addresses.fill_answers(turn);
    let answers = answers.map_err(|error| PlayError::Scenario(error.to_string()))?;
    // A real model has no recorded answers.
    let answers = answers.into_iter().filter(|_| servers.live.is_none());
    servers.set_answers(&setup.cassette, answers)?;
    turn.faults.iter().try_for_each(|fault| add_fault(setup, fault))
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
