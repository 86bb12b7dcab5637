//! The shapes of answers: what a model is told its answer looks like, word for word.

/// The JSON Schema of a proposal, word for word: its order is `action`, `taskType`, ...
pub const PROPOSAL_SCHEMA: &str = include_str!("../../../prompts/proposal.schema.json");

/// One shape of answer.
#[derive(Debug, PartialEq, Eq)]
pub struct AnswerShape {
    /// The schema's name.
    pub name: &'static str,
    /// The one tool, where the schema is a tool's. Nobody runs it: what it is called with is the
    /// answer.
    pub tool: &'static str,
    /// What the tool is for.
    pub about: &'static str,
    text: &'static str,
}

impl AnswerShape {
    /// The schema as its file has it, white space at its ends included.
    #[must_use]
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// The JSON Schema. Its order is part of what it says.
    #[must_use]
    pub fn schema(&self) -> &'static str {
        self.text.trim()
    }
}

/// Of a turn.
pub static PROPOSAL: AnswerShape = AnswerShape {
    name: "proposal",
    tool: "propose",
    about: "The one answer to the turn: what is proposed, as data.",
    text: PROPOSAL_SCHEMA,
};

/// The same with what the message tells of its author, where the project has a profile.
pub static PROFILE_PROPOSAL: AnswerShape = AnswerShape {
    name: "proposal",
    tool: "propose",
    about: "The one answer to the turn: what is proposed, as data.",
    text: include_str!("../../../prompts/proposal.profile.schema.json"),
};

/// Of a review.
pub static OPINION: AnswerShape = AnswerShape {
    name: "opinion",
    tool: "review",
    about: "The one answer to the review: the vote and what speaks against it, as data.",
    text: include_str!("../../../prompts/personas/opinion.schema.json"),
};

/// Of a check of an answer.
pub static CHECK: AnswerShape = AnswerShape {
    name: "check",
    tool: "check",
    about: "The one answer to the check: what is wrong with the answer, as data.",
    text: include_str!("../../../prompts/check.schema.json"),
};

/// Of a measurement of an answer.
pub static JUDGEMENT: AnswerShape = AnswerShape {
    name: "judgement",
    tool: "measure",
    about: "The one answer to the measurement: its two numbers, as data.",
    text: include_str!("../../../prompts/judgement.schema.json"),
};
