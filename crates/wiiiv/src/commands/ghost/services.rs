//! `ghost services`: both demo services in the foreground, with what a project needs to call them.

use crate::args::GhostServicesArgs;
use crate::context::Context;
use crate::demo::fresh_credential;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::serve::StopSignals;
use crate::start::StartError;
use crate::texts::fill;
use secrecy::ExposeSecret as _;
use serde::Serialize;
use std::net::{Ipv4Addr, SocketAddr};
use wiiiv_domain::System;
use wiiiv_ghost::{DemoService, LogIn, ServiceKind};

/// A log-in that is made for this run and ends with it: it is meant to be read.
#[derive(Serialize)]
struct Told {
    url: String,
    username: String,
    password: String,
    system: System,
}

pub async fn services(context: &Context, args: &GhostServicesArgs) -> Result<Exit, Failure> {
    let stop = StopSignals::listen()?;
    let mut running = Vec::new();
    let mut told = Vec::new();
    for (kind, port) in ServiceKind::ALL.into_iter().zip([args.port_skymall, args.port_skystock]) {
        let (service, log_in) = open(kind, port.unwrap_or(0)).await?;
        told.push(Told {
            url: service.url(),
            username: log_in.username,
            password: log_in.password.expose_secret().to_owned(),
            system: service.system().clone(),
        });
        running.push(service);
    }
    context.output.document(&told)?;
    for one in &told {
        let registration = serde_json::to_string(&one.system).map_err(std::io::Error::from)?;
        let values = [
            ("name", one.system.name.as_str()),
            ("url", &one.url),
            ("username", &one.username),
            ("password", &one.password),
            ("registration", &registration),
        ];
        context.output.line(&fill(&context.texts.ghost.service, &values))?;
    }
    context.output.line(&context.texts.ghost.stop)?;
    stop.asked().await;
    drop(running);
    Ok(Exit::Done)
}

async fn open(kind: ServiceKind, port: u16) -> Result<(DemoService, LogIn), StartError> {
    let credential = fresh_credential(kind.name())?;
    let log_in = LogIn {
        username: credential.username().expose_secret().to_owned(),
        password: credential.secret().clone(),
    };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let refuse = |error: std::io::Error| StartError::Service { address, reason: error.to_string() };
    let service = DemoService::open(kind, port, log_in.clone()).await.map_err(refuse)?;
    Ok((service, log_in))
}
