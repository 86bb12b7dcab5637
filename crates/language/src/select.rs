//! What is taken out of an answer, as a jq expression.

use crate::{
    comparison,
    concept::Concept,
    fields,
    lexicon::Lexicon,
    token::{Token, TokenKind},
};

/// Written out in backticks or after `jq`, or made from named fields and conditions.
pub(crate) fn select(lexicon: &Lexicon, tokens: &[Token<'_>]) -> Option<String> {
    if let Some(at) = written(tokens) {
        return tokens.get(at).map(|token| token.text.trim().to_owned());
    }
    let mut stages = vec![".[]".to_owned()];
    stages.extend(comparison::conditions(lexicon, tokens).iter().map(|c| format!("select({c})")));
    let fields = fields::fields(tokens);
    if !fields.is_empty() {
        stages.push(format!("{{{}}}", fields.join(", ")));
    }
    (stages.len() > 1).then(|| format!("[{}]", stages.join(" | ")))
}

/// The token that is a jq expression.
pub(crate) fn written(tokens: &[Token<'_>]) -> Option<usize> {
    let code = tokens.iter().position(|t| t.kind == TokenKind::Code);
    code.or_else(|| {
        let named = |at: usize| {
            let before = at.checked_sub(1).and_then(|at| tokens.get(at));
            let after = tokens.iter().skip(at + 1).take(2);
            before.into_iter().chain(after).any(|t| t.has(Concept::Filter))
        };
        tokens
            .iter()
            .enumerate()
            .find_map(|(at, token)| (token.kind == TokenKind::Quoted && named(at)).then_some(at))
    })
}
