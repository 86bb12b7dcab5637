//! Where the text of files goes that are added: told before any of it is sent.

use crate::connection::{Connection, items, text};
use crate::context::Context;
use crate::failure::Failure;
use crate::output::harmless;
use crate::texts::fill;
use serde_json::Value;
use wiiiv_domain::{ModelSlot, ProviderName, Scope};

/// On standard error. Documents of everybody and of a person are embedded by no provider.
pub async fn tell(context: &Context, connection: &Connection, scope: Scope) -> Result<(), Failure> {
    if context.output.is_json() {
        return Ok(());
    }
    let texts = &context.texts.rag;
    let view = match scope.project() {
        Some(project) => connection.get(&format!("/projects/{project}/models/effective")).await?,
        None => Value::Null,
    };
    let told = provider_of(&view).map(|values| fill(&texts.leaves, &values));
    context.output.aside(&harmless(told.as_ref().unwrap_or(&texts.stays)))
}

/// The provider that the project's policy names for embeddings, where it is and its model. `None`: nothing leaves.
fn provider_of(view: &Value) -> Option<[(&str, &str); 3]> {
    let mut slots = items(view, "slots").iter();
    let slot = slots.find(|slot| text(slot, "slot") == ModelSlot::Embedding.as_str())?;
    let model = slot.get("model").filter(|model| model.is_object())?;
    let provider = text(model, "provider");
    let is_built_in = |name: &ProviderName| name.as_str() == provider && name.is_built_in();
    if ProviderName::ALL.iter().any(is_built_in) {
        return None;
    }
    let origin = text(model, "origin");
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    Some([("provider", provider), ("host", host), ("model", text(model, "model"))])
}

#[cfg(test)]
mod tests {
    use super::provider_of;
    use serde_json::{Value, json};

    #[test]
    fn a_provider_is_named_by_its_host_and_what_is_built_in_is_none() {
        let view = |model: Value| json!({ "slots": [{ "slot": "embedding", "model": model }] });
        let model = |provider: &str, origin: Value| {
            view(json!({ "provider": provider, "model": "m", "origin": origin }))
        };
        let openai = model("OPENAI", json!("https://api.openai.com"));
        let due = [("provider", "OPENAI"), ("host", "api.openai.com"), ("model", "m")];
        assert_eq!(provider_of(&openai), Some(due));
        let own = model("CUSTOM", json!("http://127.0.0.1:8080"));
        assert_eq!(provider_of(&own).map(|[_, host, _]| host.1), Some("127.0.0.1:8080"));
        for none in [model("LOCAL", Value::Null), view(Value::Null), Value::Null] {
            assert_eq!(provider_of(&none), None, "{none}");
        }
    }
}
