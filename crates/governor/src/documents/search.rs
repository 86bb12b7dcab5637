//! One search: only the segments of these scopes are read, and what they gave is read from the store by its scope once
//! more.

use super::{
    asking::{EmbedTexts, MadeVectors, NotCompared},
    embedder::EmbedKind,
    error::DocumentError,
    found::{FoundPassage, FoundPassages},
    provider_model::shown,
    question::{OwnMeaning, own_meaning},
    retrieval::Serving,
};
use crate::{runtime::Runtime, telemetry};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Instant,
};
use tokio::task::spawn_blocking;
use wiiiv_domain::{ContentDigest, DocumentId, Scope};
use wiiiv_retrieval::{Found, Hit, PASSAGES_FOUND_MAX, Query, Vector};
use wiiiv_store::{FoundKey, FoundRow};

/// Of what is searched for, in Unicode scalar values.
const TEXT_CHARS_MAX: usize = 2_000;
/// So many more are looked for than are wanted, as several may say the same.
const SAME_MAX: usize = 10;
/// A shorter passage may say something else below another title, in Unicode scalar values.
const SAME_CHARS_MIN: usize = 100;

/// By what a question was compared.
struct Compared {
    embedder: Option<String>,
    left_out: Option<NotCompared>,
}

/// `scopes`: those of the person who asks, and of nobody else. `ask`: embeds the text by the model that the project's policy
/// names, where that is a provider's; a failure leaves the words.
pub async fn search<F>(
    runtime: &Arc<Runtime>,
    scopes: &[Scope],
    (text, limit): (String, usize),
    ask: impl FnOnce(EmbedTexts) -> F,
) -> Result<FoundPassages, DocumentError>
where
    F: Future<Output = Result<MadeVectors, NotCompared>>,
{
    let (text, chars) = (text.trim().to_owned(), text.chars().count());
    if text.is_empty() || chars > TEXT_CHARS_MAX {
        let problem = format!("write 1 to `{TEXT_CHARS_MAX}` characters");
        return Err(DocumentError::Field { field: "text", problem });
    }
    let limit = limit.clamp(1, PASSAGES_FOUND_MAX);
    let retrieval = &runtime.retrieval;
    retrieval.wait_loaded().await?;
    let person = scopes.iter().find_map(|scope| match scope {
        Scope::User(user) => Some(*user),
        Scope::Global | Scope::Project(_) => None,
    });
    let own = match person.zip(scopes.iter().find_map(|scope| scope.project())) {
        Some(of) => own_meaning(runtime, of, &text, ask).await,
        None => OwnMeaning::default(),
    };
    let (begun, serving) = (Instant::now(), retrieval.serving());
    let (of, most) = (scopes.to_vec(), limit.saturating_add(SAME_MAX).min(PASSAGES_FOUND_MAX));
    let searched = spawn_blocking(move || find(&serving, &of, (&text, most), own));
    let (found, compared) =
        searched.await.map_err(|error| DocumentError::Unavailable(error.to_string()))?;
    let keys: Vec<FoundKey> = found.hits.iter().map(key).collect();
    let rows = runtime.deps.store.found_passages(&keys).await?;
    let mut found = with_texts(scopes, found, rows, compared);
    found.hits.truncate(limit);
    telemetry::documents_searched(begun, found.relevant);
    Ok(found)
}

const fn key(hit: &Hit) -> FoundKey {
    FoundKey {
        document: hit.document,
        scope: hit.scope,
        passage: hit.passage,
        chunk: hit.chunk,
        hash: ContentDigest::from_bytes(hit.hash.0),
    }
}

/// A model that fails leaves the words: the trace says so.
fn find(
    serving: &Serving,
    scopes: &[Scope],
    (text, limit): (&str, usize),
    OwnMeaning { vector: own, mut left_out }: OwnMeaning,
) -> (Found, Compared) {
    let vector = serving.embedder.as_ref().and_then(|embedder| {
        let embedded = embedder.embed(text, EmbedKind::Query);
        let vector = embedded.and_then(|numbers| Vector::new(numbers).map_err(|e| e.to_string()));
        vector.inspect_err(|why| tracing::warn!(%why, "a question cannot be embedded")).ok()
    });
    let query = Query { text, vector: vector.as_ref(), limit };
    let by_provider = scopes.iter().find_map(|scope| Some((*scope, serving.of_provider(*scope)?)));
    // Vectors of other dimensions, or of a model that took its place meanwhile, are no vectors of this one.
    let fits = |(kept, _): &&(String, _)| by_provider.is_some_and(|(_, of)| of == kept);
    let fitting = own.as_ref().filter(fits);
    if own.is_some() && fitting.is_none() {
        left_out = Some(NotCompared::NotEmbedded);
    }
    let vector_there = fitting.map(|(_, vector)| &**vector);
    let with = by_provider.map(|(scope, _)| (scope, vector_there));
    let found = serving.library.search_with(scopes, &query, with);
    let is_other = |scope: Scope| by_provider.is_none_or(|(own, _)| own != scope);
    let has_others = by_provider.is_none()
        || found.trace.segments.iter().any(|of| is_other(of.scope) && of.chunks > 0);
    let ours = vector.filter(|_| has_others).and_then(|_| serving.embedder_name());
    let names = [ours, fitting.map(|(kept, _)| shown(kept))];
    let names: Vec<&str> = names.into_iter().flatten().collect();
    let embedder = (!names.is_empty()).then(|| names.join(", "));
    (found, Compared { embedder, left_out })
}

// INVARIANT: nothing is shown that the store has not under the very scope of the hit, and none of another scope than
// those that were asked for.
fn with_texts(
    scopes: &[Scope],
    found: Found,
    rows: Vec<FoundRow>,
    Compared { embedder, left_out }: Compared,
) -> FoundPassages {
    let key = |row: FoundRow| ((row.document.id, row.number), row);
    let mut rows: HashMap<(DocumentId, u32), FoundRow> = rows.into_iter().map(key).collect();
    let (mut hits, mut texts) = (Vec::with_capacity(found.hits.len()), HashSet::new());
    for hit in found.hits {
        let row = rows.remove(&(hit.document, hit.passage));
        let own = |row: &FoundRow| row.document.scope == hit.scope && scopes.contains(&hit.scope);
        let Some(row) = row.filter(own) else { continue };
        // Of several that say the same the best stands for all.
        let is_long = row.text.chars().nth(SAME_CHARS_MIN).is_some();
        if is_long && !texts.insert((row.headings.clone(), row.text.clone())) {
            continue;
        }
        hits.push(FoundPassage {
            citation: u32::try_from(hits.len() + 1).unwrap_or(u32::MAX),
            document: row.document.id,
            version: row.document.version,
            title: row.document.title,
            file_name: row.document.file_name,
            scope: row.document.scope,
            passage: row.number,
            page: row.page,
            headings: row.headings,
            text: row.text,
            score: hit.score,
            lexical: hit.lexical,
            dense: hit.dense,
            stale: row.document.stale,
        });
    }
    let relevant = found.relevant && !hits.is_empty();
    let (trace, names, not_compared) = (found.trace, Vec::new(), left_out);
    FoundPassages { hits, relevant, trace, names, embedder, not_compared }
}
