//! A client of the server's REST API, as far as a player needs it.

use super::error::PlayError;
use futures::StreamExt as _;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::{Value, json};
use std::time::Duration;
use wiiiv_domain::System;
use wiiiv_net::{ApiCall, ApiClient, EventStream};

/// A turn that takes longer counts as one that does not end.
pub(super) const TURN_WITHIN: Duration = Duration::from_secs(60);
/// The limit with a real model. Its server gives up after two minutes a proposal, and a turn may take
/// several proposals: a slow model has to fail there and be judged, not be an error of the player.
const LIVE_TURN_WITHIN: Duration = Duration::from_secs(360);
/// Rows of one page.
const PAGE_ROWS: usize = 100;
/// Pages of one list.
const PAGES_MAX: usize = 200;
const OWNER: &str = "ghost";
/// A document's name says what it is.
const UNKNOWN_MEDIA_TYPE: &str = "application/octet-stream";

#[derive(Clone)]
pub(crate) struct RestClient {
    api: ApiClient,
    token: Option<SecretString>,
    turn_within: Duration,
}

/// A text member that an answer must have.
pub(crate) fn required_text(answer: &Value, field: &'static str) -> Result<String, PlayError> {
    let text = answer.get(field).and_then(Value::as_str).map(str::to_owned);
    text.ok_or_else(|| PlayError::answer(field, answer))
}

fn path(below: &str) -> String {
    format!("/api/v2{below}")
}

/// As a value of a query.
fn encoded(text: &str) -> String {
    let mut encoded = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

impl RestClient {
    pub(crate) fn at(url: &str) -> Result<Self, PlayError> {
        Ok(Self { api: ApiClient::new(url, None)?, token: None, turn_within: TURN_WITHIN })
    }

    /// The same person at the address of a restarted server.
    pub(crate) fn moved(&self, url: &str) -> Result<Self, PlayError> {
        let api = ApiClient::new(url, self.token.clone())?;
        Ok(Self { api, token: self.token.clone(), turn_within: self.turn_within })
    }

    /// Waits as long as a real model may take.
    pub(crate) fn patient(self) -> Self {
        Self { turn_within: LIVE_TURN_WITHIN, ..self }
    }

    pub(crate) const fn turn_within(&self) -> Duration {
        self.turn_within
    }

    /// Creates the first account, which owns every project that is played.
    pub(crate) async fn set_up(self, setup_token: &str) -> Result<Self, PlayError> {
        let who = json!({ "token": setup_token, "name": OWNER, "password": "a ghost's password" });
        let made = self.post("/setup", who).await?;
        let token = SecretString::from(required_text(&made, "token")?);
        Ok(Self { api: self.api.with_token(token.clone()), token: Some(token), ..self })
    }

    /// Another person at the same server.
    pub(crate) fn as_person(&self, token: &SecretString) -> Self {
        let api = self.api.clone().with_token(token.clone());
        Self { api, token: Some(token.clone()), turn_within: self.turn_within }
    }

    /// Creates an account and logs in.
    pub(crate) async fn enrol(
        &self,
        name: &str,
        password: &str,
    ) -> Result<(String, SecretString), PlayError> {
        let who = json!({ "name": name, "password": password, "admin": false });
        let user = required_text(&self.post("/users", who).await?, "id")?;
        let logged_in = self.post("/auth/login", json!({ "name": name, "password": password }));
        Ok((user, SecretString::from(required_text(&logged_in.await?, "token")?)))
    }

    /// Makes a person a member of the project, with one role.
    pub(crate) async fn add_member(
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

    pub(crate) async fn delete(&self, below: &str) -> Result<(), PlayError> {
        self.api.send(ApiCall::delete(path(below))).await?;
        Ok(())
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

    /// `seen`: number of the last event that is on the screen of whoever says it.
    pub(crate) async fn say(
        &self,
        session: &str,
        words: &str,
        seen: u64,
    ) -> Result<EventStream, PlayError> {
        let call = ApiCall::post(path(&format!("/sessions/{session}/messages")));
        Ok(self.api.events(call.json(json!({ "text": words, "seen": seen })), None).await?)
    }

    pub(crate) async fn events(&self, session: &str, after: u64) -> Result<EventStream, PlayError> {
        let call = ApiCall::get(path(&format!("/sessions/{session}/events?after={after}")));
        Ok(self.api.events(call, None).await?)
    }

    /// Changes the project's policy and returns the new one.
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

    /// Proposes a change of the project's policy for a while; the id of the proposal comes back.
    pub(crate) async fn propose_override(
        &self,
        project: &str,
        mut body: Value,
        change: impl FnOnce(&mut Value),
    ) -> Result<String, PlayError> {
        let below = path(&format!("/projects/{project}/policy"));
        let mut current = self.api.send(ApiCall::get(&below)).await?;
        let mut policy = current.body.get_mut("policy").map(Value::take).unwrap_or_default();
        change(&mut policy);
        if let Some(members) = body.as_object_mut() {
            members.insert("policy".to_owned(), policy);
            members.insert("reason".to_owned(), "as the scenario has it".into());
        }
        let call = ApiCall::post(path(&format!("/projects/{project}/overrides"))).json(body);
        let made = self.api.send(call.if_match(current.etag.unwrap_or_default())).await?.body;
        required_text(&made, "id")
    }

    /// Replaces the whole text of a memory, whoever wrote it.
    pub(crate) async fn replace_memory(&self, below: &str, text: &str) -> Result<(), PlayError> {
        let below = path(below);
        let current = self.api.send(ApiCall::get(&below)).await?;
        if current.body.get("text").and_then(Value::as_str) == Some(text) {
            return Ok(());
        }
        let call = ApiCall::put(below).json(json!({ "text": text }));
        self.api.send(call.if_match(current.etag.unwrap_or_default())).await?;
        Ok(())
    }

    /// Begins to ingest a document of the project; the job comes back.
    pub(crate) async fn ingest(
        &self,
        project: &str,
        name: &str,
        text: &[u8],
    ) -> Result<Value, PlayError> {
        let below = format!("/rag/projects/{project}/ingest?name={}", encoded(name));
        let call = ApiCall::post(path(&below)).file(UNKNOWN_MEDIA_TYPE, text.to_vec());
        Ok(self.api.send(call).await?.body)
    }

    /// Stores a model's key of this person, for that origin alone.
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

    /// Registers a system with its credential. The credential names the system's revision.
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
