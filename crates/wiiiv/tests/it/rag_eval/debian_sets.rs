//! Debian's help pages in Korean and English, where `cargo xtask rag-sets` built them.

use super::{measured, models, ndcg};
use serde_json::Value;
use std::path::PathBuf;

const SETS: &str = "WIIIV_RAG_SETS";

/// `cargo xtask test --long` names it, or runs none of these tests.
fn set(name: &str) -> String {
    let folder = std::env::var_os(SETS).map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| panic!("{SETS} names no folder: cargo xtask rag-sets"));
    folder.join(name).to_str().unwrap().to_owned()
}

fn told(name: &str, way: &str, measured: &Value) {
    let rows = ["ko_ko", "en_en", "ko_en", "en_ko"];
    let figures = rows.map(|row| format!("{row} {:.3}", ndcg(measured, row, way)));
    println!("figure: nDCG@10 on {name}, {} {way}: {}", measured["embedder"], figures.join(", "));
}

#[test]
#[ignore = "long: thousands of queries"]
fn words_rank_help_pages_no_worse_than_pairs_of_syllables() {
    for (name, plain) in [("gnome", [0.824, 0.872]), ("libreoffice", [0.591, 0.684])] {
        let measured = measured(&[&set(name), "--part", "all"]);
        for (row, plain) in ["ko_ko", "en_en"].into_iter().zip(plain) {
            // The very figure that everything is compared with: the pages and the baseline are the same.
            let spaces = ndcg(&measured, row, "bm25_spaces");
            assert!((spaces - plain).abs() < 0.0006, "{name} {row}: {spaces}");
            let (own, pairs) =
                (ndcg(&measured, row, "lexical"), ndcg(&measured, row, "bm25_pairs"));
            assert!(own > pairs - 0.01, "{name} {row}: {own} and {pairs}");
        }
        told(name, "lexical", &measured);
    }
}

#[test]
#[ignore = "long: a thousand and a half pages are embedded"]
fn both_legs_together_find_more_help_pages_than_either() {
    let Some(models) = models() else { return };
    for name in ["gnome", "libreoffice"] {
        for embedder in ["local:use-multilingual", "local:e5-small"] {
            let chosen = ["--part", "all", "--embedder", embedder, "--models", &models];
            let measured = measured(&[&[set(name).as_str()][..], &chosen].concat());
            for row in ["ko_ko", "en_en"] {
                let both = ndcg(&measured, row, "fused");
                let alone = ["lexical", "dense"].map(|way| ndcg(&measured, row, way));
                assert!(alone.iter().all(|alone| both > *alone), "{name} {row}: {both}, {alone:?}");
            }
            for row in ["ko_en", "en_ko"] {
                let (both, dense) = (ndcg(&measured, row, "fused"), ndcg(&measured, row, "dense"));
                assert!(both > dense - 0.015, "{name} {row}: {both}, {dense}");
            }
            told(name, "fused", &measured);
        }
    }
}
