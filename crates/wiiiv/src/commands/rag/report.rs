//! What was measured, for programs and for people.

use super::{
    attention::Attention,
    quality::{Quality, rounded},
    rows::{Measured, Row, RowName, Share, Way},
};
use crate::{
    context::Context,
    failure::Failure,
    texts::{RagEvalTexts, named},
};
use serde_json::{Map, Value, json};
use wiiiv_retrieval::Chunking;

/// In place of numbers.
const NOT_RUN: &str = "not_run";

pub const fn chunking_name(chunking: Chunking) -> &'static str {
    match chunking {
        Chunking::ParentChild => "parent_child",
        Chunking::Flat => "flat",
    }
}

/// One way of cutting, for programs.
pub fn document(chunking: Chunking, measured: &Measured) -> Value {
    let rows = measured.rows.iter().map(|(name, row)| (row_name(*name, "_"), row_document(row)));
    let Attention { asked, as_ranked, reordered, .. } = measured.attention;
    let from_end = measured.attention.end_distances().map(rounded);
    let [before, after] = from_end;
    json!({
        "chunking": chunking_name(chunking),
        "passages": measured.passages,
        "chunks": measured.chunks,
        "rows": rows.collect::<Map<String, Value>>(),
        "first_passages": {
            "asked": asked,
            "shown": measured.attention.shown(),
            "as_ranked": { "positions": as_ranked, "from_end": before },
            "reordered": { "positions": reordered, "from_end": after },
        },
        "relevant": share(measured.relevant),
        "irrelevant": share(measured.irrelevant),
    })
}

fn row_document(row: &Row) -> Value {
    let ways = Way::ALL.into_iter().zip(&row.ways).map(|(way, quality)| {
        let quality = quality.as_ref().map_or_else(|| json!(NOT_RUN), quality_document);
        (way.as_str().to_owned(), quality)
    });
    let mut document: Map<String, Value> = ways.collect();
    document.insert("queries".to_owned(), json!(row.queries));
    Value::Object(document)
}

fn quality_document(quality: &Quality) -> Value {
    let named = Quality::NAMES.into_iter().zip(quality.means());
    named.map(|(name, mean)| (name.to_owned(), json!(mean))).collect::<Map<_, _>>().into()
}

fn share(share: Share) -> Value {
    json!({ "found": share.found, "of": share.of })
}

/// One way of cutting, for people.
pub fn told(context: &Context, chunking: Chunking, measured: &Measured) -> Result<(), Failure> {
    let texts = &context.texts.rag_eval;
    let template = match chunking {
        Chunking::ParentChild => &texts.parent_child,
        Chunking::Flat => &texts.flat,
    };
    let (passages, chunks) = (measured.passages.to_string(), measured.chunks.to_string());
    context.say("", &[])?;
    context.say(template, &[("passages", &passages), ("chunks", &chunks)])?;
    let rows: Vec<_> =
        measured.rows.iter().flat_map(|(name, row)| cells(texts, *name, row)).collect();
    let heads = [
        &texts.queries,
        &texts.measure,
        &texts.bm25_spaces,
        &texts.bm25_pairs,
        &texts.lexical,
        &texts.dense,
        &texts.fused,
    ];
    context.output.table(heads.map(String::as_str), &rows)?;
    let Attention { asked, as_ranked, reordered, .. } = measured.attention;
    let [before, after] = measured.attention.end_distances().map(|mean| format!("{mean:.2}"));
    let list = |counts: [usize; 5]| counts.map(|count| count.to_string()).join(" ");
    let values = [
        ("shown", &*measured.attention.shown().to_string()),
        ("asked", &asked.to_string()),
        ("ranked", &list(as_ranked)),
        ("reordered", &list(reordered)),
        ("before", &before),
        ("after", &after),
    ];
    context.say(&texts.shown, &values)?;
    let (relevant, irrelevant) = (measured.relevant, measured.irrelevant);
    let values = [
        ("relevant", &*relevant.found.to_string()),
        ("answered", &relevant.of.to_string()),
        ("irrelevant", &irrelevant.found.to_string()),
        ("unanswered", &irrelevant.of.to_string()),
    ];
    context.say(&texts.relevance, &values)
}

/// A line for each measure; the name stands in the first.
fn cells(texts: &RagEvalTexts, name: RowName, row: &Row) -> Vec<[String; 7]> {
    let means = row.ways.map(|quality| quality.map(|quality| quality.means()));
    let line = |(nth, measure): (usize, &str)| {
        let first = match name {
            _ if nth > 0 => String::new(),
            RowName::Direction(..) => row_name(name, "→"),
            RowName::All | RowName::Of(_) => named(&texts.rows, &row_name(name, "")).to_owned(),
        };
        let first = if nth == 0 { format!("{first} ({})", row.queries) } else { first };
        let cell = |means: Option<[f64; Quality::NAMES.len()]>| {
            let mean = means.and_then(|means| means.get(nth).copied());
            mean.map_or_else(|| texts.not_run.clone(), |mean| format!("{mean:.3}"))
        };
        let [spaces, pairs, lexical, dense, fused] = means.map(cell);
        [first, measure.to_owned(), spaces, pairs, lexical, dense, fused]
    };
    let measures = ["nDCG@10", "recall@5", "recall@10", "MRR"];
    measures.into_iter().enumerate().map(line).collect()
}

fn row_name(name: RowName, between: &str) -> String {
    match name {
        RowName::Direction(asked, found) => {
            format!("{}{between}{}", asked.as_str(), found.as_str())
        }
        RowName::All => "all".to_owned(),
        RowName::Of(kind) => kind.as_str().to_owned(),
    }
}
