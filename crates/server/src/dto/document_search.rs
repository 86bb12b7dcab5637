//! Wire forms of searches in documents: hits, and how each leg ranked what.

use super::mirror::mirror;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_context::PassageFormat;
use wiiiv_governor::{FoundPassage, FoundPassages, NotCompared, Reembedding};
use wiiiv_retrieval::{Leg, LegOff, LegState, Ranked, Relevance, SegmentTrace, Trace};
use wiiiv_store::PassageName;

/// How passages are written for a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PassageFormatName {
    /// `[1] title › heading` on a line before the text.
    Simple,
    /// `[1] (file, p.N) title › heading`; of a presentation `slide N`.
    Ranked,
    /// The same with the score.
    Debug,
}

mirror!(PassageFormatName => PassageFormat: Simple, Ranked, Debug);

/// Searches what the caller may read: what is global, what is theirs, and the named project's.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PostDocumentSearch {
    /// 1 to 2,000 characters.
    pub text: String,
    /// A project of the caller's, whose documents are searched too.
    #[serde(default)]
    pub project: Option<Uuid>,
    /// Passages, 1 to 50; 5 by default.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 50)]
    pub limit: Option<u32>,
    /// Has the first 7 passages, which is the most that a model is shown, also written in this format.
    #[serde(default)]
    pub format: Option<PassageFormatName>,
}

/// What one leg said of a passage.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LegView {
    /// From 1.
    pub rank: u32,
    /// BM25 of words, or the cosine of meaning.
    pub score: f64,
}

impl From<Leg> for LegView {
    fn from(leg: Leg) -> Self {
        Self { rank: leg.rank, score: leg.score }
    }
}

/// A passage that was found.
#[derive(Serialize, ToSchema)]
pub(crate) struct FoundPassageView {
    /// `[n]`, from 1.
    pub citation: u32,
    pub document: Uuid,
    /// `GET /rag/documents/{document}/passages/{passage}` opens it.
    pub passage: u32,
    pub title: String,
    pub file_name: String,
    /// Why the caller finds it: `global`, `user:ID` or `project:ID`.
    pub scope: String,
    pub page: Option<u32>,
    pub headings: Vec<String>,
    pub text: String,
    /// Comparable within one search alone.
    pub score: f64,
    /// What its words said; `null`: they did not rank it.
    pub lexical: Option<LegView>,
    /// What its meaning said; `null`: it did not rank it.
    pub dense: Option<LegView>,
    /// Its file is gone from the folder: what it held the last time.
    pub stale: bool,
}

impl From<FoundPassage> for FoundPassageView {
    fn from(found: FoundPassage) -> Self {
        Self {
            citation: found.citation,
            document: found.document.uuid(),
            passage: found.passage,
            title: found.title,
            file_name: found.file_name,
            scope: found.scope.to_string(),
            page: found.page,
            headings: found.headings,
            text: found.text,
            score: found.score,
            lexical: found.lexical.map(Into::into),
            dense: found.dense.map(Into::into),
            stale: found.stale,
        }
    }
}

/// Why a leg did not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LegOffName {
    /// There are no documents.
    NothingIndexed,
    /// The question has no words.
    NoWords,
    /// There is no model of meaning, or it failed: search is lexical only.
    NoQueryVector,
    /// Nothing has a vector yet.
    NoVectors,
    /// All vectors are of another model.
    OtherDimensions,
}

mirror!(LegOff => LegOffName: NothingIndexed, NoWords, NoQueryVector, NoVectors, OtherDimensions);

/// Why a project's documents were not compared as its policy has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NotComparedName {
    /// They have no vectors of the model that the policy names: `POST /rag/projects/{id}/reembed`.
    NotEmbedded,
    /// The caller may ask for no work there, which a call of a provider would be.
    NoRight,
    /// What the call may cost fits into no budget.
    Budget,
    /// Money is capped, and the model has no price.
    Unpriced,
    /// There is no key, or the provider does not accept it.
    Key,
    /// No administrator approved the provider's origin.
    Origin,
    /// The account at the provider has no credit.
    Credit,
    /// A halt stands.
    Halted,
    /// The provider was out of reach, over its limit or too late.
    Unreachable,
    /// It gave no vector that can be used: it has no such model, or another fault.
    Failed,
}

mirror!(NotCompared => NotComparedName:
    NotEmbedded, NoRight, Budget, Unpriced, Key, Origin, Credit, Halted, Unreachable, Failed);

/// Whether a leg ran. One that did not leaves the other to decide alone.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LegStateView {
    /// How many it ranked: words rank passages, meaning ranks chunks; `null`: it did not run.
    pub candidates: Option<usize>,
    /// Why it did not run.
    pub off: Option<LegOffName>,
}

impl From<LegState> for LegStateView {
    fn from(state: LegState) -> Self {
        match state {
            LegState::Ran { candidates } => Self { candidates: Some(candidates), off: None },
            LegState::Off { why } => Self { candidates: None, off: Some(why.into()) },
        }
    }
}

/// One scope that was searched.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SegmentTraceView {
    pub scope: String,
    pub chunks: usize,
    /// Chunks with a vector of the question's model.
    pub vectors: usize,
}

impl From<SegmentTrace> for SegmentTraceView {
    fn from(trace: SegmentTrace) -> Self {
        let SegmentTrace { scope, chunks, vectors } = trace;
        Self { scope: scope.to_string(), chunks, vectors }
    }
}

/// One passage in the order of a leg.
#[derive(Serialize, ToSchema)]
pub(crate) struct RankedView {
    pub scope: String,
    pub document: Uuid,
    pub passage: u32,
    /// `null`, as `file_name` is: it is gone by now.
    pub title: Option<String>,
    pub file_name: Option<String>,
    pub page: Option<u32>,
    pub headings: Vec<String>,
    pub score: f64,
    /// Whether it counted in the fused order: words do not where question and passage are in other scripts.
    pub votes: bool,
}

impl RankedView {
    fn of(ranked: &Ranked, names: &[PassageName]) -> Self {
        let is_of =
            |name: &&PassageName| (name.document, name.number) == (ranked.document, ranked.passage);
        let name = names.iter().find(is_of);
        Self {
            scope: ranked.scope.to_string(),
            document: ranked.document.uuid(),
            passage: ranked.passage,
            title: name.map(|name| name.title.clone()),
            file_name: name.map(|name| name.file_name.clone()),
            page: name.and_then(|name| name.page),
            headings: name.map(|name| name.headings.clone()).unwrap_or_default(),
            score: ranked.score,
            votes: ranked.worth.is_some(),
        }
    }
}

/// What `relevant` was decided on.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RelevanceView {
    /// The largest share of the question's informative words that one of the best passages has, 0 to 1.
    pub coverage: f64,
    /// How far the best cosine lies above those of the scopes' chunks at large, in standard deviations; `null` where
    /// meaning says nothing.
    pub distance: Option<f64>,
}

impl From<Relevance> for RelevanceView {
    fn from(relevance: Relevance) -> Self {
        Self { coverage: relevance.coverage, distance: relevance.distance }
    }
}

/// How a search went.
#[derive(Serialize, ToSchema)]
pub(crate) struct SearchTraceView {
    /// No other scope was touched.
    pub segments: Vec<SegmentTraceView>,
    /// What was searched for.
    pub words: Vec<String>,
    pub lexical: LegStateView,
    pub dense: LegStateView,
    /// What words ranked, the best first.
    pub by_words: Vec<RankedView>,
    /// What meaning ranked, the best first.
    pub by_meaning: Vec<RankedView>,
    pub relevance: RelevanceView,
}

impl SearchTraceView {
    fn of(trace: Trace, names: &[PassageName]) -> Self {
        let ranked = |leg: &[Ranked]| leg.iter().map(|one| RankedView::of(one, names)).collect();
        Self {
            segments: trace.segments.into_iter().map(Into::into).collect(),
            words: trace.words,
            lexical: trace.lexical.into(),
            dense: trace.dense.into(),
            by_words: ranked(&trace.by_words),
            by_meaning: ranked(&trace.by_meaning),
            relevance: trace.relevance.into(),
        }
    }
}

/// The answer to one question.
#[derive(Serialize, ToSchema)]
pub(crate) struct FoundPassagesView {
    /// Best first.
    pub hits: Vec<FoundPassageView>,
    /// `false`: nothing relevant was found; the hits show how the search went.
    pub relevant: bool,
    /// The model that the question was compared by, or two, with a comma between them: the server's and the project's own.
    /// `null`: lexical only.
    pub embedder: Option<String>,
    /// Why the project's documents were found by their words alone, or by another model than its policy names; `null`: they
    /// were compared as the policy has it.
    pub not_compared: Option<NotComparedName>,
    pub trace: SearchTraceView,
    /// The passages in the `format` that was asked for.
    pub formatted: Option<String>,
}

impl FoundPassagesView {
    pub(crate) fn of(found: FoundPassages, formatted: Option<String>) -> Self {
        Self {
            hits: found.hits.into_iter().map(Into::into).collect(),
            relevant: found.relevant,
            embedder: found.embedder,
            not_compared: found.not_compared.map(Into::into),
            trace: SearchTraceView::of(found.trace, &found.names),
            formatted,
        }
    }
}

/// What was set in motion.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReembeddingView {
    /// The configured model, of a project the provider's that its policy names; `null`: search is lexical only, and nothing is
    /// embedded.
    pub embedder: Option<String>,
    /// Texts that have no vector of it now, of the project where it is one's.
    pub missing: u64,
}

impl From<Reembedding> for ReembeddingView {
    fn from(of: Reembedding) -> Self {
        Self { embedder: of.embedder, missing: of.missing }
    }
}
