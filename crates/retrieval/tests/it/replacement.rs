//! Documents that come, change and go: what is found is what is there.

use crate::{
    draw::Draw,
    texts::{direction, document, entries, entry, found, library, number_of, search, with_vector},
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use wiiiv_domain::Scope;
use wiiiv_retrieval::{Counts, Entry, Library, Query};

const WORDS: [&str; 6] = ["river", "lamp", "서울에서", "회의실", "engine", "달력을"];

#[test]
fn a_removed_document_is_gone_at_once() {
    let library = library(&["the green lamp", "the green river"]);
    assert_eq!(found(&library, "green").len(), 2);
    assert!(library.remove(Scope::Global, document(0)));
    assert_eq!(found(&library, "green"), [1]);
    assert_eq!(found(&library, "lamp"), [0; 0]);
    assert!(!library.remove(Scope::Global, document(0)));
    assert_eq!(library.counts(Scope::Global), Counts { documents: 1, chunks: 1, vectors: 0 });
}

#[test]
fn a_replaced_document_is_found_by_its_new_text_alone() {
    let library = library(&["the green lamp", "the red lamp"]);
    library.put(Scope::Global, document(0), "", entries(&["a blue river", "a blue boat"]));
    assert_eq!(found(&library, "green"), [0; 0]);
    assert_eq!(found(&library, "boat"), [0]);
    assert_eq!(library.counts(Scope::Global), Counts { documents: 2, chunks: 3, vectors: 0 });
}

#[test]
fn a_renamed_document_is_found_by_its_new_name_until_it_goes() {
    let library = Library::new();
    let chunks = || vec![entry(0, 0, "Old name", "the lamp"), entry(1, 1, "Old name", "the river")];
    library.put(Scope::Global, document(0), "Old name", chunks());
    library.put(Scope::Global, document(1), "Other", entries(&["the engine"]));
    assert_eq!(found(&library, "handbook"), [0; 0]);
    library.put(Scope::Global, document(0), "New handbook", chunks());
    assert_eq!(found(&library, "handbook"), [0, 0]);
    library.remove(Scope::Global, document(0));
    assert_eq!(found(&library, "handbook"), [0; 0]);
    assert_eq!(found(&library, "engine"), [1]);
}

#[test]
fn an_empty_document_is_there_and_finds_nothing() {
    let library = library(&["the lamp"]);
    library.put(Scope::Global, document(9), "Nothing", Vec::new());
    assert_eq!(library.counts(Scope::Global).documents, 2);
    assert_eq!(found(&library, "nothing"), [0; 0]);
    assert!(library.remove(Scope::Global, document(9)));
}

/// A digit in a word is a part of its own.
fn letters(number: u32) -> String {
    number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
}

#[test]
fn many_documents_come_and_go_and_the_last_one_is_found() {
    let library = Library::new();
    let meaning = |round: u32, number: u32| {
        direction(&mut Draw::seeded(u64::from(round) * 100 + u64::from(number)))
    };
    // In the last round the empty numbers are more than 1,024, so that all get new ones in the midst of it.
    for round in 0..12_u32 {
        for number in 0..100_u32 {
            let text = format!("round{} number{}", letters(round), letters(number));
            let chunk = with_vector(entry(0, 0, "", &text), meaning(round, number));
            library.put(Scope::Global, document(number.into()), "", vec![chunk]);
        }
    }
    let counts = Counts { documents: 100, chunks: 100, vectors: 100 };
    assert_eq!(library.counts(Scope::Global), counts);
    assert_eq!(found(&library, &format!("number{}", letters(42))), [42]);
    assert_eq!(found(&library, &format!("round{}", letters(10))), [0; 0]);
    let last = format!("round{}", letters(11));
    let all = library.search(&[Scope::Global], &Query { limit: 50, ..Query::new(&last, None) });
    assert_eq!(all.hits.len(), 50);
    // Numbers were given anew meanwhile: each document is still the one of its vector.
    for number in 0..100_u32 {
        let asked = meaning(11, number);
        let by_meaning = library.search(&[Scope::Global], &Query::new("", Some(&asked)));
        let first = by_meaning.hits.first().map(|hit| number_of(hit.document));
        assert_eq!(first, Some(number.into()));
    }
}

/// What may happen to one of a few documents.
#[derive(Debug, Clone)]
enum Change {
    Put(u128, Vec<(u8, Vec<usize>, bool)>),
    Remove(u128),
    Embed(u128, u32),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let words = prop::collection::vec(0..WORDS.len(), 1..4);
    let chunks = prop::collection::vec((0..3_u8, words, any::<bool>()), 0..5);
    let change = prop_oneof![
        3 => (0..6_u128, chunks).prop_map(|(id, chunks)| Change::Put(id, chunks)),
        1 => (0..6_u128).prop_map(Change::Remove),
        1 => (0..6_u128, 0..5_u32).prop_map(|(id, chunk)| Change::Embed(id, chunk)),
    ];
    prop::collection::vec(change, 1..40)
}

/// Each chunk's vector and hash follow from where it is.
fn made(id: u128, chunks: &[(u8, Vec<usize>, bool)]) -> Vec<Entry> {
    let made = chunks.iter().zip(0..).map(|((passage, words, has_vector), nth)| {
        let words: Vec<&str> = words.iter().map(|word| WORDS[*word]).collect();
        let mut entry = entry(nth, (*passage).into(), "", &words.join(" "));
        entry.hash.0 = [u8::try_from(id * 16 + u128::from(nth)).expect("small"); 32];
        if *has_vector { with_vector(entry, vector(id, nth)) } else { entry }
    });
    made.collect()
}

fn vector(id: u128, chunk: u32) -> wiiiv_retrieval::Vector {
    let seed = u64::try_from(id).expect("small") * 100 + u64::from(chunk);
    direction(&mut Draw::seeded(seed))
}

/// Hits as numbers that do not depend on the order in which documents came.
fn comparable(library: &Library, query: &Query<'_>) -> Vec<(i64, u128, u32)> {
    let found = library.search(&[Scope::Global], query);
    let rounded = |score: f64| (score * 1e6).round() as i64;
    let mut hits: Vec<(i64, u128, u32)> = found
        .trace
        .by_words
        .iter()
        .chain(&found.trace.by_meaning)
        .map(|hit| (rounded(hit.score), number_of(hit.document), hit.passage))
        .collect();
    hits.sort_unstable();
    hits
}

proptest! {
    #[test]
    fn a_library_is_what_was_done_to_it_last(changes in changes()) {
        let (library, mut model) = (Library::new(), BTreeMap::<u128, Vec<Entry>>::new());
        for change in changes {
            match change {
                Change::Put(id, chunks) => {
                    let chunks = made(id, &chunks);
                    library.put(Scope::Global, document(id), "", chunks.clone());
                    model.insert(id, chunks);
                }
                Change::Remove(id) => {
                    let was_there = library.remove(Scope::Global, document(id));
                    prop_assert_eq!(was_there, model.remove(&id).is_some());
                }
                Change::Embed(id, chunk) => {
                    let vector = std::sync::Arc::new(vector(id, chunk + 50));
                    let known = model.get_mut(&id).into_iter().flatten();
                    let known = known.filter(|entry| entry.chunk == chunk).map(|entry| {
                        entry.vector = Some(std::sync::Arc::clone(&vector));
                    });
                    let is_known = known.count() > 0;
                    let set = library.set_vector(Scope::Global, document(id), chunk, vector);
                    prop_assert_eq!(set, is_known);
                }
            }
        }
        let fresh = Library::new();
        for (id, chunks) in model.into_iter().rev() {
            fresh.put(Scope::Global, document(id), "", chunks);
        }
        prop_assert_eq!(library.counts(Scope::Global), fresh.counts(Scope::Global));
        let asked = direction(&mut Draw::seeded(7));
        for word in WORDS {
            let query = Query { text: word, vector: Some(&asked), limit: 50 };
            prop_assert_eq!(comparable(&library, &query), comparable(&fresh, &query));
        }
    }
}

#[test]
fn a_query_finds_as_many_passages_as_it_asks_for() {
    let texts: Vec<String> = (0..80).map(|nth| format!("lamp number{nth}")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let library = library(&texts);
    assert_eq!(search(&library, &[Scope::Global], "lamp").hits.len(), 5);
    for (limit, hits) in [(0, 0), (1, 1), (20, 20), (50, 50), (1_000, 50)] {
        let query = Query { text: "lamp", vector: None, limit };
        assert_eq!(library.search(&[Scope::Global], &query).hits.len(), hits);
    }
}
