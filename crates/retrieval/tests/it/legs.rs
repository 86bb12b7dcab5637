//! The two legs: each by itself, both together, and one without the other.

use crate::{
    draw::Draw,
    texts::{
        DIMENSIONS, document, entries, entry, library, near, number_of, project, search,
        with_vector,
    },
};
use std::sync::Arc;
use wiiiv_domain::Scope;
use wiiiv_retrieval::{Entry, Found, LegOff, LegState, Library, Query, Vector};

/// A document for each text, its meaning in the direction of its number.
fn embedded(texts: &[&str]) -> Library {
    let (library, mut draw) = (Library::new(), Draw::seeded(5));
    for (text, nth) in texts.iter().zip(0..) {
        let chunk = with_vector(entry(0, 0, "", text), near(nth, &mut draw));
        let id = document(u128::try_from(nth).expect("small"));
        library.put(Scope::Global, id, "", vec![chunk]);
    }
    library
}

fn asked(library: &Library, text: &str, direction: Option<usize>) -> Found {
    let vector = direction.map(|direction| near(direction, &mut Draw::seeded(6)));
    library.search(&[Scope::Global], &Query::new(text, vector.as_ref()))
}

fn numbers(found: &Found) -> Vec<u128> {
    found.hits.iter().map(|hit| number_of(hit.document)).collect()
}

fn off(why: LegOff) -> LegState {
    LegState::Off { why }
}

#[test]
fn both_legs_rank_and_say_so() {
    let library = embedded(&["the green lamp", "the red river", "an old engine"]);
    let found = asked(&library, "river", Some(1));
    let first = found.hits.first().expect("a hit");
    assert_eq!(number_of(first.document), 1);
    assert_eq!(first.lexical.map(|leg| leg.rank), Some(1));
    assert_eq!(first.dense.map(|leg| leg.rank), Some(1));
    assert_eq!(found.trace.lexical, LegState::Ran { candidates: 1 });
    assert_eq!(found.trace.dense, LegState::Ran { candidates: 3 });
    assert_eq!(found.trace.words, ["river"]);
    assert_eq!(found.trace.by_words.len(), 1);
    let segment = found.trace.segments.first().expect("one");
    assert_eq!((segment.scope, segment.chunks, segment.vectors), (Scope::Global, 3, 3));
}

#[test]
fn a_leg_that_does_not_run_says_why_and_empties_nothing() {
    let words = library(&["the green lamp", "the red river"]);
    let found = asked(&words, "river", None);
    assert_eq!((numbers(&found), found.trace.dense), (vec![1], off(LegOff::NoQueryVector)));
    let found = asked(&words, "river", Some(0));
    assert_eq!((numbers(&found), found.trace.dense), (vec![1], off(LegOff::NoVectors)));

    let both = embedded(&["the green lamp", "the red river"]);
    let found = asked(&both, "?!", Some(1));
    assert_eq!((numbers(&found)[0], found.trace.lexical), (1, off(LegOff::NoWords)));
    let other = Vector::new(vec![1.0; DIMENSIONS + 1]).expect("a vector");
    let found = both.search(&[Scope::Global], &Query::new("river", Some(&other)));
    assert_eq!((numbers(&found), found.trace.dense), (vec![1], off(LegOff::OtherDimensions)));

    let found = asked(&Library::new(), "river", Some(0));
    assert_eq!((found.hits.len(), found.relevant), (0, false));
    assert_eq!(found.trace.lexical, off(LegOff::NothingIndexed));
    assert_eq!(found.trace.dense, off(LegOff::NothingIndexed));
}

#[test]
fn a_chunk_is_found_by_words_before_it_is_embedded_and_by_meaning_from_then_on() {
    let library = library(&["the green lamp", "the red river"]);
    let mut draw = Draw::seeded(8);
    for nth in [0_u8, 1] {
        let vector = Arc::new(near(nth.into(), &mut draw));
        assert!(library.set_vector(Scope::Global, document(nth.into()), 0, vector));
    }
    assert_eq!(numbers(&asked(&library, "?", Some(1)))[0], 1);
    let vector = Arc::new(near(5, &mut draw));
    assert!(library.set_vector(Scope::Global, document(1), 0, Arc::clone(&vector)));
    assert_eq!(numbers(&asked(&library, "?", Some(0)))[0], 0);
    assert!(!library.set_vector(Scope::Global, document(1), 7, Arc::clone(&vector)));
    assert!(!library.set_vector(Scope::Global, document(7), 0, vector));
    assert_eq!(library.counts(Scope::Global).vectors, 2);
}

#[test]
fn words_have_no_vote_about_another_script() {
    // The query's words stand in the second one by chance.
    let texts = [
        "프린터를 설정하는 방법을 설명합니다",
        "소리를 크게 하거나 작게 하는 방법을 자세히 설명합니다 (set up)",
    ];
    let library = embedded(&texts);
    let found = asked(&library, "how to set up the printer", Some(0));
    assert_eq!(numbers(&found)[0], 0);
    assert_eq!(found.trace.by_words.iter().map(|one| one.worth).collect::<Vec<_>>(), [None]);
    // Without meaning they are all there is.
    assert_eq!(numbers(&asked(&library, "how to set up the printer", None)), [1]);
}

/// All others have words of the query, and are about something else.
#[test]
fn what_is_in_another_script_is_not_outvoted_by_words_alone() {
    let library = Library::new();
    let toward = |cosine: f32| {
        let mut numbers = vec![0.0; DIMENSIONS];
        numbers[..2].copy_from_slice(&[cosine, (1.0 - cosine * cosine).sqrt()]);
        Vector::new(numbers).expect("a vector")
    };
    let texts = [
        ("The printer is set up in the settings.", 1.0),
        ("프린터 종이를 주문하는 곳", 0.7),
        ("프린터 이름을 붙인 회의실", 0.6),
        ("구내식당 메뉴", 0.5),
    ];
    for ((text, cosine), number) in texts.into_iter().zip(0..) {
        let chunk = with_vector(entry(0, 0, "", text), toward(cosine));
        library.put(Scope::Global, document(number), "", vec![chunk]);
    }
    let found = library.search(&[Scope::Global], &Query::new("프린터", Some(&toward(1.0))));
    assert_eq!(numbers(&found)[..2], [0, 1], "{found:#?}");
}

#[test]
fn a_rare_identifier_has_a_vote_in_every_script() {
    let texts = ["설정 파일을 고칩니다", "오류 ENOENT가 나면 파일이 없습니다", "소리를 켭니다"];
    let library = embedded(&texts);
    let found = asked(&library, "what does the error ENOENT mean here", Some(7));
    assert_eq!(numbers(&found)[0], 1);
    assert!(found.trace.by_words.first().is_some_and(|one| one.worth.is_some()));
}

#[test]
fn the_chunks_of_a_passage_are_one_hit() {
    let library = Library::new();
    let chunk = |nth, passage, text| -> Entry { entry(nth, passage, "", text) };
    let chunks = vec![
        chunk(0, 0, "about lamps"),
        chunk(1, 0, "a green lamp and a red lamp"),
        chunk(2, 1, "a river"),
        chunk(3, 1, "a boat"),
    ];
    library.put(Scope::Global, document(0), "", chunks);
    let found = search(&library, &[Scope::Global], "red lamp");
    let hits: Vec<(u32, u32)> = found.hits.iter().map(|hit| (hit.passage, hit.chunk)).collect();
    assert_eq!(hits, [(0, 1)]);
}

#[test]
fn the_words_of_a_question_may_stand_in_different_chunks() {
    let library = Library::new();
    let chunks = vec![entry(0, 0, "", "a green lamp"), entry(1, 0, "", "in the old harbour")];
    library.put(Scope::Global, document(0), "", chunks);
    let apart = ["a green lamp stands on the table", "a harbour lies far in the south"];
    library.put(Scope::Global, document(1), "", entries(&apart));
    let found = search(&library, &[Scope::Global], "green lamp harbour");
    assert_eq!(numbers(&found)[0], 0);
}

#[test]
fn the_same_text_twice_is_one_hit() {
    let library = library(&["the green lamp", "the green lamp", "a green river"]);
    assert_eq!(numbers(&search(&library, &[Scope::Global], "green lamp")), [0, 2]);
}

/// Of everybody's by one, of a project's by another, whose vectors have the same dimensions and say something else.
#[test]
fn each_scope_is_compared_by_its_own_embedder() {
    let library = embedded(&["the green lamp", "the red river"]);
    let own = project(7);
    let mut draw = Draw::seeded(9);
    let texts = ["an old engine", "a new bridge"];
    for (nth, text) in texts.into_iter().enumerate() {
        // The other way round than in the scope of everybody.
        let chunk = with_vector(entry(0, 0, "", text), near(1 - nth, &mut draw));
        let id = document(10 + u128::try_from(nth).expect("small"));
        library.put(own, id, "", vec![chunk]);
    }
    let (first, second) = (near(0, &mut Draw::seeded(6)), near(1, &mut Draw::seeded(6)));
    let query = Query::new("?", Some(&first));
    let scopes = [Scope::Global, own];
    let found = library.search_with(&scopes, &query, Some((own, Some(&second))));
    let best: Vec<u128> = numbers(&found)[..2].to_vec();
    assert!(best.contains(&0) && best.contains(&10), "the best of each: {best:?}");
    assert_eq!(found.trace.dense, LegState::Ran { candidates: 4 });

    let found = library.search_with(&scopes, &query, Some((own, None)));
    let by_meaning = found.trace.by_meaning.iter().map(|one| one.scope);
    assert!(by_meaning.into_iter().all(|scope| scope == Scope::Global));
    let vectors: Vec<usize> = found.trace.segments.iter().map(|one| one.vectors).collect();
    assert_eq!(vectors, [2, 0], "{:?}", found.trace.segments);
    // Of a scope that is not searched nothing is said.
    let found = library.search_with(&[Scope::Global], &query, Some((own, Some(&second))));
    assert_eq!(found, library.search(&[Scope::Global], &query));
}

#[test]
fn a_passage_without_a_vector_is_not_pushed_behind_those_that_have_one() {
    let library = embedded(&["the green lamp", "the red river"]);
    let own = project(7);
    library.put(own, document(10), "", vec![entry(0, 0, "", "an old engine")]);
    let vector = near(0, &mut Draw::seeded(6));
    let query = Query::new("the old engine", Some(&vector));
    let scopes = [Scope::Global, own];
    let of_one = library.search(&scopes, &query);
    let of_two = library.search_with(&scopes, &query, Some((own, None)));
    for found in [of_one, of_two] {
        assert_eq!(numbers(&found)[0], 10, "words speak for both legs: {found:?}");
        assert!(found.hits[0].dense.is_none());
    }
}
