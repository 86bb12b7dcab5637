//! Rule texts from `prompts/`, embedded at build.

use crate::shape::{AnswerShape, OPINION, PROFILE_PROPOSAL, PROPOSAL};
use std::sync::Arc;
use wiiiv_domain::{Persona, RulesHash};

/// What a proposal must keep to beside its schema; never sent.
pub const PROPOSAL_BOUNDS: &str = include_str!("../../../prompts/proposal.bounds.json");

const SYSTEM: &str = include_str!("../../../prompts/system.md");
const GOVERNOR: &str = include_str!("../../../prompts/governor.md");
const DACS: &str = include_str!("../../../prompts/dacs.md");
const STATE: &str = include_str!("../../../prompts/state.md");
const PROFILE: &str = include_str!("../../../prompts/profile.md");
const PERSONA: &str = include_str!("../../../prompts/personas/persona.md");
const ARCHITECT: &str = include_str!("../../../prompts/personas/architect.md");
const REVIEWER: &str = include_str!("../../../prompts/personas/reviewer.md");
const ADVERSARY: &str = include_str!("../../../prompts/personas/adversary.md");

/// What stands above the boundary. There is no way to make one from a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSheet {
    text: Arc<str>,
    hash: RulesHash,
}

impl RuleSheet {
    fn of(rules: &[&str], shape: &AnswerShape) -> Self {
        let rules: Vec<&str> = rules.iter().map(|text| text.trim()).collect();
        let rules = rules.join("\n\n");
        let text = format!("{rules}\n\n# Schema of your answer\n\n{}\n", shape.schema());
        let hash = RulesHash::of_bytes(text.as_bytes());
        Self { text: text.into(), hash }
    }

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
    profile_sheet: RuleSheet,
    architect: RuleSheet,
    reviewer: RuleSheet,
    adversary: RuleSheet,
}

impl RuleBook {
    /// `prompts/` as it was at build.
    #[must_use]
    pub fn embedded() -> Self {
        let persona = |own| RuleSheet::of(&[PERSONA, own], &OPINION);
        Self {
            sheet: RuleSheet::of(&[SYSTEM, GOVERNOR, DACS, STATE], &PROPOSAL),
            profile_sheet: RuleSheet::of(
                &[SYSTEM, GOVERNOR, DACS, STATE, PROFILE],
                &PROFILE_PROPOSAL,
            ),
            architect: persona(ARCHITECT),
            reviewer: persona(REVIEWER),
            adversary: persona(ADVERSARY),
        }
    }

    #[must_use]
    pub const fn sheet(&self) -> &RuleSheet {
        &self.sheet
    }
    /// Where the project's policy switches profiles on. Which of the two it is hangs on the policy alone, never on what
    /// anybody told.
    #[must_use]
    pub const fn profile_sheet(&self) -> &RuleSheet {
        &self.profile_sheet
    }
    /// Of a reviewing persona: it knows nothing of the governor's sheet.
    #[must_use]
    pub const fn of_persona(&self, persona: Persona) -> &RuleSheet {
        match persona {
            Persona::Architect => &self.architect,
            Persona::Reviewer => &self.reviewer,
            Persona::Adversary => &self.adversary,
        }
    }
    #[must_use]
    pub const fn hash(&self) -> RulesHash {
        self.sheet.hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::PROPOSAL_SCHEMA;
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
        check(&serde_json::from_str(PROFILE_PROPOSAL.schema()).unwrap());
        check(&serde_json::from_str(OPINION.schema()).unwrap());
    }

    #[test]
    fn with_a_profile_the_schema_is_the_same_and_one_field_more() {
        let mut with: Value = serde_json::from_str(PROFILE_PROPOSAL.schema()).unwrap();
        let fields = with["properties"].as_object_mut().unwrap();
        assert!(fields.remove("profile").is_some());
        assert_eq!(with, schema());
        let book = RuleBook::embedded();
        assert!(book.profile_sheet().text().contains("`PROFILE`"));
        assert!(!book.sheet().text().contains("profile") && !PERSONA.contains("profile"));
        assert_ne!(book.profile_sheet().hash(), book.hash());
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
