//! All that is measured with the documents cut in one way.

use super::{
    attention::{Attention, SHOWN},
    baseline::{Baseline, Words},
    corpus::Corpus,
    quality::{Judged, Quality},
    set::{EvalSet, Kind, SetQuery},
    vectors::Vectors,
};
use crate::{args::PartChoice, failure::Failure};
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::Lang;
use wiiiv_retrieval::{Chunking, PASSAGES_FOUND_MAX, Vector};

/// Of which queries, among which documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RowName {
    /// Queries in the one language, documents in the other.
    Direction(Lang, Lang),
    /// All documents, whatever the language.
    All,
    /// The same, for queries that are put like that.
    Of(Kind),
}

/// What ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    BySpaces,
    ByPairs,
    Lexical,
    Dense,
    Fused,
}

impl Way {
    pub const ALL: [Self; 5] =
        [Self::BySpaces, Self::ByPairs, Self::Lexical, Self::Dense, Self::Fused];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::BySpaces => "bm25_spaces",
            Self::ByPairs => "bm25_pairs",
            Self::Lexical => "lexical",
            Self::Dense => "dense",
            Self::Fused => "fused",
        }
    }
}

/// One line of the table; `None` was not run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Row {
    pub queries: usize,
    pub ways: [Option<Quality>; Way::ALL.len()],
}

/// A share of queries.
#[derive(Debug, Clone, Copy, Default)]
pub struct Share {
    pub found: usize,
    pub of: usize,
}

#[derive(Debug, Default)]
pub struct Measured {
    pub passages: usize,
    pub chunks: usize,
    pub rows: BTreeMap<RowName, Row>,
    pub attention: Attention,
    /// With an answer: those for which something relevant was said to be there.
    pub relevant: Share,
    /// Without: those for which nothing was.
    pub irrelevant: Share,
}

/// Documents of some languages.
struct Collection {
    languages: Vec<Lang>,
    by_spaces: Baseline,
    by_pairs: Baseline,
}

impl Measured {
    pub fn of(
        set: &EvalSet,
        part: PartChoice,
        (chunking, vectors): (Chunking, &mut Vectors),
    ) -> Result<Self, Failure> {
        let corpus = Corpus::of(set, chunking, vectors)?;
        let mut measured =
            Self { passages: corpus.passages(), chunks: corpus.chunks(), ..Self::default() };
        let collections = [&[Lang::Ko][..], &[Lang::En], &Lang::ALL];
        let collections = collections.map(|languages| Collection::of(set, languages));
        let answered = set.queries.iter().filter(|query| query.kind != Kind::Unanswered);
        let kinds: BTreeSet<Kind> = answered.map(|query| query.kind).collect();
        for query in set.queries_of(part) {
            let vector = vectors.of_query(&query.text)?;
            let asking = Asking { corpus: &corpus, query, vector: vector.as_deref() };
            for collection in &collections {
                let Some(judged) = Judged::of(set, query, &collection.languages) else { continue };
                let names = match collection.languages.as_slice() {
                    [language] => vec![RowName::Direction(query.language, *language)],
                    _ if kinds.len() > 1 => vec![RowName::All, RowName::Of(query.kind)],
                    _ => vec![RowName::All],
                };
                let ranked = asking.ranked(collection)?;
                for name in names {
                    measured.rows.entry(name).or_default().add(&ranked, &judged);
                }
            }
            measured.show(&asking)?;
        }
        Ok(measured)
    }

    /// What is shown of all documents, and whether it is said to be about the question.
    fn show(&mut self, asking: &Asking<'_>) -> Result<(), Failure> {
        let found = asking.corpus.search(&Lang::ALL, &asking.query.text, (asking.vector, SHOWN))?;
        if asking.query.kind == Kind::Unanswered {
            self.irrelevant.of += 1;
            self.irrelevant.found += usize::from(!found.relevant);
            return Ok(());
        }
        self.relevant.of += 1;
        self.relevant.found += usize::from(found.relevant);
        let answer = found.hits.iter().position(|hit| asking.corpus.answers(hit, asking.query));
        self.attention.add(answer, found.hits.len());
        Ok(())
    }
}

impl Collection {
    fn of(set: &EvalSet, languages: &[Lang]) -> Self {
        let among = set.documents.iter().enumerate();
        let among = among.filter(|(_, document)| languages.contains(&document.language));
        let texts: Vec<(usize, String)> = among.map(|(at, own)| (at, own.text())).collect();
        let indexed =
            |words: Words| Baseline::of(words, texts.iter().map(|(at, text)| (*at, text.as_str())));
        let (by_spaces, by_pairs) = (indexed(Words::Spaces), indexed(Words::Pairs));
        Self { languages: languages.to_vec(), by_spaces, by_pairs }
    }
}

/// One query.
struct Asking<'a> {
    corpus: &'a Corpus,
    query: &'a SetQuery,
    vector: Option<&'a Vector>,
}

impl Asking<'_> {
    /// Documents by each way, the best first.
    fn ranked(&self, among: &Collection) -> Result<[Option<Vec<usize>>; Way::ALL.len()], Failure> {
        let Self { corpus, query, vector } = *self;
        let found = corpus.search(&among.languages, &query.text, (vector, PASSAGES_FOUND_MAX))?;
        let by_words = corpus.documents(found.trace.by_words.iter().map(|ranked| ranked.document));
        let by_meaning =
            || corpus.documents(found.trace.by_meaning.iter().map(|ranked| ranked.document));
        let by_both = || corpus.documents(found.hits.iter().map(|hit| hit.document));
        Ok(Way::ALL.map(|way| match way {
            Way::BySpaces => Some(among.by_spaces.ranked(&query.text)),
            Way::ByPairs => Some(among.by_pairs.ranked(&query.text)),
            Way::Lexical => Some(by_words.clone()),
            Way::Dense => vector.is_some().then(by_meaning),
            Way::Fused => vector.is_some().then(by_both),
        }))
    }
}

impl Row {
    fn add(&mut self, ranked: &[Option<Vec<usize>>; Way::ALL.len()], judged: &Judged) {
        self.queries += 1;
        for (quality, ranked) in self.ways.iter_mut().zip(ranked) {
            if let Some(ranked) = ranked {
                quality.get_or_insert_default().add(ranked, judged);
            }
        }
    }
}
