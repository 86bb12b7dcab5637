//! Documents that passages are found in, and the search.

use crate::{
    access::{
        authorization::{self as rules, Rule},
        caller::Caller,
        scoped::{Wish, within},
    },
    dto::{
        document::{DocumentView, PassageView, PatchDocument, ScopeQuery},
        document_search::{FoundPassagesView, PostDocumentSearch, ReembeddingView},
    },
    problem::{Problem, ProblemCode},
    request::{
        address::{IdPath, PairPath},
        etag::{etag, if_match},
        page::{Page, PageQuery},
        payload::Payload,
        query::Params,
    },
    view::{found_passages::formatted, names::name_in, scope_list::ScopeList},
};
use axum::{
    Json,
    extract::OriginalUri,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use wiiiv_domain::{DocumentId, ProjectId, Scope};
use wiiiv_gate::Principal;
use wiiiv_governor::SearchDocuments;
use wiiiv_retrieval::{PASSAGES_DEFAULT, PASSAGES_FOUND_MAX};
use wiiiv_store::{DocumentRow, PassageRow};

/// Of one scope, in the order in which they were added, the newest first: a change moves none.
#[utoipa::path(get, path = "/rag/documents", tag = "rag", params(ScopeQuery), responses(
    (status = 200, body = Page<DocumentView>),
))]
pub(crate) async fn list_documents(
    caller: Caller,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<ScopeQuery>,
) -> Result<Response, Problem> {
    let asked = (Wish::Read, rules::LIST_DOCUMENTS);
    let ScopeList { scope, who, limit, rows } = ScopeList::of(&caller, query, asked).await?;
    let rows = caller.state.governor().documents().documents(&who, scope, rows).await?;
    let authors = rows.iter().filter_map(|row| row.author);
    let names = caller.state.names().of(caller.state.store(), authors).await?;
    let page = Page::of(
        rows,
        limit,
        |row| row.id.to_string(),
        |row| {
            let name = name_in(&names, row.author);
            DocumentView::of(row, name)
        },
    );
    Ok(page.answer(&uri))
}

/// Its version is the `ETag`.
#[utoipa::path(get, path = "/rag/documents/{id}", tag = "rag", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = DocumentView, headers(("ETag" = String))),
))]
pub(crate) async fn get_document(
    caller: Caller,
    IdPath(id): IdPath<DocumentId>,
) -> Result<Response, Problem> {
    let who = asked(&caller, (id, Wish::Read), rules::GET_DOCUMENT).await?;
    let row = caller.state.governor().documents().document(&who, id).await?;
    shown(&caller, row).await
}

/// Gives it another title, by the right that ingesting took, if it is still the version in `If-Match`. Nothing is cut or
/// embedded anew.
#[utoipa::path(patch, path = "/rag/documents/{id}", tag = "rag",
    params(("id" = Uuid, Path), ("If-Match" = String, Header)), request_body = PatchDocument, responses(
    (status = 200, body = DocumentView, headers(("ETag" = String))),
))]
pub(crate) async fn patch_document(
    caller: Caller,
    IdPath(id): IdPath<DocumentId>,
    headers: HeaderMap,
    payload: Payload<PatchDocument>,
) -> Result<Response, Problem> {
    let who = asked(&caller, (id, Wish::Change), rules::PATCH_DOCUMENT).await?;
    let expected = if_match(&headers)?;
    let PatchDocument { title } = payload.read()?;
    let documents = caller.state.governor().documents();
    let row = documents.rename_document(&who, (id, expected), &title).await?;
    shown(&caller, row).await
}

/// For good, by the right that ingesting took. No search finds it any more when this is answered.
#[utoipa::path(delete, path = "/rag/documents/{id}", tag = "rag", params(("id" = Uuid, Path)),
    responses(
    (status = 204),
))]
pub(crate) async fn delete_document(
    caller: Caller,
    IdPath(id): IdPath<DocumentId>,
) -> Result<StatusCode, Problem> {
    let who = asked(&caller, (id, Wish::Change), rules::DELETE_DOCUMENT).await?;
    caller.state.governor().documents().remove_document(&who, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// In the document's order, each with the chunks that are searched for it.
#[utoipa::path(get, path = "/rag/documents/{id}/passages", tag = "rag",
    params(("id" = Uuid, Path), PageQuery), responses(
    (status = 200, body = Page<PassageView>),
))]
pub(crate) async fn list_passages(
    caller: Caller,
    IdPath(id): IdPath<DocumentId>,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<PageQuery>,
) -> Result<Response, Problem> {
    let (limit, after) = (query.limit()?, query.after()?);
    let who = asked(&caller, (id, Wish::Read), rules::LIST_PASSAGES).await?;
    let documents = caller.state.governor().documents();
    let DocumentRow { passages: count, scope, .. } = documents.document(&who, id).await?;
    let rows = documents.document_passages(&who, id, after, u64::from(limit)).await?;
    // How many there are is known: no row is read to see whether more follow.
    let last = rows.last().map(|row| row.number);
    let rest = last.filter(|last| u64::from(*last) + 1 < count).map(|last| last.to_string());
    let embedder = documents.embedder_in(scope);
    let view = |row| PassageView::of(row, embedder.as_deref());
    let page = Page::of(rows, limit, |row: &PassageRow| row.number.to_string(), view);
    Ok(page.going_on_at(rest).answer(&uri))
}

/// What a citation opens.
#[utoipa::path(get, path = "/rag/documents/{id}/passages/{number}", tag = "rag",
    params(("id" = Uuid, Path), ("number" = u32, Path)), responses(
    (status = 200, body = PassageView),
))]
pub(crate) async fn get_passage(
    caller: Caller,
    PairPath(id, number): PairPath<DocumentId, u32>,
) -> Result<Json<PassageView>, Problem> {
    let who = asked(&caller, (id, Wish::Read), rules::GET_PASSAGE).await?;
    let documents = caller.state.governor().documents();
    let scope = documents.document(&who, id).await?.scope;
    let row = documents.document_passage(&who, id, number).await?;
    Ok(Json(PassageView::of(row, documents.embedder_in(scope).as_deref())))
}

/// Searches what is global, what is the caller's own, and a project of theirs where one is named, by words and by meaning.
/// An `Idempotency-Key` means nothing to it: it changes nothing, and no answer is kept.
#[utoipa::path(post, path = "/rag/search", tag = "rag", request_body = PostDocumentSearch,
    responses(
    (status = 200, body = FoundPassagesView),
))]
pub(crate) async fn search_documents(
    caller: Caller,
    payload: Payload<PostDocumentSearch>,
) -> Result<Json<FoundPassagesView>, Problem> {
    let PostDocumentSearch { text, project, limit, format } = payload.read()?;
    let project = project.map(ProjectId::from);
    let who = match project {
        Some(project) => caller.enter(project, rules::SEARCH_DOCUMENTS).await?,
        None => caller.account.clone(),
    };
    let limit = limit.map_or(PASSAGES_DEFAULT, |limit| usize::try_from(limit).unwrap_or(0));
    if !(1..=PASSAGES_FOUND_MAX).contains(&limit) {
        return Err(Problem::field("limit", format!("1 to `{PASSAGES_FOUND_MAX}`")));
    }
    let wanted = SearchDocuments { project, text, limit };
    let found = caller.state.governor().documents().search_documents(&who, wanted).await?;
    let formatted = format.map(|format| formatted(&found, format));
    Ok(Json(FoundPassagesView::of(found, formatted)))
}

/// Texts without a vector of the configured model get one in the background, while searches go on.
#[utoipa::path(post, path = "/rag/reembed", tag = "rag", responses(
    (status = 202, body = ReembeddingView),
))]
pub(crate) async fn reembed(
    caller: Caller,
) -> Result<(StatusCode, Json<ReembeddingView>), Problem> {
    let who = caller.administer(rules::REEMBED).await?;
    let begun = caller.state.governor().documents().reembed(&who, Scope::Global).await?;
    Ok((StatusCode::ACCEPTED, Json(begun.into())))
}

/// The same for a project's documents, by the right that ingesting took. Where its policy names a provider's model, their texts
/// are sent there, in the project's budgets, and searches compare by that model when each has its vector.
#[utoipa::path(post, path = "/rag/projects/{id}/reembed", tag = "rag",
    params(("id" = Uuid, Path)), responses(
    (status = 202, body = ReembeddingView),
))]
pub(crate) async fn reembed_project(
    caller: Caller,
    IdPath(project): IdPath<ProjectId>,
) -> Result<(StatusCode, Json<ReembeddingView>), Problem> {
    let who = caller.enter(project, rules::REEMBED_PROJECT).await?;
    let scope = Scope::Project(project);
    let begun = caller.state.governor().documents().reembed(&who, scope).await?;
    Ok((StatusCode::ACCEPTED, Json(begun.into())))
}

/// The caller in the scope of that document.
async fn asked(
    caller: &Caller,
    (id, wish): (DocumentId, Wish),
    rule: &Rule,
) -> Result<Principal, Problem> {
    let scope = caller.state.governor().documents().scope_of(id).await?;
    within(caller, (scope.ok_or(ProblemCode::NotFound)?, wish), rule).await
}

async fn shown(caller: &Caller, row: DocumentRow) -> Result<Response, Problem> {
    let name = caller.state.names().of_one(caller.state.store(), row.author).await?;
    let version = row.version;
    Ok((etag(version), Json(DocumentView::of(row, name))).into_response())
}
