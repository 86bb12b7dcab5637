//! What is searched for, and what was found.

use super::asking::NotCompared;
use wiiiv_domain::{DocumentId, ProjectId, Scope};
use wiiiv_retrieval::{Leg, Trace};
use wiiiv_store::PassageName;

/// What is searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchDocuments {
    /// Counts where the person was authenticated for it and is a member; else nothing of it is searched.
    pub project: Option<ProjectId>,
    /// 1 to 2,000 characters.
    pub text: String,
    /// Passages, 1 to 50.
    pub limit: usize,
}

/// Best first.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundPassages {
    pub hits: Vec<FoundPassage>,
    /// `false`: nothing relevant was found, whatever the hits are.
    pub relevant: bool,
    /// How each leg ranked what, and why one did not run.
    pub trace: Trace,
    /// What the passages of the trace are called, for whoever is shown it: empty in a turn. One that is gone by now has none.
    pub names: Vec<PassageName>,
    /// The model that the question was compared by, or two, with a comma between them: the server's and the project's
    /// own. `None`: lexical only.
    pub embedder: Option<String>,
    /// Why the project's documents were found by words alone, or by another model than its policy names; `None`: they
    /// were compared as the policy has it.
    pub not_compared: Option<NotCompared>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FoundPassage {
    /// `[n]`, from 1.
    pub citation: u32,
    pub document: DocumentId,
    /// Of the document.
    pub version: u64,
    pub title: String,
    pub file_name: String,
    pub scope: Scope,
    /// Number in the document, by which [`crate::Documents::document_passage`] opens it.
    pub passage: u32,
    pub page: Option<u32>,
    pub headings: Vec<String>,
    pub text: String,
    /// Comparable within one search alone.
    pub score: f64,
    pub lexical: Option<Leg>,
    pub dense: Option<Leg>,
    /// Its file is gone from the folder: what it held the last time.
    pub stale: bool,
}
