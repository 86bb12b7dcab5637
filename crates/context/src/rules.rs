//! Rule texts from `prompts/`, embedded at build.

use std::sync::Arc;
use wiiiv_domain::RulesHash;

/// The JSON Schema of a proposal, word for word: its order is `action`, `taskType`, ...
pub const PROPOSAL_SCHEMA: &str = include_str!("../../../prompts/proposal.schema.json");
/// What a proposal must keep to beside its schema; never sent.
pub const PROPOSAL_BOUNDS: &str = include_str!("../../../prompts/proposal.bounds.json");

const SYSTEM: &str = include_str!("../../../prompts/system.md");
const GOVERNOR: &str = include_str!("../../../prompts/governor.md");
const DACS: &str = include_str!("../../../prompts/dacs.md");
const STATE: &str = include_str!("../../../prompts/state.md");

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
        let rules = [SYSTEM, GOVERNOR, DACS, STATE].map(str::trim).join("\n\n");
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
    use serde_json::Value;

    fn schema() -> Value {
        serde_json::from_str(PROPOSAL_SCHEMA).unwrap()
    }

    #[test]
    fn the_schema_puts_action_and_task_type_first() {
        let at = |name: &str| PROPOSAL_SCHEMA.find(&format!("\"{name}\": {{")).unwrap();
        assert!(at("action") < at("taskType") && at("taskType") < at("message"));
        let types = schema()["properties"]["taskType"]["enum"].clone();
        let names: Vec<_> = wiiiv_domain::TaskType::ALL.iter().map(|t| t.as_str()).collect();
        assert_eq!(types, serde_json::json!(names));
    }

    /// Servers that make a grammar of it refuse these, or take them for great repetitions.
    #[test]
    fn the_schema_has_shapes_and_no_bounds() {
        fn check(value: &Value) {
            match value {
                Value::Object(fields) => {
                    for (name, inner) in fields {
                        let bound = name.starts_with("max") || name.starts_with("min");
                        let hard = ["$ref", "$defs", "pattern", "propertyNames", "format"];
                        assert!(!bound && !hard.contains(&name.as_str()), "{name}");
                        check(inner);
                    }
                }
                Value::Array(items) => items.iter().for_each(check),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        check(&schema());
    }

    #[test]
    fn the_schema_tells_the_slots_of_systems_and_not_what_code_writes() {
        let schema = schema();
        let slots = schema["properties"]["slots"]["properties"].as_object().unwrap();
        for name in ["domain", "operation", "arguments", "when", "sourceRun"] {
            assert!(slots.contains_key(name) && GOVERNOR.contains(&format!("`{name}`")), "{name}");
        }
        assert!(!slots.contains_key("system"));
    }
}
