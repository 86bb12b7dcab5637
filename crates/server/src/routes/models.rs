//! Models: what there is to know of them, and which one a project's next turn is proposed by.

use crate::{
    address::IdPath,
    authorization::{AVAILABLE_MODELS, EFFECTIVE_MODEL},
    caller::Caller,
    dto::{
        known_model::ProviderModelsView,
        model::{EffectiveModelView, FallbackView, ModelListing},
        problem::ProblemBody,
    },
    page::Page,
    problem::Problem,
    state::AppState,
};
use axum::{Json, extract::State};
use wiiiv_domain::{ProjectId, ProjectPolicy, ProviderName};
use wiiiv_governor::Payer;

/// Every provider, with what is recommended of it, and its models as far as they are known.
#[utoipa::path(get, path = "/models", tag = "models", responses(
    (status = 200, body = Page<ProviderModelsView>),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn list_models(
    State(state): State<AppState>,
    _caller: Caller,
) -> Json<Page<ProviderModelsView>> {
    let known = ProviderName::ALL.into_iter().map(|name| state.governor().known_provider(name));
    Json(Page { items: known.map(Into::into).collect(), next_cursor: None })
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
        fallbacks.push(FallbackView::of(&asking, governor.prices(), &resolution));
    }
    let prices = governor.prices();
    let known = governor.known_model(policy.llm_provider, policy.model().to_owned());
    let known = (known, recommended);
    Ok(Json(EffectiveModelView::of(&policy, prices, resolution, known, fallbacks)))
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
