//! The state of a running service.

use super::{
    access::{Access, LogIn},
    call::CallLog,
    fault::Faults,
    plan::Plan,
    rows::Tables,
};
use std::io;

pub struct ServiceState {
    seeded: Tables,
    pub(super) rows: Tables,
    pub(super) log: CallLog,
    pub(super) faults: Faults,
    pub(super) access: Access,
}

impl ServiceState {
    pub(super) fn seed(plan: &Plan, user: LogIn) -> io::Result<Self> {
        let seeded = Tables::parse(plan.rows)?;
        Ok(Self {
            rows: seeded.clone(),
            seeded,
            log: CallLog::start(),
            faults: Faults::default(),
            access: Access::new(plan.name, user),
        })
    }
    /// Restores the rows, and empties the log, the faults and the tokens.
    pub(super) fn reset(&mut self) {
        self.rows = self.seeded.clone();
        self.log.clear();
        self.faults.clear();
        self.access.expire();
    }
}
