//! This search.

use crate::{
    peer::{ByWords, FOUND, Outcome},
    sets::Page,
};
use std::sync::Arc;
use uuid::Uuid;
use wiiiv_domain::{DocumentId, Scope};
use wiiiv_retrieval::{ChunkHash, Entry, Found, Library, Query, Terms, Vector};

/// A page is a document of one passage.
pub fn by_words(pages: &[Page]) -> Outcome<ByWords> {
    let library = Library::new();
    let mut hash = 0;
    for (page, number) in pages.iter().zip(0..) {
        let mut entries = Vec::new();
        for (text, chunk) in page.chunks.iter().zip(0..) {
            hash += 1;
            let terms = Arc::new(Terms::of(&page.title, "", text));
            entries.push(Entry { chunk, passage: 0, hash: named(hash), terms, vector: None });
        }
        library.put(Scope::Global, document(number), &page.title, entries);
    }
    Ok(Box::new(move |text| {
        let query = Query { text, vector: None, limit: FOUND };
        Ok(numbers(&library.search(&[Scope::Global], &query)))
    }))
}

/// A search by meaning: numbers of vectors, the best first.
pub type ByMeaning = Box<dyn Fn(&[f32]) -> Outcome<Vec<usize>>>;

/// A vector is a document.
pub fn by_meaning(vectors: &[Vec<f32>]) -> Outcome<ByMeaning> {
    let library = Library::new();
    let none = Arc::new(Terms::of("", "", ""));
    for (numbers, number) in vectors.iter().zip(0..) {
        let terms = Arc::clone(&none);
        let vector = Some(Arc::new(Vector::new(numbers.clone())?));
        let entry = Entry { chunk: 0, passage: 0, hash: named(number), terms, vector };
        library.put(Scope::Global, document(number), "", vec![entry]);
    }
    Ok(Box::new(move |numbers_of_query| {
        let vector = Vector::new(numbers_of_query.to_vec())?;
        let query = Query { text: "", vector: Some(&vector), limit: FOUND };
        Ok(numbers(&library.search(&[Scope::Global], &query)))
    }))
}

fn numbers(found: &Found) -> Vec<usize> {
    found.hits.iter().map(|hit| hit.document.uuid().as_u128() as usize).collect()
}

fn document(number: u64) -> DocumentId {
    DocumentId::from_uuid(Uuid::from_u128(number.into()))
}

fn named(number: u64) -> ChunkHash {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&number.to_le_bytes());
    ChunkHash(bytes)
}
