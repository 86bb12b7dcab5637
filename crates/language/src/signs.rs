//! What an utterance shows, as rules ask for it.

use crate::{
    concept::Concept,
    leading,
    lexicon::{Lexicon, Sign},
    paths, request,
    systems::Named,
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;
use wiiiv_domain::{Lang, TaskType};

/// A `Result` and what points to it stand at most so many tokens apart.
const REFERENCE_TOKENS_MAX: usize = 3;

#[derive(Debug)]
pub(crate) struct Signs {
    shown: BTreeSet<Sign>,
    /// What leads the utterance.
    pub(crate) verb: Option<Concept>,
}

impl Signs {
    pub(crate) fn of(
        lexicon: &Lexicon,
        lang: Lang,
        tokens: &[Token<'_>],
        named: &Named<'_>,
        earlier_run: bool,
    ) -> Self {
        let words = tokens.iter().flat_map(|t| &t.concepts).copied().map(Sign::Word);
        let mut shown: BTreeSet<Sign> = words.collect();
        let quoted_path = paths::quoted(lexicon, tokens);
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Path => shown.extend([Sign::Path, Sign::AnyPath]),
                TokenKind::LoosePath => shown.extend([Sign::AnyPath]),
                TokenKind::Url => shown.extend([Sign::Url]),
                TokenKind::Quoted if quoted_path == Some(at) => {
                    shown.extend([Sign::Path, Sign::AnyPath]);
                }
                TokenKind::Quoted => shown.extend([Sign::Quoted]),
                TokenKind::Code => shown.extend([Sign::Code]),
                TokenKind::Json => shown.extend([Sign::Json]),
                TokenKind::System => shown.extend([Sign::System]),
                TokenKind::Operation | TokenKind::Word | TokenKind::Mark => {}
            }
        }
        if request::named_method(tokens).is_some() {
            shown.insert(Sign::Method);
        }
        if named.is_whole() {
            shown.insert(Sign::Operation);
        }
        let mut signs = Self { shown, verb: leading::verb(lang, tokens) };
        if signs.refers_back(tokens, earlier_run) {
            signs.shown.insert(Sign::EarlierRun);
        }
        signs
    }

    pub(crate) fn has(&self, sign: Sign) -> bool {
        self.shown.contains(&sign)
    }
    pub(crate) fn says(&self, concept: Concept) -> bool {
        self.has(Sign::Word(concept))
    }

    /// Beside a URL or a system, `that result` is the answer that is about to come.
    fn refers_back(&self, tokens: &[Token<'_>], earlier_run: bool) -> bool {
        let to_result = |pointer: Concept| near(tokens, pointer, Concept::Result);
        let strong =
            to_result(Concept::Earlier) || near(tokens, Concept::Earlier, Concept::Pronoun);
        let here =
            [Sign::Url, Sign::System, Sign::Quoted, Sign::Json].iter().any(|sign| self.has(*sign));
        let bare = earlier_run && (self.says(Concept::Result) || self.says(Concept::Pronoun));
        strong || (!here && (to_result(Concept::That) || bare))
    }

    /// The first rule that holds, and how sure it is.
    pub(crate) fn task(&self, lexicon: &Lexicon) -> Option<(TaskType, f32)> {
        let rule = lexicon.rules.iter().find(|rule| rule.holds(self))?;
        Some((rule.task, rule.confidence))
    }
}

fn near(tokens: &[Token<'_>], one: Concept, other: Concept) -> bool {
    tokens.iter().enumerate().filter(|(_, token)| token.has(one)).any(|(at, _)| {
        let from = at.saturating_sub(REFERENCE_TOKENS_MAX);
        tokens.iter().skip(from).take(2 * REFERENCE_TOKENS_MAX + 1).any(|t| t.has(other))
    })
}
