//! Queries of a set, each with what answers it.

use super::{documents::SetDocument, file::toml_file};
use crate::{args::PartChoice, failure::Failure};
use serde::Deserialize;
use std::{
    collections::{HashMap, HashSet},
    path::Path,
};
use wiiiv_domain::Lang;

/// Of one set.
const QUERIES_MAX: usize = 20_000;
/// From here on a document answers the query; with less it is only about the same thing.
const ANSWERS_FROM: u8 = 2;
const GRADE_MAX: u8 = 3;

pub struct SetQuery {
    pub text: String,
    pub language: Lang,
    pub kind: Kind,
    pub part: Part,
    /// Empty: nothing in the set answers it.
    pub answers: Vec<Answer>,
}

pub struct Answer {
    /// Its position among the set's documents.
    pub document: usize,
    /// The heading that the answer stands under.
    pub under: Option<String>,
    /// 3: it answers; 2: in part, or what is nearly the same; 1: it is about that, and says something else.
    pub grade: u8,
}

impl Answer {
    pub const fn is_one(&self) -> bool {
        self.grade >= ANSWERS_FROM
    }
}

/// How a query is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Question,
    Identifier,
    Misspelt,
    /// Korean nouns with their particles.
    Particle,
    /// What a page is called, or a line about it.
    KnownItem,
    Unanswered,
}

impl Kind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Identifier => "identifier",
            Self::Misspelt => "misspelt",
            Self::Particle => "particle",
            Self::KnownItem => "known_item",
            Self::Unanswered => "unanswered",
        }
    }
}

/// Ranking may be tuned on the one half; on the other it is only measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Tuning,
    Scored,
}

impl Part {
    pub fn is_of(self, chosen: PartChoice) -> bool {
        match chosen {
            PartChoice::Tuning => self == Self::Tuning,
            PartChoice::Scored => self == Self::Scored,
            PartChoice::All => true,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QueriesFile {
    queries: Vec<WrittenQuery>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenQuery {
    text: String,
    language: String,
    kind: Kind,
    part: Part,
    answers: Vec<WrittenAnswer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAnswer {
    document: String,
    #[serde(default)]
    under: Option<String>,
    grade: u8,
}

pub(super) fn read(file: &Path, documents: &[SetDocument]) -> Result<Vec<SetQuery>, Failure> {
    let QueriesFile { queries: written } = toml_file(file)?;
    let faulty = |reason: String| Failure::Document { path: file.to_owned(), reason };
    if written.is_empty() || written.len() > QUERIES_MAX {
        return Err(faulty(format!("`queries`: 1 to {QUERIES_MAX} of them")));
    }
    let names = documents.iter().zip(0..);
    let by_name: HashMap<&str, usize> = names.map(|(own, at)| (own.name.as_str(), at)).collect();
    let mut known = HashSet::new();
    let mut queries = Vec::with_capacity(written.len());
    for query in written {
        let text = query.text.clone();
        let read = query.read(documents, &by_name);
        let read = read.map_err(|fault| faulty(format!("query `{text}`: {fault}")))?;
        if !known.insert((read.language, text.clone())) {
            return Err(faulty(format!("query `{text}`: it is there twice")));
        }
        queries.push(read);
    }
    Ok(queries)
}

impl WrittenQuery {
    fn read(
        self,
        documents: &[SetDocument],
        by_name: &HashMap<&str, usize>,
    ) -> Result<SetQuery, String> {
        let Self { text, language, kind, part, answers } = self;
        if text.trim().is_empty() {
            return Err("`text` is empty".to_owned());
        }
        let Some(language) = Lang::parse(&language) else {
            return Err(format!("`language`: `{language}` is none that is known"));
        };
        let answers = answers.into_iter().map(|answer| answer.read(documents, by_name));
        let answers: Vec<Answer> = answers.collect::<Result<_, _>>()?;
        let is_answered = answers.iter().any(Answer::is_one);
        if is_answered == (kind == Kind::Unanswered) {
            return Err("one without an answer is `unanswered`, and no other is".to_owned());
        }
        let mut places = HashSet::new();
        match answers.iter().find(|answer| !places.insert((answer.document, &answer.under))) {
            Some(twice) => {
                let name = documents.get(twice.document).map_or("", |document| &document.name);
                Err(format!("`{name}` is there twice under the same heading"))
            }
            None => Ok(SetQuery { text, language, kind, part, answers }),
        }
    }
}

impl WrittenAnswer {
    fn read(
        self,
        documents: &[SetDocument],
        by_name: &HashMap<&str, usize>,
    ) -> Result<Answer, String> {
        let Self { document: name, under, grade } = self;
        let found = by_name.get(name.as_str()).copied();
        let Some((at, document)) = found.and_then(|at| Some((at, documents.get(at)?))) else {
            return Err(format!("there is no document `{name}`"));
        };
        if !(1..=GRADE_MAX).contains(&grade) {
            return Err(format!("`grade`: `{grade}` is not 1 to {GRADE_MAX}"));
        }
        match under {
            Some(under) if !document.has_heading(&under) => {
                Err(format!("`{name}` has no heading `{under}`"))
            }
            under => Ok(Answer { document: at, under, grade }),
        }
    }
}
