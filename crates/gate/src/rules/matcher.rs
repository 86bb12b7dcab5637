//! The one matcher: conditions as `policies/` writes them.

use super::{glob, scene::Scene};
use crate::{base::policy::split_port, path};
use regex::Regex;
use serde::Deserialize;
use wiiiv_domain::{Effect, Spec, TaskType};

/// Text for people, in the languages of the product.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reason {
    /// In Korean.
    pub ko: String,
    /// In English.
    pub en: String,
}

/// All of `all`, at least one of `any` (where it names some), none of `none`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct When {
    all: Vec<Condition>,
    any: Vec<Condition>,
    none: Vec<Condition>,
}

impl When {
    pub(super) fn is_unconditional(&self) -> bool {
        self.all.is_empty() && self.any.is_empty()
    }
    pub(super) fn holds(&self, scene: &Scene<'_>) -> bool {
        self.all.iter().all(|c| c.holds(scene))
            && (self.any.is_empty() || self.any.iter().any(|c| c.holds(scene)))
            && !self.none.iter().any(|c| c.holds(scene))
    }
}

/// A pattern; `regex` matches in time linear in the text.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Pattern(Regex);

impl Pattern {
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

impl TryFrom<String> for Pattern {
    type Error = regex::Error;
    fn try_from(text: String) -> Result<Self, regex::Error> {
        Regex::new(&text).map(Self)
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Part {
    Effects,
    Hosts,
    Paths,
    Databases,
    Plugins,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct SlotPattern {
    /// Empty: every slot.
    #[serde(default)]
    slots: Vec<String>,
    regex: Pattern,
}

/// A condition. One over lists holds if any element matches any name in it.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Condition {
    Task(Vec<TaskType>),
    Effect(Vec<Effect>),
    /// A required slot is not filled.
    SlotMissing(bool),
    SlotMatches(SlotPattern),
    /// The envelope names nothing of that part.
    Lacks(Vec<Part>),
    /// The envelope names something of that part.
    Has(Vec<Part>),
    PathFirst(Vec<String>),
    PathComponent(Vec<String>),
    /// A path cannot be read as one inside the workspace.
    PathEscapes(bool),
    /// Every path is one that the policy allows.
    PathAllowed(bool),
    HostIs(Vec<String>),
    HostAllowed(bool),
    DatabaseAllowed(bool),
    PluginAllowed(bool),
    SessionRiskFrom(u32),
    Tainted(bool),
}

impl Condition {
    fn holds(&self, scene: &Scene<'_>) -> bool {
        let (spec, envelope) = (scene.spec, scene.envelope.as_ref());
        match self {
            Self::Task(tasks) => tasks.contains(&spec.task_type),
            Self::Effect(effects) => effects.iter().any(|e| envelope.effects.contains(e)),
            Self::SlotMissing(wanted) => {
                Spec::missing(spec.task_type, &spec.slots).is_empty() != *wanted
            }
            Self::SlotMatches(pattern) => pattern.holds(spec),
            Self::Lacks(parts) => parts.iter().any(|p| p.is_empty(scene)),
            Self::Has(parts) => parts.iter().any(|p| !p.is_empty(scene)),
            Self::PathFirst(names) => first_components(scene).any(|first| names.contains(&first)),
            Self::PathComponent(globs) => {
                envelope.paths.iter().any(|p| globs.iter().any(|glob| glob::is_in_path(glob, p)))
            }
            Self::PathEscapes(wanted) => {
                envelope.paths.iter().any(|p| path::components(p).is_none()) == *wanted
            }
            Self::PathAllowed(wanted) => {
                envelope.paths.iter().all(|p| scene.policy.path_refusal(p).is_none()) == *wanted
            }
            Self::HostIs(globs) => envelope.hosts.iter().any(|h| is_any(globs, split_port(h).0)),
            Self::HostAllowed(wanted) => {
                envelope.hosts.iter().all(|h| scene.policy.covers_place(h)) == *wanted
            }
            Self::DatabaseAllowed(wanted) => {
                let allowed = &scene.policy.project_policy().allowed_databases;
                envelope.databases.is_subset(allowed) == *wanted
            }
            Self::PluginAllowed(wanted) => {
                let allowed = &scene.policy.project_policy().allowed_plugins;
                envelope.plugins.is_subset(allowed) == *wanted
            }
            Self::SessionRiskFrom(score) => scene.standing.risk_score >= *score,
            Self::Tainted(wanted) => scene.standing.tainted == *wanted,
        }
    }
}

fn is_any(globs: &[String], text: &str) -> bool {
    globs.iter().any(|g| glob::matches(g, text))
}

/// The first component, read leniently: that of `./etc` and `//etc` is `etc`.
fn first_components(scene: &Scene<'_>) -> impl Iterator<Item = String> {
    let named = |p: &String| {
        p.split(['/', '\\']).find(|part| !matches!(*part, "" | "." | "..")).map(str::to_lowercase)
    };
    scene.envelope.paths.iter().filter_map(named)
}

impl SlotPattern {
    fn holds(&self, spec: &Spec) -> bool {
        let looked_at = |name: &str| self.slots.is_empty() || self.slots.iter().any(|s| s == name);
        spec.slots.iter().any(|(name, value)| looked_at(name.as_str()) && self.regex.is_in(value))
    }
}

impl Part {
    fn is_empty(self, scene: &Scene<'_>) -> bool {
        let envelope = scene.envelope.as_ref();
        match self {
            Self::Effects => envelope.effects.is_empty(),
            Self::Hosts => envelope.hosts.is_empty(),
            Self::Paths => envelope.paths.is_empty(),
            Self::Databases => envelope.databases.is_empty(),
            Self::Plugins => envelope.plugins.is_empty(),
        }
    }
}
