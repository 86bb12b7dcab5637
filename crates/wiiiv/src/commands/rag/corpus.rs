//! The documents of a set, cut in one way and searchable: one scope for each language, so that a direction is searched
//! by its scope alone.

use super::{
    set::{Answer, EvalSet, SetQuery},
    vectors::Vectors,
};
use crate::failure::Failure;
use std::{collections::HashMap, path::Path, sync::Arc};
use wiiiv_domain::{DocumentId, Lang, ProjectId, Scope};
use wiiiv_retrieval::{
    Chunking, Entry, Found, Hit, Library, Passage, Query, Terms, Vector, cut, estimated_tokens,
};

pub struct Corpus {
    library: Library,
    positions: HashMap<DocumentId, usize>,
    /// Of each document.
    passages: Vec<Vec<Passage>>,
}

impl Corpus {
    pub fn of(set: &EvalSet, chunking: Chunking, vectors: &mut Vectors) -> Result<Self, Failure> {
        let mut corpus = Self {
            library: Library::new(),
            positions: HashMap::new(),
            passages: Vec::with_capacity(set.documents.len()),
        };
        for (position, document) in set.documents.iter().enumerate() {
            let passages = cut(&document.title, &document.source, chunking, &estimated_tokens);
            let names = (document.title.as_str(), document.file_name());
            let entries = entries(names, &passages, vectors)?;
            let id: DocumentId = numbered(position)?;
            corpus.library.put(scope(document.language)?, id, &document.title, entries);
            corpus.positions.insert(id, position);
            corpus.passages.push(passages);
        }
        Ok(corpus)
    }

    pub fn passages(&self) -> usize {
        self.passages.iter().map(Vec::len).sum()
    }

    pub fn chunks(&self) -> usize {
        self.passages.iter().flatten().map(|passage| passage.chunks.len()).sum()
    }

    /// Among the documents of these languages.
    pub fn search(
        &self,
        languages: &[Lang],
        text: &str,
        (vector, limit): (Option<&Vector>, usize),
    ) -> Result<Found, Failure> {
        let scopes = languages.iter().map(|language| scope(*language));
        let scopes: Vec<Scope> = scopes.collect::<Result<_, _>>()?;
        Ok(self.library.search(&scopes, &Query { text, vector, limit }))
    }

    /// Positions of the documents that passages are of, each once.
    pub fn documents(&self, of: impl Iterator<Item = DocumentId>) -> Vec<usize> {
        let mut found = Vec::new();
        for position in of.filter_map(|id| self.positions.get(&id).copied()) {
            if !found.contains(&position) {
                found.push(position);
            }
        }
        found
    }

    /// Whether a passage has an answer of the query.
    pub fn answers(&self, hit: &Hit, query: &SetQuery) -> bool {
        let Some(position) = self.positions.get(&hit.document) else { return false };
        let number = usize::try_from(hit.passage).ok();
        let passages = self.passages.get(*position);
        let Some(passage) = number.and_then(|number| passages?.get(number)) else { return false };
        let in_it = |answer: &&Answer| answer.is_one() && answer.document == *position;
        query.answers.iter().filter(in_it).any(|answer| match &answer.under {
            Some(heading) => stands_under(passage, heading),
            None => true,
        })
    }
}

/// A passage that goes over several headings has them as lines of its text.
fn stands_under(passage: &Passage, heading: &str) -> bool {
    let is_last = passage.headings.last().is_some_and(|last| last == heading);
    is_last || passage.text.lines().any(|line| line == heading)
}

fn entries(
    (title, file_name): (&str, &str),
    passages: &[Passage],
    vectors: &mut Vectors,
) -> Result<Vec<Entry>, Failure> {
    let chunks = (0_u32..).zip(passages);
    let chunks = chunks
        .flat_map(|(number, passage)| passage.chunks.iter().map(move |chunk| (number, chunk)));
    let entry = |(number, (passage, chunk)): (u32, (u32, &wiiiv_retrieval::Chunk))| {
        Ok(Entry {
            chunk: number,
            passage,
            hash: chunk.hash,
            terms: Arc::new(Terms::of(title, file_name, &chunk.text)),
            vector: vectors.of_chunk(chunk)?,
        })
    };
    (0_u32..).zip(chunks).map(entry).collect()
}

fn scope(language: Lang) -> Result<Scope, Failure> {
    let number = match language {
        Lang::Ko => 0,
        Lang::En => 1,
    };
    Ok(Scope::Project(numbered::<ProjectId>(number)?))
}

/// The same for each run: where scores are equal, ids decide.
fn numbered<T: std::str::FromStr>(position: usize) -> Result<T, Failure> {
    let id = format!("{:032x}", position + 1).parse();
    id.map_err(|_| Failure::Document {
        path: Path::new("documents").to_owned(),
        reason: format!("document `{position}` has no id"),
    })
}
