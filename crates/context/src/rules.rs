//! Rule text: from `prompts/`, embedded at build, or replaced once at start.

use std::sync::Arc;
use wiiiv_domain::RulesHash;

/// The JSON Schema of a proposal, word for word: its order is `action`, `taskType`, ...
pub const PROPOSAL_SCHEMA: &str = include_str!("../../../prompts/proposal.schema.json");

const SYSTEM: &str = include_str!("../../../prompts/system.md");
const GOVERNOR: &str = include_str!("../../../prompts/governor.md");
const DACS: &str = include_str!("../../../prompts/dacs.md");
const STATE: &str = include_str!("../../../prompts/state.md");

/// The rule files of a directory that replaces `prompts/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleFiles {
    pub system: String,
    pub governor: String,
    pub dacs: String,
    pub state: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleBookError {
    #[error("the rule file `{0}` is empty: write the rules or leave the directory out")]
    Empty(&'static str),
}

/// What stands above the boundary. There is no way to make one from a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSheet {
    text: Arc<str>,
    hash: RulesHash,
}

impl RuleSheet {
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
    #[must_use]
    pub const fn hash(&self) -> RulesHash {
        self.hash
    }
}

#[derive(Debug, Clone)]
pub struct RuleBook {
    sheet: RuleSheet,
}

impl RuleBook {
    /// `prompts/` as it was at build.
    #[must_use]
    pub fn embedded() -> Self {
        Self::of([SYSTEM, GOVERNOR, DACS, STATE])
    }

    /// For `main` alone, once, at start: another book has another hash and no GHOST record.
    pub fn replaced(files: &RuleFiles) -> Result<Self, RuleBookError> {
        let named = [
            ("system.md", files.system.as_str()),
            ("governor.md", files.governor.as_str()),
            ("dacs.md", files.dacs.as_str()),
            ("state.md", files.state.as_str()),
        ];
        if let Some((name, _)) = named.iter().find(|(_, text)| text.trim().is_empty()) {
            return Err(RuleBookError::Empty(name));
        }
        Ok(Self::of(named.map(|(_, text)| text)))
    }

    fn of(sheets: [&str; 4]) -> Self {
        let rules = sheets.map(str::trim).join("\n\n");
        let text = format!("{rules}\n\n# Schema of your answer\n\n{}\n", PROPOSAL_SCHEMA.trim());
        let hash = RulesHash::of_bytes(text.as_bytes());
        Self { sheet: RuleSheet { text: text.into(), hash } }
    }

    #[must_use]
    pub const fn sheet(&self) -> &RuleSheet {
        &self.sheet
    }
    #[must_use]
    pub const fn hash(&self) -> RulesHash {
        self.sheet.hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files() -> RuleFiles {
        let text = |text: &str| text.to_owned();
        RuleFiles { system: text("a"), governor: text("b"), dacs: text("c"), state: text("d") }
    }

    #[test]
    fn another_book_has_another_hash() {
        let other = RuleBook::replaced(&files()).unwrap();
        assert_ne!(other.hash(), RuleBook::embedded().hash());
        assert!(other.sheet().text().ends_with(&format!("{}\n", PROPOSAL_SCHEMA.trim())));
        let empty = RuleFiles { dacs: " \n".to_owned(), ..files() };
        assert_eq!(RuleBook::replaced(&empty).err(), Some(RuleBookError::Empty("dacs.md")));
    }

    #[test]
    fn the_schema_puts_action_and_task_type_first() {
        let at = |name: &str| PROPOSAL_SCHEMA.find(&format!("\"{name}\": {{")).unwrap();
        assert!(at("action") < at("taskType") && at("taskType") < at("message"));
        let schema: serde_json::Value = serde_json::from_str(PROPOSAL_SCHEMA).unwrap();
        let types = schema["properties"]["taskType"]["enum"].as_array().unwrap();
        let names: Vec<_> = wiiiv_domain::TaskType::ALL.iter().map(|t| t.as_str()).collect();
        assert_eq!(types.iter().map(|t| t.as_str().unwrap()).collect::<Vec<_>>(), names);
    }
}
