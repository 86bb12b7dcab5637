//! Command lines and SQL as people write them into a sentence.

use crate::{
    concept::Concept,
    lexicon::Lexicon,
    token::{Token, TokenKind},
};

/// Articles and such between the verb and the command.
const ASIDE_TOKENS_MAX: usize = 4;
/// Statements of SQL by two of their words.
const STATEMENTS: [(&str, &str); 4] =
    [("SELECT", "FROM"), ("INSERT", "INTO"), ("UPDATE", "SET"), ("DELETE", "FROM")];

/// The command that is to be run: in backticks, quoted, or bare behind the name of a program.
pub(crate) fn command<'t>(
    lexicon: &Lexicon,
    text: &'t str,
    tokens: &[Token<'t>],
) -> Option<&'t str> {
    let of =
        |kind: TokenKind| tokens.iter().find(|token| token.kind == kind).map(|token| token.text);
    of(TokenKind::Code).or_else(|| of(TokenKind::Quoted)).or_else(|| bare(lexicon, text, tokens))
}

/// Begins with the name of a program.
pub(crate) fn is_program(lexicon: &Lexicon, line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|first| lexicon.programs.contains(first))
}

/// `npm run build 실행해줘`, `run npm test`.
pub(crate) fn bare<'t>(lexicon: &Lexicon, text: &'t str, tokens: &[Token<'t>]) -> Option<&'t str> {
    let runs = |token: &Token<'_>| token.has(Concept::Run) || token.has(Concept::Command);
    let korean = tokens.iter().any(|token| token.is_korean() && runs(token));
    let told = |at: usize| {
        let near = tokens.iter().take(at).rev().take(ASIDE_TOKENS_MAX + 1);
        let before = near.into_iter().find(|token| !token.has(Concept::Vague));
        if korean {
            before.is_none_or(|t| t.is_korean() || t.kind == TokenKind::Mark)
        } else {
            before.is_some_and(runs)
        }
    };
    let program = |(at, token): &(usize, &Token<'_>)| {
        token.is_word() && lexicon.programs.contains(token.text) && told(*at)
    };
    let (from, first) = tokens.iter().enumerate().find(program)?;
    let rest = tokens.iter().skip(from + 1);
    let own = |token: &&Token<'_>| {
        if korean {
            !token.is_korean()
        } else {
            !(token.has(Concept::And) || token.has(Concept::Then) || token.is_mark(","))
        }
    };
    let line: Vec<&Token<'_>> = rest.take_while(own).collect();
    let closes = |t: &Token<'_>| ["?", ".", "!"].iter().any(|mark| t.is_mark(mark));
    let filler = |t: &&&Token<'_>| !korean && (closes(t) || (t.has(Concept::Vague) && !t.attached));
    let kept = line.len() - line.iter().rev().take_while(filler).count();
    let last = line.get(..kept).and_then(|line| line.last()).map_or(first, |last| last);
    text.get(first.start..last.end).map(|line| line.trim_end_matches(['.', '!']))
}

/// A statement, in capitals as they are written.
pub(crate) fn is_sql(tokens: &[Token<'_>]) -> bool {
    let within = |text: &str| {
        STATEMENTS
            .iter()
            .any(|(verb, second)| text.trim_start().starts_with(verb) && text.contains(second))
    };
    let in_code = tokens
        .iter()
        .any(|t| matches!(t.kind, TokenKind::Code | TokenKind::Quoted) && within(t.text));
    let has = |word: &str| tokens.iter().any(|token| token.is_word() && token.text == word);
    in_code || STATEMENTS.iter().any(|(verb, second)| has(verb) && has(second))
}
