//! `ghost services`: both demo services and the web site in the foreground, with what a project needs to call them.

use crate::args::GhostServicesArgs;
use crate::context::Context;
use crate::demo::{fresh_credential, log_in};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::serve::StopSignals;
use crate::start_error::StartError;
use secrecy::ExposeSecret as _;
use serde::Serialize;
use std::net::{Ipv4Addr, SocketAddr};
use wiiiv_domain::System;
use wiiiv_fakes::{DemoService, LogIn, ServiceKind, TestSite};

/// A log-in that is made for this run and ends with it: it is meant to be read.
#[derive(Serialize)]
struct ServiceNotice {
    url: String,
    /// For tests, at an address of their own.
    doors: String,
    username: String,
    password: String,
    system: System,
}

/// What is printed for programs: the services, then the web site.
#[derive(Serialize)]
#[serde(untagged)]
enum Party<'a> {
    Service(&'a ServiceNotice),
    Site { url: String, doors: String },
}

pub async fn services(context: &Context, args: &GhostServicesArgs) -> Result<Exit, Failure> {
    let stop = StopSignals::listen()?;
    let mut running = Vec::new();
    let mut told = Vec::new();
    for (kind, port) in ServiceKind::ALL.into_iter().zip([args.port_skymall, args.port_skystock]) {
        let (service, log_in) = open(kind, port.unwrap_or(0)).await?;
        let doors = service.open_doors(0).await.map_err(refused(0))?;
        told.push(ServiceNotice {
            url: service.url(),
            doors: doors.url(),
            username: log_in.username,
            password: log_in.password.expose_secret().to_owned(),
            system: service.system().clone(),
        });
        running.push((service, doors));
    }
    let port = args.port_testsite.unwrap_or(0);
    let site = TestSite::open(port).await.map_err(refused(port))?;
    let site_doors = site.open_doors(0).await.map_err(refused(0))?;
    let mut parties: Vec<Party<'_>> = told.iter().map(Party::Service).collect();
    parties.push(Party::Site { url: site.url(), doors: site_doors.url() });
    context.output.document(&parties)?;
    for one in &told {
        let registration = serde_json::to_string(&one.system).map_err(std::io::Error::from)?;
        let values = [
            ("name", one.system.name.as_str()),
            ("url", &one.url),
            ("doors", &one.doors),
            ("username", &one.username),
            ("password", &one.password),
            ("registration", &registration),
        ];
        context.say(&context.texts.ghost.service, &values)?;
    }
    let (url, doors) = (site.url(), site_doors.url());
    let values = [("name", TestSite::NAME), ("url", &url), ("doors", &doors)];
    context.say(&context.texts.ghost.site, &values)?;
    context.output.line(&context.texts.ghost.stop)?;
    stop.asked().await;
    drop((running, site, site_doors));
    Ok(Exit::Done)
}

async fn open(kind: ServiceKind, port: u16) -> Result<(DemoService, LogIn), StartError> {
    let log_in = log_in(&fresh_credential(kind.name())?);
    let service = DemoService::open(kind, port, log_in.clone()).await.map_err(refused(port))?;
    Ok((service, log_in))
}

fn refused(port: u16) -> impl FnOnce(std::io::Error) -> StartError {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    move |error| StartError::Service { address, reason: error.to_string() }
}
