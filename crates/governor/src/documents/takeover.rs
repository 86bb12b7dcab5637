//! What a project's documents are compared by changes: to vectors that were made, and to those of the model that its policy
//! names where they are all there.

use super::load::serve_project;
use crate::runtime::Runtime;
use std::sync::Arc;
use wiiiv_domain::{ProjectId, Scope};
use wiiiv_store::StoreError;

/// What this machine's model compares by serves until each text has a vector of the new one.
pub async fn take_over(
    runtime: &Runtime,
    scope: Scope,
    kept: Option<&str>,
) -> Result<(), StoreError> {
    let serving = runtime.retrieval.serving();
    let (Some(project), Some(kept)) = (scope.project(), kept) else { return Ok(()) };
    if serving.of_provider(scope) == Some(kept) {
        return Ok(());
    }
    let has_local =
        serving.of_provider(scope).is_none() && serving.library.counts(scope).vectors > 0;
    if has_local && runtime.deps.store.missing_in(scope, kept).await? > 0 {
        return Ok(());
    }
    serve(runtime, project, Some(kept.to_owned())).await
}

/// `None`: by the model of this machine.
pub async fn serve(
    runtime: &Runtime,
    project: ProjectId,
    kept: Option<String>,
) -> Result<(), StoreError> {
    let retrieval = &runtime.retrieval;
    let _changing = retrieval.changing().await;
    if kept.as_deref() == retrieval.serving().of_provider(Scope::Project(project)) {
        return Ok(());
    }
    retrieval.lacking.invalidate(&project);
    serve_project(&runtime.deps.store, retrieval, (project, kept)).await
}

/// Has the project compared by the model that its policy names, where each of its texts has a vector of that one already: a
/// policy that turns back waits for nobody, and nothing is embedded. `name`: a provider's; `None`: this machine's.
pub async fn turn_back(runtime: &Arc<Runtime>, project: ProjectId, name: Option<&str>) {
    let lacking = runtime.retrieval.lacking.get(&project);
    if lacking.is_some_and(|model| model.as_deref() == name) {
        return;
    }
    let (of, model) = (Arc::clone(runtime), name.map(str::to_owned));
    // In a task of its own: a search that is given up leaves no project half filled.
    let turned = runtime.retrieval.tasks.spawn(async move {
        let turned = turn_to(&of, project, model.as_deref()).await;
        if matches!(turned, Ok(false)) {
            of.retrieval.lacking.insert(project, model);
        }
        turned
    });
    match turned.await {
        Ok(Ok(true)) => tracing::info!(%project, ?name, "vectors of the named model are all there"),
        Ok(Ok(false)) => {}
        Ok(Err(error)) => tracing::error!(%error, %project, "documents keep their former model"),
        Err(error) => tracing::error!(%error, %project, "documents keep their former model"),
    }
}

/// `false`: some text has none.
async fn turn_to(
    runtime: &Runtime,
    project: ProjectId,
    name: Option<&str>,
) -> Result<bool, StoreError> {
    let (store, scope) = (&runtime.deps.store, Scope::Project(project));
    let kept = match name {
        Some(name) => store.embedder_in(scope, name).await?,
        None => None,
    };
    let serving = runtime.retrieval.serving();
    let embedder = match name {
        Some(_) => kept.as_deref(),
        None => serving.embedder_name(),
    };
    let Some(embedder) = embedder else { return Ok(false) };
    if store.missing_in(scope, embedder).await? > 0 {
        return Ok(false);
    }
    serve(runtime, project, kept).await?;
    Ok(true)
}
