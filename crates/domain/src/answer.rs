//! What becomes of an answer in words before it is given: whether it is looked at, and what can be wrong with it.

use serde::{Deserialize, Serialize};

named! {
    /// Who looks at answers in words before they are given.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum AnswerCheck {
        /// Nobody.
        #[default]
        Off = "off",
        /// Rules in code.
        Rules = "rules",
        /// Rules in code, and the model once more where these find nothing.
        Model = "model",
    }
}

/// The options of a policy for answers in words; proposals to act are no such answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnswerPolicy {
    /// Who looks at them.
    #[serde(default)]
    pub check: AnswerCheck,
    /// Whether the model is asked once more where something was found; it needs a check.
    #[serde(default)]
    pub refine: bool,
}

impl AnswerPolicy {
    /// Answers are given as they come.
    #[must_use]
    pub const fn is_off(&self) -> bool {
        matches!(self.check, AnswerCheck::Off) && !self.refine
    }

    /// Whether something finds what is to be made better.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        !matches!(self.check, AnswerCheck::Off) || !self.refine
    }
}

named! {
    /// What is wrong with an answer in words. The first six are found by code, all but the first two by a model too.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum AnswerFinding {
        /// It says nothing.
        Empty = "EMPTY",
        /// It gives the question back.
        Repeats = "REPEATS",
        /// It refuses and does not say why.
        Refuses = "REFUSES",
        /// It is not in the language that is spoken.
        Language = "LANGUAGE",
        /// It names a run or a file that was shown nowhere.
        UnknownName = "UNKNOWN_NAME",
        /// It says what a guardrail of the project forbids.
        Guardrail = "GUARDRAIL",
        /// It does not answer what was asked.
        Unanswered = "UNANSWERED",
        /// It states something of the person, their files or runs that was shown nowhere.
        Unfounded = "UNFOUNDED",
        /// It contradicts itself, or cannot be followed.
        Unclear = "UNCLEAR",
    }
}

named! {
    /// What is done with an answer before it is given, as a model call of its own.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum AnswerStage {
        /// A model looks at it.
        Check = "check",
        /// A model answers once more, with what was found.
        Refine = "refine",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn off_is_written_as_nothing_and_read_from_nothing() {
        let off: AnswerPolicy = serde_json::from_str("{}").unwrap();
        assert!(off.is_off() && off.is_whole());
        let refines: AnswerPolicy =
            serde_json::from_str(r#"{"check":"rules","refine":true}"#).unwrap();
        assert!(!refines.is_off() && refines.is_whole());
        let alone: AnswerPolicy = serde_json::from_str(r#"{"refine":true}"#).unwrap();
        assert!(!alone.is_off() && !alone.is_whole(), "nothing finds what it could refine");
        assert!(serde_json::from_str::<AnswerPolicy>(r#"{"check":"twice"}"#).is_err());
        assert!(serde_json::from_str::<AnswerPolicy>(r#"{"retry":true}"#).is_err());
    }

    #[test]
    fn codes_are_as_they_are_written() {
        for finding in AnswerFinding::ALL {
            assert_eq!(serde_json::to_value(finding).unwrap(), finding.as_str());
        }
        for stage in AnswerStage::ALL {
            assert_eq!(serde_json::to_value(stage).unwrap(), stage.as_str());
        }
        for check in AnswerCheck::ALL {
            assert_eq!(serde_json::to_value(check).unwrap(), check.as_str());
        }
    }
}
