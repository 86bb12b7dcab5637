//! The files of `config/lexicons/`, as written.

use crate::{concept::Concept, signal::Whole};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::TaskType;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LanguageFile {
    pub(crate) endings: Vec<String>,
    pub(crate) particles: Vec<String>,
    pub(crate) quotes: Vec<String>,
    pub(crate) after_names: Vec<String>,
    pub(crate) words: BTreeMap<Concept, Vec<String>>,
    pub(crate) whole: BTreeMap<Whole, Vec<String>>,
    pub(crate) multipliers: BTreeMap<String, u64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TasksFile {
    pub(crate) extensions: BTreeSet<String>,
    pub(crate) top_level_domains: BTreeSet<String>,
    pub(crate) rule: Vec<RuleLine>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RuleLine {
    pub(crate) task: TaskType,
    #[serde(default)]
    pub(crate) verb: BTreeSet<Concept>,
    #[serde(default)]
    pub(crate) all: Vec<String>,
    #[serde(default)]
    pub(crate) none: Vec<String>,
    pub(crate) confidence: f32,
}
