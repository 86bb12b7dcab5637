//! What a plan that nobody was asked about rests on.

use crate::{session::Session, telemetry};
use std::collections::BTreeMap;
use wiiiv_domain::{BlueprintId, EventBody, ReplyCode, TurnId, UserId};
use wiiiv_gate::GrantGiven;
use wiiiv_hlx::neutralise;
use wiiiv_store::{GrantFilter, GrantRow, StoreError};

/// The end of an id, as lists show it.
const SHORT_CHARS: usize = 8;

/// Behind the commit that used them: the requester is told which grants it was, and how often they still
/// count. The plan begins whether or not that can be read.
pub async fn tell(session: &mut Session, turn: TurnId, blueprint: BlueprintId) {
    let used = match used(session, blueprint).await {
        Ok(used) => used,
        Err(error) => {
            tracing::warn!(%blueprint, %error, "which grants were used cannot be told");
            return;
        }
    };
    let names = givers(session, &used).await;
    for row in used {
        telemetry::grant_used();
        let given = row.given.body();
        let giver = given.granter();
        let own = giver == session.journal.row.owner;
        let key = if own { "run.grant_used_own" } else { "run.grant_used" };
        let id = given.id().to_string();
        let short = id.get(id.len().saturating_sub(SHORT_CHARS)..).unwrap_or(&id);
        let name = names.get(&giver).map(|name| neutralise(name));
        let values = [
            ("grant", short.to_owned()),
            ("giver", name.unwrap_or_else(|| giver.to_string())),
            ("left", row.left().to_string()),
            ("uses", given.uses().to_string()),
            ("window", window(session, given)),
        ];
        let text = session.text(key, &values);
        let reply = ReplyCode::Told { message: text.clone() };
        session.tell(turn, EventBody::replied(reply, text));
    }
}

/// Its end, and its beginning if it has one.
fn window(session: &Session, given: &GrantGiven) -> String {
    let until = ("until", given.expires_at().to_string());
    match given.not_before() {
        Some(from) => session.text("run.grant_between", &[("from", from.to_string()), until]),
        None => session.text("run.grant_until", &[until]),
    }
}

/// What the people are called who gave them, but for the requester. The rest is told without that, too.
async fn givers(session: &Session, used: &[GrantRow]) -> BTreeMap<UserId, String> {
    let owner = session.journal.row.owner;
    let givers = used.iter().map(|row| row.given.body().granter());
    let others: Vec<UserId> = givers.filter(|giver| *giver != owner).collect();
    if others.is_empty() {
        return BTreeMap::new();
    }
    session.runtime.deps.store.user_names(&others).await.unwrap_or_else(|error| {
        tracing::warn!(%error, "who gave the grants cannot be told");
        BTreeMap::new()
    })
}

async fn used(session: &Session, blueprint: BlueprintId) -> Result<Vec<GrantRow>, StoreError> {
    let (store, project) = (&session.runtime.deps.store, session.journal.row.project);
    let mut found = Vec::new();
    for used in store.grants_used_by(&[blueprint]).await? {
        let filter = GrantFilter { id: Some(used.grant), ..GrantFilter::default() };
        found.extend(store.grants(project, filter).await?);
    }
    Ok(found)
}
