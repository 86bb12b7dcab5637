//! `keys`: keys of model providers. A secret comes from a file or standard input, and is never
//! shown.

use crate::args::{Holder, HolderArg, KeyArg, project::ProjectArg, words::word};
use crate::connection::{Connection, flag, if_there, items, path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::secret::given;
use crate::texts::named;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use std::path::Path;
use wiiiv_net::ApiCall;

const ACCEPTED: &str = "ACCEPTED";

/// The keys of one holder at the server.
struct Ring {
    connection: Connection,
    base: String,
}

impl Ring {
    async fn open(context: &Context, args: &HolderArg) -> Result<Self, Failure> {
        if args.project.project.is_some() && args.holder != Holder::Project {
            return Err(Failure::NotOfProject);
        }
        let connection = Connection::open(context)?;
        let base = match args.holder {
            Holder::Me => "/keys".to_owned(),
            Holder::Server => "/server/keys".to_owned(),
            Holder::Project => {
                let project = connection.project(args.project.project.as_deref()).await?;
                format!("/projects/{project}/keys")
            }
        };
        Ok(Self { connection, base })
    }
    async fn rows(&self) -> Result<Vec<Value>, Failure> {
        self.connection.all(&self.base).await
    }
    /// The one that is there now.
    async fn kept(&self, key: &KeyArg) -> Result<Option<Value>, Failure> {
        let provider = word(&key.key_provider);
        let same = |row: &Value| text(row, "provider").eq_ignore_ascii_case(&provider);
        Ok(self.rows().await?.into_iter().find(same))
    }
    fn below(&self, key: &KeyArg) -> String {
        format!("{}/{}", self.base, word(&key.key_provider))
    }
}

fn revision(row: &Value) -> Option<u64> {
    row.get("revision")?.as_u64()
}

pub async fn list(context: &Context, args: &HolderArg) -> Result<Exit, Failure> {
    let rows = Ring::open(context, args).await?.rows().await?;
    let texts = &context.texts.keys;
    let cells = |row: &Value| {
        let checked = row.get("checked").filter(|checked| !checked.is_null());
        let said = |field| checked.map(|checked| text(checked, field)).unwrap_or("-").to_owned();
        [
            text(row, "provider").to_owned(),
            text(row, "masked").to_owned(),
            text(row, "origin").to_owned(),
            said("verdict"),
            said("at"),
        ]
    };
    let heads = [&texts.provider, &texts.key, &texts.origin, &texts.verdict, &texts.checked];
    context.list(&rows, heads, cells)
}

pub async fn set(
    context: &Context,
    key: &KeyArg,
    origin: Option<&str>,
    secret_file: Option<&Path>,
) -> Result<Exit, Failure> {
    let ring = Ring::open(context, &key.holder).await?;
    let kept = ring.kept(key).await?;
    if let (None, Some(row), Some(own)) = (origin, &kept, key.key_provider.own_origin())
        && text(row, "origin") != own.to_string()
    {
        let origin = text(row, "origin").to_owned();
        return Err(Failure::KeptElsewhere { origin, own: own.to_string() });
    }
    let secret = given(secret_file, &context.texts.keys.ask_secret)?;
    // Else the server takes the provider's own.
    let before = kept.as_ref().filter(|_| key.key_provider.is_placed_by_its_user());
    let origin = origin.or(before.map(|row| text(row, "origin")));
    let body = json!({ "secret": secret.expose_secret(), "origin": origin });
    let call = ApiCall::put(path(&ring.below(key))).json(body);
    let call = match kept.as_ref().and_then(revision) {
        Some(revision) => call.if_match(format!("\"{revision}\"")),
        None => call,
    };
    let row = ring.connection.client.send(call).await?.body;
    context.output.document(&row)?;
    let texts = &context.texts.keys;
    let of = word(&key.holder.holder);
    let holder = named(&texts.holders, &of);
    let values =
        [("key", text(&row, "masked")), ("origin", text(&row, "origin")), ("holder", holder)];
    context.say(&texts.set, &values)?;
    if row.get("approved").and_then(Value::as_bool) == Some(false) {
        context.warn(&texts.not_approved, &values)?;
    }
    Ok(Exit::Done)
}

pub async fn remove(context: &Context, key: &KeyArg) -> Result<Exit, Failure> {
    let ring = Ring::open(context, &key.holder).await?;
    let kept = ring.kept(key).await?;
    let Some(revision) = kept.as_ref().and_then(revision) else { return none(context, key) };
    let call = ApiCall::delete(path(&ring.below(key))).if_match(format!("\"{revision}\""));
    ring.connection.client.send(call).await?;
    let (name, of) = (word(&key.key_provider).to_uppercase(), word(&key.holder.holder));
    let holder = named(&context.texts.keys.holders, &of);
    let values = [("provider", name.as_str()), ("holder", holder)];
    let answer = json!({ "provider": name, "holder": of, "removed": true });
    context.done(&answer, &context.texts.keys.removed, &values)
}

/// Of this holder: another may have it.
fn none(context: &Context, key: &KeyArg) -> Result<Exit, Failure> {
    context.output.document(&Value::Null)?;
    let texts = &context.texts.keys;
    let of = word(&key.holder.holder);
    context.say(&texts.none, &[("holder", named(&texts.holders, &of))])?;
    context.output.aside(&texts.none_elsewhere)?;
    Ok(Exit::CheckFailed)
}

/// A key that is not accepted is a check that failed.
pub async fn verify(context: &Context, key: &KeyArg) -> Result<Exit, Failure> {
    let ring = Ring::open(context, &key.holder).await?;
    let end = format!("{}/verify", ring.below(key));
    let listing = if_there(ring.connection.post(&end, json!({})).await)?;
    let Some(listing) = listing else { return none(context, key) };
    context.output.document(&listing)?;
    let texts = &context.texts.keys;
    tell(
        context,
        &listing,
        &Verdicts {
            accepted: &texts.accepted,
            refused: &texts.refused,
            unapproved: &texts.unapproved,
            unreachable: &texts.unreachable,
        },
    )
}

/// In the words of what was asked: a key is only spoken of where one was sent.
pub struct Verdicts<'a> {
    pub accepted: &'a str,
    pub refused: &'a str,
    pub unapproved: &'a str,
    pub unreachable: &'a str,
}

/// What came of asking a provider for its list.
pub fn tell(context: &Context, listing: &Value, texts: &Verdicts<'_>) -> Result<Exit, Failure> {
    let verdict = text(listing, "verdict");
    let models = items(listing, "models").len().to_string();
    let template = match verdict {
        ACCEPTED => texts.accepted,
        "REFUSED" => texts.refused,
        "NOT_APPROVED" => texts.unapproved,
        _ => texts.unreachable,
    };
    context.say(template, &[("models", &models)])?;
    Ok(if verdict == ACCEPTED { Exit::Done } else { Exit::CheckFailed })
}

pub async fn resolve(context: &Context, args: &ProjectArg) -> Result<Exit, Failure> {
    let (connection, project) = args.open(context).await?;
    let resolution = connection.get(&format!("/projects/{project}/keys/resolve")).await?;
    context.output.document(&resolution)?;
    told(context, &resolution)
}

/// Each source in its order, and what is done with it.
pub fn told(context: &Context, resolution: &Value) -> Result<Exit, Failure> {
    let texts = &context.texts.keys;
    let needed = flag(resolution, "needs_key");
    let source = resolution.get("source").and_then(Value::as_str);
    let values =
        [("provider", text(resolution, "provider")), ("source", source.unwrap_or_default())];
    let template = match (source, needed) {
        (Some(_), _) => &texts.used,
        (None, true) => &texts.missing,
        (None, false) => &texts.without,
    };
    context.say(template, &values)?;
    for one in items(resolution, "considered") {
        let said = named(&texts.states, text(one, "state"));
        let parts = [text(one, "source"), text(one, "masked"), text(one, "origin"), said];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        context.output.line(&format!("  {}", parts.join(" · ")))?;
    }
    let lacks = source.is_none() && needed;
    Ok(if lacks { Exit::CheckFailed } else { Exit::Done })
}
