//! Whether a clause asks for something, and its words say something of their own.

use super::room::{Room, greets, is_unknown, states, word};
use crate::{
    concept::Concept,
    lexicon::Lexicon,
    part::Part,
    reading::Job,
    signal::Whole,
    token::{Token, TokenKind},
};
use std::ops::Range;
use wiiiv_domain::{Lang, TaskType};

/// Say how and how much, and nothing of what: they ask for nothing by themselves.
const LIGHT: [Concept; 13] = [
    Concept::Vague,
    Concept::And,
    Concept::Then,
    Concept::Too,
    Concept::Tell,
    Concept::Pronoun,
    Concept::That,
    Concept::You,
    Concept::Beforehand,
    Concept::Only,
    Concept::Wish,
    Concept::Following,
    Concept::Result,
];

impl Room<'_, '_> {
    /// It asks for something that says more than when and how.
    pub(super) fn orders(&self, range: &Range<usize>) -> bool {
        let Some(clause) = self.tokens.get(range.clone()) else { return false };
        match self.heard.language {
            Lang::En => self.opens(clause, range.start),
            Lang::Ko => self.asks(clause) && clause.iter().any(|token| self.says(token)),
        }
    }

    /// A word of its own.
    pub(super) fn says(&self, token: &Token<'_>) -> bool {
        let light = token.has_any(&LIGHT) && !token.leads();
        let murmurs = || self.heard.lexicon.bare.closed.contains_key(&Whole::key(token.text));
        let quotes = || self.heard.lexicon.quotes.iter().any(|quote| quote == token.text);
        token.is_word()
            && !token.attached
            && !light
            && !murmurs()
            && !quotes()
            && !self.helps(token)
    }

    /// `적혀 있나`: behind a verb that does not go on; not `지우고 나가줘`.
    fn helps(&self, token: &Token<'_>) -> bool {
        let lexicon = self.heard.lexicon;
        let goes_on = |text: &str| lexicon.goes_on(text);
        let before = || self.tokens.iter().rev().find(|before| before.start < token.start);
        let verb = || before().is_some_and(|t| t.verb().is_some() && !goes_on(t.text));
        token.is_ending() && verb()
    }

    /// Korean asks at the end, or goes on to what is asked for there; `불 꺼` asks by what it says.
    fn asks(&self, clause: &[Token<'_>]) -> bool {
        let lexicon = self.heard.lexicon;
        let requested = |text: &str| lexicon.requests.iter().any(|end| text.contains(end));
        let explains = |text: &str| lexicon.explaining.iter().any(|end| text.ends_with(end));
        let ends = |text: &str| lexicon.goes_on(text);
        let joined = |text: &str| ends(text) && !explains(text);
        let quoted = |text: &str| lexicon.quotes_before(text);
        let ordered = last_word(self.tokens).is_some_and(requested);
        let verb = clause.iter().any(|t| t.verb().is_some());
        let goes_on = |text: &str| ordered && verb && joined(text) && !quoted(text);
        let beyond = clause.iter().any(|t| t.has(Concept::Beyond));
        let acts = |text: &str| beyond && !explains(text);
        last_word(clause).is_some_and(|text| requested(text) || goes_on(text) || acts(text))
    }

    /// English opens with what is to be done, and an explanation with something else.
    fn opens(&self, clause: &[Token<'_>], start: usize) -> bool {
        let lexicon = self.heard.lexicon;
        let silent = |t: &Token<'_>| if greets(t) { !self.adds(start) } else { !self.says(t) };
        let aside = |t: &Token<'_>| t.kind == TokenKind::Mark || silent(t);
        let opening = clause.iter().take_while(|t| aside(t)).count();
        let (before, said) = clause.split_at(opening);
        let Some(first) = said.first().filter(|t| t.is_word()) else { return false };
        let joined = self.is_joined(clause, start);
        // `and that draft`: behind `and` only a reason explains.
        let reasons = if joined { &lexicon.reasons } else { &lexicon.explaining };
        let explains = |t: &Token<'_>| reasons.contains(&word(t)) || states(lexicon, t);
        if !self.is_requested(before) && before.iter().chain([first]).any(explains) {
            return false;
        }
        let rest = said.get(1..).unwrap_or_default();
        let finite =
            if joined { says_of(lexicon, rest) } else { rest.iter().any(|t| states(lexicon, t)) };
        let listed = lexicon.is_listed(&word(first)) && first.verb().is_some();
        let object = |t: &Token<'_>| t.is(Part::The | Part::Article | Part::Owner | Part::Whom);
        let told = start > 0 && is_unknown(first) && rest.first().is_some_and(object);
        !finite && (listed || joined || told || start > 0 && first.has(Concept::Beyond))
    }

    /// `can you ..`, `i need you to ..`
    fn is_requested(&self, before: &[Token<'_>]) -> bool {
        let said = self.text(before).to_lowercase();
        let asks = |request: &String| request.contains(' ') && said.contains(request.as_str());
        self.heard.lexicon.requests.iter().any(asks)
    }

    /// `and thanks` says nothing; beside what is written it may be more of that.
    fn adds(&self, start: usize) -> bool {
        let writes = |job: &Job| job.task_type == TaskType::FileWrite;
        start > 0 && self.jobs.iter().all(writes)
    }

    /// `.. and tell bob`, `sing a song and ..`
    fn is_joined(&self, clause: &[Token<'_>], start: usize) -> bool {
        let joins =
            |t: &Token<'_>| t.has(Concept::And) || t.has(Concept::Then) || t.has(Concept::Too);
        let before = start.checked_sub(1).and_then(|at| self.tokens.get(at));
        let opens = start > 0 && clause.first().is_some_and(joins);
        before.is_some_and(joins) || opens || start == 0 && clause.last().is_some_and(joins)
    }
}

/// `and bob doesn't need it` says something of bob; `and tell bob it's gone` asks for something.
fn says_of(lexicon: &Lexicon, rest: &[Token<'_>]) -> bool {
    let subject = |t: &Token<'_>| {
        word(t).split('\'').next().is_some_and(|who| lexicon.subjects.contains(who))
    };
    rest.first().is_some_and(|t| states(lexicon, t) && !subject(t))
}

fn last_word<'t>(tokens: &[Token<'t>]) -> Option<&'t str> {
    tokens.iter().rev().find(|token| token.is_word()).map(|token| token.text)
}
