//! tantivy, in memory: one document a page, any of the query's words.

use crate::{
    pairs,
    peer::{ByWords, FOUND, Outcome},
    sets::Page,
};
use tantivy::{
    Index, IndexWriter, TantivyDocument, Term,
    collector::TopDocs,
    query::BooleanQuery,
    schema::{
        Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions, Value as _,
    },
    tokenizer::{TextAnalyzer, TokenStream as _},
};

const WRITER_BYTES: usize = 200_000_000;

/// Words at spaces and marks.
pub fn words(pages: &[Page]) -> Outcome<ByWords> {
    index(pages, "default", str::to_owned)
}

/// The same by their English stems.
pub fn stems(pages: &[Page]) -> Outcome<ByWords> {
    index(pages, "en_stem", str::to_owned)
}

/// Korean words by their pairs of syllables.
pub fn pairs(pages: &[Page]) -> Outcome<ByWords> {
    index(pages, "whitespace", pairs::pairs)
}

fn index(pages: &[Page], tokenizer: &str, prepared: fn(&str) -> String) -> Outcome<ByWords> {
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default();
    let indexing = indexing.set_tokenizer(tokenizer);
    let indexing = indexing.set_index_option(IndexRecordOption::WithFreqs);
    let text = schema.add_text_field("text", TextOptions::default().set_indexing_options(indexing));
    let number = schema.add_u64_field("number", STORED);
    let index = Index::create_in_ram(schema.build());
    let mut writer: IndexWriter = index.writer_with_num_threads(1, WRITER_BYTES)?;
    for (page, nth) in pages.iter().zip(0_u64..) {
        let mut document = TantivyDocument::default();
        document.add_text(text, prepared(&page.text()));
        document.add_u64(number, nth);
        writer.add_document(document)?;
    }
    writer.commit()?;
    writer.wait_merging_threads()?;
    let searcher = index.reader()?.searcher();
    let analyzer = index.tokenizers().get(tokenizer).ok_or("a tokenizer that is not there")?;
    Ok(Box::new(move |query| {
        let query = BooleanQuery::new_multiterms_query(terms(&analyzer, text, &prepared(query)));
        let best = searcher.search(&query, &TopDocs::with_limit(FOUND).order_by_score())?;
        let mut found = Vec::new();
        for (_, address) in best {
            let document: TantivyDocument = searcher.doc(address)?;
            let nth = document.get_first(number).and_then(|value| value.as_u64());
            found.extend(nth.map(|nth| nth as usize));
        }
        Ok(found)
    }))
}

fn terms(analyzer: &TextAnalyzer, field: Field, query: &str) -> Vec<Term> {
    let mut analyzer = analyzer.clone();
    let mut stream = analyzer.token_stream(query);
    let mut terms = Vec::new();
    stream.process(&mut |token| terms.push(Term::from_field_text(field, &token.text)));
    terms.sort();
    terms.dedup();
    terms
}
