//! "Nothing was found" is an answer.

use crate::{
    draw::Draw,
    texts::{DIMENSIONS, document, entry, library, near, search, with_vector},
};
use wiiiv_domain::Scope;
use wiiiv_retrieval::{Decided, Library, Query, Vector};

const TEXTS: [&str; 6] = [
    "프린터를 설정하는 방법을 설명합니다",
    "네트워크에 연결할 수 없을 때",
    "화면 밝기를 바꿉니다",
    "How to change the brightness of the screen",
    "Connect to a wireless network",
    "Print a document on both sides",
];

#[test]
fn words_alone_decide_by_how_much_of_the_query_they_have() {
    let library = library(&TEXTS);
    for query in ["프린터 설정", "밝기", "wireless network", "printing on both sides"] {
        let found = search(&library, &[Scope::Global], query);
        assert!(found.relevant, "{query}: {:?}", found.trace.relevance);
        assert_eq!(found.trace.relevance.decided, Decided::ByWords);
    }
    let long = format!("kubernetes {}", ["wireless", "network"].repeat(5).join("-"));
    let found = search(&library, &[Scope::Global], &long);
    assert!(!found.relevant, "parts of a long word are none of the word before it");
    for query in ["김치찌개 끓이는 방법", "history of the Roman empire", "연말정산", "how to cook"]
    {
        let found = search(&library, &[Scope::Global], query);
        assert!(!found.relevant, "{query}: {:?}", found.trace.relevance);
    }
}

/// Of two words one stands nowhere: half of what is asked is there, however few passages are searched.
#[test]
fn a_word_that_is_nowhere_is_no_rarer_than_one_that_stands_once() {
    for texts in [&TEXTS[..2], &TEXTS] {
        let library = library(texts);
        let found = search(&library, &[Scope::Global], "프린터 숙박비");
        let coverage = found.trace.relevance.coverage;
        assert!(found.relevant && (0.45..0.55).contains(&coverage), "{coverage}");
    }
}

/// Passages that share nothing but `the` and `of` with a question are not its answer.
#[test]
fn english_function_words_bring_in_no_passage() {
    let texts = [
        "Annual leave: 15 days in the first year",
        "How to print many pages of a document and what to do if it does not",
        "The history of the office, which you have to know",
    ];
    let library = library(&texts);
    let found = search(&library, &[Scope::Global], "How many days of annual leave do I have?");
    let documents: Vec<_> = found.hits.iter().map(|hit| hit.document).collect();
    assert_eq!((documents.as_slice(), found.relevant), ([document(0)].as_slice(), true));
    assert_eq!(found.trace.words, ["days", "annual", "leave"]);
    for query in ["the of", "who are you", "what is it?"] {
        let found = search(&library, &[Scope::Global], query);
        assert!(!found.relevant, "{query}: {:?}", found.trace.relevance);
    }
}

/// Documents in twelve directions, two in each; words stand in them by chance.
fn embedded() -> Library {
    let (library, mut draw) = (Library::new(), Draw::seeded(9));
    for number in 0..24_u8 {
        let chunk = entry(0, 0, "", &format!("word{number} 낱말{number} text"));
        let chunk = with_vector(chunk, near((number / 2).into(), &mut draw));
        library.put(Scope::Global, document(number.into()), "", vec![chunk]);
    }
    library
}

#[test]
fn meaning_decides_by_how_far_it_lies_above_strangers() {
    let library = embedded();
    let mut draw = Draw::seeded(10);
    let (inside, outside) = (near(3, &mut draw), near(20, &mut draw));
    let near = library.search(&[Scope::Global], &Query::new("unknown thing", Some(&inside)));
    assert!(near.relevant, "{:?}", near.trace.relevance);
    assert_eq!(near.trace.relevance.decided, Decided::ByWordsAndMeaning);
    let far = library.search(&[Scope::Global], &Query::new("unknown thing", Some(&outside)));
    assert!(!far.relevant && !far.hits.is_empty(), "{:?}", far.trace.relevance);
    // What words have whole, meaning need not confirm.
    let words = library.search(&[Scope::Global], &Query::new("word7", Some(&outside)));
    assert!(words.relevant, "{:?}", words.trace.relevance);
}

/// It is found by its words before it is embedded: what lies far away are the vectors of others.
#[test]
fn meaning_has_no_say_against_what_it_has_no_vector_of() {
    let (library, mut draw) = (Library::new(), Draw::seeded(10));
    for number in 0..24_u8 {
        let alike = with_vector(entry(0, 0, "", &format!("word{number}")), near(0, &mut draw));
        library.put(Scope::Global, document(number.into()), "", vec![alike]);
    }
    let text = entry(0, 0, "", "annual leave");
    library.put(Scope::Global, document(24), "", vec![text]);
    let outside = near(20, &mut draw);
    let asked = |text| library.search(&[Scope::Global], &Query::new(text, Some(&outside)));
    let found = asked("annual leave");
    assert!(found.trace.relevance.distance.is_some_and(|distance| distance < -2.0));
    assert_eq!((found.relevant, found.trace.relevance.decided), (true, Decided::ByWords));
    let other = asked("unknown thing");
    assert!(!other.relevant, "{:?}", other.trace.relevance);
}

/// A long document alone: its own passages, far apart, say how near strangers are.
#[test]
fn in_one_long_document_not_everything_in_another_language_is_relevant() {
    let (library, mut draw) = (Library::new(), Draw::seeded(12));
    // All lean to one side, as those of an embedder do.
    let mut leaning = |direction: usize| {
        let mut numbers: Vec<f32> = (0..DIMENSIONS).map(|_| draw.signed() * 0.1).collect();
        numbers[direction] += 1.0;
        numbers[DIMENSIONS - 1] += 1.0;
        Vector::new(numbers).unwrap()
    };
    let chunks = (0..24_u32).map(|nth| {
        let text = format!("낱말{nth} 설명입니다");
        with_vector(entry(nth, nth, "", &text), leaning((nth / 2).try_into().unwrap()))
    });
    library.put(Scope::Global, document(0), "", chunks.collect());
    let inside = leaning(3);
    let mut draw = Draw::seeded(13);
    let outside = near(20, &mut draw);
    for (asked, due) in [(inside, true), (outside, false)] {
        let query = Query::new("unknown thing", Some(&asked));
        let found = library.search(&[Scope::Global], &query);
        let relevance = found.trace.relevance;
        assert_eq!((found.relevant, relevance.decided), (due, Decided::ByMeaning), "{relevance:?}");
        assert!(!found.hits.is_empty());
    }
}

#[test]
fn too_few_chunks_say_nothing_of_near_and_far() {
    let (library, mut draw) = (Library::new(), Draw::seeded(11));
    let chunk = with_vector(entry(0, 0, "", "프린터를 설정합니다"), near(0, &mut draw));
    library.put(Scope::Global, document(0), "", vec![chunk]);
    let asked = near(0, &mut draw);
    let across = library.search(&[Scope::Global], &Query::new("set up a printer", Some(&asked)));
    assert_eq!((across.relevant, across.trace.relevance.decided), (true, Decided::OfFew));
    let within = library.search(&[Scope::Global], &Query::new("프린터", Some(&asked)));
    assert_eq!((within.relevant, within.trace.relevance.decided), (true, Decided::OfFew));
    let other = library.search(&[Scope::Global], &Query::new("김치찌개", Some(&asked)));
    assert!(!other.relevant, "{:?}", other.trace.relevance);
}

#[test]
fn an_empty_scope_has_nothing() {
    let found = search(&Library::new(), &[Scope::Global], "printer");
    assert_eq!((found.relevant, found.trace.relevance.decided), (false, Decided::NothingFound));
}
