//! One running service and the handle to it.

use super::access::{Access, LogIn};
use super::call::{CallLog, ServiceCall};
use super::doors::Doors;
use super::fault::{Fault, FaultError, Faults};
use super::plan::ServiceKind;
use super::routes::calls;
use super::rows::Tables;
use crate::room::Room;
use crate::served::Served;
use serde_json::Value;
use std::{io, net::SocketAddr};
use wiiiv_domain::System;

/// What a service knows.
pub struct Desk {
    seeded: Tables,
    pub(super) rows: Tables,
    pub(super) log: CallLog,
    pub(super) faults: Faults,
    pub(super) access: Access,
}

impl Desk {
    /// As at the start.
    pub(super) fn reset(&mut self) {
        self.rows = self.seeded.clone();
        self.log.clear();
        self.faults.clear();
        self.access.expire();
    }
}

/// Ends with its handle.
pub struct DemoService {
    served: Served,
    room: Room<Desk>,
    system: System,
}

impl DemoService {
    /// On a loopback port; 0 takes a free one.
    pub async fn open(kind: ServiceKind, port: u16, user: LogIn) -> io::Result<Self> {
        let plan = kind.plan();
        let seeded = Tables::parse(plan.rows)?;
        let room = Room::of(Desk {
            rows: seeded.clone(),
            seeded,
            log: CallLog::begin(),
            faults: Faults::default(),
            access: Access::of(plan.name, user),
        });
        let served = Served::on(port, calls(plan, &room)).await?;
        let system = kind.system(served.address()).map_err(io::Error::other)?;
        Ok(Self { served, room, system })
    }
    /// Doors for tests, on a loopback port of their own.
    pub async fn open_doors(&self, port: u16) -> io::Result<Doors> {
        Doors::to_desk(port, self.room.clone()).await
    }
    #[must_use]
    pub fn url(&self) -> String {
        self.served.url()
    }
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.served.address()
    }
    /// How a project registers it; the credential is set apart from that.
    #[must_use]
    pub const fn system(&self) -> &System {
        &self.system
    }
    /// Every call in the order in which it came.
    #[must_use]
    pub fn calls(&self) -> Vec<ServiceCall> {
        self.room.with(|desk| desk.log.all())
    }
    /// The rows of a table as they are now.
    #[must_use]
    pub fn rows(&self, table: &str) -> Vec<Value> {
        self.room.with(|desk| desk.rows.table(table).to_vec())
    }
    /// Every token that was ever given: secrets that nobody may find again.
    #[must_use]
    pub fn tokens(&self) -> Vec<String> {
        self.room.with(|desk| desk.access.tokens())
    }
    /// Rows, log, faults and tokens as at the start.
    pub fn reset(&self) {
        self.room.with(Desk::reset);
    }
    /// Ends every token: the next call must log in again.
    pub fn expire_tokens(&self) {
        self.room.with(|desk| desk.access.expire());
    }
    pub fn fault(&self, fault: Fault) -> Result<(), FaultError> {
        self.room.with(|desk| desk.faults.add(fault))
    }
}
