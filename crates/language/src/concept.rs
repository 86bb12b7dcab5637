//! What a word can mean to a rule: a closed list, so that a mistyped name is found at start.

use serde::Deserialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Concept {
    Read,
    Write,
    Save,
    Delete,
    Get,
    Send,
    Pick,
    Run,
    Edit,
    Create,
    Manage,
    Search,
    Question,
    Greet,
    File,
    CodeWord,
    Command,
    Database,
    Project,
    Workflow,
    Web,
    Service,
    Body,
    Content,
    Field,
    Filter,
    Only,
    And,
    Where,
    Under,
    AtMost,
    Over,
    AtLeast,
    Equal,
    Thing,
    /// Points to an earlier run, beside a `Result`.
    Earlier,
    /// Points back, maybe only to what was just named.
    That,
    Result,
    Pronoun,
    Remember,
    Change,
    Negate,
    /// A preposition before the place that something goes to.
    Dest,
    /// Opens words that are to be written.
    Saying,
    /// Says nothing by itself.
    Vague,
}

impl Concept {
    /// May lead an utterance.
    pub(crate) const fn is_verb(self) -> bool {
        matches!(
            self,
            Self::Read
                | Self::Write
                | Self::Save
                | Self::Delete
                | Self::Get
                | Self::Send
                | Self::Pick
                | Self::Run
                | Self::Edit
                | Self::Create
                | Self::Manage
                | Self::Search
                | Self::Question
        )
    }

    /// The jq operator of a comparison.
    pub(crate) fn operator(self) -> Option<&'static str> {
        OPERATORS.into_iter().find(|(concept, _)| *concept == self).map(|(_, operator)| operator)
    }
}

const OPERATORS: [(Concept, &str); 5] = [
    (Concept::Under, "<"),
    (Concept::AtMost, "<="),
    (Concept::Over, ">"),
    (Concept::AtLeast, ">="),
    (Concept::Equal, "=="),
];
