//! Passages that were found for a turn: as prompts show them, and as an answer cites them.

use crate::documents::{FoundPassage, FoundPassages};
use wiiiv_context::{PassageHit, PassageOptions, Passages, Prompt};
use wiiiv_domain::{Citation, ContentDigest, DocumentId, ValueSource, ValueSources};

/// Of a heading in a citation, in Unicode scalar values.
const HEADING_CHARS_MAX: usize = 120;

/// What a search came to, once a turn.
pub struct TurnDocuments {
    /// Empty where nothing relevant was found, which a prompt says.
    passages: Passages,
    /// One for each hit of [`Self::passages`], in its order. A prompt gives the numbers.
    citations: Vec<Citation>,
}

/// What one prompt shows of them, for the records of its call and for the answer. It holds no text of a passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownPassages {
    /// Passages that there were before they had to fit.
    pub found: usize,
    /// Those that the prompt shows, from `[1]`.
    pub citations: Vec<Citation>,
}

impl TurnDocuments {
    /// `question`: the words that say how its answer is to look.
    pub fn of(found: FoundPassages, question: &str) -> Self {
        let options = PassageOptions::of_question(question);
        let hits = if found.relevant { found.hits } else { Vec::new() };
        // INVARIANT: `Passages` leaves none of these out, so that both stand in one order.
        let hits = hits.into_iter().filter(|hit| !hit.text.trim().is_empty());
        let (citations, hits) = hits.take(options.count).map(split).unzip();
        Self { passages: Passages::new(hits, options), citations }
    }

    pub const fn passages(&self) -> &Passages {
        &self.passages
    }

    pub fn is_empty(&self) -> bool {
        self.citations.is_empty()
    }

    /// All that a model may be shown of each, with its document.
    pub fn texts(&self) -> impl Iterator<Item = (DocumentId, String)> {
        let text = |hit: &PassageHit| {
            let names = hit.title.iter().chain(&hit.file).chain(&hit.headings);
            names.chain([&hit.text]).map(String::as_str).collect::<Vec<_>>().join("\n")
        };
        let hits = self.passages.hits().iter();
        self.citations.iter().zip(hits).map(move |(own, hit)| (own.document, text(hit)))
    }

    /// `None`: that prompt has no block of documents.
    pub fn shown_in(&self, prompt: &Prompt) -> Option<ShownPassages> {
        let shown = prompt.parts().documents.as_ref()?;
        let numbered = |number: u32| {
            let at = shown.cited(usize::try_from(number).ok()?)?;
            let own = self.citations.get(at)?.clone();
            Some(Citation { number, ..own })
        };
        let citations = (1..).map_while(numbered).collect();
        Some(ShownPassages { found: self.citations.len(), citations })
    }
}

/// As it is cited, and as it is shown.
fn split(found: FoundPassage) -> (Citation, PassageHit) {
    // A document often begins with its title.
    let heading = found.headings.last().filter(|heading| **heading != found.title);
    let heading = heading.map(|heading| heading.chars().take(HEADING_CHARS_MAX).collect());
    let hit = PassageHit {
        text: found.text,
        title: Some(found.title.clone()),
        file: Some(found.file_name.clone()),
        page: found.page.map(|page| page.to_string()),
        headings: found.headings,
        is_stale: found.stale,
        score: Some(found.score),
    };
    let citation = Citation {
        number: 0,
        document: found.document,
        passage: found.passage,
        version: Some(found.version),
        title: found.title,
        file_name: found.file_name,
        page: found.page,
        heading,
        stale: found.stale,
        scope: found.scope,
    };
    (citation, hit)
}

impl ShownPassages {
    /// As sources of what a model writes that was shown them.
    pub fn sources(&self) -> ValueSources {
        let source = |one: &Citation| {
            let Citation { document, passage, version, .. } = *one;
            ValueSource::Document { document, passage, version }
        };
        self.citations.iter().map(source).collect()
    }

    /// Names which passages in which order, and tells nothing of what they say.
    pub fn digest(&self) -> ContentDigest {
        let line = |one: &Citation| format!("{} {} {}\n", one.number, one.document, one.passage);
        let lines: String = self.citations.iter().map(line).collect();
        ContentDigest::of_bytes(lines.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wiiiv_domain::Scope;

    fn found(relevant: bool, texts: &[&str]) -> FoundPassages {
        let mut hits = Vec::new();
        for (nth, text) in (0_u32..).zip(texts) {
            hits.push(FoundPassage {
                citation: nth + 1,
                document: DocumentId::from_uuid(uuid::Uuid::from_u128(u128::from(nth))),
                version: 1,
                title: format!("title {nth}"),
                file_name: format!("{nth}.md"),
                scope: Scope::Global,
                passage: nth,
                page: None,
                headings: Vec::new(),
                text: (*text).to_owned(),
                score: 1.0,
                lexical: None,
                dense: None,
                stale: false,
            });
        }
        let (trace, names) = (trace(), Vec::new());
        FoundPassages { hits, relevant, trace, names, embedder: None, not_compared: None }
    }

    fn trace() -> wiiiv_retrieval::Trace {
        let library = wiiiv_retrieval::Library::new();
        library.search(&[], &wiiiv_retrieval::Query { text: "x", vector: None, limit: 1 }).trace
    }

    #[test]
    fn each_passage_keeps_what_it_is_cited_as() {
        let documents = TurnDocuments::of(found(true, &["one", " ", "three", "four"]), "연차");
        let hits = documents.passages().hits();
        let named = |at: usize| (hits[at].text.as_str(), documents.citations[at].passage);
        assert_eq!([named(0), named(1), named(2)], [("one", 0), ("three", 2), ("four", 3)]);
        assert_eq!(documents.citations.len(), hits.len());
        assert_eq!(TurnDocuments::of(found(true, &["x"; 9]), "연차").citations.len(), 5);
    }

    #[test]
    fn a_citation_names_the_innermost_heading_and_a_source_the_version() {
        let mut found = found(true, &["one"]);
        found.hits[0].version = 7;
        found.hits[0].headings = vec!["Leave".to_owned(), "일".repeat(HEADING_CHARS_MAX + 1)];
        let citations = TurnDocuments::of(found, "연차").citations;
        let heading = citations[0].heading.as_ref().unwrap();
        assert_eq!(*heading, "일".repeat(HEADING_CHARS_MAX));
        let document = citations[0].document;
        let shown = ShownPassages { found: 1, citations };
        let source = ValueSource::Document { document, passage: 0, version: Some(7) };
        assert_eq!(shown.sources(), ValueSources::from_iter([source]));
    }

    #[test]
    fn both_say_where_a_file_is_gone() {
        let mut found = found(true, &["one", "two"]);
        found.hits[1].stale = true;
        let documents = TurnDocuments::of(found, "연차");
        let hits = documents.passages().hits();
        assert_eq!((hits[0].is_stale, hits[1].is_stale), (false, true));
        let cited: Vec<bool> = documents.citations.iter().map(|one| one.stale).collect();
        assert_eq!(cited, [false, true]);
    }

    #[test]
    fn of_what_is_not_relevant_nothing_is_shown() {
        let documents = TurnDocuments::of(found(false, &["one", "two"]), "연차");
        assert!(documents.is_empty() && documents.passages().hits().is_empty());
        assert_eq!(documents.passages().text(), "nothing relevant was found");
    }
}
