//! A running service and its handle.

use super::{
    access::LogIn,
    call::ServiceCall,
    doors::Doors,
    fault::{Fault, FaultError},
    kind::ServiceKind,
    routes::routes,
    service_state::ServiceState,
};
use crate::{loopback::LoopbackServer, shared::Shared};
use serde_json::Value;
use std::{io, net::SocketAddr};
use wiiiv_domain::System;

/// The service ends with this handle.
pub struct DemoService {
    server: LoopbackServer,
    state: Shared<ServiceState>,
    system: System,
}

impl DemoService {
    /// On a loopback port; 0 takes a free one.
    pub async fn open(kind: ServiceKind, port: u16, user: LogIn) -> io::Result<Self> {
        let plan = kind.plan();
        let state = Shared::new(ServiceState::seed(plan, user)?);
        let server = LoopbackServer::start(port, routes(plan, &state)).await?;
        let system = kind.system(server.address()).map_err(io::Error::other)?;
        Ok(Self { server, state, system })
    }
    /// Doors for tests, on a loopback port of their own.
    pub async fn open_doors(&self, port: u16) -> io::Result<Doors> {
        Doors::to_service(port, self.state.clone()).await
    }
    #[must_use]
    pub fn url(&self) -> String {
        self.server.url()
    }
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.server.address()
    }
    /// The registration for a project; its credential is set separately.
    #[must_use]
    pub const fn system(&self) -> &System {
        &self.system
    }
    /// Every call, in order.
    #[must_use]
    pub fn calls(&self) -> Vec<ServiceCall> {
        self.state.with(|state| state.log.all())
    }
    /// The current rows of a table.
    #[must_use]
    pub fn rows(&self, table: &str) -> Vec<Value> {
        self.state.with(|state| state.rows.table(table).to_vec())
    }
    /// Every token that was ever issued: no other place may contain one.
    #[must_use]
    pub fn tokens(&self) -> Vec<String> {
        self.state.with(|state| state.access.tokens())
    }
    /// Restores the rows, and empties the log, the faults and the tokens.
    pub fn reset(&self) {
        self.state.with(ServiceState::reset);
    }
    /// Expires every token: the next call has to log in again.
    pub fn expire_tokens(&self) {
        self.state.with(|state| state.access.expire());
    }
    pub fn fault(&self, fault: Fault) -> Result<(), FaultError> {
        self.state.with(|state| state.faults.add(fault))
    }
}
