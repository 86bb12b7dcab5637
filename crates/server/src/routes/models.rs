//! Models: known facts, and the model of a project's next turn.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        known_model::{KnownModelView, ProviderModelsView},
        model::{EffectiveModelView, ModelListing},
        model_slot::{SlotModelView, SlotView, TrialView, TryModel},
    },
    problem::Problem,
    request::{address::IdPath, page::Page, payload::Payload},
    state::{AppState, now},
};
use axum::Json;
use wiiiv_domain::{ModelSlot, ProjectId, ProjectPolicy, ProviderName, SessionId, UserId};
use wiiiv_governor::{Payer, Qualification, TrialError, TrialOf};

/// Of a person's session for trials, in both languages.
const TRIALS_TITLE: &str = "모델 시험 · Model trials";

/// Every provider, with what is recommended of it, and its models as far as they are known.
#[utoipa::path(get, path = "/models", tag = "models", responses(
    (status = 200, body = Page<ProviderModelsView>),
))]
pub(crate) async fn list_models(caller: Caller) -> Result<Json<Page<ProviderModelsView>>, Problem> {
    let mut items = Vec::with_capacity(ProviderName::ALL.len());
    for name in ProviderName::ALL {
        items.push(provider_models(&caller.state, name).await?);
    }
    Ok(Json(Page { items, next_cursor: None }))
}

async fn provider_models(
    state: &AppState,
    name: ProviderName,
) -> Result<ProviderModelsView, Problem> {
    let (governor, rules) = (state.governor(), &state.config().new_project_policy);
    let mut known = governor.models().known_provider(name);
    let mut models = Vec::with_capacity(known.models.len());
    for model in std::mem::take(&mut known.models) {
        let ghost = governor.models().qualification((name, &model.name), rules).await?;
        models.push(KnownModelView::of(model, ghost));
    }
    Ok(ProviderModelsView::of(known, models))
}

/// What the project's next turn is proposed by, and which key the caller's own would be sent with.
#[utoipa::path(get, path = "/projects/{id}/models/effective", tag = "models",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = EffectiveModelView),
))]
pub(crate) async fn effective_model(
    caller: Caller,
    IdPath(project): IdPath<ProjectId>,
) -> Result<Json<EffectiveModelView>, Problem> {
    let state = &caller.state;
    caller.enter(project, rules::EFFECTIVE_MODEL).await?;
    let policy = policy_of(state, project).await?;
    let governor = state.governor();
    let payer = Payer { user: caller.user(), project };
    let resolution = governor.keys().resolve(payer, &policy).await?;
    let provider = governor.models().known_provider(policy.llm_provider);
    let mut fallbacks = Vec::with_capacity(policy.model_fallbacks.len());
    for asking in (1..).map_while(|nth| policy.asking(nth)) {
        fallbacks.push(named_model(state, payer, &asking).await?);
    }
    let mut slots = Vec::new();
    for (slot, suggested) in
        [(ModelSlot::Generator, None), (ModelSlot::Embedding, provider.embedding)]
    {
        let model = match policy.of_slot(slot) {
            Some(asking) => Some(named_model(state, payer, &asking).await?),
            None => None,
        };
        let own = governor.documents().embedder();
        slots.push(SlotView::of((slot, &policy), model, (suggested, own)));
    }
    let (prices, recommended) = (governor.models().prices(), provider.recommended);
    let known = governor.models().known(policy.llm_provider, policy.model().to_owned());
    let asked = (qualification_of(state, &policy).await?, fallbacks, slots);
    let known = (known, recommended);
    Ok(Json(EffectiveModelView::of(&policy, prices, resolution, known, asked)))
}

/// `policy`: as if it named this model first.
async fn named_model(
    state: &AppState,
    payer: Payer,
    policy: &ProjectPolicy,
) -> Result<SlotModelView, Problem> {
    let governor = state.governor();
    let resolution = governor.keys().resolve(payer, policy).await?;
    let ghost = qualification_of(state, policy).await?;
    Ok(SlotModelView::of(policy, governor.models().prices(), &resolution, ghost))
}

/// Calls a slot's model once, with nothing of anybody's, under a permit as any other call: it counts
/// against the budgets, with the key that the caller's own turns are paid with. Its record is in a session
/// of its own. A slot that is empty is refused.
#[utoipa::path(post, path = "/projects/{id}/models/try", tag = "models",
    params(("id" = Uuid, Path)), request_body = TryModel, responses(
    (status = 200, body = TrialView),
))]
pub(crate) async fn try_model(
    caller: Caller,
    IdPath(project): IdPath<ProjectId>,
    payload: Payload<TryModel>,
) -> Result<Json<TrialView>, Problem> {
    let state = &caller.state;
    let who = caller.enter(project, rules::TRY_MODEL).await?;
    let TryModel { slot, picture } = payload.read()?;
    if picture && slot == ModelSlot::Embedding {
        return Err(Problem::field("picture", "a model of embeddings is shown none".to_owned()));
    }
    if policy_of(state, project).await?.of_slot(slot).is_none() {
        return Err(TrialError::Empty.into());
    }
    let session = trials(state, project, who.user()).await?;
    let trial = state.governor().models().try_out(&who, session, TrialOf { slot, picture }).await?;
    Ok(Json(TrialView::of(trial, session.uuid())))
}

/// The caller's own session for trials in that project, however often is tried.
async fn trials(state: &AppState, project: ProjectId, owner: UserId) -> Result<SessionId, Problem> {
    match state.store().trials(project, owner).await? {
        Some(session) => Ok(session),
        None => Ok(state.store().create_trials(project, owner, TRIALS_TITLE, now()).await?.id),
    }
}

async fn qualification_of(
    state: &AppState,
    policy: &ProjectPolicy,
) -> Result<Option<Qualification>, Problem> {
    Ok(state
        .governor()
        .models()
        .qualification((policy.llm_provider, policy.model()), policy)
        .await?)
}

/// The models that the project's provider lists itself, asked as the caller's next turn would ask.
#[utoipa::path(get, path = "/projects/{id}/models/available", tag = "models",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = ModelListing),
))]
pub(crate) async fn available_models(
    caller: Caller,
    IdPath(project): IdPath<ProjectId>,
) -> Result<Json<ModelListing>, Problem> {
    caller.enter(project, rules::AVAILABLE_MODELS).await?;
    let policy = policy_of(&caller.state, project).await?;
    let payer = Payer { user: caller.user(), project };
    Ok(Json(caller.state.governor().keys().available(payer, &policy).await?.into()))
}

pub(super) async fn policy_of(
    state: &AppState,
    project: ProjectId,
) -> Result<ProjectPolicy, Problem> {
    let recorded = state.store().policy(project).await?;
    Ok(recorded.body().document().general().clone())
}
