//! Models of this process: asked under a permit as any other, and nothing is spent.

use crate::{embeddings::embed, test_models::TestModels};
use std::{
    fs::{File, create_dir},
    path::{Path, PathBuf},
};
use wiiiv_domain::{ModelSlot, ProposalFailure, ProviderName, Spent};
use wiiiv_llm::Models;

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[tokio::test]
async fn what_is_not_installed_or_not_known_is_told_with_what_to_do() {
    let folder = Path::new("/nonexistent/models");
    for (model, told) in [
        ("local:e5-small", "run `wiiiv models install local:e5-small`"),
        ("LOCAL: use-multilingual", "run `wiiiv models install local:use-multilingual`"),
        ("local:e5-large", "`local:e5-small` and `local:use-multilingual` are known"),
    ] {
        let test = TestModels::local(folder, model);
        let error = embed(&test, &texts(&["가"])).await.unwrap_err();
        assert_eq!((error.failure, error.attempts), (ProposalFailure::Unserved, 0), "{model}");
        assert!(error.to_string().contains(told), "{error}");
        let (_, name) = model.split_once(':').unwrap();
        let checked = test.models.check_embeddings(ProviderName::Local, name.trim());
        assert!(checked.unwrap_err().to_string().contains(told), "{model}");
    }
    let without = TestModels::offline();
    assert!(without.models.check_embeddings(ProviderName::Local, "e5-small").is_err());
    assert_eq!(without.models.local_embedding(), None);
    assert_eq!(without.models.known(ProviderName::Local).count(), 0);
}

#[tokio::test]
async fn a_damaged_file_is_told_and_a_permit_for_less_is_none() {
    let folder = tempfile::tempdir().unwrap();
    create_dir(folder.path().join("e5-small")).unwrap();
    let file = File::create(folder.path().join("e5-small/e5-small-q4.bin")).unwrap();
    file.set_len(71_622_400).unwrap();
    let test = TestModels::local(folder.path(), "local:e5-small");
    assert_eq!(test.models.local_embedding(), Some("local:e5-small"));
    let known: Vec<&str> = test.models.known(ProviderName::Local).collect();
    assert_eq!(known, ["e5-small"]);
    let error = embed(&test, &texts(&["가"])).await.unwrap_err();
    assert_eq!(error.failure, ProposalFailure::Unavailable);
    assert!(error.to_string().contains("the server's log says why"), "{error}");
    assert!(!error.to_string().contains("q4.bin"), "{error}");
    let few = test.permit_of(ModelSlot::Embedding, 1);
    let error = test.models.embed(&texts(&["longer"]), few, &test.options).await.unwrap_err();
    assert_eq!(error.failure, ProposalFailure::ContextTooLong);
    let other = test.permit_for(1_000);
    let error = test.models.embed(&texts(&["a"]), other, &test.options).await.unwrap_err();
    assert_eq!(error.failure, ProposalFailure::Budget);
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_become_vectors_and_nothing_is_spent() {
    let folder = std::env::var_os("WIIIV_EMBEDDERS").filter(|folder| !folder.is_empty());
    let Some(folder) = folder.map(PathBuf::from) else {
        println!("not run: WIIIV_EMBEDDERS names no folder of models");
        return;
    };
    for (model, dimensions) in [("local:e5-small", 384), ("local:use-multilingual", 512)] {
        let test = TestModels::local(&folder, model);
        let sent = texts(&["서울에서 부산까지", "from Seoul to Busan", "a"]);
        let done = embed(&test, &sent).await.unwrap();
        let lengths: Vec<usize> = done.vectors.iter().map(Vec::len).collect();
        assert_eq!(lengths, [dimensions; 3], "{model}");
        assert_eq!((done.spent, done.attempts, done.beyond), (Spent::default(), 0, None));
        let query = &sent[0];
        let held = Models::held_for(std::slice::from_ref(query));
        let permit = test.permit_of(ModelSlot::Embedding, held);
        let asked = test.models.embed_query(query, permit, &test.options).await.unwrap();
        let is_told = model == "local:e5-small";
        assert_eq!(asked.vectors[0] != done.vectors[0], is_told, "{model}: a query is no passage");
    }
}
