//! Reads scenario files; an error names the file, the line and the column.

use super::{Fact, FileFact, MemoryFact, Scenario, TURNS_MAX, Turn, Twin};
use serde::de::DeserializeOwned;
use serde_saphyr::Error as YamlError;
use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

/// A scenario file, in bytes.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
const SCENARIOS_MAX: usize = 1024;
/// From 0 to 1; below it a key does not count as a misspelling of another.
const LIKENESS_MIN: f64 = 0.7;

/// Printed as `file:line:column: what`, or without line and column.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", Printed(self))]
pub struct ScenarioError {
    pub file: PathBuf,
    /// From 1.
    pub line: Option<u64>,
    /// From 1, in characters.
    pub column: Option<u64>,
    pub what: String,
    /// A known key or value with a similar spelling.
    pub suggestion: Option<String>,
}

struct Printed<'a>(&'a ScenarioError);

impl fmt::Display for Printed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScenarioError { file, line, column, what, suggestion } = self.0;
        write!(f, "{}", file.display())?;
        for number in [line, column].into_iter().flatten() {
            write!(f, ":{number}")?;
        }
        write!(f, ": {what}")?;
        match suggestion {
            Some(meant) => write!(f, "; did you mean `{meant}`?"),
            None => Ok(()),
        }
    }
}

impl ScenarioError {
    pub(super) fn of(file: &Path, what: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: None,
            column: None,
            what: what.into(),
            suggestion: None,
        }
    }

    fn of_yaml(file: &Path, error: &YamlError) -> Self {
        let location = error.location();
        let error = error.without_snippet();
        let (what, suggestion) = match error {
            YamlError::SerdeUnknownField { field, expected, .. } => {
                (format!("unknown key `{field}`"), nearest(field, expected))
            }
            YamlError::SerdeUnknownVariant { variant, expected, .. } => {
                let known = expected.join("`, `");
                (format!("`{variant}` is none of `{known}`"), nearest(variant, expected))
            }
            other => (other.to_string(), None),
        };
        let at = |number: fn(&serde_saphyr::Location) -> u64| location.as_ref().map(number);
        Self {
            line: at(serde_saphyr::Location::line),
            column: at(serde_saphyr::Location::column),
            suggestion,
            ..Self::of(file, what)
        }
    }
}

fn nearest(word: &str, known: &[&str]) -> Option<String> {
    let likeness = |other: &str| strsim::jaro_winkler(word, other);
    let best = known.iter().copied().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) >= LIKENESS_MIN).then(|| best.to_owned())
}

/// Every `*.yaml` of the folder, sorted by id.
pub fn read_folder(folder: &Path) -> Result<Vec<Scenario>, ScenarioError> {
    let unreadable = |error: std::io::Error| ScenarioError::of(folder, error.to_string());
    let mut scenarios: Vec<Scenario> = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_none_or(|extension| extension != "yaml") {
            continue;
        }
        let scenario = read_file(&path)?;
        if scenarios.iter().any(|other| other.id == scenario.id) {
            return Err(ScenarioError::of(
                &path,
                format!("the id `{}` is used twice", scenario.id),
            ));
        }
        if scenarios.len() >= SCENARIOS_MAX {
            return Err(ScenarioError::of(
                folder,
                format!("holds over `{SCENARIOS_MAX}` scenarios"),
            ));
        }
        scenarios.push(scenario);
    }
    scenarios.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(scenarios)
}

pub fn read_file(path: &Path) -> Result<Scenario, ScenarioError> {
    let unreadable = |error: std::io::Error| ScenarioError::of(path, error.to_string());
    if fs::metadata(path).map_err(unreadable)?.len() > FILE_BYTES_MAX {
        return Err(ScenarioError::of(path, format!("is longer than `{FILE_BYTES_MAX}` bytes")));
    }
    let scenario = read_text(path, &fs::read_to_string(path).map_err(unreadable)?)?;
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if !stem.starts_with(&format!("{}-", scenario.id)) {
        let what = format!("the file's name is to be `{}-<slug>.yaml`", scenario.id);
        return Err(ScenarioError::of(path, what));
    }
    Ok(scenario)
}

/// `path` is only named in errors.
pub fn read_text(path: &Path, text: &str) -> Result<Scenario, ScenarioError> {
    let scenario: Scenario = yaml(text).map_err(|error| ScenarioError::of_yaml(path, &error))?;
    match conflict(&scenario) {
        Some(what) => Err(ScenarioError::of(path, what)),
        None => Ok(scenario),
    }
}

/// By YAML 1.2, where `yes` and `no` are texts.
pub(crate) fn yaml<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    let options = serde_saphyr::options! { strict_booleans: true };
    serde_saphyr::from_str_with_options(text, options)
}

/// What is wrong with the scenario as a whole.
fn conflict(scenario: &Scenario) -> Option<String> {
    if !is_id(&scenario.id) {
        return Some(format!("the id `{}` is not like `C01`, `C01-EN` or `C01-OFF`", scenario.id));
    }
    if let Some(talk) = scenario.task_types.iter().find(|of| of.is_talk()) {
        return Some(format!("`{talk}` in `task_types` is talk, and no task"));
    }
    let turns = scenario.turns.len();
    if turns == 0 || turns > TURNS_MAX || turns > scenario.max_turns {
        let most = scenario.max_turns.min(TURNS_MAX);
        return Some(format!("`turns` are 1 to `{most}`, not `{turns}`: see `max_turns`"));
    }
    if scenario.expect.is_empty() {
        return Some("`expect` of the whole run holds at least one fact".to_owned());
    }
    let memory = &scenario.project.memory;
    if memory.by_editor && memory.project.is_empty() {
        return Some("`by_editor` goes with a text of `project`".to_owned());
    }
    let documents = &scenario.project.documents;
    if documents.iter().any(|seed| seed.name.is_empty() || seed.text.trim().is_empty()) {
        return Some("each of `documents` has a name and a text".to_owned());
    }
    if scenario.is_offline() && has_recorded(scenario) {
        return Some("`model` goes with `provider: recorded`: nobody asks it here".to_owned());
    }
    let facts = || scenario.turns.iter().flat_map(|turn| &turn.expect).chain(&scenario.expect);
    let is_empty = |fact: &Fact| *fact == Fact::Memory(MemoryFact::default());
    if facts().any(is_empty) {
        return Some("`memory`: `user`, `project` or both".to_owned());
    }
    let files =
        facts().filter_map(|fact| if let Fact::File(file) = fact { Some(file) } else { None });
    if let Some(what) = files.filter_map(file_conflict).next() {
        return Some(what);
    }
    let unknown = |turn: &Option<usize>| turn.is_some_and(|nth| nth == 0 || nth > turns);
    let stray = |twin: &&Twin| unknown(&twin.turn) || unknown(&twin.violates.turn);
    let twin = scenario.twins.iter().find(stray)?;
    Some(format!("the twin `{}` names a turn that is not there", twin.wrong))
}

/// Whether any part of it is about a recorded model.
fn has_recorded(scenario: &Scenario) -> bool {
    let waits = |turn: &Turn| turn.interrupt.is_some_and(|i| i.at.service().is_none());
    let of_turn = |turn: &Turn| !turn.model.is_empty() || waits(turn);
    let of_twin = |twin: &Twin| twin.model.as_ref().is_some_and(|model| !model.is_empty());
    scenario.turns.iter().any(of_turn) || scenario.twins.iter().any(of_twin)
}

fn is_id(id: &str) -> bool {
    let bare = ["-EN", "-OFF"].into_iter().find_map(|suffix| id.strip_suffix(suffix));
    let mut letters = bare.unwrap_or(id).chars();
    letters.next().is_some_and(|letter| letter.is_ascii_uppercase())
        && letters.clone().count() == 2
        && letters.all(|digit| digit.is_ascii_digit())
}

fn file_conflict(file: &FileFact) -> Option<String> {
    let texts = [&file.json_file, &file.rows_file, &file.text, &file.contains, &file.lacks];
    let texts = texts.into_iter().filter(|text| text.is_some()).count();
    let values = usize::from(file.json.is_some()) + usize::from(file.rows.is_some());
    let given = texts + values + usize::from(file.absent);
    (given != 1).then(|| {
        let path = &file.path;
        format!("`file` of `{path}`: one of `json`, `json_file`, `rows`, `rows_file`, `text`, `contains`, `lacks`, `absent`")
    })
}

#[cfg(test)]
pub(crate) fn yaml_facts(fact: &str) -> Vec<Fact> {
    yaml(&format!("- {fact}")).unwrap()
}
