//! Which registered systems an utterance names, and what each of them is to do.

mod label;

use crate::{
    acted::{self, Acted, acted},
    concept::Concept,
    contains, filled, implied, instead, keyed,
    lexicon::Lexicon,
    listed,
    name::{Mention, Name, Names, Words},
    numbered, ranking,
    reading::Situation,
    route::{self, Route},
    rows::Rows,
    shown,
    stuck::{self, Parts},
    token::{Token, TokenKind},
    valued,
};
use label::{labels, operation};
use std::collections::BTreeSet;
use wiiiv_domain::{Field, HttpMethod, Lang, Operation, SlotName, System, TaskType};

/// Systems that one utterance speaks of; whoever names more names none.
const SYSTEMS_NAMED_MAX: usize = 8;

struct Choice<'s> {
    system: &'s System,
    /// `None` where none is named, or several are.
    operation: Option<&'s Operation>,
}

impl Choice<'_> {
    /// The list that alone holds what is said.
    fn lists(&mut self, lexicon: &Lexicon, tokens: &[Token<'_>]) {
        let nth = listed::only(lexicon, self.system, tokens);
        self.operation = nth.and_then(|nth| self.system.operations.get(nth));
    }
    /// What is dictated is its operation, or stays a route of its own.
    fn takes(&mut self, tokens: &mut [Token<'_>], at: usize, route: Route) -> Option<Route> {
        let mention = Mention { at, tokens: 2, of: vec![()], mended: false };
        mark(tokens, TokenKind::Operation, &[mention]);
        let own = |o: &&Operation| o.method == route.method && o.path == route.path;
        self.operation = self.system.operations.iter().find(own);
        Some(route).filter(|_| self.operation.is_none())
    }
}

/// Each system once.
fn in_order(places: &[(usize, usize)]) -> Vec<usize> {
    let mut order = Vec::new();
    for (_, system) in places {
        if !order.contains(system) {
            order.push(*system);
        }
    }
    order
}

/// The system whose operation was asked for; where it is not known, all of them.
fn asked_of(situation: &Situation) -> Vec<usize> {
    let systems = &situation.systems;
    let named = situation.known.get(SlotName::DOMAIN).unwrap_or_default();
    let own = systems.iter().position(|system| system.is_called(named));
    let all = 0..systems.len().min(SYSTEMS_NAMED_MAX);
    own.map_or_else(|| all.collect(), |own| vec![own])
}

/// Those that are meant where none is named: of the question for an operation, or of what is corrected.
fn unspoken(lexicon: &Lexicon, situation: &Situation, tokens: &[Token<'_>]) -> Vec<usize> {
    let asked = situation.asks_for(SlotName::OPERATION).then(|| asked_of(situation));
    if let Some(asked) = asked.filter(|asked| !asked.is_empty()) {
        return asked;
    }
    let corrected = instead::system(situation).filter(|_| {
        instead::is_correction(tokens) && !filled::corrects(lexicon, situation, tokens)
    });
    corrected.map(|(at, _)| vec![at]).unwrap_or_default()
}

/// What was said of registered systems.
#[derive(Default)]
pub(crate) struct Named<'s> {
    /// In the order of the utterance.
    choices: Vec<Choice<'s>>,
    /// What is dictated of the only system, and is no operation of it.
    route: Option<Route>,
    /// What names one row of the only system, as JSON.
    pub(crate) arguments: Option<String>,
    /// A system was named, be it one that cannot be told from another.
    pub(crate) names_system: bool,
    /// The tokens of what operations are called by, where no system is named.
    pub(crate) labelled: BTreeSet<usize>,
    /// What an operation is called by was said, and of no system.
    pub(crate) names_operation: bool,
    /// No system was named, and one alone has the operation.
    pub(crate) is_implied: bool,
    /// The same of one that changes something, with what it is sent.
    pub(crate) is_act: bool,
    /// What is listed is to be changed, and no operation does it.
    pub(crate) is_impossible: bool,
    /// Quoted tokens that are the value of a field, and no text to be written.
    pub(crate) values: BTreeSet<usize>,
}

impl<'s> Named<'s> {
    /// Reads and marks the tokens that carry names; what was written into one with a name is a word
    /// of its own.
    pub(crate) fn mark(
        lexicon: &Lexicon,
        lang: Lang,
        situation: &'s Situation,
        tokens: &mut Vec<Token<'_>>,
    ) -> Self {
        if situation.systems.is_empty() {
            return Self::default();
        }
        let called = Called::of(&situation.systems);
        let Some(apart) = stuck::apart(lexicon, &called.parts, tokens, |_| true) else {
            return Self::read(lexicon, lang, situation, &called, tokens);
        };
        let mut pieces = apart.tokens.clone();
        let named = Self::read(lexicon, lang, situation, &called, &mut pieces);
        let carries = |(token, _): &(&Token<'_>, &usize)| {
            matches!(token.kind, TokenKind::System | TokenKind::Operation)
                || (token.is_word() && called.parts.is_field(lexicon, token.text))
        };
        let used: BTreeSet<usize> =
            pieces.iter().zip(&apart.origins).filter(carries).map(|(_, origin)| *origin).collect();
        // A word that carries no name stays as it was written.
        match stuck::apart(lexicon, &called.parts, tokens, |at| used.contains(&at)) {
            Some(needed) if needed.tokens.len() == pieces.len() => {
                *tokens = pieces;
                named
            }
            Some(mut needed) => {
                let named = Self::read(lexicon, lang, situation, &called, &mut needed.tokens);
                *tokens = needed.tokens;
                named
            }
            None => Self::read(lexicon, lang, situation, &called, tokens),
        }
    }

    fn read(
        lexicon: &Lexicon,
        lang: Lang,
        situation: &'s Situation,
        called: &Called,
        tokens: &mut [Token<'_>],
    ) -> Self {
        let systems: &'s [System] = &situation.systems;
        let spoken = called.systems.mentions(&Words::new(lexicon, tokens));
        mark(tokens, TokenKind::System, &spoken);
        let clear = |mention: &Mention<usize>| Some((mention.at, *mention.of.first()?));
        let places: Vec<(usize, usize)> =
            spoken.iter().filter(|m| m.of.len() == 1).filter_map(clear).collect();
        let names_system = !spoken.is_empty();
        let order = match names_system {
            true => in_order(&places),
            false => unspoken(lexicon, situation, tokens),
        };
        if order.len() > SYSTEMS_NAMED_MAX {
            return Self { names_system, ..Self::default() };
        }
        if !names_system
            && order.is_empty()
            && let Some(named) = Self::nameless(lexicon, lang, situation, tokens)
        {
            return named;
        }
        let labels = labels(lexicon, systems, &order, tokens);
        let acted = acted((lexicon, lang), systems, tokens, &labels);
        let is_impossible = acted == Acted::Impossible;
        mark(tokens, TokenKind::Operation, &labels);
        let meant = |system: &usize| {
            let named = operation(&labels, &places, lang, *system);
            let by = match acted {
                Acted::By((of, nth)) if of == *system => Some(nth),
                _ => None,
            };
            let operation = by.or(named);
            let system = systems.get(*system)?;
            let operation = operation.and_then(|at| system.operations.get(at));
            let operation = operation.filter(|o| implied::reads(o) || !acted::is_asked_of(tokens));
            Some(Choice { system, operation })
        };
        let mut choices: Vec<Choice<'s>> = order.iter().filter_map(meant).collect();
        if let [only] = choices.as_mut_slice()
            && names_system
            && let Some((at, route)) = route::dictated(tokens)
        {
            let route = only.takes(tokens, at, route);
            return Self { choices, route, names_system, ..Self::default() };
        }
        if let [only] = choices.as_mut_slice()
            && labels.is_empty()
            && acted == Acted::No
        {
            only.lists(lexicon, tokens);
        }
        let arguments = one_row(&mut choices, tokens);
        let says = names_system || choices.iter().any(|choice| choice.operation.is_some());
        let choices = if says { choices } else { Vec::new() };
        Self { choices, arguments, names_system, is_impossible, ..Self::default() }
    }

    /// No system is named, nor is one meant that was asked about: what only one of them does.
    fn nameless(
        lexicon: &Lexicon,
        lang: Lang,
        situation: &'s Situation,
        tokens: &mut [Token<'_>],
    ) -> Option<Self> {
        let done = Self::done(lexicon, lang, situation, tokens);
        if done.is_act || done.is_impossible {
            return Some(done);
        }
        let idle = situation.active.is_none() || instead::is_another(situation, tokens);
        let on = idle && instead::system(situation).is_some();
        let asked = implied::lists(lexicon, tokens) || on && instead::is_asked_on(tokens);
        asked.then(|| Self::unnamed(lexicon, lang, situation, tokens))
    }

    /// No system is named, and something is to be changed that only one of them can: what it is sent
    /// was said. What none of them can is told.
    fn done(
        lexicon: &Lexicon,
        lang: Lang,
        situation: &'s Situation,
        tokens: &mut [Token<'_>],
    ) -> Self {
        let systems: &'s [System] = &situation.systems;
        let calls = situation.active.as_ref().is_some_and(|(t, _)| *t == TaskType::ApiWorkflow);
        if calls || !acted::may_act(tokens) || acted::is_wondered(lexicon, tokens) {
            return Self::default();
        }
        let all: Vec<usize> = (0..systems.len().min(SYSTEMS_NAMED_MAX)).collect();
        let labels = labels(lexicon, systems, &all, tokens);
        let explicit = || acted::explicit(systems, &labels);
        let by = match acted((lexicon, lang), systems, tokens, &labels) {
            Acted::Impossible => return Self { is_impossible: true, ..Self::default() },
            Acted::By(at) => Some(at),
            Acted::No => explicit(),
        };
        let told = by.and_then(|(at, nth)| Some((systems.get(at)?, nth)));
        let told = told.and_then(|(system, nth)| Some((system, system.operations.get(nth)?)));
        let Some((system, operation)) = told else { return Self::default() };
        let rows = Rows::with(lexicon, operation.fields.iter());
        let own = numbered::key_of(system, operation);
        let things = || filled::is_of_things(lexicon, operation, tokens);
        let sent = filled::is_begun(lexicon, &rows, tokens, own) || things();
        let mut marked = tokens.to_vec();
        mark(&mut marked, TokenKind::Operation, &labels);
        if !sent || implied::acts_elsewhere(lexicon, operation, &marked) {
            return Self::default();
        }
        let values = filled::quoted(lexicon, &rows, tokens);
        // `memo` is no file there, and `status` asks for none.
        for token in tokens.iter_mut().filter(|token| rows.registered(lexicon, token).is_some()) {
            token.concepts.clear();
        }
        let choices = vec![Choice { system, operation: Some(operation) }];
        Self { choices, is_act: true, values, ..Self::default() }
    }

    /// No system is named: of the only one that does what is spoken of, what it is to show.
    fn unnamed(
        lexicon: &Lexicon,
        lang: Lang,
        situation: &'s Situation,
        tokens: &mut [Token<'_>],
    ) -> Self {
        let systems: &'s [System] = &situation.systems;
        let all: Vec<usize> = (0..systems.len().min(SYSTEMS_NAMED_MAX)).collect();
        let mut labels = labels(lexicon, systems, &all, tokens);
        if situation.earlier_run {
            let ran = Rows::ran(lexicon, situation);
            labels.retain(|mention| {
                let theirs = keyed::is_theirs(lexicon, &ran, tokens, mention.at);
                let grouped = shown::is_grouped(lexicon, &ran, tokens.get(mention.at));
                !theirs && !grouped && !shown::is_held(lexicon, &ran, tokens, mention.at)
            });
        }
        let labelled = labels.iter().flat_map(|m| m.at..m.at + m.tokens).collect();
        let unclear = Self { names_operation: !labels.is_empty(), labelled, ..Self::default() };
        // What answers a question about a call is said of that call.
        let calls = |(task, _): &(TaskType, _)| *task == TaskType::ApiWorkflow;
        if situation.active.as_ref().is_some_and(calls) && !instead::is_another(situation, tokens) {
            return unclear;
        }
        let only = implied::system(labels.iter().map(|mention| &mention.of));
        let named = only.map(|at| (at, operation(&labels, &[], lang, at)));
        let held = || rows_alone(lexicon, situation, tokens).filter(|_| labels.is_empty());
        let named = named.or_else(held);
        let named = named.and_then(|(at, nth)| Some((systems.get(at)?, nth)));
        let Some((system, nth)) = named else { return unclear };
        let operation = nth.and_then(|nth| system.operations.get(nth));
        let mut choices = vec![Choice { system, operation }];
        // `비싼순 3개`: which of its lists, is asked.
        if operation.is_none() && labels.is_empty() {
            return Self { choices, is_implied: true, ..unclear };
        }
        let mut marked = tokens.to_vec();
        mark(&mut marked, TokenKind::Operation, &labels);
        if implied::is_told_about(&marked) {
            return Self::default();
        }
        let arguments = one_row(&mut choices, &mut marked);
        let asked = choices.first().and_then(|choice| choice.operation);
        let clear = |operation: &&Operation| {
            let whole = arguments.is_some() || !numbered::is_of_one(operation);
            whole && implied::reads(operation)
        };
        let asked = asked.filter(clear);
        if asked.is_none_or(|o| implied::asks_elsewhere(lexicon, o, &marked)) {
            return unclear;
        }
        let rows = Rows::with(lexicon, asked.into_iter().flat_map(|operation| &operation.fields));
        let values = contains::quoted(lexicon, &rows, tokens);
        let quoted = |at: usize| tokens.get(at).is_some_and(|t| t.kind == TokenKind::Quoted);
        if (0..tokens.len()).any(|at| quoted(at) && !values.contains(&at)) {
            return unclear;
        }
        tokens.clone_from_slice(&marked);
        quieten(lexicon, &rows, tokens);
        Self { choices, arguments, is_implied: true, values, ..unclear }
    }

    /// Of the rows that the operations answer with.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &'s Field> + '_ {
        self.choices.iter().filter_map(|choice| choice.operation).flat_map(|o| &o.fields)
    }
    /// The fields of each system's operation, where all are known.
    pub(crate) fn answers(&self) -> Vec<&'s [Field]> {
        let fields: Option<Vec<&[Field]>> =
            self.choices.iter().map(|choice| Some(choice.operation?.fields.as_slice())).collect();
        fields.unwrap_or_default()
    }
    /// Each system's operation is known.
    pub(crate) fn is_whole(&self) -> bool {
        let known = self.choices.iter().all(|choice| choice.operation.is_some());
        self.route.is_some() || (known && !self.choices.is_empty())
    }
    pub(crate) fn is_several(&self) -> bool {
        self.choices.len() > 1
    }
    /// Names by commas.
    pub(crate) fn domain(&self) -> Option<String> {
        let names: Vec<&str> =
            self.choices.iter().map(|choice| choice.system.name.as_str()).collect();
        let said = self.names_system || self.is_implied || self.is_act;
        (said && !names.is_empty()).then(|| names.join(","))
    }
    /// Ids by commas, in the order of the names, or a dictated route; `None` unless all are known.
    pub(crate) fn operation(&self) -> Option<String> {
        if let Some(route) = &self.route {
            return Some(route.written());
        }
        let ids: Option<Vec<&str>> =
            self.choices.iter().map(|choice| Some(choice.operation?.id.as_str())).collect();
        ids.filter(|ids| !ids.is_empty()).map(|ids| ids.join(","))
    }
    /// The only system's operation is sent what it is to look for, and changes nothing.
    pub(crate) fn is_search(&self) -> bool {
        let search = |operation: &Operation| operation.reads && !operation.method.is_safe();
        matches!(self.choices.as_slice(), [only] if only.operation.is_some_and(search))
    }
    /// The only system's operation puts a new row there.
    pub(crate) fn makes(&self) -> bool {
        matches!(self.choices.as_slice(), [only] if only.operation.is_some_and(filled::makes))
    }
    /// The fields of it that are the number of a row of another list.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = &'s str> + '_ {
        self.choices.iter().filter_map(|choice| choice.operation).flat_map(filled::numbers)
    }
    /// The method of the only system's operation.
    pub(crate) fn method(&self) -> Option<HttpMethod> {
        match self.choices.as_slice() {
            _ if self.route.is_some() => self.route.as_ref().map(|route| route.method),
            [only] => only.operation.map(|operation| operation.method),
            _ => None,
        }
    }
}

/// What all the systems are called.
struct Called {
    systems: Names<usize>,
    parts: Parts,
}

impl Called {
    fn of(systems: &[System]) -> Self {
        let names = systems.iter().enumerate().flat_map(|(at, system)| {
            let aliases = system.aliases.iter().map(String::as_str);
            aliases.chain([system.name.as_str()]).map(move |name| (Name::spoken(name), at))
        });
        let names = Names::new(names);
        let operations = || systems.iter().flat_map(|system| &system.operations);
        let fields = operations().flat_map(|operation| &operation.fields);
        let fields = fields.flat_map(|field| field.labels.iter().map(String::as_str));
        let labels = operations().flat_map(|operation| &operation.labels);
        let labels: Vec<Name> = labels.map(|label| Name::spoken(label)).collect();
        let parts = Parts::new(names.all().chain(&labels), fields);
        Self { systems: names, parts }
    }
}

/// What names one row of the only system's operation; it is asked by the operation for one. What is
/// said of many rows is asked by the one that lists them.
fn one_row(choices: &mut [Choice<'_>], tokens: &mut [Token<'_>]) -> Option<String> {
    let [only] = choices else { return None };
    let named = only.operation.filter(|operation| implied::reads(operation))?;
    let Some(one) = numbered::one(only.system, named, tokens) else {
        let list = numbered::list_of(only.system, named).filter(|_| ranking::is_of_many(tokens));
        only.operation = list.or(only.operation);
        return None;
    };
    let mention = Mention { at: one.at, tokens: one.tokens, of: vec![()], mended: false };
    mark(tokens, TokenKind::Operation, &[mention]);
    only.operation = Some(one.operation);
    Some(one.arguments)
}

/// The only system whose rows hold all that is said, and which of its lists; where none was just shown
/// (`싼 순으로 다시`).
fn rows_alone(
    lexicon: &Lexicon,
    situation: &Situation,
    tokens: &[Token<'_>],
) -> Option<(usize, Option<usize>)> {
    let fresh = shown::operation(situation).is_none();
    listed::anywhere(lexicon, &situation.systems, tokens).filter(|_| fresh)
}

/// What says which rows are meant says nothing else.
fn quieten(lexicon: &Lexicon, rows: &Rows, tokens: &mut [Token<'_>]) {
    hush(lexicon, rows, tokens);
    // `what about the suppliers?` asks for them, and not what they are.
    let opened = instead::opening(tokens);
    for token in tokens.iter_mut().take(opened) {
        token.concepts = BTreeSet::from([Concept::Vague]);
    }
    // `today's orders`: which of them, and no talk.
    for token in tokens.iter_mut().filter(|token| token.has(Concept::Period)) {
        token.concepts.remove(&Concept::Talk);
    }
}

/// `delivered orders`: what has become of them, and nothing to be done.
pub(crate) fn hush(lexicon: &Lexicon, rows: &Rows, tokens: &mut [Token<'_>]) {
    let held: BTreeSet<usize> =
        valued::named(lexicon, rows, tokens).into_iter().flat_map(|held| held.said).collect();
    for at in held {
        if let Some(token) = tokens.get_mut(at) {
            token.concepts.retain(|concept| !concept.is_verb() && *concept != Concept::Cancel);
        }
    }
}

/// What carries a name is no word any more.
fn mark<T>(tokens: &mut [Token<'_>], kind: TokenKind, mentions: &[Mention<T>]) {
    for mention in mentions {
        for token in tokens.iter_mut().skip(mention.at).take(mention.tokens) {
            token.kind = kind;
            token.concepts.clear();
            token.mended = mention.mended;
        }
    }
}
