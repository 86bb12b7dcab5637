//! A library is filled beside the one that serves.

use super::*;
use crate::documents::EmbedKind;
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};
use tokio::time::{sleep, timeout};
use wiiiv_domain::{ContentDigest, PriceTable};
use wiiiv_exec::metas;
use wiiiv_gate::{BaseBook, DacsRules, RiskRules};
use wiiiv_retrieval::Query;
use wiiiv_store::{
    AfterPut, DocumentAuthor, DocumentContent, DocumentOrigin, DocumentRow, IngestBounds, NewChunk,
    NewIngest, NewPassage, PasswordCost, StoreConfig,
};
use wiiiv_vault::{MasterKey, MasterKeys};

const DACS: &str = include_str!("../../../../../policies/dacs.toml");
const RISK: &str = include_str!("../../../../../policies/risk.toml");
const BOUNDS: IngestBounds =
    IngestBounds { open_max: 9, scope_bytes_max: 999, scope_chunks_max: 9, chunks_max: 9 };

/// Counts how often it is asked for its name: each batch of a library is filled by it.
#[derive(Default)]
struct Named(AtomicUsize);

impl TextEmbedder for Named {
    fn name(&self) -> &str {
        self.0.fetch_add(1, Ordering::SeqCst);
        "local:new"
    }
    fn embed(&self, _: &str, _: EmbedKind) -> Result<Vec<f32>, String> {
        Ok(vec![1.0])
    }
}

async fn store() -> Store {
    let base = BaseBook {
        executors: metas(),
        dacs: DacsRules::parse(DACS).unwrap(),
        risk: RiskRules::parse(RISK).unwrap(),
        prices: PriceTable::default(),
    };
    let config =
        StoreConfig { password_cost: PasswordCost::new(64, 1).unwrap(), ..StoreConfig::memory() };
    let keys = MasterKeys::of(MasterKey::generate().unwrap());
    Store::open(config, wiiiv_gate::open(base).registrar, keys).await.unwrap()
}

async fn put_one(store: &Store, name: &str, text: &str) -> DocumentRow {
    let new = NewIngest {
        scope: Scope::Global,
        origin: DocumentOrigin::Folder,
        file_name: name.to_owned(),
        title: None,
        media_type: None,
        file: text.as_bytes().to_vec(),
    };
    let job = store.queue_ingest(DocumentAuthor::folder(), new, BOUNDS).await.unwrap();
    let chunk = NewChunk {
        passage: 0,
        hash: ContentDigest::of_bytes(text.as_bytes()),
        text: text.to_owned(),
        terms: Terms::of(name, name, text).to_bytes(),
    };
    let passages = vec![NewPassage { headings: Vec::new(), page: None, text: text.to_owned() }];
    let (title, chunks) = (name.to_owned(), vec![chunk]);
    let content =
        DocumentContent { title, passages, chunks, vectors: None, after: AfterPut::Ready(None) };
    store.put_document(job.id, content, BOUNDS).await.unwrap()
}

fn found(retrieval: &Retrieval, text: &str) -> Vec<DocumentId> {
    let query = Query { text, vector: None, limit: 9 };
    let found = retrieval.serving().library.search(&[Scope::Global], &query);
    found.hits.iter().map(|hit| hit.document).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_waits_for_another_model_and_nothing_is_lost_meanwhile() {
    let store = store().await;
    let stays = put_one(&store, "a.md", "apricot").await;
    let goes = put_one(&store, "b.md", "avocado").await;
    let (named, retrieval) = (Arc::new(Named::default()), Arc::new(Retrieval::new(Vec::new())));
    load_with(&store, &retrieval, BTreeMap::new()).await.unwrap();
    let changing = retrieval.changing().await;
    let (all, beside, embedder) = (store.clone(), Arc::clone(&retrieval), Arc::clone(&named));
    let swaps = tokio::spawn(async move { swap(&all, &beside, embedder).await });
    let is_read = async {
        // The second batch is the end of them.
        while named.0.load(Ordering::SeqCst) < 2 {
            sleep(Duration::from_millis(2)).await;
        }
    };
    timeout(Duration::from_secs(9), is_read).await.expect("it reads while something changes");
    store.remove_document(DocumentAuthor::folder(), goes.id).await.unwrap();
    retrieval.forget(vec![(goes.scope, goes.id)]).await.unwrap();
    let new = put_one(&store, "c.md", "cherry").await;
    put_in_library(&store, &retrieval, (new.scope, new.id)).await.unwrap();
    assert_eq!(found(&retrieval, "cherry"), [new.id], "in the library that serves");
    drop(changing);
    swaps.await.unwrap().unwrap();
    assert_eq!(retrieval.serving().embedder_name(), Some("local:new"));
    for (text, due) in [("apricot", vec![stays.id]), ("avocado", vec![]), ("cherry", vec![new.id])]
    {
        assert_eq!(found(&retrieval, text), due, "{text}");
    }
}
