//! Chooses the model of the person's own project, and saves the policy that names it.

use super::enter::Entered;
use crate::{
    args::InitArgs,
    commands::init::answers::{asks, given},
    connection::{path, text, words},
    context::Context,
    failure::Failure,
    output::harmless,
    terminal,
    texts::fill,
};
use serde_json::{Value, json};
use wiiiv_domain::{Lang, ProviderName};
use wiiiv_llm::interface_path;
use wiiiv_net::ApiCall;

const OFFLINE: &str = "offline";
const ENVIRONMENT: &str = "ENVIRONMENT";
const REASON: &str = "wiiiv init";
const NOT_FOUND: u16 = 404;
const FORBIDDEN: u16 = 403;

/// As a policy has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    pub provider: String,
    pub base_url: Option<String>,
    pub model: Option<String>,
    /// The key that the server was started with may be used.
    pub environment: bool,
}

impl Model {
    fn offline() -> Self {
        Self { provider: OFFLINE.to_uppercase(), base_url: None, model: None, environment: false }
    }

    fn is_offline(&self) -> bool {
        self.provider == Self::offline().provider
    }

    fn of_policy(policy: &Value) -> Self {
        let said = |field: &str| policy.get(field).and_then(Value::as_str).map(str::to_owned);
        Self {
            provider: text(policy, "llmProvider").to_owned(),
            base_url: said("llmBaseUrl"),
            model: said("governorModel"),
            environment: key_sources(policy).contains(&ENVIRONMENT),
        }
    }
}

/// As the policy has them; without the field they are these.
fn key_sources(policy: &Value) -> Vec<&str> {
    match policy.get("keySources").and_then(Value::as_array) {
        Some(named) => named.iter().filter_map(Value::as_str).collect(),
        None => vec!["USER", "PROJECT"],
    }
}

pub async fn choose(
    context: &Context,
    args: &InitArgs,
    entered: &Entered,
) -> Result<Model, Failure> {
    let below = path(&format!("/projects/{}/policy", entered.project));
    let current = entered.connection.client.send(ApiCall::get(&below)).await?;
    let mut policy = current.body.get("policy").cloned().unwrap_or_default();
    let before = Model::of_policy(&policy);
    let wanted = match &args.provider {
        Some(named) => Some(named_one(context, args, entered, named).await?),
        None if args.skip_provider || !asks(context) => None,
        None => asked(context, args, entered, &before).await?,
    };
    let kept =
        |model: Model| Model { environment: model.environment || before.environment, ..model };
    let wanted = wanted.map(kept).filter(|model| *model != before);
    let Some(model) = wanted else { return Ok(before) };
    let mut sources = key_sources(&policy);
    if model.environment && !before.environment {
        sources.push(ENVIRONMENT);
    }
    let sources = json!(sources);
    let members = policy.as_object_mut().ok_or(Failure::Answer { field: "policy" })?;
    members.insert("llmProvider".to_owned(), json!(model.provider));
    members.insert("llmBaseUrl".to_owned(), json!(model.base_url));
    members.insert("governorModel".to_owned(), json!(model.model));
    members.insert("keySources".to_owned(), sources);
    // A model that is chosen reviews what is risky; where none is left, nobody could.
    let (is_offline, was_offline) = (model.is_offline(), before.is_offline());
    if is_offline != was_offline {
        let personas = if is_offline { "never" } else { "risky" };
        members.insert("modelPersonas".to_owned(), json!(personas));
    }
    let tag = current.etag.ok_or(Failure::Answer { field: "ETag" })?;
    let body = json!({ "policy": policy, "reason": REASON });
    entered.connection.client.send(ApiCall::put(&below).json(body).if_match(tag)).await?;
    let name = model.model.as_deref().unwrap_or(OFFLINE);
    let values = [("provider", model.provider.as_str()), ("model", name)];
    context.say(&context.texts.init.model_set, &values)?;
    Ok(model)
}

/// What the server knows of; the built-in model alone where it says nothing of others.
async fn providers(entered: &Entered) -> Result<Vec<Value>, Failure> {
    match entered.connection.all("/setup/providers").await {
        Err(failure) if matches!(failure.status(), Some(NOT_FOUND | FORBIDDEN)) => {
            Ok(vec![json!({ "id": OFFLINE, "name": OFFLINE, "state": "ready" })])
        }
        items => items,
    }
}

/// `offline`, one of the list by its name or origin, or any by `--base-url`.
async fn named_one(
    context: &Context,
    args: &InitArgs,
    entered: &Entered,
    named: &str,
) -> Result<Model, Failure> {
    if named.eq_ignore_ascii_case(OFFLINE) {
        return Ok(Model::offline());
    }
    let items = providers(entered).await?;
    let same = |item: &&Value| {
        let id = text(item, "id");
        text(item, "name").eq_ignore_ascii_case(named)
            || text(item, "origin") == named
            || (id != "custom" && id.eq_ignore_ascii_case(named))
    };
    match (items.iter().find(same), &args.base_url) {
        (Some(item), _) => of_item(context, args, item),
        (None, Some(url)) => {
            let question = (context.texts.init.ask_model.as_str(), "--model");
            let model = given(context, args.model.as_deref(), question)?;
            Ok(custom(url.clone(), model))
        }
        (None, None) => {
            let names: Vec<&str> = items.iter().map(|item| text(item, "name")).collect();
            let known = names.join("`, `");
            Err(Failure::NoSuchProvider { name: named.to_owned(), known })
        }
    }
}

fn custom(base_url: String, model: String) -> Model {
    let provider = "CUSTOM".to_owned();
    Model { provider, base_url: Some(base_url), model: Some(model), environment: false }
}

/// What is not approved or not there cannot be chosen, and its hint says what would help.
fn of_item(context: &Context, args: &InitArgs, item: &Value) -> Result<Model, Failure> {
    if text(item, "id") == OFFLINE {
        return Ok(Model::offline());
    }
    if !is_usable(item) && args.base_url.is_none() {
        let name = text(item, "name").to_owned();
        return Err(Failure::ProviderNotReady { name, hint: hint(item, context.language) });
    }
    let provider = text(item, "id").to_uppercase();
    let url = match provider.as_str() {
        // Each has its own.
        "OPENAI" | "ANTHROPIC" | "GOOGLE" => args.base_url.clone(),
        _ => {
            let origin = text(item, "origin");
            let interface = || origin.to_owned() + interface_path(ProviderName::Custom, origin);
            Some(args.base_url.clone().unwrap_or_else(interface))
        }
    };
    let models = words(item, "models");
    let only = if let [only] = models.as_slice() { Some(*only) } else { None };
    let question = format!("{} ({})", context.texts.init.ask_model, models.join(", "));
    let named = args.model.as_deref().or(only);
    let model = given(context, named, (&question, "--model"))?;
    // Of a server at any address it is not known whose key that would be.
    let environment = item.get("env").is_some_and(Value::is_string) && text(item, "id") != "custom";
    let environment = environment && args.base_url.is_none();
    Ok(Model { provider, base_url: url, model: Some(model), environment })
}

fn is_usable(item: &Value) -> bool {
    matches!(text(item, "state"), "ready" | "found")
}

/// What would make it usable; empty where nothing is lacking.
pub fn hint(item: &Value, language: Lang) -> String {
    item.get("hint").map(|both| text(both, language.as_str())).unwrap_or_default().to_owned()
}

/// By its number; nothing typed keeps what the policy says now.
async fn asked(
    context: &Context,
    args: &InitArgs,
    entered: &Entered,
    before: &Model,
) -> Result<Option<Model>, Failure> {
    let items = providers(entered).await?;
    let texts = &context.texts.init;
    context.output.line(&texts.providers)?;
    for (nth, item) in items.iter().enumerate() {
        let parts = [text(item, "name"), text(item, "state"), &hint(item, context.language)];
        let parts = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
        context.output.line(&harmless(&format!("  {}. {}", nth + 1, parts.join(" · "))))?;
    }
    let values = [("provider", before.provider.as_str())];
    let answer = terminal::line(&fill(&texts.ask_provider, &values))?;
    if answer.is_empty() {
        return Ok(None);
    }
    let nth = answer.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let item = nth.and_then(|nth| items.get(nth));
    let names: Vec<&str> = items.iter().map(|item| text(item, "name")).collect();
    let known = names.join("`, `");
    let item = item.ok_or(Failure::NoSuchProvider { name: answer, known })?;
    of_item(context, args, item).map(Some)
}

#[cfg(test)]
mod tests {
    use super::{Model, hint, is_usable};
    use serde_json::json;
    use wiiiv_domain::Lang;

    #[test]
    fn a_policy_names_its_model() {
        let policy = json!({"llmProvider": "OFFLINE", "llmBaseUrl": null});
        assert_eq!(Model::of_policy(&policy), Model::offline());
        let policy = json!({"llmProvider": "OPENAI", "keySources": ["USER", "ENVIRONMENT"]});
        assert!(Model::of_policy(&policy).environment);
    }

    #[test]
    fn what_is_not_at_hand_says_what_would_help() {
        let item = json!({"state": "not_found", "hint": {"ko": "켜세요", "en": "start it"}});
        assert!(!is_usable(&item));
        assert_eq!(hint(&item, Lang::Ko), "켜세요");
        assert_eq!(hint(&json!({"hint": null}), Lang::En), "");
        assert!(is_usable(&json!({"state": "ready"})));
    }
}
