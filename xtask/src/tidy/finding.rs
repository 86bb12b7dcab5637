//! One finding: its place, its rule, and the remedy.

use std::fmt;

/// Named in output and in `xtask/tidy-exceptions.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    Arrow,
    DevCycle,
    Ring,
    Ban,
    License,
    Source,
    Opening,
    Verifier,
    Replacement,
    HashCost,
    Purity,
    AmbientFs,
    FileLength,
    FileName,
    FileDoc,
    FrontDoor,
    Allow,
    Unfinished,
    MachinePath,
    RegistryHost,
    Words,
    RetiredName,
    NamedTest,
    Circle,
    Budget,
    Exception,
}

impl Rule {
    pub const ALL: [Self; 26] = [
        Self::Arrow,
        Self::DevCycle,
        Self::Ring,
        Self::Ban,
        Self::License,
        Self::Source,
        Self::Opening,
        Self::Verifier,
        Self::Replacement,
        Self::HashCost,
        Self::Purity,
        Self::AmbientFs,
        Self::FileLength,
        Self::FileName,
        Self::FileDoc,
        Self::FrontDoor,
        Self::Allow,
        Self::Unfinished,
        Self::MachinePath,
        Self::RegistryHost,
        Self::Words,
        Self::RetiredName,
        Self::NamedTest,
        Self::Circle,
        Self::Budget,
        Self::Exception,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Arrow => "arrow",
            Self::DevCycle => "dev-cycle",
            Self::Ring => "ring",
            Self::Ban => "ban",
            Self::License => "license",
            Self::Source => "source",
            Self::Opening => "opening",
            Self::Verifier => "verifier",
            Self::Replacement => "replacement",
            Self::HashCost => "password-cost",
            Self::Purity => "purity",
            Self::AmbientFs => "ambient-fs",
            Self::FileLength => "file-length",
            Self::FileName => "file-name",
            Self::FileDoc => "file-doc",
            Self::FrontDoor => "front-door",
            Self::Allow => "allow",
            Self::Unfinished => "unfinished",
            Self::MachinePath => "machine-path",
            Self::RegistryHost => "registry-host",
            Self::Words => "words",
            Self::RetiredName => "retired-name",
            Self::NamedTest => "named-test",
            Self::Circle => "circle",
            Self::Budget => "budget",
            Self::Exception => "exception",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    pub path: String,
    pub line: usize,
    pub rule: Rule,
    pub what: String,
}

impl Finding {
    pub fn new(path: &str, line: usize, rule: Rule, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, rule, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.path, self.line, self.rule.name(), self.what)
    }
}
