//! The real model that scenarios are played with.

use crate::args::LiveArgs;
use crate::connection::Connection;
use crate::context::Context;
use crate::failure::Failure;
use crate::model_name;
use crate::provider_model::{key, reached};
use wiiiv_domain::{ModelSlot, ProjectPolicy};
use wiiiv_ghost::LiveModel;

/// Who is asked, and where: `PROVIDER:model`, and the address that a policy names.
struct Chosen {
    name: String,
    base: Option<String>,
}

/// `None`: none is named.
pub async fn named(context: &Context, args: &LiveArgs) -> Result<Option<LiveModel>, Failure> {
    let Some(chosen) = chosen(context, args).await? else { return Ok(None) };
    model_name::parsed(&chosen.name)?;
    let key = key(args.key_file.as_deref(), args.key_variable.as_deref())?;
    let named = chosen.base.filter(|_| args.live_base_url.is_none());
    if let (Some(base), Some(_)) = (&named, &key) {
        return Err(Failure::KeyForPolicy { base: base.clone() });
    }
    let base = args.live_base_url.clone().or(named);
    reached(&chosen.name, base, key).map(|(model, _)| Some(model))
}

async fn chosen(context: &Context, args: &LiveArgs) -> Result<Option<Chosen>, Failure> {
    match (&args.live_model, args.live_slot) {
        (Some(name), _) => Ok(Some(Chosen { name: name.clone(), base: None })),
        (None, Some(slot)) => in_slot(context, args.project.as_deref(), slot).await.map(Some),
        (None, None) => Ok(None),
    }
}

/// As the policy in force has it.
async fn in_slot(
    context: &Context,
    project: Option<&str>,
    slot: ModelSlot,
) -> Result<Chosen, Failure> {
    let connection = Connection::open(context)?;
    let project = connection.project(project).await?;
    let mut view = connection.get(&format!("/projects/{project}/policy")).await?;
    let policy = view.get_mut("policy").map(serde_json::Value::take).unwrap_or_default();
    let unread = |_| Failure::Answer { field: "policy" };
    let policy: ProjectPolicy = serde_json::from_value(policy).map_err(unread)?;
    let asked = policy.of_slot(slot).filter(|of| !of.llm_provider.is_built_in());
    let asked = asked.ok_or(Failure::NoModelInSlot { slot: slot.as_str() })?;
    let name = format!("{}:{}", asked.llm_provider, asked.model());
    Ok(Chosen { name, base: asked.llm_base_url.clone() })
}
