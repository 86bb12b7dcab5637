//! Which registered systems an utterance names, and what each of them is to do.

use crate::{
    comparison,
    concept::Concept,
    lexicon::Lexicon,
    name::{Mention, Name, Names, Words},
    reading::Situation,
    rows::Rows,
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;
use wiiiv_domain::{Field, HttpMethod, Lang, Operation, SlotName, System};

/// Systems that one utterance speaks of; whoever names more names none.
const SYSTEMS_NAMED_MAX: usize = 8;

/// By its place among the systems, then among the system's operations.
type OperationAt = (usize, usize);

struct Choice<'s> {
    system: &'s System,
    /// `None` where none is named, or several are.
    operation: Option<&'s Operation>,
}

/// What was said of registered systems.
#[derive(Default)]
pub(crate) struct Named<'s> {
    /// In the order of the utterance.
    choices: Vec<Choice<'s>>,
    /// A system was named, be it one that cannot be told from another.
    pub(crate) names_system: bool,
}

impl<'s> Named<'s> {
    /// Reads and marks the tokens that carry names.
    pub(crate) fn mark(
        lexicon: &Lexicon,
        lang: Lang,
        situation: &'s Situation,
        tokens: &mut [Token<'_>],
    ) -> Self {
        let systems: &'s [System] = &situation.systems;
        if systems.is_empty() {
            return Self::default();
        }
        let called = systems.iter().enumerate().flat_map(|(at, system)| {
            let aliases = system.aliases.iter().map(String::as_str);
            aliases.chain([system.name.as_str()]).map(move |name| (Name::spoken(name), at))
        });
        let spoken = Names::new(called).mentions(&Words::new(lexicon, tokens));
        mark(tokens, TokenKind::System, &spoken);
        let clear = |mention: &Mention<usize>| Some((mention.at, *mention.of.first()?));
        let places: Vec<(usize, usize)> =
            spoken.iter().filter(|m| m.of.len() == 1).filter_map(clear).collect();
        let mut order: Vec<usize> = Vec::new();
        for (_, system) in &places {
            if !order.contains(system) {
                order.push(*system);
            }
        }
        let names_system = !spoken.is_empty();
        if order.len() > SYSTEMS_NAMED_MAX {
            return Self { names_system, choices: Vec::new() };
        }
        if spoken.is_empty() && situation.asks_for(SlotName::OPERATION) {
            order = (0..systems.len().min(SYSTEMS_NAMED_MAX)).collect();
        }
        let labels = labels(lexicon, systems, &order, tokens);
        mark(tokens, TokenKind::Operation, &labels);
        let meant = |system: &usize| {
            let operation = operation(&labels, &places, lang, *system);
            let system = systems.get(*system)?;
            let operation = operation.and_then(|at| system.operations.get(at));
            Some(Choice { system, operation })
        };
        let choices = order.iter().filter_map(meant);
        let choices: Vec<Choice<'s>> = choices.collect();
        let says = names_system || choices.iter().any(|choice| choice.operation.is_some());
        Self { choices: if says { choices } else { Vec::new() }, names_system }
    }

    /// Of the rows that the operations answer with.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &'s Field> + '_ {
        self.choices.iter().filter_map(|choice| choice.operation).flat_map(|o| &o.fields)
    }
    /// Each system's operation is known.
    pub(crate) fn is_whole(&self) -> bool {
        !self.choices.is_empty() && self.choices.iter().all(|choice| choice.operation.is_some())
    }
    pub(crate) fn is_several(&self) -> bool {
        self.choices.len() > 1
    }
    /// Names by commas.
    pub(crate) fn domain(&self) -> Option<String> {
        let names: Vec<&str> =
            self.choices.iter().map(|choice| choice.system.name.as_str()).collect();
        (self.names_system && !names.is_empty()).then(|| names.join(","))
    }
    /// Ids by commas, in the order of the names; `None` unless all are known.
    pub(crate) fn operation(&self) -> Option<String> {
        let ids: Option<Vec<&str>> =
            self.choices.iter().map(|choice| Some(choice.operation?.id.as_str())).collect();
        ids.filter(|ids| !ids.is_empty()).map(|ids| ids.join(","))
    }
    /// The method of the only system's operation.
    pub(crate) fn method(&self) -> Option<HttpMethod> {
        match self.choices.as_slice() {
            [only] => only.operation.map(|operation| operation.method),
            _ => None,
        }
    }
}

/// A field that something is compared with is no label.
fn labels(
    lexicon: &Lexicon,
    systems: &[System],
    order: &[usize],
    tokens: &[Token<'_>],
) -> Vec<Mention<OperationAt>> {
    let operations = order.iter().flat_map(|at| {
        let of = systems.get(*at).map_or(&[][..], |system| system.operations.as_slice());
        of.iter().enumerate().map(move |(nth, operation)| ((*at, nth), operation))
    });
    let called = operations.flat_map(|(of, operation)| {
        let labels = operation.labels.iter().map(|label| Name::spoken(label));
        labels.chain([Name::id(&operation.id)]).map(move |name| (name, of))
    });
    let compared = comparison::fields(lexicon, &Rows::default(), tokens);
    let found = Names::new(called).mentions(&Words::new(lexicon, tokens));
    // `카테고리별` asks for no categories.
    let groups = |at: usize| tokens.get(at).is_some_and(|token| token.has(Concept::Group));
    let is_field =
        |m: &Mention<OperationAt>| m.tokens == 1 && (compared.contains(&m.at) || groups(m.at));
    found.into_iter().filter(|mention| !is_field(mention)).collect()
}

/// The one operation of this system that is named; where its own words name none, one that was
/// named for another and is its own as well.
fn operation(
    labels: &[Mention<OperationAt>],
    places: &[(usize, usize)],
    lang: Lang,
    system: usize,
) -> Option<usize> {
    let of = |mention: &Mention<OperationAt>| -> Vec<usize> {
        mention.of.iter().filter(|(of, _)| *of == system).map(|(_, nth)| *nth).collect()
    };
    let owned = labels.iter().filter(|mention| owner(mention, places, lang) == Some(system));
    let own: BTreeSet<usize> = owned.flat_map(of).collect();
    let all = || labels.iter().flat_map(of).collect();
    let named: BTreeSet<usize> = if own.is_empty() { all() } else { own };
    named.first().copied().filter(|_| named.len() == 1)
}

/// The nearest system that a label can belong to: Korean names it before, English after.
fn owner(mention: &Mention<OperationAt>, places: &[(usize, usize)], lang: Lang) -> Option<usize> {
    let can = |system: &usize| mention.of.iter().any(|(of, _)| of == system);
    let far = |place: usize| {
        let behind = place > mention.at;
        let against = match lang {
            Lang::Ko => behind,
            Lang::En => !behind,
        };
        (place.abs_diff(mention.at), against)
    };
    let near = places.iter().filter(|(_, system)| can(system));
    near.min_by_key(|(place, _)| far(*place)).map(|(_, system)| *system)
}

/// What carries a name is no word any more.
fn mark<T>(tokens: &mut [Token<'_>], kind: TokenKind, mentions: &[Mention<T>]) {
    for mention in mentions {
        for token in tokens.iter_mut().skip(mention.at).take(mention.tokens) {
            token.kind = kind;
            token.concepts.clear();
        }
    }
}
