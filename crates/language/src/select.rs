//! What is taken out of an answer, as a jq expression.

use crate::{
    comparison,
    concept::Concept,
    fields,
    lexicon::Lexicon,
    ranking::{self, Ranking},
    rows::Rows,
    token::{Token, TokenKind},
};

/// Written out in backticks or after `jq`, or made from named fields, conditions and an order.
pub(crate) fn select(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Option<String> {
    if let Some(at) = written(tokens) {
        return tokens.get(at).map(|token| token.text.trim().to_owned());
    }
    let mut each = vec![".[]".to_owned()];
    let conditions = comparison::conditions(lexicon, rows, tokens);
    each.extend(conditions.iter().map(|c| format!("select({c})")));
    let Ranking { stages, .. } = ranking::ranking(lexicon, rows, tokens);
    let compared = comparison::fields(lexicon, rows, tokens);
    let registered = fields::registered(lexicon, rows, tokens, &compared);
    let plain = fields::fields(tokens);
    let names = if registered.len() >= plain.len() { registered } else { plain };
    let kept = (!names.is_empty()).then(|| format!("{{{}}}", names.join(", ")));
    if stages.is_empty() {
        each.extend(kept);
        return (each.len() > 1).then(|| format!("[{}]", each.join(" | ")));
    }
    let mut all = vec![format!("[{}]", each.join(" | "))];
    all.extend(stages);
    // A summary has fields of its own.
    let ranked = all.get(1).is_some_and(|stage| stage.starts_with("sort_by"));
    all.extend(kept.filter(|_| ranked).map(|kept| format!("map({kept})")));
    Some(all.join(" | "))
}

/// Something was said of which rows are meant, and it is not clear which.
pub(crate) fn is_unread(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> bool {
    comparison::is_unread(lexicon, rows, tokens) || ranking::ranking(lexicon, rows, tokens).unread
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
