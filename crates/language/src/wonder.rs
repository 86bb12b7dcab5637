//! Questions about an act: whether it should be done, what would come of it, how it is done. They
//! ask for no act: `should I delete a.txt?`, `a.txt 지우면 어떻게 돼?`

use crate::{
    concept::Concept,
    lexicon::Lexicon,
    reading::{Job, Lost, Situation},
    token::Token,
};
use std::ops::Range;
use wiiiv_domain::{HttpMethod, Lang, SlotName, TaskType};

/// What ends a sentence.
const ENDS: [&str; 4] = [".", "!", "?", ";"];

/// What is left of an utterance without what is only asked about.
pub(crate) enum Left {
    /// Nothing is only asked about.
    All,
    Some,
    Nothing,
}

/// What makes a question about an act of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wondering {
    /// Its words alone: who asks a database asks what was done.
    Words,
    /// Its words, or the question mark.
    Any,
}

/// A question whose answer changes nothing is answered, however it is asked; an answer to our own
/// is none.
pub(crate) fn matters(
    situation: &Situation,
    jobs: &[Job],
    lost: Option<Lost>,
) -> Option<Wondering> {
    let active = situation.active.as_ref().filter(|_| situation.is_asked());
    let answers = |job: &Job| active.is_some_and(|(task, _)| *task == job.task_type);
    let asks = || jobs.iter().filter(|job| !answers(job));
    let queries = || asks().any(|job| job.task_type == TaskType::DbQuery);
    if lost.is_some() || asks().any(|job| changes(situation, job)) {
        Some(Wondering::Any)
    } else {
        queries().then_some(Wondering::Words)
    }
}

fn changes(situation: &Situation, job: &Job) -> bool {
    let has = |name: &str| job.slots.get(name).is_some();
    match job.task_type {
        TaskType::Conversation | TaskType::Information | TaskType::FileRead | TaskType::DbQuery => {
            false
        }
        TaskType::WebFetch => has(SlotName::TARGET_PATH),
        TaskType::ApiWorkflow => has(SlotName::TARGET_PATH) || !is_safe(situation, job),
        TaskType::FileWrite
        | TaskType::FileDelete
        | TaskType::CodeEdit
        | TaskType::Command
        | TaskType::ProjectCreate
        | TaskType::WorkflowCreate
        | TaskType::WorkflowRun
        | TaskType::WorkflowManage => true,
    }
}

fn is_safe(situation: &Situation, job: &Job) -> bool {
    let slot = |name: &str| job.slots.get(name);
    let told = slot(SlotName::METHOD).and_then(HttpMethod::parse);
    let named = slot(SlotName::DOMAIN).zip(slot(SlotName::OPERATION));
    let operation = named.and_then(|(domain, operation)| {
        situation.systems.iter().find(|system| system.is_called(domain))?.operation(operation)
    });
    let safe = operation.map(|operation| operation.method.is_safe() || operation.reads);
    told.is_none_or(|method| method.is_safe()) && safe.unwrap_or(named.is_none())
}

/// Takes verbs that are only asked about for no verbs.
pub(crate) fn leave_out(
    lexicon: &Lexicon,
    lang: Lang,
    text: &str,
    tokens: &mut [Token<'_>],
    by: Wondering,
) -> Left {
    let mut wondered = false;
    for sentence in sentences(tokens) {
        let Some(said) = tokens.get(sentence.clone()) else { continue };
        let asked = Sentence { lexicon, lang, text, tokens: said }.wondered(by);
        if asked.is_empty() {
            continue;
        }
        wondered = true;
        let outside = |at: usize| !sentence.contains(&at);
        let mut others = tokens.iter().enumerate().filter(|(at, _)| outside(*at));
        let elsewhere = others.any(|(_, token)| token.is_entity());
        let settled = said.iter().filter(|token| token.leads()).count() == asked.len();
        for (at, token) in tokens.iter_mut().enumerate().skip(sentence.start).take(sentence.len()) {
            if asked.contains(&(at - sentence.start)) {
                token.concepts.clear();
            } else if settled && elsewhere && token.is_entity() {
                token.drop_it();
            }
        }
    }
    match (wondered, tokens.iter().any(Token::leads)) {
        (false, _) => Left::All,
        (true, true) => Left::Some,
        (true, false) => Left::Nothing,
    }
}

pub(crate) fn sentences(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let ends = |token: &Token<'_>| ENDS.iter().any(|mark| token.is_mark(mark));
    let places = tokens.iter().enumerate().filter(|(_, token)| ends(token)).map(|(at, _)| at + 1);
    let mut from = 0;
    let cut = places.chain([tokens.len()]).map(|end| std::mem::replace(&mut from, end)..end);
    cut.filter(|range| !range.is_empty()).collect()
}

struct Sentence<'a, 't> {
    lexicon: &'a Lexicon,
    lang: Lang,
    text: &'a str,
    tokens: &'a [Token<'t>],
}

impl Sentence<'_, '_> {
    /// The verbs that change something and are asked about.
    fn wondered(&self, by: Wondering) -> Vec<usize> {
        let verbs = self.tokens.iter().enumerate().filter(|(_, token)| token.leads());
        let verbs: Vec<usize> = verbs.map(|(at, _)| at).collect();
        let asks = by == Wondering::Any && self.asks();
        let verb = |at: &usize| self.tokens.get(*at).and_then(Token::verb);
        let marked = |(nth, at): (usize, &usize)| {
            let changes = verb(at).is_some_and(Concept::changes);
            (changes && (asks || self.is_marked(&verbs, nth))).then_some(*at)
        };
        let marked: Vec<usize> = verbs.iter().enumerate().filter_map(marked).collect();
        // `can a.txt be restored if I delete it`
        let outcome = |at: &usize| !marked.is_empty() && verb(at) == Some(Concept::Alter);
        verbs.iter().copied().filter(|at| marked.contains(at) || outcome(at)).collect()
    }

    /// A question that is no request, and no order that only ends like one (`맞지?`).
    fn asks(&self) -> bool {
        let orders = self.lang == Lang::En && self.tokens.first().is_some_and(Token::leads);
        let wants = self.tokens.iter().any(|token| token.has(Concept::Wish));
        let all = self.between(0, self.tokens.len()).to_lowercase();
        let requested = self.lexicon.requests_in(&all);
        let asks = self.tokens.last().is_some_and(|last| last.is_mark("?"));
        let tags = |tag: &String| all.trim_end_matches('?').trim_end().ends_with(tag.as_str());
        asks && !(orders || wants || requested || self.lexicon.tags.iter().any(tags))
    }

    /// English asks before its verb, Korean around it.
    fn is_marked(&self, verbs: &[usize], nth: usize) -> bool {
        let before = nth.checked_sub(1).and_then(|nth| verbs.get(nth)).map_or(0, |verb| verb + 1);
        let Some(verb) = verbs.get(nth) else { return false };
        let end = verbs.get(nth + 1).copied().unwrap_or(self.tokens.len());
        let holds = |said: &str| self.lexicon.wondering.iter().any(|mark| said.contains(mark));
        match self.lang {
            Lang::En => {
                let words = self.between(before, *verb).to_lowercase().replace('’', "'");
                let words: Vec<&str> = words.split_whitespace().collect();
                holds(&format!(" {} ", words.join(" ")))
            }
            Lang::Ko => holds(&self.between(before, end).split_whitespace().collect::<String>()),
        }
    }

    fn between(&self, from: usize, to: usize) -> &str {
        let tokens = self.tokens.get(from..to).unwrap_or_default();
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return "" };
        self.text.get(first.start..last.end).unwrap_or_default()
    }
}
