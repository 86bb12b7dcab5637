//! Documents made of plain texts.

use crate::draw::Draw;
use std::sync::Arc;
use uuid::Uuid;
use wiiiv_domain::{DocumentId, ProjectId, Scope, UserId};
use wiiiv_retrieval::{ChunkHash, Entry, Found, Library, Query, Terms, Vector};

/// Of the vectors that tests make up.
pub const DIMENSIONS: usize = 24;

pub fn document(number: u128) -> DocumentId {
    DocumentId::from_uuid(Uuid::from_u128(number))
}

pub fn number_of(document: DocumentId) -> u128 {
    document.uuid().as_u128()
}

pub fn user(number: u128) -> Scope {
    Scope::User(UserId::from_uuid(Uuid::from_u128(number)))
}

pub fn project(number: u128) -> Scope {
    Scope::Project(ProjectId::from_uuid(Uuid::from_u128(number)))
}

/// A chunk whose hash is of its text.
pub fn entry(chunk: u32, passage: u32, title: &str, text: &str) -> Entry {
    let mut hash = [0_u8; 32];
    for (at, byte) in text.bytes().enumerate() {
        hash[at % 32] = hash[at % 32].wrapping_mul(31).wrapping_add(byte);
    }
    let terms = Arc::new(Terms::of(title, "", text));
    Entry { chunk, passage, hash: ChunkHash(hash), terms, vector: None }
}

/// One passage of one chunk for each text.
pub fn entries(texts: &[&str]) -> Vec<Entry> {
    texts.iter().zip(0..).map(|(text, nth)| entry(nth, nth, "", text)).collect()
}

pub fn with_vector(entry: Entry, vector: Vector) -> Entry {
    Entry { vector: Some(Arc::new(vector)), ..entry }
}

/// One document for each text, numbered from 0, for everybody.
pub fn library(texts: &[&str]) -> Library {
    let library = Library::new();
    for (text, number) in texts.iter().zip(0..) {
        library.put(Scope::Global, document(number), "", entries(&[text]));
    }
    library
}

pub fn search(library: &Library, scopes: &[Scope], text: &str) -> Found {
    library.search(scopes, &Query::new(text, None))
}

/// Numbers of the documents found, the best first.
pub fn found(library: &Library, text: &str) -> Vec<u128> {
    let found = search(library, &[Scope::Global], text);
    found.hits.iter().map(|hit| number_of(hit.document)).collect()
}

/// Points in a direction that the seed draws.
pub fn direction(draw: &mut Draw) -> Vector {
    Vector::new((0..DIMENSIONS).map(|_| draw.signed()).collect()).expect("a direction")
}

/// Near to a direction.
pub fn near(direction: usize, draw: &mut Draw) -> Vector {
    let mut numbers: Vec<f32> = (0..DIMENSIONS).map(|_| draw.signed() * 0.1).collect();
    numbers[direction % DIMENSIONS] += 1.0;
    Vector::new(numbers).expect("a direction")
}
