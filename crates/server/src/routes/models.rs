//! Models: what there is to know of them, and which one a project's next turn is proposed by.

use crate::{
    address::IdPath,
    authorization::{AVAILABLE_MODELS, EFFECTIVE_MODEL},
    caller::Caller,
    dto::{
        known_model::{KnownModelView, ProviderModelsView},
        model::{EffectiveModelView, FallbackView, ModelListing},
        problem::ProblemBody,
    },
    page::Page,
    problem::Problem,
    state::AppState,
};
use axum::{Json, extract::State};
use wiiiv_domain::{ProjectId, ProjectPolicy, ProviderName};
use wiiiv_governor::{Payer, Qualification};

/// Every provider, with what is recommended of it, and its models as far as they are known.
#[utoipa::path(get, path = "/models", tag = "models", responses(
    (status = 200, body = Page<ProviderModelsView>),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn list_models(
    State(state): State<AppState>,
    _caller: Caller,
) -> Result<Json<Page<ProviderModelsView>>, Problem> {
    let mut items = Vec::with_capacity(ProviderName::ALL.len());
    for name in ProviderName::ALL {
        items.push(provider_models(&state, name).await?);
    }
    Ok(Json(Page { items, next_cursor: None }))
}

async fn provider_models(
    state: &AppState,
    name: ProviderName,
) -> Result<ProviderModelsView, Problem> {
    let (governor, rules) = (state.governor(), &state.config().new_project_policy);
    let mut known = governor.known_provider(name);
    let mut models = Vec::with_capacity(known.models.len());
    for model in std::mem::take(&mut known.models) {
        let ghost = governor.qualification((name, &model.name), rules).await?;
        models.push(KnownModelView::of(model, ghost));
    }
    Ok(ProviderModelsView::of(known, models))
}

/// What the project's next turn is proposed by, and which key the caller's own would be sent with.
#[utoipa::path(get, path = "/projects/{id}/models/effective", tag = "models",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = EffectiveModelView),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn effective_model(
    State(state): State<AppState>,
    caller: Caller,
    IdPath(project): IdPath<ProjectId>,
) -> Result<Json<EffectiveModelView>, Problem> {
    caller.enter(project, EFFECTIVE_MODEL).await?;
    let policy = policy_of(&state, project).await?;
    let governor = state.governor();
    let payer = Payer { user: caller.user(), project };
    let resolution = governor.resolve_model_key(payer, &policy).await?;
    let recommended = governor.known_provider(policy.llm_provider).recommended;
    let mut fallbacks = Vec::with_capacity(policy.model_fallbacks.len());
    for asking in (1..).map_while(|nth| policy.asking(nth)) {
        let resolution = governor.resolve_model_key(payer, &asking).await?;
        let ghost = qualification_of(&state, &asking).await?;
        fallbacks.push(FallbackView::of(&asking, governor.prices(), &resolution, ghost));
    }
    let prices = governor.prices();
    let known = governor.known_model(policy.llm_provider, policy.model().to_owned());
    let asked = (qualification_of(&state, &policy).await?, fallbacks);
    let known = (known, recommended);
    Ok(Json(EffectiveModelView::of(&policy, prices, resolution, known, asked)))
}

async fn qualification_of(
    state: &AppState,
    policy: &ProjectPolicy,
) -> Result<Option<Qualification>, Problem> {
    Ok(state.governor().qualification((policy.llm_provider, policy.model()), policy).await?)
}

/// The models that the project's provider lists itself, asked as the caller's next turn would ask.
#[utoipa::path(get, path = "/projects/{id}/models/available", tag = "models",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = ModelListing),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn available_models(
    State(state): State<AppState>,
    caller: Caller,
    IdPath(project): IdPath<ProjectId>,
) -> Result<Json<ModelListing>, Problem> {
    caller.enter(project, AVAILABLE_MODELS).await?;
    let policy = policy_of(&state, project).await?;
    let payer = Payer { user: caller.user(), project };
    Ok(Json(state.governor().available_models(payer, &policy).await?.into()))
}

pub(super) async fn policy_of(
    state: &AppState,
    project: ProjectId,
) -> Result<ProjectPolicy, Problem> {
    let recorded = state.store().policy(project).await?;
    Ok(recorded.body().document().policy.clone())
}
