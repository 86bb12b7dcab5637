//! A project's policy: read, save a new version, compare.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        impact::{AskImpact, ImpactView},
        policy::{
            ChangeView, CheckPolicy, CheckedPolicy, PolicyDiff, PolicyDiffQuery, PolicyTextView,
            PolicyView, PutPolicy,
        },
        text::prose,
    },
    limits::{IMPACT_DAYS_DEFAULT, REASON_CHARS_MAX},
    policy::{self, TextFault},
    problem::{
        Problem, ProblemCode,
        refusal::{fine_rules, internal},
    },
    request::{
        address::IdPath,
        etag::{etag, if_match},
        page::{Page, PageQuery},
        payload::Payload,
        query::Params,
    },
};
use axum::{
    Json,
    extract::OriginalUri,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde_json::Value;
use wiiiv_domain::{ProjectId, ProjectPolicy};
use wiiiv_governor::{IMPACT_DAYS_MAX, PolicyChangeError};

/// The current version; its id is the `ETag`.
#[utoipa::path(get, path = "/projects/{id}/policy", tag = "policy", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = PolicyView, headers(("ETag" = String))),
))]
pub(crate) async fn get_policy(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Response, Problem> {
    caller.enter(id, rules::GET_POLICY).await?;
    let recorded = caller.state.governor().policies().in_force(id).await?;
    let view = PolicyView::from(recorded.body().document().clone());
    Ok((etag(view.id), Json(view)).into_response())
}

/// Writes a new version, if the one in `If-Match` is still the current one.
#[utoipa::path(put, path = "/projects/{id}/policy", tag = "policy",
    params(("id" = Uuid, Path), ("If-Match" = String, Header)), request_body = PutPolicy,
    responses(
    (status = 201, body = PolicyView, headers(("ETag" = String))),
))]
pub(crate) async fn put_policy(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    headers: HeaderMap,
    payload: Payload<PutPolicy>,
) -> Result<Response, Problem> {
    let who = caller.enter(id, rules::PUT_POLICY).await?;
    let expected = if_match(&headers)?;
    let PutPolicy { policy, reason } = payload.read()?;
    let reason = prose("reason", &reason, REASON_CHARS_MAX, true)?;
    let document =
        caller.state.governor().policies().set(&who, id, expected, policy, reason).await?;
    let view = PolicyView::from(document);
    Ok((StatusCode::CREATED, etag(view.id), Json(view)).into_response())
}

/// Newest first.
#[utoipa::path(get, path = "/projects/{id}/policy/versions", tag = "policy",
    params(("id" = Uuid, Path), PageQuery), responses(
    (status = 200, body = Page<PolicyView>),
))]
pub(crate) async fn list_policy_versions(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<PageQuery>,
) -> Result<Response, Problem> {
    caller.enter(id, rules::LIST_POLICY_VERSIONS).await?;
    let rows = caller.state.store().policy_versions(id, query.after()?).await?;
    let limit = query.limit()?;
    Ok(Page::of(rows, limit, |row| row.number.to_string(), PolicyView::from).answer(&uri))
}

/// The current version as text to edit; its id is the `ETag`.
#[utoipa::path(get, path = "/projects/{id}/policy/text", tag = "policy",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = PolicyTextView, headers(("ETag" = String))),
))]
pub(crate) async fn get_policy_text(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Response, Problem> {
    caller.enter(id, rules::GET_POLICY_TEXT).await?;
    let recorded = caller.state.governor().policies().in_force(id).await?;
    let document = recorded.body().document();
    let text = text_of(&document.policy)?;
    let view = PolicyTextView { number: document.number, id: document.id.uuid(), text };
    Ok((etag(view.id), Json(view)).into_response())
}

/// Whether a text is a policy that could be put in force, and what it would change. Nothing is.
#[utoipa::path(post, path = "/projects/{id}/policy/check", tag = "policy",
    params(("id" = Uuid, Path)), request_body = CheckPolicy, responses(
    (status = 200, body = CheckedPolicy),
))]
pub(crate) async fn check_policy(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    payload: Payload<CheckPolicy>,
) -> Result<Json<CheckedPolicy>, Problem> {
    caller.enter(id, rules::CHECK_POLICY).await?;
    let text = payload.read()?.text;
    let policy = policy::read(&text).map_err(invalid)?;
    // The text is given back as it is, for it is checked once more when it is put in force.
    let (_, changes) = meant(&caller, id, policy.clone(), &text).await?;
    if changes.iter().any(|change| change.path == "dacsStage") {
        return Err(ProblemCode::StageNotEdited.into());
    }
    Ok(Json(CheckedPolicy { policy, changes }))
}

/// What a policy that is not in force would change, which recorded rulings on plans and steps would have been
/// others under it, what would have become of requests that came to no plan, and of what nothing can be told.
/// Nothing is changed.
#[utoipa::path(post, path = "/projects/{id}/policy/impact", tag = "policy",
    params(("id" = Uuid, Path)), request_body = AskImpact, responses(
    (status = 200, body = ImpactView),
))]
pub(crate) async fn impact_policy(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    payload: Payload<AskImpact>,
) -> Result<Json<ImpactView>, Problem> {
    caller.enter(id, rules::IMPACT_POLICY).await?;
    let AskImpact { policy, days, task_type } = payload.read()?;
    let days = days.unwrap_or(IMPACT_DAYS_DEFAULT);
    if days > IMPACT_DAYS_MAX {
        return Err(Problem::field("days", format!("is more than {IMPACT_DAYS_MAX}")));
    }
    let no_policy =
        |e: serde_json::Error| invalid(TextFault { place: None, message: e.to_string() });
    let policy: ProjectPolicy = serde_json::from_value(policy).map_err(no_policy)?;
    let (meant, changes) = meant(&caller, id, policy, "").await?;
    let impact = caller.state.governor().policies().impact(id, &meant, (days, task_type)).await?;
    Ok(Json(ImpactView::of(&impact, &meant, changes)))
}

/// The policy as it would be put in force, and what would be another than in the current version. A
/// fault of its fine rules is placed in `text` where it is written there.
async fn meant(
    caller: &Caller,
    project: ProjectId,
    policy: ProjectPolicy,
    text: &str,
) -> Result<(ProjectPolicy, Vec<ChangeView>), Problem> {
    let policies = caller.state.governor().policies();
    let meant = policies.with_models(policy);
    match policies.check(&meant) {
        Ok(()) => {}
        Err(PolicyChangeError::Invalid(message)) => {
            return Err(invalid(TextFault { place: None, message }));
        }
        Err(PolicyChangeError::FineRules(faults)) => {
            let first = faults.first().map(|fault| (fault.line, fault.column));
            let place = first.and_then(|place| policy::place_of_rule(text, place));
            return Err(fine_rules(&faults, place));
        }
        Err(other) => return Err(other.into()),
    }
    let current = caller.state.store().policy(project).await?;
    let [from, to] = [&current.body().document().policy, &meant].map(json);
    let changes = policy::changes(&from?, &to?);
    Ok((meant, changes))
}

/// What changed from one version to another.
#[utoipa::path(get, path = "/projects/{id}/policy/diff", tag = "policy",
    params(("id" = Uuid, Path), PolicyDiffQuery), responses(
    (status = 200, body = PolicyDiff),
))]
pub(crate) async fn diff_policy(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    Params(PolicyDiffQuery { from, to }): Params<PolicyDiffQuery>,
) -> Result<Json<PolicyDiff>, Problem> {
    caller.enter(id, rules::DIFF_POLICY).await?;
    let version = async |number| {
        let found = caller.state.store().policy_numbered(id, number).await?;
        found.map(|document| document.policy).ok_or(Problem::from(ProblemCode::NotFound))
    };
    let (old, new) = (version(from).await?, version(to).await?);
    let changes = policy::changes(&json(&old)?, &json(&new)?);
    let lines = policy::lines(&text_of(&old)?, &text_of(&new)?);
    Ok(Json(PolicyDiff { from, to, changes, lines }))
}

fn invalid(fault: TextFault) -> Problem {
    let (line, column) = fault.place.unzip();
    Problem::new(ProblemCode::InvalidPolicy)
        .with("line", line)
        .with("column", column)
        .with("message", fault.message)
}

fn text_of(policy: &ProjectPolicy) -> Result<String, Problem> {
    policy::write(policy).map_err(|error| internal(&error))
}

fn json(policy: &ProjectPolicy) -> Result<Value, Problem> {
    serde_json::to_value(policy).map_err(|error| internal(&error))
}
