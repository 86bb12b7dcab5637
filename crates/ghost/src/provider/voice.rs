//! An answer in the words of an interface, or as the call of the one tool that was asked for.

use super::{
    anthropic,
    dialect::{Dialect, Stop},
    google, openai, responses,
};
use serde_json::Value;

/// Characters of one piece of an answer.
const PIECE_CHARS: usize = 12;

#[derive(Debug, Clone, Copy)]
pub(super) struct Voice {
    pub(super) dialect: Dialect,
    /// It calls the tool; ANTHROPIC is asked by a tool alone.
    pub(super) calls: bool,
}

impl Voice {
    /// An answer that no tool was asked for.
    pub(super) const fn in_words(dialect: Dialect) -> Self {
        Self { dialect, calls: false }
    }

    /// What comes before the first word.
    pub(super) fn opening(self) -> String {
        match self.dialect {
            Dialect::OpenAi | Dialect::Local if self.calls => openai::calling(),
            Dialect::OpenAi | Dialect::Local => openai::opening(),
            Dialect::Responses if self.calls => responses::calling(),
            Dialect::Responses => responses::opening(),
            Dialect::Anthropic => anthropic::opening(),
            Dialect::Google => String::new(),
        }
    }

    /// What is at work and has said nothing yet.
    pub(super) fn at_work(self) -> String {
        match self.dialect {
            Dialect::OpenAi | Dialect::Local | Dialect::Anthropic => self.opening(),
            Dialect::Responses => responses::at_work(),
            Dialect::Google => google::thinking(),
        }
    }

    /// A part of what is said. Google's calls have none: there it is talk beside one.
    pub(super) fn piece(self, text: &str) -> String {
        match self.dialect {
            Dialect::OpenAi | Dialect::Local if self.calls => openai::argument(text),
            Dialect::OpenAi | Dialect::Local => openai::piece(text),
            Dialect::Responses if self.calls => responses::argument(text),
            Dialect::Responses => responses::piece(text),
            Dialect::Anthropic => anthropic::piece(text),
            Dialect::Google => google::piece(text),
        }
    }

    /// All that is said, in as many events as it takes.
    pub(super) fn said(self, text: &str) -> Vec<String> {
        if self.calls && self.dialect == Dialect::Google {
            return vec![google::call(text)];
        }
        let chars: Vec<char> = text.chars().collect();
        let pieces = chars.chunks(PIECE_CHARS).map(|piece| piece.iter().collect::<String>());
        pieces.map(|piece| self.piece(&piece)).collect()
    }

    /// The same in one event.
    pub(super) fn at_once(self, text: &str) -> String {
        if self.calls && self.dialect == Dialect::Google {
            return google::call(text);
        }
        self.piece(text)
    }

    pub(super) fn closing(self, stop: Stop) -> String {
        match self.dialect {
            Dialect::OpenAi | Dialect::Local => openai::closing(stop),
            Dialect::Responses => responses::closing(stop, self.calls),
            Dialect::Anthropic => anthropic::closing(stop),
            Dialect::Google => google::closing(stop),
        }
    }

    /// The answer as one document.
    pub(super) fn whole(self, text: &str) -> Value {
        match self.dialect {
            Dialect::OpenAi | Dialect::Local => openai::whole(text, self.calls),
            Dialect::Responses => responses::whole(text, self.calls),
            Dialect::Anthropic => anthropic::whole(text),
            Dialect::Google => google::whole(text, self.calls),
        }
    }

    pub(super) fn declined(self) -> String {
        match self.dialect {
            Dialect::OpenAi | Dialect::Local => openai::declined(),
            Dialect::Responses => responses::declined(),
            Dialect::Anthropic => anthropic::declined(),
            Dialect::Google => google::declined(),
        }
    }

    pub(super) fn failed_midway(self) -> String {
        match self.dialect {
            Dialect::OpenAi | Dialect::Local => openai::failed_midway(),
            Dialect::Responses => responses::failed_midway(),
            Dialect::Anthropic => anthropic::failed_midway(),
            Dialect::Google => google::failed_midway(),
        }
    }
}
