//! Rule texts from `prompts/`, embedded at build.

use crate::shape::{AnswerShape, CHECK, JUDGEMENT, OPINION, PROFILE_PROPOSAL, PROPOSAL};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};
use wiiiv_domain::{Guardrail, Persona, RulesHash};

/// What a proposal must keep to beside its schema; never sent.
pub const PROPOSAL_BOUNDS: &str = include_str!("../../../prompts/proposal.bounds.json");

const SYSTEM: &str = include_str!("../../../prompts/system.md");
const GOVERNOR: &str = include_str!("../../../prompts/governor.md");
const DACS: &str = include_str!("../../../prompts/dacs.md");
const STATE: &str = include_str!("../../../prompts/state.md");
const PROFILE: &str = include_str!("../../../prompts/profile.md");
const CHECK_RULES: &str = include_str!("../../../prompts/check.md");
const JUDGEMENT_RULES: &str = include_str!("../../../prompts/judgement.md");
const MEDICAL: &str = include_str!("../../../prompts/guardrails/medical.md");
const FINANCE: &str = include_str!("../../../prompts/guardrails/finance.md");
const LEGAL: &str = include_str!("../../../prompts/guardrails/legal.md");
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

/// Which rules a sheet begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SheetKind {
    Governor,
    WithProfile,
    Check,
}

impl SheetKind {
    fn composed(self, guardrails: &BTreeSet<Guardrail>) -> RuleSheet {
        let (rules, shape): (&[&str], &AnswerShape) = match self {
            Self::Governor => (&[SYSTEM, GOVERNOR, DACS, STATE], &PROPOSAL),
            Self::WithProfile => (&[SYSTEM, GOVERNOR, DACS, STATE, PROFILE], &PROFILE_PROPOSAL),
            Self::Check => (&[CHECK_RULES], &CHECK),
        };
        let guardrails = guardrails.iter().map(|guardrail| match guardrail {
            Guardrail::Medical => MEDICAL,
            Guardrail::Finance => FINANCE,
            Guardrail::Legal => LEGAL,
        });
        let rules: Vec<&str> = rules.iter().copied().chain(guardrails).collect();
        RuleSheet::of(&rules, shape)
    }
}

/// Sheets with guardrails, each composed once. There are no more than combinations of kinds and guardrails.
type Guarded = BTreeMap<(SheetKind, BTreeSet<Guardrail>), RuleSheet>;

#[derive(Debug, Clone)]
pub struct RuleBook {
    sheet: RuleSheet,
    profile_sheet: RuleSheet,
    check: RuleSheet,
    guarded: Arc<Mutex<Guarded>>,
    architect: RuleSheet,
    reviewer: RuleSheet,
    adversary: RuleSheet,
}

impl RuleBook {
    /// `prompts/` as it was at build.
    #[must_use]
    pub fn embedded() -> Self {
        let persona = |own| RuleSheet::of(&[PERSONA, own], &OPINION);
        let plain = |kind: SheetKind| kind.composed(&BTreeSet::new());
        Self {
            sheet: plain(SheetKind::Governor),
            profile_sheet: plain(SheetKind::WithProfile),
            check: plain(SheetKind::Check),
            guarded: Arc::default(),
            architect: persona(ARCHITECT),
            reviewer: persona(REVIEWER),
            adversary: persona(ADVERSARY),
        }
    }

    #[must_use]
    pub const fn sheet(&self) -> &RuleSheet {
        &self.sheet
    }
    /// Where the project's policy switches profiles on and the session's own person speaks. Which of the two it is hangs on
    /// these alone, never on what anybody told.
    #[must_use]
    pub const fn profile_sheet(&self) -> &RuleSheet {
        &self.profile_sheet
    }
    /// With these guardrails. Policy alone chooses them, so the same policy has the same bytes whatever is said, kept in
    /// mind or told.
    #[must_use]
    pub fn chosen(&self, with_profile: bool, guardrails: &BTreeSet<Guardrail>) -> RuleSheet {
        match with_profile {
            true => self.guarded((SheetKind::WithProfile, &self.profile_sheet), guardrails),
            false => self.guarded((SheetKind::Governor, &self.sheet), guardrails),
        }
    }
    /// For whoever looks at an answer before it is given.
    #[must_use]
    pub fn check_sheet(&self, guardrails: &BTreeSet<Guardrail>) -> RuleSheet {
        self.guarded((SheetKind::Check, &self.check), guardrails)
    }
    fn guarded(
        &self,
        (kind, plain): (SheetKind, &RuleSheet),
        guardrails: &BTreeSet<Guardrail>,
    ) -> RuleSheet {
        if guardrails.is_empty() {
            return plain.clone();
        }
        let mut guarded = self.guarded.lock().unwrap_or_else(PoisonError::into_inner);
        let sheet = guarded.entry((kind, guardrails.clone()));
        sheet.or_insert_with(|| kind.composed(guardrails)).clone()
    }
    /// For whoever measures an answer: of no session, so no policy chooses anything of it.
    #[must_use]
    pub fn judgement_sheet(&self) -> RuleSheet {
        RuleSheet::of(&[JUDGEMENT_RULES], &JUDGEMENT)
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
        check(&serde_json::from_str(CHECK.schema()).unwrap());
        check(&serde_json::from_str(JUDGEMENT.schema()).unwrap());
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
    fn a_sheet_with_guardrails_is_the_sheet_with_their_blocks_before_the_schema() {
        let book = RuleBook::embedded();
        let none = BTreeSet::new();
        assert_eq!(book.chosen(false, &none), *book.sheet());
        assert_eq!(book.chosen(true, &none), *book.profile_sheet());
        let both = BTreeSet::from([Guardrail::Legal, Guardrail::Medical]);
        for (with, plain) in [
            (book.chosen(false, &both), book.sheet().clone()),
            (book.chosen(true, &both), book.profile_sheet().clone()),
            (book.check_sheet(&both), book.check_sheet(&none)),
        ] {
            let blocks = format!("{}\n\n{}", MEDICAL.trim(), LEGAL.trim());
            let place = with.text().find(&blocks).unwrap();
            let without = with.text().replacen(&format!("{blocks}\n\n"), "", 1);
            assert_eq!(without, plain.text(), "nothing else is another");
            assert!(place < with.text().find("# Schema of your answer").unwrap());
            assert_ne!(with.hash(), plain.hash());
        }
        // Composed once: whoever has the book has the same text.
        let (again, shared) = (book.chosen(false, &both), book.clone().chosen(false, &both));
        assert!(Arc::ptr_eq(&again.text, &shared.text));
    }

    /// Each says what it forbids in so many words.
    #[test]
    fn guardrails_are_rules_of_their_own_field() {
        for (text, words) in [
            (MEDICAL, ["no definitive diagnosis", "hospital", "Do not guess"]),
            (FINANCE, ["Promise no return", "adviser", "Do not guess"]),
            (LEGAL, ["Promise no outcome", "lawyer", "Do not guess"]),
        ] {
            assert!(text.starts_with("# Guardrail: ") && text.contains("whatever a block says"));
            for word in words {
                assert!(text.contains(word), "{word}");
            }
        }
    }

    #[test]
    fn every_code_that_a_check_may_name_is_one_of_ours() {
        let schema: Value = serde_json::from_str(CHECK.schema()).unwrap();
        let codes = schema["properties"]["findings"]["items"]["enum"].as_array().unwrap();
        assert_eq!(codes.len(), 5);
        for code in codes {
            let known: wiiiv_domain::AnswerFinding = serde_json::from_value(code.clone()).unwrap();
            assert!(CHECK_RULES.contains(&format!("- `{known}`: ")), "{known}");
        }
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
