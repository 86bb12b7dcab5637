//! `keys`: keys of model providers. A secret comes from a file or standard input, and is never
//! shown.

use crate::args::{Holder, HolderArg, KeyArg, project::ProjectArg};
use crate::connection::{Connection, path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Tone;
use crate::secret::given;
use crate::texts::fill;
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};
use std::path::Path;
use wiiiv_net::{ApiCall, ApiError};

const NOT_FOUND: u16 = 404;
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
        match self.connection.get(&self.base).await?.get_mut("items").map(Value::take) {
            Some(Value::Array(rows)) => Ok(rows),
            Some(_) | None => Err(Failure::Answer { field: "items" }),
        }
    }
    /// The one that is there now.
    async fn kept(&self, key: &KeyArg) -> Result<Option<Value>, Failure> {
        let rows = self.rows().await?;
        let same =
            |row: &&Value| text(row, "provider").eq_ignore_ascii_case(key.key_provider.as_str());
        Ok(rows.iter().find(same).cloned())
    }
    fn at(&self, key: &KeyArg, end: &str) -> String {
        path(&format!("{}/{}{end}", self.base, key.key_provider.as_str()))
    }
}

fn revision(row: &Value) -> Option<u64> {
    row.get("revision")?.as_u64()
}

pub async fn list(context: &Context, args: &HolderArg) -> Result<Exit, Failure> {
    let rows = Ring::open(context, args).await?.rows().await?;
    context.output.document(&Value::Array(rows.clone()))?;
    let texts = &context.texts.keys;
    if rows.is_empty() {
        context.output.line(&context.texts.list.none)?;
        return Ok(Exit::Done);
    }
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
    let rows: Vec<_> = rows.iter().map(cells).collect();
    let heads = [&texts.provider, &texts.key, &texts.origin, &texts.verdict, &texts.checked];
    context.output.table(heads.map(String::as_str), &rows)?;
    Ok(Exit::Done)
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
    let call = ApiCall::put(ring.at(key, "")).json(body);
    let call = match kept.as_ref().and_then(revision) {
        Some(revision) => call.if_match(format!("\"{revision}\"")),
        None => call,
    };
    let row = ring.connection.client.send(call).await?.body;
    context.output.document(&row)?;
    let texts = &context.texts.keys;
    let holder = holder(context, key);
    let values =
        [("key", text(&row, "masked")), ("origin", text(&row, "origin")), ("holder", holder)];
    context.output.line(&fill(&texts.set, &values))?;
    if row.get("approved").and_then(Value::as_bool) == Some(false) {
        let told = fill(&texts.not_approved, &values);
        context.output.line(&context.output.toned(Tone::Doubtful, &told))?;
    }
    Ok(Exit::Done)
}

pub async fn remove(context: &Context, key: &KeyArg) -> Result<Exit, Failure> {
    let ring = Ring::open(context, &key.holder).await?;
    let kept = ring.kept(key).await?;
    let Some(revision) = kept.as_ref().and_then(revision) else { return none(context) };
    let call = ApiCall::delete(ring.at(key, "")).if_match(format!("\"{revision}\""));
    ring.connection.client.send(call).await?;
    let name = key.key_provider.as_str().to_uppercase();
    let of = key.holder.holder.as_str();
    context.output.document(&json!({ "provider": name, "holder": of, "removed": true }))?;
    let values = [("provider", name.as_str()), ("holder", holder(context, key))];
    context.output.line(&fill(&context.texts.keys.removed, &values))?;
    Ok(Exit::Done)
}

/// Whose key it is, for people.
fn holder<'c>(context: &'c Context, key: &KeyArg) -> &'c str {
    let of = key.holder.holder.as_str();
    context.texts.keys.holders.get(of).map_or(of, String::as_str)
}

fn none(context: &Context) -> Result<Exit, Failure> {
    context.output.document(&Value::Null)?;
    context.output.line(&context.texts.keys.none)?;
    Ok(Exit::CheckFailed)
}

/// A key that is not accepted is a check that failed.
pub async fn verify(context: &Context, key: &KeyArg) -> Result<Exit, Failure> {
    let ring = Ring::open(context, &key.holder).await?;
    let end = format!("{}/{}/verify", ring.base, key.key_provider.as_str());
    let listing = match ring.connection.post(&end, json!({})).await {
        Err(Failure::Api(ApiError::Problem(problem))) if problem.status == NOT_FOUND => {
            return none(context);
        }
        answer => answer?,
    };
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
    let models = listing.get("models").and_then(Value::as_array).map_or(0, Vec::len).to_string();
    let template = match verdict {
        ACCEPTED => texts.accepted,
        "REFUSED" => texts.refused,
        "NOT_APPROVED" => texts.unapproved,
        _ => texts.unreachable,
    };
    context.output.line(&fill(template, &[("models", &models)]))?;
    Ok(if verdict == ACCEPTED { Exit::Done } else { Exit::CheckFailed })
}

pub async fn resolve(context: &Context, args: &ProjectArg) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let project = connection.project(args.project.as_deref()).await?;
    let resolution = connection.get(&format!("/projects/{project}/keys/resolve")).await?;
    context.output.document(&resolution)?;
    told(context, &resolution)
}

/// Each source in its order, and what is done with it.
pub fn told(context: &Context, resolution: &Value) -> Result<Exit, Failure> {
    let texts = &context.texts.keys;
    let considered = resolution.get("considered").and_then(Value::as_array);
    let needed = resolution.get("needs_key").and_then(Value::as_bool) == Some(true);
    let source = resolution.get("source").and_then(Value::as_str);
    let values =
        [("provider", text(resolution, "provider")), ("source", source.unwrap_or_default())];
    let template = match (source, needed) {
        (Some(_), _) => &texts.used,
        (None, true) => &texts.missing,
        (None, false) => &texts.without,
    };
    context.output.line(&fill(template, &values))?;
    for one in considered.into_iter().flatten() {
        let state = text(one, "state");
        let said = texts.states.get(state).map_or(state, String::as_str);
        let parts = [text(one, "source"), text(one, "masked"), text(one, "origin"), said];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        context.output.line(&format!("  {}", parts.join(" · ")))?;
    }
    let lacks = source.is_none() && needed;
    Ok(if lacks { Exit::CheckFailed } else { Exit::Done })
}
