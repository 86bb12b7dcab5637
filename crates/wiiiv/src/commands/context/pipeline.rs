//! One prompt, made in each of the ways that are compared: with everything that was said, with the last messages alone, and
//! as a session makes it.

use super::conversation::{Conversation, Question};
use crate::{failure::Failure, start_error::StartError};
use std::{collections::BTreeSet, sync::Arc, time::Instant};
use wiiiv_context::{
    Dialogue, Fence, Fenced, HISTORY_MESSAGES_MAX, Label, Line, LineKind, LongTerm, MemoryBlocks,
    Prompt, PromptParts, Rendered as _, RuleBook,
};
use wiiiv_domain::{Lang, Slots, Speaker, TurnId};
use wiiiv_llm::TokenLimits;

/// The same in every prompt, so that all are counted alike: as good as any that is drawn.
const FENCE: &str = "9f86d081884c7d659a2feaa0c55ad015";
const TURN: &str = "0190a000-0000-7000-8000-000000000001";
const MAX_OUTPUT: u64 = 4_096;
/// Of prompts that nobody is asked.
const COUNTED_IN: Lang = Lang::En;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pipeline {
    /// Every message, as it was said.
    FullHistory,
    /// A fixed number of the last messages, as they were said.
    LastMessages,
    /// As a session does it: the last messages, a summary, related turns.
    Context,
}

impl Pipeline {
    pub const ALL: [Self; 3] = [Self::FullHistory, Self::LastMessages, Self::Context];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::FullHistory => "full_history",
            Self::LastMessages => "last_messages",
            Self::Context => "context",
        }
    }
}

/// What a prompt costs, and how much of what has to be known it holds.
#[derive(Debug, Default)]
pub struct Measured {
    /// Rules and everything below them.
    pub tokens: u64,
    pub micros: u64,
    /// Facts that the question asks for.
    pub facts: Presence,
    /// Limits that were set before.
    pub limits: Presence,
    /// Facts that are not there, by their first wording.
    pub missed: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Presence {
    pub present: u64,
    pub asked: u64,
}

impl Presence {
    pub fn add(&mut self, other: Self) {
        self.present += other.present;
        self.asked += other.asked;
    }

    pub const fn is_whole(self) -> bool {
        self.present >= self.asked
    }

    fn note(&mut self, is_present: bool) {
        self.asked += 1;
        self.present += u64::from(is_present);
    }
}

/// Counts as one model does.
pub struct Measure {
    pub rules: RuleBook,
    pub token_limits: TokenLimits,
}

impl Measure {
    pub async fn of(
        &self,
        pipeline: Pipeline,
        conversation: &Conversation,
        question: &Question,
    ) -> Result<Measured, Failure> {
        let (said, message) = said_before(conversation, question.turn);
        let (text, tokens, micros) = match pipeline {
            Pipeline::FullHistory => self.whole(&said, message).await?,
            Pipeline::LastMessages => self.last(&said, message).await?,
            Pipeline::Context => self.context(said, message).await?,
        };
        let mut measured = Measured { tokens, micros, ..Measured::default() };
        let text = flat(&text);
        for wordings in &question.facts {
            let is_present = wordings.iter().any(|wording| text.contains(&flat(wording)));
            measured.facts.note(is_present);
            if !is_present {
                measured.missed.extend(wordings.first().cloned());
            }
        }
        let before = conversation.limits.iter().filter(|limit| limit.turn < question.turn);
        before.for_each(|limit| measured.limits.note(text.contains(&flat(&limit.text))));
        Ok(measured)
    }

    /// The prompt of that way as a model is asked it: answered in the conversation's language.
    pub async fn prompt(
        &self,
        pipeline: Pipeline,
        conversation: &Conversation,
        question: &Question,
    ) -> Result<Prompt, Failure> {
        let (said, message) = said_before(conversation, question.turn);
        let language = Lang::parse(&conversation.language).unwrap_or(COUNTED_IN);
        let message = (language, message);
        match pipeline {
            Pipeline::FullHistory => {
                let said: Vec<_> = said.iter().map(spoken).collect();
                let bare = self.fitted(Vec::new(), None, message).await?;
                Ok(bare.behind_all(&said))
            }
            Pipeline::LastMessages => self.fitted(last_of(&said), None, message).await,
            Pipeline::Context => {
                let turn: TurnId = TURN.parse().map_err(StartError::built_in)?;
                let (history, long_term) = in_short(&mut noted(said), turn, message.1);
                self.fitted(history, long_term, message).await
            }
        }
    }

    /// They are counted once, and remembered.
    pub async fn count_rules(&self) -> Result<(), Failure> {
        self.fitted(Vec::new(), None, (COUNTED_IN, "Hello")).await.map(drop)
    }

    async fn whole(&self, said: &[Line], message: &str) -> Result<(String, u64, u64), Failure> {
        let fence = Fence::parse(FENCE).map_err(StartError::built_in)?;
        let begun = Instant::now();
        let bare = self.fitted(Vec::new(), None, (COUNTED_IN, message)).await?;
        let mut text = bare.user().to_owned();
        let mut tokens = bare.plan().used();
        for line in said {
            let label = if line.by_user() { Label::User } else { Label::Assistant };
            let block = Fenced::new(&fence, label, &line.text);
            tokens += self.token_limits.tokens(block.as_str());
            text.push_str(block.as_str());
        }
        Ok((text, tokens, micros(begun)))
    }

    async fn last(&self, said: &[Line], message: &str) -> Result<(String, u64, u64), Failure> {
        let begun = Instant::now();
        let prompt = self.fitted(last_of(said), None, (COUNTED_IN, message)).await?;
        Ok((prompt.user().to_owned(), prompt.plan().used(), micros(begun)))
    }

    async fn context(&self, said: Vec<Line>, message: &str) -> Result<(String, u64, u64), Failure> {
        let mut dialogue = noted(said);
        let turn: TurnId = TURN.parse().map_err(StartError::built_in)?;
        let begun = Instant::now();
        let (history, long_term) = in_short(&mut dialogue, turn, message);
        let prompt = self.fitted(history, long_term, (COUNTED_IN, message)).await?;
        Ok((prompt.user().to_owned(), prompt.plan().used(), micros(begun)))
    }

    async fn fitted(
        &self,
        history: Vec<(Speaker, String)>,
        long_term: Option<LongTerm>,
        (language, message): (Lang, &str),
    ) -> Result<Prompt, Failure> {
        let parts = PromptParts {
            fence: FENCE.to_owned(),
            guardrails: BTreeSet::new(),
            memory: MemoryBlocks::default(),
            profile: None,
            language,
            task: None,
            suspended: Vec::new(),
            waiting: Vec::new(),
            revision: Vec::new(),
            facts: None,
            documents: None,
            checked: None,
            earlier_run: false,
            ran: Slots::default(),
            systems: Arc::from([]),
            unreached: BTreeSet::new(),
            long_term: long_term.map(Box::new),
            history,
            message: message.to_owned(),
        };
        let prompt = self.token_limits.fitted(&self.rules, parts, MAX_OUTPUT).await;
        Ok(prompt.map_err(StartError::built_in)?)
    }
}

/// Everything before the turn's message, and the message.
fn said_before(conversation: &Conversation, turn: usize) -> (Vec<Line>, &str) {
    let before = conversation.turns.iter().take(turn - 1);
    let lines = before.flat_map(|[message, answer]| {
        [line(Speaker::User, message), line(Speaker::Governor, answer)]
    });
    let message = conversation.turns.get(turn - 1).map(|[message, _]| message.as_str());
    (lines.collect(), message.unwrap_or_default())
}

/// The message is one of them.
fn last_of(said: &[Line]) -> Vec<(Speaker, String)> {
    let from = said.len().saturating_sub(HISTORY_MESSAGES_MAX - 1);
    said.get(from..).unwrap_or_default().iter().map(spoken).collect()
}

fn noted(said: Vec<Line>) -> Dialogue {
    let mut dialogue = Dialogue::default();
    said.into_iter().for_each(|line| dialogue.note(line));
    dialogue
}

/// What a session shows beside this message: the last messages, and the rest in short.
fn in_short(
    dialogue: &mut Dialogue,
    turn: TurnId,
    message: &str,
) -> (Vec<(Speaker, String)>, Option<LongTerm>) {
    dialogue.note(line(Speaker::User, message));
    let long_term = dialogue.long_term(turn, None);
    let mut history: Vec<_> = dialogue.recent().map(spoken).collect();
    history.pop();
    (history, long_term)
}

fn line(speaker: Speaker, text: &str) -> Line {
    Line { speaker, kind: LineKind::Words, text: text.to_owned() }
}

fn spoken(line: &Line) -> (Speaker, String) {
    (line.speaker, line.text.clone())
}

/// As texts are compared: in lower case, with single spaces.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn micros(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// 0 of none.
pub fn median(numbers: &[u64]) -> u64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
