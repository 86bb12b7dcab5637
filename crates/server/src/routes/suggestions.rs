//! Suggested sentences, from a project's registered systems and its policy.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        localized::LocalizedText,
        suggestion::{SuggestionKind, SuggestionView, Suggestions},
    },
    problem::{Problem, refusal::internal},
    request::address::IdPath,
};
use axum::Json;
use wiiiv_domain::{
    Lang, Operation, PriceTable, ProjectId, ProjectPolicy, Scheme, StepType, System,
};
use wiiiv_gate::Policy;
use wiiiv_messages::Messages;

/// The files that `suggest.write` names, one for each language.
const WRITTEN: [&str; 2] = ["notes/오늘.md", "notes/today.md"];
/// The place that `suggest.denied` names.
const REFUSED: (Scheme, &str) = (Scheme::Https, "example.com");

/// Examples of requests that this project can serve: its own systems, and steps, hosts and files that
/// its policy allows. The last one is refused, to show how; it is left out where policy allows its place
/// too.
#[utoipa::path(get, path = "/projects/{id}/suggestions", tag = "projects",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = Suggestions),
))]
pub(crate) async fn list_suggestions(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Json<Suggestions>, Problem> {
    let state = &caller.state;
    caller.enter(id, rules::LIST_SUGGESTIONS).await?;
    let current = state.store().policy(id).await?;
    let policy = current.body().document().general();
    // What a file is called is compared by the gate's own rule. Prices say nothing of it.
    let compiled = Policy::compile(policy.clone(), &PriceTable::default());
    let compiled = compiled.map_err(|error| internal(&error))?;
    let systems = state.store().systems(id).await?;
    let messages = state.governor().messages();
    let mut items = Vec::new();
    let allowed = |step| policy.allowed_step_types.contains(&step);
    let writes = |files: &[&str]| {
        allowed(StepType::FileWrite) && files.iter().all(|file| compiled.allows_path(file))
    };
    let mut reached =
        systems.iter().map(|row| &row.system).filter(|system| reaches(policy, system));
    let listed = reached.find_map(|system| Some((system, system.listing()?)));
    if let Some(listed) = listed.filter(|_| allowed(StepType::ApiCall)) {
        items.push(of_system(messages, SuggestionKind::Show, "suggest.show", listed));
        let file = format!("{}.json", file_of(listed.1));
        if writes(&[file.as_str()]) {
            items.push(of_system(messages, SuggestionKind::Save, "suggest.save", listed));
        }
    }
    if writes(&WRITTEN) {
        items.push(plain(messages, SuggestionKind::Write, "suggest.write"));
    }
    let (scheme, host) = REFUSED;
    if !policy.allowed_hosts.iter().any(|rule| rule.covers(scheme, host, None)) {
        items.push(plain(messages, SuggestionKind::Denied, "suggest.denied"));
    }
    Ok(Json(Suggestions { items }))
}

/// A rule of the policy covers its address.
fn reaches(policy: &ProjectPolicy, system: &System) -> bool {
    let base = &system.base_url;
    policy.allowed_hosts.iter().any(|rule| rule.covers(base.scheme, &base.host, base.port))
}

fn plain(messages: &Messages, kind: SuggestionKind, key: &str) -> SuggestionView {
    let [ko, en] = Lang::ALL.map(|lang| messages.told(lang, key, &[]));
    SuggestionView { kind, text: LocalizedText { ko, en } }
}

fn of_system(
    messages: &Messages,
    kind: SuggestionKind,
    key: &str,
    (system, operation): (&System, &Operation),
) -> SuggestionView {
    let [ko, en] = Lang::ALL.map(|lang| {
        let arguments = [
            ("system", system.name.to_string()),
            ("what", operation.label(lang).unwrap_or(&operation.id).to_owned()),
            ("file", file_of(operation).to_owned()),
        ];
        messages.told(lang, key, &arguments)
    });
    SuggestionView { kind, text: LocalizedText { ko, en } }
}

/// `products` of `/shop/products`.
fn file_of(operation: &Operation) -> &str {
    let last = operation.path.rsplit('/').find(|segment| !segment.is_empty());
    last.unwrap_or(&operation.id)
}
