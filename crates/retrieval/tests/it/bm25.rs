//! Scores against BM25 written plainly from its definition, over exactly the scopes of the query.

use crate::{
    draw::Draw,
    texts::{document, entry, project, user},
};
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{DocumentId, Scope};
use wiiiv_retrieval::{Entry, Library, Query};

/// Without plurals and particles: their words are themselves, and pairs are easily told.
const VOCABULARY: [&str; 16] = [
    "river",
    "cat",
    "lamp",
    "green",
    "paper",
    "engine",
    "cloud",
    "winter",
    "서울",
    "날씨",
    "회의실",
    "프린터",
    "물",
    "달력",
    "자전거",
    "컴퓨터",
];
const K1: f64 = 2.0;
const B: f64 = 0.75;

/// Words of each chunk of each passage.
type Passages = Vec<Vec<Vec<&'static str>>>;

/// A scope's documents.
type Scopes = BTreeMap<Scope, BTreeMap<DocumentId, Passages>>;

fn drawn(draw: &mut Draw) -> Passages {
    let chunk = |draw: &mut Draw| -> Vec<&'static str> {
        (0..1 + draw.below(30)).map(|_| *draw.of(&VOCABULARY)).collect()
    };
    let passage = |draw: &mut Draw| (0..1 + draw.below(3)).map(|_| chunk(draw)).collect();
    (0..1 + draw.below(3)).map(|_| passage(draw)).collect()
}

fn put(library: &Library, scope: Scope, document: DocumentId, passages: &Passages) {
    let mut entries: Vec<Entry> = Vec::new();
    for (passage, nth) in passages.iter().zip(0..) {
        for chunk in passage {
            let number = u32::try_from(entries.len()).expect("few");
            entries.push(entry(number, nth, "", &chunk.join(" ")));
        }
    }
    library.put(scope, document, "", entries);
}

/// Pairs of neighbouring characters of a word in Hangul.
fn pairs(word: &str) -> Vec<String> {
    let chars: Vec<char> = if word.is_ascii() { Vec::new() } else { word.chars().collect() };
    chars.windows(2).map(|pair| pair.iter().collect()).collect()
}

/// One field of a passage: its terms.
type Field = Vec<String>;

type Key = (Scope, DocumentId, u32);

fn fields(passage: &[Vec<&'static str>]) -> [Field; 2] {
    let words = passage.iter().flatten();
    [words.clone().map(|word| (*word).to_owned()).collect(), words.flat_map(|w| pairs(w)).collect()]
}

fn count(field: &Field, term: &str) -> f64 {
    f64::from(u32::try_from(field.iter().filter(|found| *found == term).count()).expect("few"))
}

fn length(field: &Field) -> f64 {
    f64::from(u32::try_from(field.len()).expect("few"))
}

/// The score of every passage that has one.
fn reference(scopes: &Scopes, visible: &[Scope], query: &[&str]) -> BTreeMap<Key, f64> {
    let mut passages: Vec<(Key, [Field; 2])> = Vec::new();
    for (scope, documents) in scopes.iter().filter(|(scope, _)| visible.contains(scope)) {
        for (document, own) in documents {
            let own = own.iter().zip(0..);
            passages.extend(own.map(|(passage, nth)| ((*scope, *document, nth), fields(passage))));
        }
    }
    let all = f64::from(u32::try_from(passages.len()).expect("few"));
    let mut scores = BTreeMap::new();
    for word in query.iter().collect::<BTreeSet<_>>() {
        let pairs = pairs(word);
        let own_weight = if pairs.is_empty() { 1.0 } else { 0.5 };
        let own = (0, (*word).to_owned(), own_weight);
        for (field, term, weight) in
            std::iter::once(own).chain(pairs.into_iter().map(|pair| (1, pair, 1.0)))
        {
            let with = passages.iter().filter(|(_, fields)| fields[field].contains(&term)).count();
            let with = f64::from(u32::try_from(with).expect("few"));
            let rarity = (1.0 + (all - with + 0.5) / (with + 0.5)).ln();
            let lengths = passages.iter().map(|(_, fields)| length(&fields[field]));
            let lengths: Vec<f64> = lengths.filter(|length| field == 0 || *length > 0.0).collect();
            let average =
                lengths.iter().sum::<f64>() / f64::from(u32::try_from(lengths.len()).expect("few"));
            for (key, fields) in &passages {
                let found = count(&fields[field], &term);
                if found > 0.0 {
                    let norm = K1 * (1.0 - B + B * length(&fields[field]) / average);
                    *scores.entry(*key).or_insert(0.0) +=
                        weight * rarity * found * (K1 + 1.0) / (found + norm);
                }
            }
        }
    }
    scores
}

fn check(library: &Library, scopes: &Scopes, visible: &[Scope], words: &[&str]) {
    let text = words.join(" ");
    let query = Query { text: &text, vector: None, limit: 50 };
    let found = library.search(visible, &query).trace.by_words;
    let expected = reference(scopes, visible, words);
    assert_eq!(found.len(), expected.len().min(50), "{words:?}");
    assert!(found.iter().map(|found| found.score).is_sorted_by(|a, b| a >= b));
    let mut best: Vec<f64> = expected.values().copied().collect();
    best.sort_by(|a, b| b.total_cmp(a));
    for (found, best) in found.iter().zip(best) {
        let exact = expected[&(found.scope, found.document, found.passage)];
        assert!((found.score - exact).abs() < 1e-4 * exact, "{} {exact}", found.score);
        assert!((found.score - best).abs() < 1e-4 * best, "{} {best}", found.score);
    }
}

#[test]
fn scores_are_those_of_the_definition_over_the_visible_scopes_alone() {
    let mut draw = Draw::seeded(28);
    let known = [Scope::Global, user(1), user(2), project(1), project(2)];
    for _ in 0..30 {
        let (library, mut scopes) = (Library::new(), Scopes::new());
        for _ in 0..40 {
            let scope = *draw.of(&known);
            // A few documents, so that some are replaced.
            let id = document(u128::try_from(draw.below(8)).expect("small"));
            if draw.below(5) == 0 {
                let is_there = scopes.entry(scope).or_default().remove(&id).is_some();
                assert_eq!(library.remove(scope, id), is_there);
            } else {
                let passages = drawn(&mut draw);
                put(&library, scope, id, &passages);
                scopes.entry(scope).or_default().insert(id, passages);
            }
        }
        for _ in 0..10 {
            let visible = [Scope::Global, *draw.of(&known), *draw.of(&known)];
            let words: Vec<&str> = (0..1 + draw.below(4)).map(|_| *draw.of(&VOCABULARY)).collect();
            check(&library, &scopes, &visible, &words);
        }
    }
}
