//! The files of `config/lexicons/`, as written.

use crate::{concept::Concept, part::Part, signal::Whole};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::TaskType;

/// A key that a language does not need is left out.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct LanguageFile {
    pub(crate) endings: Vec<String>,
    pub(crate) particles: Vec<String>,
    pub(crate) quotes: Vec<String>,
    pub(crate) after_names: Vec<String>,
    pub(crate) attributive: Vec<String>,
    pub(crate) connectives: Vec<String>,
    pub(crate) conditional: Vec<String>,
    pub(crate) only: Vec<String>,
    pub(crate) requests: Vec<String>,
    pub(crate) consenting: Vec<String>,
    pub(crate) consent: Vec<String>,
    pub(crate) wondering: Vec<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) telling: Vec<String>,
    pub(crate) subjects: BTreeSet<String>,
    pub(crate) explaining: BTreeSet<String>,
    pub(crate) reasons: BTreeSet<String>,
    pub(crate) repeating: BTreeSet<String>,
    pub(crate) stating: BTreeSet<String>,
    pub(crate) noting: BTreeSet<String>,
    pub(crate) pasts: BTreeSet<String>,
    pub(crate) reporting: Vec<String>,
    pub(crate) hesitations: BTreeSet<String>,
    pub(crate) naming: Vec<String>,
    pub(crate) indefinite: BTreeSet<String>,
    pub(crate) objects: Vec<String>,
    pub(crate) inflections: Vec<String>,
    pub(crate) known: Vec<String>,
    pub(crate) parts: BTreeMap<Part, Vec<String>>,
    pub(crate) words: BTreeMap<Concept, Vec<String>>,
    pub(crate) whole: BTreeMap<Whole, Vec<String>>,
    pub(crate) multipliers: BTreeMap<String, u64>,
    pub(crate) marks: BTreeMap<String, String>,
    pub(crate) digits: BTreeMap<String, u64>,
    pub(crate) numbers: BTreeMap<String, u64>,
    pub(crate) ordinals: BTreeMap<String, u64>,
    pub(crate) everything: BTreeSet<String>,
    pub(crate) fields: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TasksFile {
    pub(crate) extensions: BTreeSet<String>,
    #[serde(default)]
    pub(crate) code_extensions: BTreeSet<String>,
    #[serde(default)]
    pub(crate) text_extensions: BTreeSet<String>,
    pub(crate) top_level_domains: BTreeSet<String>,
    #[serde(default)]
    pub(crate) file_names: BTreeSet<String>,
    #[serde(default)]
    pub(crate) programs: BTreeSet<String>,
    #[serde(default)]
    pub(crate) technologies: Vec<String>,
    pub(crate) rule: Vec<RuleLine>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleLine {
    /// Left out where nothing can do it.
    pub(crate) task: Option<TaskType>,
    #[serde(default)]
    pub(crate) verb: BTreeSet<Concept>,
    #[serde(default)]
    pub(crate) all: Vec<String>,
    #[serde(default)]
    pub(crate) none: Vec<String>,
    pub(crate) confidence: f32,
}
