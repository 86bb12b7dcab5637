//! The server's API, as far as a player needs it.

use super::{
    error::PlayError,
    events::{LIVE_TURN_WITHIN, TURN_WITHIN},
};
use futures::StreamExt as _;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use std::time::Duration;
use wiiiv_domain::System;
use wiiiv_net::{ApiCall, ApiClient, EventStream};

/// Rows of one page.
const PAGE_ROWS: usize = 100;
/// Pages of one list.
const PAGES_MAX: usize = 200;
const OWNER: &str = "ghost";

#[derive(Clone)]
pub(crate) struct Rest {
    api: ApiClient,
    token: Option<SecretString>,
    turn_within: Duration,
}

pub(crate) fn text(of: &Value, field: &'static str) -> Result<String, PlayError> {
    let text = of.get(field).and_then(Value::as_str).map(str::to_owned);
    text.ok_or_else(|| PlayError::answer(field, of))
}

fn path(below: &str) -> String {
    format!("/api/v2{below}")
}

impl Rest {
    pub(crate) fn at(url: &str) -> Result<Self, PlayError> {
        Ok(Self { api: ApiClient::new(url, None)?, token: None, turn_within: TURN_WITHIN })
    }

    /// The same person at another address: a server that was started again.
    pub(crate) fn moved(&self, url: &str) -> Result<Self, PlayError> {
        let api = ApiClient::new(url, self.token.clone())?;
        Ok(Self { api, token: self.token.clone(), turn_within: self.turn_within })
    }

    /// With the time that a real model may take.
    pub(super) fn patient(self) -> Self {
        Self { turn_within: LIVE_TURN_WITHIN, ..self }
    }

    pub(super) const fn turn_within(&self) -> Duration {
        self.turn_within
    }

    /// Makes the first account; it is the owner of everything that is played.
    pub(crate) async fn set_up(self, setup_token: &str) -> Result<Self, PlayError> {
        let who = json!({ "token": setup_token, "name": OWNER, "password": "a ghost's password" });
        let made = self.post("/setup", who).await?;
        let token = SecretString::from(text(&made, "token")?);
        Ok(Self { api: self.api.with_token(token.clone()), token: Some(token), ..self })
    }

    /// Somebody else at the same server.
    pub(crate) fn speaking_as(&self, token: &SecretString) -> Self {
        let api = self.api.clone().with_token(token.clone());
        Self { api, token: Some(token.clone()), turn_within: self.turn_within }
    }

    /// Makes an account and logs it in.
    pub(crate) async fn enrol(
        &self,
        name: &str,
        password: &str,
    ) -> Result<(String, SecretString), PlayError> {
        let who = json!({ "name": name, "password": password, "admin": false });
        let user = text(&self.post("/users", who).await?, "id")?;
        let logged_in = self.post("/auth/login", json!({ "name": name, "password": password }));
        Ok((user, SecretString::from(text(&logged_in.await?, "token")?)))
    }

    /// Gives a person one role in the project.
    pub(crate) async fn admit(
        &self,
        project: &str,
        user: &str,
        role: &str,
    ) -> Result<(), PlayError> {
        let below = path(&format!("/projects/{project}/members"));
        let listed = self.api.send(ApiCall::get(&below)).await?;
        let call = ApiCall::put(format!("{below}/{user}")).json(json!({ "roles": [role] }));
        self.api.send(call.if_match(listed.etag.unwrap_or_default())).await?;
        Ok(())
    }

    pub(crate) async fn get(&self, below: &str) -> Result<Value, PlayError> {
        Ok(self.api.send(ApiCall::get(path(below))).await?.body)
    }

    pub(crate) async fn post(&self, below: &str, body: Value) -> Result<Value, PlayError> {
        Ok(self.api.send(ApiCall::post(path(below)).json(body)).await?.body)
    }

    /// Every page of a list, in its own order.
    pub(crate) async fn rows(&self, below: &str) -> Result<Vec<Value>, PlayError> {
        let joint = if below.contains('?') { '&' } else { '?' };
        let (mut rows, mut cursor) = (Vec::new(), String::new());
        for _ in 0..PAGES_MAX {
            let page = format!("{below}{joint}limit={PAGE_ROWS}{cursor}");
            let mut page = self.get(&page).await?;
            match page.get_mut("items").map(Value::take) {
                Some(Value::Array(items)) => rows.extend(items),
                Some(_) | None => return Err(PlayError::answer("items", &page)),
            }
            match page.get("next_cursor").and_then(Value::as_str) {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        Ok(rows)
    }

    pub(crate) async fn bytes(&self, below: &str) -> Result<Vec<u8>, PlayError> {
        let mut pieces = self.api.download(ApiCall::get(path(below))).await?;
        let mut bytes = Vec::new();
        while let Some(piece) = pieces.next().await {
            bytes.extend_from_slice(&piece?);
        }
        Ok(bytes)
    }

    pub(crate) async fn say(&self, session: &str, words: &str) -> Result<EventStream, PlayError> {
        let call = ApiCall::post(path(&format!("/sessions/{session}/messages")));
        Ok(self.api.events(call.json(json!({ "text": words })), None).await?)
    }

    pub(crate) async fn events(&self, session: &str, after: u64) -> Result<EventStream, PlayError> {
        let call = ApiCall::get(path(&format!("/sessions/{session}/events?after={after}")));
        Ok(self.api.events(call, None).await?)
    }

    /// Changes the project's policy; what comes back is the policy that stands.
    pub(crate) async fn change_policy(
        &self,
        project: &str,
        change: impl FnOnce(&mut Value),
    ) -> Result<Value, PlayError> {
        let below = path(&format!("/projects/{project}/policy"));
        let mut current = self.api.send(ApiCall::get(&below)).await?;
        let mut policy = current.body.get_mut("policy").map(Value::take).unwrap_or_default();
        change(&mut policy);
        let body = json!({ "policy": policy, "reason": "as the scenario has it" });
        let call = ApiCall::put(below).json(body).if_match(current.etag.unwrap_or_default());
        self.api.send(call).await?;
        Ok(policy)
    }

    /// A model's key of the person who speaks, to be sent to that origin alone.
    pub(crate) async fn put_key(
        &self,
        provider: &str,
        key: &SecretString,
        origin: &str,
    ) -> Result<(), PlayError> {
        let body = json!({ "secret": key.expose_secret(), "origin": origin });
        let call = ApiCall::put(path(&format!("/keys/{provider}"))).json(body);
        self.api.send(call).await?;
        Ok(())
    }

    /// With its credential: another's revision would be refused.
    pub(crate) async fn register(
        &self,
        project: &str,
        system: &System,
        (username, secret): (&str, &str),
    ) -> Result<(), PlayError> {
        let name = &system.name;
        let mut body = serde_json::to_value(system).unwrap_or_default();
        if let Some(members) = body.as_object_mut() {
            members.remove("version");
            members.remove("name");
        }
        let below = path(&format!("/projects/{project}/systems/{name}"));
        let made = self.api.send(ApiCall::put(&below).json(body)).await?;
        let credential = json!({ "username": username, "secret": secret });
        let call = ApiCall::put(format!("{below}/credential")).json(credential);
        self.api.send(call.if_match(made.etag.unwrap_or_default())).await?;
        Ok(())
    }
}
