//! `demo link`: a new one-time link into the running demo.

use crate::connection::{self, Connection, required};
use crate::context::Context;
use crate::credentials::Credentials;
use crate::demo;
use crate::exit::Exit;
use crate::failure::Failure;
use serde_json::json;

/// Of the newest demo, where no server is named: somebody may have logged in elsewhere since.
pub async fn link(context: &Context) -> Result<Exit, Failure> {
    let named = context.server.is_some();
    let newest = Credentials::open()?.newest_of(demo::USER).map(str::to_owned);
    let address = match newest.filter(|_| !named) {
        Some(origin) => origin,
        None => connection::address(context)?,
    };
    let connection = Connection::at(context, &address)?;
    let answer = connection.post("/auth/demo/link", json!({})).await?;
    let link = demo::link(&address, required(&answer, "link")?);
    context.done(&json!({ "link": link }), &context.texts.demo.link, &[("link", &link)])
}
