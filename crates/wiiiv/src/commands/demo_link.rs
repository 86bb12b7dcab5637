//! `demo link`: a new one-time link into the running demo.

use crate::connection::{self, Connection, path, required};
use crate::context::Context;
use crate::credentials::Credentials;
use crate::demo;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::texts::fill;
use serde_json::json;
use wiiiv_net::ApiCall;

/// Of the newest demo, where no server is named: somebody may have logged in elsewhere since.
pub async fn link(context: &Context) -> Result<Exit, Failure> {
    let named = context.server.is_some();
    let newest = Credentials::open()?.newest_of(demo::USER).map(str::to_owned);
    let address = match newest.filter(|_| !named) {
        Some(origin) => origin,
        None => connection::address(context)?,
    };
    let connection = Connection::at(context, &address)?;
    let call = ApiCall::post(path("/auth/demo/link")).json(json!({}));
    let answer = connection.client.send(call).await?.body;
    let link = demo::link(&address, required(&answer, "link")?);
    context.output.document(&json!({ "link": link }))?;
    context.output.line(&fill(&context.texts.demo.link, &[("link", &link)]))?;
    Ok(Exit::Done)
}
