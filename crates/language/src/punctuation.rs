//! A mark that is put behind a text that waits, by its name: `뒤에 느낌표 붙여줘`, `add an exclamation mark`.

use crate::{
    concept::Concept,
    lexicon::Lexicon,
    morph,
    part::Part,
    token::{Token, TokenKind},
};

/// Close a sentence, and say nothing.
const TONE: [char; 4] = ['.', ',', '!', '~'];
/// Say where it goes, and nothing else.
const LIGHT: [Concept; 10] = [
    Concept::Vague,
    Concept::Add,
    Concept::Append,
    Concept::Pronoun,
    Concept::There,
    Concept::Dest,
    Concept::Within,
    Concept::Content,
    Concept::Too,
    Concept::Save,
];

pub(crate) enum Marked<'l> {
    /// The text with this behind it.
    With(&'l str),
    /// Of a mark, and it is not clear how many or where.
    Unclear,
}

/// `None` where no mark is named, or none is to be added.
pub(crate) fn marked<'l>(lexicon: &'l Lexicon, tokens: &[Token<'_>]) -> Option<Marked<'l>> {
    let quoted = tokens.iter().any(|token| token.kind == TokenKind::Quoted);
    let adds = tokens.iter().any(|t| t.has(Concept::Add) || t.has(Concept::Append));
    let found = |at: usize| named(lexicon, tokens, at).map(|(words, mark)| (at, words, mark));
    let mut names = (0..tokens.len()).filter_map(found);
    let (at, words, mark) = names.next().filter(|_| adds && !quoted)?;
    let light = |(place, t): (usize, &Token<'_>)| {
        let own = place >= at && place < at + words;
        let concepts = || LIGHT.into_iter().any(|concept| t.has(concept));
        own || t.kind == TokenKind::Mark || t.attached || concepts()
    };
    let only = names.next().is_none() && tokens.iter().enumerate().all(light);
    Some(if only { Marked::With(mark) } else { Marked::Unclear })
}

/// How many words name it, from here.
fn named<'l>(lexicon: &'l Lexicon, tokens: &[Token<'_>], at: usize) -> Option<(usize, &'l str)> {
    let word = tokens.get(at).filter(|token| token.is_word())?.text.to_lowercase();
    let pair = tokens.get(at + 1).map(|next| format!("{word} {}", next.text.to_lowercase()));
    let whole = |name: &str| lexicon.marks.get(name).map(String::as_str);
    if let Some(mark) = pair.and_then(|pair| whole(&pair)) {
        return Some((2, mark));
    }
    // `느낌표를`
    let stem = |(name, mark): (&String, &'l String)| {
        let rest = word.strip_prefix(name.as_str())?;
        let ends = rest.is_empty() || morph::is_endings(lexicon, rest);
        ends.then_some((1, mark.as_str()))
    };
    lexicon.marks.iter().find_map(stem)
}

/// Without what only closes a sentence, or says it politely: `지워줘요~`.
pub(crate) fn without_tone<'t>(lexicon: &Lexicon, text: &'t str) -> &'t str {
    let bare =
        |text: &'t str| text.trim_end_matches(|c: char| c.is_whitespace() || TONE.contains(&c));
    let mut text = bare(text);
    while let Some(stem) = lexicon.parts.stem(Part::Polite, text) {
        text = bare(stem);
    }
    text
}
