//! The search over documents is measured on the committed set, and on Debian's help pages where they are.

mod debian_sets;

use crate::program::Home;
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::PathBuf};

const SET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rag-eval");
/// What is measured without an embedder; a person reads what `UPDATE_EXPECT=1` writes.
const EXPECTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/rag_eval/none.json");
/// A folder of installed models; `.ci/embedders` makes one.
const EMBEDDERS: &str = "WIIIV_EMBEDDERS";

/// `None`, and said so, where no model is installed; `.ci/skips` counts that.
fn models() -> Option<String> {
    let folder = std::env::var(EMBEDDERS).ok().filter(|folder| !folder.is_empty());
    if folder.is_none() {
        println!("not run: {EMBEDDERS} names no folder of models");
    }
    folder
}

fn measured(arguments: &[&str]) -> Value {
    let home = Home::new();
    home.run(&[&["rag", "eval"][..], arguments, &["--json"]].concat()).ended(0).json()
}

/// nDCG@10 of one line, by one way, with passages bounded by headings.
fn ndcg(measured: &Value, row: &str, way: &str) -> f64 {
    let row = &measured["chunkings"][0]["rows"][row][way];
    row["ndcg_10"].as_f64().unwrap_or_else(|| panic!("{row}: {measured:#}"))
}

/// Whoever changes the ranking sees here what it does to the set.
#[test]
fn what_the_committed_set_is_ranked_like_is_on_record() {
    let of = |part: &str| measured(&[SET, "--part", part]);
    let found = json!({ "tuning": of("tuning"), "scored": of("scored") });
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(EXPECTED, format!("{found:#}\n")).unwrap();
    }
    let expected = serde_json::from_str(&fs::read_to_string(EXPECTED).unwrap()).unwrap();
    let (mut before, mut now) = (BTreeMap::new(), BTreeMap::new());
    leaves(&expected, "", &mut before);
    leaves(&found, "", &mut now);
    let other = before.iter().filter(|(name, was)| now.get(*name) != Some(*was));
    let other: Vec<String> =
        other.map(|(name, was)| format!("{name}: {was} is {:?} now", now.get(name))).collect();
    assert!(before == now, "set UPDATE_EXPECT=1 and look: {other:#?}");
}

/// Each figure by its place.
fn leaves(value: &Value, place: &str, found: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(fields) => {
            fields
                .iter()
                .for_each(|(name, value)| leaves(value, &format!("{place}/{name}"), found));
        }
        Value::Array(values) => {
            let values = values.iter().enumerate();
            values.for_each(|(nth, value)| leaves(value, &format!("{place}/{nth}"), found));
        }
        leaf => drop(found.insert(place.to_owned(), leaf.to_string())),
    }
}

#[test]
fn words_find_more_than_plain_bm25_and_meaning_is_not_run_without_a_model() {
    let measured = measured(&[SET, "--part", "all"]);
    assert_eq!((&measured["embedder"], &measured["documents"]), (&"none".into(), &40.into()));
    for (row, lead) in [("ko_ko", 0.2), ("en_en", 0.0), ("all", 0.1)] {
        let (own, plain) = (ndcg(&measured, row, "lexical"), ndcg(&measured, row, "bm25_spaces"));
        assert!(own >= plain + lead, "{row}: {own} and {plain}");
    }
    for chunking in measured["chunkings"].as_array().unwrap() {
        for row in chunking["rows"].as_object().unwrap().values() {
            assert_eq!((&row["dense"], &row["fused"]), (&"not_run".into(), &"not_run".into()));
        }
        let shown = &chunking["first_passages"];
        let from_end = |order: &str| shown[order]["from_end"].as_f64().unwrap();
        assert!(from_end("reordered") < from_end("as_ranked"), "{shown}");
    }
    let figures =
        ["ko_ko", "en_en"].map(|row| format!("{row} {:.3}", ndcg(&measured, row, "lexical")));
    println!("figure: nDCG@10 of words alone on the committed set: {}", figures.join(", "));
}

#[test]
fn meaning_finds_across_languages_and_both_together_find_more() {
    let Some(models) = models() else { return };
    let embedder = ["--embedder", "local:use-multilingual", "--models", &models];
    let measured = measured(&[&[SET, "--part", "all"][..], &embedder].concat());
    for row in ["ko_en", "en_ko"] {
        let (words, both) = (ndcg(&measured, row, "lexical"), ndcg(&measured, row, "fused"));
        assert!(words < 0.3 && both > 0.75, "{row}: {words} and {both}");
    }
    for row in ["ko_ko", "en_en", "all"] {
        let both = ndcg(&measured, row, "fused");
        let alone = ["lexical", "dense"].map(|way| ndcg(&measured, row, way));
        assert!(alone.iter().all(|alone| both >= *alone), "{row}: {both}, {alone:?}");
    }
    println!(
        "figure: nDCG@10 of both legs on the committed set: {:.3}",
        ndcg(&measured, "all", "fused")
    );
}

#[test]
fn it_is_told_in_both_languages_and_what_is_not_run_is_named() {
    let home = Home::new();
    for (language, words) in [
        ("en", ["queries → documents", "the scored half", "not run, no embedder", "ko→en ("]),
        ("ko", ["검색어 → 문서", "채점용 절반", "의미와 합침: ", "모든 문서, 오타"]),
    ] {
        let told = home.run(&["--language", language, "rag", "eval", SET]).ended(0);
        assert!(words.iter().all(|word| told.out.contains(word)), "{}", told.out);
    }
}

#[test]
fn a_set_of_ones_own_is_measured() {
    let home = Home::new();
    let query = "[[queries]]\ntext = \"서울\"\nlanguage = \"ko\"\nkind = \"question\"\npart = \"scored\"\n\
                 answers = [{ document = \"ko/a.txt\", grade = 3 }]\n";
    fs::create_dir_all(home.path("own/documents/ko")).unwrap();
    for (file, text) in [
        ("set.toml", "title = \"own\"\nsource = \"me\"\n"),
        ("queries.toml", query),
        ("documents/ko/a.txt", "서울에서 만납니다."),
        ("documents/ko/b.txt", "부산까지 갑니다."),
    ] {
        fs::write(home.path("own").join(file), text).unwrap();
    }
    let measured = home.run(&["rag", "eval", "own", "--json"]).ended(0).json();
    assert_eq!(measured["set"], "own");
    for (way, found) in [("lexical", 1.0), ("bm25_spaces", 0.0)] {
        assert!((ndcg(&measured, "ko_ko", way) - found).abs() < 1e-9, "{way}: {measured:#}");
    }
}

#[test]
fn what_cannot_be_measured_is_said_with_what_to_do() {
    let home = Home::new();
    for (language, advice) in [("en", "rag eval SET"), ("ko", "rag eval 폴더")] {
        // Without a name it is that of the source tree, which is not here.
        for (set, named) in [(&["nowhere"][..], "`nowhere`"), (&[], "`rag-eval`")] {
            let gone = home.run(&[&["--language", language, "rag", "eval"][..], set].concat());
            let gone = gone.ended(2);
            assert!(gone.err.contains(named) && gone.err.contains(advice), "{}", gone.err);
        }
    }
    let none = PathBuf::from(SET).join("documents");
    let models = ["--embedder", "local:e5-small", "--models", none.to_str().unwrap()];
    let missing = home.run(&[&["rag", "eval", SET][..], &models].concat()).ended(2);
    assert!(missing.err.contains("wiiiv models install local:e5-small"), "{}", missing.err);
    let unknown = home.run(&["rag", "eval", SET, "--embedder", "local:e5-large"]).ended(2);
    assert!(unknown.err.contains("local:use-multilingual"), "{}", unknown.err);
}
